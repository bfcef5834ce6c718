"""The macOS profile, decided on Linux by an evaluator under three theories of precedence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.sandbox import profile, seatbelt
from gate.sandbox.policy import Limits, Policy
from tests.sandbox.sbpl import Evaluator, Fragile, Quoted, Unknown, read

GOLDEN = Path(__file__).with_name("golden.sb")
WRITES = ("create", "data", "flags", "mode", "owner", "times", "unlink", "xattr")


class House:
    """A home with a copy, a private folder and an interpreter in it, and the profile for them."""

    def __init__(self, root: Path, name: str = "run", *, writable: bool = True) -> None:
        self.home = root / "Users" / "me"
        self.copy = self.home / "work" / name
        self.tmp = root / "private" / "cg-1"
        self.tool = self.home / "tools" / "python"
        for folder in (self.copy, self.tmp, self.tool, self.home / ".ssh"):
            folder.mkdir(parents=True, exist_ok=True)
        policy = Policy(copy=self.copy, readable=(self.tool,), copy_writable=writable)
        self.built = profile.build(policy, tmp=self.tmp, home=self.home)
        self.judge = Evaluator.of(self.built.text, self.built.parameters)


@pytest.fixture
def house(tmp_path: Path) -> House:
    """One house for the tables below."""
    return House(tmp_path.resolve())


def test_the_one_denial_before_the_belt_is_the_default(house: House) -> None:
    """Everything between `(deny default)` and the belt is a grant, so the text is monotone; nothing runs outside."""
    decisions = [rule.allow for rule in house.judge.rules]
    assert house.judge.rules[0].operations == ("default",)
    belt = len(decisions) - decisions[::-1].index(True)
    assert decisions[:belt] == [False, *[True] * (belt - 1)]
    assert not any(decisions[belt:])
    assert "no-sandbox" not in house.built.text
    assert house.judge.imports == ("system.sb",)


def test_no_grant_is_wider_than_its_list(house: House) -> None:
    """No file, network, mach or sysctl grant lacks a filter, none names the whole disk, and no rule has a hundred."""
    for rule in house.judge.rules:
        assert len(rule.filters) < 100
        if rule.allow and not rule.filters:
            assert set(rule.operations) <= {"process-exec*", "process-fork", "ipc-posix-sem*"}
        if rule.allow:
            assert ["subpath", Quoted("/")] not in rule.filters
            assert "default" not in rule.operations
    assert len(house.built.text) < 60_000
    assert house.built.text.isascii()


def test_the_belt_names_exact_operations(house: House) -> None:
    """A denial of a wildcard can lose against an exact grant of an imported rule, so the belt has none."""
    for rule in house.judge.rules[1:]:
        if not rule.allow:
            assert not [operation for operation in rule.operations if operation.endswith("*")]


def test_the_command_may_work(house: House) -> None:
    """Read and write the copy and the private folder, read and map the interpreter, run, fork, use devices."""
    for folder in (house.copy, house.tmp):
        for write in WRITES:
            assert house.judge.allows(f"file-write-{write}", f"{folder}/src/a.py"), write
        assert house.judge.allows("file-read-data", f"{folder}/src/a.py")
    for operation in ("file-read-data", "file-read-metadata", "file-map-executable"):
        assert house.judge.allows(operation, f"{house.tool}/bin/python3")
        assert house.judge.allows(operation, "/usr/lib/libSystem.B.dylib")
    for operation in ("process-exec", "process-fork", "ipc-posix-sem-create"):
        assert house.judge.allows(operation)
    assert house.judge.allows("signal", "self")
    assert house.judge.allows("signal", "same-sandbox")
    assert house.judge.allows("file-write-data", "/dev/null")
    assert house.judge.allows("file-read-data", "/")
    assert house.judge.allows("mach-lookup", "com.apple.system.opendirectoryd.libinfo")
    assert house.judge.allows("sysctl-read", "hw.ncpu")


def test_every_folder_above_a_grant_can_be_looked_at_and_no_more(house: House) -> None:
    """realpath works on every granted path; the entries of those folders stay unread, but for the root's own."""
    for granted in (house.copy, house.tmp, house.tool):
        for folder in granted.parents:
            assert house.judge.allows("file-read-metadata", str(folder)), folder
            assert house.judge.allows("file-read-data", str(folder)) == (str(folder) == "/")


