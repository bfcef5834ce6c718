"""`gate.yml` as a value: which suite, which agents, which thresholds. Everything in it is checked here."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, cast

from gate.errors import ConfigError, Problem
from gate.policy import Policy
from gate.suite import schema, yaml12
from gate.suite.paths import BadPath, inside
from gate.suite.yaml12 import Document, KeyPath

AgentKind = Literal["loop", "direct", "oracle", "null"]

_ON_A_MODEL: Mapping[str, tuple[str, ...]] = {
    "loop": ("model", "system_prompt", "tools"),
    "direct": ("model", "system_prompt"),
}
"""The kinds that ask a model, and the keys that each of them takes."""

_SHARES = ("fail_under", "min_lower", "score_drop", "gap_limit", "max_unscored", "low_rate", "min_kill_rate")


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """One entry of `agents`. `tools` is None where the harness's whole toolbelt is offered, and for other kinds."""

    name: str
    kind: AgentKind
    model: str | None = None
    system_prompt: Path | None = None
    tools: tuple[str, ...] | None = None


BUILT_IN: Mapping[str, AgentSpec] = {
    "oracle": AgentSpec("oracle", "oracle"),
    "null": AgentSpec("null", "null"),
    "stand-in": AgentSpec("stand-in", "loop", model="stand-in"),
}


@dataclass(frozen=True, slots=True)
class GateConfig:
    """The checked content of `gate.yml`. Paths are absolute; `base` is the folder that the file lies in.

    `hidden` is None where the suite has no folder of hidden canaries, or where gate.yml names it by an environment
    variable that is not set; only then does `hidden_note` say so, and the slice is absent without being wrong.
    `budget_usd` is for a whole run, in dollars. `jobs` None means one per CPU.
    """

    path: Path
    base: Path
    suite: Path
    hidden: Path | None
    agent: str
    agents: Mapping[str, AgentSpec]
    seeds: int = 1
    policy: Policy = field(default_factory=Policy)
    baseline: Path | None = None
    budget_usd: float | None = None
    prompt_template: Path | None = None
    stack: tuple[str, ...] = ()
    surface: Mapping[str, str] = field(default_factory=dict)
    jobs: int | None = None
    attempt_cap: int | None = None
    hidden_note: str | None = None

    def shown(self, path: Path) -> Path:
        """A path as messages name it: below the folder of gate.yml as the user wrote that, else as it is."""
        return self.path.parent / path.relative_to(self.base) if path.is_relative_to(self.base) else path


def load_config(path: Path, environ: Mapping[str, str]) -> GateConfig:
    """Read and check `gate.yml`. Raises ConfigError with every problem of the file."""
    if not path.is_file():
        raise ConfigError.at(path, 0, "", "no such file; `gate init` makes one, `--config` names another")
    return parse_config(path, yaml12.read_bytes(path), environ)


def parse_config(path: Path, text: bytes, environ: Mapping[str, str]) -> GateConfig:
    """The same from bytes, such as those of another commit; paths in it are relative to the folder of `path`."""
    document = yaml12.load(path, text)
    problems = schema.problems("gate", document)
    if problems:
        raise ConfigError(problems)
    reader = _Reader(document, path.resolve().parent)
    config = reader.config(environ)
    if reader.problems:
        raise ConfigError(reader.problems)
    return config


