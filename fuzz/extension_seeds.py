"""Constants as Cython, mypyc and numpy's headers leave them in an extension."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

PLAIN = b"\0".join(
    [
        b"cython_runtime",
        b"p.a.b",
        b"zlib",
        b"datetime.datetime_CAPI",
        b"numpy._core._multiarray_umath",
        b"_cffi_backend",
        b"3c22db458360489351e4__mypyc",
        b"",
    ]
)
TEXTS = [b"No end.", b"__main__", b"__name__", b"", b"p.a", b"p.a.b", b"asyncio.x", b"p.q" * 20]


def packed(lengths: bool) -> bytes:
    array = b"".join(struct.pack("<I", len(t)) for t in TEXTS) + b"\xff" * 8
    head = b"cython_runtime\0\0" + (array if lengths else b"")
    return head + zlib.compress(b"".join(TEXTS), 9) + b"\0p.c\0"


def own_format() -> bytes:
    """The format of Cython 3.3: here every item but one is a byte as it is."""
    text = b"Text for people, as docstrings are. " * 2 + b"".join(TEXTS)
    items = [text[i : i + 8] for i in range(0, len(text), 8)]
    stream = b"".join(b"\xff" + item for item in items)
    return b"cython_runtime\0\0" + stream + b"\0\x80\x01"


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    (folder / "plain").write_bytes(PLAIN)
    (folder / "packed").write_bytes(packed(lengths=True))
    (folder / "own-format").write_bytes(own_format())
    (folder / "no-lengths").write_bytes(packed(lengths=False))


main()
