"""What is wrong with a game's place on GitHub: its settings held against what the game needs. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from nomicgit.forge import apps, barrier, environment, setup
from nomicgit.forge.apps import App
from nomicgit.forge.at_hand import Here as Here
from nomicgit.forge.at_hand import files, uninvited, unread
from nomicgit.forge.environment import Environment
from nomicgit.forge.inspection import KEY, Settings, Unseen
from nomicgit.ground import clock
from nomicgit.ground.problems import Place, Problem, printable
from nomicgit.ground.remedies import command, remedy

STEWARD, TIMER = f"{setup.WORKFLOWS}steward.yml", f"{setup.WORKFLOWS}timer.yml"
ASLEEP = 2 * 3600
"""Seconds without a run after which a schedule of every quarter of an hour sleeps."""
TOO_MUCH = ("workflow", "delete_repo", "admin:org", "admin:repo_hook")
LAY = remedy("with an owner's token, or by hand (SETUP.md, section 4):", command("nomicgit", "setup"))
BRANCH = "main"
"""The branch to whose pushes the workflow of the site listens."""


class Report(Struct, frozen=True):
    """What is wrong, with what to do; what the token could not see, with why; and what is open, and cannot be shut. ``here_alone``:
    whether nobody has asked GitHub; ``outdated``: whether the game runs a newer program, which alone can say all.
    """

    findings: tuple[Problem, ...]
    unseen: tuple[Problem, ...]
    left_open: tuple[Problem, ...] = ()
    here_alone: bool = False
    outdated: bool = False

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "sound": not self.findings,
            "findings": [each.as_json() for each in self.findings],
            "unseen": [each.as_json() for each in self.unseen],
            "open": [each.as_json() for each in self.left_open],
        }


def examine(seen: Settings, here: Here) -> Report:
    """Hold a repository's settings against what the game needs."""
    findings = [
        *here.stops, *_repository(seen, here), *_token(seen), *_actions(seen), *_app(seen), *_branch(seen), *_laid(seen, here),
        *_pages(seen, here), *_people(seen),
        *files(here), *_steward(seen, here), *_secrets(seen, here),
    ]  # fmt: skip
    left_open = (*_left_open(seen), *uninvited(here))
    return Report(
        tuple(findings), (*_unseen(seen, here), *unread(here)), left_open, outdated=here.newer is not None
    )


def at_hand(here: Here, why: Problem) -> Report:
    """What is seen without asking GitHub: the files of the repository at hand. ``why``: why nothing of GitHub is."""
    unseen = (why.of_part("all that GitHub alone can say"), *unread(here))
    return Report((*here.stops, *files(here)), unseen, tuple(uninvited(here)), here_alone=True)


def _repository(seen: Settings, here: Here) -> Iterator[Problem]:
    if seen.full_name.casefold() != here.place.repository.casefold():
        what = f"the repository is called {printable(seen.full_name, 150)} now, the game's settings say {here.place.repository}"
        yield Problem(
            what,
            mend=remedy(
                "give it its old name back, or say the new one:",
                command("nomicgit", "rehouse", "--github", "OWNER/REPO"),
            ),
        )
    if seen.archived:
        yield Problem("the repository is archived: nobody can play", mend="Settings → General → Unarchive")
    if seen.private:
        what = "the repository is private: only who has access sees the game, and nobody else can join, vote or propose"
        yield Problem(what, mend="Settings → General → Danger Zone → Change visibility: public")
    if not seen.issues:
        yield Problem("there are no issues, so no forms", mend="Settings → General → Features → Issues")
    if seen.branch != BRANCH or here.branch != f"refs/heads/{BRANCH}":
        names = f"{printable(seen.branch, 60)} there, {here.branch.removeprefix('refs/heads/')} here"
        yield Problem(f"the default branch is not {BRANCH} ({names})", mend=f"rename it to {BRANCH}")


def _token(seen: Settings) -> Iterator[Problem]:
    much = sorted(set(TOO_MUCH) & (seen.scopes or frozenset()))
    if much:
        yield Problem(
            f"the token in use may more than the steward needs: {', '.join(much)}",
            mend="use a fine-grained token, or an App's, for this repository alone",
        )


def _actions(seen: Settings) -> Iterator[Problem]:
    where = "Settings → Actions → General"
    if not isinstance(seen.actions, Unseen):
        if not seen.actions.enabled:
            yield Problem("Actions are off: no steward, no site", mend=f"{where} → Actions permissions")
        elif seen.actions.allowed == "local_only":
            yield Problem(
                "no action of GitHub's may be used, not even checkout",
                mend=f"{where}: allow actions by GitHub",
            )
    if not isinstance(seen.workflow_token, Unseen):
        if seen.workflow_token.default != "read":
            yield Problem(
                "every workflow's token may write unless it says otherwise",
                mend=f"{where} → Workflow permissions: read",
            )
        if seen.workflow_token.may_approve:
            yield Problem(
                "workflows may approve pull requests, which is a vote",
                mend=f"{where}: do not allow Actions to approve",
            )
    if seen.fork_approval == "all_external_contributors":
        yield Problem(
            "every review of somebody without access waits for an owner before it rings the bell",
            mend=f"{where} → Approval for running fork pull request workflows: for first-time contributors",
        )


