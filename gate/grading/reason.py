"""Words that stay the same between runs: no drawn names, addresses, folders or timings, and no control characters."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gate.grading.values import Derived, Member, Opaque, Record

MAX_LENGTH = 300

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")
_DRAWN = re.compile(r"n[0-9a-f]{16}")
_SECONDS = re.compile(r"\b\d+\.\d+ ?(?:s|ms|seconds)\b")


def clean(text: str, *, hide: Iterable[str] = (), limit: int = MAX_LENGTH) -> str:
    """One bounded line. Each string of `hide` (a folder, a drawn name) becomes `…`, longest first."""
    for secret in sorted({item for item in hide if item}, key=len, reverse=True):
        text = text.replace(secret, "…")
    text = _SECONDS.sub("… s", _ADDRESS.sub("0x…", _DRAWN.sub("…", text)))
    text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def shown(value: object, *, hide: Iterable[str] = ()) -> str:
    """A short `repr` for a reason. A set is shown in sorted order, because its own order changes between runs."""
    return clean(_show(value, 0), hide=hide, limit=120)


def _show(value: object, depth: int) -> str:
    if depth > 4:
        return "…"
    if isinstance(value, (set, frozenset)):
        inner = ", ".join(sorted(_show(item, depth + 1) for item in list(value)[:1000]))
        return f"{{{inner}}}" if isinstance(value, set) else f"frozenset({{{inner}}})"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_show(item, depth + 1) for item in value[:50])
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        pairs = list(value.items())[:50]
        return "{" + ", ".join(f"{_show(k, depth + 1)}: {_show(v, depth + 1)}" for k, v in pairs) + "}"
    if isinstance(value, Derived):
        return f"{_show(value.value, depth + 1)} (a {value.name})"
    if isinstance(value, Opaque):
        return f"an object of class {value.name}"
    if isinstance(value, Member):
        return f"{value.enumeration}.{value.name}"
    if isinstance(value, Record):
        return f"{value.name}({', '.join(f'{name}={_show(item, depth + 1)}' for name, item in value.fields[:50])})"
    if isinstance(value, int) and value.bit_length() > 2000:
        return "a very large integer"
    return repr(value[:400] if isinstance(value, (str, bytes)) else value)
