"""What tests of the forge share: a client, and threads to read."""

from __future__ import annotations

from fakegithub import Account, FakeGitHub, Pull

from nomicgit.forge.github import GitHub


def client(github: FakeGitHub, who: Account | None = None, repository: str = "") -> GitHub:
    """A client, by default the steward's, whose waiting moves the forge's clock."""
    return GitHub(
        repository or github.repo.full_name,
        github.token(who or github.steward),
        api=github.url,
        wait=github.wait,
        now=github.time,
    )


def a_pull(github: FakeGitHub, login: str = "cy", branch: str = "more", text: str = "text\n") -> Pull:
    """A pull request from somebody's fork."""
    who = github.login(login) or github.user(login)
    github.commit(who, {f"{branch}.md": text}, branch=branch)
    return github.open_pull(who, head=branch, title="More light", body="We need it.")
