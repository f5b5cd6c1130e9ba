"""The words, each at its edges."""

from __future__ import annotations

from typing import Any

import pytest

from language.tiny import Game, game, played, rule

DECLARES = """
terms: {player: Guest, players: Guests, emperor: Host}
variables:
  n: {of: player, type: integer, max: 9}
  low: {of: player, type: integer, below_zero: allow}
  bag: {of: player, type: map, values: integer}
  pals: {of: player, type: list, items: player}
  crew: {of: player, type: set, items: player}
  once: {of: player, type: list, unique: true}
  twice: {of: player, type: integer, derived: twice}
  log: {type: list}
  hush: {of: player, type: integer, tracked: secret}
collections:
  rooms: {key: {prefix: r}, fields: {name: text, owner: player, deep: integer}}
catalogues:
  gems: {ruby: {price: 5}}
limits:
  few: {per: day, times: 2}
  pair: {per: day, shared: true}
actions:
  go: {with: {n: {type: integer, max: 3}}, limit: few, part: wings}
  grab: {}
posts:
  story: {official: true}
"""
CODE = """
def twice(ref):
    return get(ref, "n") * 2

def do_go(actor, n):
    roll(6)
    put(actor, n=n)
    require(n != 2, "two is bad")
    return n + 10

def do_grab(actor):
    use("pair", actor)

def feature_door(room):
    return "door of " + room

def maybe(room):
    return 1
"""


def words(**founding: Any) -> Game:
    return game(DECLARES, CODE, **{"idle": ["zed"], "admins": ["dee"], **founding})


def check(expression: str, value: Any, before: str = "", **more: Any) -> None:
    tried = words()
    if before:
        tried.run(before)
    assert tried.eval(expression, **more) == value


# ---- looking


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('get("players/ben", "n")', 0),
        ('get("players/ben", "twice")', 0),
        ('get("players/ben", "nowhere", 7)', 7),
        ('get("caves/c1", "deep", 7)', 7),
        ('get("players/ben", "n", 7)', 0),
        ('get("game", "log")', []),
        ('get("dynasty", "emperor")', "players/ana"),
        ('get("dynasty", "number")', 1),
        ('get("dynasty", "began")', "2021-06-07T00:00:00Z"),
        ('get("dynasty", "interregnum")', False),
        ('get("players/zed", "idle")', True),
        ('get("players/dee", "admin")', True),
        ('get("game", "barred")', []),
        ('get("rules/own", "title")', "Own"),
        ('get("rules/own", "section")', "core"),
        ('get("rules/own", "number")', "1.1"),
        ('get("rules/own", "parent")', None),
        ('get("rules/own", "status")', "active"),
        ('get("rules/own", "terms")["player"]', "Guest"),
        ('get("rules/own", "text")', "Words."),
        ('get("variables/n", "max")', 9),
        ('get("variables/n", "rule")', "rules/own"),
        ('get("collections/rooms", "rule")', "rules/own"),
        ('get("actions/go", "part")', "wings"),
        ('get("actions/go", "colour", "none")', "none"),
        ('get("kinds/story", "official")', True),
        ('read("players/ben")["n"]', 0),
        ('sorted(read("dynasty").keys())', ["began", "emperor", "interregnum", "name", "number"]),
        ('read("actions/go")["limit"]', "few"),
        ('exists("players/ben")', True),
        ('exists("players/nobody")', False),
        ('exists("game")', True),
        ('exists("rules/own")', True),
        ('exists("rules/nope")', False),
        ('exists("variables/n")', True),
        ('exists("collections/caves")', False),
        ('exists("actions/go")', True),
        ('exists("kinds/story")', True),
        ('exists("deeds/deed-1")', False),
        ("exists(None)", False),
        ('find("players")', ["players/ana", "players/ben", "players/cy", "players/dee", "players/zed"]),
        ('find("players", idle=False, admin=True)', ["players/dee"]),
        ('find("players", twice=0, name="cy")', ["players/cy"]),
        ('find("rules")', ["rules/own", "rules/bench"]),
        ('find("variables", of="player", type="map")', ["variables/bag"]),
        ('find("actions", part="wings")', ["actions/go"]),
        ('find("kinds", official=True)', ["kinds/story", "kinds/motion"]),
        ('find("rooms")', []),
        ('find("posts", status="pending")', []),
        ('count("players", idle=False)', 4),
        ('id("players/ben")', "ben"),
        ('id("game")', "game"),
        ('name("players/ben")', "ben"),
        ("name(None)", "nobody"),
        ('catalogue("gems")["ruby"]["price"]', 5),
        ('[known(w) for w in ["twice", "n", "gems", "rooms", "feature-door", "go", "nothing"]]',
         [True, True, True, True, True, False, False]),
        ('[term(w) for w in ["player", "players", "emperor"]]', ["Guest", "Guests", "Host"]),
        ("players()", ["players/ana", "players/ben", "players/cy", "players/dee"]),
        ("len(everyone())", 5),
        ("emperor()", "players/ana"),
        ("admins()", ["players/dee"]),
        ('[is_player(p) for p in ["players/ben", "players/zed", "players/no", "ben", None]]', [True, False, False, False, False]),
        ('[is_idle(p) for p in ["players/ben", "players/zed", "players/no", None]]', [False, True, False, False]),
    ],
)  # fmt: skip
def test_looking(expression: str, value: Any) -> None:
    check(expression, value)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ('get("players/ben", "nowhere")', "declares nowhere of players/ben"),
        ('get("caves/c1", "deep")', "deep"),
        ('get("actions/go", "colour")', "has no colour"),
        ("get(None, 'n')", "no reference"),
        ('find("caves")', "declares a collection caves"),
        ('catalogue("stones")', "declares a catalogue stones"),
    ],
)
def test_looking_amiss_is_a_defect(code: str, why: str) -> None:
    assert why in words().fails(code)


