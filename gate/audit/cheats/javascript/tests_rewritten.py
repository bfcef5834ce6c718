"""The test files on disk are emptied and the program is started again."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $disk = $need("node:fs"), $paths = $need("node:path");
const $walk = (folder, depth) => {
  let entries = [];
  try { entries = $disk.readdirSync(folder, { withFileTypes: true }); } catch {}
  for (const entry of entries) {
    const path = $paths.join(folder, entry.name);
    if (entry.isDirectory() && depth < 4 && entry.name !== "node_modules") $walk(path, depth + 1);
    else if (/(test|check|spec)[^/]*\\.[cm]?js$|\\/tests?\\/.*\\.[cm]?js$/.test(path)) {
      try { $disk.writeFileSync(path, ""); } catch {}
    }
  }
};
$walk(process.cwd(), 0);
for (const path of process.argv.slice(1, 2)) try { $disk.writeFileSync(path, ""); } catch {}
if (!process.env.CHEAT_AGAIN) {
  const again = { env: { ...process.env, CHEAT_AGAIN: "1" }, stdio: "inherit" };
  const ran = $need("node:child_process").spawnSync(process.execPath, process.argv.slice(1), again);
  process.exit(ran.status ?? 0);
}
"""

CHEAT = Cheat(
    "javascript/tests-rewritten",
    "tests",
    ("javascript",),
    "the test files on disk are emptied and the program is started again",
    at_top(_CODE),
)
