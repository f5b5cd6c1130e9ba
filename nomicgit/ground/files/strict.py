"""The strict reader: YAML 1.2's core schema without anything that two readers might take differently.

It pulls the events of libyaml one by one and keeps its own stack, so that bounds are checked before
anything deep or large exists, and nothing is ever constructed by a name that stands in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, NomicError, Place, Problem, printable

from .grammar import (
    MAX_DEPTH,
    MAX_KEY,
    MAX_NODES,
    Doubtful,
    Unquoted,
    Value,
    decoded,
    plain_key,
    refuse_unseen,
    scalar,
)

if TYPE_CHECKING:
    from yaml import CollectionStartEvent, DocumentStartEvent, Event, ScalarEvent

Lines = dict[tuple[str | int, ...], int]
T = TypeVar("T")
MOST_TOLD = 100  # scalars that are to be quoted, of one document
_NO_KEY: Any = object()
MENDS = {
    "mapping values are not allowed": 'put a text that holds ": " in quotes, or begin a key on a line of its own',
    "',' or '}'": "close the { before it with }, or put a comma between; a text with : , # or a bracket in it stands in quotes",
    "',' or ']'": "close the [ before it with ], or put a comma between",
    "end of stream": "close the quotation mark",
    "cannot start any token": "put the text in quotes",
    "expected node content": "write a value there, and close what is open before it",
    "expected ':'": "write : behind the key that stands before it",
    "expected key": "let the keys of one block begin at the same place, and close what is open once",
    "'-' indicator": "begin each element of the list with - at the same place",
}
"""What to write where YAML cannot be read, by what its parser says of it."""
_KEY, _VALUED = (late(rf" *[\w-]+:{ends}") for ends in (r"(?: |$)", r" +[^ #|>\[{\"']"))
COLONLESS = "mapping values are not allowed", "expected ':'"
_BARE = late(r"( *)([a-z][\w-]*)(?: +([^:#]*[^:# ]))? *")
SKEWED = "mapping values are not allowed", "<document start>", "expected key"
TOO_DEEP = f"nested more than {MAX_DEPTH} deep", "flatten it"


def read_with_lines(
    data: bytes | str, file: str = "", *, line: int = 1
) -> tuple[Value, dict[tuple[str | int, ...], int]]:
    """The value of one YAML document, and the line of each key and item, by its path from the top."""
    lines: dict[tuple[str | int, ...], int] = {}
    return read(decoded(data, file, line), file, line, lines), lines


def read(text: str, file: str = "", line: int = 1, lines: Lines | None = None) -> Value:
    """The value of one document; None for an empty one. Raises Malformed; fills ``lines`` where given."""
    refuse_unseen(text, file, line)
    return _Reader(file, line, lines).value(text)


def _bare(lines: list[str], at: int) -> tuple[int, str, str] | None:
    """The line right above one at which a key was met where none may be, if it is a key's and its colon was forgotten; with the key and
    what stands behind it.
    """
    above = [n for n in range(at) if lines[n].strip()]
    meant = _BARE.fullmatch(lines[above[-1]]) if above else None
    if meant is None:
        return None
    deep, here = len(meant[1]), len(lines[at]) - len(lines[at].lstrip(" "))
    before = lines[above[-2]].rstrip() if above[1:] else ""
    goes_on = deep > len(before) - len(before.lstrip(" ")) and not before.endswith(
        ":"
    )  # a text of several lines
    if goes_on or here < deep or (here > deep and meant[3]):
        return None
    return above[-1], meant[2], meant[3] or ""


def _skewed(lines: Sequence[str], at: int) -> tuple[int, int] | None:
    """The line that begins a block elsewhere than its other keys do, and at what depth these do, where the parser stumbles
    over a deeper line below it, over one that is not as deep as the first, or over one that is as deep as none; None where it
    stumbles over something else.

    Of two lines the first is taken to be amiss where it alone lies an odd number of spaces deeper than what it belongs to.
    """

    def depth(n: int) -> int:
        return len(lines[n]) - len(lines[n].lstrip(" "))

    above = [n for n, each in enumerate(lines[:at]) if each.strip() and not each.lstrip().startswith("#")]
    if not above or at >= len(lines) or not _KEY.match(lines[at]):
        return None
    if depth(above[0]) > depth(at) == 0:
        return above[0], 0
    deeper = {depth(n) for n in above} if depth(at) < depth(above[-1]) else set()
    if deeper and depth(at) not in deeper:
        return at, min(each for each in deeper if each > depth(at))
    if not (_VALUED.match(lines[above[-1]]) and depth(at) > depth(above[-1])):
        return None
    around = next((depth(n) for n in reversed(above) if depth(n) < depth(above[-1])), 0)
    first = (depth(above[-1]) - around) % 2 > (depth(at) - around) % 2
    return (above[-1], depth(at)) if first else (at, depth(above[-1]))


class _Open:
    """A container that is being read, and where in it the next value goes."""

    __slots__ = ("at", "inside")

    def __init__(self, inside: dict[str, Value] | list[Value]) -> None:
        self.inside = inside
        self.at: Any = _NO_KEY


class _Reader:
    """Builds one value out of events, on a stack of open containers."""

    def __init__(self, file: str, line: int, lines: Lines | None) -> None:
        self.file, self.line, self.lines = file, line, lines
        self.stack: list[_Open] = []
        self.top: Value = None
        self.documents = self.nodes = 0
        self.doubts: list[Problem] = []
        self.places: list[tuple[str | int, ...]] = []  # of the doubts
        self.ends: list[tuple[int, int]] = []  # of each doubt both, its line and column, from 0 on

    def value(self, text: str) -> Value:
        """The value of the document."""
        takers: dict[str, Callable[[Any], object]] = {
            "ScalarEvent": self._scalar,
            "MappingStartEvent": lambda event: self._open(event, {}),
            "SequenceStartEvent": lambda event: self._open(event, []),
            "MappingEndEvent": self._close,
            "SequenceEndEvent": self._close,
            "DocumentStartEvent": self._document,
            "AliasEvent": lambda event: self._refuse(event, "an alias", "write the value out"),
        }
        for event in self._events(text):
            take = takers.get(type(event).__name__)
            if take:
                take(event)
        if self.doubts:
            quoted = self._quoted(text)
            raise Unquoted(*self.doubts, meant=self.top, places=tuple(self.places), quoted=quoted)
        return self.top

    def _quoted(self, text: str) -> str:
        """The text with quotes around what is doubtful in it."""
        lines = text.split("\n")
        for line, column in reversed(self.ends):
            lines[line] = f'{lines[line][:column]}"{lines[line][column:]}'
        return "\n".join(lines)

    def _events(self, text: str) -> Iterator[Event]:
        import yaml  # costs a command 16 ms, which canonical files spare it

        if not yaml.__with_libyaml__:
            raise NomicError.of("PyYAML was built without libyaml", mend="install PyYAML from a wheel")
        try:
            yield from yaml.parse(text, Loader=yaml.CSafeLoader)
        except yaml.MarkedYAMLError as wrong:
            open_ends = (
                "end of stream" in str(wrong.problem) and wrong.context_mark
            )  # where the quotation mark stands
            mark = open_ends or wrong.problem_mark or wrong.context_mark
            place = Place(self.file, self.line + (mark.line if mark else 0), mark.column + 1 if mark else 0)
            what = f"not YAML: {wrong.problem or wrong.context}"
            mend = next((mend for part, mend in MENDS.items() if part in what), "")
            if mark and (
                skewed := any(each in what for each in SKEWED) and _skewed(text.split("\n"), mark.line)
            ):
                line, depth = skewed
                place = Place(self.file, self.line + line, 0)
                what = "not YAML: the key begins elsewhere than those of its block"
                mend = f'let it begin after {depth or "no"} spaces; a text that holds ": " stands in quotes'
            bare = (
                _bare(text.split("\n"), mark.line)
                if mark and any(each in what for each in COLONLESS)
                else None
            )
            if bare is not None:
                line, key, value = bare
                place = Place(self.file, self.line + line, 0)
                what = f"not YAML: no : stands behind the key {key}"
                mend = f"write {key}: {value}".rstrip()
            if "nesting depth" in what:  # libyaml's own bound, which it meets before it hands anything over
                what, mend = TOO_DEEP
            raise Malformed(*self.doubts, Problem(what, place, mend)) from None

    def _document(self, event: DocumentStartEvent) -> None:
        self.documents += 1
        if self.documents > 1:
            self._refuse(event, "a second document", "one file holds one document")
        if event.version or event.tags:
            self._refuse(event, "a directive", "take the line with % out")

    def _open(self, event: CollectionStartEvent, inside: dict[str, Value] | list[Value]) -> None:
        self._node(event)
        if len(self.stack) >= MAX_DEPTH:
            self._refuse(event, *TOO_DEEP)
        if self.stack and isinstance(self.stack[-1].inside, dict) and self.stack[-1].at is _NO_KEY:
            self._refuse(event, "a key that is not a text", "use a text as the key")
        self._put(event, inside)
        self.stack.append(_Open(inside))

    def _close(self, _: object) -> None:
        self.stack.pop()
        self._await_key()

    def _scalar(self, event: ScalarEvent) -> None:
        self._node(event)
        token, plain = event.value, event.implicit[0]
        if self.stack and isinstance(self.stack[-1].inside, dict) and self.stack[-1].at is _NO_KEY:
            self._key(event, self._meant(event, plain_key) if plain and len(token) <= MAX_KEY else token)
        else:
            self._put(
                event, self._meant(event, scalar) if plain and token else token or (None if plain else "")
            )

    def _meant(self, event: ScalarEvent, read: Callable[[str], T]) -> T | str:
        """What a plain scalar means; of one that is doubtful its text, which is told once all is read."""
        try:
            return read(event.value)
        except Doubtful as doubt:
            if len(self.doubts) >= MOST_TOLD:
                self._refuse(event, doubt.what, doubt.mend)
            self.doubts.append(self._problem(event, doubt.what, doubt.mend))
            self.places.append(tuple(self._leading()))
            self.ends += (
                (mark.line, mark.column) for mark in (event.start_mark, event.end_mark) if mark is not None
            )
            return event.value

    def _leading(self) -> Iterator[str | int]:
        """The keys and numbers that lead to what is read now; a key that is read leads nowhere yet."""
        for opened in self.stack:
            at = (
                len(opened.inside)
                if opened is self.stack[-1] and isinstance(opened.inside, list)
                else opened.at
            )
            if at is not _NO_KEY:
                yield at

    def _key(self, event: ScalarEvent, key: str) -> None:
        opened = self.stack[-1]
        if len(key) > MAX_KEY or event.style in ("|", ">"):
            self._refuse(event, f"a key of more than {MAX_KEY} characters or one line", "shorten it")
        if not key and event.implicit[0]:
            self._refuse(event, "a key is missing", "write one before the colon")
        if key in opened.inside:
            self._refuse(event, f"the key {printable(key)} stands here twice", "keep one of them")
        opened.at = key
        self._note(event)

    def _put(self, event: Event, value: Value) -> None:
        if not self.stack:
            self.top = value
            return
        opened = self.stack[-1]
        if isinstance(opened.inside, list):
            opened.at = len(opened.inside)
            self._note(event)
            opened.inside.append(value)
            return
        opened.inside[opened.at] = value
        if not isinstance(value, dict | list):
            self._await_key()

    def _await_key(self) -> None:
        """A mapping's value is complete."""
        if self.stack and isinstance(self.stack[-1].inside, dict):
            self.stack[-1].at = _NO_KEY

    def _node(self, event: CollectionStartEvent | ScalarEvent) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self._refuse(event, f"more than {MAX_NODES:,} values", "split the file")
        if event.anchor is not None:
            self._refuse(event, "an anchor", "take out the word with &")
        if event.tag is not None:
            self._refuse(event, "a tag", "take out the word with !")

    def _note(self, event: Any) -> None:
        if self.lines is not None:
            self.lines[tuple(opened.at for opened in self.stack)] = self.line + event.start_mark.line

    def _problem(self, event: Any, what: str, mend: str) -> Problem:
        mark = event.start_mark
        return Problem(what, Place(self.file, self.line + mark.line, mark.column + 1), mend)

    def _refuse(self, event: Any, what: str, mend: str) -> NoReturn:
        raise Malformed(*self.doubts, self._problem(event, what, mend))
