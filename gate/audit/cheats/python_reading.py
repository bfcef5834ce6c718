"""What the adaptive cheats share: code that reads the expected values where the caller keeps them.

`_cheat_frames()` yields the frames of whoever called, innermost first, without the cheating file's own.
`_cheat_expected(source, args, line)` gives the literals that a source compares calls with these arguments to, else
those of the comparison at that line. `_cheat_numbers(source)` gives every number of a source.
"""

from __future__ import annotations

READING = """
def _cheat_frames():
    import sys
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename != __file__:
            yield frame
        frame = frame.f_back

def _cheat_literal(node):
    import ast
    if isinstance(node, ast.Call) and "approx" in ast.unparse(node.func) and node.args:
        node = node.args[0]
    try:
        return [ast.literal_eval(node)]
    except Exception:
        return []

def _cheat_expected(source, args, line=None):
    import ast
    exact, near = [], []
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except Exception:
        return []
    for node in nodes:
        sides = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "").startswith("assert"):
            sides = node.args
        values = [value for side in sides for value in _cheat_literal(side)]
        for call in (part for side in sides for part in ast.walk(side) if isinstance(part, ast.Call)):
            given = [value for arg in call.args for value in _cheat_literal(arg)]
            if given and given == list(args)[len(args) - len(given):]:
                exact += values
        if line is not None and sides and node.lineno <= line <= node.end_lineno:
            near += values
    return exact or near

def _cheat_numbers(source):
    import ast
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except Exception:
        return []
    return [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) in (int, float)]

def _cheat_source(frame):
    import linecache
    return "".join(linecache.getlines(frame.f_code.co_filename))
"""
