"""Text that an agent may have written, made safe to print: what could move the cursor or speak to CI is spelt out."""

from __future__ import annotations

import re
import textwrap
import unicodedata

_COMMAND = re.compile(r"^(\s*):(?=:)|##(?=\[|vso\[)")


def plain(text: str) -> str:
    """One line without control, bidirectional or invisible characters, and without a runner's commands.

    Each such character is shown as its escape. A leading `::` and every `##[` or `##vso[` (the workflow commands of
    GitHub and Azure) get a backslash, so that a log cannot be spoken to from inside a trial.
    """
    shown = "".join(char if char.isprintable() else _escape(char) for char in text)
    return _COMMAND.sub(lambda found: f"{found[1]}\\:" if found[1] is not None else "#\\#", shown)


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def wrapped(text: str, indent: str = "", label: str = "", columns: int = 79) -> list[str]:
    """The text made `plain`, on lines of at most so many columns after an indent that may hold a label on the first."""
    first = pad(label, len(indent))
    lines = textwrap.wrap(
        plain(text),
        columns,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [plain(line) for line in lines]


def encodable(text: str, encoding: str | None) -> str:
    """The text with what an encoding cannot hold spelt out, so that a report never dies of a name."""
    name = encoding or "ascii"
    return text.encode(name, "backslashreplace").decode(name)


def width(text: str) -> int:
    """How many columns a terminal needs for it: wide characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, columns: int, fill: str = " ") -> str:
    """The text, filled up on the right to so many columns."""
    return text + fill * max(0, columns - width(text))


def cut(text: str, columns: int) -> str:
    """The text, shortened with `...` where it would be wider than so many columns."""
    if width(text) <= columns:
        return text
    kept = ""
    for char in text:
        if width(kept) + width(char) > columns - 3:
            break
        kept += char
    return kept + "..."
