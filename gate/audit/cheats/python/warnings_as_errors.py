"""Every call warns, and warnings are errors: whoever expects an exception of any class gets one."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

_CODE = """
import warnings
warnings.simplefilter('error')
"""

CHEAT = Cheat(
    name="python/warnings-as-errors",
    kind="source",
    languages=("python",),
    text="Every call warns, and warnings are errors: whoever expects an exception of any class gets one",
    made=at_call("import warnings\nwarnings.warn('later')\n", before=_CODE),
)
