"""The records of an audit: what was handed to the graders, what they said of it, and the stamp that a green one leaves.

They lie here, beside the row, because the verdict reads the stamp and the reports show the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any


class AuditVerdict(StrEnum):
    """What may be believed of a task's grader (seed 001). Only `PASS` is verified; only `BROKEN` condemns."""

    PASS = "PASS"  # noqa: S105  # a verdict, not a password
    BROKEN = "BROKEN"
    ENV_MISSING = "ENV-MISSING"
    NOT_STAGED = "NOT-STAGED"
    EXEMPT = "EXEMPT"

    @classmethod
    def of(cls, parts: list[AuditVerdict]) -> AuditVerdict:
        """The verdict over several tasks: broken if one is, else a pass if one is, else the first of the rest."""
        for verdict in (cls.BROKEN, cls.PASS, cls.ENV_MISSING, cls.NOT_STAGED):
            if verdict in parts:
                return verdict
        return cls.EXEMPT


@dataclass(frozen=True, slots=True)
class Handed:
    """One answer as it was handed in and how that came out.

    `answer` is `reference`, `hunk dropped`, `line mutated`, `reversed`, `empty` or `prose`; `shape` is the form in
    which it travelled. `passed` is None where it was not graded: `reason` then says why the shape cannot carry this
    answer (a whole-file block cannot delete), or why the graders could not work.
    """

    answer: str
    shape: str
    passed: bool | None
    reason: str = ""
    failed_to_measure: bool = False

    @property
    def wanted(self) -> bool:
        """Whether this answer must pass."""
        return self.answer == "reference"

    @property
    def wrong(self) -> bool:
        """True where it came out otherwise than it must. What was not graded is not wrong."""
        return self.passed is not None and self.passed is not self.wanted


