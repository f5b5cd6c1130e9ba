"""The hook ``proc-receive`` of the fake's repositories: pushes are refused for what they bring, in GitHub's own words.

Git runs it in the repository, with what it is to do in pkt-lines. A plain hook could print, but not say in a reference's
own line why that is refused, as GitHub does. It begins with each push, so it reads in nothing that takes long.
Sources of the words: public issue threads (repo-sync/github-sync 23, Commando-X/vuln-bank 53, zokugun/vscode-sync-settings
91).
"""

from __future__ import annotations

import os
import sys

SECRET = "ghp_[A-Za-z0-9]{36}"
NAMES = ("-r", "-c", "--root", "--name-only", "--no-commit-id")  # of a merge, what none of its parents has so
DECLINED = "push declined due to repository rule violations"
BLOCKED = """error: GH013: Repository rule violations found for {ref}.

- GITHUB PUSH PROTECTION
  —————————————————————————————————————————
    Resolve the following violations before pushing again

    - Push cannot contain secrets


     (?) Learn how to resolve a blocked push
     https://docs.github.com/code-security/secret-scanning/working-with-secret-scanning-and-push-protection/working-with-push-protection-from-the-command-line#resolving-a-blocked-push


      —— GitHub Personal Access Token ——————————————————————
       locations:
         - commit: {commit}
           path: {path}

       (?) To push, remove secret from commit(s) or follow this URL to allow the secret.
       https://github.com/nomic-club/game/security/secret-scanning/unblock-secret/2gakJrAududURpxlhIZdNlX14ZZ

"""


def git(*args: str) -> list[str]:
    """Lines of Git's output; none where it found nothing."""
    reader, writer = os.pipe()
    nothing = os.open(os.devnull, os.O_WRONLY)
    pipes = [(os.POSIX_SPAWN_DUP2, writer, 1), (os.POSIX_SPAWN_DUP2, nothing, 2)]
    child = os.posix_spawnp("git", ["git", *args], os.environ, file_actions=pipes)
    os.close(writer)
    os.close(nothing)
    with open(reader, encoding="utf-8", errors="replace") as told:
        lines = told.read().splitlines()
    os.waitpid(child, 0)
    return lines


def pusher() -> str:
    """Who pushes: as the server says, or who is known to push by the repository's path; nobody's name else."""
    return os.environ.get("FAKE_PUSHER") or os.environ.get("FAKE_BY_PATH", "")


def said(name: str) -> list[str]:
    """The words in a file of the repository's; none where it is not there."""
    if not os.path.exists(name):
        return []
    with open(name, encoding="ascii") as file:
        return file.read().split()


def refused(new: str, ref: str) -> str:
    """Why a reference is not moved there; nothing where it is."""
    if not new.strip("0"):
        return ""
    fresh = ["rev-list", "--full-history", new, "--not", "--branches", "--glob=refs/nomicgit/*"]
    of_app, lacks = pusher() in said("apps"), os.environ.get("FAKE_WORKFLOWS") == "may not"
    whose, without = (
        ("a GitHub App", "`workflows` permission")
        if of_app
        else ("a Personal Access Token", "`workflow` scope")
    )
    if ref.startswith("refs/heads/") and (of_app or lacks):
        for commit in git(*fresh, "--", ".github/workflows"):
            for path in git("diff-tree", *NAMES, commit, "--", ".github/workflows"):
                return f"refusing to allow {whose} to create or update workflow `{path}` without {without}"
    for commit in git(*fresh):
        for found in git("grep", "-n", "-I", "-E", "-e", SECRET, commit):
            path = ":".join(found.split(":")[1:3])
            print(BLOCKED.format(ref=ref, commit=commit, path=path), file=sys.stderr, end="")
            return DECLINED
    return ""


def read() -> list[str]:
    """The pkt-lines up to the next flush."""
    found = []
    while size := int(sys.stdin.buffer.read(4), 16):
        found.append(sys.stdin.buffer.read(size - 4).decode().rstrip("\n"))
    return found


def write(*lines: str) -> None:
    """Pkt-lines, and a flush."""
    data = [line.encode() for line in lines]
    sys.stdout.buffer.write(b"".join(b"%04x%s" % (len(each) + 4, each) for each in data) + b"0000")
    sys.stdout.buffer.flush()


def main() -> None:
    """All references of a push are moved, or none."""
    read()
    write("version=1")
    asked = [line.split(" ") for line in read()]
    whys = {ref: refused(new, ref) for _, new, ref in asked}
    if any(whys.values()):
        write(*(f"ng {ref} {why or 'atomic push failure'}" for ref, why in whys.items()))
    else:
        if "FAKE_PUSHER" not in os.environ and pusher():
            with open(
                "pushed", "w", encoding="ascii"
            ) as file:  # the forge takes note of it when it is asked next
                file.write(pusher())
        write(*(line for ref in whys for line in (f"ok {ref}", "option fall-through")))


if __name__ == "__main__":
    main()
