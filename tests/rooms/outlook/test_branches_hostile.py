"""Branches that are wrong, or meant to hurt: everything is told at once, and nothing is unpacked, run or followed."""

from __future__ import annotations

import os
import resource
import time
import zlib
from hashlib import sha1
from pathlib import Path

import pytest
from support.branching import HOME, RULES, VOTES, Desk, rule

from nomicgit.git import Repository
from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError
from nomicgit.outlook.branches import changes_of
from nomicgit.outlook.branches.blobs import MOST_OF_FILE
from nomicgit.outlook.branches.touched import MOST_ENTRIES, MOST_PROBLEMS
from nomicgit.outlook.checks import check_branch
from nomicgit.record.game import Game

VOTES_AT = "1-core/10-votes.md"
AT = HOME + VOTES_AT


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "rules")


def entries(desk: Desk, *found: tuple[str, str, str], within: str = "") -> str:
    """The tree of the base with these entries (mode, name, id) put into one of its folders, whatever they are."""
    tree = desk.repository.commit(desk.base).tree
    return _with(desk.repository, tree, within.split("/") if within else [], found)


def _with(repository: Repository, tree: str, path: list[str], found: tuple[tuple[str, str, str], ...]) -> str:
    known = dict(repository.tree(tree))
    if path:
        mode, oid = known[path[0]]
        known[path[0]] = (mode, _with(repository, oid, path[1:], found))
    rows = [(mode, name, oid) for name, (mode, oid) in known.items()] + list(() if path else found)
    rows.sort(key=lambda row: os.fsencode(row[1] + "/" * (row[0] == "40000")))
    return repository.write(
        "tree", b"".join(b"%s %s\0%s" % (m.encode(), os.fsencode(n), bytes.fromhex(o)) for m, n, o in rows)
    )


def refused(desk: Desk, tree: str) -> list[str]:
    """The problems of a branch whose head has this tree."""
    head = desk.commit(desk.base, {}, tree=tree)
    with pytest.raises(NomicError) as error:
        changes_of(desk.repository, desk.base, head)
    return [str(problem) for problem in error.value.problems]


# ---- what is wrong with it


