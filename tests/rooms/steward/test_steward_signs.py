"""The steward signs what it records, where its game asks for that; without its key it lets nothing become a deed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.clones import Clone
from support.doorstep import HOUR, Doorstep, doorstep, rule
from support.signing import forge_says, keys_beside

from nomicgit.git import Repository
from nomicgit.git.signing import HANDS
from nomicgit.ground.problems import Refused
from nomicgit.record.outside import entitled
from nomicgit.replay.verifying import verify
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
        bot = "41898282+herald[bot]@users.noreply.github.com"
        entitled.give_keys(game, "steward", [lines["steward"]], "", ["ana"], door.github.clock.now, bot)
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
        assert forge_says(door.github.repo.path, tmp_path, {bot: "steward"}, "main") == "verified: steward"


@pytest.fixture
def signing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Doorstep, Clone]]:
    """A game on a forge in which Cy and Dee have keys, and Cy's clone of it, which signs for him."""
    monkeypatch.setenv("NO_COLOR", "1")
    keys_beside(tmp_path, "cy", "dee")
    with doorstep(tmp_path) as door:
        monkeypatch.setattr("nomicgit.cli.seat.time.time", lambda: door.github.clock.now)
        for name in ("cy", "dee"):
            with Repository.open(door.github.repo.path) as bare:
                bare.set_config("nomicgit.player", name)
                bare.set_config("nomicgit.key", str(tmp_path / name))
            line = PublicKey.read((tmp_path / f"{name}.pub").read_text()).line
            entitled.give_keys(door.game(), name, [line], name, (), door.github.clock.now)
        Clone(tmp_path).git("clone", "--quiet", str(door.github.repo.path), "cy-clone")
        clone = Clone(tmp_path / "cy-clone")
        clone.git("config", "nomicgit.player", "cy")
        clone.git("config", "nomicgit.key", str(tmp_path / "cy"))
        yield door, clone


def signed_text(door: Doorstep, clone: Clone, name: str, *words: str) -> str:
    """The text of a pull request for a new rule, as Cy's clone signs it; the branch lies in his fork."""
    cy, slug = door.people["cy"], name.casefold()
    door.sync(cy)
    files = {f"game/ruleset/2-dynastic/90-{slug}.md": rule(name, f"{name} shines.")}
    door.github.commit(cy, files, branch=slug, message=name)
    clone.git("fetch", "--quiet", str(door.github.fork(cy).path), f"+{slug}:refs/heads/{slug}")
    clone.git("pull", "--quiet", "origin", "main")
    said = json.loads(clone.play("propose", "--branch", slug, "--sign-only", "--json", *words))
    assert (said["by"], said["title"]) == ("cy", name)
    return str(said["text"])


def proven_by_openssh(door: Doorstep, folder: Path) -> bool:
    """Whether ssh-keygen takes the signature in the newest deed for Cy's, of a text that this test writes by itself."""
    line = ["git", "-C", str(door.github.repo.path), "log", "-1", "--format=%B", "main"]
    message = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    rows = dict(row.split(": ", 1) for row in message.strip().split("\n") if row.startswith("Nomic-"))
    by, at, armour = json.loads(rows["Nomic-Evidence"])["signed"]
    game = door.game()
    founding = [*game.repository.log(game.head.oid)][-1].message.rpartition("Nomic-Id: ")[2].strip()
    post = door.post(int((game.tree.entity("open") or {})["next"]) - 1)
    given = {name: post[name] for name in ("title", "body", "changes") if post.get(name)}
    said = {"game": founding, "term": 0, "by": by, "action": "propose", "with": given, "nonce": "", "at": at}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    (folder / "armour").write_text(armour)
    (folder / "allowed").write_text(f"cy {(folder / 'cy.pub').read_text()}")
    check = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", "cy", "-n", "nomicgit-deed", "-s", "armour"]
    return (
        subprocess.run(check, cwd=folder, input=text.encode(), capture_output=True, check=False).returncode
        == 0
    )


