"""Issue forms: written from the law, and what comes back of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hostile.forging import Forger
from hostile.small import Small, small_law
from support.ids import named
from support.places import TESTS

from nomicgit import editions
from nomicgit.cli import main
from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.ground.problems import Refused
from nomicgit.law.declarations import Action
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.variables import Type
from nomicgit.physics.deeds import acting
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.numbers import NEWEST
from nomicgit.record import forms
from nomicgit.record.forms import entered
from nomicgit.record.forms.fields import FIRST_LABEL, labels
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game
from nomicgit.record.outside import entitled
from nomicgit.record.settings import Settings

CHOICE = Type("choice", choices=("small", "large"))


def action(**kinds: Type) -> Action:
    """An action with parameters of these kinds."""
    return Action(
        "pick", "orchard", "dynastic", frozenset({"orchard"}), "Pick some apples", ("player",), False, kinds,
        frozenset(kinds), "", (), False, {},
    )  # fmt: skip


def filled(of: Action, **texts: str) -> str:
    """An issue's text as the forge makes it of a form that somebody filled in."""
    parts = [f"### {FIRST_LABEL}\n\n{of.name}"]
    parts += [f"### {label}\n\n{texts.get(name, '_No response_')}" for name, label in labels(of).items()]
    return "\n\n".join(parts)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Type("text"), "  Up the hill  ", "Up the hill"),
        (Type("text"), "12", "12"),
        (Type("text"), "One.\n\n#### Two\n\n```\n### three\n```", "One.\n\n#### Two\n\n```\n### three\n```"),
        (Type("integer"), "3", 3),
        (Type("number", step=0.5), "1.5", 1.5),
        (Type("boolean"), "yes", True),
        (Type("boolean"), "no", False),
        (CHOICE, "large", "large"),
        (Type("choice", choices=(1, 2)), "2", 2),
        (Type("player"), "ben", "ben"),
        (Type("post"), "12", 12),
        (Type("datetime"), "2021-06-07T00:00:00Z", "2021-06-07T00:00:00Z"),
        (Type("list", items=Type("text")), "Core, a b", ["Core", "a b"]),
        (Type("list", items=Type("integer")), "1, 2", [1, 2]),
        (Type("list", items=Type("text")), '["a, b", c]', ["a, b", "c"]),
        (Type("list"), "```yaml\n- repeal: orchard\n```", [{"repeal": "orchard"}]),
        (Type("map"), "```yaml\nplayer: Knight\n```", {"player": "Knight"}),
        (Type("mechanics"), "```python\ngain(actor, 1)\n```", "gain(actor, 1)"),
        (Type("any"), "3", 3),
    ],
)
def test_a_field_is_read_as_its_type_takes_it(kind: Type, text: str, value: Any) -> None:
    assert forms.read(filled(action(what=kind), what=text), action(what=kind)) == {"what": value}


@pytest.mark.parametrize("text", ["_No response_", "", "None", "```yaml\n\n```"])
def test_what_is_left_empty_is_left_out(text: str) -> None:
    of = action(what=Type("map", default={}))
    assert forms.read(filled(of, what=text), of) == {}


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (("_No response_", ""), "What: a value is needed"),
        (("### What\n", "### Whatever\n"), "no field 'Whatever'"),
        (("### What\n\n_No response_", ""), "'What' is missing"),
        (("_No response_", "a\n\n### What\n\nb"), "'What' stands twice"),
        (("_No response_", "a\n\n### Deeds\n\nb"), "no field 'Deeds'"),
        (("uphill", "```\nnever closed"), "'What' is missing"),
        (("\n\npick", "\n\nsow"), "one of sow, not of pick"),
        (("### Action", "Hello\n### Action"), "text before the first field"),
    ],
)
def test_a_form_that_is_not_whole_is_refused(change: tuple[str, str], refusal: str) -> None:
    of = action(where=Type("text", default=""), what=Type("text"))
    body = filled(of, where="uphill").replace(*change)
    with pytest.raises(Refused, match=refusal):
        forms.read(body, of)


