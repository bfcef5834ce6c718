"""Declared calls: makes each call that the parent asks for and reports what came back. Expected values never come here.

One process makes all calls of a list, in order: a module is imported once, as a program would, and state that leaks
from one call to the next shows as a wrong result of the next.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
import types
from typing import Any

from .guard import open_tree
from .wire import Channel, decode, encode, lineage, said

_encode, _lineage, _said = encode, lineage, said


def resolve(path: str) -> Any:
    """`package.module.function` as an object: the longest prefix that is a module, then attributes.

    Raises whatever the import of the code under test raises, and AttributeError for a missing name.
    """
    parts = path.split(".")
    found: Any = importlib.import_module(parts[0])
    name = parts[0]
    for part in parts[1:]:
        name = f"{name}.{part}"
        if not hasattr(found, part) and hasattr(found, "__path__"):
            importlib.import_module(name)
        found = getattr(found, part)
    return found


def make(channel: Channel, call: dict[str, Any]) -> None:
    """One call, one record: `result` or `raised` or `missing`, with the arguments as they are afterwards if asked."""
    args = [decode(item) for item in call["args"]]
    kwargs = {name: decode(item) for name, item in call["kwargs"].items()}
    try:
        function = resolve(call["call"])
    except BaseException as error:  # noqa: BLE001 - the code under test raised it at import, whatever it is
        channel.send("missing", call["id"], _lineage(error)[0], _said(error))
        return
    try:
        value = function(*args, **kwargs)
        if type(value) is types.CoroutineType:
            value = asyncio.run(value)
    except BaseException as error:  # noqa: BLE001 - what it raises is what is asked
        record: list[Any] = ["raised", call["id"], _lineage(error), _said(error)]
    else:
        record = ["result", call["id"], _encode(value)]
    channel.send(*record, [_encode(item) for item in args] if call["echo"] else None)


def main() -> None:
    """The plan on standard input: nonce, roots, shadows, packages, calls."""
    plan = json.loads(sys.stdin.buffer.read())
    channel = Channel()
    channel.send("hello", plan["nonce"])
    taken = open_tree(plan["roots"], plan["shadows"], plan["packages"])
    if taken:
        channel.send("taken", taken)
        os._exit(0)
    channel.send("ready", plan["nonce"])
    for call in plan["calls"]:
        make(channel, call)
    channel.send("end", plan["nonce"], 0)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