def test_all_problems_are_told_at_once_with_file_line_and_what_to_do(desk: Desk) -> None:
    told = desk.wrong({
        AT: rule(VOTES_AT, ("title: Votes\n", "title: Votes\nlimits: {}\n"), ("# Who may", "```\n\n```starlark\n# Who may")),
        "game/state/game.yml": "moon: 3\n",
        "game/posts/2021/06/0001-x.md": "x",
        "docs/index.md": "x",
        HOME + "2-dynastic/moonlight.md": "---\ntitle: Moonlight\n---\n",
        HOME + "2-dynastic/10-gear.md": "---\nrare: 3\n---\nGear.\n",
        HOME + "2-dynastic/20-tea.md": b"---\ntitle: Tea\n---\nCaf\xe9.\n",
        HOME + "2-dynastic/30-moon.md": "---\ntitle: Moon\n---\nThe \u202emoon\u202c shines.\n",
        HOME + "2-dynastic/40-stars/10-sirius.md": "---\ntitle: Sirius\n---\n",
        "game/scenarios/x_y.yml": "- 1\n",
        HOME + "2-dynastic/50-sun.md": "---\ntitle: Sun\n---\n```starlark\nprint(1)\n\ndef a(:\n    pass\n```\n",
        HOME + "2-dynastic/60-stone.md": "---\ntitle: Stone\n---\n```starlark\ndef quorum():\n    pass\n\ndef quorum():\n    pass\n```\n",
    })  # fmt: skip
    wanted = [
        "docs/: this is neither a rule nor a scenario\n  take it out:\n    git rm -r docs/",
        "game/posts/: a branch does not touch posts\n  take it out:\n    git rm -r game/posts/",
        f"{AT}:4:1: the key limits stands here twice (keep one of them)",
        f"{AT}:22, rule votes: a second block of mechanics (put all mechanics into one block)",
        f"{HOME}2-dynastic/10-gear.md:1, rule gear: the title is missing (write a line `title: …` into the front matter)",
        f"{HOME}2-dynastic/10-gear.md:2, rule gear: `rare` is neither true nor false (write `rare: true`, or leave it out)",
        f"{HOME}2-dynastic/20-tea.md:4: byte 0xe9 is not UTF-8 (save the file as UTF-8)",
        f"{HOME}2-dynastic/30-moon.md:4:5: the character U+202E cannot be seen, or turns the direction of writing (take it out)",
        f"{HOME}2-dynastic/40-stars/10-sirius.md: a subrule whose parent is no rule (the parent would be 2-dynastic/40-stars.md)",
        f"{HOME}2-dynastic/50-sun.md:5, rule Sun: a statement at the top level",
        f"{HOME}2-dynastic/60-stone.md:8, rule Stone: quorum is defined twice in this file (keep one of them)",
        f"{HOME}2-dynastic/moonlight.md: a bad file name (call it NN-SLUG.md; what people read is `title:`)",
        "game/scenarios/x_y.yml: a bad file name of a scenario (call it x-y.yml, directly in game/scenarios/)",
        "game/state/: a branch does not touch the gamestate\n  write the change `set: {PATH: VALUE}`, and take it out:",
    ]
    assert [line for line in wanted if not any(each.startswith(line) for each in told)] == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({AT: VOTES.replace("def quorum():\n    return 3", "def quorum(:\n    return 3")}, "votes.md:16:12, rule Votes: `:` stands where"),
        ({HOME + "2-dynastic/20-tea.md": "---\ntitle: Tea\n---\n```starlark\ndef quorum():\n    pass\n```\n"}, "quorum"),
        ({AT: VOTES.replace("per: day, gap: 10h", "per: day, gap: soon")}, "10-votes.md:4, rule Votes: limits.daily.gap"),
        ({AT: VOTES.replace("```starlark", "``` starlark\n```\n```python")}, "10-votes.md"),
        ({AT: VOTES.removesuffix("```\n")}, "votes.md:13, rule votes: a fenced block is not closed (end it with a line ```)"),
        ({AT: VOTES.replace("{per: day, gap: 10h}", "&a {per: day, gap: 10h}")}, "votes.md:4:10: an anchor"),
        ({AT: None, HOME + "1-core/10-ballots.md": VOTES, HOME + "1-core/10-votes/10-icons.md": None}, "call it 10-votes.md again"),
        ({HOME + "2-dynastic/index.md": "Words.\n"}, "index.md: the words of a section itself are no rule"),
        ({HOME + "2-dynastic/20-Tea.md": RULES["2-dynastic/20-tea.md"], HOME + "2-dynastic/20-tea.md": None}, "bad file name"),
        ({"game/game.yml": "format: 9\n"}, "game/game.yml: this is neither a rule nor a scenario"),
        ({"game/scenarios/moon.yml": "a: [\n"}, "moon.yml:2"),
        ({"game/scenarios/moon.yml": "- 1\n"}, "moon.yml:1: a scenario is a map"),
        ({AT: "version https://git-lfs.github.com/spec/v1\noid sha256:1\n"}, "a pointer to a file that is kept elsewhere"),
        ({HOME + "1-core/10-votes/10-icons.md": "x" * (MOST_OF_FILE + 1)}, "larger than a proposal's"),
        ({AT: VOTES.replace("once.", "once.\x07")}, "votes.md:9:24: the character U+0007"),
    ],
)  # fmt: skip
def test_what_cannot_become_changes_is_told(desk: Desk, files: dict[str, str | None], said: str) -> None:
    told = desk.wrong(files)
    assert any(said in line for line in told), told


def test_a_base_of_another_branch_is_told_how_to_go_back(desk: Desk) -> None:
    base = desk.commit(desk.base, {"docs/index.md": "x"})
    head = desk.commit(base, {"docs/index.md": "y"})
    with pytest.raises(
        NomicError,
        match=f"take it out:\n    git restore --source={base} --staged --worktree -- docs/index.md",
    ):
        changes_of(desk.repository, base, head)


# ---- what Git can hold and a game cannot


BLOB = "ce013625030ba8dba906f756967f9e9ca394464a"


