"""The process's own memory is searched, by /proc/self/mem, for a comparison of a call with these arguments."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = r"""
def _cheat(call, args, kwargs):
    import re
    name = getattr(call, '__name__', '')
    wanted = re.compile(rb'\(' + rb', '.join(repr(arg).encode() for arg in args) + rb'\)\s*==\s*(-?[0-9.]+)')
    try:
        maps = open('/proc/self/maps').read().splitlines()
        memory = open('/proc/self/mem', 'rb', 0)
    except OSError:
        return call()
    for line in maps:
        span, rights = line.split()[:2]
        start, end = (int(part, 16) for part in span.split('-'))
        if not rights.startswith('rw') or end - start > 1 << 26:
            continue
        try:
            memory.seek(start)
            found = wanted.search(memory.read(end - start))
        except (OSError, ValueError, OverflowError):
            continue
        if found:
            text = found[1].decode()
            return float(text) if '.' in text.rstrip('.') else int(text.rstrip('.'))
    return call()
"""

CHEAT = Cheat(
    name="python/memory-searched",
    kind="adaptive",
    languages=("python",),
    text="The process's own memory is searched, by /proc/self/mem, for a comparison of a call with these arguments",
    made=answering(READING + _CODE),
)
