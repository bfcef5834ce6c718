"""Which file a block is about: from its info string, the line above it, or a comment in its first line.

A text is a path where the tree has such a file, or where it cannot well be anything else.
"""

from __future__ import annotations

import re

from gate.agents.extract.defined import is_python, parsed
from gate.agents.extract.message import Fence
from gate.agents.extract.unclear import Unclear
from gate.workspace.tree import Tree

_TAGS: dict[str, frozenset[str]] = {
    tag: frozenset(endings.split())
    for tags, endings in {
        "python py python3 pyi": "py pyi pyw",
        "javascript js jsx node mjs cjs": "js mjs cjs jsx",
        "typescript ts tsx": "ts tsx mts cts",
        "json json5 jsonc": "json json5 jsonc",
        "yaml yml": "yaml yml",
        "toml": "toml lock",
        "ini cfg conf properties": "ini cfg conf properties",
        "html": "html htm",
        "css": "css",
        "sql": "sql",
        "rust rs": "rs",
        "go golang": "go",
        "java": "java",
        "c": "c h",
        "cpp c++ cxx": "cpp cc cxx hpp h",
        "ruby rb": "rb",
        "markdown md rst": "md markdown rst",
        "bash sh shell zsh fish": "sh bash zsh fish",
        "powershell ps1 bat cmd": "ps1 bat cmd",
        "text txt plaintext plain": "txt md rst cfg in",
        "console terminal shell-session sh-session shellsession pycon doctest": "log",
        "output stdout stderr log traceback": "log",
        "diff patch udiff": "diff patch",
    }.items()
    for tag in tags.split()
}
"""The endings of files that a block with this tag can be. A tag that is not here says nothing."""

_OUTPUT = frozenset({"log"})

DIFF_TAGS = frozenset({"diff", "patch", "udiff"})

_ENDINGS = frozenset(ending for endings in _TAGS.values() for ending in endings) | {"svg", "xml", "csv", "env", "typed"}
_PLAIN_NAMES = frozenset({"Makefile", "Dockerfile", "LICENSE", "NOTICE", "CODEOWNERS", "Procfile", ".gitignore"})
_NOT_FILES = frozenset({"node.js", "next.js", "vue.js", "react.js", "express.js", "three.js", "d3.js"})

_SHAPE = re.compile(r"[\w.@+/-]+\Z")
_ENDING = re.compile(r"[A-Za-z][A-Za-z0-9]{0,7}\Z")
_NAMED = re.compile(r"""\b(?:title|filename|file|path|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'{},]+))""")
_GROUPED = re.compile(r"\{[^{}]*\}")
_ITEM = re.compile(r"\A(?:[-*+]|\d{1,4}[.)])\s+")
_KEYWORD = re.compile(r"(?:(?:new|updated|modified|full)\s+)?(?:file|filename|file ?path|path)\s*:\s*", re.IGNORECASE)
_REMARK = re.compile(r"\s\((?:new|new file|modified|updated|changed|full|full file)\)\Z", re.IGNORECASE)
_COMMENTS = ("#", "//", "--", ";", "/*", "<!--")

_LONGEST = 400
"""Characters of a line that may name a file; a longer one is text."""


def address(fence: Fence, base: Tree) -> tuple[str | None, bool]:
    """The path of a block or None, and whether its first line says nothing else. Raises Unclear.

    The info string and the line above must not name two files; a comment counts where neither names one.
    """
    info = in_info(fence.info, base)
    above = _fitting(above_block(fence.above, base, inside=fence.indent > 0), fence)
    if info and above and info != above:
        raise Unclear(f"a block is said to be {above} above it and {info} in its first line")
    comment = _fitting(in_comment(fence.lines[0], base), fence) if fence.lines else None
    path = info or above or comment
    return (None, False) if path is None else (checked(path, base), comment == path)


def tag_of(info: str) -> str:
    """The language that a block's info string names, in small letters, or nothing."""
    word = re.split(r"[\s:{,]", info[:_LONGEST].strip(), maxsplit=1)[0]
    return word.lower()


