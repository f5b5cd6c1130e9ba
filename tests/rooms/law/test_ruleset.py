"""The ruleset: order, numbers, names, and moving rules about."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nomicgit.ground.problems import Malformed, Refused
from nomicgit.law.rules import Rule
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.terms import quoted, replacing
from nomicgit.law.titles import slug_for


def file(title: str, prose: str = "Words.", front: str = "") -> str:
    return f"---\ntitle: {title}\n{front}---\n{prose}\n"


FILES = {
    "1-core/index.md": "The core rules.\n",
    "1-core/10-ruleset.md": file("Ruleset"),
    "1-core/20-players.md": file("Vampire Lords", "An Assassin plays."),
    "1-core/20-players/10-idle.md": file("Idle Players"),
    "1-core/20-players/10-idle/10-unidling.md": file("Unidling"),
    "2-dynastic/10-vampire-lords.md": file("Vampire Lords"),
    "2-dynastic/100-journey.md": file("“Richardo’s Journey”"),
    "2-dynastic/20-crypt.md": file("The Crypt [Gothic]"),
    "3-special-case/10-favours.md": file("Favours", front="rare: true\n"),
    "3-special-case/20-downtime.md": file("Downtime", front="rare: true\nstatus: active\n"),
    "4-appendix/10-keywords.md": file("Keywords"),
}
RULES = Ruleset.read(FILES)
NEW = Rule("moonlight", "Moonlight", {}, "The moon shines.", "")


def order(rules: Ruleset, section: str) -> list[str]:
    return [f"{each.number} {each.slug}" for each in rules.rules if each.section == section]


# ---- reading


def test_rules_come_in_order_of_their_prefixes_with_subrules_below() -> None:
    assert order(RULES, "core") == ["1.1 ruleset", "1.2 players", "1.2.1 idle", "1.2.1.1 unidling"]
    assert order(RULES, "dynastic") == ["2.1 vampire-lords", "2.2 crypt", "2.3 journey"]


def test_sections_have_the_numbers_of_their_folders() -> None:
    assert RULES.sections == ((1, "core"), (2, "dynastic"), (3, "special-case"), (4, "appendix"))
    rules = Ruleset.read({"3-appendix/10-keywords.md": file("Keywords")})
    assert rules.by_slug["keywords"].number == "3.1"


def test_a_section_may_have_words_of_its_own() -> None:
    assert RULES.intros == {"core": "The core rules.\n"}


@pytest.mark.slow
def test_ties_of_prefixes_go_by_slug() -> None:
    rules = Ruleset.read({"1-core/10-b.md": file("B"), "1-core/10-a.md": file("A")})
    assert order(rules, "core") == ["1.1 a", "1.2 b"]


def test_a_subrule_knows_its_parent() -> None:
    assert RULES.by_slug["unidling"].parent == "idle"
    assert RULES.by_slug["players"].parent is None


def test_a_special_case_rule_that_says_nothing_is_at_its_default_status() -> None:
    assert RULES.by_slug["favours"].status == "inactive"
    assert RULES.by_slug["downtime"].status == "active"


def test_a_rare_rule_elsewhere_is_active() -> None:
    assert Ruleset.read({"1-core/10-a.md": file("A", front="rare: true\n")}).by_slug["a"].status == "active"


@pytest.mark.parametrize(
    ("front", "default", "status"),
    [
        ("", "active", "active"),
        ("status: inactive\n", "active", "inactive"),
        ("rare: true\n", "inactive", "inactive"),
        ("rare: true\ndefault_status: active\n", "active", "active"),
        ("rare: true\nstatus: active\n", "inactive", "active"),
    ],
)
def test_a_special_case_rule_that_is_rare_is_inactive_by_default(
    front: str, default: str, status: str
) -> None:
    placed = Ruleset.read({"3-special-case/10-a.md": file("A", front=front)}).by_slug["a"]
    assert (placed.default_status, placed.status) == (default, status)


def test_all_problems_of_all_files_are_told_together() -> None:
    wrong = {
        "1-core/10-a.md": file("A"),
        "1-core/20-a.md": file("A again"),
        "1-core/30-gone/10-sub.md": file("Sub"),
        "1-core/Notes.txt": "notes",
        "2-dynastic/10-b.md": "---\nlimits: {}\n---\n",
        "stray.md": file("Stray"),
    }
    with pytest.raises(Malformed) as caught:
        Ruleset.read(wrong)
    text = str(caught.value)
    for words in (
        "the slug a is taken",
        "parent is no rule",
        "a bad file name",
        "title is missing",
        "in no section",
    ):
        assert words in text


def test_rules_lie_six_levels_deep_at_most() -> None:
    files, folder = {}, "1-core"
    for level in range(7):
        folder += f"/10-r{level}"
        files[f"{folder}.md"] = file(f"R{level}")
    with pytest.raises(Malformed, match="deeper than 6"):
        Ruleset.read(files)


def test_two_folders_cannot_be_one_section() -> None:
    with pytest.raises(Malformed, match="same section"):
        Ruleset.read({"1-core/10-a.md": file("A"), "2-core/10-b.md": file("B")})


def test_untouched_rules_are_the_same_values_after_a_change() -> None:
    changed = RULES.with_rule(Rule("crypt", "The Crypt", {}, "Dark.", ""))
    assert changed.by_slug["crypt"].prose == "Dark."
    assert all(changed.by_slug[s] is RULES.by_slug[s] for s in RULES.by_slug if s != "crypt")
    assert {path for path, text in changed.texts.items() if FILES[path] != text} == {"2-dynastic/20-crypt.md"}


def test_a_rule_put_back_as_it_was_keeps_its_bytes() -> None:
    files = FILES | {"1-core/10-ruleset.md": "---\n# a comment\ntitle:   Ruleset\n---\nWords.\n\n\n"}
    rules = Ruleset.read(files)
    assert rules.with_rule(rules.by_slug["ruleset"]).texts == files


# ---- naming


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("players", "players"),
        ("rules/players", "players"),
        ("1.2.1", "idle"),
        ("idle players", "idle"),
        ('"Richardo\'s Journey"', "journey"),
        ("the crypt", "crypt"),
        ("The Crypt [gothic]", "crypt"),
        ("core/Vampire Lords", "players"),
        ("Special Case/Favours", "favours"),
        ("dynastic/the crypt", "crypt"),
    ],
)
def test_a_rule_is_found_by_slug_number_or_title(name: str, slug: str) -> None:
    assert RULES.find(name).slug == slug


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(Refused, match="no rule is called 'Nowhere'"):
        RULES.find("Nowhere")


def test_an_ambiguous_title_is_refused_with_the_slugs_to_choose_from() -> None:
    with pytest.raises(
        Refused, match=r"write players for 1\.2 Vampire Lords or vampire-lords for 2\.1 Vampire Lords"
    ):
        RULES.find("Vampire Lords")


def test_a_section_decides_between_equal_titles() -> None:
    assert RULES.find("Vampire Lords", section="dynastic").slug == "vampire-lords"


def test_a_title_is_unique_or_not() -> None:
    assert RULES.unique_title("idle")
    assert not RULES.unique_title("players")


def test_under_and_children() -> None:
    assert [each.slug for each in RULES.under("players")] == ["players", "idle", "unidling"]
    assert [each.slug for each in RULES.children("players")] == ["idle"]


# ---- places


def test_a_new_rule_comes_last_in_the_dynastic_section() -> None:
    assert RULES.add(NEW).by_slug["moonlight"].path == "2-dynastic/110-moonlight.md"


def test_a_new_rule_takes_a_number_between_its_neighbours() -> None:
    assert RULES.add(NEW, after="vampire-lords").by_slug["moonlight"].path == "2-dynastic/15-moonlight.md"
    assert RULES.add(NEW, before="vampire-lords").by_slug["moonlight"].path == "2-dynastic/5-moonlight.md"


def test_where_no_number_is_free_the_siblings_are_renumbered_by_tens() -> None:
    files = {"1-core/1-a.md": file("A"), "1-core/1-a/7-x.md": file("X"), "1-core/2-b.md": file("B")}
    rules = Ruleset.read(files).add(NEW, after="a")
    assert sorted(rules.texts) == [
        "1-core/10-a.md", "1-core/10-a/7-x.md", "1-core/20-moonlight.md", "1-core/30-b.md"
    ]  # fmt: skip
    assert rules.texts["1-core/30-b.md"] == files["1-core/2-b.md"]


def test_a_rule_is_put_under_another() -> None:
    placed = RULES.add(NEW, under="crypt").by_slug["moonlight"]
    assert (placed.path, placed.number, placed.parent) == (
        "2-dynastic/20-crypt/10-moonlight.md",
        "2.2.1",
        "crypt",
    )


def test_a_neighbour_that_is_gone_gives_the_end_of_the_place() -> None:
    assert RULES.add(NEW, section="core", after="gone").by_slug["moonlight"].number == "1.3"
    assert RULES.add(NEW, section="core", after="crypt").by_slug["moonlight"].number == "1.3"


def test_an_empty_section_can_be_filled() -> None:
    rules = Ruleset.read({"1-core/10-a.md": file("A"), "3-appendix/10-k.md": file("K")})
    assert rules.add(NEW).by_slug["moonlight"].number == "2.1"


def test_a_section_whose_number_is_taken_is_refused() -> None:
    rules = Ruleset.read({"1-core/10-a.md": file("A"), "3-appendix/10-k.md": file("K")})
    with pytest.raises(Refused, match="no section 'special-case'"):
        rules.add(NEW, section="special-case")


def test_a_rule_moves_with_its_subrules() -> None:
    rules = RULES.move("players", section="dynastic", before="crypt")
    assert order(rules, "dynastic")[1:4] == ["2.2 players", "2.2.1 idle", "2.2.1.1 unidling"]
    assert rules.by_slug["idle"].path == "2-dynastic/15-players/10-idle.md"


def test_a_rule_cannot_move_under_its_own_subrule() -> None:
    with pytest.raises(Refused, match="under itself"):
        RULES.move("players", under="unidling")


def test_removing_a_rule_takes_its_subrules_along() -> None:
    assert order(RULES.remove("players"), "core") == ["1.1 ruleset"]


slugs = st.sampled_from(sorted(RULES.by_slug))


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(slugs, st.none() | slugs, st.none() | slugs, st.none() | slugs), max_size=6))
@example(
    [
        ("crypt", "journey", None, None),
        ("downtime", "unidling", None, None),
        ("favours", "crypt", None, None),
        ("players", "favours", None, None),
    ]
)  # deeper than rules may lie
def test_however_rules_move_none_is_lost_and_none_changes(
    moves: list[tuple[str, str | None, str | None, str | None]],
) -> None:
    rules = RULES
    for slug, under, after, before in moves:
        try:
            rules = rules.move(slug, under=under, after=after, before=before)
        except Refused:
            continue
        if after is not None and under is None and after not in {each.slug for each in rules.under(slug)}:
            siblings = [each.slug for each in rules.rules if each.parent == rules.by_slug[slug].parent]
            assert siblings.index(slug) == siblings.index(after) + 1
    assert {each.slug: each.rule for each in rules.rules} == {each.slug: each.rule for each in RULES.rules}
    assert Ruleset.read(rules.texts).rules == rules.rules


# ---- slugs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "slug"),
    [("Richardo’s Journey", "richardos-journey"), ("Éclair: 2 & more!", "eclair-2-more"), ("@", "")],
)
def test_a_slug_is_the_title_in_ascii(title: str, slug: str) -> None:
    assert slug_for(title, ()) == slug


def test_a_slug_that_was_ever_used_gets_a_number() -> None:
    assert slug_for("The Crypt", {"the-crypt", "the-crypt-2"}) == "the-crypt-3"


# ---- terms

OLD = {"player": "Assassin", "players": "Assassins", "emperor": "Referee"}
CREW = {"player": "Sailor", "players": "Crew", "emperor": "Admiral"}


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("Assassins and one Assassin’s hat.", "Crew and one Sailor’s hat."),
        ("the assassin, ASSASSINS", "the sailor, CREW"),
        ("An Assassin meets a Referee.", "A Sailor meets an Admiral."),
        ("an **Assassin**", "a **Sailor**"),
        ("_Assassin_ and _assassin_s", "_Sailor_ and _assassin_s"),
        ("Assassin-like, non-Assassin, Assassination", "Assassin-like, non-Assassin, Assassination"),
        (
            "do_assassin `Assassin` {{terms.player}} (Assassin)",
            "do_assassin `Assassin` {{terms.player}} (Assassin)",
        ),
        ("[Assassin](https://x.org/Assassin)", "[Sailor](https://x.org/Assassin)"),
        ("```text\nAssassin\n```\nAssassin", "```text\nAssassin\n```\nSailor"),
    ],
)
def test_terms_are_replaced_as_whole_words_outside_code_and_quotes(text: str, becomes: str) -> None:
    assert replacing(OLD, CREW)(text) == becomes


def test_a_term_that_is_a_sign_touches_no_letter() -> None:
    old, new = {"player": "@", "players": "@s", "emperor": "RNG"}, {"player": "Elf", "players": "Elves"}
    assert (
        replacing(old, new)("A @, two @s, me@home, x@, @'s, RNG")
        == "An Elf, two Elves, me@home, x@, Elf's, RNG"
    )


def test_a_plural_that_is_not_given_ends_in_s() -> None:
    assert replacing(OLD, {"player": "Elf"})("Assassins") == "Elfs"


def test_a_role_without_a_term_has_its_base_word() -> None:
    assert replacing({}, CREW)("Each Player obeys the Emperor.") == "Each Sailor obeys the Admiral."


def test_regional_spellings_are_the_same_term() -> None:
    old = {"player": "Armourer", "players": "Armourers", "emperor": "Grey Organiser"}
    assert replacing(old, CREW)("an Armorer, the Gray Organizer") == "a Sailor, the Admiral"


def test_terms_can_be_exchanged() -> None:
    assert (
        replacing(OLD, {"player": "Referee", "emperor": "Assassin"})("Assassin, Referee")
        == "Referee, Assassin"
    )


def test_new_terms_reach_titles_and_prose_and_nothing_else() -> None:
    old = {"player": "Vampire Lord", "players": "Vampire Lords", "emperor": "King"}
    rules = RULES.with_terms(old, CREW)
    assert rules.by_slug["players"].title == rules.by_slug["vampire-lords"].title == "Crew"
    assert rules.texts["1-core/10-ruleset.md"] is FILES["1-core/10-ruleset.md"]


def test_quotes_are_read_and_unknown_ones_stay() -> None:
    look = {"limits.daily.gap": "10 hours"}.get
    prose = "Every {{ limits.daily.gap }}, {{nothing}} and `{{limits.daily.gap}}`."
    assert quoted(prose, look) == "Every 10 hours, {{nothing}} and `{{limits.daily.gap}}`."
