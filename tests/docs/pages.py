"""A page of docs/ as something that can be run: its fenced blocks, its commands, its tables.

The first word after the fence is the language. `title=PATH` makes a block a file of the page's folder; `fragment` marks
YAML that is a part of a file; `refused` marks a file that the gate has to refuse. In output that is shown, a line `...`
stands for any number of lines and `…` for any part of a line.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))

_FENCE = re.compile(r"^(`{3,})(.*)$")
_CELL = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: where it starts (line, from 1), what it says it is, and its text."""

    line: int
    language: str
    words: tuple[str, ...]
    text: str

    @property
    def title(self) -> str | None:
        """The path of the file that the block shows."""
        return next((word.removeprefix("title=") for word in self.words if word.startswith("title=")), None)


@dataclass(frozen=True, slots=True)
class Command:
    """One `$` line of a block and the output that is shown below it."""

    text: str
    shown: tuple[str, ...]


def blocks(page: Path) -> list[Block]:
    """Every fenced block of a page, in order. A fence that is not closed is an AssertionError."""
    found: list[Block] = []
    opened: tuple[int, str, str] | None = None
    lines: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = _FENCE.match(line)
        if opened is None and fence:
            opened, lines = (number, fence[1], fence[2].strip()), []
        elif opened is not None and line.rstrip() == opened[1]:
            language, *words = opened[2].split() or [""]
            found.append(Block(opened[0], language, tuple(words), "".join(f"{text}\n" for text in lines)))
            opened = None
        else:
            lines.append(line)
    assert opened is None, f"{page.name}:{opened[0]}: the fence is never closed"
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a block that shows a terminal; empty for one that does not start with a prompt."""
    lines = block.text.splitlines()
    if not lines or not lines[0].startswith("$ "):
        return []
    starts = [index for index, line in enumerate(lines) if line.startswith("$ ")]
    ends = [*starts[1:], len(lines)]
    return [
        Command(lines[start][2:], tuple(line.rstrip() for line in lines[start + 1 : end]))
        for start, end in zip(starts, ends, strict=True)
    ]


def agrees(shown: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Whether the output is the one shown, where `...` stands for any lines and `…` for any part of a line."""
    pattern = "".join(r"(.*\n)*" if line == "..." else _line(line) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def _line(shown: str) -> str:
    return ".+".join(map(re.escape, shown.split("…")))


def tables(page: Path, *, first: str, under: str | None = None) -> Iterator[dict[str, str]]:
    """The rows of every table (below one heading) whose first column is called `first`, by the names of the columns."""
    head: list[str] = []
    heading = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line[3:]
        if not line.startswith("|") or (under is not None and heading != under):
            head = []
            continue
        cells = [cell.strip() for cell in _CELL.split(line)[1:-1]]
        if not head:
            head = cells
        elif head[0] == first and not set(cells[0]) <= set("-: "):
            yield dict(zip(head, cells, strict=True))


def code(text: str) -> list[str]:
    """Everything between backticks."""
    return _CODE.findall(text)


class Terminal:
    """A folder of its own in which the blocks of a page are played from top to bottom, as a reader would."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "page"
        self.folder.mkdir()
        programs = home / "bin"
        programs.mkdir()
        for name, call in (("gate", "-m gate"), ("python3", "")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
            program.chmod(0o755)
        kept = {name: os.environ[name] for name in ("HOME", "TMPDIR") if name in os.environ}
        self._environment = {
            **kept,
            "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PYTHONPATH": str(ROOT),
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "GATE_CACHE_DIR": str(home / "kept"),  # a reader has no older audit to be remembered
            "PYTHONUNBUFFERED": "1",  # so that both streams come in the order in which a terminal shows them
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }

    def write(self, block: Block) -> Path:
        """Write the file that a block shows."""
        assert block.title is not None
        path = self.folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        return path

    def run(self, command: str) -> tuple[int, tuple[str, ...]]:
        """Run one command line. Returns its exit code and what it printed, both streams as a terminal shows them."""
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )
        return done.returncode, tuple(line.rstrip() for line in done.stdout.splitlines())