class _Reader:
    """Turns data that satisfies the schema into a GateConfig and notes what the schema cannot say."""

    def __init__(self, document: Document, base: Path) -> None:
        self._document = document
        self._data: dict[str, Any] = document.data
        self._base = base
        self.problems: list[Problem] = []

    def config(self, environ: Mapping[str, str]) -> GateConfig:
        data = self._data
        suite = self._path(("suite",), data.get("suite", "canaries"), folder=True) or self._base / "canaries"
        hidden, note = self._hidden(suite, environ)
        agents = {**BUILT_IN, **dict(self._agents())}
        self._date(("surface", "access_date"), data.get("surface", {}).get("access_date"))
        return GateConfig(
            path=self._document.path,
            base=self._base,
            suite=suite,
            hidden=hidden,
            agent=self._agent(agents),
            agents=agents,
            seeds=int(data.get("seeds", 1)),
            policy=self._policy(),
            baseline=self._path(("baseline",), data.get("baseline")),
            budget_usd=None if data.get("budget_usd") is None else float(data["budget_usd"]),
            prompt_template=self._path(("prompt_template",), data.get("prompt_template"), file=True),
            stack=tuple(data.get("stack", ())),
            surface=data.get("surface", {}),
            jobs=None if data.get("jobs") is None else int(data["jobs"]),
            attempt_cap=None if data.get("attempt_cap") is None else int(data["attempt_cap"]),
            hidden_note=note,
        )

    def _note(self, key: KeyPath, reason: str) -> None:
        self.problems.append(self._document.problem(key, reason))

    def _path(self, key: KeyPath, name: str | None, *, file: bool = False, folder: bool = False) -> Path | None:
        if name is None:
            return None
        try:
            path = inside(self._base, name)
        except BadPath as error:
            self._note(key, f"the path `{name}` {error}")
            return None
        if folder and not path.is_dir():
            self._note(key, f"no such folder: `{name}`")
        if file and not path.is_file():
            self._note(key, f"no such file: `{name}`")
        return path

    def _hidden(self, suite: Path, environ: Mapping[str, str]) -> tuple[Path | None, str | None]:
        given = self._data.get("hidden")
        if given is None:
            inner = suite / "hidden"
            return inner if inner.is_dir() else None, None
        if "path" in given:
            return self._path(("hidden", "path"), given["path"], folder=True), None
        name = given["env"]
        if not environ.get(name):
            return None, f"the environment variable {name} is not set, so the hidden slice is absent"
        folder = Path(environ[name]).resolve()
        if not folder.is_dir():
            self._note(("hidden", "env"), f"{name} names `{environ[name]}`, which is not a folder")
        return folder, None

    def _agents(self) -> Iterator[tuple[str, AgentSpec]]:
        for name, entry in self._data.get("agents", {}).items():
            kind = entry["kind"]
            key: KeyPath = ("agents", name)
            if name in {"oracle", "null"} and kind != name:
                self._note((*key, "kind"), f"`{name}` is a control of the gate and cannot be another kind of agent")
            if kind in _ON_A_MODEL and "model" not in entry:
                self._note(key, f"an agent of kind {kind} needs a `model`")
            for extra in sorted(entry.keys() - {"kind", *_ON_A_MODEL.get(kind, ())}):
                self._note((*key, extra), f"an agent of kind {kind} has no `{extra}`")
            tools = entry.get("tools")
            prompt = self._path((*key, "system_prompt"), entry.get("system_prompt"), file=True)
            yield (
                name,
                AgentSpec(name, cast(AgentKind, kind), entry.get("model"), prompt, tuple(tools) if tools else None),
            )

    def _agent(self, agents: Mapping[str, AgentSpec]) -> str:
        name = str(self._data.get("agent", "stand-in"))
        if name not in agents:
            self._note(("agent",), f"no agent `{name}`; there are {', '.join(sorted(agents))}")
        return name

    def _policy(self) -> Policy:
        given = dict(self._data.get("policy", {}))
        for name in _SHARES:
            if given.get(name) is not None:
                given[name] = Fraction(str(given[name]))
        for name in ("min_slice", "confirm_seeds"):
            if name in given:
                given[name] = int(given[name])
        return Policy(**given)

    def _date(self, key: KeyPath, text: str | None) -> None:
        if text is not None and (reason := bad_date(text)):
            self._note(key, reason)


def bad_date(text: str) -> str | None:
    """Why a text is not a day of the calendar (YYYY-MM-DD), or None."""
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return f"`{text}` is not a day of the calendar"
    return None