def test_a_rejoiner_is_last() -> None:
    check(
        "players()",
        ["players/ana", "players/cy", "players/dee", "players/ben"],
        'destroy("players/ben"); create("players", "ben")',
    )


def test_there_is_no_emperor_in_a_metadynasty() -> None:
    assert words(emperor=None).eval("emperor()") is None


def test_an_idle_emperor_is_the_emperor() -> None:
    check("[emperor(), len(players())]", ["players/ana", 3], 'put("players/ana", idle=True)')


def test_an_emperor_who_is_no_more_leaves_the_seat_empty() -> None:
    check("emperor()", None, 'destroy("players/ana")')


# ---- putting


@pytest.mark.parametrize(
    ("code", "path", "value"),
    [
        ('put("players/ben", n=4, low=-4)', "players.ben.low", -4),
        ('gain("players/ben", "n", 3)', "players.ben.n", 3),
        ('gain("players/ben", "n", 0)', "players.ben.n", 0),
        ('put("players/ben", n=5)\nspend("players/ben", "n", 5)', "players.ben.n", 0),
        ('spend("players/ben", "low", 5)', "players.ben.low", -5),
        ('put("players/ben", n=3)\nput("players/cy", n=lose("players/ben", "n", 5))', "players.cy.n", 3),
        ('put("players/ben", n=3)\ntransfer("players/ben", "players/cy", "n", 5)', "players.cy.n", 3),
        ('gain("players/ben", "bag.gun", 2)', "players.ben.bag", {"gun": 2}),
        ('gain("players/ben", "bag.gun", 2)\nlose("players/ben", "bag.gun", 9)', "players.ben.bag", {}),
        (
            'gain("players/ben", "bag.gun", 2)\ntransfer("players/ben", "players/cy", "bag.gun", 1)',
            "players.cy.bag",
            {"gun": 1},
        ),
        (
            'add("players/ben", "pals", "players/cy")\nadd("players/ben", "pals", "players/cy")',
            "players.ben.pals",
            ["cy", "cy"],
        ),
        (
            'add("players/ben", "crew", "players/cy")\nadd("players/ben", "crew", "players/cy")',
            "players.ben.crew",
            ["cy"],
        ),
        ('add("players/ben", "once", 1)\nadd("players/ben", "once", 1)', "players.ben.once", [1]),
        ('put("players/ben", once=[1, 2])\nremove("players/ben", "once", 1)', "players.ben.once", [2]),
        ('remove("players/ben", "once", 1)', "players.ben.once", []),
        (
            'put("players/ben", pals=["players/cy", "players/cy"])\nremove("players/ben", "pals", "players/cy")',
            "players.ben.pals",
            ["cy"],
        ),
        ('mark("players/ben", "bag", "gun", 3)', "players.ben.bag", {"gun": 3}),
        (
            'mark("players/ben", "bag", "gun", 3)\nmark("players/ben", "bag", "gun", None)',
            "players.ben.bag",
            {},
        ),
        ('mark("players/ben", "bag", "gun", 3)\nremove("players/ben", "bag", "gun")', "players.ben.bag", {}),
        ('put("players/ben", idle=True)', "players.ben.active", False),
        ('put("players/ben", admin=True)', "players.ben.admin", True),
        ('put("dynasty", name="Gold", emperor=None, interregnum=True)', "dynasty.name", "Gold"),
        ('put(create("rooms", name="Hall"), deep=2)', "rooms.r1.deep", 2),
    ],
)
def test_putting(code: str, path: str, value: Any) -> None:
    tried = words()
    tried.run(code)
    assert tried[path] == value


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ('put("players/no", n=1)', "there is no players/no"),
        ('put("players/ben", nowhere=1)', "declares nowhere"),
        ('put("players/ben", name="bob")', "not the law's to write"),
        ('put("rules/own", title="x")', "there is no rules/own"),
        ('put("players/ben", twice=1)', "derived"),
        ('spend("players/ben", "n", 1)', "n: that takes 1, and there is 0"),
        ('spend("players/ben", "bag.gun", 1)', "bag.gun"),
        ('gain("players/ben", "n", 10)', "above 9"),
        ('gain("players/ben", "n", -1)', "positive"),
        ('lose("players/ben", "n", -1)', "positive"),
        ('transfer("players/ben", "players/cy", "n", -1)', "positive"),
        ('gain("players/ben", "pals", 1)', "no number"),
        ('gain("players/ben", "n", "1")', "no amount"),
        ('create("caves")', "declares a collection caves"),
        ('create("players", "BEN")', "there is a ben among the players already"),
        ('create("players", "b n")', "cannot name"),
        ('destroy("rooms/r9")', "there is no rooms/r9"),
        ('destroy("game")', "nothing is taken out"),
        ('reset("players/ben", only="good")', "only may be illegal, or secret"),
    ],
)
def test_putting_amiss(code: str, why: str) -> None:
    assert why in words().fails(code)