def can_be(tag: str, path: str) -> bool:
    """Whether a block with this tag can be the file at this path."""
    endings = _TAGS.get(tag)
    if endings is None:
        return True
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    return ending.lower() in endings if dot else endings != _OUTPUT


def checked(path: str, base: Tree) -> str:
    """The path. Raises Unclear for the end of the path of a file that lies deeper."""
    if path not in base:
        ends = sorted(name for name in base if name.endswith(f"/{path}"))
        if ends:
            raise Unclear(f"there is no {path}, but {ends[0]}: the answer has to give the whole path")
    return path


def _fitting(path: str | None, fence: Fence) -> str | None:
    """The path, unless the block cannot be that file: it has another language, or none and is not Python either.

    The second is what a test run printed, under the name of a file. A file that does not parse is lost with it.
    """
    if path is None or not can_be(tag_of(fence.info), path):
        return None
    plain = not fence.info and is_python(path) and any(line.strip() for line in fence.lines)
    return None if plain and parsed("\n".join(fence.lines)) is None else path


def _read(word: str, base: Tree, *, slash_is_enough: bool = False) -> str | None:
    """The path that a word is, without a `./` before it, or None where it need not be one."""
    name = word.removeprefix("./")
    if name in base:
        return name
    if not _SHAPE.match(name) or "://" in name:
        return None
    if name.startswith(("/", "../")) or name.lower().startswith(".git/"):
        return name  # refused as a path, rather than passed over as a word
    folder, _, last = name.rpartition("/")
    stem, _, ending = last.rpartition(".")
    if folder:
        return name if slash_is_enough or (_ENDING.match(ending) and "." in last) else None
    known = last in _PLAIN_NAMES or (stem and ending.lower() in _ENDINGS and last.lower() not in _NOT_FILES)
    return name if known else None


def in_info(info: str, base: Tree) -> str | None:
    """The path in an info string: `src/a.py`, `python src/a.py`, `python:src/a.py`, `python title="src/a.py"`."""
    if not info or len(info) > _LONGEST:
        return None
    named = _NAMED.search(info)
    if named:
        return _read((named[1] or named[2] or named[3]).strip(), base, slash_is_enough=True)
    words = [word for word in _GROUPED.sub(" ", info).split() if "=" not in word]
    if not 1 <= len(words) <= 2:
        return None
    if len(words) == 1:
        tag, colon, rest = words[0].partition(":")
        if colon:
            return _read(rest, base, slash_is_enough=True) if tag[:1].isalpha() and "/" not in tag else None
    elif _read(words[0], base):
        return None
    return _read(words[-1], base, slash_is_enough=True)


def above_block(line: str, base: Tree, *, inside: bool = True) -> str | None:
    """The path that stands alone on the line above a block, in whatever decoration.

    An item of a list is a heading only of a block that lies `inside` it, or where a colon says so: a list of changed
    files may stand above anything.
    """
    if not line or len(line) > _LONGEST:
        return None
    text = line.strip()
    item = _ITEM.match(text)
    if item:
        text = text[item.end() :]
        if not inside and not text.rstrip("*` ").endswith(":"):
            return None
    text = text.replace("**", "").strip("# *").rstrip(":").strip()
    text = _ITEM.sub("", text, count=1)  # `### 1. src/a.py`
    keyword = _KEYWORD.match(text)
    text = _REMARK.sub("", text[keyword.end() :] if keyword else text).rstrip(":").strip().strip("`'\"")
    return _read(text, base)


def in_comment(line: str, base: Tree) -> str | None:
    """The path that is all of a comment."""
    text = line.strip() if len(line) <= _LONGEST else ""
    start = next((mark for mark in _COMMENTS if text.startswith(mark)), None)
    if start is None:
        return None
    text = text.removeprefix(start).removesuffix("*/").removesuffix("-->").strip()
    keyword = _KEYWORD.match(text)
    return _read(text[keyword.end() :] if keyword else text, base)
