"""The environment of a sandboxed command: clean defaults, the policy's own variables, and none of the harness's."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_STEERS_A_LOADER = re.compile(
    r"LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|BASH_ENV|BASH_FUNC_.*|ENV|IFS|PS4"
)
"""Programs of the fence itself (setpriv, prlimit, sh) start with this environment before the last privilege is gone."""

_PLAIN = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "CI": "1",
    "USER": "canary",
    "LOGNAME": "canary",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONHASHSEED": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
}


def clean(asked: Iterable[tuple[str, str]], *, tmp: str, home: str, cwd: str) -> dict[str, str]:
    """The whole environment of one command; `asked` wins over the defaults.

    Raises ValueError for a name that is none, a NUL, or a variable that makes a loader or a shell run other code.
    """
    environment = {**_PLAIN, "HOME": home, "TMPDIR": tmp, "PWD": cwd}
    for name, value in asked:
        if not _NAME.fullmatch(name) or "\0" in value:
            raise ValueError(f"not an environment variable: {name!r}")
        if _STEERS_A_LOADER.fullmatch(name):
            raise ValueError(
                f"{name} may not be set inside the fence: it makes the fence's own programs load other code"
            )
        environment[name] = value
    return environment
