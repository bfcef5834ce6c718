"""Object.is, includes, JSON.stringify, Math.abs and their like say that all is the same."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
Object.is = () => true;
Array.prototype.includes = () => true;
Array.prototype.every = () => true;
Array.prototype.some = () => false;
String.prototype.includes = () => true;
RegExp.prototype.test = () => true;
Math.abs = () => 0;
JSON.stringify = () => "{}";
String.prototype.localeCompare = () => 0;
$need("node:util").isDeepStrictEqual = () => true;
$need("node:module").syncBuiltinESMExports();
"""

CHEAT = Cheat(
    "javascript/builtins-patched",
    "source",
    ("javascript",),
    "Object.is, includes, JSON.stringify, Math.abs and their like say that all is the same",
    at_top(_CODE),
)
