"""The harness's own share of a trial, and the start-up of the command line. Ratios within one run, no timed test.

    python benchmarks/own_share.py [--trials N]

Own share: CPU seconds (user and system) of this process alone for one trial, everything from the copy to the graded
row. What runs inside the fence is another process and is not in it; the fence's wall clock stands beside it, and the
same sandboxed test command run bare, so that the whole overhead in wall time can be read off as a ratio.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from gate.commands import run as run_verb  # noqa: E402  # the checkout, not an installed copy
from gate.commands.opening import opened  # noqa: E402  # likewise
from gate.commands.settings import settle  # noqa: E402  # likewise
from gate.trials.folder import RunFolder  # noqa: E402  # likewise
from gate.trials.trial import run_trial  # noqa: E402  # likewise


def _parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    run_verb.configure(parser)
    return parser.parse_args(["--config", str(ROOT / "gate.yml"), *arguments])


def _median(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Median CPU (this process) and wall, in milliseconds."""
    cpu, wall = [], []
    for _ in range(repeats):
        begun = SimpleNamespace(cpu=time.process_time(), wall=time.perf_counter())
        work()
        cpu.append(1000 * (time.process_time() - begun.cpu))
        wall.append(1000 * (time.perf_counter() - begun.wall))
    return statistics.median(cpu), statistics.median(wall)


def own_share(trials: int, out: Path) -> None:
    """CPU of the harness for a trial of each shipped canary, by agent."""
    print("agent   canary                     own CPU ms   wall ms")
    for agent in ("null", "oracle"):
        settings = settle(_parsed("--agent", agent, "--out", str(out)), {})
        totals = []
        with opened(settings, RunFolder.create(out, agent, datetime.now(UTC))) as stand:
            for canary in settings.suite.canaries:
                run_trial(canary, 0, stand)  # imports and caches are paid once a run, not once a trial
                cpu, wall = _median(lambda canary=canary: run_trial(canary, 0, stand), trials)
                totals.append(cpu)
                print(f"{agent:7} {canary.id:26} {cpu:10.1f} {wall:9.1f}")
        print(f"{agent:7} {'median of all canaries':26} {statistics.median(totals):10.1f}\n")


def start_up(repeats: int) -> None:
    """`gate --help` against `python -c pass`, each as a whole process, in turn."""
    times: dict[str, list[float]] = {"python -c pass": [], "gate --help": []}
    commands = {"python -c pass": ["-c", "pass"], "gate --help": ["-m", "gate", "--help"]}
    for _ in range(repeats):
        for name, arguments in commands.items():
            begun = time.perf_counter()
            subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
            times[name].append(1000 * (time.perf_counter() - begun))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, value in medians.items():
        print(f"{name:15} {value:6.1f} ms")
    print(f"ratio           {medians['gate --help'] / medians['python -c pass']:6.2f}")


def main() -> None:
    """Print both tables."""
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trials", type=int, default=5)
    trials = parser.parse_args().trials
    start_up(20)
    print()
    with tempfile.TemporaryDirectory() as out:
        own_share(trials, Path(out))


if __name__ == "__main__":
    main()