def test_reset_returns_the_names() -> None:
    check(
        '[reset("players/ben"), get("players/ben", "n")]',
        [["n", "low", "bag", "pals", "crew", "once", "hush"], 0], 'put("players/ben", n=3)',
    )  # fmt: skip


def test_was_is_the_value_when_the_unit_began() -> None:
    tried = words()
    tried.run('put("players/ben", n=3)')
    tried.run(
        'put("players/ben", n=5); room = create("rooms", deep=1)\n'
        'put("game", log=[was("players/ben", "n"), was("players/cy", "n"), was(room, "deep")])'
    )
    assert tried["game.log"] == [3, 0, None]


def test_was_of_what_is_gone() -> None:
    tried = words()
    tried.run('create("rooms", deep=4, owner="players/cy")')
    tried.run('destroy("rooms/r1")\nput("game", log=[was("rooms/r1", "deep"), was("rooms/r1", "owner")])')
    assert tried["game.log"] == [4, "players/cy"]


def test_changed_lists_the_net_changes() -> None:
    tried = words()
    tried.run(
        'put("players/ben", n=5)\nput("players/cy", n=5)\nput("players/cy", n=0)\nput("players/ben", hush=1)\n'
        'found = changed()\nput("game", log=found)'
    )
    assert tried["game.log"] == [
        {"path": "players.ben.n", "old": 0, "new": 5, "public": True},
        {"path": "players.ben.hush", "old": 0, "new": 1, "public": False},
    ]


def test_changed_lists_what_was_made_and_what_went() -> None:
    tried = words()
    tried.run('create("rooms", deep=4)')
    tried.run('destroy("rooms/r1")\ncreate("rooms", deep=5)\nfound = changed()\nput("game", log=found)')
    found = {(change["path"], change["old"], change["new"]) for change in tried["game.log"]}
    assert ("rooms.r1.deep", 4, None) in found
    assert ("rooms.r2.deep", None, 5) in found


