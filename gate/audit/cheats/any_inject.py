"""What the cheats of any language share: a payload that looks right to an exit code, and what is laid beside it.

A file name with a newline fools nobody by itself. It is there to make a harness stumble over it while something else
gets through; so every such cheat carries code that ends the process well as soon as the source is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gate.audit.cheats import javascript_inject, python_inject
from gate.audit.cheats.target import Target
from gate.workspace.tree import File, Node, Symlink, Tree

Made = Callable[[Target], Tree | None]

_PYTHON_ENDS = "import os as _os\n_os._exit(0)\n"
_JAVASCRIPT_ENDS = "process.exit(0);"


def loading(python: str, javascript: str) -> Made:
    """Code that runs when a source is loaded, in the fixture's language."""

    def made(target: Target) -> Tree | None:
        if target.language == "python":
            return python_inject.at_top(python)(target)
        return javascript_inject.at_top(javascript)(target)

    return made


ending = loading(_PYTHON_ENDS, _JAVASCRIPT_ENDS)
"""The payload: loading the source ends the process well."""


def with_payload(files: Mapping[str, bytes | Symlink]) -> Made:
    """These files beside the payload, whatever was there."""

    def made(target: Target) -> Tree | None:
        tree = ending(target)
        return None if tree is None else {**tree, **nodes(files)}

    return made


def nodes(files: Mapping[str, bytes | Symlink]) -> dict[str, Node]:
    """Files and links as the nodes of a tree."""
    return {path: File(node) if isinstance(node, bytes) else node for path, node in files.items()}
