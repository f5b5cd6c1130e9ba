"""What players wrote, as HTML that can do nothing: Markdown rendered without its raw HTML, then sanitised.

Every word of a text is on its page: those that Markdown keeps to itself, such as a link's title, are shown beside the rest.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element

import markdown  # type: ignore[import-untyped]
import nh3
from markdown.blockprocessors import ReferenceProcessor  # type: ignore[import-untyped]
from markdown.extensions.footnotes import FootnoteBlockProcessor, FootnoteExtension  # type: ignore[import-untyped]
from markdown.extensions.tables import TableProcessor  # type: ignore[import-untyped]
from markdown.preprocessors import Preprocessor  # type: ignore[import-untyped]
from markdown.treeprocessors import Treeprocessor  # type: ignore[import-untyped]
from markupsafe import Markup, escape

from nomicgit.site.markup import tag, visible

LARGEST = 65_536  # bytes of a text; a longer one is shown as it was typed
MOST_BRACKETS = 500  # the renderer's time grows with the square of these, of headings, and of quotes and lists in each other
MOST_HEADINGS = 500
DEEPEST = 100  # quotes and lists in each other, on one line
SHIFT = 3  # a player's topmost heading is h4: pages and rules have h1 to h3 for themselves
BLOCKS = (
    "p",
    "hr",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "h4",
    "h5",
    "h6",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
)
TAGS = frozenset((*BLOCKS, "br", "em", "strong", "code", "a"))
ATTRIBUTES: dict[str, set[str]] = {
    "*": set(),
    "a": {"href"},
    "ol": {"start"},
    "th": {"align"},
    "td": {"align"},
}
_RAW = (("preprocessors", "html_block"), ("inlinePatterns", "html"))
_LEADS_NOWHERE = re.compile(
    r'<a rel="[^"]*">(.*?)</a>', re.DOTALL
)  # a link whose address was not let through
_SCROLLED = '<div class="nomic-table" tabindex="0" role="group" aria-label="Table"><table>'
_LINK = re.compile(r'<a href="([^"]*)"(?: title="([^"]*)")?>(.*?)</a>', re.DOTALL)
SCHEMES = frozenset({"http", "https", "mailto"})
_OUTWARD = re.compile(r"https?://[\w.-]+(?::\d+)?(?:[/?#]\S*)?|mailto:\S+", re.IGNORECASE)
"""An address that is surely let through."""
_FENCED = re.compile(
    r"^(?P<fence>~{3,}|`{3,})(?P<info>[^\n]*)\n(?P<code>.*?)(?<=\n)(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL
)
_OF_NOTES = {"footnote-ref", "footnote-backref"}
_DEEPER = re.compile(r"[>*+-]|\d+[.)]")
_BEGINS = re.compile(r"(?:[\s>]|[*+-]\s|\d+[.)]\s)*")
"""What may begin a line before its words: quotes and items, each in the one before it."""
_LABEL = re.compile(r" ?\[([^\]]*)\]")
"""By what a link says where it leads, behind its words and on their line: on the next one begins what says so of another."""
_PICTURES = ("image_link", "image_reference", "short_image_ref")


class _Lowered(Treeprocessor):  # type: ignore[misc]
    """Moves headings below those of the site."""

    def run(self, root: Element) -> None:
        for element in root.iter():
            if len(element.tag) == 2 and element.tag[0] == "h" and element.tag[1].isdigit():
                element.tag = f"h{min(6, int(element.tag[1]) + SHIFT)}"


class _Noted(Treeprocessor):  # type: ignore[misc]
    """Foot notes have their numbers in brackets, for what is raised is ours, and no way there and back."""

    def run(self, root: Element) -> None:
        for element in root.iter("a"):
            if element.get("class") in _OF_NOTES:
                element.text = f"[{element.text}]" if element.get("class") == "footnote-ref" else ""


class _Notes(FootnoteExtension):  # type: ignore[misc]
    """Foot notes, of which each keeps what it is called, and what is noted a second time under one name."""

    def setFootnote(self, id: str, text: str) -> None:  # noqa: N802 - as the extension calls it
        called = "" if len(id) == 1 or id.isdecimal() else f"{id}: "
        before = f"{self.footnotes[id]}\n\n" if id in self.footnotes else called
        super().setFootnote(id, before + text)

    def makeFootnotesDiv(self, root: Element) -> Element | None:  # noqa: N802 - as the extension calls it
        """Within a note nothing begins another, which would come too late."""
        processors = self.parser.blockprocessors
        processors.deregister("footnote")
        made: Element | None = super().makeFootnotesDiv(root)
        processors.register(FootnoteBlockProcessor(self), "footnote", 17)
        return made


class _Fences(Preprocessor):  # type: ignore[misc]
    """Takes code between fences as it stands, and shows what is said of it behind the first fence."""

    def run(self, lines: list[str]) -> list[str]:
        return _FENCED.sub(self._shown, "\n".join(lines)).split("\n")

    def _shown(self, fenced: re.Match[str]) -> str:
        info = fenced["info"].strip()
        if "`" in info:  # code within a line, of which the marks are as many as those of a fence
            return fenced[0]
        parts = [f"<p><code>{escape(info)}</code></p>"] if info else []
        parts.append(f"<pre><code>{escape(fenced['code'])}</code></pre>")
        return "".join(f"\n{self.md.htmlStash.store(part)}\n" for part in parts)


class _References(Preprocessor):  # type: ignore[misc]
    """Knows where links by reference lead, and leaves what says so where it stands."""

    def run(self, lines: list[str]) -> list[str]:
        for defined in ReferenceProcessor.RE.finditer("\n".join(lines)):
            self.md.references[defined[1].strip().lower()] = (defined[2].lstrip("<").rstrip(">"), None)
        return lines


class _Tables(TableProcessor):  # type: ignore[misc]
    """Keeps the cells of a row beyond the last column: they stand in it."""

    def _build_row(self, row: str, parent: Element, align: Sequence[str | None]) -> None:
        super()._build_row(row, parent, align)
        cells = self._split_row(row)
        if len(cells) > len(align):
            parent[-1][-1].text = " | ".join(cell.strip(" ") for cell in cells[len(align) - 1 :])


def _whole(link: re.Match[str]) -> str:
    """A rendered link with what it says beside its words: an address that may lead nowhere or has no words, and a title."""
    address, title, words = link[1], link[2], link[3]
    if not Markup(words).striptags() or not _OUTWARD.fullmatch(html.unescape(address)):  # noqa: S704 - to be sanitised
        words = f"{words} <code>{address}</code>" if address else words
    return f'<a href="{address}">{words}{f" ({title})" if title else ""}</a>'


@lru_cache(maxsize=1)
def _renderer() -> markdown.Markdown:
    renderer = markdown.Markdown(extensions=[_Notes(), "sane_lists"])
    renderer.ESCAPED_CHARS.append("|")
    tables = _Tables(renderer.parser, {"use_align_attribute": True})
    renderer.parser.blockprocessors.register(tables, "table", 75)
    renderer.parser.blockprocessors.deregister("reference")
    renderer.preprocessors.register(_Fences(renderer), "fences", 25)
    renderer.preprocessors.register(_References(renderer), "references", 20)
    for registry, name in _RAW:
        getattr(renderer, registry).deregister(name)
    for name in _PICTURES:
        renderer.inlinePatterns.deregister(name)
    renderer.inlinePatterns["reference"].RE_LINK = _LABEL
    renderer.treeprocessors.register(_Lowered(renderer), "lowered", 1)
    renderer.treeprocessors.register(_Noted(renderer), "noted", 2)
    return renderer


BEGIN, END = "\ue000", "\ue001"  # around the number of a note, which no text of a player holds
_NOTE = re.compile(f"{BEGIN}(\\d+){END}")
_MARKS = re.compile(
    f"[{BEGIN}{END}]|&#(?:0*5734[45]|[xX]0*[eE]00[01])(?![0-9a-fA-F]);?"
)  # and references to them
_UNNOTED = re.compile(r"^\s*(?:\||\[|[-=*_ ]{3,}$|$)")


def annotated(text: str, notes: Mapping[int, Markup]) -> Markup:
    """Markdown of a player as safe HTML, with finished notes after some of its lines (numbered from 0)."""
    lines = _MARKS.sub("", text).split("\n")
    fenced = False
    for place, line in enumerate(lines):
        fence = line.lstrip().startswith(("```", "~~~"))
        if place in notes and not fenced and not fence and not _UNNOTED.match(line):
            lines[place] = f"{line.rstrip()}{BEGIN}{place}{END}"
        fenced ^= fence
    put = _TAG.sub(lambda tag: _NOTE.sub("", tag[0]), rendered("\n".join(lines)))
    return Markup(_NOTE.sub(lambda note: notes.get(int(note[1]), Markup("")), put))  # noqa: S704 - finished HTML and finished notes


@lru_cache(maxsize=4096)
def rendered(text: str) -> Markup:
    """Markdown of a player as safe HTML; what is too large or too involved is shown as plain text."""
    text = visible(text)
    if not _bearable(text):
        return plain(text)
    try:
        made = _LINK.sub(_whole, _renderer().reset().convert(text))
    except RecursionError:
        return plain(text)
    clean = nh3.clean(
        made, tags=set(TAGS), clean_content_tags={"script", "style"}, attributes={k: set(v) for k, v in ATTRIBUTES.items()},
        url_schemes=set(SCHEMES), url_relative="deny", link_rel="nofollow noopener noreferrer ugc",
    )  # fmt: skip
    bounded = visible(clean).replace("<table>", _SCROLLED).replace("</table>", "</table></div>")
    return Markup(_LEADS_NOWHERE.sub(r"\1", bounded))  # noqa: S704 - sanitised on the lines above


def _bearable(text: str) -> bool:
    if len(text.encode(errors="replace")) > LARGEST or text.count("[") > MOST_BRACKETS:
        return False
    headings = sum(line.lstrip(" >").startswith("#") for line in text.split("\n"))
    return shallow(text) and headings <= MOST_HEADINGS


def shallow(text: str) -> bool:
    """Whether quotes and lists lie in each other no deeper than any renderer takes them."""
    return all(
        len(_DEEPER.findall(line, 0, _BEGINS.match(line).end())) <= DEEPEST  # type: ignore[union-attr]
        for line in text.split("\n")
    )


def plain(text: str) -> Markup:
    """A text as it was typed."""
    return tag("pre", text, class_="nomic-plain")


def within_texts(html: Markup, change: Callable[[str], str], begin: Callable[[], None]) -> Markup:
    """Finished HTML with its texts changed, those of links, code and headings apart. ``change`` gives finished HTML; ``begin``
    is called where a paragraph, an item or a cell begins.
    """
    parts, inside = [], 0
    for part in _TAG.split(html):
        if part.startswith("<"):
            name = part.strip("</>").partition(" ")[0]
            inside += 0 if name not in _APART else -1 if part[1] == "/" else 1
            if name in _BLOCKS:
                begin()
            parts.append(part)
        else:
            parts.append(part if inside or not part.strip() else change(part))
    return Markup("".join(parts))  # noqa: S704 - finished HTML, taken apart at its tags


_TAG = re.compile(r"""(<(?:[^"'>]|"[^"]*"|'[^']*')*>)""")
_APART = frozenset({"a", "code", "pre", "h4", "h5", "h6"})
_BLOCKS = frozenset({"p", "li", "td", "th"})