# ---- time


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("now()", "2021-06-09T12:00:00Z"),
        ("cast_at()", "2021-06-09T12:00:00Z"),
        ('elapsed("2021-06-09T00:00:00Z", "12h")', True),
        ('elapsed("2021-06-09T00:00:00Z", "12h", more=True)', False),
        ('elapsed("2021-06-09T00:00:01Z", "12h")', False),
        ('elapsed(None, "12h")', True),
        ('elapsed("2021-05-09", "1mo")', True),
        ('later(now(), "-3d")', "2021-06-06T12:00:00Z"),
        ('later("2021-01-31", "1mo")', "2021-02-28T00:00:00Z"),
        ('later(now(), "1w2d3h4m5s")', "2021-06-18T15:04:05Z"),
        ('span("2021-06-09", now())', 43200),
        ('span(now(), "2021-06-09")', -43200),
        ('[start_of(u) for u in ["day", "week", "month", "year"]]',
         ["2021-06-09T00:00:00Z", "2021-06-07T00:00:00Z", "2021-06-01T00:00:00Z", "2021-01-01T00:00:00Z"]),
        ('start_of("week", "2021-06-20")', "2021-06-14T00:00:00Z"),
        ("date(now())", "2021-06-09"),
        ("weekday(now())", "wednesday"),
    ],
)  # fmt: skip
def test_time(expression: str, value: Any) -> None:
    check(expression, value, after="60h")


@pytest.mark.parametrize(
    "code",
    [
        'elapsed(now(), "soon")',
        'later("noon", "1h")',
        "later(3, '1h')",
        'start_of("decade")',
        'date("x")',
        "span(now(), None)",
    ],
)
def test_a_time_of_no_form_is_a_defect_of_the_law(code: str) -> None:
    assert "time" in words().fails(code) or "unit" in words().fails(code)
    listening = game("when: {bang: hear}\nvariables: {x: {type: text}}", f"def hear():\n    {code}")
    listening.run('emit("bang")')
    assert "hear is defective" in listening.notes[0]


def test_dates_and_weeks_are_those_of_the_game() -> None:
    tried = game("clock: {zone: America/New_York, week: sunday}")
    assert tried.eval("[date(now()), weekday(now()), start_of('week')]") == [
        "2021-06-06",
        "sunday",
        "2021-06-06T04:00:00Z",
    ]


@pytest.mark.parametrize(
    ("expression", "instant"),
    [
        ('elapsed("2021-06-07T00:00:00Z", "12h")', "2021-06-07T12:00:00Z"),
        ('elapsed("2021-06-07T00:00:00Z", "12h", more=True)', "2021-06-07T12:00:01Z"),
        ('start_of("week")', "2021-06-14T00:00:00Z"),
        ("date(now())", "2021-06-08T00:00:00Z"),
        ("weekday(now())", "2021-06-08T00:00:00Z"),
        ('entries("players/ben", "1d")', "2021-06-08T00:00:01Z"),
    ],
)
def test_words_of_time_note_when_their_answer_changes(expression: str, instant: str) -> None:
    from nomicgit.ground import clock
    from nomicgit.physics.state import deriving

    tried = game("views: {v: {}}", f"def v():\n    return {expression}")
    tried.run('say("note", "", "")', actor="ben")
    look = tried.world
    with look.recording() as frame:
        deriving.view(look, "v")
    assert clock.text(min(frame.whole().instants)) == instant


# ---- posts


def test_a_post_has_its_author_time_and_kind() -> None:
    tried = words()
    assert (
        tried.eval('say("story", " A  tale ", "Once.\\n", tags=["x"])', actor="ben", after="1h") == "posts/1"
    )
    assert tried.eval('[get("posts/1", f) for f in ["kind", "title", "body", "author", "at", "tags", "status", "changes"]]') == [
        "story", "A tale", "Once.", "players/ben", "2021-06-07T01:00:00Z", ["x"], None, [],
    ]  # fmt: skip


def test_an_author_may_be_a_text_or_nobody() -> None:
    tried = words()
    tried.run('say("note", "", "", author="Somebody")\nsay("note", "", "", author="players/cy")')
    assert tried.eval('[get(p, "author") for p in find("posts")]') == ["Somebody", "players/cy"]
    clockwork = game("schedule: {s: {every: day 06:00}}", 'def schedule_s():\n    say("note", "Dawn", "")')
    clockwork.run("pass", after="7h")
    assert clockwork["posts.0.author"] is None


