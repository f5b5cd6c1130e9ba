"""Whatever is remembered is forgotten in time: no cache gives what is no longer so."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from language import tiny

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.git.layout import remember, remembered
from nomicgit.ground.kept import Kept
from nomicgit.ground.problems import Defect, Malformed
from nomicgit.law import linking, mechanics
from nomicgit.law.linking import link
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state import deriving, writing
from nomicgit.physics.state.store import Source, Store
from nomicgit.record import shelf
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.seen import strays
from nomicgit.record.settings import Settings
from nomicgit.record.tree import GameTree
from nomicgit.site import opened

PLAYERS = ["ana", "ben", "cy", "dee", "eli"]


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A process that has read nothing yet; ask again to forget all anew."""
    monkeypatch.setattr(shelf, "_RULESETS", Kept[str, Ruleset](64))
    monkeypatch.setattr(linking, "_SCANS", Kept(4096))
    return monkeypatch


def forget() -> None:
    """As a new process begins."""
    shelf._RULESETS.clear()
    linking._SCANS.clear()


def founded(folder: Path, ruleset: Ruleset) -> Game:
    """A practice game in a folder."""
    start = Founding(tiny.START, PLAYERS, "ana", ["ben"], [])
    found_game(Repository.init(folder), ruleset, Settings("Attic", "crypt", time="given"), start)
    return Game.open(folder)


def acts(game: Game, hours: float, who: str, action: str, **given: object) -> None:
    """A deed some hours after the founding."""
    at = tiny.START + int(hours * 3600)
    game.act(Deed(new_id(at), who, action, given, game.time(0, at)))


def scans(ruleset: Ruleset) -> list[linking.Scan]:
    """The mechanics of all rules, taken apart."""
    return [
        linking.scan(p.slug, p.mechanics, p.line, NEWEST.language.rosters)
        for p in ruleset.rules
        if p.mechanics
    ]


# What was read of a ruleset, in the clone.


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("edition", editions.names())
def test_a_ruleset_from_the_file_is_the_one_that_was_read(edition: str, tmp_path: Path) -> None:
    read = editions.load(edition)
    shelf.take("a" * 40, lambda: read.texts, shelf=shelf.Shelf(str(tmp_path), NEWEST.language))
    forget()
    filed = shelf.take(
        "a" * 40, lambda: pytest.fail("it is read again"), shelf=shelf.Shelf(str(tmp_path), NEWEST.language)
    )
    assert (filed, filed.rules, filed.sections, filed.intros) == (
        read,
        read.rules,
        read.sections,
        read.intros,
    )
    assert [placed.line for placed in filed.rules] == [placed.line for placed in read.rules]
    kept = scans(filed)
    forget()
    assert kept == scans(read)


@pytest.mark.usefixtures("forgetful")
def test_mechanics_that_hold_what_parts_them_in_the_file_are_taken_apart_anew(tmp_path: Path) -> None:
    read = tiny.ruleset({"10-a.md": tiny.rule(code='_OWN = "\0"\n\ndef f():\n    return players() + [_OWN]')})
    shelf.take("a" * 40, lambda: read.texts, shelf=shelf.Shelf(str(tmp_path), NEWEST.language))
    forget()
    filed = shelf.take(
        "a" * 40, lambda: pytest.fail("it is read again"), shelf=shelf.Shelf(str(tmp_path), NEWEST.language)
    )
    assert (filed.rules, scans(filed)) == (read.rules, scans(read))


