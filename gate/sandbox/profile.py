"""A policy as a Seatbelt profile: one `(deny default)`, then grants only, so that no theory of precedence matters.

Apple documents no order of precedence, and published tools rely on different ones. A profile that only ever allows
means the same under all of them. The few denials at the end name exact operations on paths that no grant covers:
a belt, for the case that an imported system rule grants more than it does today. No path stands in the text; they
travel as parameters, so a quote or a bracket in a folder's name cannot become a rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gate.sandbox.policy import Policy

_SYSCTL_NAMES = (
    *("hw.activecpu", "hw.byteorder", "hw.cacheconfig", "hw.cachelinesize", "hw.cpufamily", "hw.cpufrequency"),
    *("hw.cputype", "hw.logicalcpu", "hw.logicalcpu_max", "hw.machine", "hw.memsize", "hw.model", "hw.ncpu"),
    *("hw.nperflevels", "hw.packages", "hw.pagesize", "hw.pagesize_compat", "hw.physicalcpu", "hw.physicalcpu_max"),
    *("hw.tbfrequency", "hw.vectorunit", "kern.argmax", "kern.bootargs", "kern.hostname", "kern.maxfilesperproc"),
    *("kern.maxproc", "kern.ngroups", "kern.osproductversion", "kern.osrelease", "kern.ostype"),
    *("kern.osvariant_status", "kern.osversion", "kern.secure_kernel", "kern.usrstack64", "kern.version"),
    *("machdep.cpu.brand_string", "sysctl.proc_cputype", "vm.loadavg"),
)
# kern.procargs2 is left out on purpose: it shows the arguments and the environment of every process of the user.
_SYSCTL_PREFIXES = ("hw.optional.", "hw.perflevel", "hw.l1", "hw.l2", "hw.l3", "kern.proc.pid.", "kern.proc.pgrp.")

_MACH_NAMES = (
    "com.apple.bsd.dirhelper",
    "com.apple.cfprefsd.agent",
    "com.apple.cfprefsd.daemon",
    "com.apple.diagnosticd",
    "com.apple.logd",
    "com.apple.system.logger",
    "com.apple.system.notification_center",
    "com.apple.system.opendirectoryd.libinfo",
    "com.apple.system.opendirectoryd.membership",
)
"""Users, temporary folders and logs. No keychain, no launch services, no pasteboard, no name resolution."""

_RUNNABLE = (
    *("/usr", "/bin", "/sbin", "/System/Library", "/System/Cryptexes", "/System/Volumes/Preboot/Cryptexes"),
    *("/Library/Apple", "/Library/Developer/CommandLineTools", "/Library/Frameworks", "/opt/homebrew"),
)
_READABLE = (
    *("/private/etc/group", "/private/etc/hosts", "/private/etc/localtime", "/private/etc/passwd"),
    *("/private/etc/protocols", "/private/etc/services", "/private/etc/shells", "/private/etc/ssl"),
    *("/private/var/db/timezone", "/private/var/db/xcode_select_link", "/private/var/select"),
)
_SPELLINGS = (
    *("/dev", "/etc", "/private", "/private/etc", "/private/tmp", "/private/var", "/private/var/db"),
    *("/System/Volumes", "/System/Volumes/Data", "/tmp", "/var"),  # noqa: S108  names to look at
)
_DEVICES_READ = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/autofs_nowait", "/dev/dtracehelper")
_DEVICES_WRITE = ("/dev/null", "/dev/zero", "/dev/dtracehelper")

_WRITES = (
    *("file-write-create", "file-write-data", "file-write-flags", "file-write-mode", "file-write-owner"),
    *("file-write-times", "file-write-unlink", "file-write-xattr"),
)


@dataclass(frozen=True, slots=True)
class Profile:
    """The text, pure ASCII, and the parameters that `sandbox-exec -D` defines for it."""

    text: str
    parameters: tuple[tuple[str, str], ...]


def build(policy: Policy, *, tmp: Path, home: Path) -> Profile:
    """The profile of one policy. `tmp` is the private folder for temporary files, `home` the user's own, which is shut.

    Every path must exist: rules match what the kernel resolved. Raises ValueError for a path that a parameter cannot
    carry, or a grant that would open the whole disk, the home or a folder above it.
    """
    roots = {f"READ{number}": path for number, path in enumerate(sorted({_real(p) for p in policy.readable}))}
    private = {"TMP": _real(tmp)}
    if policy.copy is not None:
        private["COPY"] = _real(policy.copy)
    shut = _real(home)
    for path in (*roots.values(), *private.values()):
        if shut == path or shut.is_relative_to(path):
            raise ValueError(f"the policy would open {shut} to the sandbox")
    above = {f"ABOVE{number}": path for number, path in enumerate(_above((*roots.values(), *private.values())))}
    writable = [name for name in private if name == "TMP" or policy.copy_writable]
    lines = [*_processes(), *_system(), *_files(list(roots), list(private), list(above), writable)]
    lines += _belt([*roots, *private], list(above))
    named = {"HOME": shut, **roots, **private, **above}
    return Profile("\n".join(lines) + "\n", tuple((name, str(path)) for name, path in named.items()))


def _real(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError(f"not an absolute path: {path}")
    real = path.resolve(strict=True)
    text = str(real)
    if not text.isprintable() or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"a sandbox profile cannot hold this path: {text!r}")
    return real


def _above(paths: Iterable[Path]) -> list[Path]:
    """Every folder above a granted one: what realpath(3) must be able to look at, and no more."""
    return sorted({parent for path in paths for parent in path.parents})


def _rule(action: str, operations: str, filters: Iterable[str] = ()) -> list[str]:
    body = [f"    {line}" for line in filters]
    return [f"({action} {operations}", *body[:-1], f"{body[-1]})"] if body else [f"({action} {operations})"]


def _strings(form: str, values: Iterable[str]) -> list[str]:
    return [f'({form} "{value}")' for value in values]


def _parameters(form: str, names: Iterable[str]) -> list[str]:
    return [f'({form} (param "{name}"))' for name in names]


def _processes() -> list[str]:
    ours = ["(target self)", "(target same-sandbox)"]
    shared_memory = "ipc-posix-shm-read-data ipc-posix-shm-write-create ipc-posix-shm-write-data"
    return [
        "(version 1)",
        "(deny default)",
        '(import "system.sb")',
        *_rule("allow", "process-exec*"),
        *_rule("allow", "process-fork"),
        *_rule("allow", "signal", ours),
        *_rule("allow", "process-info*", ours),
        *_rule("allow", "ipc-posix-sem*"),
        *_rule(
            "allow", f"{shared_memory} ipc-posix-shm-write-unlink", _strings("ipc-posix-name-prefix", ("/psm_", "/mp-"))
        ),
    ]


def _system() -> list[str]:
    names = [*_strings("sysctl-name", _SYSCTL_NAMES), *_strings("sysctl-name-prefix", _SYSCTL_PREFIXES)]
    return [
        *_rule("allow", "sysctl-read", names),
        *_rule("allow", "mach-lookup", _strings("global-name", _MACH_NAMES)),
        # Shells stop without the root folder's own entries; never a subpath.
        *_rule("allow", "file-read-data file-read-metadata", ['(literal "/")']),
        *_rule("allow", "file-read-metadata", _strings("literal", _SPELLINGS)),
        *_rule("allow", "file-read* file-map-executable file-test-existence", _strings("subpath", _RUNNABLE)),
        *_rule("allow", "file-read* file-test-existence", _strings("subpath", _READABLE)),
        *_rule("allow", "file-read*", [*_strings("literal", _DEVICES_READ), '(subpath "/dev/fd")']),
        *_rule("allow", "file-write-data", [*_strings("literal", _DEVICES_WRITE), '(subpath "/dev/fd")']),
        *_rule("allow", "file-ioctl", ['(literal "/dev/dtracehelper")']),
    ]


def _files(roots: list[str], private: list[str], above: list[str], writable: list[str]) -> list[str]:
    seen = _parameters("subpath", [*roots, *private])
    return [
        *_rule("allow", "file-read-metadata", _parameters("literal", above)),
        *_rule("allow", "file-read* file-map-executable file-test-existence", seen),
        *_rule("allow", f"{' '.join(_WRITES)} file-ioctl", _parameters("subpath", writable)),
    ]


def _belt(granted: list[str], above: list[str]) -> list[str]:
    """Exact operations only: a wildcard here would lose against an exact grant of the imported rules."""
    outside = ['(subpath (param "HOME"))', *(f"(require-not {line})" for line in _parameters("subpath", granted))]
    unseen = [*outside, *(f"(require-not {line})" for line in _parameters("literal", above))]
    return [
        *_rule("deny", f"file-read-data file-read-xattr {' '.join(_WRITES)}", [f"(require-all {' '.join(outside)})"]),
        *_rule("deny", "file-read-metadata", [f"(require-all {' '.join(unseen)})"]),
        *_rule("deny", "file-write-setugid"),
        *_rule("deny", "network-outbound network-bind network-inbound"),
    ]