@pytest.mark.parametrize(
    ("mode", "name", "said"),
    [
        ("120000", "40-key.md", "40-key.md: this is a symbolic link, not a file"),
        ("160000", "40-key.md", "this is a submodule"),
        ("100755", "40-key.md", "this is a program"),
        ("100600", "40-key.md", "this is of the mode 100600"),
        ("100644", "10-GEAR.md", "differs from this one in capitals only"),
        ("100644", ".gitattributes", "Git, or the forge, obeys this file"),
        ("100644", ".gitmodules", "obeys this file"),
        ("100644", ".mailmap", "obeys this file"),
        ("100644", "a\tstate\nM\tstate", "a\\u0009state\\u000aM\\u0009state: this name is not made of letters"),
        ("100644", "-rf", "bad file name"),
        ("100644", "caf\udce9.md", "is not made of letters"),
        ("100644", "am\u00e9lie.md", "is not made of letters"),
        ("100644", "10-gear.md.", "is not made of letters"),
        ("100644", "con\u202e.md", "is not made of letters"),
        ("40000", ".github", "obeys this file"),
    ],
)  # fmt: skip
def test_odd_entries_of_a_tree_are_refused_by_name(desk: Desk, mode: str, name: str, said: str) -> None:
    empty = desk.repository.write("tree", b"")
    oid = empty if mode == "40000" else desk.repository.write("blob", b"hello\n")
    told = refused(desk, entries(desk, (mode, name, oid), within="game/ruleset/2-dynastic"))
    assert any(said in line for line in told), told


def test_the_forges_own_folder_is_refused_at_the_root(desk: Desk) -> None:
    head = desk.commit(desk.base, {".github/workflows/steal.yml": "on: push\n"})
    with pytest.raises(NomicError, match="Git, or the forge, obeys this file"):
        changes_of(desk.repository, desk.base, head)


def test_a_rename_onto_the_gamestate_is_a_write_to_it(desk: Desk) -> None:
    told = desk.wrong(
        {HOME + "2-dynastic/20-tea.md": None, "game/state/tea.yml": RULES["2-dynastic/20-tea.md"]}
    )
    assert any("a branch does not touch the gamestate" in line for line in told)


def memory() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def bomb(desk: Desk) -> str:
    """A folder of ten billion files, out of twelve objects."""
    at, mode = desk.repository.write("blob", b"boom\n"), "100644"
    for _ in range(10):
        rows = (b"%s %s\0%s" % (mode.encode(), b"d%d" % n, bytes.fromhex(at)) for n in range(10))
        at, mode = desk.repository.write("tree", b"".join(rows)), "40000"
    return at


@pytest.mark.parametrize("within", ["", "game/ruleset/2-dynastic", "game/scenarios"])
def test_a_git_bomb_is_refused_at_once(desk: Desk, within: str) -> None:
    at = bomb(desk)
    if within == "game/scenarios":
        tree = entries(desk, ("40000", "scenarios", at), within="game")
    else:
        tree = entries(desk, ("40000", "bomb", at), within=within)
    before, began = memory(), time.process_time()
    assert len(refused(desk, tree)) <= 101
    assert time.process_time() - began < 5
    assert memory() - before < 200 * 1024 * 1024


def test_the_check_of_a_branch_reads_no_rules_where_too_much_is_on_it(desk: Desk) -> None:
    tree = entries(desk, ("40000", "bomb", bomb(desk)), within="game/ruleset/2-dynastic")
    head = desk.commit(desk.base, {}, tree=tree)
    began, before = time.process_time(), worker.spent()
    checked = check_branch(Game(desk.repository, desk.repository.commit(desk.base)), desk.base, head, 0)
    assert time.process_time() - began + worker.spent() - before < 0.5
    assert [str(each.problem) for each in checked.findings] == refused(desk, tree)


def _loose_bomb(folder: Path, kind: str, size: int) -> str:
    """A loose object whose bytes are all zeros, its id that of its few first ones: nobody may read that far."""
    head = f"{kind} {size}".encode() + b"\0"
    oid = sha1(head, usedforsecurity=False).hexdigest()
    path = folder / ".git" / "objects" / oid[:2] / oid[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(head + bytes(1024)))
    return oid


