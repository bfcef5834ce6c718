"""A report that nobody got is no clear verdict; talk that nobody heard changes nothing."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.commands.gate_process import COMMAND, Finished, environment, gate


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scaffold whose lock is not compared with anything else."""
    folder = tmp_path_factory.mktemp("suite")
    assert gate("init", folder).code == 0
    config = (folder / "gate.yml").read_text()
    (folder / "gate.yml").write_text(config.replace("headline: false}", "headline: false, min_kill_rate: null}"))
    assert gate("freeze", cwd=folder).code == 0
    return folder


def shell(words: str, redirected: str, cwd: Path) -> Finished:
    """A verb with its streams connected to something odd."""
    line = f"{shlex.join(COMMAND)} {words} {redirected}"
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=cwd, env=environment(), capture_output=True, text=True, check=False, timeout=120
    )
    return Finished(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("verb", ["freeze --check --json", "--help", "freeze --help"])
@pytest.mark.parametrize(
    ("redirected", "said"),
    [(">&-", "standard output is closed"), (">/dev/full", "No space left on device"), (">&- 2>&- <&-", "")],
)
def test_what_could_not_be_said_is_never_zero(verb: str, redirected: str, said: str, suite: Path) -> None:
    """A closed stdout and a full disk are exit code 1 and one line."""
    done = shell(verb, redirected, suite)
    assert done.code == 1
    assert said in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full", "<&-"])
def test_talk_may_be_lost(redirected: str, suite: Path) -> None:
    """The report is on stdout and the verdict in the exit code, whatever becomes of stderr."""
    done = shell("freeze --check --json", redirected, suite)
    assert (done.code, done.report["exit_code"]) == (0, 0)


@pytest.mark.parametrize("redirected", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_no_file_takes_the_place_of_a_closed_stream(redirected: str, suite: Path) -> None:
    """The lock that is written is the lock, with nothing of the talk and the report in it."""
    right = (suite / "canaries" / "lock.json").read_bytes()
    (suite / "canaries" / "lock.json").unlink()
    shell("freeze --json", redirected, suite)
    assert (suite / "canaries" / "lock.json").read_bytes() == right


def test_a_refusal_keeps_its_code_without_a_stderr(tmp_path: Path) -> None:
    """A usage error is 64 even where its message cannot be read."""
    for redirected in ("2>&-", "2>/dev/full"):
        assert shell("check nothing.jsonl", redirected, tmp_path).code == 64


@pytest.mark.parametrize("verb", ["freeze --check --json", "--help"])
def test_a_reader_that_went_away_got_no_verdict(verb: str, suite: Path) -> None:
    """A pipe without a reader is not 0 either; as everywhere, nothing is said of it."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nowhere:
        done = subprocess.run(
            [*COMMAND, *verb.split()],
            cwd=suite,
            env=environment(),
            stdout=nowhere,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr
