"""The records that travel between rooms: what an agent answered, what the graders said, and the row.

An `Answer` is what the answering side hands over, a `Grade` is what the graders say of it, and an
`Outcome` is one line of `outcomes.jsonl`. Nothing here knows how an answer is made or judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

ROW_SCHEMA = 1


class Slice(StrEnum):
    """Which question a canary answers; `canary` holds the traps, which must not pass."""

    PUBLIC = "public"
    HIDDEN = "hidden"
    CANARY = "canary"


class Status(StrEnum):
    """How a trial ended. Only `PASSED` passes; see `UNSCORED` for what is neither pass nor failure."""

    PASSED = "passed"
    FAILED = "failed"
    OVER_BUDGET = "over_budget"
    TIMEOUT = "timeout"
    LEAKED = "leaked"
    ERROR = "error"
    ENV_MISSING = "env_missing"
    NOT_STAGED = "not_staged"
    INVALID = "invalid"


UNSCORED = frozenset({Status.ERROR, Status.ENV_MISSING, Status.NOT_STAGED, Status.INVALID})
"""Statuses that measured nothing: counted apart, never in a rate."""


class CostState(StrEnum):
    """What is known about the dollars of a trial."""

    PRICED = "priced"
    UNPRICED = "unpriced"
    UNDERSTATED = "understated"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a trial in one normal form; `reasoning` is a part of `output`, never added to it."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.reasoning + other.reasoning,
        )

    def to_json(self) -> dict[str, int]:
        """The five counters by name."""
        return {
            "input": self.input,
            "cache_read": self.cache_read,
            "cache_write": self.cache_write,
            "output": self.output,
            "reasoning": self.reasoning,
        }


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call that the harness executed or refused, as the harness saw it."""

    name: str
    arguments: Mapping[str, Any]
    ok: bool
    result: str

    def to_json(self) -> dict[str, Any]:
        """The call as one event of a trajectory."""
        return {"name": self.name, "arguments": dict(self.arguments), "ok": self.ok, "result": self.result}


class AnswerStatus(StrEnum):
    """How the answering side stopped. Anything but `DONE` decides the trial before a grader runs."""

    DONE = "done"
    OVER_BUDGET = "over_budget"
    TIMEOUT = "timeout"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent did, counted by the harness. The patch is not in it: that is read off the copy."""

    status: AnswerStatus
    message: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    cost_state: CostState = CostState.UNPRICED
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing a grader looked at. `reason` says why, in words stable enough to be compared."""

    name: str
    ok: bool
    reason: str

    def to_json(self) -> dict[str, Any]:
        """The check as `gate grade --json` prints it."""
        return {"name": self.name, "ok": self.ok, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Grade:
    """All checks of one patch. `passed` is their conjunction, and an empty list of checks never passes."""

    status: Status
    checks: tuple[Check, ...]
    graded_by: str
    applied: bool
    located: bool | None = None

    @property
    def passed(self) -> bool:
        """True only for `Status.PASSED`."""
        return self.status is Status.PASSED

    @classmethod
    def of(cls, checks: tuple[Check, ...], *, graded_by: str, applied: bool, located: bool | None = None) -> Grade:
        """The grade that follows from its checks alone: passed if there are any and all hold."""
        passed = bool(checks) and all(check.ok for check in checks)
        return cls(Status.PASSED if passed else Status.FAILED, checks, graded_by, applied, located)

    @classmethod
    def unscored(cls, status: Status, reason: str) -> Grade:
        """A grade that measured nothing, with its reason as the only check."""
        return cls(status, (Check("measured", ok=False, reason=reason),), graded_by="none", applied=False)

    def reasons(self) -> tuple[str, ...]:
        """One line for each check that did not hold."""
        return tuple(f"{check.name}: {check.reason}" for check in self.checks if not check.ok)

    def to_json(self) -> dict[str, Any]:
        """The object of `schemas/grade.schema.json`."""
        return {
            "passed": self.passed,
            "status": str(self.status),
            "graded_by": self.graded_by,
            "applied": self.applied,
            "located": self.located,
            "checks": [check.to_json() for check in self.checks],
        }


@dataclass(frozen=True, slots=True)
class Digests:
    """Everything hashed that can change a score (hex sha256 each).

    The measuring side (`suite`, `card`, `grader`, `harness`) must match for a comparison; the measured
    side (`prompt`, `agent`) may differ, since that is what a pull request changes.
    """

    suite: str
    card: str
    grader: str
    harness: str
    prompt: str
    agent: str

    def measuring(self) -> dict[str, str]:
        """The part that must match between a run and its baseline."""
        return {"suite": self.suite, "card": self.card, "grader": self.grader, "harness": self.harness}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One row of `outcomes.jsonl`: a trial and its grade."""

    id: str
    slice: Slice
    kind: str
    seed: int
    status: Status
    reasons: tuple[str, ...]
    graded_by: str
    tool_surface: str
    digests: Digests
    canary_sha256: str
    dataset_commit: str | None
    agent: str
    tool_calls: int
    tokens: Usage
    cost_usd: float | None
    cost_state: CostState
    seconds: float
    applied: bool
    located: bool | None
    patch_sha256: str | None
    trial: str

    @property
    def passed(self) -> bool:
        """True only for `Status.PASSED`; on a trap that means it was sprung."""
        return self.status is Status.PASSED

    @property
    def scored(self) -> bool:
        """False when the trial measured nothing."""
        return self.status not in UNSCORED

    def to_row(self) -> dict[str, Any]:
        """The row as it is written, keys in a fixed order: seed 002's five first."""
        return {
            "id": self.id,
            "slice": str(self.slice),
            "passed": self.passed,
            "tool_surface": self.tool_surface,
            "prompt_sha256": self.digests.prompt,
            "schema": ROW_SCHEMA,
            "seed": self.seed,
            "kind": self.kind,
            "status": str(self.status),
            "reasons": list(self.reasons),
            "graded_by": self.graded_by,
            "agent": self.agent,
            "card_sha256": self.digests.card,
            "suite_sha256": self.digests.suite,
            "grader_sha256": self.digests.grader,
            "harness_sha256": self.digests.harness,
            "agent_sha256": self.digests.agent,
            "canary_sha256": self.canary_sha256,
            "dataset_commit": self.dataset_commit,
            "tool_calls": self.tool_calls,
            "tokens": self.tokens.to_json(),
            "cost_usd": self.cost_usd,
            "cost_state": str(self.cost_state),
            "seconds": self.seconds,
            "applied": self.applied,
            "located": self.located,
            "patch_sha256": self.patch_sha256,
            "trial": self.trial,
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Outcome:
        """The inverse of `to_row`. Raises KeyError, TypeError or ValueError on a row that is not ours."""
        return cls(
            id=row["id"],
            slice=Slice(row["slice"]),
            kind=row["kind"],
            seed=row["seed"],
            status=Status(row["status"]),
            reasons=tuple(row["reasons"]),
            graded_by=row["graded_by"],
            tool_surface=row["tool_surface"],
            digests=Digests(
                suite=row["suite_sha256"],
                card=row["card_sha256"],
                grader=row["grader_sha256"],
                harness=row["harness_sha256"],
                prompt=row["prompt_sha256"],
                agent=row["agent_sha256"],
            ),
            canary_sha256=row["canary_sha256"],
            dataset_commit=row["dataset_commit"],
            agent=row["agent"],
            tool_calls=row["tool_calls"],
            tokens=Usage(**row["tokens"]),
            cost_usd=row["cost_usd"],
            cost_state=CostState(row["cost_state"]),
            seconds=row["seconds"],
            applied=row["applied"],
            located=row["located"],
            patch_sha256=row["patch_sha256"],
            trial=row["trial"],
        )