@pytest.mark.usefixtures("forgetful")
def test_after_an_enactment_the_file_is_that_of_another_tree(tmp_path: Path) -> None:
    game = founded(tmp_path, tiny.ruleset({}))
    assert "moonlight" not in game.ruleset.by_slug
    change = {"add-rule": {"title": "Moonlight", "text": "The moon shines."}}
    acts(game, 1, "cy", "move", changes=[change])
    acts(game, 2, "cy", "resolve", matter=1)
    forget()
    later = Game.open(tmp_path)
    assert later.ruleset.by_slug["moonlight"].prose == "The moon shines."
    forget()
    assert Game.open(tmp_path).ruleset == later.ruleset
    assert Game.open(tmp_path).ruleset.rules == Ruleset.read(later.ruleset.texts).rules


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("spoil", ["cut", "bit", "program", "empty", "gone"])
def test_a_spoiled_file_is_as_good_as_none(spoil: str, tmp_path: Path) -> None:
    rules = tiny.ruleset({})
    shelf.take("a" * 40, lambda: rules.texts, shelf=shelf.Shelf(str(tmp_path), NEWEST.language))
    file = tmp_path / shelf.FILE
    whole = file.read_bytes()
    place = whole.index(b"A bench")
    spoiled = {
        "cut": whole[:-100], "bit": whole[:place] + b"B" + whole[place + 1 :], "empty": b"",
        "program": whole, "gone": None,
    }[spoil]  # fmt: skip
    file.unlink()
    if spoiled is not None:
        file.write_bytes(spoiled)
    if spoil == "program":
        head, _, rest = whole.partition(b"\n")[2].partition(b"\n")
        remember(str(tmp_path), shelf.FILE, head + b"0\n" + rest.replace(b"A bench", b"A ditch"))
    forget()
    assert (
        shelf.take("a" * 40, lambda: rules.texts, shelf=shelf.Shelf(str(tmp_path), NEWEST.language)) == rules
    )
    assert file.read_bytes() == whole


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("whose", ["mallory's", "nobody's"])
def test_what_somebody_else_has_laid_into_a_clone_is_not_believed(
    whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither other rules than the tree's, nor that it was replayed and found sound."""
    game = founded(tmp_path, tiny.ruleset({}))
    folder, head = str(tmp_path / ".git"), game.head.oid
    forget()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "mallory"))
    before = Game.open(tmp_path).ruleset
    sound = json.dumps({"until": head, "strays": [], "mends": [], "replayed": head}).encode()
    for file, content in (
        (shelf.FILE, bytes(remembered(folder, shelf.FILE) or b"").replace(b"A bench", b"A ditch")),
        (strays.FILE, sound),
    ):
        assert content
        remember(folder, file, content)
        if whose == "nobody's":
            (tmp_path / ".git" / file).write_bytes(content)
    forget()
    if whose == "mallory's":  # whoever is believed believes it themselves
        assert Game.open(tmp_path).ruleset != before
        with Repository.open(tmp_path) as repository:
            assert strays.replayed(repository) == head
    forget()
    for home in (tmp_path / "ana", tmp_path / "game.yml"):  # the second is no folder, and nobody's home
        (tmp_path / "game.yml").touch()
        monkeypatch.setenv("XDG_STATE_HOME", str(home))
        forget()
        assert Game.open(tmp_path).ruleset == before
        with Repository.open(tmp_path) as repository:
            assert strays.replayed(repository) == ""
            strays.note_replayed(repository, head)
            assert strays.replayed(repository) == head


@pytest.mark.usefixtures("forgetful")
def test_a_clone_that_cannot_be_written_to_is_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "nomicgit").write_text("in the way")
    rules = tiny.ruleset({})
    assert (
        shelf.take("a" * 40, lambda: rules.texts, shelf=shelf.Shelf(str(tmp_path), NEWEST.language)) == rules
    )


