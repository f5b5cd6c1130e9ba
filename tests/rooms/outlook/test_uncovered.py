"""What a rule or a program reads of what is secret is said before anybody votes on it, by whatever word and name it gets at it."""

from __future__ import annotations

from language.tiny import Game, rule, ruleset

from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook import foreseen
from nomicgit.outlook.checks.disclosing import disclosed, met
from nomicgit.outlook.checks.enactment import foretold
from nomicgit.outlook.checks.trying import tried
from nomicgit.outlook.checks.uncovered import Uncovered
from nomicgit.physics.words import WORDS

KEPT = """
collections: {dens: {key: {prefix: n}, tracked: secret}}
variables:
  role: {of: player, type: text, tracked: secret}
  hoard: {of: player, type: integer, tracked: secret}
  bag: {of: player, type: list, items: text, tracked: secret}
  knaves: {of: player, type: map, values: text, tracked: secret}
  hidden: {of: player, type: text, derived: _hidden}
  gold: {of: player, type: integer}
"""
BEHIND = """
def _hidden(who):
    return get(who, "role")
"""
KEPT_SECRET = "players.bag, players.hoard, players.knaves, players.role"
READS = {
    "get": 'get(who, "ro" + "le")',
    "read": "read(who)",
    "find": 'find("play" + "ers", **{"ro" + "le": "wolf"})',
    "count": 'count("de" + "ns")',
    "exists": 'exists("de" + "ns/n1")',
    "was": 'was(who, "ro" + "le")',
    "reveal": 'reveal(who, "ro" + "le")',
    "put": 'put(who, **{"ro" + "le": "wolf"})',
    "gain": 'gain(who, "ho" + "ard", 1)',
    "spend": 'spend(who, "ho" + "ard", 0)',
    "lose": 'lose(who, "ho" + "ard", 1)',
    "transfer": 'transfer(who, players()[0], "ho" + "ard", 1)',
    "add": 'add(who, "b" + "ag", "pin")',
    "remove": 'remove(who, "b" + "ag", "pin")',
    "mark": 'mark(who, "kna" + "ves", "players/ana", "wolf")',
    "create": 'create("de" + "ns")',
}
"""What gets at a secret by each word that can, by a name that stands nowhere."""
BY_OTHERS = {
    "names": '[read(p) for p in players() for v in find("variables", tracked="sec" + "ret")]',
    "derived": 'get(who, "hid" + "den")',
    "remembered": 'get(who, "hid" + "den")',
}
DEAF = frozenset(
    "id name catalogue known term destroy reset changed players everyone emperor admins is_player is_idle now cast_at elapsed later span "
    "start_of date weekday say comment comments entries mentions tell note ballots votes changes apply close roll dice pick shuffle "
    "secretly_roll secretly_dice secretly_pick secretly_shuffle require refuse do can use may_use used emit settle deed asked call perform "
    "perform_as divide total reaches digest".split()
)
"""Words that give no value of an entity, or none that the same rule has not asked for or been handed by another word."""


def rules(**more: str) -> Ruleset:
    return ruleset({"10-roles.md": rule(KEPT, BEHIND, title="Roles"), **more})


def peeping(name: str, code: str) -> str:
    return rule(f"actions: {{peep_{name}: {{}}}}", f"def do_peep_{name}(who):\n    {code}\n", title=name)


def test_every_word_that_gets_at_a_secret_value_is_seen_to() -> None:
    assert {*READS} | DEAF == {*WORDS}
    assert not {*READS} & DEAF
    game = Game(rules())
    snippets = READS | BY_OTHERS | {"nothing": "get(who, 'gold')", "listed": "find('players')"}
    after = rules(
        **{
            f"2-dynastic/{n}-{name}.md": peeping(name, code)
            for n, (name, code) in enumerate(snippets.items(), 10)
        }
    )
    slugs = [each.slug for each in after.rules if each.slug in snippets]
    assert len(slugs) == len(snippets)
    seen: dict[str, Uncovered] = {}
    tried(game.world, after, slugs, seen)
    wanted = {slug for slug in slugs if slug not in ("nothing", "listed")}
    assert {slug for slug, each in seen.items() if each.met} == wanted
    assert {slug for slug, each in seen.items() if each.shows} == {"reveal"}
    programs = {name: code.replace("who", '"players/ana"') for name, code in snippets.items()}
    assert {name for name, code in programs.items() if met(game.world, {"run": code})} == wanted
    law = game.world.law
    said = list(disclosed(law, game.world.physics.law(after), {}, seen))
    assert len(said) == len(wanted)
    assert (
        "the rule reveal reads what is secret: players.role, and writes where everybody sees it: the journal; what"
        in " ".join(said)
    )


def test_what_the_rule_writes_for_all_is_named_and_nobody_is_blamed_for_who_only_hears_of_it() -> None:
    heard = rule("when: {rung: _rung}", "def _rung(who):\n    get(who, 'ro' + 'le')\n", title="Bell")
    game = Game(rules(**{"11-bell.md": heard}))
    listed = 'for p in players():\n        say("note", "A list", str(read(p)))\n        put(p, gold=1)'
    shown = "and writes where everybody sees it: players.gold, posts; what"
    for code, told in (
        (listed, [f"the rule new reads what is secret: {KEPT_SECRET}, {shown}"]),
        ('emit("rung", who)', []),
        (
            'if get("game", "got"):\n        read(who)',
            ["the rule new reads values by names that it works out (line "],
        ),
        ('if get("game", "got"):\n        get(who, "gold", 0)', []),
    ):
        texts = {**game.world.ruleset.texts, "2-dynastic/50-new.md": peeping("new", code)}
        after = Ruleset.read(texts, old=game.world.ruleset)
        seen: dict[str, Uncovered] = {}
        tried(game.world, after, ["new"], seen)
        said = list(disclosed(game.world.law, game.world.physics.law(after), {}, seen))
        assert [each[: len(words)] for each, words in zip(said, told, strict=True)] == told


def test_of_a_change_of_what_is_secret_it_is_said_that_nobody_can_be_shown_it() -> None:
    """And never that it would have nothing to do, or would be skipped, for it is tried where nothing secret is set."""
    game = Game(rules())
    program = 'get("players/ana", "ro" + "le")'
    changes = [
        {"set": {"players.ana.role": "wolf"}},
        {"run": 'spend("players/ana", "ho" + "ard", 2)'},
        {"set": {"players.ana.gold": 3}},
        {"set": {"players.ana.hoard": "many"}},
        {"set": {"players.nobody.gold": 3}},
        {"run": program},
    ]
    ref = game.do("ana", "move", changes=changes)
    fates = foretold(game.world, ref)
    outcomes = [(each["outcome"], each["secret"]) for each in fates["changes"]]
    role, hoard = ["players.role"], ["players.hoard"]
    assert outcomes == [
        ("applied", role), ("sealed", hoard), ("applied", []), ("skipped", []), ("skipped", []), ("applied", role),
    ]  # fmt: skip
    said = [
        line
        for line in foreseen.lines({"post": 1, "untried": [], **fates})
        if "secret" in line or "change 2" in line
    ]
    unseen = "what comes of it is seen only when it is enacted"
    assert said == [
        f"change 1 sets or reads what is secret: players.role; {unseen}",
        "what becomes of change 2 hangs on what is secret: players.hoard; that is seen only when it is enacted",
        f"its program reads what is secret: players.hoard; {unseen}",
        f"its program reads what is secret: players.role; {unseen}",
    ]
