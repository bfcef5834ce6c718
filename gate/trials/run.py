"""All trials of a run: workers over canaries, rows into the journal as they end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial

from gate.errors import NotMeasured
from gate.outcome import Outcome
from gate.policy import Plan, Planned
from gate.suite.canary import Canary
from gate.trials.exploits import ExploitResult, grade_exploits
from gate.trials.journal import Journal
from gate.trials.plan import longest_first, next_seed, out_of_money
from gate.trials.stand import Stand
from gate.trials.trial import run_trial

OnRow = Callable[[Outcome], None]
Work = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Crew:
    """The workers of one run. `stop` is set when the user asks us to; no trial starts after that."""

    stand: Stand
    journal: Journal
    jobs: int
    on_row: OnRow
    budget_usd: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    def _done(self, canary: str) -> list[Outcome]:
        return [row for row in list(self.journal.rows) if row.id == canary]

    def _one(self, canary: Canary, seed: int) -> None:
        reason = out_of_money(list(self.journal.rows), self.budget_usd)
        if reason is not None:
            raise NotMeasured(f"{reason}; what was not run is not measured")
        outcome = run_trial(canary, seed, self.stand)
        if self.stop.is_set():
            return  # what a stopped trial says was cut short by us, not by its agent: it is run again on resume
        with self._one_at_a_time:
            self.journal.add(outcome)
            self.on_row(outcome)

    def _canary(self, canary: Canary, planned: Planned, seeds: int) -> None:
        """The seeds of one canary one after the other, until its verdict is certain."""
        while not self.stop.is_set():
            rows = [row for row in self._done(canary.id) if row.seed < seeds]
            seed = next_seed(planned, rows, seeds)
            if seed is None:
                return
            self._one(canary, seed)

    def _extra(self, canary: Canary, seeds: range) -> None:
        """Seeds beyond the plan, to confirm a loss; those that are in the journal already are not repeated."""
        finished = {row.seed for row in self._done(canary.id)}
        for seed in seeds:
            if seed not in finished and not self.stop.is_set():
                self._one(canary, seed)

    def _together(self, work: Sequence[Work]) -> list[Future[None]]:
        with ThreadPoolExecutor(max_workers=self.jobs, thread_name_prefix="trial") as pool:
            futures: list[Future[None]] = []
            try:
                futures += [pool.submit(part) for part in work]
                wait(futures, return_when=FIRST_EXCEPTION)
            finally:
                if len(futures) < len(work) or any(not future.done() or future.exception() for future in futures):
                    self.stop.set()
                    self.stand.fence.cancel()
                    pool.shutdown(wait=True, cancel_futures=True)
        return futures

    def run(self, plan: Plan, canaries: Iterable[Canary]) -> list[ExploitResult]:
        """Run what the journal does not hold yet, and grade the exploits of the selected traps."""
        planned = {entry.id: entry for entry in plan.canaries}
        chosen = longest_first(canary for canary in canaries if canary.id in planned)
        traps = [canary for canary in chosen if canary.trap]
        results: dict[str, list[ExploitResult]] = {}

        def exploit(canary: Canary) -> None:
            if not self.stop.is_set():
                results[canary.id] = grade_exploits(canary, self.stand)

        work: list[Work] = [partial(self._canary, canary, planned[canary.id], plan.seeds) for canary in chosen]
        work += [partial(exploit, canary) for canary in traps]
        for future in self._together(work):
            future.result()
        return [result for name in sorted(results) for result in results[name]]

    def confirm(self, canaries: Iterable[Canary], seeds: range) -> None:
        """Rerun canaries that look lost, with seeds that the plan does not have."""
        for future in self._together([partial(self._extra, canary, seeds) for canary in canaries]):
            future.result()
