"""CUDA torch, really broken: leftovers of another generation installed and removed again.

Several gigabytes and minutes: only with --full. One worker runs all of them, so that the disk holds
one environment at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, NamedTuple

import pytest

from tests.real.alone import judge
from tests.real.answers import (
    Json,
    Whyso,
    assert_healthy,
    assert_quiet,
    compare_imports,
    findings,
    mend,
    printed_commands,
)
from tests.real.environments import Tool, Workshop, create, install, reinstall, uninstall
from tests.real.reality import Row, imported, last_line, record, sha256, site_packages

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("torch")]


class Lost(NamedTuple):
    package: str  # without its generation
    cu12: str  # version that torch 2.10.0 pins
    cu13: str
    library: str  # the one that the loader misses
    needer: str  # the first of torch's libraries that needs it


# In the order of the loader's walk from torch's _C, which is the order of the messages.
LOST = (
    Lost("cudnn", "9.10.2.21", "9.19.0.56", "libcudnn.so.9", "libtorch_python.so"),
    Lost("cusparselt", "0.7.1", "0.8.0", "libcusparseLt.so.0", "libtorch_python.so"),
    Lost("nccl", "2.27.5", "2.28.9", "libnccl.so.2", "libtorch_cuda.so"),
    Lost("nvshmem", "3.4.5", "3.4.5", "libnvshmem_host.so.3", "libtorch_nvshmem.so"),
)
TORCH12 = ["torch==2.10.0"]
CU12 = [f"nvidia-{x.package}-cu12" for x in LOST]
CU13 = [f"nvidia-{x.package}-cu13=={x.cu13}" for x in LOST]
NEWER = ["torch==2.14.1", "torchvision==0.29.1"]
FOR_ANOTHER_TORCH = ["torchvision==0.21.0", "torchaudio==2.6.0", "torchcodec==0.2.1"]
# What torch 2.14.1 needs of those that are released apart, in the order of its messages.
LOST13 = ("cudnn", "nccl", "cusparselt", "nvshmem")


def message(library: str) -> str:
    return f"{library}: cannot open shared object file: No such file or directory"


def name12(lost: Lost) -> str:
    return f"nvidia-{lost.package}-cu12"


def absent(env: Path, package: str) -> tuple[list[Row], list[Row]]:
    """All rows of its RECORD, and those whose file does not exist."""
    rows = record(env, package)
    return rows, [r for r in rows if not r.path.exists()]


class Crisis:
    """facts of one day: install four twins, remove them, and see what torch says."""

    tool: ClassVar[Tool]

    @pytest.fixture(scope="class")
    def healthy(self, workshop: Workshop) -> Iterator[Path]:
        def make(env: Path) -> None:
            create(env, self.tool)
            install(env, self.tool, *TORCH12)

        template = workshop.template(f"torch12-{self.tool}", [*TORCH12], make)
        yield template
        workshop.drop(template)

    @pytest.fixture(scope="class")
    def overwritten(self, workshop: Workshop, healthy: Path) -> Iterator[Path]:
        with workshop.copy(healthy) as env:
            install(env, self.tool, *CU13, deps=False)
            yield env

    @pytest.fixture(scope="class")
    def gutted(self, workshop: Workshop, overwritten: Path) -> Iterator[Path]:
        with workshop.copy(overwritten) as env:
            uninstall(env, self.tool, *[p.partition("==")[0] for p in CU13])
            yield env

    def test_healthy(self, ask: Whyso, healthy: Path) -> None:
        real = assert_healthy(ask, healthy)
        assert "torch" in real and {i.outcome for i in real.values()} == {"ok"}

    @pytest.mark.parametrize("after", ["ctypes", "torch"])
    def test_each_library_alone(self, ask: Whyso, healthy: Path, after: str) -> None:
        verdict = judge(ask, healthy, after)
        assert verdict.differences == []
        # Plug-ins and parts that need what torch loads first do fail alone: these texts count too.
        assert min(verdict.outcomes["ok"], verdict.outcomes["error"]) > 10

    def test_overwritten(self, ask: Whyso, overwritten: Path) -> None:
        report = ask.check(overwritten)
        assert (report["status"], report["verdict"]) == (0, "degraded")
        assert ask.check(overwritten, "--fail-on", "warning")["status"] == 1
        assert imported(overwritten, "torch").outcome == "ok"
        compare_imports(report, overwritten)
        all_said = findings(report, "error", "warning")
        found = {f["package"]["name"]: f for f in all_said if f["rule"] == "overwritten-file"}
        assert sorted(found) == CU12
        # What cuDNN for CUDA 13 opens at a user's call is not here.
        later = [f for f in all_said if f["rule"] == "dlopen-missing"]
        assert [f["library"] for f in later] == ["libcublasLt.so.13"]
        assert len(all_said) == len(found) + len(later)
        (cause,) = report["causes"]
        assert (cause["severity"], cause["rule"]) == ("warning", "overwritten-file")
        whose = self.whose_bytes(overwritten)
        for package in CU12:
            said = {c["file"]: [c["package"]] for c in found[package]["candidates"]}
            rows = [str(r.path.relative_to(overwritten)) for r in record(overwritten, package)]
            foreign = {f: whose[f] for f in rows if f in whose and package not in whose[f]}
            assert said == foreign != {}

    def whose_bytes(self, env: Path) -> dict[str, list[str]]:
        names = [*CU12, *[p.partition("==")[0] for p in CU13]]
        claims: dict[str, list[tuple[str, str]]] = {}
        for name in names:
            for row in record(env, name):
                if row.is_library:
                    claims.setdefault(str(row.path.relative_to(env)), []).append((name, row.sha256))
        return {
            file: [name for name, digest in owners if digest == sha256(env / file)]
            for file, owners in claims.items()
        }

    def test_owner_of_every_shared_library(self, ask: Whyso, overwritten: Path) -> None:
        whose = self.whose_bytes(overwritten)
        report = ask.json("owner", overwritten, *whose)
        for entry in report["paths"]:
            assert len(entry["owners"]) == 2
            for owner in entry["owners"]:
                same = owner["package"] in whose[entry["path"]]
                assert owner["on_disk"] == ("same" if same else "differs"), entry["path"]

    def test_gutted(self, ask: Whyso, gutted: Path) -> None:
        report = ask.check(gutted)
        real = compare_imports(report, gutted)
        assert real["torch"].text == message("libcudnn.so.9")
        assert (report["status"], report["verdict"]) == (1, "broken")
        found = {f["package"]["name"]: f for f in findings(report, "error", "warning")}
        assert sorted(found) == CU12
        (cause,) = report["causes"]
        assert cause["rule"] == "gutted-package"
        assert sorted(cause["findings"]) == sorted(f["id"] for f in found.values())
        for lost in LOST:
            self.check_finding(gutted, found[name12(lost)], lost)
        (torch,) = [i for i in report["imports"] if i["module"] == "torch"]
        assert torch["message"] == message("libcudnn.so.9")
        assert f"{torch['raised']['type']}: {torch['raised']['text']}" == last_line(gutted, "torch")
        assert torch["causes"] == [cause["id"]]

    def check_finding(self, env: Path, found: Json, lost: Lost) -> None:
        rows, gone = absent(env, name12(lost))
        assert found["rule"] == "gutted-package"
        assert found["package"]["version"] == lost.cu12
        assert found["counts"] == {
            "recorded": len(rows),
            "missing": len(gone),
            "libraries": len([r for r in rows if r.is_library]),
            "libraries_missing": len([r for r in gone if r.is_library]),
        }
        assert sorted(found["missing"]) == sorted(str(r.path.relative_to(env)) for r in gone)
        assert found["library"] == lost.library
        assert "torch" in found["breaks"]["imports"]
        assert {Path(n["file"]).name for n in found["needed_by"]} >= {lost.needer}

    def test_one_screen(self, ask: Whyso, gutted: Path) -> None:
        # As people call it: from the folder that the environment lies in.
        lines = ask.call("check", "--env", gutted.name, cwd=gutted.parent)[1].splitlines()
        # A path is one word, and nothing is cut: this cache's may be too long for any screen.
        usual = [line.replace(f"'{gutted}", "/srv/app/.venv") for line in lines]
        assert len(lines) <= 30 and max(map(len, usual)) <= 80, "\n".join(lines)
        text = " ".join(" ".join(lines).split())
        assert message("libcudnn.so.9") in text
        for lost in LOST:
            assert name12(lost) in text and lost.library in text
        (command,) = printed_commands(ask.text(gutted))
        assert all(f"{name12(x)}=={x.cu12}" in command for x in LOST)

    def test_why_in_both_states(self, ask: Whyso, healthy: Path, gutted: Path) -> None:
        file = site_packages(healthy) / "nvidia/cudnn/lib/libcudnn.so.9"
        shown = str(file.relative_to(healthy))
        for env, state in ((healthy, "healthy"), (gutted, "gutted")):
            why = ask.json("why", env, "libcudnn.so.9")
            assert why["subject"] == {"kind": "library", "name": "libcudnn.so.9"}
            needers = {Path(n["file"]).name for n in why["needed_by"]}
            assert needers >= {"libtorch_python.so", "libtorch_cuda.so"}
            places = [s["place"] for s in why["searched"]]
            # torch's RPATH in its own order: the first entry is cudnn's folder or comes before it.
            assert places[0].startswith(str(Path(shown).parent.parent.parent))
            cudnn = places.index(str(Path(shown).parent))
            assert why["searched"][cudnn]["by"] == "rpath"
            (provider,) = [p for p in why["providers"] if p["package"] == CU12[0]]
            assert provider["version"] == LOST[0].cu12
            if state == "healthy":
                assert why["searched"][-1]["result"] == "taken"
                assert why["searched"][-1]["place"] == str(Path(shown).parent)
                (owner,) = why["owners"]
                # One owner: its size is compared, its hash only with --hash.
                assert (owner["package"], owner["on_disk"]) == (CU12[0], "unchecked")
                assert findings(why, "error", "warning") == []
            else:
                assert {s["result"] for s in why["searched"]} <= {"absent", "no directory"}
                folder = (env / shown).parent.is_dir()
                assert why["searched"][cudnn]["result"] == ("absent" if folder else "no directory")
                assert provider["state"] == "gutted"
                (found,) = findings(why, "error")
                assert found["package"]["name"] == CU12[0] and found["fix"]["command"]

    def test_step_by_step(self, ask: Whyso, workshop: Workshop, gutted: Path) -> None:
        """What users go through: each repair uncovers the next message, and we know it before."""
        with workshop.copy(gutted) as env:
            for lost in LOST:
                (said,) = ask.check(env, "torch")["imports"]
                assert said["message"] == message(lost.library) == imported(env, "torch").text
                again = f"{name12(lost)}=={lost.cu12}"
                reinstall(env, self.tool, again)
            assert imported(env, "torch").outcome == "ok"
            assert_quiet(ask.check(env))

    def test_the_printed_fix(self, ask: Whyso, workshop: Workshop, gutted: Path) -> None:
        with workshop.copy(gutted) as env:
            assert len(mend(ask.text(env), env)) == 1
            assert imported(env, "torch").outcome == "ok"
            assert_quiet(ask.check(env))
            for package in CU12:
                assert [r.path for r in record(env, package) if not r.path.exists()] == []


class TestByUv(Crisis):
    tool = "uv"


class TestByPip(Crisis):
    tool = "pip"


class TestNewer:
    """torch 2.14.1, CUDA 13: torchvision beside it, and the same four taken away."""

    @pytest.fixture(scope="class")
    def healthy(self, workshop: Workshop) -> Iterator[Path]:
        def make(env: Path) -> None:
            create(env, "uv")
            install(env, "uv", *NEWER)

        template = workshop.template("torch13", NEWER, make)
        yield template
        workshop.drop(template)

    def test_healthy(self, ask: Whyso, healthy: Path) -> None:
        real = assert_healthy(ask, healthy)
        assert real.keys() >= {"torch", "torchvision", "numpy", "PIL"}
        assert {i.outcome for i in real.values()} == {"ok"}

    def test_companions_of_another_torch(
        self, ask: Whyso, workshop: Workshop, healthy: Path
    ) -> None:
        with workshop.copy(healthy) as env:
            install(env, "uv", *FOR_ANOTHER_TORCH, deps=False)
            report = ask.check(env)
            real = compare_imports(report, env)
            said = {i["module"]: i for i in report["imports"]}
            assert real["torchvision"].text == "operator torchvision::nms does not exist"
            assert real["torchaudio"].kind == "OSError"
            assert real["torchcodec"].text.startswith("Could not load libtorchcodec")
            assert {said[m]["outcome"] for m in ("torchvision", "torchaudio", "torchcodec")} == {
                "fails"
            }
            assert said["torch"]["outcome"] == "ok"
            broken = [c["breaks"]["imports"] for c in report["causes"] if c["severity"] == "error"]
            assert {m for imports in broken for m in imports} == {
                "torchvision",
                "torchaudio",
                "torchcodec",
            }

    def test_each_library_alone(self, ask: Whyso, healthy: Path) -> None:
        verdict = judge(ask, healthy)
        assert verdict.differences == []
        assert min(verdict.outcomes["ok"], verdict.outcomes["error"]) > 10

    def test_step_by_step(self, ask: Whyso, workshop: Workshop, healthy: Path) -> None:
        with workshop.copy(healthy) as env:
            versions = {}
            for part in LOST13:
                (info,) = site_packages(env).glob(f"nvidia_{part}_cu13-*.dist-info")
                versions[part] = info.name.removesuffix(".dist-info").partition("-")[2]
                for row in record(env, f"nvidia-{part}-cu13"):
                    if row.path.parent != info:
                        row.path.unlink(missing_ok=True)
            report = ask.check(env)
            compare_imports(report, env)
            names = {f["package"]["name"] for f in findings(report, "error")}
            assert names == {f"nvidia-{part}-cu13" for part in LOST13}
            (cause,) = report["causes"]
            assert {"torch", "torchvision"} <= set(cause["breaks"]["imports"])
            for part in LOST13:
                (said,) = ask.check(env, "torch")["imports"]
                library = next(x.library for x in LOST if x.package == part)
                assert said["message"] == message(library) == imported(env, "torch").text
                install(
                    env, "uv", "--reinstall", f"nvidia-{part}-cu13=={versions[part]}", deps=False
                )
            assert_quiet(ask.check(env))
