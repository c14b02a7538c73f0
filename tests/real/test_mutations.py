"""Real environments, one thing broken in each: what every import does then, and who is to blame.

A mutation is a row. For each the environment's own python tries every top-level module that whyso
lists, in a fresh process with the same variables: outcome, exception and text must be those
predicted. Errors and warnings must be those of the row and no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.real.answers import Json, Whyso, compare_imports, findings, outcomes
from tests.real.environments import Tool, Workshop, create, install
from tests.real.mutations import (
    AARCH64,
    E_CLASS,
    HTML,
    LFS_POINTER,
    Change,
    Mutation,
    all_links_to_nowhere,
    cut,
    cut_in_half,
    delete,
    delete_folder,
    each,
    folder_instead,
    for_machine,
    holds,
    in_variable,
    link_to_nowhere,
    moved_into_variable,
    of_another,
    on,
    own_lib64,
    patched,
    preloaded,
    renamed,
    takes_the_place,
    with_search_path,
    without_search_path,
    without_symbols,
    zeroed,
)
from tests.real.reality import site_packages
from tests.real.test_frameworks import FRAMEWORKS
from tests.real.test_scientific import ON_NUMPY, whole
from tests.real.test_torch import NEWER, TORCH12

__all__ = ["whole"]  # a fixture

X = ".cpython-*.so"
UMATH = "numpy/_core/_multiarray_umath" + X
OPENBLAS = "numpy.libs/libscipy_openblas64_*"
CALLBACK = "scipy/_lib/_ccallback_c" + X
OLDER = "numpy==2.3.5"
KIWI = "kiwisolver/_cext" + X
CORE = "pydantic_core/_pydantic_core" + X


MIXED = {"*": "what fails first is an attribute that compiled code of the other version asks for"}


def says(name: str, change: Change, findings: dict[str, str], broken: str = "") -> Mutation:
    return Mutation(name, change, findings, frozenset(broken.split()))


def of_numpy(name: str, change: Change, rule: str, also: str = "") -> Mutation:
    return Mutation(name, change, {"numpy": rule}, ON_NUMPY | frozenset(also.split()))


SCIENTIFIC = [
    # gone
    says("pillow's extension deleted", delete("PIL/_imaging" + X), {"pillow": "missing-file"},
         "matplotlib pylab"),
    of_numpy("openblas deleted", delete(OPENBLAS), "missing-file"),
    of_numpy("libraries moved", renamed("numpy.libs", "libs", "libs.old"), "missing-file"),
    says("parquet deleted", delete("pyarrow/libparquet.so.*"), {"pyarrow": "missing-file"},
         "pyarrow"),
    says("two packages each without a library",
         each(delete("h5py.libs/libsz-*"), delete("psycopg2_binary.libs/libcrypto-*")),
         {"h5py": "missing-file", "psycopg2-binary": "missing-file"}, "h5py psycopg2"),
    says("OpenMP deleted", delete_folder("scikit_learn.libs"), {"scikit-learn": "missing-file"},
         "sklearn"),
    says("cffi's one library deleted", delete("_cffi_backend" + X), {"cffi": "gutted-package"},
         "_cffi_backend"),
    says("hdf5 under another name", renamed("h5py.libs/libhdf5-*", "hdf5", "hdf5_old"),
         {"h5py": "missing-file"}, "h5py"),
    says("folder of extensions deleted", delete_folder("pandas/_libs/tslibs"),
         {"pandas": "missing-file"}, "pandas"),
    says("a dependency's folder deleted", delete_folder("dateutil"),
         {"python-dateutil": "missing-file"}, "dateutil matplotlib pandas pylab"),
    says("dangling link", link_to_nowhere("contourpy/_contourpy" + X),
         {"contourpy": "broken-link"}, "contourpy"),
    # `import pyarrow` gives an empty package; pandas asks it for its version
    says("cache pruned", all_links_to_nowhere("pyarrow"), {"pyarrow": "broken-link"},
         "pandas sklearn"),
    says("__init__.py deleted", delete("kiwisolver/__init__.py"), {"kiwisolver": "missing-file"},
         "matplotlib pylab"),
    # damaged
    of_numpy("empty", cut(UMATH, 0), "bad-file"),
    of_numpy("only the ELF header", cut(UMATH, 64), "bad-file"),
    of_numpy("half, crashes", cut_in_half(UMATH), "bad-file", "joblib pyarrow"),
    says("half of a library", cut_in_half("pillow.libs/libtiff-*"), {"pillow": "bad-file"},
         "matplotlib pylab"),
    # patchelf has put the names at the end of the file: what it needs is now called "li"
    of_numpy("the last bytes missing", cut(UMATH, -64), "missing-library"),
    says("program headers missing", cut("matplotlib/_path" + X, 200), {"matplotlib": "bad-file"},
         "matplotlib pylab"),
    says("zeros", zeroed("pyarrow/libarrow.so.*"), {"pyarrow": "bad-file"}, "pyarrow"),
    says("zeros behind the first page", zeroed("pyarrow/libarrow.so.*", 4096),
         {"pyarrow": "bad-file"}, "pandas pyarrow sklearn"),
    says("a web page", holds("cv2/cv2.abi3.so", HTML), {"opencv-python-headless": "bad-file"},
         "cv2"),
    says("a pointer of Git LFS", holds(CALLBACK, LFS_POINTER), {"scipy": "bad-file"},
         "scipy sklearn"),
    says("a folder", folder_instead("psycopg2_binary.libs/libpq-*"),
         {"psycopg2-binary": "bad-file"}, "psycopg2"),
    says("for another machine", for_machine(KIWI, AARCH64), {"kiwisolver": "wrong-machine"},
         "kiwisolver matplotlib pylab"),
    says("for 32 bits", patched(KIWI, E_CLASS, b"\x01"), {"kiwisolver": "wrong-machine"},
         "kiwisolver matplotlib pylab"),
    says("source cut in half", cut_in_half("pandas/core/frame.py"), {"pandas": "bad-file"},
         "pandas sklearn"),
    says("source emptied", holds("kiwisolver/__init__.py", b""), {"kiwisolver": "bad-file"},
         "matplotlib pylab"),
    # another one
    of_numpy("another build without symbols", without_symbols(OPENBLAS), "undefined-symbol"),
    of_numpy("openblas of scipy, without the suffix 64_",
             takes_the_place("scipy.libs/libscipy_openblas-*", of=OPENBLAS), "undefined-symbol"),
    says("another extension under its name",
         takes_the_place("scipy/_lib/_test_ccallback" + X, of=CALLBACK), {"scipy": "bad-file"},
         "scipy sklearn"),
    says("for another Python", renamed(UMATH, "cpython-3", "cpython-9"),
         {"_multiarray_umath.*": "wrong-python"}, " ".join(ON_NUMPY)),
    says("RPATH removed", without_search_path("psycopg2/_psycopg" + X),
         {"libpq-*": "out-of-reach"}, "psycopg2"),
    says("RPATH leads nowhere", with_search_path("psycopg2/_psycopg" + X, "$ORIGIN/../gone"),
         {"libpq-*": "out-of-reach"}, "psycopg2"),
    # two versions in one place
    of_numpy("an extension of an older numpy", of_another(OLDER, UMATH), "missing-library"),
    of_numpy("sources of an older numpy", of_another(OLDER, "numpy/_core/*.py"),
             "bad-file", "pyarrow")._replace(unknown=MIXED),
    of_numpy("all but the extensions of an older numpy", of_another(OLDER, "numpy/**/*.py"),
             "bad-file", "pyarrow")._replace(unknown=MIXED),
    says("libraries of an older numpy beside", of_another(OLDER, "numpy.libs/*"), {}),
    says("lib64 is a folder of its own", own_lib64("numpy.libs"), {"numpy": "missing-file"},
         " ".join(ON_NUMPY)),
    says("cryptography: cut", cut_in_half("cryptography/hazmat/bindings/_rust.abi3.so"),
         {"cryptography": "bad-file"}),
    says("cryptography: gone", delete("cryptography/hazmat/bindings/_rust.abi3.so"),
         {}),
    says("lxml: etree empty", cut("lxml/etree" + X, 0), {"lxml": "bad-file"}),
    says("lxml: etree gone", delete("lxml/etree" + X), {}),
    # found elsewhere
    says("a preload that works", preloaded("libstdc++.so.6"), {}),
    says("a C++ library without versions in front",
         in_variable("LD_LIBRARY_PATH", "libstdc++.so.6"), {"libstdc++.so.6": "shadowed-library"},
         " ".join(ON_NUMPY | {"kiwisolver", "pyarrow"})),
    says("the variable does not beat RPATH", in_variable("LD_LIBRARY_PATH", "libpq-a17e3caa.so.5"),
         {}),
    # the folder's name has a blank, which ends a name in this variable
    says("a preload that the loader does not find", in_variable("LD_PRELOAD", "libstdc++.so.6"),
         dict.fromkeys(["my", "copies", "libstdc++.so.6"], "preload-ignored")),
]  # fmt: skip

# Most of these are optional to their package: it catches the failure and goes on in Python.
ACCELERATED = """
    aiohttp attrs charset-normalizer coverage greenlet lazy-object-proxy lxml markupsafe msgpack
    multidict orjson propcache protobuf psutil pydantic pyyaml regex simplejson sqlalchemy tornado
    wrapt yarl
