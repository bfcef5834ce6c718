"""`python -m gate` and the `gate` script."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    from gate import streams
    from gate.cli import run

    streams.guard()
    try:
        code = run(sys.argv[1:])
    except SystemExit as ended:  # argparse has said what there was to say
        code = ended.code if isinstance(ended.code, int) else 0
    return streams.delivered(code)


if __name__ == "__main__":
    raise SystemExit(main())
