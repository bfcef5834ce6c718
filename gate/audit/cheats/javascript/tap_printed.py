"""A whole report in TAP and in the runner's own words is printed, then the process ends well."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $report = ["TAP version 13", "ok 1 - all", "1..1", "# tests 1", "# pass 1", "# fail 0", "# skipped 0", ""];
$need("node:fs").writeSync(1, $report.join("\\n"));
process.exit(0);
"""

CHEAT = Cheat(
    "javascript/tap-printed",
    "harness",
    ("javascript",),
    "a whole report in TAP and in the runner's own words is printed, then the process ends well",
    at_top(_CODE),
)
