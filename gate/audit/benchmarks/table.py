"""Every benchmark that is known by name: how its rows become tasks, or why they cannot."""

from __future__ import annotations

from collections.abc import Mapping

from gate.audit.benchmarks import aimo, livecode, swe
from gate.audit.benchmarks.jstests import javascript_task
from gate.audit.benchmarks.pytests import (
    as_comment,
    check_entry,
    check_tests,
    class_tests,
    listed_tests,
    python_task,
    script_tests,
)
from gate.audit.benchmarks.recipe import (
    Exempt,
    Recipe,
    Row,
    RowProblem,
    SetAside,
    Task,
    any_text,
    any_texts,
    name,
    texts,
)


def _checked(row: Row) -> Task:
    """Rows with `check(candidate)` and the name of the entry point (human-eval, humaneval-plus)."""
    stub, answer, entry = row["prompt"], row.joined("prompt", "canonical_solution"), row["entry_point"]
    return python_task(stub, stub, answer, check_tests(row["test"], entry, stub, answer), [entry])


def _by_language(row: Row) -> Task:
    """Rows of several languages, told apart by the task's name (humaneval-x)."""
    language, stub, answer = row["task_id"].partition("/")[0], row["prompt"], row.joined("prompt", "canonical_solution")
    if language == "Python":
        entry = check_entry(row["test"])
        return python_task(stub, stub, answer, check_tests(row["test"], entry, stub, answer), [entry])
    if language == "JavaScript":
        return javascript_task(stub, stub, answer, row["test"])
    if language in ("CPP", "Go", "Java", "Rust"):
        raise SetAside(f"{language} rows need a compiler that no grader here has")
    raise RowProblem(f"`task_id` names no known language: {language}")


def _listed(row: Row) -> Task:
    """Rows with a list of assertions, graded by that list whatever else lies beside it (mbpp)."""
    stub = as_comment(row["text"])
    answer, setup = stub + row["code"], row["test_setup_code"] or ""
    tests, entries = listed_tests(row["test_list"], setup, "test_list", stub, answer)
    return python_task(row["text"], stub, answer, tests, entries)


def _sanitized(row: Row) -> Task:
    """The same with other names of the fields (mbpp-sanitized)."""
    stub = as_comment(row["prompt"])
    answer, setup = stub + row["code"], "\n".join(row["test_imports"])
    tests, entries = listed_tests(row["test_list"], setup, "test_list", stub, answer)
    return python_task(row["prompt"], stub, answer, tests, entries)


def _scripted(row: Row) -> Task:
    """Rows with a script that asserts (mbpp-plus)."""
    stub = as_comment(row["prompt"])
    answer = stub + row["code"]
    tests, entries = script_tests(row["test"], "test", stub, answer)
    return python_task(row["prompt"], stub, answer, tests, entries)


def _classes(row: Row) -> Task:
    """Rows with a class of unittest; the stub is code, the prompt is words (bigcodebench)."""
    stub, answer = row["code_prompt"], row.joined("code_prompt", "canonical_solution")
    tests = class_tests(row["test"], row["entry_point"], stub, answer)
    return python_task(row["instruct_prompt"], stub, answer, tests, [row["entry_point"]])


_CONTEST = {
    "starter_code": any_text,
    "public_test_cases": livecode.cases,
    "private_test_cases": livecode.cases,
    "metadata": livecode.metadata,
}
_NO_REPOSITORY = "graded in container images with a whole repository's dependencies, which are not built here"
_AGENTIC = "graded on what an agent did to a live service or a browser; there is no patch to hand in"

