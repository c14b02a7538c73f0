"""What comes from elsewhere: another copy found first, an extension built for another framework.

A rule may only speak of what really happens, so each is imported first, with the same variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.loader.releases import Unavailable, unpacked
from tests.real.answers import (
    Json,
    Whyso,
    assert_quiet,
    compare_imports,
    findings,
    outcomes,
    printed_commands,
)
from tests.real.environments import Workshop, create, install, run
from tests.real.reality import imported, site_packages

# Newer ones open NVIDIA's libraries by their path. Its triton imports setuptools without asking.
TORCH = ["torch==2.5.1", "numpy", "setuptools"]
LINKER = "nvidia-nvjitlink-cu12==12.1.105"
VISION = "torchvision==0.25.0"  # made for torch 2.10.0


def shadowed(ask: Whyso, env: Path, module: str, folder: Path) -> Json:
    """The one finding about `folder` in LD_LIBRARY_PATH; the import says what Python says."""
    setting = f"LD_LIBRARY_PATH={folder}"
    real = imported(env, module, LD_LIBRARY_PATH=str(folder))
    assert real.outcome == "exception"
    report = ask.check(env, "--set", setting)
    (said,) = [i for i in report["imports"] if i["module"] == module]
    assert (said["outcome"], said["message"]) == ("fails", real.innermost)
    (found,) = findings(report, "error", "warning")
    assert (found["rule"], found["severity"]) == ("shadowed-library", "error")
    assert module in found["breaks"]["imports"]
    taken, meant = found["candidates"]
    assert taken["chosen"] and Path(taken["file"]).parent == folder
    assert taken["lacks"] == meant["has"] == [found["wanted"]["name"]]
    (here,) = [s for s in found["searched"] if s["result"] == "taken"]
    assert (here["by"], here["entry"], here["place"]) == ("ld_library_path", 1, str(folder))
    # Without the variable all is well, and that is what the command does.
    (command,) = printed_commands(ask.text(env, "--set", setting))
    run("sh", "-euc", f"{command} -c 'import {module}'", LD_LIBRARY_PATH=str(folder))
    assert_quiet(ask.check(env))
    return found


def test_an_older_libstdcxx(ask: Whyso, workshop: Workshop) -> None:
    """A wheel for manylinux_2_34, and the C++ library of Debian 11."""
    try:
        folder = unpacked("bullseye", "libstdc++6") / "usr/lib/x86_64-linux-gnu"
    except Unavailable as error:
        pytest.skip(str(error))

    def make(env: Path) -> None:
        create(env, "uv")
        install(env, "uv", "shiboken6==6.12.0")

    env = workshop.template("shiboken", ["shiboken6==6.12.0"], make)
    found = shadowed(ask, env, "shiboken6", folder)
    assert (found["library"], found["wanted"]["kind"]) == ("libstdc++.so.6", "version")
    assert found["wanted"]["name"] == "GLIBCXX_3.4.29"
    assert found["candidates"][0]["has"][0] == "GLIBCXX_3.4.28"
    assert Path(found["needed_by"][0]["file"]).name.startswith("libshiboken6.abi3.so.6")


@pytest.mark.full
@pytest.mark.xdist_group("torch")
class TestTorch:
    @pytest.fixture(scope="class")
    def torch(self, workshop: Workshop) -> Iterator[Path]:
        def make(env: Path) -> None:
            create(env, "uv")
            install(env, "uv", *TORCH)

        template = workshop.template("torch251", TORCH, make)
        yield template
        workshop.drop(template)

    def test_an_older_linker_of_nvidia(self, ask: Whyso, torch: Path, tmp_path: Path) -> None:
        run("uv", "pip", "install", "--quiet", "--no-deps", "--target", tmp_path, LINKER)
        found = shadowed(ask, torch, "torch", tmp_path / "nvidia/nvjitlink/lib")
        assert found["library"] == "libnvJitLink.so.12"
        assert found["package"]["name"] == "nvidia-nvjitlink-cu12"
        assert found["wanted"]["name"] == "__nvJitLinkComplete_12_4"
        assert Path(found["needed_by"][0]["file"]).name == "libcusparse.so.12"

    def test_an_extension_for_another_torch(
        self, ask: Whyso, workshop: Workshop, torch: Path
    ) -> None:
        """torchvision swallows what the loader says, and fails later in words of its own."""
        with workshop.copy(torch) as env:
            install(env, "uv", VISION, deps=False)
            install(env, "uv", "pillow")
            file = site_packages(env) / "torchvision/_C.so"
            assert imported(env, "torchvision").text == "operator torchvision::nms does not exist"
            opened = imported(env, f"torch, ctypes; ctypes.CDLL({str(file)!r})")
            report = ask.json("load", env, "--after", "torch", file)
            assert report["after"]["outcome"] == "ok"
            assert report["steps"][0]["message"] == opened.text
            report = ask.check(env)
            (found,) = findings(report, "error", "warning")
            assert (found["rule"], found["severity"]) == ("abi-mismatch", "warning")
            assert (found["package"]["name"], found["library"]) == ("torchvision", "_C.so")
            assert found["title"] == "_C.so was built for torch 2.10.0, not for 2.5.1"
            assert "another string ABI" in " ".join(found["because"])
            assert opened.text.endswith(f"undefined symbol: {found['wanted']['name']}")
            assert found["wanted"]["demangled"].startswith("torch::autograd::Node::name")
            # The installer is asked for whichever fits, and finds it.
            (command,) = printed_commands(ask.text(env))
            run("sh", "-euc", command)
            report = ask.check(env)
            assert_quiet(report)
            assert compare_imports(report, env)["torchvision"].outcome == "ok"
            assert outcomes(report)["torchvision"] == "ok"
