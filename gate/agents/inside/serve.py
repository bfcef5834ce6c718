"""The tool process: it runs inside the fence over the copy, one JSON line in, one JSON line out.

Started as `python -I -S` with the copy as its working directory; standard library only. A request is
`{"id", "verb", ...}`, a response `{"id", "ok": true, ...}` or `{"id", "ok": false, "error"}`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from gate.agents.inside.files import edit_file, list_files, put, read_file, write_file
from gate.agents.inside.paths import Refused
from gate.agents.inside.searching import search
from gate.agents.inside.testing import run_tests

VERBS: dict[str, Callable[..., dict[str, Any]]] = {
    "list_files": list_files,
    "read_file": read_file,
    "search": search,
    "edit_file": edit_file,
    "write_file": write_file,
    "run_tests": run_tests,
    "put": put,
}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Do one request."""
    number, verb = request.pop("id"), VERBS[request.pop("verb")]
    try:
        return {"id": number, "ok": True, **verb(**request)}
    except Refused as refused:
        return {"id": number, "ok": False, "error": str(refused)}
    except OSError as error:
        name = request.get("path", "")
        return {"id": number, "ok": False, "error": f"{name}: {error.strerror or type(error).__name__}".strip(": ")}


def main() -> None:
    """Serve until the harness closes our input. Our two pipes are moved away from descriptors 0 and 1 first."""
    requests, responses = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    with os.fdopen(requests, "rb") as source, os.fdopen(responses, "wb") as sink:
        for line in source:
            sink.write(json.dumps(answer(json.loads(line))).encode() + b"\n")
            sink.flush()