@pytest.mark.slow
def test_a_proposal_that_its_player_has_signed_needs_neither_steward_nor_forge(
    signing: tuple[Doorstep, Clone], tmp_path: Path
) -> None:
    door, clone = signing
    text = signed_text(door, clone, "Moonlight", "--body", "It is dark.\r\n\r\n\r\n\r\nSo it is.")
    door.github.open_pull(
        door.people["cy"], head="moonlight", title="Moonlight", body=f"<!-- a form -->\n{text}"
    )
    assert door.run().problems == []
    assert door.post(1)["body"] == "It is dark.\n\nSo it is.", "without the signature"
    assert proven_by_openssh(door, tmp_path)
    assert door.faults() == []

    stored = subprocess.run(
        ["git", "-C", str(door.github.repo.path), "cat-file", "commit", "main"],
        capture_output=True,
        check=True,
    ).stdout
    forged = stored.replace(b'"signed": ["cy", "20', b'"signed": ["cy", "19')
    assert forged != stored
    line = ["git", "-C", str(door.github.repo.path), "hash-object", "-w", "-t", "commit", "--stdin"]
    oid = subprocess.run(line, input=forged, capture_output=True, check=True).stdout.decode().strip()
    with Repository.open(door.github.repo.path) as bare:
        assert "is not what cy has signed" in str(verify(bare, oid).faults[0])


@pytest.mark.slow
def test_what_somebody_else_or_otherwise_has_signed_is_refused_to_its_author_with_the_reason(
    signing: tuple[Doorstep, Clone],
) -> None:
    door, clone = signing
    earlier = signed_text(door, clone, "Sunlight")
    door.github.clock.advance(1)
    text = signed_text(door, clone, "Moonlight")
    unlike = {
        "is not what cy has signed": door.propose("cy", "Moonlight", body=f"And more.\n{text}"),
        "it is signed as cy's, and it is dee's": door.propose("dee", "Moonlight", body=text),
        "has not its form": door.propose("cy", "Starlight", body="```signed\nby me\n```\n"),
        "more than one block": door.propose("cy", "Daylight", body=text + text),
    }
    door.run()
    for why, pull in unlike.items():
        assert any(why in said for said in door.ours(pull)), (why, door.ours(pull))
    deeds = door.deeds()
    mine = door.propose("cy", "Moonlight", body=text)
    door.run()
    assert door.deeds() == deeds + 1, door.ours(mine)
    for again in (door.propose("cy", "Moonlight", body=text), door.propose("cy", "Sunlight", body=earlier)):
        door.run()
        assert any("a signature is good once" in said for said in door.ours(again)), door.ours(again)
    assert door.deeds() == deeds + 1
    assert door.faults() == []
    clone.git("config", "--unset", "nomicgit.key")
    assert "cy must sign this" in clone.play("propose", "--branch", "moonlight", "--sign-only", code=1)


@pytest.mark.slow
def test_what_was_signed_for_another_game_is_refused(signing: tuple[Doorstep, Clone], tmp_path: Path) -> None:
    door, clone = signing
    text = signed_text(door, clone, "Moonlight")
    (tmp_path / "other").mkdir()
    with doorstep(tmp_path / "other", comments="all") as other:  # founded otherwise: it is another game
        with Repository.open(other.github.repo.path) as bare:
            bare.set_config("nomicgit.player", "cy")
            bare.set_config("nomicgit.key", str(tmp_path / "cy"))
        line = PublicKey.read((tmp_path / "cy.pub").read_text()).line
        entitled.give_keys(other.game(), "cy", [line], "cy", (), other.github.clock.now)
        other.github.clock.advance(600)
        pull = other.propose("cy", "Moonlight", body=text)
        other.run()
        assert any("is not what cy has signed" in said for said in other.ours(pull)), other.ours(pull)
