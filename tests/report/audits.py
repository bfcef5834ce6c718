"""Audits as values, for the reports: one that holds every sort of finding, and random ones."""

from __future__ import annotations

import random
from fractions import Fraction

from gate.audited import (
    Audit,
    AuditVerdict,
    BenchAudit,
    CanaryAudit,
    Column,
    Handed,
    Matrix,
    Strength,
)

SHAPES = ("edits", "diff", "fenced diff", "diff in prose", "whole files", "search/replace")
WRONG = ("hunk dropped", "line mutated", "reversed", "empty", "prose")


def handed(*, wrong: tuple[str, ...] = (), cannot: str = "") -> tuple[Handed, ...]:
    """The reference in every shape, and five wrong answers as diffs, of which `wrong` pass all the same."""
    right = [
        Handed(
            "reference", shape, None if shape == cannot else True, "a block cannot delete" if shape == cannot else ""
        )
        for shape in SHAPES
    ]
    return (*right, *(Handed(answer, "diff", answer in wrong) for answer in WRONG))


def sample() -> Audit:
    """One of everything: each verdict, survivors, cheats let through, every kind of column, benchmarks."""
    survivors = tuple(f"src/pager.py:{line} `<` became `<=`" for line in range(10, 18))
    canaries = (
        CanaryAudit(
            "bugfix-pager",
            "public",
            AuditVerdict.PASS,
            "observed+vector",
            handed(cannot="whole files"),
            (),
            41,
            Strength(12, survivors, equivalent=2, never_failed=("tests/test_pager.py::test_it_imports",)),
            notes=("3 of 7 assertions cannot be rewritten and are graded by the vector",),
            seconds=1.5,
        ),
        CanaryAudit(
            "bugfix-stockroom",
            "public",
            AuditVerdict.BROKEN,
            "calls",
            handed(wrong=("empty", "prose")),
            (),
            41,
            Strength(9, (), unmeasured=1),
            flaws=("an empty answer passes", "an answer of prose only passes as diff"),
        ),
        CanaryAudit(
            "feature-linkcheck",
            "hidden",
            AuditVerdict.PASS,
            "exit-code",
            handed(),
            tuple(f"cheat-{number}" for number in range(17)),
            41,
            Strength(0, ()),
            advice="graded by an exit code only; write the tests as `pytest:` with fail_to_pass, or as `calls:`",
            cached=True,
        ),
        CanaryAudit("numbers", "hidden", AuditVerdict.ENV_MISSING, "calls", missing=("numpy", "scipy")),
        CanaryAudit("far-away", "hidden", AuditVerdict.NOT_STAGED, "none", notes=("run `gate stage far-away`",)),
        CanaryAudit(
            "no-answer",
            "public",
            AuditVerdict.EXEMPT,
            "none",
            cap="the upstream test compares a float with itself after rounding",
        ),
    )
    cheats = tuple(f"{kind}-{number}" for kind in ("conftest", "source", "adaptive") for number in range(6))
    columns = (
        Column("calls", "structured", (), 18, True, True),
        Column("observed", "structured", ("source-1",), 18, True, True),
        Column("vector", "vector", ("adaptive-2",), 18, True, True, 96, 3, Fraction(1, 256), ("source-5",)),
        Column("command", "exit-code", cheats[:9], 18, True, True),
        Column("exit code in the agent's tree", "naive", cheats[:14], 18, True, False),
        Column("always true", "naive", cheats[:17], 18, True, False),
    )
    benchmarks = (
        BenchAudit(
            "human-eval",
            AuditVerdict.PASS,
            163,
            164,
            excluded={"HumanEval/32": "its last assertion splats a float and dies of a TypeError"},
            shapes={"raw": 164, "fenced": 164},
            rejected={"empty": {"rejected": 164, "of": 164}, "prose": {"rejected": 328, "of": 328}},
            forms={"calls": 150, "vector": 14},
            seconds=40.2,
        ),
        BenchAudit("bigcodebench", AuditVerdict.ENV_MISSING, 0, 9, blocked={"7": ("numpy",), "8": ("numpy", "pandas")}),
        BenchAudit("mbpp", AuditVerdict.NOT_STAGED, reason="no data: give --data PATH, or --fetch"),
        BenchAudit(
            "swe", AuditVerdict.BROKEN, 1, 9, failures=tuple(f"task {n}: the gold patch fails" for n in range(8))
        ),
    )
    return Audit(canaries, Matrix(cheats, columns, ("adaptive-5",)), benchmarks, ("wrote canaries/audit.json",), 61.25)


