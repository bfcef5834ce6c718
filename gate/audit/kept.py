"""What an audit remembers between runs: one JSON file for each key, in a folder that may be lost at any time.

Nothing that is wrong with the folder is an error: it only means that nothing is remembered.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA = 1
MAX_BYTES = 16 * 1024 * 1024


def cache_folder(environ: Mapping[str, str]) -> Path | None:
    """`GATE_CACHE_DIR`, else `canary-ci` in the user's cache folder; None where there is no such folder."""
    if given := environ.get("GATE_CACHE_DIR"):
        return Path(given).absolute()
    caches = Path(environ.get("XDG_CACHE_HOME", ""))
    if caches.is_absolute():  # the specification says of a relative one that it is to be ignored
        return caches / "canary-ci"
    home = Path(environ.get("HOME", ""))
    return home / ".cache" / "canary-ci" if home.is_absolute() else None


@dataclass(frozen=True, slots=True)
class Kept:
    """The values of one folder. `folder` None remembers nothing. May be used from several threads and processes.

    `blind` keeps what is put and reads nothing: everything is found out anew, for others to know.
    """

    folder: Path | None
    blind: bool = False

    def _path(self, key: str) -> Path | None:
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json" if self.folder else None

    def get(self, key: str) -> dict[str, Any] | None:
        """The value of a key; None where there is none, or what lies there is not ours, or not of this key."""
        path = self._path(key)
        if path is None or self.blind:
            return None
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
            found = json.loads(data) if len(data) <= MAX_BYTES else None
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA or found.get("key") != key:
            return None
        value = found.get("value")
        return value if isinstance(value, dict) else None

    def put(self, key: str, value: Mapping[str, Any]) -> None:
        """Keep a value, whole or not at all. Where it cannot be written, it is not kept."""
        path = self._path(key)
        if path is None or self.folder is None:
            return
        data = json.dumps({"schema": SCHEMA, "key": key, "value": value}).encode("ascii")
        half = None
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, half = tempfile.mkstemp(prefix=".", suffix=".part", dir=self.folder)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            Path(half).replace(path)
        except OSError:
            if half is not None:
                with suppress(OSError):
                    Path(half).unlink()
