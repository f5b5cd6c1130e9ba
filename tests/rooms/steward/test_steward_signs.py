"""The steward signs what it records, where its game asks for that; without its key it lets nothing become a deed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.doorstep import HOUR, doorstep
from support.signing import keys_beside

from nomicgit.git import Repository
from nomicgit.git.signing import HANDS
from nomicgit.ground.problems import Refused
from nomicgit.record import entitled
from nomicgit.sealing.ssh import PublicKey


@pytest.mark.slow
def test_what_people_do_on_a_forge_is_signed_by_its_steward(tmp_path: Path) -> None:
    keys_beside(tmp_path, "ana", "steward")
    lines = {name: PublicKey.read((tmp_path / f"{name}.pub").read_text()).line for name in ("ana", "steward")}
    with doorstep(tmp_path, restore={"by": ["ana"], "of": 1}) as door:
        with Repository.open(door.github.repo.path) as bare:
            bare.set_config("nomicgit.player", "ana")
            bare.set_config("nomicgit.key", str(tmp_path / "ana"))
        game = door.game()
        entitled.give_keys(game, "ana", [lines["ana"]], "ana", (), door.github.clock.now)
        with pytest.raises(Refused, match="the steward would have to sign"):
            entitled.under_signatures(game, ["ana"], "required", door.github.clock.now)
        entitled.give_keys(game, "steward", [lines["steward"]], "", ["ana"], door.github.clock.now)
        entitled.under_signatures(game, ["ana"], "required", door.github.clock.now)
        pull = door.propose("cy", "Moonlight", body="It is dark.")
        passed = door.run()
        assert "the steward must sign this" in str(passed.problems)
        assert (passed.deeds, passed.told) == ([], [])
        with Repository.open(door.folder) as clone:
            clone.set_config(HANDS["steward"], str(tmp_path / "steward"))
        door.run()
        for who in ("dee", "eli", "fox"):
            door.review(who, pull)
        door.run()
        door.github.clock.advance(12 * HOUR)
        door.run()
        assert door.post(1)["status"] == "enacted"
        assert door.faults() == []
        signers, bare_path = tmp_path / "signers", str(door.github.repo.path)
        show = ["git", "-C", bare_path, "show", "main:game/signers"]
        signers.write_bytes(subprocess.run(show, capture_output=True, check=True).stdout)
        named = ["-c", "gpg.format=ssh", "-c", f"gpg.ssh.allowedSignersFile={signers}"]
        line = ["git", "-C", bare_path, *named, "log", "-4", "--format=%GS %G?", "main"]
        said = subprocess.run(line, capture_output=True, text=True, check=True).stdout.split("\n")
        assert set(said) == {"steward@nomicgit.invalid G", ""}