def test_all_that_is_wrong_with_a_form_is_told_at_once() -> None:
    of = action(what=Type("text"), changes=Type("list"), steps=Type("map"), many=Type("list"))
    body = filled(
        of, what="", changes="```yaml\n- {repeal: [}\n```", steps="```yaml\na: b: c\n```", many="- x"
    )
    with pytest.raises(Refused) as wrong:
        forms.read(body, of)
    assert [each.what.partition(":")[0] for each in wrong.value.problems] == ["What", "Changes", "Steps"]
    assert all(each.mend for each in wrong.value.problems)
    with pytest.raises(Refused) as wrong:
        forms.read(
            "Hello\n" + body.replace("### Many", "### Much").replace("\n\npick", "\n\nsow") + "\n### What\nx",
            of,
        )
    told = "\n".join(each.what for each in wrong.value.problems)
    for words in (
        "before the first",
        "no field 'Much'",
        "'Many' is missing",
        "'What' stands twice",
        "one of sow",
    ):
        assert words in told


def test_yaml_that_is_none_is_refused_with_its_field() -> None:
    of = action(changes=Type("list"))
    with pytest.raises(Refused, match="Changes: "):
        forms.read(filled(of, changes="```yaml\n- {repeal: [}\n```"), of)


def test_a_form_names_its_action() -> None:
    assert forms.named(filled(action(), what="x").replace("\n", "\r\n")) == "pick"


def test_a_text_that_is_no_form_names_nothing() -> None:
    assert forms.named("### Steps\n\nI do not know.") is None


# Writing them.

ATTIC = forms.Forge("ana/attic", "https://ana.github.io/attic/")
GOLDEN = TESTS / "corpus" / "forms"

ORCHARD = """---
title: The <b>Orchard</b>
posts:
  story: {}
catalogues:
  woods: {oak: {price: 3}, fir: {price: 1}}
collections:
  beds: {key: {columns: [A, B], rows: [1, 2]}, fields: {dusty: boolean}}
  chairs: {key: {prefix: c}, fields: {wood: woods}}
limits:
  daily: {per: day, times: 2, gap: 3h}
actions:
  pick-apples:
    summary: "Pick *some* apples <img src=x onerror=alert(1)>"
    by: [player, emperor, may_pick]
    idle: true
    limit: daily
    cost: "3"
    with:
      basket: {type: choice, choices: [small, large], default: small}
      count: {type: integer, min: 1, max: 6, default: 1}
      whole: {type: boolean, default: false}
      how: {type: choice, choices: [quickly, none]}
      day: {type: date, default: 2021-06-07}
      bed: beds
      wood: {type: set, items: woods}
      chair: {type: chairs, default: null}
      who: {type: player, active: true}
      pass_word: text
      note: {type: text, default: ""}
      also: {type: list, items: text, default: [a, b]}
      then: {type: any, default: null}
  config: {summary: A name that is the forge's own}
  whisper: {private: true, with: {text: text}}
  gather: {form: false}
  "../../evil": {}
  tell-all: {with: {kind: {type: text, default: none}, "Body": text, "body ": text}}
  write: {with: {kind: {type: text, default: none}, body: text}}
---
Apples are picked.

```starlark
def may_pick(player):
    return ""

def do_pick_apples(actor, basket, count, whole, how, day, bed, wood, chair, who, pass_word, note_, also, then):
    pass

def do_config(actor):
    pass

def do_whisper(actor, text):
    pass

def do_gather(actor):
    pass

def do_write(actor, kind, body):
    say(kind, "A title", body)
```
"""


def orchard() -> Ruleset:
    return small_law({"2-dynastic/20-orchard.md": ORCHARD})


def texts(ruleset: Ruleset) -> dict[str, str]:
    """All forms of a ruleset, by the names of their files."""
    found = forms.texts(NEWEST.law(ruleset), ATTIC)
    return {path.removeprefix(forms.FOLDER): data.decode() for path, data in found.items()}


def test_which_actions_have_a_form() -> None:
    names = {name.removesuffix(".yml") for name in texts(orchard())}
    plays = {"cfj", "join", "propose", "story", "earn", "give", "dig", "raze", "roll", "book", "set"}
    assert names == plays | {"config", "config_", "pick-apples", "write"}


def test_what_the_program_writes_stays_as_it_is() -> None:
    """Forms are owned by deeds, so their text is physics: it changes with its number only."""
    made = texts(orchard())
    for path in sorted(GOLDEN.iterdir()):
        assert made[path.name] == path.read_text(encoding="utf-8"), path.name
    assert {path.name for path in GOLDEN.iterdir()} == {
        "pick-apples.yml",
        "write.yml",
        "config.yml",
        "config_.yml",
    }


