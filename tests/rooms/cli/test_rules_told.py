"""What a deed did to the rules is told, whatever kind of deed it is; and who lacks the key for one is told how it is handed in."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from support.clones import Clone

PLAYERS = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
MOVES = "{move: {rule: unlife, before: vampire-lords}}"
BREAKS = "{add-rule: {title: Knell, text: The bell tolls., declares: {actions: {knell: {}}}}}"
LAMP = "{add-rule: {title: Lamp, text: Teh lamp is lit.}}"


@pytest.mark.slow
def test_a_slip_that_is_corrected_and_an_ascension_tell_their_rules(tmp_path: Path) -> None:
    here, game = Clone(tmp_path), Clone(tmp_path / "hall")
    here.play(
        "new", "hall", "--edition", "crypt", "--practice", "--start", "2021-06-07T00:00:00Z", *PLAYERS,
        "--emperor", "ana", "--admin", "ben",
    )  # fmt: skip
    more = ("--change", MOVES, "--change", BREAKS)
    game.play("propose", "--as", "cy", "--at", "+1h", "--title", "Lamp", "--change", LAMP, *more)
    for number, deed in ((1, ""), (2, "dov --as cy --at +1h --title Won")):
        if deed:
            game.play(*shlex.split(deed))
        for who in ("ana", "ben", "dee", "eli"):
            game.play("vote", str(number), "for", "--as", who)
        resolved = game.play("resolve", str(number), "--as", "ben", "--at", "+13h").splitlines()
        if not deed:
            assert resolved[-3:-1] == ["  rules added: Lamp, Knell", "  rules moved: Unlife"]
            assert re.fullmatch(
                r"  it does not work: \S+knell\.md:\d+, .*nobody defines do_knell, .*", resolved[-1]
            )
            slip = ("act", "correct-typo", "--as", "ben", "rule=lamp")
            said = game.play(*slip, "replace=Teh", "with=The")
            assert said.splitlines()[1:] == ["  rules amended: Lamp"]
            assert json.loads(game.play(*slip, "replace=lit", "with=bright", "--json"))["rules"] == {
                "amended": ["Lamp"]
            }
            [file] = (game.folder / "game" / "ruleset").rglob("*lamp.md")
            assert "The lamp is bright." in file.read_text()

    here.git("clone", "-q", "hall", "keyless")
    keyless, ascend = Clone(tmp_path / "keyless"), ("--as", "cy", "ascend", "Clouds", "keep=[Lamp]")
    said = keyless.play(*ascend, code=1)
    [line] = [each.strip() for each in said.splitlines() if each.strip().startswith("nomicgit order")]
    assert shlex.split(line)[2:5] == ["ascend", "theme=Clouds", 'keep=["Lamp"]']
    assert "\n    nomicgit keys set\n" in f"{said}\n"
    assert "only the deed itself uses it" in game.play(*ascend, "--dry-run", code=1)
    gone = {file.name.partition("-")[2] for file in (game.folder / "game/ruleset/2-dynastic").rglob("*.md")}
    said = game.play(*ascend)
    left = {file.name.partition("-")[2] for file in (game.folder / "game/ruleset/2-dynastic").rglob("*.md")}
    [repealed] = [each for each in said.splitlines() if each.startswith("  rules repealed: ")]
    assert "lamp.md" in left
    assert gone > left
    assert "Vampire Lords" in repealed
    assert "Lamp" not in repealed
