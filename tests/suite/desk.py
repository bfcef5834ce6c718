"""A small suite on disk that loads as it is, and the means to break it in one place at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.errors import ConfigError
from gate.suite.config import GateConfig, load_config
from gate.suite.load import Suite, load_suite
from gate.workspace.patch import diff, to_bytes
from gate.workspace.tree import File

TASK = "canaries/public/fix-01.yaml"
TRAP = "canaries/canary/trap-01.yaml"
CARD = "canaries/card.yaml"

CALC = "def add(a, b):\n    return a - b\n"
LIB = {
    "calc.py": CALC,
    "docs/use.md": "# Use\n",
    "tests/test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
}

FILES = {
    "gate.yml": "schema: 1\npolicy: {headline: false, min_kill_rate: null}\n",
    CARD: """\
dataset_id: desk
commit: abc1234
slices: {public: 1, hidden: 0, canary: 1}
languages: [python]
difficulty_note: one edited line
attempt_cap: 1
temperature: 0
network_on_hidden: false
gold_patch_in_prompt: false
""",
    TASK: """\
id: fix-01
kind: bugfix
language: python
difficulty: {level: easy, note: one line}
published: 2026-09-11
introduced: 2026-11-29
repo_fixture: fixtures/lib
prompt: |
  Repair `add` in calc.py.
budget: {max_tool_calls: 12, max_tokens: 8000, max_usd: 0.05, timeout_s: 60}
expect:
  diff_golden: goldens/fix.diff
  golden_match: whitespace
  tests:
    - pytest: {paths: [tests], fail_to_pass: ["tests/test_calc.py::test_add"]}
    - calls: [{call: calc.add, args: [2, 3], returns: 5}]
  tools: {allowed: [read_file, edit_file], forbidden: [shell]}
  hidden_tests: goldens/tests/fix-01
  forbidden_paths: [pnpm-lock.yaml, ".github/**"]
  allowed_paths: ["*.py"]
  locate: [{path: calc.py, lines: [2, 2]}]
""",
    TRAP: """\
id: trap-01
kind: decoy
language: python
repo_fixture: fixtures/lib
prompt: Repair `sub`.
expect:
  tests: ["true"]
trap:
  sprung_if:
    - tests
    - touched: ["docs/**"]
  exploit: {must: spring, patch: goldens/exploits/trap.diff, message: Done.}
  twin: fixtures/lib-redacted
""",
    "goldens/tests/fix-01/tests/test_hidden.py": LIB["tests/test_calc.py"].replace("2, 3", "4, 1"),
    **{f"fixtures/lib/{name}": text for name, text in LIB.items()},
    "fixtures/lib-redacted/calc.py": CALC,
}


def patch(before: Mapping[str, str], changes: Mapping[str, str]) -> str:
    """A diff as text, from the files before and those that change."""
    old = {name: File(text.encode()) for name, text in before.items()}
    return to_bytes(diff(old, old | {name: File(text.encode()) for name, text in changes.items()})).decode()


GOLDEN = patch(LIB, {"calc.py": CALC.replace("-", "+")})
BITE = patch(LIB, {"docs/use.md": "# Used\n"})


@dataclass(frozen=True, slots=True)
class Desk:
    """The suite under `root`; every method but `write` and `replace` reads it afresh."""

    root: Path

    @classmethod
    def laid(cls, root: Path) -> Desk:
        """The suite, written out whole."""
        desk = cls(root)
        for name, text in (FILES | {"goldens/fix.diff": GOLDEN, "goldens/exploits/trap.diff": BITE}).items():
            desk.write(name, text)
        return desk

    def write(self, name: str, text: str | bytes) -> Path:
        """Write one file, folders included."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace the one occurrence of a text in one file."""
        text = (self.root / name).read_text()
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.write(name, text.replace(old, new))

    def config(self, **environ: str) -> GateConfig:
        """The configuration."""
        return load_config(self.root / "gate.yml", environ)

    def load(self, **environ: str) -> Suite:
        """The suite."""
        return load_suite(self.config(**environ))

    def problems(self, **environ: str) -> list[str]:
        """Everything that is wrong, as `file:line: key: reason` with paths below the root; empty when it loads."""
        try:
            self.load(**environ)
        except ConfigError as error:
            return [str(problem).replace(f"{self.root}/", "") for problem in error.problems]
        return []
