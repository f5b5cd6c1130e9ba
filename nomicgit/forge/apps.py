"""Whether an App pushes for the steward, by what is there: whose the token is, a variable of the workflows, what is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from nomicgit.forge import queries
from nomicgit.forge.connection import Remote
from nomicgit.ground.problems import Problem, printable
from nomicgit.steward.trouble import Forbidden, Missing

VARIABLE = "NOMICGIT_APP"
"""The repository's variable by which the workflows know the App."""
WRITES = ("contents", "issues", "pull_requests", "statuses")
"""What the App has to write, by GitHub's names."""
TOO_MUCH = ("administration", "workflows", "secrets", "environments", "organization_administration")
OF_RUNS = "github-actions"
"""The App by which GitHub gives each run of a workflow its token."""
_MEND = "SETUP.md, section 3"


class App(Struct, frozen=True):
    """The App that pushes for the steward: its number as the variable says it (empty where its own token alone tells of it), its
    name where GitHub tells, and what it may. ``installed`` is None where that is not to be seen.
    """

    number: str = ""
    name: str = ""
    may: Mapping[str, str] | None = None
    installed: bool | None = None
    suspended: bool = False

    def __str__(self) -> str:
        return f"the App {printable(self.name or self.number, 60)}"


def app_of(remote: Remote, *, organization: bool) -> App | None:
    """The App; None where there is none. Forbidden or Missing where that is not to be seen."""
    if own := _whose(remote):
        return App(name=own)
    number = _variable(remote)
    if number is None:
        return None
    if not organization:
        return App(number)
    try:
        installed = list(_installed(remote))
    except (Forbidden, Missing):
        return App(number)
    return next((each for each in installed if each.number == number), App(number, installed=False))


def _whose(remote: Remote) -> str:
    """The name of the App whose token this is; empty for a person's, and for that of a run."""
    try:
        remote.wire.get("/installation/repositories", {"per_page": 1})
    except (Forbidden, Missing):
        return ""  # none of an installation's
    if remote.viewer is None:
        remote.ask(queries.WHO, {})
    name = remote.viewer.login.removesuffix("[bot]") if remote.viewer is not None else ""
    return "" if name == OF_RUNS else name


def _variable(remote: Remote) -> str | None:
    try:
        body = remote.wire.get(f"{remote.path}/actions/variables/{VARIABLE}").body
    except Missing as error:
        if error.status == 404:
            return None
        raise
    value = body.get("value") if isinstance(body, dict) else None
    return str(value or "").strip() or None  # the workflows take an empty one for none, too


def _installed(remote: Remote) -> Iterator[App]:
    """The Apps that the repository's organization has installed."""
    for page in remote.following(remote.wire.get(f"/orgs/{remote.owner}/installations", {"per_page": 100})):
        members = page.body.get("installations") if isinstance(page.body, dict) else None
        for each in members if isinstance(members, list) else ():
            may = each.get("permissions")
            yield App(
                str(each.get("app_id")), str(each.get("app_slug") or ""), may if isinstance(may, dict) else None, True,
                each.get("suspended_at") is not None,
            )  # fmt: skip


def amiss(app: App) -> Iterator[Problem]:
    """What is wrong with an App."""
    if app.number and not (app.number.isascii() and app.number.isdigit()):
        what = f"the variable {VARIABLE} is {printable(app.number, 60)}, which is no App's number"
        yield Problem(what, mend=f"{_MEND}: the App's id, a number")
    elif app.installed is False:
        what = f"no App of the number {app.number}, which the variable {VARIABLE} names, is installed here: no pass gets a token"
        yield Problem(what, mend=f"{_MEND}: install it, or take the variable away")
    if app.suspended:
        yield Problem(f"{app} is suspended: no pass gets a token", mend="let it go on, where it is installed")
    if app.may is not None:
        lacking = [part for part in WRITES if app.may.get(part) != "write"]
        much = [part for part in TOO_MUCH if app.may.get(part) in ("write", "admin")]
        if lacking:
            yield Problem(f"{app} may not write what the steward writes: {', '.join(lacking)}", mend=_MEND)
        if much:
            yield Problem(f"{app} may more than the steward needs: {', '.join(much)}", mend=_MEND)
