"""The one matcher for paths: gitignore's rules, so `*` stops at a `/` and the last pattern that matches decides.

The rules are those of gitignore(5) and of git's wildmatch.c, on characters where git has bytes. As there, nothing
below a matched folder can be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache


class Globs:
    """A set of patterns. Case matters; `!` takes back; a slash before the end of a pattern anchors it at the root."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)

    def __repr__(self) -> str:
        return f"Globs({list(self.patterns)!r})"

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def matches(self, path: str) -> bool:
        """Whether a file, named by its path from the root, is covered: it is, or a folder above it is."""
        rules = _compiled(self.patterns)
        end = path.find("/")
        while end >= 0:
            if _decided(rules, path[:end], folder=True):
                return True
            end = path.find("/", end + 1)
        return _decided(rules, path, folder=False)

    def matching(self, paths: Iterable[str]) -> list[str]:
        """Those of the paths that are covered, in the order they came."""
        return [path for path in paths if self.matches(path)]


@dataclass(frozen=True, slots=True)
class _Rule:
    covers: bool
    folders_only: bool
    by_name: bool
    expression: re.Pattern[str]


def _decided(rules: tuple[_Rule, ...], path: str, *, folder: bool) -> bool:
    """What the last rule that matches says. `rules` come last first."""
    name = path.rpartition("/")[2]
    for rule in rules:
        if (folder or not rule.folders_only) and rule.expression.fullmatch(name if rule.by_name else path):
            return rule.covers
    return False


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> tuple[_Rule, ...]:
    rules = [_rule(pattern) for pattern in reversed(patterns)]
    return tuple(rule for rule in rules if rule is not None)


def _rule(pattern: str) -> _Rule | None:
    """None for a blank, a comment, or a pattern that nothing can match."""
    text = _without_blanks(pattern)
    if text.startswith("#"):
        return None
    covers = not text.startswith("!")
    text = text if covers else text[1:]
    folders_only = text.endswith("/")
    text = text[:-1] if folders_only else text
    by_name = "/" not in text
    expression = _translated(text.removeprefix("/"))
    if not text or expression is None:
        return None
    return _Rule(covers, folders_only, by_name, re.compile(expression, re.DOTALL))


def _without_blanks(pattern: str) -> str:
    """Blanks at the end do not count, unless a backslash stands before the last that does."""
    text = pattern.rstrip(" ")
    escapes = len(text) - len(text.rstrip("\\"))
    return text + " " if escapes % 2 and len(text) < len(pattern) else text


_STARS = re.compile(r"\*+")


def _translated(glob: str) -> str | None:
    """The expression of a pattern without its marks. None where a bracket or an escape does not end."""
    parts: list[str] = []
    at = 0
    while at < len(glob):
        char = glob[at]
        if char == "*":
            end = _STARS.match(glob, at).end()  # type: ignore[union-attr]  # the star is there
            alone = (at == 0 or glob[at - 1] == "/") and (end == len(glob) or glob[end] == "/")
            if end - at > 1 and alone and end < len(glob):
                parts.append("(?:.*/)?")
                end += 1
            else:
                parts.append(".*" if end - at > 1 and alone else "[^/]*")
            at = end
        elif char == "?":
            parts.append("[^/]")
            at += 1
        elif char == "[":
            bracket = _bracket(glob, at + 1)
            if bracket is None:
                return None
            part, at = bracket
            parts.append(part)
        elif char == "\\":
            if at + 1 == len(glob):
                return None
            parts.append(re.escape(glob[at + 1]))
            at += 2
        else:
            parts.append(re.escape(char))
            at += 1
    return "".join(parts)


_CLASSES = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": "\\t-\\r ", "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}  # fmt: skip


def _bracket(glob: str, at: int) -> tuple[str, int] | None:
    """The expression of a bracket whose inside starts at `at`, and where it ends. It never matches a slash."""
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    inside = ""
    first = at
    while at < len(glob) and (glob[at] != "]" or at == first):
        if glob.startswith("[:", at) and (end := glob.find(":]", at + 2)) >= 0:
            if glob[at + 2 : end] not in _CLASSES:
                return None
            inside += _CLASSES[glob[at + 2 : end]]
            at = end + 2
            continue
        low, at = _member(glob, at)
        if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] not in ("]", ""):
            high, at = _member(glob, at + 1)
            inside += f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low)
        else:
            inside += re.escape(low)
    if at >= len(glob):
        return None
    if not inside:
        return ("[^/]" if negated else "(?!)"), at + 1
    return f"(?!/)[{'^' if negated else ''}{inside}]", at + 1


def _member(glob: str, at: int) -> tuple[str, int]:
    """One character of a bracket and where the next starts; a backslash takes the next one literally."""
    if glob[at] == "\\" and at + 1 < len(glob):
        return glob[at + 1], at + 2
    return glob[at], at + 1