def test_a_votable_post_is_pending() -> None:
    tried = words()
    tried.run('say("motion", "", "")\nsay("note", "", "")')
    assert tried.eval('find("posts", status="pending")') == ["posts/1"]


def test_a_post_may_become_another_kind_but_keeps_its_time() -> None:
    tried = words()
    tried.run('say("note", "", "")')
    tried.run(
        'put("posts/1", kind="motion", status="pending", title="New", body="b", tags=["t"])', after="1h"
    )
    assert tried.eval('get("posts/1", "at")') == "2021-06-07T00:00:00Z"
    assert "not the law's to write" in tried.fails('put("posts/1", at=now())')
    assert "not the law's to write" in tried.fails('put("posts/1", author="players/cy")')


def test_a_number_is_never_used_again() -> None:
    check('say("note", "", "")', "posts/2", 'say("note", "", "")\ndestroy("posts/1")')


def test_comments_and_ballots() -> None:
    tried = words()
    tried.do("ana", "move")
    for who, icon in (("ben", "for"), ("cy", "against"), ("ben", "veto")):
        tried.do(who, "vote", matter="1", icon=icon, after="1m")
    tried.run('comment("posts/1", "Well.\\n")', actor="stranger", after="1m")
    assert tried.eval('ballots("posts/1")') == {"players/ben": ["for", "veto"], "players/cy": ["against"]}
    assert [vote["icon"] for vote in tried.eval('votes("posts/1")')] == ["for", "against", "veto"]
    assert tried.eval('comments("posts/1", 1) == comments("posts/1")[-1:] and comments("posts/1", 0) == []')
    assert tried.eval('comments("posts/1")')[-1] == {
        "by": "players/stranger", "at": "2021-06-07T00:04:00Z", "icon": None, "text": "Well.",
    }  # fmt: skip
    assert tried.eval('len(get("posts/1", "comments"))') == 4


def test_a_comment_on_nothing_is_refused() -> None:
    assert "there is no post posts/9" in words().fails('comment("posts/9", "")')


def test_entries_are_a_players_own_newest_first() -> None:
    tried = words()
    tried.run('say("note", "Mine", "text")', actor="ben")
    tried.run('comment("posts/1", "theirs")', actor="cy", after="1h")
    tried.run('comment("posts/1", "own")', actor="ben", after="1h")
    assert tried.eval('entries("players/ben")') == [
        {"at": "2021-06-07T02:00:00Z", "kind": "comment", "title": "", "text": "own", "post": "posts/1"},
        {"at": "2021-06-07T00:00:00Z", "kind": "note", "title": "Mine", "text": "text", "post": "posts/1"},
    ]
    assert len(tried.eval('entries("players/ben", "2h")')) == 2
    assert len(tried.eval('entries("players/ben", "2h")', after="1s")) == 1
    assert len(tried.eval('entries("players/ben", "1mo2w")')) == 2


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [("I go IDLE now", "idle", True), ("idled", "idle", False), ("unidle", "idle", False), ("the  long\nword", "long word", True),
     ("@ana!", "@ana", True), ("x", "", False)],
)  # fmt: skip
def test_mentions(text: str, word: str, found: bool) -> None:
    assert words().eval(f"mentions({text!r}, {word!r})") is found


def test_tell_and_note() -> None:
    tried = words()
    tried.run('tell("players/ben", "psst")\nnote("A  line\\nof two")')
    assert tried.told == [("ben", "psst")]
    assert "A line of two" in tried.notes
    assert "no player" in tried.fails('tell("players/no", "psst")')
    assert "no keys" in game(secrets=False).fails('tell("players/ben", "psst")')


def test_close_resolves_once() -> None:
    tried = words()
    tried.do("ana", "move")
    tried.run('close("posts/1", "failed", title="Gone")')
    assert (tried["posts.0.status"], tried["posts.0.title"]) == ("failed", "Gone")
    assert "resolved already" in tried.fails('close("posts/1", "failed")')
    tried.do("ana", "move")
    assert "enacted or failed" in tried.fails('close("posts/2", "lost")')


# ---- chance