def _app(seen: Settings) -> Iterator[Problem]:
    if isinstance(seen.app, App):
        yield from apps.amiss(seen.app)


def _branch(seen: Settings) -> Iterator[Problem]:
    """The default branch's protection, by rulesets or in the old way, held against the ruleset that comes with the program."""
    wanted = {each["type"] for each in setup.ruleset(app=isinstance(seen.app, App))["rules"]}
    rules = () if isinstance(seen.rules, Unseen) else seen.rules
    old = None if isinstance(seen.protection, Unseen) else seen.protection
    kinds = {rule.kind for rule in rules}
    contexts = {context for rule in rules for context in rule.contexts} | set(old.contexts if old else ())
    if "required_status_checks" in wanted and setup.STATUS not in contexts and not _hidden(seen):
        yield Problem(
            f"the Merge button is open: the branch does not require the status {setup.STATUS}",
            mend=LAY,
        )
    by_pull = "pull_request" in kinds or (old is not None and old.pull_required)
    if "pull_request" in wanted and not by_pull and not _hidden(seen):
        yield Problem(
            "whoever may write pushes to the branch past the steward: no pull request is required",
            mend=LAY,
        )
    unbarred = [
        what
        for what, kind, barred in (
            ("force pushes", "non_fast_forward", old is not None and not old.force_pushes),
            ("its deletion", "deletion", old is not None and not old.deletions),
        )
        if kind not in kinds and not barred and not _hidden(seen)
    ]
    if unbarred:
        yield Problem(
            f"the default branch takes {' and '.join(unbarred)}",
            mend=LAY,
        )
    if any(rule.dismisses for rule in rules) or (old is not None and old.dismisses):
        yield Problem(
            "a push dismisses approvals, though a vote is bound to what was proposed and not to a commit",
            mend="SETUP.md, section 4: Dismiss stale approvals: off",
        )


def _laid(seen: Settings, here: Here) -> Iterator[Problem]:
    """The ruleset that is called as ours, held against the file of the game."""
    if seen.barrier is None or isinstance(seen.barrier, Unseen) or isinstance(seen.app, Unseen):
        return
    path = setup.RULESET if seen.app is not None else setup.WITHOUT_APP
    if path not in here.barriers:
        return
    unlike = list(barrier.differences(seen.barrier, here.barriers[path], seen.app))
    if unlike:
        what = f"the ruleset on GitHub is not what this file says: {'; '.join(unlike[:6])}"
        yield Problem(what, Place(path), mend=LAY)


def _left_open(seen: Settings) -> Iterator[Problem]:
    """What stays open, whatever is set."""
    if seen.app is None:
        what = (
            "the Merge button is open to whoever may write, and so is a push: without an App nothing on GitHub bars that and lets "
            "the steward push"
        )
        yield Problem(
            what,
            mend="the steward stops upon it, and says what mends it; an App shuts it (SETUP.md, section 3)",
        )
    seen_people = () if isinstance(seen.collaborators, Unseen) else seen.collaborators
    owners = [each.person.login for each in seen_people if each.role == "admin" and not each.person.bot]
    named = f" ({printable(', '.join(owners), 300)})" if owners else ""
    yield Problem(
        f"owners{named} can edit and delete what others said, and take the ruleset away",
        mend=remedy(
            "the steward takes nobody's edit for another's word; this names what is gone:",
            command("nomicgit", "verify", "--online"),
        ),
    )


def _hidden(seen: Settings) -> bool:
    return isinstance(seen.rules, Unseen) or isinstance(seen.protection, Unseen)


def _pages(seen: Settings, here: Here) -> Iterator[Problem]:
    mend = "Settings → Pages → Source: GitHub Actions; then Actions → site → Run workflow"
    if seen.pages is None:
        yield Problem("there is no site", mend=mend)
    elif not isinstance(seen.pages, Unseen):
        if seen.pages.build != "workflow":
            yield Problem("the site is built from a branch, not by the workflow", mend=mend)
        if seen.pages.url.rstrip("/").casefold() != here.place.site.rstrip("/").casefold():
            shown = printable(seen.pages.url, 150)
            what = f"the site stands at {shown}, the forms point to {here.place.site}"
            yield Problem(
                what,
                mend=remedy(
                    "say so:",
                    command("nomicgit", "rehouse", "--github", here.place.repository, "--site", "ADDRESS"),
                ),
            )


