"""YAML read strictly: what a file says is what the gate sees, or the file is refused with line and key.

Only the parser of PyYAML is used (libyaml's where it is compiled in); composing, resolving and constructing are
done here, because YAML 1.1 would turn `on`, `1:30` and `2026-11-29` into something else without a word.

* Scalars follow the core schema of YAML 1.2 (section 10.3.2), with two exceptions that lose nothing: a number with
  a leading zero stays text (1.1 read it as octal, 1.2 as decimal), and a number that is not finite is refused.
* Anchors and aliases are refused outright rather than bounded. A canary is read by people, by a hash and by this
  gate; each should see the value where it stands, and the cost of a file is then at most its size.
* Tags, merge keys, keys that are not text, duplicate keys and second documents are refused.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.errors import ConfigError, Problem

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 32
MAX_VALUES = 100_000
MAX_PROBLEMS = 50

KeyPath = tuple[str | int, ...]
"""Where a value stands: keys and list positions from the top, as `("expect", "tests", 0)`."""

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_MAX_DIGITS = 300
# Not printable in YAML (section 5.1), or a line break in 1.1 and plain text in 1.2 (NEL, LS, PS).
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """A text with everything escaped that a terminal or a CI log would act on: what a file holds, it cannot do."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def key_text(key: KeyPath) -> str:
    """The path of a key as people write it: `expect.tests[0].pytest`."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


@dataclass(frozen=True, slots=True)
class Document:
    """One file: its data (dicts with text keys, lists, str, int, float, bool, None) and the line of every key."""

    path: Path
    data: Any
    lines: Mapping[KeyPath, int]

    def line(self, key: KeyPath) -> int:
        """The line (from 1) of a key or list item; of its nearest parent where it does not stand in the file."""
        while key not in self.lines and key:
            key = key[:-1]
        return self.lines.get(key, 1)

    def problem(self, key: KeyPath, reason: str) -> Problem:
        """A problem at a key of this file."""
        return Problem(str(self.path), self.line(key), printable(key_text(key)), printable(reason))


def read_bytes(path: Path, limit: int = MAX_BYTES, *, shown: Path | None = None) -> bytes:
    """The bytes of a regular file of at most `limit` bytes. Raises ConfigError; never waits for a pipe.

    `shown` is the path as messages name it, where that is not the path to open.
    """
    name = shown or path
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ConfigError.at(name, 0, "", f"cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ConfigError.at(name, 0, "", "is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(limit + 1)
    _refuse_large(name, data, limit)
    return data


def load_file(path: Path, *, shown: Path | None = None) -> Document:
    """Read and parse one file; messages name it as `shown`. Raises ConfigError with every problem of the file."""
    return load(shown or path, read_bytes(path, shown=shown))


def load(path: Path, text: bytes) -> Document:
    """Parse one document. Raises ConfigError with every problem of the file, and nothing else."""
    _refuse_large(path, text, MAX_BYTES)
    return _Composer(path).compose(_decode(path, text))


def _refuse_large(path: Path, data: bytes, limit: int) -> None:
    if len(data) > limit:
        raise ConfigError.at(path, 0, "", f"is larger than {limit // 1024} KiB and was not parsed")


def _decode(path: Path, text: bytes) -> str:
    """The text without its byte order mark, which YAML allows at the very start (section 5.2)."""
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        reason = f"is not UTF-8: byte 0x{text[error.start]:02x}; save the file as UTF-8"
        raise ConfigError.at(path, line, "", reason) from error
    decoded = decoded.removeprefix("\ufeff")
    if found := _FORBIDDEN.search(decoded):
        line = decoded.count("\n", 0, found.start()) + 1
        code = ord(found[0])
        reason = f'holds the character U+{code:04X}, which YAML does not allow here; write "\\u{code:04x}"'
        raise ConfigError.at(path, line, "", reason)
    return decoded


class _Stop(Exception):  # ends the walk after a problem that makes the rest meaningless
    """The problem has been noted; what follows cannot be read."""


class _Composer:
    """Events to data. One walk, no recursion in the parser, every refusal noted with its line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._problems: list[Problem] = []
        self._lines: dict[KeyPath, int] = {(): 1}
        self._values = 0

    def compose(self, text: str) -> Document:
        """The document, or ConfigError with all problems."""
        try:
            data = self._document(_events(text), text)
        except _Stop:
            data = None
        if self._problems:
            raise ConfigError(self._problems)
        return Document(self._path, data, self._lines)

    def _note(self, line: int, key: KeyPath, reason: str) -> None:
        self._problems.append(Problem(str(self._path), line, printable(key_text(key)), printable(reason)))
        if len(self._problems) >= MAX_PROBLEMS:
            self._problems.append(Problem(str(self._path), line, "", "more problems follow; these come first"))
            raise _Stop

    def _end(self, line: int, key: KeyPath, reason: str) -> _Stop:
        self._problems.append(Problem(str(self._path), line, printable(key_text(key)), printable(reason)))
        return _Stop()

    def _document(self, events: Iterator[Any], text: str) -> Any:
        import yaml

        self._source = events
        try:
            start = self._next()
            if not isinstance(start, yaml.DocumentStartEvent):
                raise self._end(1, (), "is empty")
            self._directives(start)
            data = self._value(self._next(), (), 0)
            self._next()
            after = self._next()
            if isinstance(after, yaml.DocumentStartEvent):
                raise self._end(_line(after), (), "holds a second document; one file is one document")
        except yaml.YAMLError as error:
            raise self._end(*_syntax(error, text)) from error
        except (ValueError, OverflowError) as error:
            # The parser written in Python passes an escape such as "\UFFFFFFFF" to chr() as it is.
            raise self._end(0, (), f"holds an escape or number that cannot be read: {error}") from error
        return data

    def _next(self) -> Any:
        import yaml

        event = next(self._source)
        return next(self._source) if isinstance(event, yaml.StreamStartEvent) else event

    def _directives(self, start: Any) -> None:
        if start.tags:
            self._note(_line(start), (), "a %TAG directive is not accepted")
        if start.version not in (None, (1, 2)):
            self._note(_line(start), (), "is marked as another YAML version; files are read as YAML 1.2")

    def _value(self, event: Any, key: KeyPath, depth: int) -> Any:
        import yaml

        self._values += 1
        if self._values > MAX_VALUES:
            raise self._end(_line(event), key, f"the file holds more than {MAX_VALUES} values")
        if depth > MAX_DEPTH:
            raise self._end(_line(event), (), f"is nested more than {MAX_DEPTH} levels deep")
        if isinstance(event, yaml.AliasEvent):
            self._note(_line(event), key, f"the alias `*{event.anchor}` is not accepted; write the value out")
            return None
        if event.anchor is not None:
            self._note(_line(event), key, f"the anchor `&{event.anchor}` is not accepted; write the value out")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, key)
        if event.tag is not None:
            self._note(_line(event), key, f"the tag `{event.tag}` is not accepted")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(key, depth)
        return self._mapping(key, depth)

    def _sequence(self, key: KeyPath, depth: int) -> list[Any]:
        import yaml

        items: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            place = (*key, len(items))
            self._lines[place] = _line(event)
            items.append(self._value(event, place, depth + 1))
        return items

    def _mapping(self, key: KeyPath, depth: int) -> dict[str, Any]:
        import yaml

        mapping: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            line = _line(event)
            name = self._key(event, key, depth)
            place = (*key, name)
            if name in mapping:
                self._note(line, place, f"the key stands twice; first on line {self._lines[place]}")
                self._value(self._next(), place, depth + 1)
                continue
            self._lines[place] = line
            mapping[name] = self._value(self._next(), place, depth + 1)
        return mapping

    def _key(self, event: Any, key: KeyPath, depth: int) -> str:
        import yaml

        if isinstance(event, yaml.ScalarEvent) and event.implicit[0] and event.value == "<<":
            self._note(_line(event), (*key, "<<"), "the merge key `<<` is not accepted; write the keys out")
            return "<<"
        value = self._value(event, key, depth + 1)
        if isinstance(value, str):
            return value
        if isinstance(event, yaml.ScalarEvent):
            self._note(_line(event), key, f"the key `{event.value}` is not text; put it in quotes")
        elif not isinstance(event, yaml.AliasEvent):
            self._note(_line(event), key, "a list or a mapping cannot be a key")
        return f"(key on line {_line(event)})"

    def _scalar(self, event: Any, key: KeyPath) -> Any:
        text = str(event.value)
        if event.tag is not None:
            self._note(_line(event), key, f"the tag `{event.tag}` is not accepted")
            return text
        if not event.implicit[0]:
            if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
                self._note(_line(event), key, "holds half of a surrogate pair, which is no character")
            return text
        return self._plain(text, event, key)

    def _plain(self, text: str, event: Any, key: KeyPath) -> Any:
        if text in _NULL:
            return None
        if text in _BOOL:
            return _BOOL[text]
        if text[0] not in "+-.0123456789":
            return text
        if len(text) > _MAX_DIGITS and (_INT.fullmatch(text) or _BASED.fullmatch(text) or _FLOAT.fullmatch(text)):
            self._note(_line(event), key, "the number has too many digits")
            return 0
        if _INT.fullmatch(text):
            return int(text)
        if _BASED.fullmatch(text):
            return int(text, 0)
        if _NOT_FINITE.fullmatch(text):
            self._note(_line(event), key, f"`{text}` is not a finite number")
            return 0.0
        if not _FLOAT.fullmatch(text):
            return text
        number = float(text)
        if number in (float("inf"), float("-inf")):
            self._note(_line(event), key, f"`{text}` is not a finite number")
        return number


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _events(text: str) -> Iterator[Any]:
    """The parser's events: libyaml's where PyYAML was built with it, else the parser written in Python."""
    import yaml

    return iter(yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)))


def _syntax(error: Any, text: str) -> tuple[int, KeyPath, str]:
    """A syntax error as line, key and reason."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark is not None else 0
    rows = text.splitlines()
    row = rows[line - 1] if 0 < line <= len(rows) else ""
    if "\t" in row[: len(row) - len(row.lstrip())]:
        return line, (), "the line is indented with a tab; YAML allows only spaces"
    return line, (), f"is not YAML: {getattr(error, 'problem', None) or error}"
