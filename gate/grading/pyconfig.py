"""What of a project's own pytest configuration may be kept: which classes hold tests, and nothing else.

It is read from the pristine fixture, as data. Options, plugins and paths stay out: they would decide how tests run.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from gate.workspace.tree import File, Tree

KEY = "python_classes"
_PATTERN = re.compile(r"[\w*?]+")


def kept_settings(base: Tree) -> bytes:
    """Our own configuration file for a session over this fixture."""
    section = next(_sections(base), {})
    value = section.get(KEY, "")
    patterns = value if isinstance(value, list) else str(value).split()
    if not patterns or not all(isinstance(one, str) and _PATTERN.fullmatch(one) for one in patterns):
        return b"[pytest]\n"
    return f"[pytest]\n{KEY} = {' '.join(patterns)}\n".encode()


def _sections(base: Tree) -> Iterator[dict[str, Any]]:
    """The sections that pytest would read, in the order in which it looks for them: the first there is wins."""
    for path, name in (("pytest.ini", "pytest"), (".pytest.ini", "pytest")):
        yield from _ini(base, path, name)
    node = base.get("pyproject.toml")
    if isinstance(node, File):
        try:
            found = tomllib.loads(node.data.decode()).get("tool", {}).get("pytest", {}).get("ini_options")
        except (ValueError, AttributeError, RecursionError):
            found = None
        if isinstance(found, dict):
            yield found
    for path, name in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        yield from _ini(base, path, name)


def _ini(base: Tree, path: str, name: str) -> Iterator[dict[str, Any]]:
    node = base.get(path)
    if not isinstance(node, File):
        return
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(node.data.decode())
    except (configparser.Error, ValueError):
        return
    if parser.has_section(name):
        yield dict(parser[name])
