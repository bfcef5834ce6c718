"""A policy as bubblewrap's mount arguments: an allow-list, parents before what lies in them, the copy writable.

Nothing of the host is visible that is not named here. Order is meaning: a later mount covers an earlier one, so
everything is sorted by depth and nothing can be hidden or re-opened by a bind of its parent (openai/codex#43516).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from gate.sandbox.policy import MIB, Policy

TMP = "/tmp"  # noqa: S108  a private one: the tmpfs inside the fence
HOME = "/tmp/home"  # noqa: S108  likewise

_MERGED = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl/certs", "/nix/store", "/gnu/store")
_SHM_BYTES = 64 * MIB


@dataclass(frozen=True, slots=True)
class Mount:
    """One operation of bubblewrap whose place in the order depends on `target` alone."""

    target: str
    words: tuple[str, ...]

    @property
    def brings_content(self) -> bool:
        """What lies below it comes from the host, folders included."""
        return "bind" in self.words[0] or "overlay" in self.words[0]

    @property
    def depth(self) -> tuple[int, str]:
        return len(PurePosixPath(self.target).parts), self.target


def mounts(policy: Policy, files: Iterable[tuple[int, str]] = ()) -> list[str]:
    """The arguments for one policy, with (descriptor, target) of files whose content bubblewrap puts in place.

    Raises ValueError for a path that would open the whole host, OSError for one that does not exist.
    """
    planned = [*_system(), *_kernel(), *_readable(policy), *_private_tmp(policy), *_copy(policy)]
    planned += [Mount(target, ("--perms", "0644", "--file", str(fd), target)) for fd, target in files]
    if not any(mount.target.startswith("/var/tmp/") for mount in planned):  # noqa: S108  the one inside
        planned.append(Mount("/var/tmp", ("--symlink", TMP, "/var/tmp")))  # noqa: S108  likewise
    # A path may be asked for twice; what makes it writable comes last and wins.
    by_target = {mount.target: mount for mount in planned}
    everything = [*by_target.values(), *_ancestors(by_target.values())]
    words = [word for mount in sorted(everything, key=lambda mount: mount.depth) for word in mount.words]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/"]


def _kernel() -> Iterator[Mount]:
    """/proc without a way to write the host's settings (uid 0 outside owns them), and a /dev that holds 64 MiB."""
    yield Mount("/proc", ("--proc", "/proc"))
    yield Mount("/proc/sys", ("--ro-bind", "/proc/sys", "/proc/sys"))
    yield Mount("/dev", ("--dev", "/dev"))
    shm = "/dev/shm"  # noqa: S108  the tmpfs inside
    yield Mount(shm, ("--perms", "1777", "--size", str(_SHM_BYTES), "--tmpfs", shm))


@cache
def _system() -> tuple[Mount, ...]:
    found = [Mount("/usr", ("--ro-bind", "/usr", "/usr")), _folder("/etc", "0755")]
    for name in _MERGED:
        path = Path(name)
        if path.is_symlink():
            found.append(Mount(name, ("--symlink", str(path.readlink()), name)))
        elif path.is_dir():
            found.append(Mount(name, ("--ro-bind", name, name)))
    found += [Mount(name, ("--ro-bind", name, name)) for name in _SYSTEM_FILES if Path(name).exists()]
    return tuple(found)


def _spellings(path: Path) -> Iterator[tuple[str, str]]:
    """(source, target) pairs: the real path, and the path as it was given where a link makes it another one."""
    if not path.is_absolute():
        raise ValueError(f"not an absolute path: {path}")
    real = path.resolve(strict=True)
    if real in (Path("/"), Path("/dev"), Path(TMP)) or real.is_relative_to("/proc") or real.is_relative_to("/sys"):
        raise ValueError(f"the policy would show {real} to the sandbox")
    yield str(real), str(real)
    given = PurePosixPath(path)
    if ".." not in given.parts and str(given) != str(real):
        yield str(real), str(given)


def _is_system(path: str) -> bool:
    return any(path == top or path.startswith(top + "/") for top in ("/usr", *_MERGED))


def _readable(policy: Policy) -> Iterator[Mount]:
    for path in policy.readable:
        copy = policy.copy
        # A link that an earlier command left in the copy must not choose what this one is shown.
        if copy and path.is_relative_to(copy) and not path.resolve().is_relative_to(copy.resolve()):
            raise ValueError(f"{path} leads out of the copy")
        for source, target in _spellings(path):
            if not _is_system(target):
                yield Mount(target, ("--ro-bind", source, target))


def _private_tmp(policy: Policy) -> Iterator[Mount]:
    yield Mount(TMP, ("--perms", "1777", "--size", str(policy.limits.tmp_bytes), "--tmpfs", TMP))
    yield _folder(HOME, "1777")


def _copy(policy: Policy) -> Iterator[Mount]:
    if policy.copy is None:
        return
    overlay = policy.overlay
    if overlay is None:
        verb = "--bind" if policy.copy_writable else "--ro-bind"
        for source, target in _spellings(policy.copy):
            yield Mount(target, (verb, source, target))
        return
    target = str(policy.copy)
    lower, upper = str(overlay.lower.resolve(strict=True)), str(overlay.upper.resolve(strict=True))
    if policy.copy_writable:
        work = str(overlay.work.resolve(strict=True))
        yield Mount(target, ("--overlay-src", lower, "--overlay", upper, work, target))
    else:
        yield Mount(target, ("--overlay-src", lower, "--overlay-src", upper, "--ro-overlay", target))


def _ancestors(planned: Iterable[Mount]) -> list[Mount]:
    """Every folder above a mount point that no mount brings itself.

    bubblewrap would make them too, but with mode 0700 when root starts it: closed to whom it drops to.
    """
    known = {mount.target: mount.brings_content for mount in planned}
    above = {str(parent) for target in known for parent in PurePosixPath(target).parents} - set(known) - {"/"}
    full = tuple(target + "/" for target, brings_content in known.items() if brings_content)
    return [_folder(path, "0755") for path in above if not path.startswith(full)]


def _folder(path: str, mode: str) -> Mount:
    return Mount(path, ("--perms", mode, "--dir", path))
