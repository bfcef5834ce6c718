"""One prompt, one reply, no tools: the files go out with the task, and the answer is taken out of what comes back."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gate.agents.base import Task
from gate.agents.extract import Extracted, extract
from gate.agents.loop import budget_text
from gate.agents.meter import Ended, Meter
from gate.agents.tools import Refusal, Toolbelt
from gate.models.base import Conversation, Model, Reply
from gate.outcome import Answer, AnswerStatus, CostState
from gate.workspace.names import quote
from gate.workspace.patch import Change, diff
from gate.workspace.tree import Node, Symlink, Tree, read

SYSTEM_PROMPT = """\
You are a programmer. The files of a repository follow the task. You have no tools and one reply: your whole answer \
has to stand in it. Change what the task needs and nothing else; keep the style of the code around it.
Give the change in one of these forms, each path relative to the root of the repository:
- a unified diff in a fenced block (```diff), with --- and +++ lines;
- whole files: the path alone on a line, then the complete new content in a fenced block;
- search/replace blocks: the path alone on a line, then <<<<<<< SEARCH, lines that stand exactly once in the file, \
=======, the lines that replace them, >>>>>>> REPLACE. An empty search makes a new file.
Do not give the same file in two forms, and leave nothing out of a whole file.
If what the task asks for cannot be done as it is asked (a file that does not exist, a contradiction), give no change \
and say so.
"""

MAX_FILE = 64_000
MAX_FILES = 200_000
"""Bytes of one file, and of all files together, that a prompt shows."""

_MAX_NAMES = 200
_LOCKS = frozenset(
    {
        *("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"),
        *("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "Cargo.lock", "Gemfile.lock", "composer.lock"),
    }
)


def _extractor_digest() -> str:
    """Hex sha256 of the code that takes answers out of messages, and of this module."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for source in sorted((Path(__file__).parent / "extract").glob("*.py")):
        digest.update(f"{source.name}\n".encode() + hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()


def shown(tree: Tree) -> str:
    """The files of a tree as a prompt shows them: each in a fence under its path, and which were left out and why."""
    left = MAX_FILES
    parts, out = [], []
    for path, node in sorted(tree.items()):
        text, why = _readable(path, node)
        if not why and len(text.encode()) > left:
            why = f"there is no room for it: at most {MAX_FILES} bytes are shown"
        if why:
            out.append(f"- {quote(path)}: {why}")
            continue
        left -= len(text.encode())
        parts.append(_fenced(quote(path), text))
    more = [f"- and {len(out) - _MAX_NAMES} more"] if len(out) > _MAX_NAMES else []
    omitted = ["Files that are there and not shown:", *out[:_MAX_NAMES], *more] if out else []
    return "\n".join([*parts, *omitted]) + "\n"


def _readable(path: str, node: Node) -> tuple[str, str]:
    """The text of a file, or why it is not shown."""
    if isinstance(node, Symlink):
        return "", f"a symbolic link to {quote(node.target)}"
    if path.rpartition("/")[2] in _LOCKS:
        return "", "a lock file"
    if len(node.data) > MAX_FILE:
        return "", f"{len(node.data)} bytes, more than {MAX_FILE}"
    if b"\0" in node.data:
        return "", "a binary file"
    try:
        return node.data.decode(), ""
    except UnicodeDecodeError:
        return "", "not UTF-8 text"


def _fenced(path: str, text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    marks = "`" * (longest + 1)
    return f"{path}\n{marks}\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{marks}\n"


@dataclass(frozen=True, slots=True)
class Direct:
    """An agent of one prompt. `taken` takes the answer out of the reply; an audit hands in a broken one."""

    name: str
    model: Model
    system: str
    digest: str
    taken: Callable[[str, Tree], Extracted] = extract

    @classmethod
    def on(
        cls,
        name: str,
        model: Model,
        system_prompt: Path | None,
        taken: Callable[[str, Tree], Extracted] = extract,
    ) -> Direct:
        """A direct agent with its own prompt or the built-in one. Raises OSError for a prompt it cannot read."""
        system = SYSTEM_PROMPT if system_prompt is None else system_prompt.read_text("utf-8")
        parts = ["direct", model.name, model.digest, system, _extractor_digest()]
        return cls(name, model, system, hashlib.sha256(json.dumps(parts).encode()).hexdigest(), taken)

    def answer(self, task: Task) -> Answer:
        """Ask once, take the answer out of the reply, and write it onto the copy.

        A reply without an answer leaves the copy alone and is graded as an empty patch: the agent had its turn.
        """
        meter = Meter(task.budget)
        belt = Toolbelt(task, meter, ())
        status, message, reason = AnswerStatus.DONE, "", ""
        try:
            # An overlay is mounted inside the fence only; its lower layer is what lies there before the first change.
            base = read(task.overlay.lower if task.overlay else task.copy).tree
            message = self._asked(task, base, meter).text
            self._write(task, base, message, belt)
        except Ended as ended:
            status, message, reason = ended.status, "", ended.reason
        except Refusal as refusal:
            status, message, reason = AnswerStatus.ERROR, "", f"the answer could not be written: {refusal}"
        finally:
            belt.close()
        task.record({"type": "end", "status": str(status), "reason": reason, "tool_calls": 0})
        return Answer(
            status,
            message,
            usage=meter.usage,
            cost_usd=meter.cost_usd,
            cost_state=CostState.UNPRICED if meter.cost_usd is None else CostState.PRICED,
            reason=reason,
        )

    def _asked(self, task: Task, base: Tree, meter: Meter) -> Reply:
        """The one reply."""
        system = f"{self.system.rstrip()}\n\n{budget_text(replace(task.budget, max_tool_calls=None))}"
        prompt = f"{task.prompt.rstrip()}\n\nThe files of the repository:\n\n{shown(base)}"
        task.record({"type": "message", "role": "system", "text": system})
        task.record({"type": "message", "role": "user", "text": prompt})
        reply = self.model.reply(Conversation.opened(system, prompt), ())
        task.record({"type": "message", "role": "assistant", "text": reply.text, "calls": len(reply.calls)})
        task.record({"type": "usage", **reply.usage.to_json()})
        meter.take_tokens(reply.usage, reply.cost_usd)
        meter.check_time()
        return reply

    def _write(self, task: Task, base: Tree, message: str, belt: Toolbelt) -> None:
        """Place what the reply changes. Raises Refusal where the tool process cannot."""
        found = self.taken(message, base)
        changes = () if found.tree is None else diff(base, found.tree).changes
        paths = [change.path for change in changes]
        task.record({"type": "answer", "shape": found.shape, "reason": found.reason, "paths": paths})
        for change in _in_order(changes):
            belt.place(change)


def _in_order(changes: tuple[Change, ...]) -> Iterator[Change]:
    """Deletions first: a folder may have to make room for a file of its name."""
    return iter(sorted(changes, key=lambda change: change.after is not None))
