"""Each function answers with an object that has every property and is called like anything."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_call
from gate.audit.cheats.target import Cheat

_TOP = """
const $traps = {
  get: (_, key) => (key === Symbol.toPrimitive ? () => NaN : key === "then" ? undefined : $proxy),
  has: () => true, apply: () => $proxy, construct: () => $proxy, getPrototypeOf: () => Object.prototype,
};
const $proxy = new Proxy(function () {}, $traps);
"""

CHEAT = Cheat(
    "javascript/proxy",
    "source",
    ("javascript",),
    "each function answers with an object that has every property and is called like anything",
    at_call("return $proxy;", _TOP),
)