@pytest.mark.usefixtures("forgetful")
def test_what_is_no_ruleset_is_not_kept(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(Malformed):
            shelf.take(
                "a" * 40,
                lambda: {"1-core/10-a.md": "nothing"},
                shelf=shelf.Shelf(str(tmp_path), NEWEST.language),
            )
    assert not (tmp_path / shelf.FILE).exists()


def test_a_rule_with_other_words_is_read_anew_beside_those_that_stay() -> None:
    files = {"10-a.md": tiny.rule(title="A"), "20-b.md": tiny.rule(title="B")}
    old = tiny.ruleset(files)
    new = Ruleset.read(dict(old.texts) | {"1-core/20-b.md": tiny.rule(title="B", prose="Others.")}, old=old)
    assert new.by_slug["b"].prose == "Others."
    assert new.by_slug["a"] is old.by_slug["a"]


def test_equal_rulesets_share_their_tables_and_others_do_not() -> None:
    files = {"10-a.md": tiny.rule("variables: {gold: {of: player, type: integer}}", title="A")}
    one, other = NEWEST.law(tiny.ruleset(files)), NEWEST.law(tiny.ruleset(files))
    assert one.declared is other.declared
    assert one.linked is other.linked
    files["10-a.md"] = files["10-a.md"].replace("gold", "coal")
    assert NEWEST.law(tiny.ruleset(files)).variable("players", "coal") is not None


# What a deed compiles.

WEB = """
_BASE = 2

def plain():
    return _BASE

def twice():
    return plain() * 2

def named():
    return f"{plain}"[:8]

def nowhere():
    return no_such_function()
"""


def test_a_function_is_compiled_with_all_that_it_can_come_to_call() -> None:
    members = [
        linking.Member(
            linking.scan("web", dedent(WEB).strip(), 7, NEWEST.language.rosters),
            "web.md",
            "Web",
            frozenset(),
            frozenset(),
            "",
        )
    ]
    law = link(members, NEWEST.words)
    known = linking.pieces(law)
    assert known is not None
    sources, names, _ = linking.reached(law, known, "twice")
    assert sorted(names) == ["_BASE__web", "plain", "twice"]
    whole, part = law.sources[0].text.split("\n"), sources[0].text.split("\n")
    assert [n for n, line in enumerate(part) if line] == [7, 9, 10, 12, 13]
    assert all(line in ("", whole[n]) for n, line in enumerate(part))
    assert "plain" in linking.reached(law, known, "named")[1]


def test_what_is_called_piece_by_piece_is_as_the_whole() -> None:
    calls = ["plain()", "twice()", "named()", "twice() + plain()"]
    pieces, whole = tiny.game(code=WEB), tiny.game(code=WEB)
    whole.world.law.compile()
    for call in calls:
        assert pieces.eval(call) == whole.eval(call)
    assert pieces.fails("nowhere()") == whole.fails("nowhere()")


def test_mechanics_with_anything_beside_definitions_are_compiled_whole() -> None:
    assert tiny.game(code="A = 1; B = A + 1\ndef b():\n    return B").eval("b()") == 2
    assert linking.scan("x", "A = 1; B = A + 1", 0, NEWEST.language.rosters).passages is None


def test_what_cannot_be_compiled_harms_only_who_reaches_it() -> None:
    broken = "BAD = get('game', 'got')\ndef sound():\n    return 1\ndef unsound():\n    return BAD"
    law = NEWEST.law(tiny.ruleset({"10-own.md": tiny.rule(code=broken)}))
    world = tiny.game().world
    assert law.call(world, "sound") == 1
    for _ in range(2):
        with pytest.raises(Malformed, match="no word for outside"):
            law.call(world, "unsound")
        with pytest.raises(Malformed):
            law.compile()
        assert law.call(world, "sound") == 1


def test_a_constant_hangs_on_no_game_even_where_it_is_compiled_within_a_call() -> None:
    code = "LATE = now()\ndef early():\n    return call('late')\ndef late():\n    return LATE"
    law = NEWEST.law(tiny.ruleset({"10-own.md": tiny.rule(code=code)}))
    world = tiny.game().world
    world.amend_law(law.ruleset)
    with pytest.raises(Defect, match="now is no word for outside"):
        law.call(world, "early")


# What a law takes over of the one before it.

CALLER = "def outer():\n    return [inner(), _OWN]\n_OWN = 1\n\ndef sibling():\n    return 7 // 0"
INNER = "def inner():\n    return {}"
FOLLOWING = {
    "what it calls says something else": {"b": tiny.rule(code=INNER.format(3), title="B")},
    "what it calls is gone": {},
    "what it calls is overridden": {
        "b": tiny.rule(code=INNER.format(2), title="B"),
        "c": tiny.rule("overrides: [inner]", INNER.format("overridden_inner() + 1"), title="C"),
    },
    "what it calls is a view now": {"b": tiny.rule("views: {inner: {}}", INNER.format(4), title="B")},
    "what it calls at one remove is new": {
        "b": tiny.rule(code=INNER.format("len([4, 5])"), title="B"), "c": tiny.rule(code="def len(_):\n    return 9", title="C"),
    },
    "its own constant is another": {
        "a": tiny.rule(code=CALLER.replace("1", "8"), title="A"), "b": tiny.rule(code=INNER.format(2), title="B"),
    },
    "it stands on other lines": {
        "a": tiny.rule(code="\n\n" + CALLER, prose="Words.\n\nMore.", title="A"), "b": tiny.rule(code=INNER.format(2), title="B"),
    },
}  # fmt: skip


def said(world: Any, rules: dict[str, str]) -> list[object]:
    """What functions of a law say once all of it is compiled, or why they do not."""
    law = NEWEST.law(tiny.ruleset({f"10-{name}.md": text for name, text in rules.items()}))
    law.compile()
    world.amend_law(law.ruleset)
    told: list[object] = []
    for name in ("outer", "sibling"):
        try:
            told.append(law.call(world, name))
        except Defect as error:
            told.append(str(error))
    return told


@pytest.mark.parametrize("how", FOLLOWING)
def test_a_law_that_takes_over_of_the_one_before_says_what_it_says_alone(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {
        "a": tiny.rule(code=CALLER, title="A"),
        "b": tiny.rule(code=INNER.format(2), title="B"),
    }
    then, alone = first | FOLLOWING[how], {}
    if "b" not in FOLLOWING[how]:
        del then["b"]
    for name, rules in (("first", first), ("then", then)):
        monkeypatch.setattr(mechanics, "_COMPILED", Kept(16))
        alone[name] = said(tiny.game().world, rules)
    monkeypatch.setattr(mechanics, "_COMPILED", Kept(16))
    world = tiny.game().world
    assert [said(world, rules) for rules in (first, then, first)] == [
        alone["first"],
        alone["then"],
        alone["first"],
    ]
    assert alone["first"] != alone["then"]


def test_who_calls_a_view_that_is_of_another_kind_now_has_changed() -> None:
    code = (
        "def seen(who=0):\n    return who\n\ndef looker():\n    return seen()\n\ndef other():\n    return 1"
    )
    files = [{"10-a.md": tiny.rule(f"views: {{seen: {{of: {kind}}}}}", code)} for kind in ("player", "game")]
    old, new = (NEWEST.law(tiny.ruleset(each)).linked for each in files)
    before, known = linking.pieces(old), linking.pieces(new)
    assert before is not None
    assert known is not None
    assert {"looker", "other"} & linking.changed(old, before, new, known) == {"looker"}


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_what_has_not_changed_in_a_law_reaches_what_it_reached(edition: str) -> None:
    read = editions.load(edition)
    ruled = [placed for placed in read.rules if placed.mechanics and not read.children(placed.slug)]
    for placed in (ruled[0], ruled[len(ruled) // 2], ruled[-1]):
        texts = {path: text for path, text in read.texts.items() if path != placed.path}
        old, new = NEWEST.law(read).linked, NEWEST.law(Ruleset.read(texts, old=read)).linked
        before, known = linking.pieces(old), linking.pieces(new)
        assert before is not None
        assert known is not None
        moved = linking.changed(old, before, new, known)
        gone = before.keys() - known.keys()
        for name in known.keys() - moved:
            sources, names, uses = linking.reached(new, known, name)
            assert ({*sources}, {*names}, uses) == tuple(
                {*part} for part in linking.reached(old, before, name)
            )
            assert not uses & gone
        assert gone
        assert len(moved) < len(known)


# What views say.

VIEWS = """
views: {double: {}, of_mine: {of: player}, step: {}, aged: {}}
variables: {gold: {of: player, type: integer}, sum: {of: game, type: integer}}
actions: {dig: {with: {n: integer}}}
"""

VIEWED = """
def double():
    return 2 * get("game", "sum")

def of_mine(player):
    return get(player, "gold") + double()

def step():
    return asked("n", -1)

def aged():
    return elapsed(get("dynasty", "began"), "12h")

def do_dig(actor, n):
    before = double(), of_mine(actor)
    put("game", sum=n)
    put(actor, gold=1)
    put("game", got=[list(before), double(), of_mine(actor), step()])
"""


def test_a_view_that_a_rule_calls_sees_what_was_just_written() -> None:
    game = tiny.game(VIEWS, VIEWED)
    game.do("ana", "dig", n=3)
    assert game["game.got"] == [[0, 0], 6, 7, 3]
    game.do("ben", "dig", n=4)
    assert game["game.got"] == [[6, 6], 8, 9, 4]


def test_a_view_that_is_taken_back_is_forgotten() -> None:
    game = tiny.game(VIEWS, VIEWED)
    game.fails('put("game", sum=5)\nrequire(double() == 0, "it is %d" % double())')
    assert game.eval("double()") == 0


def test_a_view_sees_that_time_goes_on() -> None:
    game = tiny.game(VIEWS, VIEWED)
    assert game.eval("aged()") is False
    assert game.eval("aged()", after="12h") is True


def test_what_hangs_on_the_step_is_not_remembered() -> None:
    game = tiny.game(VIEWS, VIEWED)
    assert game.eval("step()") == -1
    world = game.world
    assert (deriving.view(world, "step"), ("game", "view step") in world.memories.answers) == (-1, False)
    assert (deriving.view(world, "double"), ("game", "view double") in world.memories.answers) == (0, True)


def test_what_a_rule_was_told_in_secret_is_told_to_nobody_who_looks() -> None:
    code = (
        'def secret():\n    return get("game", "word")\ndef do_ask(actor):\n    put("game", got=[secret()])'
    )
    front = (
        "views: {secret: {}}\nvariables: {word: {of: game, type: text, tracked: secret}}\nactions: {ask: {}}"
    )
    game = tiny.game(front, code)
    game.do("ana", "ask")
    with pytest.raises(Defect, match="shows everyone"):
        deriving.view(game.world, "secret")


def test_views_with_large_answers_come_out_as_they_are() -> None:
    code = """
def large():
    return {"k%d" % n: [None, True, n, "é\\u2028\\""][n % 4] for n in range(20, 0, -1)}

def numbers():
    return {n: n for n in range(20)}

def marked():
    return "\\0out[1]"
"""
    game = tiny.game("views: {large: {}, numbers: {}, marked: {}}", code)
    large = deriving.view(game.world, "large")
    assert list(large)[:3] == ["k20", "k19", "k18"]
    assert large == game.eval("large()")
    assert deriving.view(game.world, "numbers") == {n: n for n in range(20)}
    assert deriving.view(game.world, "marked") == "\0out[1]"


def test_a_view_is_overridden_like_any_function() -> None:
    over = tiny.rule("overrides: [double]", "def double():\n    return overridden_double() + 1", title="Over")
    files = {"10-own.md": tiny.rule(VIEWS, VIEWED, title="Own"), "20-over.md": over}
    game = tiny.Game(tiny.ruleset(files))
    assert (game.eval("double()"), deriving.view(game.world, "double")) == (1, 1)
    assert game.enact({"repeal": "Over"}) == [""]
    assert (game.eval("double()"), deriving.view(game.world, "double")) == (0, 0)


# What searches find.


@pytest.mark.slow
def test_a_search_sees_what_was_just_written() -> None:
    game = tiny.game("variables: {gold: {of: player, type: integer}}")
    found = 'len(find("players", gold=1))'
    put = 'put("players/ben", gold=1)'
    game.run(f'a = {found}\n{put}\nb = {found}\nput("players/ben", gold=2)\nput("game", got=[a, b, {found}])')
    assert game["game.got"] == [0, 1, 0]


def test_a_search_by_what_is_derived_is_made_each_time() -> None:
    code = "def _late(player):\n    return elapsed(get('dynasty', 'began'), '12h')"
    game = tiny.game("variables: {late: {of: player, type: boolean, derived: _late}}", code)
    assert game.eval('len(find("players", late=True))') == 0
    assert game.eval('len(find("players", late=True))', after="12h") == 4


def test_what_a_search_gave_may_be_changed_by_the_law_that_asked() -> None:
    game = tiny.game()
    assert game.eval('[find("players", idle=False).clear(), len(find("players", idle=False))]') == [None, 4]


# Where posts lie, and how comments are written.


def test_who_is_active_is_known_until_somebody_comes_goes_or_idles() -> None:
    store = Store(Source())
    for made, name in enumerate(PLAYERS):
        store.create(f"players/{name}", {"made": made})
    assert store.active() == [f"players/{name}" for name in PLAYERS]
    before = len(store.log)
    store.put("players/ben", "idle", True)
    assert store.active() == ["players/ana", "players/cy", "players/dee", "players/eli"]
    store.destroy("players/ana")
    store.create("players/fay", {"made": 7})
    assert store.active() == ["players/cy", "players/dee", "players/eli", "players/fay"]
    store.put("players/ben", "idle", False)
    assert store.active() == ["players/ben", "players/cy", "players/dee", "players/eli", "players/fay"]
    store.rollback(before)
    assert store.active() == [f"players/{name}" for name in PLAYERS]


def test_a_deed_does_not_ask_each_idle_player_anew_who_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Founding(tiny.START, PLAYERS, "ana", ["ben"], [f"idle{n}" for n in range(50)])
    found_game(
        Repository.init(tmp_path), editions.load("crypt"), Settings("Attic", "crypt", time="given"), start
    )
    game, asked = Game.open(tmp_path), list[str]()
    value = Store.value

    def counted(self: Store, ref: str, field: str) -> Any:
        asked.append(ref)
        return value(self, ref, field)

    acts(game, 1, "cy", "propose", title="Moonlight", body="Words.", changes=[])
    monkeypatch.setattr(Store, "value", counted)
    acts(game, 2, "eli", "propose", title="Starlight", body="Words.", changes=[])
    assert "players/eli" in asked
    assert not [ref for ref in asked if ref.startswith("players/idle")]


def test_a_post_of_an_old_month_is_found(tmp_path: Path) -> None:
    game = founded(tmp_path, tiny.ruleset({}))
    for month in range(5):
        acts(game, 24 * 31 * month + 1, "cy", "move", changes=[])
    tree = GameTree(game.repository, game.head.tree)
    assert [n for n in (1, 3, 5, 6, 99) if tree.entity(f"posts/{n}") is not None] == [1, 3, 5]
    assert sorted(tree.ids("posts")) == ["1", "2", "3", "4", "5"]


def test_a_post_that_is_gone_is_gone_though_the_tree_still_has_it(tmp_path: Path) -> None:
    game = founded(tmp_path, tiny.ruleset({}))
    acts(game, 1, "cy", "move", changes=[])
    tree, world = GameTree(game.repository, game.head.tree), game.world()
    world.store.source = tree
    writing.destroy(world, "posts/1")
    assert tree.changes(world.position, game.ruleset)["game/posts/2021/06/0001-a-motion.md"] is None
    assert tree._place(1) is None
    assert (
        tree.post_path(1, {"at": "2022-01-02T00:00:00Z", "title": "Back"})
        == "game/posts/2022/01/0001-back.md"
    )


def test_comments_of_two_processes_stand_in_one_file(tmp_path: Path) -> None:
    one = founded(tmp_path, tiny.ruleset({}))
    acts(one, 1, "cy", "move", changes=[])
    other = Game.open(tmp_path)
    acts(one, 2, "ben", "vote", matter=1, icon="for")
    acts(other, 3, "dee", "vote", matter=1, icon="für\u2028")
    acts(one, 4, "eli", "vote", matter=1, icon="against")
    said = Game.open(tmp_path).tree.comments("posts/1")
    assert [(entry["by"], entry["icon"]) for entry in said] == [
        ("ben", "for"), ("dee", "für\u2028"), ("eli", "against"),
    ]  # fmt: skip


@pytest.mark.slow
def test_pages_are_made_anew_when_the_program_has_changed_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.init(tmp_path / "game")
    founding = Founding(1623024000, PLAYERS, "ana", ["ben"], [])
    found_game(repository, editions.load("crypt"), Settings("Attic", "crypt", time="given"), founding)
    program = tmp_path / "program"
    for folder in ("physics/words", "site/assets"):
        (program / folder).mkdir(parents=True)
        (program / folder / "it.py").write_text("old", encoding="utf-8")
    monkeypatch.setattr(opened, "PROGRAM", program)
    made: list[str] = []
    real = opened._made

    def counted(*given: Any) -> Any:
        made.append("anew")
        return real(*given)

    monkeypatch.setattr(opened, "_made", counted)
    for changed in (None, None, "physics/words/it.py", "site/assets/it.py"):
        if changed is not None:
            (program / changed).write_text("newer", encoding="utf-8")
        with opened.site_in(tmp_path / "game", "2021-06-07T00:00:00Z", "")[0]:
            pass
    assert len(made) == 3
