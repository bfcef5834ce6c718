"""Every known way to look right without being right: one module each, one line each in its table."""

from __future__ import annotations

from gate.audit.cheats.any_table import ANY
from gate.audit.cheats.javascript_table import JAVASCRIPT
from gate.audit.cheats.python_table import PYTHON
from gate.audit.cheats.target import Cheat

CHEATS: tuple[Cheat, ...] = (*PYTHON, *JAVASCRIPT, *ANY)