def _people(seen: Settings) -> Iterator[Problem]:
    if isinstance(seen.collaborators, Unseen):
        return
    machines = {apps.OF_RUNS, *([seen.app.name] if isinstance(seen.app, App) else ())}
    writers = [
        each.person.login
        for each in seen.collaborators
        if each.may_push
        and (each.role != "admin" or each.person.bot)
        and not (each.person.bot and each.person.login.removesuffix("[bot]") in machines)
    ]
    if writers:
        yield Problem(
            f"these may write though they own nothing, and so edit what others said: {printable(', '.join(writers), 300)}",
            mend="Settings → Collaborators and teams: players need no access",
        )


def _steward(seen: Settings, here: Here) -> Iterator[Problem]:
    """Whether the steward's workflow is there and alive."""
    if isinstance(seen.workflows, Unseen):
        return
    timer = next((each for each in seen.workflows if each.path == TIMER), None)
    if timer is not None and timer.state != "active":
        mend = "Actions → timer → Enable workflow; after sixty days without a commit GitHub stops schedules"
        what = f"nothing is resolved, and no review counted, of itself: the timer is off ({printable(timer.state, 40)})"
        yield Problem(what, Place(TIMER), mend=mend)
    workflow = next((each for each in seen.workflows if each.path == STEWARD), None)
    if workflow is None:
        yield Problem("GitHub knows no such workflow", Place(STEWARD), mend=f"push it to {BRANCH}")
    elif workflow.state != "active":
        mend = "Actions → steward → Enable workflow"
        yield Problem(
            f"the steward does not run ({printable(workflow.state, 40)})", Place(STEWARD), mend=mend
        )
    elif workflow.ran_at is None or workflow.ran_at < here.now - ASLEEP:
        since = "ever" if workflow.ran_at is None else f"since {clock.text(workflow.ran_at)}"
        yield Problem(
            f"the steward has not run {since}", Place(STEWARD), mend="Actions → steward → Run workflow"
        )


def _secrets(seen: Settings, here: Here) -> Iterator[Problem]:
    """Whether the steward has the key, in a game whose site leads to the form of orders, and who has the steward's secrets."""
    if here.keys and seen.all_have_key is True:
        yield Problem(
            f"workflows of every branch are given the key: {KEY} is a secret of the repository",
            mend=f"make it one of the environment {environment.NAME} (SETUP.md, section 6), and take the repository's away",
        )
    elif here.keys and seen.has_key is False:
        yield Problem(
            f"the steward has no key, so it refuses every sealed order: the environment {environment.NAME} has no secret {KEY}",
            mend="SETUP.md, section 6: the keeper lets the steward have it",
        )
    if isinstance(seen.environment, Environment) and seen.environment.branches != (BRANCH,):
        branches = seen.environment.branches
        others = [each for each in branches or () if each != BRANCH]
        which = printable(", ".join(others), 80) if branches is not None else "every branch"
        yield Problem(
            f"workflows of {which or 'no branch'} are given the steward's secrets, and {BRANCH} alone is to have them",
            mend=remedy(
                f"an owner's token names {BRANCH}; take others away in Settings → Environments → {environment.NAME}:",
                command("nomicgit", "setup"),
            ),
        )


def _unseen(seen: Settings, here: Here) -> Iterator[Problem]:
    """What the token may not see; an owner's token, or an App's that may read Administration, sees it."""
    parts = {
        "whether Actions run": seen.actions, "what workflows' tokens may": seen.workflow_token,
        "whose workflow runs wait for approval": seen.fork_approval, "the branch's protection": seen.protection,
        "the branch's rulesets": seen.rules, "the site": seen.pages, "labels": seen.labels,
        "who has access": seen.collaborators, "the workflows": seen.workflows,
        "whether an App pushes for the steward": seen.app, "who has the steward's secrets": seen.environment,
    }  # fmt: skip
    of_key = {
        "whether the steward has the key": seen.has_key,
        "whether all workflows have it": seen.all_have_key,
    }
    of_key = of_key if here.keys else {}
    for what, part in (*parts.items(), *of_key.items()):
        if isinstance(part, Unseen):
            yield Problem(f"{what}: {printable(part.why, 200)}", mend="ask with the token of an owner")
    if isinstance(seen.barrier, Unseen) or seen.barrier is None or "bypass_actors" not in seen.barrier:
        yield Problem("who stands in a ruleset's bypass list", mend="look: the App, and nobody else")
    if seen.token_may is not None and "push" not in seen.token_may:
        yield Problem(
            "whether the steward's own token may push: this one may not",
            mend="run the steward: Actions → steward",
        )
