"""One matcher for paths: what gitignore matches, it matches, and nothing else."""

# ruff: noqa: E501  # tables read best with one case on a line

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.workspace.globs import Globs
from tests.workspace.repo import git

MATCHES = [
    (["*.lock"], "a.lock"),
    (["*.lock"], "deep/down/a.lock"),
    (["pnpm-lock.yaml"], "pnpm-lock.yaml"),
    (["pnpm-lock.yaml"], "packages/x/pnpm-lock.yaml"),
    (["/pnpm-lock.yaml"], "pnpm-lock.yaml"),
    (["src/*"], "src/a.py"),
    (["src/*"], "src/sub/a.py"),  # the folder `src/sub` is matched, and with it what it holds
    (["src/**"], "src/sub/deep/a.py"),
    ([".github/**"], ".github/workflows/ci.yml"),
    (["**/secret"], "secret"),
    (["**/secret"], "a/b/secret"),
    (["a/**/z"], "a/z"),
    (["a/**/z"], "a/b/c/z"),
    (["build/"], "build/out.js"),
    (["build/"], "sub/build/out.js"),
    (["src"], "src/a.py"),
    (["test_?.py"], "test_1.py"),
    (["[a-c].py"], "b.py"),
    (["[!a-c].py"], "d.py"),
    (["*", "!*.md"], "a.py"),
    (["*.py", "!keep.py", "keep.py"], "keep.py"),
    (["\\!bang"], "!bang"),
    (["\\#hash"], "#hash"),
    (["a\\*b"], "a*b"),
    (["sp ace"], "sp ace"),
    (["ünï*"], "ünïcode.py"),
    ([".github/**"], ".github/a\nb"),
    (["*.py"], "a\nb.py"),
    (["foo.py"], "foo.py"),
    (["[!x]*"], "dir/x"),
    (["secret/", "!secret/readme.md"], "secret/readme.md"),
    (["a", "b", "!a"], "b/a"),
    (["a/**/"], "a/b/c"),
    (["trailing   "], "trailing"),
]
MISSES = [
    ([], "a"),
    ([""], "a"),
    (["# a"], "# a"),
    (["src/*.py"], "src/sub/a.py"),
    (["/*.py"], "sub/a.py"),
    (["src/*"], "other/src/a.py"),
    (["/pnpm-lock.yaml"], "packages/pnpm-lock.yaml"),
    (["billing/**"], "src/billing/x.py"),
    (["build/"], "build"),
    (["*.PY"], "a.py"),
    (["SRC/**"], "src/a.py"),
    (["*.py", "!keep.py"], "keep.py"),
    (["*", "!*.md"], "a.md"),
    (["test_?.py"], "test_12.py"),
    (["a?b"], "a/b"),
    (["[a-c].py"], "d.py"),
    (["a\\*b"], "axb"),
    (["foo.py"], "foo.py\n"),
    (["*.py"], "a.py\n"),
    (["foo"], "foobar"),
    (["foo"], "xfoo"),
    (["a**b"], "a/b"),
    (["x[!a]y"], "x/y"),
    (["x[/]y"], "x/y"),
    (["a/**/"], "a/b"),
    (["a/**"], "a"),
    (["unclosed[a"], "unclosed[a"),
    (["end\\"], "end\\"),
    (["*", "!*/", "!*.py"], "a/b.py"),
]


@pytest.mark.parametrize(("patterns", "path"), MATCHES)
def test_a_path_that_is_covered(patterns: list[str], path: str) -> None:
    """Patterns that must match."""
    assert Globs(patterns).matches(path)


@pytest.mark.parametrize(("patterns", "path"), MISSES)
def test_a_path_that_is_not_covered(patterns: list[str], path: str) -> None:
    """Patterns that must not match."""
    assert not Globs(patterns).matches(path)


def test_matching_keeps_the_order() -> None:
    """`matching` is the covered part of the list, in its order."""
    assert Globs(["*.py"]).matching(["z.py", "b.md", "a.py"]) == ["z.py", "a.py"]


# No stars beside a letter and before a slash: git takes `a**/b` for `ab` too, against gitignore(5), by an accident of
# how it skips the literal beginning of a pattern.
PIECES = [
    "a", "b", "*", "**", "***", "?", "ab", "a*", "*b", "[ab]", "[!a]", "[^ab]", "[]]", "[a-]", "[b-a]", "[", "[a", "[!]",
    ".a", "a.b", "a?b", "[[:alpha:]]", "[[:digit:]a]", "[[:nope:]]", "[\\]]", "[a\\-b]", "\\a", "\\*", "\\", "a ", "\\ ", "#a", "\\!", "a[/]b", "a[!x]b",
]  # fmt: skip
pattern = st.builds(
    lambda bang, root, parts, end: bang + root + "/".join(parts) + end,
    st.sampled_from(["", "", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
file_path = st.lists(
    st.sampled_from(["a", "b", "ab", "ba", "c", ".a", "a.b", "]", "-", "*", "a ", "!", "#a", "\\", "1"]),
    min_size=1,
    max_size=4,
).map("/".join)


@settings(max_examples=300, deadline=None)
@given(st.lists(pattern, min_size=1, max_size=3), st.lists(file_path, min_size=1, max_size=20, unique=True))
def test_git_would_ignore_the_same_paths(scratch: Path, patterns: list[str], paths: list[str]) -> None:
    """`git check-ignore` agrees on every path, for patterns of every kind."""
    (scratch / ".gitignore").write_text("\n".join(patterns) + "\n")
    asked = b"".join(path.encode() + b"\0" for path in paths)
    ignored = git(scratch, "check-ignore", "--no-index", "-z", "--stdin", stdin=asked, check=False)
    assert ignored.returncode in (0, 1), ignored.stderr
    assert Globs(patterns).matching(paths) == ignored.stdout.decode().split("\0")[:-1]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty repository."""
    folder = tmp_path_factory.mktemp("globs")
    git(folder, "init", "-q", "--template=")
    return folder
