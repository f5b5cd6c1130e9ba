"""Words ``NAME=VALUE`` behind a command of its own: the line that says the same, as that command reads it, or ``act`` does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from nomicgit.cli.seat import Seat
from nomicgit.ground import files
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, NomicError
from nomicgit.ground.remedies import command
from nomicgit.outlook.commanded import OWN, owned

_PAIR = late(r"(?s)([A-Za-z][A-Za-z0-9_-]*)=(.*)")
_LISTS = ("tags", "changes")
_SHORT = frozenset({"matter", "icon", "player", "reason", "as", "post", "deed", "kind", "dice", "path"})
"""The parameters that one word is enough for; of any other it may be the first of several that lack their quotes."""


class _Unclear(Exception):
    """What was typed can be meant in more than one way."""


def refusal(face: click.Command, ctx: click.Context, typed: Sequence[str]) -> str:
    """What is wrong where a word is ``NAME=VALUE`` of a parameter of the action that a command does, with what to write; else ""."""
    name = str(face.name)
    try:
        options, left, _ = face.make_parser(ctx).parse_args([*typed])
    except click.UsageError:
        return ""  # of which click tells
    placed = [options.get(each.name) for each in face.params if isinstance(each, click.Argument)]
    words = [
        word
        for each in placed
        for word in (each if isinstance(each, tuple) else (each,))
        if isinstance(word, str)
    ]
    words += left
    seat = ctx.ensure_object(Seat)
    known = _known(face, seat, options, words) if name in OWN else {}
    pairs = [word for word in words if _key(word) in known]
    if not pairs:
        return ""
    what = f"here a parameter is given otherwise than by {pairs[0].partition('=')[0]}=…"
    try:
        return f"{what}; write:\n{_line(face, options, words, known, seat)}"
    except (_Unclear, NomicError, OSError):
        parameters = [
            *OWN[name],
            *(key for key in known.values() if key not in OWN[name] and "--" not in key),
        ]
        asked = " ".join(f"{key}=…" for key in dict.fromkeys(parameters))
        return f"{what}, or, with each text of several words in quotes, by: nomicgit act {name} {asked}"


def _key(word: str) -> str:
    pair = _PAIR.fullmatch(word)
    return pair[1].replace("-", "_").lower() if pair else ""


def _known(
    face: click.Command, seat: Seat, options: Mapping[str, Any], words: Sequence[str]
) -> dict[str, str]:
    """What may stand before an equals sign, and which parameter it is; what is an option only is that option."""
    ways = OWN[str(face.name)]
    known = {
        each.opts[0][2:].replace("-", "_"): each.opts[0]
        for each in face.params
        if isinstance(each, click.Option)
        and not (each.is_flag or str(each.name).startswith("seat_"))
        and each.opts[0].startswith("--")
    }
    known |= {option[2:].replace("-", "_"): key for key, option in ways.items() if option}
    known |= {key: key for key in ways}
    if any(key and key not in known for key in map(_key, words)):
        known = {key: key for key in _declared(str(face.name), seat, options.get("seat_path"))} | known
    return known


def _declared(name: str, seat: Seat, path: object) -> Sequence[str]:
    """The parameters that the game's rules give an action; none where no game is at hand that has it."""
    try:
        actions = Seat(path=path if isinstance(path, str) else seat.path).game().law.declared.actions
    except (NomicError, OSError):
        return ()
    return [*actions[name].parameters] if name in actions else ()


def _line(
    face: click.Command,
    options: Mapping[str, Any],
    words: Sequence[str],
    known: Mapping[str, str],
    seat: Seat,
) -> str:
    name = str(face.name)
    given, behind = _by_option(face, options)
    apart = dict[str, str]()  # what options alone are
    for key, text in _placed(face, words, known, frozenset(given)).items():
        if key.startswith("--"):
            apart[key] = text
        elif key == "changes" and (file := _file(text)):
            apart["--changes"] = file
        else:
            given[key] = _several(text) if key in _LISTS else text
    given = {key: value for key, value in given.items() if value != ""}
    own = owned(name, {key: _texts(value) for key, value in given.items()}, str)
    if own is not None:
        said = [*own, *(word for pair in apart.items() for word in pair), *behind, *_seat(seat)]
        _refuse_lacking(face, said)
        return command("nomicgit", name, *said)
    if (
        apart.keys() - {"--changes"}
        or ("changes" in given and apart)
        or any(each in behind for each in _OF_BRANCHES)
    ):
        raise _Unclear
    if apart:
        given["changes"] = f"@{apart['--changes']}"
    pairs = (
        f"{key.replace('_', '-')}={value if isinstance(value, str) else files.write_flow(value)}"
        for key, value in given.items()
    )
    return command("nomicgit", "act", name, *pairs, *behind, *_seat(seat))


