"""What whyso says, and how it compares with reality."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.real.environments import repairs
from tests.real.reality import Imported, imported, native_modules, variables

Json = dict[str, Any]


class Whyso:
    def __init__(self, program: Path) -> None:
        self.program = program

    def call(self, *args: str | Path, cwd: Path = Path("/")) -> tuple[int, str]:
        """Exit status and output. In / no .venv is near; 80 columns are the usual terminal."""
        done = subprocess.run(
            [self.program, *args],
            cwd=cwd,
            env=variables(COLUMNS="80"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode in (0, 1) and not done.stderr, f"{args}: {done.stderr}"
        return done.returncode, done.stdout

    def json(self, command: str, env: Path, *args: str | Path) -> Json:
        status, out = self.call(command, "--env", env, "--format", "json", *args)
        report: Json = json.loads(out)
        assert report["schema"] == f"whyso/{command}/1"
        report["status"] = status
        return report

    def check(self, env: Path, *args: str | Path) -> Json:
        report = self.json("check", env, *args)
        assert report["environment"]["prefix"] == str(env)
        assert report["environment"]["complete"]
        return report

    def text(self, env: Path, *args: str | Path) -> str:
        return self.call("check", "--env", env, *args)[1]


def findings(report: Json, *severities: str, rule: str | None = None) -> list[Json]:
    return [
        f
        for f in report["findings"]
        if (not severities or f["severity"] in severities) and rule in (None, f["rule"])
    ]


def assert_quiet(report: Json) -> None:
    """No error and no warning: what the contract promises for a healthy environment."""
    said = [(f["severity"], f["title"]) for f in findings(report, "error", "warning")]
    assert said == []
    assert (report["status"], report["verdict"], report["causes"]) == (0, "ok", [])
    assert report["summary"]["imports_broken"] == 0


# --- imports ------------------------------------------------------------------------------------


def differences(said: Json, real: Imported) -> list[str]:
    """Where an entry of `imports` says something else than the real import does."""
    wrong: list[str] = []

    def same(what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            wrong.append(f"{said['module']}: {what}: whyso {ours!r}, Python {theirs!r}")

    if said["outcome"] == "unknown":
        if not said["reason"]:
            wrong.append(f"{said['module']}: unknown without a reason")
        return wrong
    same("outcome", said["outcome"], "ok" if real.outcome == "ok" else "fails")
    if wrong or real.outcome == "ok":
        return wrong
    same("how", said["how"], real.outcome)
    if real.outcome == "exception":
        same("raised type", said["raised"]["type"], real.kind)
        same("raised text", said["raised"]["text"], real.text)
        same("message", said["message"], real.innermost)
    if real.outcome == "exit":  # the loader's last word
        last = (said["message"] or "").rpartition("\n")[2]
        same("message", last, real.stderr.rstrip("\n").rpartition("\n")[2])
    return wrong


def compare_imports(report: Json, env: Path, **extra: str) -> dict[str, Imported]:
    """Every listed import is really tried in a fresh process. Gives what really happened."""
    real = {i["module"]: imported(env, i["module"], **extra) for i in report["imports"]}
    wrong = [d for i in report["imports"] for d in differences(i, real[i["module"]])]
    assert wrong == []
    return real


def assert_healthy(ask: Whyso, env: Path, **extra: str) -> dict[str, Imported]:
    """Quiet; all modules with native code listed; each does what is predicted, to the letter."""
    settings = [word for k, v in extra.items() for word in ("--set", f"{k}={v}")]
    report = ask.check(env, *settings)
    assert_quiet(report)
    assert native_modules(env, **extra) - outcomes(report).keys() == set()
    return compare_imports(report, env, **extra)


def contradictions(report: Json, env: Path) -> list[str]:
    """What must never happen: `fails` for an import that works, `ok` for one the loader ends."""
    wrong = []
    for said in report["imports"]:
        real = imported(env, said["module"])
        if said["outcome"] == "fails" and real.outcome == "ok":
            wrong.append(f"{said['module']} works; whyso: {said['message']}")
        if said["outcome"] == "ok" and real.by_loader:
            wrong.append(f"{said['module']} does not load: {real.kind} {real.text}")
    return wrong


def outcomes(report: Json) -> dict[str, str]:
    return {i["module"]: i["outcome"] for i in report["imports"]}


# --- repairs ------------------------------------------------------------------------------------


def printed_commands(text: str) -> list[str]:
    """The lines that stand beside `fix` in the text, as a person would copy them."""
    commands: list[str] = []
    inside = open_line = False
    for line in text.splitlines():
        if line.startswith("  fix   "):
            inside = True
        elif inside and not line.startswith(" " * 8):
            inside = open_line = False
        words = line[8:]
        if not inside or not (open_line or words.startswith(("uv ", "pip ", "env ", "/", "'/"))):
            continue
        if open_line:
            commands[-1] += "\n" + words
        else:
            commands.append(words)
        open_line = words.endswith("\\")
    return commands


def mend(text: str, env: Path) -> list[str]:
    """Runs what is printed, by a shell. Gives the commands."""
    commands = printed_commands(text)
    assert commands, text
    done = subprocess.run(
        ["sh", "-euc", "\n".join(commands)],
        cwd="/",
        env=variables(**repairs(env)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}"
    return commands