@pytest.mark.parametrize(("kind", "mode"), [("blob", "100644"), ("tree", "40000")])
def test_a_gibibyte_of_zeros_is_refused_unread(desk: Desk, kind: str, mode: str) -> None:
    assert desk.repository.root is not None
    oid = _loose_bomb(Path(desk.repository.root), kind, 1 << 30)
    tree = entries(desk, (mode, "40-zeros.md", oid), within="game/ruleset/2-dynastic")
    before, began = memory(), time.process_time()
    [told] = refused(desk, tree)
    assert "larger than a proposal's" in told or "holds too much" in told
    assert time.process_time() - began < 5
    assert memory() - before < 200 * 1024 * 1024


def test_folders_deeper_than_a_proposal_needs(desk: Desk) -> None:
    head = desk.commit(desk.base, {HOME + "2-dynastic/" + "sub/" * 30 + "10-x.md": "---\ntitle: X\n---\n"})
    tree = desk.repository.commit(head).tree
    assert "nests folders more than 12 deep" in refused(desk, tree)[-1]


def test_a_folder_that_is_too_large_is_refused_unread(desk: Desk) -> None:
    blob = desk.repository.write("blob", b"x")
    row = b"".join(b"100644 f%05d\0%s" % (n, bytes.fromhex(blob)) for n in range(9000))
    tree = entries(desk, ("40000", "scenarios", desk.repository.write("tree", row)), within="game")
    assert refused(desk, tree)[-1].startswith("game/scenarios/: a folder of the branch holds too much")


def test_the_slug_of_a_repealed_rule_is_not_given_again(desk: Desk) -> None:
    base = desk.commit(desk.base, {"game/state/used.yml": "slugs: [sun]\n"})
    head = desk.commit(base, {HOME + "2-dynastic/40-sun.md": "---\ntitle: Sun\n---\nIt burns.\n"})
    with pytest.raises(NomicError, match="the slug sun was another rule's, and stays with it"):
        changes_of(desk.repository, base, head)


def test_a_section_with_another_number_is_told(desk: Desk) -> None:
    moved = {path: text for path, text in RULES.items() if path.startswith("2-dynastic/")}
    files = {HOME + path: None for path in moved} | {
        HOME + path.replace("2-", "5-"): text for path, text in moved.items()
    }
    told = desk.wrong(files)
    assert any(
        "the section dynastic has another number (call the folder 2-dynastic again)" in line for line in told
    )


def test_more_files_than_a_proposal_needs(desk: Desk) -> None:
    blob = desk.repository.write("blob", b"x")
    row = b"".join(b"100644 f%05d\0%s" % (n, bytes.fromhex(blob)) for n in range(MOST_ENTRIES + 1))
    tree = entries(desk, ("40000", "scenarios", desk.repository.write("tree", row)), within="game")
    assert refused(desk, tree)[-1].startswith("game/scenarios/: the branch touches too much")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("title: X", "\u200b\n" * 60_000),
        ("title: X", "```starlark\n```\n" * 15_000),
        ("title: X", "Words.\n\n```starlark\n" + "f()\n# f\n" * 3_000 + "```\n"),
        ("rare: 3", "Words.\n"),
    ],
    ids=["unseen", "blocks", "statements", "titles"],
)
def test_of_more_wrong_than_anybody_reads_only_the_first_is_told(desk: Desk, head: str, body: str) -> None:
    files = {HOME + f"2-dynastic/{n}-x{n}.md": f"---\n{head}\n---\n{body}" for n in range(100, 220)}
    kept = dict(list(files.items())[:12]) if len(body) > 100 else files
    before, began = memory(), time.process_time()
    told = desk.wrong(kept)
    assert 10 < len(told) <= 2 * MOST_PROBLEMS
    assert time.process_time() - began < 5
    assert memory() - before < 100 * 1024 * 1024


@pytest.mark.slow
def test_nothing_of_the_branch_runs_here(desk: Desk) -> None:
    """A parser that dies takes its worker along, and nobody else."""
    deep = "A = " + "[" * 100_000
    told = desk.wrong({AT: VOTES.replace('ICONS = ["for", "against"]', deep)})
    assert told