def _refuse_lacking(face: click.Command, said: Sequence[str]) -> None:
    """Refuse a line that its command would not take, such as one that lacks what must be there."""
    try:
        with click.Context(face, obj=Seat()) as alone:
            face.make_context(face.name, [*said], alone)
    except click.UsageError:
        raise _Unclear from None


_OF_BRANCHES = ("--branch", "--update", "--sign-only", "--key", "--changes")


def _by_option(face: click.Command, options: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What options of the line give parameters; and the other options, as they were typed."""
    given, rest = dict[str, Any](), list[str]()
    keys = {option: key for key, option in OWN[str(face.name)].items() if option}
    keys |= {"--title": "title"} if face.name == "post" else {}
    for each in face.params:
        if not isinstance(each, click.Option) or each.name not in options:
            continue
        value, option = options[each.name], each.opts[0]
        if option not in keys:
            several = value if each.multiple else [value]
            rest += [option] if each.is_flag else [w for one in several for w in (option, str(one))]
        elif keys[option] == "changes":
            given["changes"] = [files.read(text, option) for text in value]
        else:
            given[keys[option]] = [*value] if each.multiple else value
    return given, rest


def _placed(
    face: click.Command, words: Sequence[str], known: Mapping[str, str], given: frozenset[str]
) -> dict[str, str]:
    """Each word at the parameter that it is of: by its name, else by its place, else by the name that stands before it."""
    named = [known.get(_key(word), "") for word in words]
    if len({*filter(None, named)}) < len([*filter(None, named)]) or given & {*named}:
        raise _Unclear  # given twice
    arguments = [each for each in face.params if isinstance(each, click.Argument)]
    places = [key for key, option in OWN[str(face.name)].items() if not option]
    needed = [
        key for key, each in zip(places, arguments, strict=True) if each.required or face.name == "post"
    ]
    places += [] if places or "title" not in OWN[str(face.name)] else ["title"]
    said, last, several = (
        dict[str, str](),
        "",
        {"title", *(k for k, a in zip(places, arguments, strict=False) if a.nargs < 0)},
    )
    for word, key in zip(words, named, strict=True):
        free = next((k for k in places if k not in said and k not in named and k not in given), "")
        if key:
            said[key] = word.partition("=")[2]
            last = key
        elif _key(word):
            raise _Unclear  # a name that no parameter has
        elif last and last in named and last not in _SHORT:
            if free in needed:
                raise _Unclear  # whose place it may be
            said[last] += f" {word}"
        elif free:
            said[free] = word
            last = last or free
        elif last in several:
            said[last] += f" {word}"
        else:
            raise _Unclear
    return said


def _file(text: str) -> str:
    """The file that is meant where a file of changes was named, and none was written; else ""."""
    return (
        text.removeprefix("@") if text.startswith("@") or isinstance(files.read(text, "changes"), str) else ""
    )


def _several(text: str) -> list[Any]:
    """The members of a list as it is typed; what is none is its one member."""
    try:
        read = files.read(text, "list")
    except Malformed:
        raise _Unclear from None
    return read if isinstance(read, list) else [read]


def _texts(value: Any) -> Any:
    """A value as a command takes it behind an option: of a list each member as a text."""
    if not isinstance(value, list):
        return value
    return [each if isinstance(each, str) else files.write_flow(each) for each in value]


def _seat(seat: Seat) -> Iterator[str]:
    """What was said before the command of more than where the game is, as it may stand behind it."""
    for option, value in (("--as", seat.player), ("--at", seat.at)):
        if value is not None:
            yield from (option, value)
    yield from (option for option, asked in (("--dry-run", seat.dry_run), ("--json", seat.as_json)) if asked)