""".split()
OPTIONAL = [
    says("markupsafe: empty", cut("markupsafe/_speedups" + X, 0), {"MarkupSafe": "bad-file"}),
    says("markupsafe: deleted", delete("markupsafe/_speedups" + X), {}),
    says("simplejson: another machine", for_machine("simplejson/_speedups" + X, AARCH64),
         {"simplejson": "wrong-machine"}),
    says("msgpack: another Python", renamed("msgpack/_cmsgpack" + X, "cpython-3", "cpython-9"),
         {}),
    says("wrapt: Git LFS", holds("wrapt/_wrappers" + X, LFS_POINTER), {"wrapt": "bad-file"}),
    says("coverage: dangling link", link_to_nowhere("coverage/tracer" + X), {}),
    says("multidict: a folder", folder_instead("multidict/_multidict" + X), {}),
    says("yarl: deleted", delete("yarl/_quoting_c" + X), {}),
    says("frozenlist: a web page", holds("frozenlist/_frozenlist" + X, HTML),
         {"frozenlist": "bad-file"}),
    says("protobuf: empty", cut("google/_upb/_message.abi3.so", 0), {"protobuf": "bad-file"}),
    says("lazy-object-proxy: no whole header", cut("lazy_object_proxy/cext" + X, 63),
         {"lazy-object-proxy": "bad-file"}),
    says("tornado: header only", cut("tornado/speedups.abi3.so", 100), {"tornado": "bad-file"}),
]  # fmt: skip
NEEDED = [
    says("charset-normalizer: empty", cut("charset_normalizer/md" + X, 0),
         {"charset-normalizer": "bad-file"}, "charset_normalizer"),
    says("orjson: zeros", zeroed("orjson/orjson" + X), {"orjson": "bad-file"}, "orjson"),
    says("psutil: 32 bits", patched("psutil/_psutil_linux.abi3.so", E_CLASS, b"\x01"),
         {"psutil": "wrong-machine"}, "psutil"),
    # a folder of stubs has the extension's name, and is found in its place
    says("pydantic-core: deleted", delete(CORE), {"pydantic_core": "gutted-package"},
         "pydantic pydantic_core"),
    says("pydantic-core: another module", takes_the_place("orjson/orjson" + X, of=CORE),
         {"pydantic_core": "bad-file"}, "pydantic pydantic_core"),
    says("pydantic-core: cache pruned", all_links_to_nowhere("pydantic_core"),
         {"pydantic_core": "broken-link"}, "pydantic"),
    says("greenlet: C++ library without versions",
         in_variable("LD_LIBRARY_PATH", "libstdc++.so.6"), {"libstdc++.so.6": "shadowed-library"},
         "greenlet"),
    says("attrs: source cut in half", cut_in_half("attr/_make.py"), {"attrs": "bad-file"},
         "aiohttp attr attrs"),
    says("one file of Python deleted", delete("typing_extensions.py"),
         {"typing_extensions": "missing-file"},
         "aiohttp aiosignal pydantic pydantic_core sqlalchemy typing_extensions"),
]  # fmt: skip


def named(report: Json) -> dict[str, str]:
    """Subject (package, else library) and rule of each error and warning."""
    said: dict[str, str] = {}
    for f in findings(report, "error", "warning"):
        subject = f["package"]["name"] if f["package"] else f["library"]
        assert said.get(subject, f["rule"]) == f["rule"]
        said[subject] = f["rule"]
    return said


def judge(ask: Whyso, env: Path, mutation: Mutation) -> None:
    variables = dict(mutation.change(site_packages(env)))
    settings = [word for k, v in variables.items() for word in ("--set", f"{k}={v}")]
    report = ask.check(env, *settings)
    real = compare_imports(report, env, **variables)
    broken = {module for module, how in real.items() if how.outcome != "ok"}
    assert mutation.by_python or broken == mutation.broken
    said = outcomes(report)
    unknown = {module for module, outcome in said.items() if outcome == "unknown"}
    assert unknown == (broken if "*" in mutation.unknown else mutation.unknown.keys())
    told = broken - unknown
    assert {module for module, outcome in said.items() if outcome == "fails"} == told
    assert {match(mutation, subject): rule for subject, rule in named(report).items()} == dict(
        mutation.findings
    )
    errors = findings(report, "error")
    assert {m for f in errors for m in f["breaks"]["imports"]} == told
    assert [f for f in report["findings"] if f not in errors and f["breaks"]["imports"]] == []
    assert bool(errors) == bool(told) == (report["verdict"] == "broken")
    assert_explained(report)


def assert_explained(report: Json) -> None:
    """Each import that fails names an error that breaks it; what a package caught is in a finding,
    unless it is no fault."""
    by_id = {f["id"]: f for f in report["findings"]}
    for entry in report["imports"]:
        broken_by = [
            f for f in entry["findings"] if entry["module"] in by_id[f]["breaks"]["imports"]
        ]
        assert bool(broken_by) == (entry["outcome"] == "fails"), entry
        assert all(s["message"] and s["finding"] in {*by_id, None} for s in entry["swallowed"])


def match(mutation: Mutation, subject: str) -> str:
    """Names that carry a hash are patterns in the table."""
    return next((k for k in mutation.findings if Path(subject).match(k)), subject)


@pytest.fixture(scope="session")
def accelerated(workshop: Workshop) -> Path:
    def make(env: Path) -> None:
        create(env, "uv")
        install(env, "uv", *ACCELERATED)

    return workshop.template("accelerated", ACCELERATED, make)


@pytest.fixture
def scientific_copy(workshop: Workshop, whole: Path) -> Iterator[Path]:
    with workshop.copy(whole) as copy:
        yield copy


@pytest.fixture
def accelerated_copy(workshop: Workshop, accelerated: Path) -> Iterator[Path]:
    with workshop.copy(accelerated) as copy:
        yield copy


@pytest.mark.parametrize("mutation", SCIENTIFIC, ids=[m.name for m in SCIENTIFIC])
def test_scientific(ask: Whyso, scientific_copy: Path, mutation: Mutation) -> None:
    judge(ask, scientific_copy, mutation)


@pytest.mark.parametrize("mutation", OPTIONAL, ids=[m.name for m in OPTIONAL])
def test_optional_parts(ask: Whyso, accelerated_copy: Path, mutation: Mutation) -> None:
    """Nothing breaks. Whoever calls for what is damaged is warned; what is gone is only slower."""
    judge(ask, accelerated_copy, mutation)


@pytest.mark.parametrize("mutation", NEEDED, ids=[m.name for m in NEEDED])
def test_needed_parts(ask: Whyso, accelerated_copy: Path, mutation: Mutation) -> None:
    judge(ask, accelerated_copy, mutation)


# --- torch --------------------------------------------------------------------------------------

TORCH = "functorch torch"
LIB = "torch/lib/"
MUTATED_TORCH = [
    # what the loader finds at once
    says("cudnn gone", delete_folder("nvidia/cudnn/lib"), {"nvidia-cudnn-cu12": "gutted-package"},
         TORCH),
    says("cudnn empty", cut("nvidia/cudnn/lib/libcudnn.so.9", 0),
         {"nvidia-cudnn-cu12": "bad-file"}, TORCH),
    says("nccl gone", delete("nvidia/nccl/lib/libnccl.so.2"),
         {"nvidia-nccl-cu12": "gutted-package"}, TORCH),
    says("cublas cut", cut_in_half("nvidia/cublas/lib/libcublas.so.12"),
         {"nvidia-cublas-cu12": "bad-file"}, TORCH),
    says("cublasLt gone", delete("nvidia/cublas/lib/libcublasLt.so.12"),
         {"nvidia-cublas-cu12": "missing-file"}, TORCH),
    says("cudart gone", delete("nvidia/cuda_runtime/lib/libcudart.so.12"),
         {"nvidia-cuda-runtime-cu12": "gutted-package"}, TORCH),
    says("cusparseLt dangles", link_to_nowhere("nvidia/cusparselt/lib/libcusparseLt.so.0"),
         {"nvidia-cusparselt-cu12": "broken-link"}, TORCH),
    says("cufft's links lead nowhere", all_links_to_nowhere("nvidia/cufft"),
         {"nvidia-cufft-cu12": "broken-link"}, TORCH),
    says("global_deps gone", delete(LIB + "libtorch_global_deps.so"), {"torch": "missing-file"},
         TORCH),
    says("libc10 gone", delete(LIB + "libc10.so"), {"torch": "missing-file"}, TORCH),
    says("libshm gone", delete(LIB + "libshm.so"), {"torch": "missing-file"}, TORCH),
    says("libc10 of another build", without_symbols(LIB + "libc10.so"),
         {"torch": "undefined-symbol"}, TORCH),
    says("libtorch_cpu cut", cut(LIB + "libtorch_cpu.so", 1 << 20), {"torch": "bad-file"}, TORCH),
    # behind it, a folder of stubs is found, and torch knows that one
    says("_C for another Python", renamed("torch/_C" + X, "cpython-3", "cpython-9"),
         {"_C.*": "wrong-python"}, TORCH),
    says("_tensor.py cut in half", cut_in_half("torch/_tensor.py"), {"torch": "bad-file"}, TORCH),
    says("a C++ library without versions", in_variable("LD_LIBRARY_PATH", "libstdc++.so.6"),
         {"libstdc++.so.6": "shadowed-library"}, TORCH + " numpy triton"),
    # what a user meets later
    says("a part of cudnn gone", delete("nvidia/cudnn/lib/libcudnn_cnn.so.9"),
         {"nvidia-cudnn-cu12": "missing-file"}),
    *[says(f"cudnn's {part} comes from the variable",
           moved_into_variable(f"nvidia/cudnn/lib/libcudnn_{part}.so.9"),
           {"nvidia-cudnn-cu12": "missing-file", f"libcudnn_{part}.so.9": "split-family"})
      for part in ("cnn", "engines_precompiled")],
    says("nvrtc gone", delete_folder("nvidia/cuda_nvrtc/lib"),
         {"nvidia-cuda-nvrtc-cu12": "gutted-package"}),
    says("linalg gone", delete(LIB + "libtorch_cuda_linalg.so"), {"torch": "missing-file"}),
    # RPATH and torch's own preloading come before the variable; the system has an OpenMP
    says("nvJitLink in the variable", in_variable("LD_LIBRARY_PATH", "libnvJitLink.so.12"), {}),
    says("cudart in the variable", in_variable("LD_LIBRARY_PATH", "libcudart.so.12"), {}),
    says("cudnn in the variable", in_variable("LD_LIBRARY_PATH", "libcudnn.so.9"), {}),
    says("torch's OpenMP gone", on(LIB + "libgomp*.so*", Path.unlink), {}),
]  # fmt: skip


BY_PIP = [
    says("by pip: cufft gone", delete("nvidia/cufft/lib/libcufft.so.11"),
         {"nvidia-cufft-cu12": "gutted-package"}, TORCH),
    says("by pip: a page of cublas", cut("nvidia/cublas/lib/libcublas.so.12", 4096),
         {"nvidia-cublas-cu12": "bad-file"}, TORCH),
    says("by pip: nvJitLink dangles", link_to_nowhere("nvidia/nvjitlink/lib/libnvJitLink.so.12"),
         {"nvidia-nvjitlink-cu12": "broken-link"}, TORCH),
    # torch has loaded by name what that library needs
    says("by pip: RPATH of torch gone", without_search_path(LIB + "libtorch_cuda.so"), {}),
]  # fmt: skip
CU13 = "nvidia/cu13/lib/"
MUTATED_TORCH13 = [
    says("cublas of 13 gone", delete(CU13 + "libcublas.so.13"), {"nvidia-cublas": "missing-file"},
         TORCH + " torchvision"),
    says("cudart of 13 empty", cut(CU13 + "libcudart.so.13", 0),
         {"nvidia-cuda-runtime": "bad-file"}, TORCH + " torchvision"),
    says("cudnn of 13 gone", delete_folder("nvidia/cudnn/lib"),
         {"nvidia-cudnn-cu13": "gutted-package"}, TORCH + " torchvision"),
    says("folder of CUDA 13 gone", delete_folder(CU13),
         dict.fromkeys(["nvidia-cublas", "nvidia-cuda-nvrtc", "nvidia-cufft", "nvidia-cufile",
                        "nvidia-curand", "nvidia-cusparse", "nvidia-cusolver"], "gutted-package"),
         TORCH + " torchvision"),
    says("nvshmem of 13 gone", delete("nvidia/nvshmem/lib/libnvshmem_host.so.3"),
         {"nvidia-nvshmem-cu13": "missing-file"}, TORCH + " torchvision"),
    says("torchvision's extension empty", cut("torchvision/_C_stable.so", 0),
         {"torchvision": "bad-file"}, "torchvision"),
    says("torchvision's image library gone", delete("torchvision.libs/libpng16*"), {}),
]  # fmt: skip
FLOW = "tensorflow/"
MUTATED_TENSORFLOW = [
    says("framework gone", delete(FLOW + "libtensorflow_framework.so.2"),
         {"tensorflow_cpu": "missing-file"}, "tensorflow"),
    says("common half", cut_in_half(FLOW + "python/lib_pywrap_tensorflow_common.so"),
         {"tensorflow_cpu": "bad-file"}, "tensorflow"),
    says("the stack empty", cut(FLOW + "python/util/_tf_stack.so", 0),
         {"tensorflow_cpu": "bad-file"}, "tensorflow"),
    says("h5py's library gone", delete("h5py.libs/libhdf5-*"), {"h5py": "missing-file"},
         "h5py"),
]  # fmt: skip
MUTATED_JAX = [
    says("jaxlib's common library gone", delete("jaxlib/libjax_common.so"),
         {"jaxlib": "missing-file"}, "jax"),
    says("its extension empty", cut("jaxlib/_jax.so", 0), {"jaxlib": "bad-file"}, "jax"),
    says("LAPACK kernels gone", delete("jaxlib/cpu/_lapack.so"), {"jaxlib": "missing-file"}, "jax"),
    says("ml_dtypes of another machine", for_machine("ml_dtypes/_ml_dtypes_ext" + X, AARCH64),
         {"ml_dtypes": "wrong-machine"}, "jax ml_dtypes"),
]  # fmt: skip


@pytest.fixture(scope="class")
def mutable(workshop: Workshop, request: pytest.FixtureRequest) -> Iterator[Path]:
    name, tool, packages = request.cls.MADE

    def make(env: Path) -> None:
        create(env, tool)
        install(env, tool, *packages)

    template = workshop.template(name, packages, make)
    yield template
    workshop.drop(template)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A class that names rows runs its test once for each."""
    rows: list[Mutation] = getattr(metafunc.cls, "ROWS", [])
    if rows:
        metafunc.parametrize("mutation", rows, ids=[m.name for m in rows])


