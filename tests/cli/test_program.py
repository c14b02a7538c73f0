"""The program must start where it is needed: a broken copy of a library in LD_LIBRARY_PATH, which
is what people call it for, must not be able to stop it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

SANITIZERS = {"libasan", "libubsan", "libtsan"}


def test_nothing_but_the_c_library_is_loaded_with_it(whyso: Path) -> None:
    dynamic = subprocess.run(
        ["readelf", "-d", whyso], capture_output=True, text=True, check=True
    ).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\.so[.\d]*\]", dynamic))
    assert needed - SANITIZERS <= {"libc", "libm"}