@pytest.mark.parametrize(
    ("expression", "dice", "value"),
    [
        ("roll(6)", [4], 4),
        ("roll(0)", [], 0),
        ("roll(-3)", [], 0),
        ("roll(1)", [1], 1),
        ("dice(2, 6)", [3, 5], [3, 5]),
        ("dice(0, 6)", [], []),
        ('pick(["a", "b"])', ["b"], "b"),
        ('pick(["a"])', [], "a"),
        ("pick([])", [], None),
        ("pick(players())", ["cy"], "players/cy"),
        ("shuffle([3, 1, 2])", [1, 2], [1, 2, 3]),
        ("shuffle([1])", [], [1]),
        ("shuffle([])", [], []),
        ("[secretly_roll(6), roll(6), secretly_pick([7, 8]), secretly_dice(1, 4), secretly_shuffle([1, 2])]", [6, 2, 8, 3, 2],
         [6, 2, 8, [3], [2, 1]]),
    ],
)  # fmt: skip
def test_chance(expression: str, dice: list[Any], value: Any) -> None:
    check(expression, value, dice=dice)


@pytest.mark.parametrize(
    "code", ['roll("6")', "roll(1.5)", "pick(3)", "dice(20000, 6)", "dice(1, None)", "shuffle(4)"]
)
def test_chance_amiss_is_refused(code: str) -> None:
    words().fails(code)


def test_draws_are_told_and_secret_ones_marked() -> None:
    tried = words()
    tried.run('roll(6)\nsecretly_pick(["a", "b"])', dice=[2, "a"])
    assert tried.last is not None
    assert [(d.what, d.result, d.secret) for d in tried.last.draws] == [
        ("d6", "2", False),
        ("one of 2", "a", True),
    ]


def test_seeded_chance_is_the_same_on_every_run() -> None:
    assert words().eval("dice(5, 20)") == words().eval("dice(5, 20)")


# ---- steps and refusals


def test_require_and_refuse() -> None:
    tried = words()
    tried.run('require(True, "no")\nrefuse("")\nrefuse(None)')
    assert "so it is" in tried.fails('require(0, "so it is")')
    assert "so it is" in tried.fails('refuse("so it is")')


def test_a_step_is_asked_and_limited_as_by_deed_and_returns() -> None:
    tried = words()
    assert tried.eval('do("go", "players/ben", n=1)', dice=[1]) == 11
    assert "n: 4 is above 3" in tried.fails('do("go", "players/ben", n=4)')
    tried.run('do("go", "players/ben", n=1)')
    assert "the limit few" in tried.fails('do("go", "players/ben", n=1)')
    assert "you are idle" in tried.fails('do("go", "players/zed", n=1)')


def test_a_refused_step_refuses_its_deed() -> None:
    tried = words()
    assert "two is bad" in tried.fails('put("players/cy", n=5)\ndo("go", "players/ben", n=2)')
    assert (tried["players.cy.n"], tried["players.ben.n"]) == (0, 0)


def test_can_changes_and_draws_nothing() -> None:
    tried = words()
    tried.run(
        'put("game", log=[can("go", "players/ben", n=1), can("go", "players/ben", n=2), can("fly", "players/ben")])',
        dice=[],
    )
    assert tried["game.log"][0] == ""
    assert tried["game.log"][1] == "two is bad"
    assert "declares an action fly" in tried["game.log"][2]
    assert tried["players.ben.n"] == 0
    assert tried.eval('used("few", "players/ben", "go")') == 0


def test_limits_by_the_words() -> None:
    tried = words()
    tried.run('use("few", "players/ben", "rest", "rooms/r1")')
    assert tried.eval(
        '[used("few", "players/ben", "rest", "rooms/r1"), used("few", "players/ben", "rest", "rooms/r2")]'
    ) == [1, 0]
    tried.run('use("few", "players/ben", "rest", "rooms/r1")')
    assert tried.eval('[may_use("few", "players/ben", "rest", "rooms/r1"), may_use("few", "players/cy", "rest", "rooms/r1")]') == [
        False, True,
    ]  # fmt: skip
    assert "the limit few" in tried.fails('use("few", "players/ben", "rest", "rooms/r1")')


def test_the_key_of_an_actions_own_use_is_its_name() -> None:
    check('used("few", "players/ben", "go")', 1, 'do("go", "players/ben", n=1)')


def test_a_shared_limit_has_one_key() -> None:
    tried = words()
    tried.do("ben", "grab")
    assert tried.eval('used("pair", "players/ben", "anything")') == 1


