"""What this machine lacks is told from what a program claims: evidence, import and interpreter have to agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gate.audit.missing import missing_modules
from gate.suite.canary import CommandTest, Expect, RunnerTest, TestSpec
from gate.trials.folder import Evidence
from tests.grading.bench import canary, on_disk, tree

if TYPE_CHECKING:
    from gate.trials.stand import Stand

FILES = {
    "src/shop/__init__.py": "",
    "src/shop/prices.py": "from . import rates\nimport json\n",
    "src/shop/rates.py": "def load():\n    import absent_a.deep\n",
    "scripts/tool.py": "import absent_b\n",
    "tests/test_prices.py": "from shop.prices import total\n",
    "lib/a.js": "const b = require('./b'); const c = require('@us/absent/c');\n",
    "lib/b.js": "import('absent-d');\n",
    "lib/other.js": "require('absent-e');\n",
    "test/a.test.js": "const a = require('../lib/a.js');\n",
}
SAID = """\
["collect", "ModuleNotFoundError: No module named 'absent_a'"] No module named 'absent_b' No module named "json"
No module named 'shop.gone' No module named 'never_imported'
Error: Cannot find module '@us/absent/c' Cannot find package 'absent-d' imported from
Cannot find module 'absent-e' Cannot find module './b'
"""
PYTEST, NODE = RunnerTest("pytest", ("tests",)), RunnerTest("node", ("test",))


@pytest.mark.parametrize(
    ("specs", "missing"),
    [
        ((PYTEST,), ("absent_a",)),
        ((NODE,), ("@us/absent", "absent-d")),
        ((CommandTest("make test"),), ("@us/absent", "absent-d", "absent-e", "absent_a", "absent_b")),
    ],
)
def test_a_module_is_missing_where_the_graded_program_needs_it(
    stand: Stand, tmp_path: Path, specs: tuple[TestSpec, ...], missing: tuple[str, ...]
) -> None:
    """Only what can be reached from the listed tests counts, never what the tree holds or the interpreter has."""
    one = canary(on_disk(tmp_path / "fixture", FILES), Expect(tests=specs))
    evidence = Evidence(tmp_path / "evidence")
    base = tree(FILES)
    assert missing_modules(one, base, base, evidence, stand) == ()
    evidence.put("raw/pytest.records", SAID.encode())
    assert missing_modules(one, base, base, evidence, stand) == missing