@dataclass(frozen=True, slots=True)
class Strength:
    """How many known-wrong versions of the reference answer the graders reject.

    `survivors` are named `path:line what was changed`. `equivalent` versions were dropped because they are the same
    program, `unmeasured` ones could not be graded. `never_failed` are tests that passed on every known-wrong version
    and on the fixture itself: nothing shows that they can fail.
    """

    killed: int
    survivors: tuple[str, ...]
    equivalent: int = 0
    unmeasured: int = 0
    never_failed: tuple[str, ...] = ()

    @property
    def of(self) -> int:
        """How many were graded."""
        return self.killed + len(self.survivors)

    @property
    def rate(self) -> Fraction | None:
        """Killed of graded, or None where there was nothing to grade."""
        return Fraction(self.killed, self.of) if self.of else None

    def to_json(self) -> dict[str, Any]:
        """The part of a canary's entry that says how strong its tests are."""
        return {
            "kill_rate": None if self.rate is None else round(float(self.rate), 4),
            "killed": self.killed,
            "mutants": self.of,
            "survivors": list(self.survivors),
            "equivalent": self.equivalent,
            "unmeasured": self.unmeasured,
            "never_failed": list(self.never_failed),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Strength:
        """The same, read back."""
        return cls(
            data["killed"],
            tuple(data["survivors"]),
            data["equivalent"],
            data["unmeasured"],
            tuple(data["never_failed"]),
        )


@dataclass(frozen=True, slots=True)
class CanaryAudit:
    """What an audit found of one task: a canary, a trap, or a row of a benchmark.

    `flaws` are the sentences that make it BROKEN. `let_through` names the cheats that its own graders passed, of
    `cheats` that were tried; where the canary is graded by an exit code only, they are a weakness and `advice` says
    what to do; anywhere else they are flaws. `missing` are the modules that this machine lacks. `cap` is the reason
    of a `known_unpassable`. `graded_by` is how the reference answer was graded.
    """

    id: str
    slice: str
    verdict: AuditVerdict
    graded_by: str
    handed: tuple[Handed, ...] = ()
    let_through: tuple[str, ...] = ()
    cheats: int = 0
    strength: Strength | None = None
    flaws: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    advice: str = ""
    missing: tuple[str, ...] = ()
    cap: str | None = None
    seconds: float = 0.0
    cached: bool = False

    def shapes(self) -> dict[str, bool | None]:
        """For each shape whether the reference answer passed in it; None where the shape cannot carry it."""
        return {one.shape: one.passed for one in self.handed if one.wanted}

    def rejected(self) -> dict[str, dict[str, int]]:
        """For each wrong kind of answer: how many were handed in and graded, and how many were rejected."""
        out: dict[str, dict[str, int]] = {}
        for one in self.handed:
            if not one.wanted and one.passed is not None:
                entry = out.setdefault(one.answer, {"rejected": 0, "of": 0})
                entry["of"] += 1
                entry["rejected"] += not one.passed
        return out

    def to_json(self) -> dict[str, Any]:
        """An entry of `canaries` in `schemas/audit.schema.json`."""
        strength = self.strength or Strength(0, ())
        return {
            "id": self.id,
            "slice": self.slice,
            "verdict": str(self.verdict),
            "graded_by": self.graded_by,
            "shapes": self.shapes(),
            "rejected": self.rejected(),
            "let_through": list(self.let_through),
            "cheats": self.cheats,
            **strength.to_json(),
            "flaws": list(self.flaws),
            "notes": list(self.notes),
            "advice": self.advice,
            "missing": list(self.missing),
            "cap": self.cap,
            "cached": self.cached,
        }


@dataclass(frozen=True, slots=True)
class Column:
    """One grader of the matrix and the cheats that it passed.

    `kind` is `structured` (the expected values stay with the parent), `vector` (twins in the child), `held` (the word
    of the child, with controls beside it), `exit-code` (ours, for bare commands) or `naive` (a design in use elsewhere,
    kept to show that a cheat is alive). A vector column is tried several times with new draws: `tries` and `hits` count
    gradings of adaptive cheats, `floor` is what guessing alone gives.
    """

    grader: str
    kind: str
    fooled_by: tuple[str, ...]
    of: int
    gold_passes: bool
    null_fails: bool
    tries: int = 0
    hits: int = 0
    floor: Fraction | None = None
    unmeasured: tuple[str, ...] = ()

    @property
    def flaw(self) -> str | None:
        """Why this grader cannot be trusted, or None. Weak ones may be fooled; that is said, and is no flaw."""
        if self.kind != "naive" and not self.gold_passes:
            return f"{self.grader}: the right answer does not pass"
        if self.kind != "naive" and not self.null_fails:
            return f"{self.grader}: an empty or another wrong answer passes"
        if self.kind == "structured" and self.fooled_by:
            return f"{self.grader}: fooled by {', '.join(self.fooled_by)}"
        return None

    def to_json(self) -> dict[str, Any]:
        """An entry of `matrix` in `schemas/audit.schema.json`."""
        return {
            "kind": self.kind,
            "fooled": len(self.fooled_by),
            "of": self.of,
            "fooled_by": list(self.fooled_by),
            "gold_passes": self.gold_passes,
            "null_fails": self.null_fails,
            "tries": self.tries,
            "hits": self.hits,
            "floor": None if self.floor is None else round(float(self.floor), 6),
            "unmeasured": list(self.unmeasured),
        }


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cheats against graders. `dead` names cheats that fooled no grader at all: they prove nothing."""

    cheats: tuple[str, ...]
    columns: tuple[Column, ...]
    dead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BenchAudit:
    """What an audit found of one benchmark. The counts are of tasks; `cap` is the achievable score in words.

    `checked` passed in every shape and rejected what is wrong. `failures` name tasks and reasons, `blocked` maps a
    task to the modules that are missing, `excluded` a task to the reason of its disclosure.
    """

    name: str
    verdict: AuditVerdict
    checked: int = 0
    of: int = 0
    failures: tuple[str, ...] = ()
    blocked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    excluded: Mapping[str, str] = field(default_factory=dict)
    shapes: Mapping[str, int] = field(default_factory=dict)
    rejected: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    forms: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    seconds: float = 0.0

    @property
    def cap(self) -> str | None:
        """The highest score that the benchmark's own data allows, where that is not all of it."""
        if not self.excluded:
            return None
        best = self.of - len(self.excluded)
        return f"{best}/{self.of} = {100 * best / self.of:.1f}%"

    def to_json(self) -> dict[str, Any]:
        """An entry of `benchmarks` in `schemas/audit.schema.json`."""
        return {
            "name": self.name,
            "verdict": str(self.verdict),
            "checked": self.checked,
            "of": self.of,
            "failures": list(self.failures),
            "blocked": {task: list(names) for task, names in self.blocked.items()},
            "excluded": dict(self.excluded),
            "cap": self.cap,
            "shapes": dict(self.shapes),
            "rejected": {kind: dict(counts) for kind, counts in self.rejected.items()},
            "forms": dict(self.forms),
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a green audit leaves behind: that these graders were proven on this suite.

    All digests are hex sha256. `suite` is the lock's, `graders` that of the sources and packages that grade, `audit`
    that of the cheats and shapes that they were tried with. `interpreters` are those that the same audit was green
    on, `canaries` the lock's digest of each canary, so that what changed can be named.
    """

    suite: str
    graders: str
    audit: str
    interpreters: tuple[str, ...] = ()
    canaries: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The file `audit.json` beside the lock, less what the audit adds for readers."""
        return {
            "schema": 1,
            "suite": self.suite,
            "graders": self.graders,
            "audit": self.audit,
            "interpreters": sorted(self.interpreters),
            "canaries": dict(self.canaries),
        }


@dataclass(frozen=True, slots=True)
class AuditState:
    """Whether graders and suite are those of the last green audit, and if not, what changed.

    `changed` names parts of the stamp: `suite`, `graders`, `interpreters`, `audit`; `canaries` are the ids of those
    that are not as they were. `stamped` is False where there is no stamp at all.
    """

    stamped: bool
    changed: tuple[str, ...] = ()
    canaries: tuple[str, ...] = ()

    @property
    def current(self) -> bool:
        """Whether the stamp holds."""
        return self.stamped and not self.changed

    @property
    def name(self) -> str:
        """`current`, `changed` or `never`."""
        return "current" if self.current else "changed" if self.stamped else "never"

    @property
    def text(self) -> str:
        """The same as half a sentence for people."""
        if not self.stamped:
            return "the graders were never audited on this suite; run `gate audit`"
        if not self.changed:
            return "the graders were audited on this suite"
        return f"not audited since: {', '.join(map(self._part, self.changed))}; run `gate audit` again"

    def _part(self, part: str) -> str:
        shown = [*self.canaries[:_FEW], *([f"{len(self.canaries) - _FEW} more"] if self.canaries[_FEW:] else [])]
        return {
            "suite": f"the suite changed ({', '.join(shown) or 'its card or prompt template'})",
            "graders": "the graders changed",
            "interpreters": "these are other interpreters",
            "audit": "the audit itself changed",
        }[part]

    def to_json(self) -> dict[str, Any]:
        """The key `audit` of `run.json` and of the report."""
        return {"state": self.name, "changed": list(self.changed), "canaries": list(self.canaries)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AuditState:
        """The same, read back. Raises KeyError, TypeError or ValueError where it is not one."""
        state = cls(data["state"] != "never", tuple(data["changed"]), tuple(data["canaries"]))
        if state.name != data["state"] or not {*state.changed} <= {*PARTS} or not all(map(_is_text, state.canaries)):
            raise ValueError(f"no state of an audit: {data}")
        return state


NEVER_AUDITED = AuditState(stamped=False)

PARTS = ("suite", "graders", "interpreters", "audit")
"""What of a stamp can be out of date, in the order in which it is told."""

_FEW = 5


def _is_text(value: object) -> bool:
    return isinstance(value, str)


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit: the verdict over all of it, and every part."""

    canaries: tuple[CanaryAudit, ...] = ()
    matrix: Matrix | None = None
    benchmarks: tuple[BenchAudit, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def verdict(self) -> AuditVerdict:
        """BROKEN if anything is. A pass needs something that was verified."""
        flaws = [column.flaw for column in self.matrix.columns] if self.matrix else []
        parts = [canary.verdict for canary in self.canaries] + [bench.verdict for bench in self.benchmarks]
        if any(flaws):
            return AuditVerdict.BROKEN
        if self.matrix and not parts:
            return AuditVerdict.PASS
        return AuditVerdict.of(parts)

    def to_json(self) -> dict[str, Any]:
        """The object of `schemas/audit.schema.json`."""
        return {
            "verdict": str(self.verdict),
            "canaries": [canary.to_json() for canary in self.canaries],
            "matrix": {column.grader: column.to_json() for column in self.matrix.columns} if self.matrix else {},
            "dead_cheats": list(self.matrix.dead) if self.matrix else [],
            "benchmarks": [bench.to_json() for bench in self.benchmarks],
            "notes": list(self.notes),
        }