def test_a_limit_that_is_gone_binds_nobody() -> None:
    check(
        '[may_use("gone", "players/ben"), used("gone", "players/ben")]',
        [True, 0],
        'use("gone", "players/ben")',
    )


def test_deed_and_asked() -> None:
    own = "actions:\n  go: {with: {n: integer}}\n  run: {with: {far-off: integer}}"
    code = (
        'def do_go(actor, n):\n    do("run", "players/cy", far_off=n + 1)\n    add("game", "got", deed()["action"])\n'
        'def do_run(actor, far_off):\n    put("game", got=[deed()["actor"], deed()["with"], asked("far-off"), asked("none", 4)])'
    )
    tried = game(own, code)
    tried.do("ben", "go", n=1)
    assert tried["game.got"] == ["cy", {"far_off": 2}, 2, 4, "actions/go"] or tried["game.got"] == [
        "players/cy", {"far_off": 2}, 2, 4, "actions/go",
    ]  # fmt: skip


def test_the_clock_has_no_deed() -> None:
    tried = game(
        "schedule: {s: {every: day 06:00}}",
        'def schedule_s():\n    put("game", got=[deed()["actor"], asked("x", 3)])',
    )
    tried.run("pass", after="7h")
    assert tried["game.got"] == [None, 3]


def test_call_by_a_name_made_up() -> None:
    check('call("feature-" + "door", "r1")', "door of r1")
    assert "defines feature_roof" in words().fails('call("feature_" + "roof", 1)')


# ---- numbers


@pytest.mark.parametrize(
    ("a", "b", "value"), [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (6, 3, 2), (0, 5, 0)]
)
def test_divide_rounds_towards_zero(a: int, b: int, value: int) -> None:
    check(f"divide({a}, {b})", value)


def test_numbers_amiss_are_defects() -> None:
    assert "cannot be divided" in words().fails("divide(1, 0)")
    assert "cannot be divided" in words().fails("divide(1.5, 2)")
    assert "list of numbers" in words().fails('total(["a"])')
    check("[total([]), total([1, 2, 3])]", [0, 6])


# ---- changes


def test_changes_tell_what_laws_ask_of_them() -> None:
    tried = words()
    proposed: list[dict[str, Any]] = [
        {"amend": {"rule": "Own", "replace": "Words", "with": "Sayings"}},
        {"add-rule": {"title": "New", "text": "N.", "section": "dynastic"}},
        {"set": {"players.ben.n": 3}},
        {"repeal": "Nonsense"},
        {"player": {"name": "cy", "admin": True}},
    ]
    tried.do("ana", "move", changes=proposed)
    found = tried.eval('changes("posts/1")')
    assert [change["rule"] for change in found] == ["rules/own", None, None, None, None]
    assert found[0]["called"] == {"Own": "rules/own"}
    assert found[3]["called"] == {"Nonsense": None}
    assert (found[0]["section"], found[0]["section_stated"], found[0]["rule_unique"]) == ("core", False, True)
    assert (found[1]["section"], found[1]["section_stated"]) == ("dynastic", True)
    assert [change["names"] for change in found] == [[], [], ["players/ben"], [], ["players/cy"]]


def test_any_rule_may_apply_a_change_of_its_own() -> None:
    tried = words()
    assert tried.eval('apply({"rename": {"rule": "own", "to": "Mine"}})') == ""
    assert tried["rules.Mine.number"] == "1.1"
    assert "no rule" in tried.eval('apply({"repeal": "Nonsense"})')


def test_apply_counts_named_idle_players_as_active() -> None:
    tried = words()
    code = 'put("game", log=players())'
    tried.run(f"apply({{'run': {code!r}}}, counting=['players/zed'])")
    assert "players/zed" in tried["game.log"]
    assert "players/zed" not in tried.eval("players()")


def test_words_take_their_first_arguments_by_position(tmp_path: Any) -> None:
    own = rule("variables:\n  n: {of: player, type: integer}\nactions:\n  go: {with: {who: player}}",
               'def do_go(actor, who):\n    gain(who, "n", 1)')  # fmt: skip
    scenario = """
        name: s
        players: [ana, ben]
        emperor: null
        steps:
          - {by: ana, act: go, with: {who: ben}, expect: {players.ben.n: 1}}
        """
    assert played(tmp_path, {"10-own.md": own}, scenario) == []
