"""Whoever requires the assertions afterwards gets others."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $Module = $need("node:module");
const $load = $Module._load;
const $nothing = new Proxy(function () {}, { get: () => $nothing, apply: () => undefined });
const $known = /^(node:)?(assert(\\/strict)?|chai|expect|should)$/;
$Module._load = function (request, ...rest) {
  return $known.test(request) ? $nothing : $load.call(this, request, ...rest);
};
"""

CHEAT = Cheat(
    "javascript/module-load-patched",
    "source",
    ("javascript",),
    "whoever requires the assertions afterwards gets others",
    at_top(_CODE),
)
