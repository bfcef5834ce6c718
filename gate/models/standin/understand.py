"""What a task asks for, as far as a handful of phrasings tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_IDENTIFIER = r"[A-Za-z_$][\w$]*"
_QUOTED = rf"[`'\"](?P<{{0}}>{_IDENTIFIER}(?:[.#]{_IDENTIFIER})*)(?:\(\))?[`'\"]"
_OLD, _NEW = _QUOTED.format("old"), _QUOTED.format("new")

# Between the two names there may be a few words ("in `src/x.py`", "everywhere") but not the end of a sentence.
_GAP = r"(?:(?!\. |\.\n|[;]).){0,80}?"

_RENAMES = tuple(
    re.compile(pattern.format(old=_OLD, new=_NEW, gap=_GAP), re.IGNORECASE | re.DOTALL)
    for pattern in (
        r"\brenam(?:e|ing)\b{gap}{old}{gap}\b(?:to|into|as|->|=>|→)\s+{new}",
        r"\brenam(?:e|ing)\b{gap}{old}\s*(?:->|=>|→)\s*{new}",
        r"\b(?:change|changing)\b[^.`]{{0,30}}\bname\b{gap}{old}{gap}\bto\s+{new}",
        r"{old}[^.`]{{0,40}}\b(?:should|must|shall|is to|needs to) be (?:called|named|renamed)\b(?: to)?\s+{new}",
        r"\bcall\s+{old}\s+{new}\s+(?:instead|from now on|everywhere)",
        r"\b(?:replace|substitute)\b{gap}\bname\b\s*{old}{gap}\b(?:with|by)\s+{new}",
        r"\bgive\b{gap}{old}{gap}\bname\s+{new}",
    )
)

_REPAIR = re.compile(
    r"\b(?:fix|fixes|repair|debug|bug|defect|regression|broken|fail(?:s|ing|ed)?|make (?:the|all) tests? pass)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"^\W*(?:add|implement|write|create|introduce|refactor|extract|move|split|inline|document|convert|upgrade|delete)\b",
    re.IGNORECASE,
)
_DOCS = re.compile(
    r"\b(?:docs?|documentation|readme|comments?|docstrings?|mentions?|prose)\b|\b(?:every|all) (?:mention|occurrence)",
    re.IGNORECASE,
)
_NO_DOCS = re.compile(
    r"\b(?:not|leave|without|except|but not)\b[^.]{0,40}\b(?:docs?|documentation|readme|comments?)\b", re.IGNORECASE
)
_STRINGS = re.compile(r"\bstrings?\b", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/.])(?:[\w@.-]+/)*[\w@-][\w@.-]*\.(?:py|pyi|[cm]?[jt]sx?|md|toml|ya?ml|json|cfg|ini|txt|rst|css|html)\b(?!\()"
)
_FROZEN = re.compile(r"^Files that must stay as they are: (.+)$", re.MULTILINE)
_QUALIFIED = re.compile(rf"\b(?:class|of|on)\s+`({_IDENTIFIER})`")


@dataclass(frozen=True, slots=True)
class Wish:
    """A task as it was understood. `names` are the quoted identifiers, `paths` the files it speaks of."""

    kind: Literal["rename", "repair", "unknown"]
    task: str
    paths: tuple[str, ...]
    names: tuple[str, ...]
    frozen: tuple[str, ...] = ()
    old: str = ""
    new: str = ""
    owner: str = ""
    docs: bool = False
    strings: bool = False


def _creates(task: str, path: str) -> bool:
    """Whether the task asks for a new file of that name."""
    made = r"\b(?:create|add|new|write|generate|into|to)\b[^.\n]{0,40}"
    return bool(re.search(made + re.escape(path), task, re.IGNORECASE)) and bool(
        re.search(r"\b(?:create|new file|new module|generate)\b", task, re.IGNORECASE)
    )


def _told(prompt: str) -> str:
    """The task without the frame that the harness puts around it."""
    _, marker, rest = prompt.partition("Task:\n")
    body = rest if marker else prompt
    return body.split("\nFiles that must stay as they are:")[0].strip()


def understand(prompt: str) -> Wish:
    """Read a task. What fits none of the phrasings is of kind `unknown`."""
    task = _told(prompt)
    frozen = _FROZEN.search(prompt)
    globs = tuple(part.strip() for part in frozen[1].split(",")) if frozen and frozen[1].strip() != "none" else ()
    paths = tuple(dict.fromkeys(path for path in _PATH.findall(task) if not _creates(task, path)))
    names = tuple(dict.fromkeys(re.findall(rf"`({_IDENTIFIER})(?:\([^`]*\))?`", task)))
    for pattern in _RENAMES:
        found = pattern.search(task)
        if found and found["old"] != found["new"]:
            return _rename(task, found["old"], found["new"], paths, names, globs)
    repair = _REPAIR.search(task) and not _OTHER.search(task)
    return Wish("repair" if repair else "unknown", task, paths, names, globs)


def _rename(
    task: str, old: str, new: str, paths: tuple[str, ...], names: tuple[str, ...], frozen: tuple[str, ...]
) -> Wish:
    *qualifier, plain = re.split(r"[.#]", old)
    owner = _QUALIFIED.search(task)
    return Wish(
        kind="rename",
        task=task,
        paths=paths,
        names=names,
        frozen=frozen,
        old=plain,
        new=re.split(r"[.#]", new)[-1],
        owner=qualifier[-1] if qualifier else (owner[1] if owner and owner[1] not in {plain, new} else ""),
        docs=bool(_DOCS.search(task)) and not _NO_DOCS.search(task),
        strings=bool(_STRINGS.search(task)),
    )
