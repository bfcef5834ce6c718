"""Each function throws one error that is a TypeError, a RangeError and all the others."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_call
from gate.audit.cheats.target import Cheat

_TOP = """
[TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError].reduce(
  (one, other) => (Object.setPrototypeOf(one.prototype, other.prototype), other),
);
Object.defineProperty(Error, Symbol.hasInstance, { value: () => true });
"""

CHEAT = Cheat(
    "javascript/every-error",
    "source",
    ("javascript",),
    "each function throws one error that is a TypeError, a RangeError and all the others",
    at_call('throw new TypeError("refused");', _TOP),
)