NASTY = (
    "",
    "x",
    "\x1b[2J",
    "::error::no",
    "a\nb",
    "\u202e",
    "日本語",
    "e\u0301" * 5,
    "w" * 90,
    "##[x]",
    "\ud800",
    "a b c",
)


def a_text(rng: random.Random) -> str:
    """Something that a file or a test may be called."""
    return rng.choice(NASTY) + rng.choice(NASTY)


def texts(rng: random.Random) -> tuple[str, ...]:
    """A few of them, or none, or many."""
    return tuple(a_text(rng) for _ in range(rng.choice([0, 0, 1, 3, 9])))


def a_canary(rng: random.Random) -> CanaryAudit:
    """Any canary's audit, sensible or not."""
    strength = Strength(rng.randrange(3), texts(rng), 1, 1, texts(rng)) if rng.random() < 0.7 else None
    answers = rng.choices([*WRONG, "reference"], k=rng.randrange(8))
    given = tuple(
        Handed(answer, a_text(rng), rng.choice([True, False, None]), a_text(rng), rng.random() < 0.2)
        for answer in answers
    )
    return CanaryAudit(
        f"id-{rng.randrange(10**6)}{'-long' * rng.choice([0, 1, 20])}",
        "public",
        rng.choice(list(AuditVerdict)),
        a_text(rng),
        given,
        texts(rng),
        rng.randrange(20),
        strength,
        texts(rng),
        texts(rng),
        a_text(rng),
        texts(rng),
        a_text(rng) if rng.random() < 0.3 else None,
        rng.random(),
        rng.random() < 0.5,
    )


def a_column(rng: random.Random, cheats: tuple[str, ...]) -> Column:
    """Any column, of cheats that the matrix may not even know."""
    return Column(
        a_text(rng),
        rng.choice(["structured", "vector", "exit-code", "naive", "unheard-of"]),
        tuple(name for name in (*cheats, *texts(rng)) if rng.random() < 0.3),
        rng.choice([0, 7, 1234]),
        rng.random() < 0.8,
        rng.random() < 0.8,
        rng.choice([0, 100]),
        rng.choice([0, 3]),
        rng.choice([None, Fraction(1, 64)]),
        tuple(name for name in cheats if rng.random() < 0.1),
    )


def a_bench(rng: random.Random) -> BenchAudit:
    """Any benchmark."""
    n = rng.choice([1, 164])
    return BenchAudit(
        a_text(rng),
        rng.choice(list(AuditVerdict)),
        rng.randrange(n + 1),
        n,
        texts(rng),
        {a_text(rng): texts(rng)},
        {a_text(rng): a_text(rng)} if rng.random() < 0.5 else {},
        {a_text(rng): n},
        {a_text(rng): {"rejected": 1, "of": n}},
        {a_text(rng): n},
        a_text(rng),
        rng.random(),
    )


def an_audit(rng: random.Random) -> Audit:
    """Any audit at all, an empty one included."""
    cheats = texts(rng)
    columns = tuple(a_column(rng, cheats) for _ in range(rng.choice([0, 1, 9, 40])))
    return Audit(
        tuple(a_canary(rng) for _ in range(rng.choice([0, 1, 5]))),
        Matrix(cheats, columns, texts(rng)) if rng.random() < 0.6 else None,
        tuple(a_bench(rng) for _ in range(rng.choice([0, 1, 3]))),
        texts(rng),
        rng.random(),
    )
