"""What the commands do that are a deed each, with nothing before it and nothing behind."""

from __future__ import annotations

from nomicgit.cli.bodies.deed import act
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import from_source


def roll(seat: Seat, dice: str) -> int:
    return act(seat, "roll", {"dice": dice})


def undo(seat: Seat, deed: str) -> int:
    return act(seat, "undo", {"deed": deed})


def post(seat: Seat, title: str, kind: str | None, body: str) -> int:
    given = {"kind": kind or "none", "title": title}
    return act(seat, "post", given | ({"body": from_source(body)} if body else {}))


def comment(seat: Seat, post: str, text: tuple[str, ...]) -> int:
    return act(seat, "comment", {"post": post, "text": from_source(" ".join(text))})


def dov(seat: Seat, title: str, body: str) -> int:
    return act(seat, "dov", {"title": title} | ({"body": from_source(body)} if body else {}))


def join(seat: Seat) -> int:
    return act(seat, "join", {})


def idle(seat: Seat, player: str | None, reason: str | None) -> int:
    return act(seat, "idle", _given(seat, player, reason))


def unidle(seat: Seat, player: str | None, reason: str | None) -> int:
    return act(seat, "unidle", _given(seat, player, reason))


def vote(seat: Seat, matter: str, icon: str, text: tuple[str, ...]) -> int:
    said = from_source(" ".join(text))
    return act(seat, "vote", {"matter": matter, "icon": icon.lower()} | ({"text": said} if said else {}))


def _given(seat: Seat, player: str | None, reason: str | None) -> dict[str, str]:
    given = {"player": player or seat.actor(seat.game())}
    return given | ({"reason": reason} if reason else {})
