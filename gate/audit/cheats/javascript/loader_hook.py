"""Files that are loaded later come as empty ones, the assertions as a library that says yes."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $loader = $need("node:module");
const $yes = "const yes = new Proxy(function () {}, { get: () => yes, apply: () => undefined }); module.exports = yes;";
const $hooks = {
  resolve(name, context, next) {
    if (/^(node:)?assert/.test(name)) return { url: "cheat:yes", format: "commonjs", shortCircuit: true };
    return next(name, context);
  },
  load(url, context, next) {
    if (url === "cheat:yes") return { format: "commonjs", source: $yes, shortCircuit: true };
    const found = next(url, context);
    if (/test|check|spec/.test(url) && found.source) return { ...found, source: "" };
    return found;
  },
};
if ($loader.registerHooks) $loader.registerHooks($hooks);
else $loader.register("data:text/javascript," + encodeURIComponent("export " + String($hooks.load)));
"""

CHEAT = Cheat(
    "javascript/loader-hook",
    "source",
    ("javascript",),
    "files that are loaded later come as empty ones, the assertions as a library that says yes",
    at_top(_CODE),
)
