"""Measures whyso beside other tools on one real environment, and writes bench/results.md.

All commands of a group run in turn, round after round, after one round of warm-up, so that a busy
host hits them alike; the table gives the median of each and its ratio to the group's yardstick.
Ratios are what counts: seconds depend on the machine and the hour.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.many import PACKAGES, make

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.md"
TORCH = "torch==2.10.0"  # its wheel in the index is a CUDA 12.8 build


@dataclass(frozen=True)
class Command:
    name: str
    argv: list[str]


@dataclass(frozen=True)
class Group:
    """Commands that answer the same kind of question, the first being the yardstick."""

    title: str
    rounds: int
    commands: list[Command]


@dataclass(frozen=True)
class Sample:
    seconds: float
    peak_kib: int
    bytes_read: int
    status: int


def build_measure(cache: Path) -> Path:
    program = cache / "measure"
    cache.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["gcc", "-O2", "-D_GNU_SOURCE", "-o", str(program), str(HERE / "measure.c")], check=True
    )
    return program


def make_environment(cache: Path) -> Path:
    """A CUDA torch in the cache: some 5 GB, made once."""
    env = cache / "bench-env"
    if not (env / "complete").exists():
        shutil.rmtree(env, ignore_errors=True)
        print(f"making {env} with {TORCH}, once", file=sys.stderr)
        base = getattr(sys, "_base_executable", sys.executable)
        subprocess.run(["uv", "venv", "-q", "--python", base, str(env)], check=True)
        python = str(env / "bin" / "python")
        subprocess.run(["uv", "pip", "install", "-q", "--python", python, TORCH], check=True)
        (env / "complete").touch()
    return env


def measure(program: Path, command: Command) -> Sample:
    done = subprocess.run(
        [str(program), *command.argv], capture_output=True, text=True, check=True, cwd="/"
    )
    seconds, peak, read, status = done.stdout.split()
    return Sample(float(seconds), int(peak), int(read), int(status))


def run_group(program: Path, group: Group) -> dict[str, list[Sample]]:
    samples: dict[str, list[Sample]] = {command.name: [] for command in group.commands}
    for round_ in range(group.rounds + 1):
        for command in group.commands:
            sample = measure(program, command)
            if round_:  # the first only warms up
                samples[command.name].append(sample)
    return samples


def elf_files(env: Path) -> list[str]:
    """What a resolver is asked about: regular files that start as ELF does and are named .so."""
    found = []
    for folder, _, names in os.walk(env):
        for name in sorted(names):
            path = Path(folder) / name
            if re.search(r"\.so(\.\d+)*$", name) and path.is_file() and not path.is_symlink():
                with path.open("rb") as file:
                    if file.read(4) == b"\x7fELF":
                        found.append(str(path))
    return sorted(found)


def whyso_steps(whyso: str, env: Path) -> list[Command]:
    """`check`, and the steps of --only that this build knows."""
    commands = [Command("whyso check", [whyso, "check", "-e", str(env)])]
    for step in ("resolve", "symbols", "imports"):
        argv = [whyso, "check", "-e", str(env), "--only", step]
        if subprocess.run(argv, capture_output=True).returncode != 2:
            commands.append(Command(f"whyso check --only {step}", argv))
    return commands


def import_groups(whyso: str, env: Path, many: Path, rounds: int) -> list[Group]:
    """What following imports costs, beside importing, and with many packages over one framework."""
    check = [whyso, "check", "-e", str(env)]
    return [
        Group(
            "One import, followed and made",
            rounds,
            [
                Command(
                    "python -c 'import torch'", [str(env / "bin/python"), "-c", "import torch"]
                ),
                Command("whyso check torch", [*check, "torch"]),
            ],
        ),
        Group(
            f"With {PACKAGES} packages that import torch",
            rounds,
            [
                Command("whyso check, torch alone", check),
                Command("whyso check, with them", [whyso, "check", "-e", str(many)]),
            ],
        ),
    ]


def groups(whyso: str, env: Path, rounds: int) -> list[Group]:
    files = elf_files(env)
    python = str(env / "bin" / "python")
    program = ["--program", python, *files]
    resolve = Command("whyso load --only resolve", [whyso, "load", "--only", "resolve", *program])
    load = Command("whyso load", [whyso, "load", *program])  # and all symbols
    each = 'for file; do ldd "$file"; done'
    return [
        Group(
            "The whole environment, beside one walk of it",
            rounds,
            [Command("find -type f", ["find", str(env), "-type", "f"]), *whyso_steps(whyso, env)],
        ),
        Group(
            f"Resolution of its {len(files)} libraries",
            rounds,
            [
                Command("libtree", ["libtree", *files]),
                resolve,
                load,
            ],
        ),
        Group(
            "The same with slow tools",
            1,
            [
                load,
                Command("ldd, file by file", ["sh", "-c", each, "sh", *files]),
                Command("lddtree", ["lddtree", *files]),
            ],
        ),
        Group(
            "Package metadata",
            max(3, rounds // 3),
            [
                Command("whyso check", [whyso, "check", "-e", str(env)]),
                Command("pip check", [sys.executable, "-m", "pip", "--python", python, "check"]),
                Command("uv pip check", ["uv", "pip", "check", "--python", python]),
            ],
        ),
    ]


def megabytes(number: int) -> str:
    return "–" if number < 0 else f"{number / 1e6:,.1f}"


def row(name: str, samples: Sequence[Sample], yardstick: float) -> str:
    seconds = statistics.median(s.seconds for s in samples)
    peak = max(s.peak_kib for s in samples) * 1024
    read = max(s.bytes_read for s in samples)
    cells = [
        name,
        f"{seconds * 1000:,.0f}",
        f"{seconds / yardstick:.2f}",
        megabytes(peak),
        megabytes(read),
        str(samples[-1].status),
    ]
    return "| " + " | ".join(cells) + " |"


def table(group: Group, samples: dict[str, list[Sample]]) -> list[str]:
    first = group.commands[0].name
    yardstick = statistics.median(s.seconds for s in samples[first])
    runs = "one run" if group.rounds == 1 else f"median of {group.rounds} runs"
    lines = [
        f"## {group.title}",
        "",
        f"Ratio to *{first}*, {runs}.",
        "",
        "| command | ms | ratio | peak MB | read MB | status |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [row(command.name, samples[command.name], yardstick) for command in group.commands]
    return [*lines, ""]


def first_line(*argv: str) -> str:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    except OSError:
        return "not installed"
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0] if lines else "unknown"


def cpu_model() -> str:
    match = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return match[1] if match else platform.machine()


def heading(whyso: str, env: Path) -> list[str]:
    files = sum(len(names) for _, _, names in os.walk(env))
    size = sum(p.lstat().st_size for p in env.rglob("*") if not p.is_dir())
    versions = [
        first_line(whyso, "--version"),
        f"libtree {first_line('libtree', '--version')}",
        first_line("ldd", "--version"),
        first_line("uv", "--version"),
        f"pip {first_line(sys.executable, '-m', 'pip', '--version').split()[1]}",
    ]
    return [
        "# Measured",
        "",
        "By `./dev bench`: whyso and other tools side by side in one run, warm, whole processes.",
        "",
        f"- Date: {datetime.date.today().isoformat()}",
        f"- Machine: {cpu_model()}, {os.cpu_count()} processors, Linux {platform.release()}",
        f"- Environment: {files:,} files, {size / 1e9:.1f} GB ({packages(env)})",
        f"- Versions: {', '.join(versions)}",
        "- Status: that of the command. 1 of whyso load and 28 of libtree say that some of them",
        "  do not load alone, which is so: they count on what torch has loaded before.",
        "",
    ]


def packages(env: Path) -> str:
    """The names that say what this environment is."""
    infos = {
        path.name.removesuffix(".dist-info") for path in env.glob("lib/*/site-packages/*.dist-info")
    }
    known = sorted(
        info.replace("-", " ", 1) for info in infos if info.startswith(("torch", "numpy"))
    )
    return ", ".join([*known, f"{len(infos)} packages"])


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "-e", "--env", type=Path, help=f"the environment (default: {TORCH}, made once)"
    )
    parser.add_argument("--rounds", type=int, default=15, help="runs of each quick command")
    parser.add_argument("--whyso", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS, help="where the table goes")
    return parser.parse_args()


def main() -> int:
    args = parse_arguments()
    env = (args.env or make_environment(args.cache)).absolute()
    program = build_measure(args.cache)
    lines = heading(args.whyso, env)
    all_groups = groups(args.whyso, env, args.rounds)
    with tempfile.TemporaryDirectory(dir=env.parent, prefix="bench-") as folder:
        if any(env.glob("lib/python3*/site-packages/torch")):
            many = make(env, Path(folder))
            all_groups += import_groups(args.whyso, env, many, args.rounds)
        for group in all_groups:
            print(group.title, file=sys.stderr)
            lines += table(group, run_group(program, group))
    args.output.write_text("\n".join(lines))
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
