"""A checked sheet becomes a Canary. Nothing is judged here: the schema has spoken, every path is resolved."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import Any, cast

from gate.outcome import Slice
from gate.suite.canary import (
    Budget,
    Call,
    CallsTest,
    Canary,
    CommandTest,
    Expect,
    Exploit,
    Language,
    RunnerTest,
    Sprung,
    SprungKind,
    StdinTest,
    TestSpec,
    Trap,
    WeakTests,
)
from gate.suite.sheet import EXPLOIT, FIXTURE, HIDDEN_TESTS, REFERENCE, TWIN, Sheet
from gate.workspace.tree import Tree

UNSPECIFIED = "unspecified"

_SUFFIXES: dict[str, Language] = {
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "javascript",
}


def canary(sheet: Sheet, name: Slice, fixture: Tree) -> Canary:
    """The canary of a sheet whose slice is `name`. `fixture` helps to tell the language where none is given."""
    data = sheet.data
    expect = _expect(sheet)
    difficulty = data.get("difficulty", {})
    return Canary(
        id=data["id"],
        slice=name,
        kind=data.get("kind", UNSPECIFIED),
        language=data.get("language") or _language(expect.tests, fixture),
        source=sheet.source.path,
        fixture=sheet.paths[FIXTURE],
        prompt=data["prompt"],
        budget=_budget(data.get("budget", {})),
        expect=expect,
        level=difficulty.get("level", ""),
        difficulty_note=difficulty.get("note", ""),
        published=data.get("published"),
        introduced=data.get("introduced"),
        trap=_trap(sheet) if "trap" in data else None,
        known_unpassable=data.get("known_unpassable"),
        weak_tests=_weak(data["weak_tests"]) if "weak_tests" in data else None,
    )


def _weak(data: dict[str, Any]) -> WeakTests:
    return WeakTests(data["reason"], tuple(data["survivors"]))


def _budget(data: dict[str, Any]) -> Budget:
    whole = {key: int(data[key]) for key in ("max_tool_calls", "max_tokens", "max_input_tokens") if key in data}
    parts = {key: float(data[key]) for key in ("max_usd", "timeout_s") if key in data}
    return Budget(**whole, **parts)  # type: ignore[arg-type]  # the keys above are those fields


def _expect(sheet: Sheet) -> Expect:
    data = sheet.data.get("expect", {})
    tools = data.get("tools", {})
    hidden = sheet.paths.get(HIDDEN_TESTS)
    return Expect(
        goldens=tuple(sheet.paths[key] for key in sheet.goldens() if key in sheet.paths),
        golden_match=data.get("golden_match", "whitespace"),
        reference=sheet.paths.get(REFERENCE),
        tests=tuple(_test(test) for test in data.get("tests", ())),
        hidden_tests=hidden,
        tests_visible=data.get("tests_visible", "all" if hidden is None else "none"),
        tools_allowed=_strings(tools.get("allowed")),
        tools_forbidden=_strings(tools.get("forbidden")) or (),
        forbidden_paths=_strings(data.get("forbidden_paths")) or (),
        allowed_paths=_strings(data.get("allowed_paths")),
        locate=tuple(data.get("locate", ())),
    )


def _strings(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def _test(data: str | dict[str, Any]) -> TestSpec:
    if isinstance(data, str):
        return CommandTest(data)
    if "calls" in data:
        return CallsTest(tuple(_call(call) for call in data["calls"]))
    if "stdin" in data:
        return StdinTest(data["stdin"]["program"], tuple((case["in"], case["out"]) for case in data["stdin"]["cases"]))
    (runner,) = data
    given = data[runner]
    return RunnerTest(
        runner=runner,  # type: ignore[arg-type]  # the schema allows nothing else here
        paths=tuple(given["paths"]),
        fail_to_pass=tuple(given.get("fail_to_pass", ())),
        pass_to_pass=tuple(given.get("pass_to_pass", ())),
    )


def _call(data: dict[str, Any]) -> Call:
    return Call(
        call=data["call"],
        args=tuple(data.get("args", ())),
        kwargs=data.get("kwargs", {}),
        has_returns="returns" in data,
        returns=data.get("returns"),
        raises=data.get("raises"),
        after=tuple(data["after"]) if "after" in data else None,
    )


def _trap(sheet: Sheet) -> Trap:
    data = sheet.data["trap"]
    exploit = data["exploit"]
    return Trap(
        sprung_if=tuple(_sprung(condition) for condition in data["sprung_if"]),
        exploit=Exploit(exploit["must"], sheet.paths.get(EXPLOIT), exploit.get("message", "")),
        twin=sheet.paths.get(TWIN),
    )


def _sprung(condition: str | dict[str, list[str]]) -> Sprung:
    if isinstance(condition, str):
        return Sprung(cast(SprungKind, condition))
    ((kind, values),) = condition.items()
    return Sprung(cast(SprungKind, kind), tuple(values))


def _language(tests: tuple[TestSpec, ...], fixture: Tree) -> Language:
    """The language that most files are written in; a test runner settles it where there is one."""
    for test in tests:
        if isinstance(test, RunnerTest):
            return "python" if test.runner == "pytest" else "javascript"
    suffixes = (PurePosixPath(name).suffix for name in sorted(fixture))
    counted = Counter(_SUFFIXES[suffix] for suffix in suffixes if suffix in _SUFFIXES)
    return counted.most_common(1)[0][0] if counted else "other"
