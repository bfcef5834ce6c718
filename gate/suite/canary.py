"""A canary as the rest of the house sees it: parsed, checked, with absolute paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from gate.outcome import Slice

GoldenMatch = Literal["exact", "whitespace", "syntax"]
TestsVisible = Literal["none", "some", "all"]
Language = Literal["python", "javascript", "other"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What one trial may spend. `max_tokens` counts output with reasoning, summed over the trial."""

    max_tool_calls: int | None = None
    max_tokens: int | None = None
    max_input_tokens: int | None = None
    max_usd: float | None = None
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class CommandTest:
    """A bare command, graded by its exit code and nothing else."""

    command: str


@dataclass(frozen=True, slots=True)
class RunnerTest:
    """Test files under a runner that we rewrite: paths are relative to the tree, or to the hidden tests.

    Ids read `path::name` (pytest) or `path::describe > name` (node). An id without `[…]` stands for all
    rows of a parametrized test. Empty `fail_to_pass` and `pass_to_pass` mean: every test found must pass.
    """

    runner: Literal["pytest", "node"]
    paths: tuple[str, ...]
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One declared call. Exactly one of `returns` and `raises` is given (`has_returns` tells None from absent).

    `call` is `package.module.function` for Python and `path/to/file.js#export` for JavaScript. `returns` may use
    the tags `{$tuple: []}`, `{$set: []}`, `{$frozenset: []}`, `{$bytes: base64}`, `{$float: "nan"}`.
    `after` is what the positional arguments must look like after the call, where mutation matters.
    """

    call: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    has_returns: bool = False
    returns: Any = None
    raises: str | None = None
    after: tuple[Any, ...] | None = None


@dataclass(frozen=True, slots=True)
class CallsTest:
    """Declared calls: the driver in the fence returns results, the parent compares."""

    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class StdinTest:
    """A program of the tree that reads standard input and prints: (input, expected output) for each case."""

    program: str
    cases: tuple[tuple[str, str], ...]


TestSpec = CommandTest | RunnerTest | CallsTest | StdinTest


@dataclass(frozen=True, slots=True)
class Expect:
    """What is right. Paths of goldens, references and hidden tests are absolute."""

    goldens: tuple[Path, ...] = ()
    golden_match: GoldenMatch = "whitespace"
    reference: Path | None = None
    tests: tuple[TestSpec, ...] = ()
    hidden_tests: Path | None = None
    tests_visible: TestsVisible = "none"
    tools_allowed: tuple[str, ...] | None = None
    tools_forbidden: tuple[str, ...] = ()
    forbidden_paths: tuple[str, ...] = ()
    allowed_paths: tuple[str, ...] | None = None
    locate: tuple[Mapping[str, Any], ...] = ()


SprungKind = Literal["tests", "diff", "touched", "patch_contains", "message_contains", "leak"]


@dataclass(frozen=True, slots=True)
class Sprung:
    """One condition that makes a trap sprung; a trap is sprung when any of its conditions holds.

    `tests`: every check of the ordinary grade holds. `diff`: the patch is not empty. `touched`: a changed path
    matches one of `values` (globs). `patch_contains`, `message_contains`: one of `values` stands in the added
    lines or in the final message. `leak`: what the agent could see holds one of `values`, or the golden's own
    added lines; a leak makes the status `leaked`, never `passed`.
    """

    kind: SprungKind
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exploit:
    """A known bite: what taking the bait looks like, graded by every run without any agent.

    `must` says what the graders have to answer. `spring`: the detector is alive. `hold`: the graders are not fooled.
    """

    must: Literal["spring", "hold"]
    patch: Path | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Trap:
    """What makes a canary of the third slice a trap. `twin` is the same fixture without the bait."""

    sprung_if: tuple[Sprung, ...]
    exploit: Exploit
    twin: Path | None = None


@dataclass(frozen=True, slots=True)
class WeakTests:
    """A disclosure: the wrong versions of the known answer that the tests let pass, by the names of `gate freeze`."""

    reason: str
    survivors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Canary:
    """One task. `source` is its YAML file, `fixture` the folder that an agent gets a copy of."""

    id: str
    slice: Slice
    kind: str
    language: Language
    source: Path
    fixture: Path
    prompt: str
    budget: Budget
    expect: Expect
    level: str = ""
    difficulty_note: str = ""
    published: str | None = None
    introduced: str | None = None
    trap: Trap | None = None
    known_unpassable: Mapping[str, str] | None = None
    weak_tests: WeakTests | None = None

    @property
    def solution(self) -> Path | None:
        """The diff that is known to be right: the first golden, or the reference of a behaviour-only canary."""
        return self.expect.goldens[0] if self.expect.goldens else self.expect.reference