RECIPES: Mapping[str, Recipe | Exempt] = {
    "human-eval": Recipe(
        text="a function to complete, tested by check(candidate)",
        task="task_id",
        stub=("prompt",),
        answer=("prompt", "canonical_solution"),
        tests=("test",),
        more=("entry_point",),
        made=_checked,
    ),
    "humaneval-plus": Recipe(
        text="as human-eval, with many more inputs and expected results in one loop",
        task="task_id",
        stub=("prompt",),
        answer=("prompt", "canonical_solution"),
        tests=("test",),
        more=("entry_point",),
        made=_checked,
    ),
    "humaneval-x": Recipe(
        text="as human-eval in several languages; Python and JavaScript are graded",
        task="task_id",
        stub=("prompt",),
        answer=("prompt", "canonical_solution"),
        tests=("test",),
        made=_by_language,
    ),
    "mbpp": Recipe(
        text="a task in words, tested by the assertions of test_list",
        task="task_id",
        stub=("text",),
        answer=("text", "code"),
        tests=("test_list",),
        more=("test_setup_code",),
        readers={"task_id": name, "test_list": texts, "test_setup_code": any_text},
        optional=frozenset({"test_setup_code"}),
        made=_listed,
    ),
    "mbpp-sanitized": Recipe(
        text="the part of mbpp that was checked by hand, with its own names of the fields",
        task="task_id",
        stub=("prompt",),
        answer=("prompt", "code"),
        tests=("test_list",),
        more=("test_imports",),
        readers={"task_id": name, "test_list": texts, "test_imports": any_texts},
        made=_sanitized,
    ),
    "mbpp-plus": Recipe(
        text="a task in words, tested by a script with inputs and expected results in one loop",
        task="task_id",
        stub=("prompt",),
        answer=("prompt", "code"),
        tests=("test",),
        readers={"task_id": name},
        made=_scripted,
    ),
    "bigcodebench": Recipe(
        text="a function that uses libraries, tested by a class of unittest",
        task="task_id",
        stub=("code_prompt",),
        answer=("code_prompt", "canonical_solution"),
        tests=("test",),
        more=("entry_point", "instruct_prompt"),
        made=_classes,
    ),
    "livecodebench-stdin": Recipe(
        text="a program that reads standard input; `solution` is yours to add",
        task="question_id",
        stub=("question_content",),
        answer=("question_content", "solution"),
        tests=("public_test_cases", "private_test_cases"),
        more=("metadata", "starter_code"),
        readers={"question_id": name, **_CONTEST},
        optional=frozenset({"solution", "private_test_cases"}),
        made=livecode.stdin_task,
    ),
    "livecodebench-functional": Recipe(
        text="a method of a class Solution; `solution` is yours to add",
        task="question_id",
        stub=("starter_code",),
        answer=("solution",),
        tests=("public_test_cases", "private_test_cases"),
        more=("metadata", "question_content"),
        readers={"question_id": name, **_CONTEST},
        optional=frozenset({"solution", "private_test_cases"}),
        made=livecode.functional_task,
    ),
    "aimo": Recipe(
        text="a problem whose answer is a whole number, read from the message",
        task="id",
        stub=("problem",),
        answer=("answer",),
        tests=("answer",),
        readers={"id": name, "answer": aimo.whole},
        made=aimo.number_task,
        shapes=aimo.SHAPES,
        extract=aimo.extract_number,
    ),
    "swe": Recipe(
        text="rows in the form of SWE-bench: a gold patch against a real repository and its pytest",
        task="instance_id",
        stub=("repo", "base_commit"),
        answer=("patch",),
        tests=("test_patch", "FAIL_TO_PASS", "PASS_TO_PASS"),
        more=("problem_statement",),
        readers={"FAIL_TO_PASS": swe.test_ids, "PASS_TO_PASS": swe.test_ids, "test_patch": any_text},
        made=swe.repository_task,
        folder=True,
    ),
    "multi-swe": Exempt(f"repositories in seven compiled and scripted languages; {_NO_REPOSITORY}"),
    "swe-lancer": Exempt(f"end-to-end tests of a mobile application; {_NO_REPOSITORY}"),
    "terminal-bench": Exempt("graded on the state of a container after a terminal session; nothing of it is a patch"),
    "commit0": Exempt(f"whole libraries to be written from nothing; {_NO_REPOSITORY}"),
    "tau-bench": Exempt(f"a simulated user and the state of a database; {_AGENTIC}"),
    "webarena": Exempt(_AGENTIC),
    "visualwebarena": Exempt(_AGENTIC),
    "workarena": Exempt(_AGENTIC),
    "osworld": Exempt(f"a whole desktop; {_AGENTIC}"),
    "gaia": Exempt("questions on the web and on attached files, with answers that are not public to compare with"),
    "ds-1000": Exempt("every task needs a pinned set of scientific libraries, and its tests build plots and frames"),
    "cruxeval": Exempt("asks for the output of a program and not for a program; no grader here takes that"),
}


def known() -> tuple[str, ...]:
    """The names of all benchmarks."""
    return tuple(RECIPES)
