"""The folder of a run: `run.json`, `outcomes.jsonl`, `report.json` and the evidence of each trial."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import UnionType
from typing import Any

from gate.errors import ConfigError, NotMeasured


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that a reader never sees half of it. Raises NotMeasured where it cannot."""
    half = path.with_name(f".{path.name}.part")
    with _writing(path):
        half.write_bytes(data)
        half.replace(path)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """A disk that takes no more is nobody's failure: the run stops, and can go on where there is room."""
    try:
        yield
    except OSError as error:
        message = f"{path}: cannot be written ({error.strerror}); finished trials are kept, "
        raise NotMeasured(message + "free some space and continue with --resume") from error


def to_bytes(value: Mapping[str, Any]) -> bytes:
    """JSON as every file of a run is written: two blanks, ASCII, a final newline."""
    return (json.dumps(value, indent=2, ensure_ascii=True) + "\n").encode("ascii")


Kind = type | UnionType
"""What `isinstance` takes."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where one run keeps everything; paths only, nothing is cached."""

    root: Path

    @classmethod
    def create(cls, out: Path, agent: str, now: datetime) -> RunFolder:
        """A new folder named by time and agent. Raises ConfigError when it cannot be made."""
        name = f"{now:%Y%m%dT%H%M%SZ}-{''.join(c if c.isalnum() else '-' for c in agent)}"
        for attempt in range(1000):
            root = out / (name if not attempt else f"{name}-{attempt + 1}")
            try:
                root.mkdir(parents=True)
            except FileExistsError:
                continue
            except OSError as error:
                raise ConfigError(f"{root}: cannot make the run folder: {error.strerror}") from error
            return cls(root)
        raise ConfigError(f"{out}: no free name for a run folder like {name}")

    @classmethod
    def existing(cls, root: Path) -> RunFolder:
        """A folder that an earlier run left. Raises ConfigError when it is not one."""
        if not (root / "run.json").is_file():
            raise ConfigError(
                f"{root}: not a run folder (there is no run.json in it); give the path that gate run printed"
            )
        return cls(root.resolve())

    @property
    def journal(self) -> Path:
        """The rows of the run."""
        return self.root / "outcomes.jsonl"

    @property
    def report(self) -> Path:
        """The verdict as JSON."""
        return self.root / "report.json"

    def write_run(self, facts: Mapping[str, Any]) -> None:
        """Write `run.json`: what was planned, with what, and how far it got."""
        write_whole(self.root / "run.json", to_bytes(facts))

    def read_run(self) -> dict[str, Any]:
        """Read `run.json`. Raises ConfigError when it is not ours."""
        return self._read("run.json", {"digests": dict, "surface": dict, "dataset_commit": str | None})

    def write_asked(self, asked: Mapping[str, Any]) -> None:
        """Write `asked.json`: what the command line asked for, which holds for the run however often it is resumed."""
        write_whole(self.root / "asked.json", to_bytes({"schema": 1, **asked}))

    def read_asked(self, kinds: Mapping[str, Kind]) -> dict[str, Any]:
        """Read `asked.json`, with these keys and kinds of values. Raises ConfigError when it is not ours."""
        return self._read("asked.json", kinds)

    def _read(self, name: str, kinds: Mapping[str, Kind]) -> dict[str, Any]:
        path = self.root / name
        try:
            facts = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}") from error
        if not isinstance(facts, dict) or facts.get("schema") != 1:
            raise ConfigError(f"{path}: not a {name} of this version of gate")
        wrong = [key for key, kind in kinds.items() if key not in facts or not isinstance(facts[key], kind)]
        if wrong:
            raise ConfigError(f"{path}: no {name} of this version of gate: see {', '.join(wrong)}")
        return facts

    def write_report(self, report: Mapping[str, Any]) -> None:
        """Write the verdict beside the rows that it was made from."""
        write_whole(self.report, to_bytes(report))

    def evidence(self, *parts: str) -> Evidence:
        """A fresh evidence folder; what an interrupted trial left in it is removed first."""
        root = self.root.joinpath(*parts)
        with _writing(root):
            shutil.rmtree(root, ignore_errors=True)
            root.mkdir(parents=True)
        return Evidence(root)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one trial: the trajectory, the patch, the grade, and what the graders saw."""

    root: Path

    def put(self, name: str, data: bytes) -> None:
        """Keep one file. `name` is ours, never the agent's; a name with folders makes them."""
        path = self.root / name
        with _writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def record(self, event: Mapping[str, Any]) -> None:
        """Append one event to the trajectory and hand it to the system at once."""
        line = json.dumps(event, ensure_ascii=True, default=repr).encode("ascii") + b"\n"
        path = self.root / "trajectory.jsonl"
        with _writing(path), path.open("ab", buffering=0) as file:
            while line:
                line = line[file.write(line) :]
