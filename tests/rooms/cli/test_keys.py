"""A game that keeps secrets, from the command line: who founds it, a clone with its key, and one without."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from support.clones import Clone, copied
from support.heard import listening

from nomicgit.sealing.keys import Key, Sealer

PLAYERS = [word for name in ("ana", "ben", "cy", "dee", "eli", "fay") for word in ("--player", name)]
START = ["--practice", "--start", "2021-06-07T12:00:00Z"]
HUSHED = "the-owl-sleeps-at-noon"


def founded(folder: Path, edition: str, *more: str) -> str:
    """Found a practice game in a folder, and give what was said."""
    words = ["new", str(folder), "--edition", edition, *PLAYERS, "--emperor", "ana", "--admin", "ben"]
    return Clone(folder.parent).play(*words, *START, *more)


def cloned(folder: Path, name: str = "other") -> Clone:
    """A clone of a game, to which nobody has given the key."""
    Clone(folder.parent).git("clone", "-q", str(folder), name)
    return Clone(folder.parent / name)


@pytest.fixture
def keeper(tmp_path: Path) -> Clone:
    """A game of assassin in the clone of its keeper, in which ana has told dee something."""
    copied(_kept, ("kept by ana",), tmp_path)
    return Clone(tmp_path / "hall")


def _kept(folder: Path) -> None:
    founded(folder / "hall", "assassin")
    hall = Clone(folder / "hall")
    hall.play("act", "tell", "to=dee", f"text={HUSHED}", "--as", "cy", "--at", "+1h")
    hall.play("post", "--as", "ben", "--at", "+1h", "Good evening")


@pytest.fixture
def other(keeper: Clone) -> Clone:
    """A clone of it without the key."""
    return cloned(keeper.folder)


def key_of(clone: Clone) -> str:
    return clone.play("keys", "show", "--secret", "--yes").strip()


# ---- founding


def test_a_game_whose_rules_need_secrets_has_a_key_and_says_who_keeps_it(tmp_path: Path) -> None:
    said = founded(tmp_path / "hall", "assassin")
    file = tmp_path / "hall" / ".git" / "nomicgit" / "key"
    assert "ana keeps this game's secrets, and can read all of them" in said
    assert "their key lies in hall/.git/nomicgit/key, and nowhere else" in said
    [advice] = re.findall(r"nomicgit( -C \S+)? (keys show --secret.*)\)", said)
    assert Clone(tmp_path).play(*advice[0].split(), *advice[1].split()) == file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert re.fullmatch(r"nomicgit-key-1:[\w-]{86}\n", file.read_text())
    settings = (tmp_path / "hall" / "game" / "game.yml").read_text()
    assert "dice: keeper\n" in settings
    assert "keeper: ana" in (tmp_path / "hall" / "game" / "sealed" / "keys.yml").read_text()


def test_the_key_is_in_nothing_that_git_carries(tmp_path: Path) -> None:
    founded(tmp_path / "hall", "assassin")
    hall, other = Clone(tmp_path / "hall"), cloned(tmp_path / "hall")
    secret = Key.read(key_of(hall))
    assert secret.main is not None
    assert secret.never is not None
    for clone in (hall, other):
        objects = subprocess.run(
            ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"],
            cwd=clone.folder, capture_output=True, check=True,
        ).stdout  # fmt: skip
        for half in (secret.main, secret.never):
            assert half not in objects
            assert half.hex().encode() not in objects
        assert key_of(hall).partition(":")[2].encode() not in objects
    assert not (other.folder / ".git" / "nomicgit" / "key").exists()


@pytest.mark.parametrize(
    ("edition", "more", "keeper"),
    [
        ("dungeon", (), None),
        ("dungeon", ("--keys",), "ana"),
        ("dungeon", ("--keeper", "cy"), "cy"),
        ("crypt", ("--keeper", "dee"), "dee"),
        ("crypt", ("--no-keys",), None),
        ("crypt", ("--github", "my-nomic/court"), None),
        ("crypt", ("--github", "my-nomic/court", "--keeper", "ben"), "ben"),
    ],
)
def test_who_keeps_the_key_of_which_game(
    tmp_path: Path, edition: str, more: tuple[str, ...], keeper: str | None
) -> None:
    told = json.loads(founded(tmp_path / "hall", edition, "--json", *more))
    assert told["keeper"] == keeper
    assert (tmp_path / "hall" / ".git" / "nomicgit" / "key").exists() is (keeper is not None)
    assert (tmp_path / "hall" / "game" / "sealed").exists() is (keeper is not None)
    assert Clone(tmp_path / "hall").play("verify").startswith("verified")


@pytest.mark.slow
def test_a_founding_without_keys_says_what_cannot_be_done(tmp_path: Path) -> None:
    assert "crypt: 1 private action needs secrets: tell; this game has no keys, and refuses them" in founded(
        tmp_path / "a", "crypt", "--no-keys"
    )
    assert "where a player keeps the key in a clone: --keeper NAME" in founded(
        tmp_path / "b", "crypt", "--github", "my-nomic/court"
    )
    said = Clone(tmp_path / "a").play("keys", "show", code=1)
    assert "this game has no keys, and keeps no secrets" in said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--no-keys", "--keeper", "ana"), "without keys there is nothing to keep"),
        (("--keeper", "zed"), "zed is none of the founding players"),
        (("--github", "my-nomic/court", "--keys"), "a player with a clone keeps the key: --keeper NAME"),
    ],
)
def test_what_contradicts_itself_is_refused(tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    words = ["new", "hall", "--edition", "assassin", *PLAYERS, "--admin", "ben", *more]
    assert said in Clone(tmp_path).play(*words, code=2)
    assert not (tmp_path / "hall").exists()


def test_a_founding_that_fails_leaves_no_key(tmp_path: Path) -> None:
    Clone(tmp_path).git("init", "-q", "-b", "main", "there")
    there = Clone(tmp_path / "there")
    (there.folder / "README.md").write_text("mine\n")
    there.git("add", "-A")
    there.git("commit", "-qm", "mine")
    words = ["new", ".", "--edition", "assassin", *PLAYERS, "--admin", "ben"]
    (there.folder / "game").mkdir()
    (there.folder / "game" / "game.yml").write_text("in the way\n")
    there.git("add", "-A")
    assert "these files are in the way" in there.play(*words, code=1)
    assert not (there.folder / ".git" / "nomicgit" / "key").exists()


def test_a_key_that_lies_there_is_not_overwritten(tmp_path: Path) -> None:
    Clone(tmp_path).git("init", "-q", "-b", "main", "there")
    file = tmp_path / "there" / ".git" / "nomicgit" / "key"
    file.parent.mkdir()
    file.write_text("somebody's\n")
    words = ["new", ".", "--edition", "assassin", *PLAYERS, "--admin", "ben"]
    assert "a key lies here, and is not overwritten" in Clone(tmp_path / "there").play(*words, code=1)
    assert file.read_text() == "somebody's\n"


@pytest.mark.slow
@pytest.mark.parametrize("module", ["cryptography", "pyrage"])
def test_without_what_seals_a_founding_says_what_to_install(tmp_path: Path, module: str) -> None:
    code = f"import sys; sys.modules[{module!r}] = None; from nomicgit.cli import main; main(sys.argv[1:])"
    words = [sys.executable, "-c", code, "new", "hall", "--edition", "assassin", "--player", "ana"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"the program's extra sealed, of which {module} is not installed" in done.stderr
    assert "pip install -e '.[sealed]'; or found it without keys: --no-keys" in done.stderr
    assert not (tmp_path / "hall").exists()
    done = subprocess.run([*words, "--no-keys"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ---- the key in clones


def test_the_keys_tell_whose_they_are_and_whether_one_is_here(keeper: Clone, other: Clone) -> None:
    here, there = (json.loads(clone.play("keys", "show", "--json")) for clone in (keeper, other))
    assert [here["here"], there["here"]] == [True, False]
    [term] = here["terms"]
    assert (term["keeper"], term["at"], term["opened"]) == ("ana", "2021-06-07T12:00:00Z", False)
    shown = other.play("keys", "show")
    assert "term 1  kept by ana, since 2021-06-07T12:00:00Z; not opened" in shown
    post = other.git("log", "-1", "--format=%(trailers:key=Nomic-Id,valueonly)", "--", "game/posts").strip()
    assert f"its dice hang on the key, and on the deed {post}, which its keeper could not foresee" in shown
    assert term["salt"] == post
    sealer = Sealer(Key.read(key_of(keeper)), term["since"])
    told = subprocess.run(
        ["age-keygen", "-y"], input=sealer.identity, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == term["recipient"]


def test_a_key_is_carried_to_another_clone_and_forgotten_there(
    keeper: Clone, other: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = key_of(keeper)
    assert "no key lies in this clone" in other.play("keys", "forget", "--yes", code=1)
    assert "no key lies in this clone" in other.play("keys", "show", "--secret", "--yes", code=1)
    monkeypatch.setattr("sys.stdin", io.StringIO(key + "\n"))
    other.play("keys", "set")
    assert (other.folder / ".git" / "nomicgit" / "key").stat().st_mode & 0o777 == 0o600
    assert key_of(other) == key
    assert "if that is meant, say so: --yes" in other.play("keys", "forget", code=1)
    assert key_of(other) == key
    other.play("keys", "forget", "--yes")
    (other.folder / "kept").write_text(key)
    other.play("keys", "set", "kept")
    assert key_of(other) == key


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nomicgit-key-1:abc", "the key is misspelt"),
        ("hello", "this is no key of the program"),
        (Key.made(bytes(range(64))).text(), "this is no key of this game; the game is in term 1"),
    ],
)
def test_what_is_not_the_present_terms_key_is_refused(
    other: Clone, text: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    told = other.play("keys", "set", code=1)
    assert said in told
    assert text.partition(":")[2] not in told or text == "hello"
    assert not (other.folder / ".git" / "nomicgit" / "key").exists()


@pytest.mark.slow
def test_the_environment_has_the_key_too(
    keeper: Clone, other: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = key_of(keeper)
    monkeypatch.setenv("NOMICGIT_KEY", key)
    assert "its key is at hand: NOMICGIT_KEY" in other.play("keys", "show")
    said = other.play("act", "tell", "to=eli", "text=once more", "--as", "fay", "--at", "+1h")
    assert "it changed nothing" not in said, "eli has heard of it"
    assert "3 sealed deeds opened" in other.play("verify")
    assert "told eli: once more" in other.play("log", "--open")
    other.git("branch", "--unset-upstream")
    assert "no orders" in other.play("keep")
    monkeypatch.setenv("NOMICGIT_KEY", key[:-4])
    assert "NOMICGIT_KEY: the key is misspelt" in other.play("status", code=1)


@pytest.mark.slow
def test_shares_bring_a_key_back(keeper: Clone, other: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "whoever reads 2 of these shares has the key" in keeper.play("keys", "share", "2", "3", code=1)
    shares = json.loads(keeper.play("keys", "share", "2", "3", "--yes", "--json"))["shares"]
    monkeypatch.setattr("sys.stdin", io.StringIO(shares[2]))
    assert "here is 1 share, and the key needs 2" in other.play("keys", "join", code=1)
    broken = "\n".join(
        textwrap.fill(share, 80) for share in (shares[2], shares[0])
    )  # as a terminal shows them
    monkeypatch.setattr("sys.stdin", io.StringIO(broken + "\n"))
    other.play("keys", "join")
    assert key_of(other) == key_of(keeper)
    other.play("act", "tell", "to=eli", "text=again", "--as", "fay", "--at", "+1h")


def test_somebody_at_a_terminal_is_asked_for_shares_until_they_are_enough(
    keeper: Clone, other: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        json.loads(keeper.play("keys", "share", "2", "3", "--yes", "--json"))["shares"] for _ in range(2)
    )
    typed = [first[2][:-3], first[2], first[2], second[0], first[0]]
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return str(typed[len(asked) - 1])

    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.hidden_prompt_func", answer)
    said = other.play("keys", "join")
    assert [each.strip() for each in asked] == ["Share 1:", "Share 1:", *["Share 2, 1 more wanted:"] * 3]
    for line in (
        "59 words each. Nothing of them is shown",
        "of share 1 is misspelt",
        "that one is here already",
        "shares 1 and 2 are not of one key, or were written at different times",
        "the key is laid down",
    ):
        assert line in said
    assert key_of(other) == key_of(keeper)


def test_a_key_of_an_earlier_term_brings_the_one_that_follows_from_it(keeper: Clone, other: Clone) -> None:
    copy = keeper.folder.parent / "copy"
    copy.write_text(key_of(keeper))
    for _ in range(2):
        keeper.play("keys", "move")
    other.git("pull", "-q", str(keeper.folder), "main")
    other.play("keys", "set", "../copy")
    assert key_of(other) == key_of(keeper) != copy.read_text().strip()
    keeper.play("keys", "move", "--keeper", "ben")
    other.git("pull", "-q", str(keeper.folder), "main")
    assert "this is the key of term 1; the game is in term 4" in other.play("keys", "set", "../copy", code=1)


def test_a_key_that_was_made_for_another_keeper_is_handed_on_before_it_is_forgotten(
    keeper: Clone, other: Clone
) -> None:
    said = keeper.play("keys", "move", "--keeper", "ben")
    assert "hand it to ben, who keeps it from now on, and can read all that was sealed" in said
    assert "it stands nowhere else" in keeper.play("keys", "forget", "--yes", code=1)
    other.git("pull", "-q", str(keeper.folder), "main")
    missing = "its key is not in this clone; ana has begun its term with it, and hands it on"
    other.play("me", "ben")
    for words in (("status",), ("keys", "show")):
        assert missing in other.play(*words)
    assert json.loads(other.play("status", "--json"))["keeps_no_key"] is True
    said = other.play("keep", code=1)
    assert "ana has begun its term with it" in said
    assert "nomicgit keys join" in said
    assert "--lost" not in said, "nobody may restore this game"
    (other.folder / "key").write_text(key_of(keeper))
    keeper.play("keys", "forget", "--yes")
    other.play("keys", "set", "key")
    assert json.loads(other.play("status", "--json"))["keeps_no_key"] is False


def test_a_key_that_others_may_read_is_refused(keeper: Clone) -> None:
    file = keeper.folder / ".git" / "nomicgit" / "key"
    file.chmod(0o644)
    said = keeper.play("act", "tell", "to=eli", "text=x", "--as", "fay", code=1)
    assert f"others may read the game's key ({file})" in said
    assert f"chmod 600 {file}" in said


# ---- what is seen with the key and without


LOOKS = (
    ("status",), ("status", "--json"), ("actions", "--player", "cy"), ("actions", "--player", "cy", "--json"),
    ("actions", "tell", "--player", "cy"), ("state",), ("state", "players.dee"), ("state", "--json"), ("log",),
    ("log", "--json"), ("posts",), ("posts", "1"), ("posts", "1", "--json"), ("rules",), ("check",),
    ("verify",), ("verify", "--sealed", "--without-key"), ("keys", "show"),
    ("post", "--as", "cy", "--dry-run", "Anew"),
)  # fmt: skip


@pytest.mark.slow
def test_looking_tells_nobody_what_is_secret_not_even_where_the_key_is(keeper: Clone, other: Clone) -> None:
    for clone in (keeper, other):
        for words in LOOKS:
            code, said = clone.tried(*words)
            assert code == 0, f"{words}: {said}"
            assert HUSHED not in said, words
        clone.play("site", "export", "pages")
        pages = [page.read_bytes() for page in (clone.folder / "pages").rglob("*") if page.is_file()]
        assert pages
        assert not any(HUSHED.encode() in page for page in pages)
    history = other.git("log", "--format=%an %ae %cn %ce %B", "-p")
    assert HUSHED not in history
    assert "tell" not in re.sub(r"^[-+ ].*$", "", history.partition("game/ruleset")[0], flags=re.MULTILINE)


def test_the_journal_says_sealed_and_with_the_key_what_was_when_asked(keeper: Clone, other: Clone) -> None:
    rows = json.loads(other.play("log", "--json"))
    assert [(row["action"], row["by"], row["sealed"]) for row in rows] == [
        ("post", "ben", False), ("physics/sealed", None, True), ("physics/found", None, True),
    ]  # fmt: skip
    assert [row["opened"] for row in rows] == [None] * 3
    assert re.search(r"2021-06-07T13:00:00Z  sealed\n", other.play("log"))
    assert "no key of this game is at hand" in other.play("log", "--open", code=1)
    opened = json.loads(keeper.play("log", "--open", "--by", "cy", "--json"))
    assert [each["opened"] for each in opened] == [{
        "by": "cy", "action": "tell", "with": {"to": "dee", "text": HUSHED}, "refused": "",
        "told": [{"player": "dee", "text": HUSHED}],
    }]  # fmt: skip


@pytest.mark.slow
def test_verify_says_how_many_sealed_deeds_it_opened_and_lists_the_others(
    keeper: Clone, other: Clone
) -> None:
    assert "2 sealed deeds opened" in keeper.play("verify")
    assert "opened" not in keeper.play("verify", "--without-key").replace("no key at hand opens", "")
    said = other.play("verify")
    assert said.startswith("verified: 3 deeds, 0 other commits")
    assert "2 sealed deeds that no key at hand opens" in said
    assert "list them: nomicgit verify --sealed" in said
    oids = other.git("log", "--format=%H", "--grep=^Nomic-Sealed: ").split()
    assert [oid[:12] in other.play("verify", "--sealed") for oid in oids] == [True, True]
    told = json.loads(other.play("verify", "--json"))
    assert {each["commit"] for each in told["sealed"]} == set(oids)
    assert (told["verified"], told["opened"]) == (True, 0)
    assert json.loads(keeper.play("verify", "--json"))["opened"] == 2


def test_what_a_sealed_deed_changed_in_the_open_is_said_in_words(keeper: Clone) -> None:
    keeper.play("act", "leave", "--as", "cy", "--at", "+1h")
    rows = [row["what"] for row in json.loads(keeper.play("verify", "--without-key", "--json"))["sealed"]]
    changes = [each for row in rows for each in row.split("; ") if "→" in each]
    assert changes
    assert not any(re.search(r"None|True|False|['{[]", each) for each in changes), changes


def test_what_needs_the_key_says_what_to_do(keeper: Clone, other: Clone) -> None:
    for words, order in (
        (("act", "tell", "to=eli", "text=hush"), "order tell to=eli text=hush --as cy"),
        (("roll", "DICE6"), "order roll dice=DICE6 --as cy --yes"),
        (("act", "leave"), "order leave --as cy --yes"),
    ):
        said = other.play(*words, "--as", "cy", code=1)
        assert said.startswith("refused: sealed: "), words
        [line] = re.findall(r"hand it in as an order[^:]*:\n +nomicgit (.*)", said)
        assert re.search(r"who keeps the key lays it down:\n +nomicgit keys set", said)
        line = line.replace(" --push", "")
        assert line.replace("'", "") == order
        sealed = other.play(*shlex.split(line))
        assert "BEGIN AGE ENCRYPTED FILE" in sealed, "it is the whole line"
    for wanted, why in (
        (("share", "3", "2"), "3 of 2 shares cannot be the key: from 2 up to 16 shares are wanted"),
        (("open", "1"), "term 1 is not over: no other has begun"),
        (("open", "7"), "there is no term 7: the game is in term 1"),
    ):
        assert why in keeper.play("keys", *wanted, "--as", "ana", code=1)
    head = other.head
    tried = keeper.play("--dry-run", "--as", "cy", "roll", "DICE6", code=1)
    assert "a dry run is done without the key, though it lies in this clone" in tried
    assert "keys set" not in tried
    asked = other.play("state", "players.dee.target", code=1)
    assert "only who keeps this game's key can say" in asked
    assert "nomicgit letters" in asked
    assert "order" not in asked
    assert keeper.play("state", "players.dee.target", code=1) == other.play(
        "state", "players.dee.target", code=1
    )
    assert other.head == head


def test_private_actions_are_open_as_far_as_can_be_said(keeper: Clone, other: Clone) -> None:
    other.play("verify")  # until then it says beside that it has not
    said = other.play("actions", "--player", "cy")
    assert keeper.play("actions", "--player", "cy") == said
    opened, _, rest = said.partition("sealed: only the keeper can say whether these are open")
    assert re.search(r"^  tell to text  .*\(in private, as an order\)$", opened, re.MULTILINE)
    assert re.search(r"^  note .*\(in private, as an order\)$", opened, re.MULTILINE)
    assert rest.splitlines()[1].startswith("  leave  ")
    rows = {
        row["name"]: row for row in json.loads(other.play("actions", "--player", "cy", "--json"))["actions"]
    }
    assert {name for name, row in rows.items() if row["private"]} == {"note", "tell"}
    assert {name for name, row in rows.items() if row["sealed"]} == {"leave"}
    assert not rows["leave"]["open"]
    assert not any(row["unkept"] for row in rows.values())
    for name in ("leave", "tell", "note"):
        assert re.search(f"for example: nomicgit order {name}", other.play("actions", name, "--as", "cy")), (
            name
        )
    assert "is handed in as an order too" in other.play("actions", "roll", "--as", "cy")


# ---- the clock


@pytest.fixture
def night(tmp_path: Path) -> Clone:
    """A game of werewolf, in the clone of its keeper."""
    founded(tmp_path / "night", "werewolf")
    return Clone(tmp_path / "night")


@pytest.mark.slow
def test_what_fell_due_and_needs_the_key_is_said_to_wait(night: Clone) -> None:
    other = cloned(night.folder)
    due = "turn fell due at 2021-06-08T00:00:00Z, and waits for who keeps this game's key"
    for clone in (night, other):
        before = json.loads(clone.play("status", "--json"))
        after = json.loads(clone.play("status", "--json", "--at", "+1d"))
        assert (before["waits"], after["waits"]) == (None, {"event": "turn", "at": "2021-06-08T00:00:00Z"})
        assert due in clone.play("status", "--at", "+1d")
        assert due in clone.play("actions", "--player", "cy", "--at", "+1d")
        assert due in clone.play("state", "--at", "+1d")
    said = other.play("actions", "shoot", "--player", "fay")
    assert "not open\n  shoot" in said, "everybody sees that she has none, whatever guards hang on"
    assert "you have no gun" in said
    said = other.play("actions", "howl", "--player", "cy")
    assert "open to cy" not in said, "whether it is hangs on what nobody here sees"
    assert "only the keeper can say whether these are open; hand them in as an order\n  howl" in said
    said = other.play("actions", "take-occupation", "--as", "cy")
    assert "nomicgit order take-occupation occupation=OCCUPATION --yes" in said
    other.play("site", "export", "pages", "--at", "+1d")
    page = (other.folder / "pages" / "index.md").read_text()
    assert re.search(r'nomic-banner"><code>turn</code> fell due .*waits for who keeps this game', page)
    assert due in other.play("post", "--as", "ben", "--at", "+1d", "Hello", code=1)
    other.play("post", "--as", "ben", "--at", "+1h", "Hello")


@pytest.mark.slow
def test_once_the_keeper_has_let_it_happen_open_deeds_are_open_again_and_it_is_announced(
    night: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening() as heard:
        monkeypatch.setenv("NOMICGIT_ANNOUNCE", heard.web)
        night.play("announce")
        night.play("propose", "--as", "cy", "--title", "Light", "--at", "+1h")
        assert "address 1: " in night.play("keep", "--at", "+1d")
        assert "New: proposal 1, Light by cy" in heard.hooks[-1]["message"].splitlines()
        night.play("announce", "--as", "dee", "--at", "+1h")
        assert heard.hooks[-1]["message"] == "dee, this needs your vote: proposal 1, Light"
        assert "nothing new" in night.play("announce", "--as", "dee", "--at", "+1h")
    other = cloned(night.folder)
    assert json.loads(other.play("status", "--json"))["waits"] is None
    other.play("post", "--as", "ben", "--at", "+1h", "Good morning")
    assert other.play("verify").startswith("verified: 4 deeds")


@pytest.mark.slow
def test_what_a_proposal_would_change_is_foreseen_without_the_key(night: Clone) -> None:
    other = cloned(night.folder)
    good = "{add-rule: {title: Moonlight, text: The moon shines.}}"
    bad = "{amend: {rule: victory, replace: no such words stand there, with: x}}"
    for clone in (night, other):
        for words in (("--dry-run",), ()):
            said = clone.play("propose", "--as", "cy", "--title", "Light", "--change", good, *words)
            assert "skipped" not in said
            assert "sealed" not in said
            said = clone.play("propose", "--as", "dee", "--title", "Words", "--change", bad, *words)
            assert "change 1 would be skipped if it were enacted now" in said