class Mutated:
    MADE: ClassVar[tuple[str, Tool, list[str]]]
    ROWS: ClassVar[list[Mutation]]

    @pytest.fixture
    def env(self, workshop: Workshop, mutable: Path) -> Iterator[Path]:
        with workshop.copy(mutable) as copy:
            yield copy

    def test_mutation(self, ask: Whyso, env: Path, mutation: Mutation) -> None:
        judge(ask, env, mutation)


@pytest.mark.full
@pytest.mark.xdist_group("torch")
class TestTorch(Mutated):
    MADE = ("mutated-torch", "uv", [*TORCH12, "numpy"])
    ROWS = MUTATED_TORCH


@pytest.mark.full
@pytest.mark.xdist_group("torch")
class TestTorchByPip(Mutated):
    MADE = ("torch12-pip", "pip", TORCH12)
    ROWS = BY_PIP


@pytest.mark.full
@pytest.mark.xdist_group("torch")
class TestTorch13(Mutated):
    MADE = ("torch13", "uv", NEWER)
    ROWS = MUTATED_TORCH13


@pytest.mark.full
@pytest.mark.xdist_group("frameworks")
class TestTensorflow(Mutated):
    MADE = ("tensorflow", "uv", FRAMEWORKS["tensorflow"])
    ROWS = MUTATED_TENSORFLOW


@pytest.mark.full
@pytest.mark.xdist_group("frameworks")
class TestJax(Mutated):
    MADE = ("jax", "uv", FRAMEWORKS["jax"])
    ROWS = MUTATED_JAX
