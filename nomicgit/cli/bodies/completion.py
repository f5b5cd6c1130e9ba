"""``nomicgit completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from nomicgit.cli.seat import Seat

WHOLE = 'COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD'
"""How click hands the words on, which bash has taken apart at each ``=``."""
JOINED = """local words=() word
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if (( ${#words[@]} )) && [[ $word == "=" || ${words[${#words[@]} - 1]} == ?*= ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
    done
    """
LAST = """
    if [[ $COMP_WORDBREAKS == *"="* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${words[${#words[@]} - 1]%"${words[${#words[@]} - 1]##*=}"}"}")
    fi

    return 0"""
"""What bash puts in is what stands behind the last ``=``."""


def script(seat: Seat, shell: str) -> int:
    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"there is no completion for {shell}")
    root = click.get_current_context().find_root().command
    text = completion(root, {}, "nomicgit", "_NOMICGIT_COMPLETE").source()
    click.echo(_whole_words(text) if shell == "bash" else text)
    return 0


def _whole_words(text: str) -> str:
    """The script for bash, with ``key=value`` as one word."""
    handed = 'COMP_WORDS="${words[*]}" COMP_CWORD=$(( ${#words[@]} - 1 ))'
    for old, new in (
        (WHOLE, handed),
        ("local response\n", f"local response\n    {JOINED}\n"),
        ("\n    return 0", LAST),
    ):
        assert text.count(old) == 1, "click hands the words on otherwise"
        text = text.replace(old, new)
    return text
