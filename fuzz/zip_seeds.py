"""Seeds of zip_fuzz: archives packed and stored, with folders, a name twice, something before."""

from __future__ import annotations

import io
import sys
import warnings
import zipfile
from pathlib import Path


def archive(*members: tuple[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, text in members:
            file.writestr(zipfile.ZipInfo(name), text, method)
        file.comment = b"a comment"
    return out.getvalue()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    packed = archive(("p/", ""), ("p/__init__.py", "import x\n" * 40), ("m.py", "x = 1\n"))
    seeds = {
        "packed": packed,
        "stored": archive(("m.py", "import y\n"), method=zipfile.ZIP_STORED),
        "twice": archive(("m.py", "a = 1\n"), ("m.py", "b = 2\n")),
        "before": b"#!/usr/bin/python3\n" + packed,
        "empty": archive(),
    }
    for name, content in seeds.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
