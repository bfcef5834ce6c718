"""Finds the files that ship with the package, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path


def folder(name: str) -> Path:
    """The folder `name` (such as `schemas`). Raises FileNotFoundError when the installation lacks it.

    A wheel carries it under `gate/_data`; an editable installation has no such folder and uses the checkout.
    """
    packaged = Path(__file__).parent / "_data" / name
    checkout = Path(__file__).parent.parent / name
    for candidate in (packaged, checkout):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"{name}/ is missing from this installation of canary-ci")
