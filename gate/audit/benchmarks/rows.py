"""The rows of a data file, each with its number. Nothing of it is ever executed or unpickled."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gate.errors import ConfigError

MAX_BYTES = 4 << 30


def read_rows(path: Path, data: bytes) -> Iterator[tuple[int, Any]]:
    """(number from 1, row) for each row of `data`, by the ending of `path`: .jsonl, .jsonl.gz, .json or .json.gz.

    A line that is no JSON gives None. Raises ConfigError for a file of another kind, or one that is no such file.
    """
    name = path.name.removesuffix(".gz")
    if path.name.endswith(".gz"):
        try:
            data = _unpacked(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ConfigError.at(path, 0, "", f"cannot be unpacked: {error}") from error
    if name.endswith(".jsonl"):
        lines = (line for line in data.split(b"\n"))
        return ((number, _parsed(line)) for number, line in enumerate(lines, 1) if line.strip())
    if name.endswith(".json"):
        rows = _parsed(data)
        if not isinstance(rows, list):
            raise ConfigError.at(path, 0, "", "is not a JSON list of rows")
        return iter(list(enumerate(rows, 1)))
    kinds = ".jsonl, .jsonl.gz and .json"
    if name.endswith(".parquet"):
        raise ConfigError.at(path, 0, "", f"parquet is not read; export the rows to one of {kinds}")
    raise ConfigError.at(path, 0, "", f"is no file of rows; {kinds} are read")


def _unpacked(data: bytes) -> bytes:
    import io

    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        found = file.read(MAX_BYTES + 1)
    if len(found) > MAX_BYTES:
        raise OSError("it is larger than any benchmark")
    return found


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
