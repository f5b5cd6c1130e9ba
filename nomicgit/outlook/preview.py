"""What a pull request would do, as a comment on it: what stands against it, which rules it changes, what follows. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nomicgit.ground.escaping import escaped, fenced
from nomicgit.outlook.checks import BranchChecked
from nomicgit.outlook.checks.differing import RuleDiffers
from nomicgit.outlook.checks.finding import Finding
from nomicgit.outlook.checks.opens_for import in_words
from nomicgit.outlook.doings import BY_CHANCE, as_done

MARK = "<!-- nomicgit preview -->"
MOST = 20  # findings, rules, values, actions, each
WHOLE = 40_000  # characters; the forge takes 65,536
LATER = "can be proposed once what stands against it now is over"
LONG = 3_000  # characters of one rule's difference


def comment(checked: BranchChecked, head: str) -> str:
    """The comment on what the check of a pull request's head (a commit's id) found."""
    lines = [MARK, f"**{_verdict(checked)}** (as of {head[:10]}, judged by the rules in force)", ""]
    lines += _bounded(_findings(checked.findings))
    lines += _section("Rules", _bounded(map(_rule, checked.rules)))
    tried = checked.enactment
    values = (f"- {escaped(line, 600)}" for each in tried.get("values", ()) for line in as_done(each))
    lines += _section("Programs", [f"{fenced(text, LONG)}\n" for text in tried.get("programs", ())])
    lines += _section("Secrets", _bounded(f"- {escaped(each, 600)}" for each in tried.get("secrets", ())))
    posts = (
        f"- {_said(each['kind'])}{_said(' by ' + each['by']) if each['by'] else ''}: {_said(each['title'])}: "
        f"{escaped(each['text'], 600)}"
        for each in tried.get("posts", ())
    )
    lines += _section("Posts", _bounded(posts))
    by_chance = f" ({BY_CHANCE})" if tried.get("chance") else ""
    lines += _section(f"Gamestate{by_chance}", _bounded(values))
    lines += _section("Actions", _bounded(map(_action, tried.get("actions", ()))))
    text = "\n".join(lines).rstrip() + "\n"
    return (
        text if len(text) <= WHOLE else text[:WHOLE].rpartition("\n\n")[0] + "\n\nand more than fits here.\n"
    )


def is_ours(body: str) -> bool:
    """Whether a comment's text is such a comment."""
    return body.startswith(MARK)


def _verdict(checked: BranchChecked) -> str:
    if not checked.sound:
        return checked.unsound.capitalize()
    count = len(checked.expressed.changes) if checked.expressed else 0
    how = "It can be proposed" if checked.submittable else f"It is sound, and {LATER}"
    if checked.pending is not None:
        how = str(checked.pending).capitalize()
    return f"{how}: {count} {'change' if count == 1 else 'changes'}"


def _findings(findings: Iterable[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"- {'stands against it' if finding.level == 'error' else 'to be known'}: {escaped(str(finding.problem), 600)}"


def _rule(rule: RuleDiffers) -> str:
    title = f"{rule.how}: {escaped(f'{rule.number} {rule.title}')}"
    text = "\n".join(rule.lines)
    return f"- {title}\n\n{fenced(text, LONG)}\n" if text else f"- {title}"


def _action(each: dict[str, Any]) -> str:
    return f"- {_said(each['action'])}: {escaped(in_words(each, reasons=False))}"


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", f"**{title}**", "", *lines] if lines else []


def _bounded(lines: Iterable[str]) -> list[str]:
    all_lines = list(lines)
    return all_lines[:MOST] + ([f"- and {len(all_lines) - MOST} more"] if len(all_lines) > MOST else [])


def _said(text: str) -> str:
    return escaped(text, 120)
