"""`python -m gate` and the `gate` script."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    from gate.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
