"""The judge: one question, asked of the machine's own loader and of the simulated one."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.loader.releases import Release

HERE = Path(__file__).resolve().parent
ROOM = 8192  # bytes reserved in the driver for a search path: each element names the test's folder
NAMES = 3  # DT_NEEDED entries reserved in the driver
NAME_ROOM = 120
LIMIT_S = 60
ABORTED = 127  # status of a process that the loader itself ends


def build_folder() -> Path:
    """Where meson built: WHYSO_BUILD, else what `./dev test` builds."""
    default = HERE.parent.parent / "build" / "dev"
    return Path(os.environ.get("WHYSO_BUILD", default)).resolve()


def probe_program() -> Path:
    return build_folder() / "tests" / "loader" / "ldprobe"


def run(argv: list[str | Path], in_root: bool = False) -> None:
    subprocess.run(
        [str(a) for a in argv],
        check=True,
        capture_output=True,
        text=True,
        preexec_fn=allow_chroot if in_root else None,
    )


def allow_chroot() -> None:
    """chroot needs a capability; who is not root gets it in a user namespace of its own."""
    clone_newuser = 0x10000000
    if os.geteuid() != 0 and ctypes.CDLL(None).unshare(clone_newuser) != 0:
        raise OSError("no user namespaces here: run the tests as root")


@dataclass
class Program:
    """How the driver is linked."""

    rpath: str | None = None
    runpath: str | None = None
    needed: list[str] = field(default_factory=list)
    flags_1: int = 0


@dataclass
class Step:
    """What one open did. `outcome`: ok, error, crash, abort, none (it may not be mapped, and is not
    in memory); `message` None unless error or abort."""

    request: str
    outcome: str
    message: str | None
    mapped: list[str]


@dataclass
class Answer:
    """What one process did. `start` is the program itself."""

    start: Step
    steps: list[Step]
    warnings: list[str] = field(default_factory=list)  # preloads that were ignored


class Drivers:
    """Builds the driver once, with room for other search paths, and writes these in."""

    def __init__(self, folder: Path, release: Release | None = None, libc: str = "glibc") -> None:
        """They run with the C library of this machine, or in private roots with that of another
        release. `libc`: glibc or musl."""
        self.folder = folder
        self.release = release
        self.libc = libc
        compiler = "musl-gcc" if libc == "musl" else "gcc"
        folder.mkdir(parents=True, exist_ok=True)
        stubs: list[str | Path] = []
        for i in range(NAMES):
            stub = folder / f"stub{i}.so"
            source = folder / "stub.c"
            source.write_text("")
            soname = f"NEED{i}".ljust(NAME_ROOM, "_")
            run([compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}", "-o", stub, source])
            stubs.append(stub)
        self.template = folder / "template"
        rpath = "RPATH".ljust(ROOM, "_")
        options = ["-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined", "-Wl,--enable-new-dtags"]
        options += [f"-Wl,-rpath,{rpath}", "-nostartfiles"]
        run([compiler, "-O1", "-o", self.template, HERE / "driver.c", *options, *stubs])
        self.caller = folder / "caller.so"
        run([compiler, "-O1", "-fPIC", "-shared", "-o", self.caller, HERE / "caller.c"])
        self._data = self.template.read_bytes()
        self._dynamic = self._find_dynamic()

    def _find_dynamic(self) -> int:
        phoff = struct.unpack_from("<Q", self._data, 32)[0]
        phnum = struct.unpack_from("<H", self._data, 56)[0]
        for i in range(phnum):
            kind, _, offset = struct.unpack_from("<IIQ", self._data, phoff + 56 * i)
            if kind == 2:
                return int(offset)
        raise AssertionError("the driver has no dynamic section")

    def write(self, to: Path, program: Program) -> Path:
        """A driver linked as `program` says."""
        data = bytearray(self._data)
        names = program.needed + (self.release.needed if self.release else [])

        def put(marker: str, room: int, text: str) -> None:
            at = data.find(marker.ljust(room, "_").encode())
            raw = text.encode("utf-8", "surrogateescape")
            assert at > 0 and len(raw) < room, text
            data[at : at + len(raw) + 1] = raw + b"\0"

        ignored = 0x6FFFFEF0  # a tag that no loader knows
        tags = [ignored if i >= len(names) else 1 for i in range(NAMES)]
        path_tag = 29 if program.runpath is not None else 15 if program.rpath is not None else None
        at, needed = self._dynamic, 0
        while True:
            tag = struct.unpack_from("<Q", data, at)[0]
            if tag == 0:
                break
            if tag == 1 and needed < NAMES:
                struct.pack_into("<Q", data, at, tags[needed])
                needed += 1
            elif tag == 29:
                struct.pack_into("<Q", data, at, ignored if path_tag is None else path_tag)
            elif tag == 0x6FFFFFFB:
                value = struct.unpack_from("<Q", data, at + 8)[0]
                struct.pack_into("<Q", data, at + 8, value | program.flags_1)
            at += 16
        for i, name in enumerate(names):
            put(f"NEED{i}", NAME_ROOM, name)
        path = program.runpath if program.runpath is not None else program.rpath
        if path is not None:
            put("RPATH", ROOM, path)
        to.write_bytes(bytes(data))
        to.chmod(0o755)
        return to

    def copy_caller(self, to: Path, rpath: str | None = None, runpath: str | None = None) -> Path:
        """A library that can call dlopen, with search paths of its own."""
        shutil.copyfile(self.caller, to)
        if rpath is not None:
            run(["patchelf", "--force-rpath", "--set-rpath", rpath, to])
        if runpath is not None:
            run(["patchelf", "--set-rpath", runpath, to])
        return to


def _steps(lines: list[str]) -> list[Step]:
    steps: list[Step] = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word in ("start", "open"):
            steps.append(Step(rest, "crash", None, []))
        elif word in ("ok", "none"):
            steps[-1].outcome = word
        elif word == "error":
            steps[-1].outcome, steps[-1].message = "error", rest
        elif word == "new":
            steps[-1].mapped.append(rest)
    return steps


def ask_real(
    program: Path,
    requests: list[str],
    variables: dict[str, str],
    cwd: Path | str,
    root: Path | None = None,
) -> Answer:
    """Runs the driver with the machine's loader (inside `root` by chroot).

    Without /proc the loader cannot know where the program lies; it then takes LD_ORIGIN_PATH.
    """
    if root is not None:
        real = (root / str(program).lstrip("/")).resolve().relative_to(root.resolve())
        variables = {**variables, "LD_ORIGIN_PATH": f"/{real.parent}" if real.parent.name else "/"}

    def enter() -> None:
        if root is not None:
            allow_chroot()
            os.chroot(root)
        os.chdir(cwd)

    done = subprocess.run(
        [str(program), *requests],
        env=variables,
        preexec_fn=enter,
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
    )
    lines = done.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]
    errors = done.stderr.decode("utf-8", "surrogateescape").rstrip("\n")
    assert done.returncode in (0, 127, 1, -signal.SIGBUS, -signal.SIGSEGV), (done, errors)
    if not lines:
        outcome = "crash" if done.returncode < 0 else "error"
        if "Inconsistency detected by ld.so" in errors:
            outcome = "abort"
        return Answer(Step(str(program), outcome, errors or None, []), [])
    steps = _steps(lines)
    if steps[-1].outcome == "crash" and done.returncode == ABORTED:
        steps[-1].outcome, steps[-1].message = "abort", errors.split("\n")[-1]
        errors = "\n".join(errors.split("\n")[:-1])
    start = steps[0]
    start.request, start.outcome = str(program), "ok"
    unnamed = ("", "linux-vdso.so.1", start.request)  # musl gives the program a name
    start.mapped = [name for name in start.mapped if name not in unnamed]
    return Answer(start, steps[1:], errors.split("\n") if errors else [])


def ask_simulated(
    program: Path,
    requests: list[str],
    variables: dict[str, str],
    cwd: Path | str,
    root: Path | None = None,
    extra: list[str] | None = None,
) -> tuple[Answer, list[dict[str, object]]]:
    """Asks ldprobe. Also gives its lines as they are."""
    argv = [str(probe_program()), "--cwd", str(cwd), "--program", str(program)]
    if root is not None:
        argv += ["--root", str(root)]
    for name, value in variables.items():
        argv += ["--set", f"{name}={value}"]
    argv += extra or []
    done = subprocess.run([*argv, *requests], capture_output=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    text = done.stdout.decode("ascii")
    lines: list[dict[str, object]] = [json.loads(line) for line in text.splitlines()]
    steps = [
        Step(
            str(line.get("path", line.get("request"))),
            str(line["outcome"]),
            line["message"],  # type: ignore[arg-type]
            [m["name"] for m in line["mapped"]],  # type: ignore[attr-defined]
        )
        for line in lines
        if "outcome" in line
    ]
    warnings = [
        str(p["message"])
        for p in lines[0]["problems"]  # type: ignore[attr-defined]
        if p["kind"] in ("preload-ignored", "no-version")
    ]
    return Answer(steps[0], steps[1:], warnings if steps[0].outcome == "ok" else []), lines
