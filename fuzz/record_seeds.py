"""RECORD files as installers write them, and odd ones, as seeds of the record target.

Usage: record_seeds.py FOLDER
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

HASH = "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
ROWS = [
    ("numpy/_core/_umath.cpython-311-x86_64-linux-gnu.so", HASH, "10485760"),
    ("../../../bin/f2py", HASH, "0"),
    ("/usr/share/doc/x", "", ""),
    ('odd "name", with comma.py', HASH, "1"),
    ("two\nlines.txt", HASH, "2"),
    ("caf\u00e9.py", "md5=1B2M2Y8AsgTpgAmY7PhCfg", "3"),
    ("numpy-2.0.dist-info/RECORD", "", ""),
]


def written(line_end: str) -> bytes:
    """The rows as Python's csv module writes them."""
    out = io.StringIO()
    csv.writer(out, lineterminator=line_end).writerows(ROWS)
    return out.getvalue().encode()


def seeds() -> dict[str, bytes]:
    """File name and content of each seed."""
    return {
        "pip": written("\r\n"),
        "uv": written("\n"),
        "returns": written("\r"),
        "windows": written("\n").replace(b"/", b"\\"),
        "columns": b"a\nb,\nc,,,,\n\n,,\n,,1\n",
        "quotes": b'"a""b",,\n"c"d,"e\n",f\n"open,,\n',
        "bytes": b"a,,\n\xff\xfe,,9\nb\x00,,\nc,,\n",
        "binary": bytes(range(256)),
        "sizes": b"a,,-1\nb,,9223372036854775807\nc,,9223372036854775808\nd,sha256=,x\n",
    }


def main() -> None:
    """Writes all seeds."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in seeds().items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