def test_a_form_is_read_back_by_what_it_asks() -> None:
    law = NEWEST.law(orchard())
    form: Any = files.read(texts(orchard())["pick-apples.yml"])
    asked = [field for field in form["body"] if field["type"] != "markdown"]
    assert [field["attributes"]["label"] for field in asked[1:]] == list(
        labels(law.declared.actions["pick-apples"]).values()
    )
    first = asked[0]["attributes"]
    body = f"### {first['label']}\n\n{first['options'][0]}\n"
    assert forms.named(body) == "pick-apples"


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_the_forge_takes_the_forms_of_every_edition(edition: str, tmp_path: Path) -> None:
    made = texts(editions.load(edition))
    for name, text in made.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    config = tmp_path / "config.yml"
    others = [str(path) for path in tmp_path.iterdir() if path != config]
    for schema, paths in (("issue-forms", others), ("issue-config", [str(config)])):
        command = [
            sys.executable,
            "-m",
            "check_jsonschema",
            "--builtin-schema",
            f"vendor.github-{schema}",
            *paths,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_the_example_of_a_field_is_taken_by_the_rule(edition: str, tmp_path: Path) -> None:
    found_game(
        Repository.init(tmp_path), editions.load(edition), Settings("Test", edition),
        Founding(0, ["ana", "ben"], "ana", ["ben"], [], "First", 1),
    )  # fmt: skip
    game, shown = Game.open(tmp_path), set[tuple[str, str]]()
    for path, text in texts(editions.load(edition)).items():
        form: Any = files.read(text)
        of = next(
            (each for each in game.law.declared.actions.values() if forms.file_of(each.name) == path), None
        )
        for field in form["body"] if of else ():
            assert of is not None
            told = field["attributes"].get("description", "")
            example = re.match(r"such as `(.*?)`", told)
            assert "YAML" not in told
            if field["attributes"].get("render") == "yaml" and example:
                name = field["id"]
                written = example[1].replace("NAME", "ben")
                value = entered.value(of.parameters[name], name, written)
                assert acting.unfit(game.world(), of, "players/ana", name, value) == "", (path, written)
                shown.add((of.name, name))
    assert {("propose", "changes"), ("cfj", "changes"), ("edit-post", "changes")} <= shown
    if edition == "steam":
        assert {("scavenge", "steal"), ("transfer", "resources"), ("set-treasury", "treasury")} <= shown


@pytest.mark.parametrize("edition", editions.names())
def test_no_form_asks_for_what_is_private(edition: str) -> None:
    law = NEWEST.law(editions.load(edition))
    written = texts(editions.load(edition))
    private = {
        forms.file_of(action.name)
        for action in law.declared.actions.values()
        if action.private and not isinstance(action.private, str)
    }
    assert not (private | {"tell.yml"}) & written.keys()
    assert [name for name, text in written.items() if "anonymous" in text.lower()] == []


# Keeping them current.


@pytest.fixture
def attic(tmp_path: Path) -> Small:
    """A game that lives on a forge."""
    return Small.found(tmp_path / "game", forge={"github": "ana/attic"})


def written(small: Small) -> dict[str, bytes]:
    """The forms at the head."""
    repository = Game.open(small.folder).repository
    tree = repository.commit(small.head()).tree
    found = repository.walk(tree, forms.FOLDER.rstrip("/"))
    return {path: repository.blob(oid) for path, oid in found}


def current(small: Small) -> dict[str, bytes]:
    """What the forms must be by the law at the head."""
    return dict(forms.texts(NEWEST.law(Game.open(small.folder).ruleset), ATTIC))


def test_a_founding_writes_the_forms(attic: Small) -> None:
    assert written(attic) == current(attic)
    assert attic.faults() == {}


def test_a_game_without_a_forge_has_none(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    small.enact({"amend": {"rule": "hoard", "replace": "Gold is earned", "with": "Silver is earned"}})
    assert written(small) == {}


@pytest.mark.slow
def test_a_deed_that_changes_a_rule_writes_the_forms_that_changed(attic: Small) -> None:
    before = written(attic)
    declares = {"actions": {"pick-apples": {"by": "player"}}}
    attic.enact(
        {"add-rule": {"title": "Orchard", "text": "Pick.", "declares": declares}}, {"repeal": "hoard"}
    )
    after = written(attic)
    assert after == current(attic)
    gone, come = before.keys() - after.keys(), after.keys() - before.keys()
    assert forms.FOLDER + "earn.yml" in gone
    assert forms.FOLDER + "pick-apples.yml" in come
    touched = attic.git("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD").split()
    assert forms.FOLDER + "propose.yml" not in touched
    assert attic.faults() == {}


def test_any_other_deed_leaves_them_alone(attic: Small) -> None:
    attic.do("cy", "earn", n=3)
    assert "ISSUE_TEMPLATE" not in attic.git("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD")


def test_an_edited_form_is_named(attic: Small) -> None:
    made = Forger(attic).add("A nicer form", {forms.FOLDER + "earn.yml": b"name: earn\n"})
    attic.do("cy", "earn", n=3)
    assert attic.faults() == {made.oid: [f"it changes the form {forms.FOLDER}earn.yml and is no deed"]}


def test_a_form_that_is_taken_out_is_named(attic: Small) -> None:
    made = Forger(attic).add("No form", {forms.FOLDER + "earn.yml": None})
    assert list(attic.faults()) == [made.oid]


def test_a_commit_that_puts_a_form_right_is_none_of_verifications_business(attic: Small) -> None:
    right = written(attic)[forms.FOLDER + "earn.yml"]
    broken = Forger(attic).add("A nicer form", {forms.FOLDER + "earn.yml": b"name: earn\n"})
    Forger(attic).add("The old form", {forms.FOLDER + "earn.yml": right})
    assert list(attic.faults()) == [broken.oid]


def test_a_template_of_the_owners_own_is_theirs(attic: Small) -> None:
    Forger(attic).add("A form of ours", {forms.FOLDER + "bug.yml": b"name: bug\n"})
    assert attic.faults() == {}


def test_a_deed_that_leaves_its_forms_out_is_named(attic: Small) -> None:
    attic.enact({"repeal": "hoard"})
    forger = Forger(attic)
    there = forger.commits()[0].tree
    with Game.open(attic.folder).repository as repository:
        kept = repository.file(there, forms.FOLDER + "earn.yml")
    changed = {forms.FOLDER + "earn.yml": kept}
    made = forger.amend(-1, lambda commit: {"tree": forger.tree(commit.tree, changed)})
    assert "its tree is not what its deed makes" in attic.faults()[made.oid][0]


@pytest.mark.slow
def test_restoring_a_law_restores_its_forms(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game", forge={"github": "ana/attic"}, restore={"by": ["ana"], "of": 1})
    founding, before = small.head(), written(small)
    small.enact({"repeal": "hoard"})
    assert written(small) != before
    game = Game.open(small.folder)
    with game.repository:
        entitled.restore(game, ["ana"], founding, small.at + 60)
    assert written(small) == before
    assert small.faults() == {}


# The command.


def told(small: Small, *arguments: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """What ``nomicgit forms`` says of a game, its exit code as told."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["forms", "-C", str(small.folder), *arguments])
    said = capsys.readouterr()
    assert ended.value.code == code, said
    return said.out + said.err


def test_the_command_lists_the_forms_and_prints_one(attic: Small, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"current  {forms.FOLDER}earn.yml" in told(attic, capsys=capsys)
    assert told(attic, "earn", capsys=capsys) == current(attic)[forms.FOLDER + "earn.yml"].decode()


@pytest.mark.slow
def test_the_command_puts_forms_right(attic: Small, capsys: pytest.CaptureFixture[str]) -> None:
    Forger(attic).add("A nicer form", {forms.FOLDER + "earn.yml": b"name: earn\n"})
    attic.git("reset", "-q", "--hard")
    assert "not current" in told(attic, "--check", capsys=capsys, code=1)
    told(attic, "--write", capsys=capsys)
    attic.git("commit", "-qm", "The old form")
    assert "not current" not in told(attic, "--check", capsys=capsys)


def test_the_command_leaves_an_edited_form_alone(attic: Small, capsys: pytest.CaptureFixture[str]) -> None:
    Forger(attic).add("A nicer form", {forms.FOLDER + "earn.yml": b"name: earn\n"})
    attic.git("reset", "-q", "--hard")
    (attic.folder / forms.FOLDER / "earn.yml").write_text("mine")
    assert "local edits" in told(attic, "--write", capsys=capsys, code=1)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ((), "lives on no forge"),
        (("--github", "nobody"), "is no repository"),
        (("--github", "a/b", "vote"), "has no form"),
    ],
)
def test_the_command_says_why_there_is_no_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], what: str
) -> None:
    assert what in told(Small.found(tmp_path / "game"), *arguments, capsys=capsys, code=1)


# Whatever a law says.

HOSTILE = (
    "$(id)", '"; id #', "::add-mask::e", "a\n::error::x", "<script>alert(1)</script>", "@everyone", "fixes #1", "\u202etxt.exe",
    "a" * 300, "\u00e9" * 300, "", " ", "none", "None", "y", "no", "true", "2021-06-07", "1.10", "0x10", "a, b", "- a", "? a", "[a](b)",
    "### What", "_No response_", "```", "*", "&a", "!!str", "\x00", "\ud800".encode("utf-8", "replace").decode(), "password", "\U000e0041",
)  # fmt: skip


def of_hostile(text: str) -> Ruleset:
    """A law that says a text wherever it can."""
    front = {
        "title": "Words",
        "catalogues": {"words": {text[:100] or "blank": {}, "other": {}}},
        "actions": {
            "say": {
                "summary": text, "cost": text, "by": ["player", "emperor"],
                "with": {
                    "one": {"type": "choice", "choices": [text, "other"]},
                    "two": {"type": "words"},
                    "three": {"type": "text", "default": text},
                    "four": {"type": "set", "items": "words", "default": [text]},
                },
            },
        },
        "terms": {"player": text, "players": text},
    }  # fmt: skip
    mechanics = "```starlark\ndef do_say(actor, one, two, three, four):\n    pass\n```\n"
    return small_law({"2-dynastic/20-hostile.md": files.join(files.write(front), f"Words.\n\n{mechanics}")})


@pytest.mark.parametrize("text", HOSTILE)
def test_a_form_is_whole_whatever_its_rule_says(text: str) -> None:
    form = yaml.safe_load(texts(of_hostile(text))["say.yml"])
    assert len(form["name"]) <= 100
    assert len(form["description"]) <= 300
    asked = [field for field in form["body"] if field["type"] != "markdown"]
    told = [
        form["name"],
        form["description"],
        form["title"],
        *(field["attributes"]["label"] for field in asked),
    ]
    assert all(isinstance(each, str) and each.strip() and each.isprintable() for each in told)
    assert [field["id"] for field in asked] == ["action-of-this-form", "one", "two", "three", "four"]
    for field in asked:
        options = field["attributes"].get("options", ["a"])
        assert all(isinstance(each, str) and each.strip() == each and each.isprintable() for each in options)
        assert len(set(options)) == len(options)
        assert "none" not in map(str.casefold, options)
        assert isinstance(field["attributes"].get("value", ""), str)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_rule_says_is_no_markup_in_its_form(text: str) -> None:
    (shown,) = (
        f["attributes"]["value"] for f in yaml.safe_load(texts(of_hostile(text))["say.yml"])["body"][:1]
    )
    assert not re.search(r"(?<!\\)[<`]", shown)
    assert len(re.findall(r"(?<!\\)\]\(", shown)) == 1  # the link to the rule


@pytest.mark.slow
def test_a_deed_that_changes_no_rule_does_not_even_load_the_forms(attic: Small) -> None:
    code = (
        "import sys; from nomicgit.record.game import Game; from nomicgit.physics.deeds.pipeline import Deed;"
        f"Game.open(sys.argv[1]).act(Deed('{named('d1')}', 'cy', 'earn', {{'n': 3}}, {attic.at + 60})); print(*sys.modules)"
    )
    command = [sys.executable, "-c", code, str(attic.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "nomicgit.record.game" in loaded
    assert "nomicgit.record.forms" not in loaded


SAMPLES = {
    "list": "a",
    "set": "a",
    "map": "{a: 1}",
    "record": "{a: 1}",
    "entry": "{action: a}",
    "integer": "1",
    "number": "1",
}


@pytest.mark.parametrize("edition", editions.names())
def test_every_form_that_is_written_is_read(edition: str) -> None:
    law = NEWEST.law(editions.load(edition))
    made = texts(editions.load(edition))
    for action in filter(forms.has_form, law.declared.actions.values()):
        form: Any = files.read(made[forms.file_of(action.name)])
        body, wanted = "", set()
        for field in (each for each in form["body"] if each["type"] != "markdown"):
            text, options = "_No response_", field["attributes"].get("options")
            if field.get("validations", {}).get("required"):
                kind = action.parameters.get(field["id"], Type("text")).kind
                text = options[0] if options else SAMPLES.get(kind, "a")
                wanted.add(field["id"])
            body += f"### {field['attributes']['label']}\n\n{text}\n\n"
        assert forms.named(body) == action.name
        assert forms.read(body, action).keys() | {"action-of-this-form"} == wanted
