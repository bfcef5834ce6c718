"""Text of a trial without what differs between two runs of it: scratch paths, times, addresses, process ids."""

from __future__ import annotations

import os
import re
from pathlib import Path

# What the runners print about time, and nothing wider: "5.0s" in an assertion is the task's own business.
_VOLATILE = (
    (re.compile(r"\b(in )\d+\.\d+(s(?:econds)?\b)(?: \(\d+:\d\d:\d\d\))?"), r"\g<1>0.00\2"),  # pytest, unittest
    (re.compile(r"(\bduration_ms:? )\d+(?:\.\d+)?"), r"\g<1>0"),  # node --test
    (re.compile(r"\((?:\d+(?:\.\d+)?)(ms|s)\)"), r"(0\1)"),  # spec reporters
    (re.compile(r"(^Time: +)\d+(?:\.\d+)? ?(m?s)\b", re.MULTILINE), r"\g<1>0 \2"),  # jest
    (re.compile(r"(\bat )0x[0-9a-fA-F]{6,16}\b"), r"\g<1>0x0"),  # the repr of a Python object
    (re.compile(r"\((node):\d+\)"), r"(\1)"),  # node's warnings
)


class Stable:
    """Rewrites text of one trial. Paths of the copy become relative; the named programs become their names."""

    def __init__(self, copy: Path, programs: dict[str, str]) -> None:
        roots = "|".join(re.escape(root) for root in sorted({str(copy), os.path.realpath(copy)}, key=len, reverse=True))
        self._inside = re.compile(rf"(?:{roots})/")
        self._root = re.compile(rf"(?:{roots})(?![\w.-])")
        self._programs = sorted(programs.items(), key=lambda item: -len(item[0]))

    def paths(self, text: str) -> str:
        """Without scratch paths; what is not valid Unicode becomes a question mark."""
        text = self._root.sub(".", self._inside.sub("", text))
        for path, name in self._programs:
            text = text.replace(path, name)
        return text.encode("utf-8", "replace").decode()

    def output(self, text: str) -> str:
        """Without scratch paths, and without what test runners print about time. Never for the text of a file."""
        for pattern, replacement in _VOLATILE:
            text = pattern.sub(replacement, text)
        return self.paths(text)
