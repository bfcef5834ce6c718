"""Reading `outcomes.jsonl`, seed 002's rows and ours: every malformed row is named, none is guessed at."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from gate.errors import ConfigError, Problem
from gate.outcome import Slice, Status
from gate.verdict.tally import Row, Surface, Tally

MOST_PROBLEMS = 50
LONGEST_ROW = 16 * 1024 * 1024

_SLICES: Mapping[Any, Slice] = {str(name): name for name in Slice}
_STATUSES: Mapping[Any, Status] = {str(name): name for name in Status}


class _WrongRowError(ValueError):
    """A line that is not a row: which key, and why."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key
        self.reason = reason


def read_rows(path: Path, seeds: int | None = None) -> Tally:
    """The tally of all rows of a file; `seeds` as in `Tally`. An empty file is zero rows.

    Memory grows with the different canaries, not with the rows. Raises ConfigError for a file that cannot be read, and
    with every malformed row (the first 50 by line and reason, the rest by number).
    """
    try:
        with path.open("rb") as stream:
            return _Reader(str(path), Tally(seeds)).read(stream)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error


class _Reader:
    def __init__(self, name: str, tally: Tally) -> None:
        self.name = name
        self.tally = tally
        self.problems: list[Problem] = []
        self.unlisted = 0
        self.first_unlisted = 0
        self.surface = Surface()

    def read(self, stream: BinaryIO) -> Tally:
        number = 0
        while line := stream.readline(LONGEST_ROW + 1):
            number += 1
            if len(line) > LONGEST_ROW:
                self._wrong(number, "", f"a row longer than {LONGEST_ROW >> 20} MiB")
                _skip_line(stream, line)
            elif line.strip():
                self._line(number, line)
        if self.unlisted:
            reason = f"and {self.unlisted} more malformed rows, the first of them here"
            self.problems.append(Problem(self.name, self.first_unlisted, "", reason))
        if self.problems:
            raise ConfigError(self.problems)
        return self.tally

    def _line(self, number: int, line: bytes) -> None:
        try:
            reason = self.tally.add(self._row(_parse(line)))
        except _WrongRowError as error:
            self._wrong(number, error.key, error.reason)
            return
        if reason is not None:
            self._wrong(number, "id", reason)

    def _wrong(self, number: int, key: str, reason: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(self.name, number, key, reason))
            return
        self.unlisted += 1
        self.first_unlisted = self.first_unlisted or number

    def _row(self, value: Mapping[str, Any]) -> Row:
        """The checked row. Types are compared exactly: in JSON `1` is no truth value and `true` is no number."""
        canary, slice_, passed = _required(value, "id"), _required(value, "slice"), _required(value, "passed")
        if type(canary) is not str or not canary or not canary.isprintable():
            raise _WrongRowError("id", f"must be a printable text that is not empty, not {_shown(canary)}")
        if type(slice_) is not str or slice_ not in _SLICES:
            raise _WrongRowError("slice", f"{_shown(slice_)} is not one of {', '.join(Slice)}")
        if type(passed) is not bool:
            raise _WrongRowError("passed", f"must be true or false, not {_shown(passed)}")
        return Row(
            id=canary,
            slice=_SLICES[slice_],
            passed=passed,
            surface=self._surface(value),
            seed=_seed(value),
            status=_status(value, passed=passed),
            canary_sha256=_text(value, "canary_sha256"),
        )

    def _surface(self, value: Mapping[str, Any]) -> Surface:
        """The surface of the row; one that is the same as the last row's is the same object, and not checked again."""
        if tuple(map(value.get, Surface._fields)) != self.surface:
            self.surface = Surface(*[_text(value, name) for name in Surface._fields])
        return self.surface


def _parse(line: bytes) -> Mapping[str, Any]:
    try:
        value = _DECODE(line.decode("utf-8"))
    except _WrongRowError:
        raise
    except (ValueError, RecursionError) as error:
        raise _WrongRowError("", _why_not_json(line, error)) from error
    if type(value) is not dict:
        raise _WrongRowError("", f"a row is an object, not {_shown(value)}")
    return value


def _why_not_json(line: bytes, error: Exception) -> str:
    if not line.endswith(b"\n"):
        return "the last line is truncated: it has no newline and is not JSON, so its writer was cut off"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start + 1} of the line"
    if line.startswith(codecs.BOM_UTF8):
        return "starts with a byte order mark; write the file without one"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} (column {error.colno})"
    return "nested too deeply" if isinstance(error, RecursionError) else f"not JSON that can be read: {error}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _WrongRowError("", f"the key {_shown(twice)} stands twice in one object")
    return value


def _no_constant(name: str) -> NoReturn:
    raise _WrongRowError("", f"{name} is not JSON")


_DECODE: Callable[[str], Any] = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant).decode


def _skip_line(stream: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(LONGEST_ROW)


def _required(value: Mapping[str, Any], key: str) -> Any:
    if key not in value:
        raise _WrongRowError(key, "is missing")
    return value[key]


def _text(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    if found is None or (type(found) is str and found.isprintable()):
        return found
    raise _WrongRowError(key, f"must be a printable text, not {_shown(found)}")


def _seed(value: Mapping[str, Any]) -> int | None:
    if "seed" not in value:
        return None
    seed = value["seed"]
    if type(seed) is not int or seed < 0:
        raise _WrongRowError("seed", f"must be a whole number from 0, not {_shown(seed)}")
    return seed


def _status(value: Mapping[str, Any], *, passed: bool) -> Status | None:
    if "status" not in value:
        return None
    found = value["status"]
    if type(found) is not str or found not in _STATUSES:
        raise _WrongRowError("status", f"{_shown(found)} is not one of {', '.join(Status)}")
    if passed is not (found == Status.PASSED):
        raise _WrongRowError("status", f"`{found}` contradicts `passed`: {str(passed).lower()}")
    return _STATUSES[found]


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