@pytest.mark.parametrize(
    ("operation", "subject"),
    [
        *[(f"file-write-{write}", "/private/var/folders/x/T/y") for write in WRITES],
        *[(f"file-write-{write}", "/usr/local/bin/tool") for write in WRITES],
        ("file-write-create", "/private/tmp/elsewhere"),
        ("file-write-data", "/dev/disk0"),
        ("file-read-data", "/private/etc/master.passwd"),
        ("file-read-data", "/private/var/db/dslocal/nodes/Default/users/me.plist"),
        ("file-read-data", "/Library/Keychains/System.keychain"),
        ("file-read-data", "/dev/tty"),
        ("file-write-setugid", "/Users/me/work/run/tool"),
        ("network-outbound", "127.0.0.1:80"),
        ("network-outbound", "/private/var/run/docker.sock"),
        ("network-bind", "localhost:8000"),
        ("network-inbound", "localhost:8000"),
        ("signal", "others"),
        ("process-info-pidinfo", "others"),
        ("sysctl-read", "kern.procargs2"),
        ("sysctl-read", "kern.proc.all"),
        ("sysctl-write", "kern.hostname"),
        ("mach-lookup", "com.apple.SecurityServer"),
        ("mach-lookup", "com.apple.securityd.xpc"),
        ("mach-lookup", "com.apple.coreservices.launchservicesd"),
        ("mach-lookup", "com.apple.coreservices.appleevents"),
        ("mach-lookup", "com.apple.pasteboard.1"),
        ("mach-lookup", "com.apple.windowserver.active"),
        ("mach-lookup", "com.apple.tccd"),
        ("mach-lookup", "com.apple.mDNSResponder"),
        ("mach-lookup", "com.apple.SystemConfiguration.configd"),
        ("mach-register", "com.example.mine"),
        ("appleevent-send", "com.apple.finder"),
        ("lsopen", ""),
        ("job-creation", ""),
        ("iokit-open", "IOUserClient"),
    ],
)
def test_what_is_not_granted_is_denied(house: House, operation: str, subject: str) -> None:
    """Writes elsewhere, secrets, every socket, other processes, the keychain and the desktop stay shut."""
    assert not house.judge.allows(operation, subject)


@pytest.mark.parametrize(
    "inside",
    [".ssh/id_ed25519", ".aws/credentials", ".netrc", ".gitconfig", ".config/gh/hosts.yml", "work/other/file", "tools"],
)
def test_the_home_is_shut_around_what_lies_in_it(house: House, inside: str) -> None:
    """With copy and interpreter inside the home, everything else of it can be neither read nor written, nor seen."""
    path = str(house.home / inside)
    for operation in ("file-read-data", "file-read-xattr", *(f"file-write-{write}" for write in WRITES)):
        assert not house.judge.allows(operation, path), operation
    if inside != "tools":
        assert not house.judge.allows("file-read-metadata", path)


def test_a_read_only_copy_takes_no_write(tmp_path: Path) -> None:
    """copy_writable off grants reading only; the private folder stays writable."""
    house = House(tmp_path.resolve(), writable=False)
    assert house.judge.allows("file-read-data", f"{house.copy}/a")
    assert not any(house.judge.allows(f"file-write-{write}", f"{house.copy}/a") for write in WRITES)
    assert house.judge.allows("file-write-create", f"{house.tmp}/a")


PARTS = st.lists(
    st.sampled_from(["..", ".ssh", "work", "run", "cg-1", "private", "a", "Users", "me", "tools", "python"])
)


@settings(max_examples=300, deadline=None)
@given(base=st.sampled_from(["/", "copy", "tmp", "home", "tool"]), parts=PARTS)
def test_a_write_is_allowed_exactly_in_the_copy_and_the_private_folder(
    tmp_path_factory: pytest.TempPathFactory, base: str, parts: list[str]
) -> None:
    """For any resolved path: writable if and only if it lies in one of the two; under every theory."""
    house = House(tmp_path_factory.getbasetemp().resolve() / "house")
    start = Path("/") if base == "/" else getattr(house, base)
    path = Path(*start.parts, *parts).resolve()
    inside = path.is_relative_to(house.copy) or path.is_relative_to(house.tmp)
    for write in WRITES:
        assert house.judge.allows(f"file-write-{write}", str(path)) == inside
    if path.is_relative_to(house.home):
        readable = inside or path.is_relative_to(house.tool)
        assert house.judge.allows("file-read-data", str(path)) == readable


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=30).filter(
    lambda name: name not in (".", "..") and len(name.encode()) < 200
)


