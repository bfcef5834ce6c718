"""The folder of a run: `run.json`, `outcomes.jsonl`, `report.json` and the evidence of each trial."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gate.errors import ConfigError


def _write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that a reader never sees half of it."""
    half = path.with_name(f".{path.name}.part")
    half.write_bytes(data)
    half.replace(path)


def to_bytes(value: Mapping[str, Any]) -> bytes:
    """JSON as every file of a run is written: two blanks, ASCII, a final newline."""
    return (json.dumps(value, indent=2, ensure_ascii=True) + "\n").encode("ascii")


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
        _write_whole(self.root / "run.json", to_bytes(facts))

    def read_run(self) -> dict[str, Any]:
        """Read `run.json`. Raises ConfigError when it is not ours."""
        path = self.root / "run.json"
        try:
            facts = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}") from error
        if not isinstance(facts, dict) or facts.get("schema") != 1:
            raise ConfigError(f"{path}: not a run.json of this version of gate")
        return facts

    def write_report(self, report: Mapping[str, Any]) -> None:
        """Write the verdict beside the rows that it was made from."""
        _write_whole(self.report, to_bytes(report))

    def evidence(self, *parts: str) -> Evidence:
        """A fresh evidence folder; what an interrupted trial left in it is removed first."""
        root = self.root.joinpath(*parts)
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
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def record(self, event: Mapping[str, Any]) -> None:
        """Append one event to the trajectory and hand it to the system at once."""
        line = json.dumps(event, ensure_ascii=True, default=repr).encode("ascii") + b"\n"
        descriptor = os.open(
            self.root / "trajectory.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
        )
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)
