"""The journal of a run: `outcomes.jsonl`, append-only, one writer, every row on disk before the next trial is counted.

A process that is killed may leave half a line behind. `Journal.open` cuts it off, so that the trial it belonged to
is simply run again; whole rows are never touched.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from gate.errors import ConfigError, NotMeasured
from gate.outcome import Outcome


def encode(outcome: Outcome) -> bytes:
    """One row and its newline, keys in the order of `Outcome.to_row`."""
    return json.dumps(outcome.to_row(), ensure_ascii=True, separators=(", ", ": ")).encode("ascii") + b"\n"


def read_rows(path: Path) -> list[Outcome]:
    """All whole rows of a journal of ours. Raises ConfigError for a line that is not one, byte for byte."""
    rows = []
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], 1):
        try:
            outcome = Outcome.from_row(json.loads(line))
            same = encode(outcome) == line + b"\n"
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            reason = f"not a row of this version of gate: {type(error).__name__}: {error}"
            raise ConfigError.at(path, number, "", reason) from error
        if not same:
            raise ConfigError.at(path, number, "", "not as this version of gate wrote it: the row was edited by hand")
        rows.append(outcome)
    return rows


@dataclass(slots=True)
class Journal:
    """The open journal. `add` may be called from any worker."""

    path: Path
    rows: list[Outcome]
    _descriptor: int
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open or create the journal, take its lock, drop half a line.

        Raises ConfigError when it is in use, is not ours, or cannot be written.
        """
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise ConfigError(f"{path}: cannot be opened for writing: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            content = path.read_bytes()
            whole = content.rfind(b"\n") + 1
            if whole != len(content):
                os.ftruncate(descriptor, whole)
            return cls(path, read_rows(path), descriptor)
        except BlockingIOError:
            os.close(descriptor)
            raise ConfigError(f"{path}: another gate process is writing this run; wait for it or stop it") from None
        except ConfigError:
            os.close(descriptor)
            raise

    def add(self, outcome: Outcome) -> None:
        """Append one row. Raises NotMeasured when the disk does not take it; no half row is left behind."""
        data = encode(outcome)
        with self._lock:
            start = os.fstat(self._descriptor).st_size
            try:
                rest = data[os.write(self._descriptor, data) :]
                while rest:  # a disk that is nearly full takes a part first and refuses the rest
                    rest = rest[os.write(self._descriptor, rest) :]
            except OSError as error:
                os.ftruncate(self._descriptor, start)
                message = f"{self.path}: cannot write a row ({error.strerror}); finished trials are kept, "
                raise NotMeasured(message + "free some space and continue with --resume") from error
            self.rows.append(outcome)

    def close(self) -> None:
        """Release the file and its lock."""
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