@settings(max_examples=150, deadline=None)
@given(name=NAMES | st.sampled_from(['a"b', "a\\b", "a(b", 'x")) (allow default) (', "a;b", "#a", "a\nb", " ", "-D"]))
def test_a_folders_name_never_becomes_a_rule(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    """Whatever a run folder is called, the text stays the same and the name arrives whole, or it is refused."""
    root = tmp_path_factory.getbasetemp().resolve() / "names"
    plain = House(root)
    try:
        house = House(root, name)
    except ValueError:
        assert not name.isprintable()
        return
    assert house.built.text == plain.built.text
    assert dict(house.built.parameters)["COPY"] == f"{house.home}/work/{name}"
    assert house.judge.allows("file-write-data", f"{house.copy}/a")
    assert not house.judge.allows("file-write-data", f"{house.home}/work/other/a")


@pytest.mark.parametrize("grant", ["home", "above", "/"])
def test_a_grant_that_would_open_the_home_is_refused(tmp_path: Path, grant: str) -> None:
    """No policy can make the home, or a folder above it, readable."""
    home = tmp_path / "Users" / "me"
    for folder in (home, tmp_path / "copy", tmp_path / "tmp"):
        folder.mkdir(parents=True)
    folder = {"home": home, "above": home.parent, "/": Path("/")}[grant]
    with pytest.raises(ValueError, match="would open"):
        profile.build(Policy(copy=tmp_path / "copy", readable=(folder,)), tmp=tmp_path / "tmp", home=home)


def test_the_profile_is_the_one_that_was_reviewed() -> None:
    """The text for one known policy, byte for byte: a change to it is a change of the fence, and shows in review."""
    policy = Policy(copy=Path("/usr/share"), readable=(Path("/usr/lib"),))
    built = profile.build(policy, tmp=Path("/var/lib"), home=Path("/home"))
    assert built.text == GOLDEN.read_text(), "if the change is meant, write the new text to tests/sandbox/golden.sb"


def test_the_command_line_is_sandbox_exec_by_its_path(house: House) -> None:
    """An absolute sandbox-exec, the profile, a value for every parameter, limits, and the command word by word."""
    words = seatbelt.arguments(house.built, ["/bin/echo", "two words"], Limits(cpu_s=7, file_bytes=1024, open_files=9))
    assert words[:3] == ["/usr/bin/sandbox-exec", "-p", house.built.text]
    defined = {words[at + 1].partition("=")[0] for at, word in enumerate(words) if word == "-D"}
    assert set(re.findall(r'\(param "(\w+)"\)', house.built.text)) <= defined
    assert words[-3:] == ["sh", "/bin/echo", "two words"]
    script = words[words.index("-c") + 1]
    assert script.startswith("ulimit -c 0 || exit 125\nulimit -t 7 || exit 125\nulimit -f 2 ")
    with pytest.raises(ValueError, match="absolute"):
        seatbelt.arguments(house.built, ["echo"], Limits())


@pytest.mark.parametrize(
    ("text", "operation", "subject"),
    [
        (
            '(allow default) (deny file-write*) (allow file-write-data (subpath "/w")) (deny file*)',
            "file-write-data",
            "/w/a",
        ),
        (
            '(deny default) (allow file-read-data (subpath "/")) (deny file-read* (literal "/s"))',
            "file-read-data",
            "/s",
        ),
        ('(deny default) (allow file-write-data (subpath "/w")) (deny file-write-data)', "file-write-data", "/w/a"),
    ],
)
def test_the_evaluator_calls_a_fragile_profile_fragile(text: str, operation: str, subject: str) -> None:
    """The evaluator can fail: profiles whose meaning hangs on a theory, as published ones did, are told apart."""
    with pytest.raises(Fragile):
        Evaluator.of(text, ()).allows(operation, subject)


@pytest.mark.parametrize(
    "text",
    [
        "(allow file-raed*)",
        '(allow file-read* (regex #"^/a"))',
        "(allow file-read* (with no-sandbox))",
        '(allow file-read* (subpath (param "NOBODY")))',
        '(allow file-read* (subpath "relative"))',
        '(allow file-read* (subpath "/trailing/"))',
        "(allow default",
        "(allow default))",
        '(allow file-read* (literal "/a',
        "(version 2)",
        "(define x 1)",
    ],
)
def test_the_evaluator_refuses_what_it_does_not_know(text: str) -> None:
    """An unknown operation, filter, form or parameter, or a bracket too many, is an error, not a pass."""
    with pytest.raises(Unknown):
        Evaluator.of(text, ())


def test_the_reader_keeps_strings_apart_from_words() -> None:
    """Quotes and backslashes are unescaped, comments are dropped, and a string is no symbol."""
    assert read('; note\n(a "b\\"c\\\\d" (e)) ; end') == [["a", Quoted('b"c\\d'), ["e"]]]
