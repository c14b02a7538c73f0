"""Builds the tree of a case. One statement a line; paths are relative to the case's folder, and one
that starts with S/ lies in the site-packages of the last venv (S64/: in that below lib64).

    venv DIR [lib64=real]              bin/python (a link to the real interpreter), pyvenv.cfg, lib;
                                       lib64 is a link to lib, or a folder of its own
    root DIR                           a small Debian to be read with --root: this Python, what it
                                       needs, os-release, a loader cache
    alpine DIR                         the same of musl: its loader, a program in Python's place
    ldconfig DIR                       its loader cache made anew
    glibc DIR N                        its C library says that it is release 2.N
    musl DIR                           its Python is started by musl, which it has, too
    noexec DIR                         for the commands that follow, a mount with that option
    dir PATH · link PATH -> TARGET · hard PATH -> FILE · fifo PATH · copy FROM TO
    file PATH = TEXT                   \\n, \\t and \\xNN stand for bytes, in paths as well
    file PATH <<                       several lines, up to one that is >>
    lib PATH [needs=A,B] [soname=N] [rpath=P] [runpath=P] [defines=a,b]
             [versions=V1,V2: it defines these] [asks=SONAME@V1,V2: it needs these]
             [calls=a,b: functions it refers to without naming who has them]
             [tls=BYTES: of thread-local variables that must lie at a fixed place]
             [text=T: a constant] [flags=LINKER,FLAGS]
             [texts=A,B: constants of it]
             [opens=PRIORITY:A|B,…: a note says that it opens A, or else B, by name]
                                       a shared library; its soname is its file name unless given,
                                       soname=- leaves it out
    ext PATH …                         an extension module: the suffix of this Python is appended,
                                       unless the name has one; options as for lib
    exe PATH …                         a program; options as for lib
    machine FILE N · class32 FILE · misalign FILE · cut FILE BYTES · grow FILE BYTES
                                       damage to an ELF file, after it was made
    dist NAME VERSION [files=A,B] [requires=R]… [installer=I] [tag=T] [purelib=true] [site=S64]
                                       a dist-info with a true RECORD of what lies there now: the
                                       files, folders and globs named, else the folder of its name
    row NAME TEXT                      one more line in that RECORD, as it stands
    remove GLOB… · mode OCTAL PATH
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

PYTHON = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
MUSL = "/lib/ld-musl-x86_64.so.1"
LIB = f"lib/python{sys.version_info.major}.{sys.version_info.minor}"
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))

MODULE = """
extern void *PyModule_Create2(void *, int);
static struct {{ long refcnt; void *type, *init; long index; void *copy; const char *name, *doc;
    long size; void *methods, *slots, *traverse, *clear, *free; }} def = {{
    .refcnt = 1, .name = "{0}", .size = -1}};
void *PyInit_{0}(void) {{ return PyModule_Create2(&def, 1013); }}
"""


def gcc(source: str, *args: str) -> None:
    subprocess.run(
        ["gcc", "-x", "c", "-", "-x", "none", *args], input=source, text=True, check=True
    )


def dlopen_note(wanted: list[str]) -> str:
    """A .note.dlopen as systemd's macros write it."""
    entries = [
        {"soname": names.split("|"), "feature": f"the {priority} part", "priority": priority}
        for priority, _, names in (one.partition(":") for one in wanted)
    ]
    text = ",".join(map(str, json.dumps(entries).encode() + b"\0"))
    return (
        '__asm__(".pushsection .note.dlopen,\\"a\\",@note\\n.balign 4\\n"'
        '".long 4, 2f-1f, 0x407c0c0a\\n"'
        f'".asciz \\"FDO\\"\\n1: .byte {text}\\n2: .balign 4\\n.popsection");\n'
    )


@functools.cache
def stub_folder() -> tempfile.TemporaryDirectory[str]:
    """Kept for the whole run, removed with the interpreter."""
    return tempfile.TemporaryDirectory(prefix="whyso-stubs-")


@functools.cache
def stub(soname: str) -> str:
    """Something to link against that leaves DT_NEEDED of that name behind."""
    path = Path(stub_folder().name) / f"{hashlib.sha256(soname.encode()).hexdigest()[:16]}.so"
    gcc("", "-shared", "-nostdlib", f"-Wl,-soname,{soname}", "-o", str(path))
    return str(path)


def of_version(version: str) -> str:
    """The function that stands for a version."""
    return "of_" + re.sub(r"\W", "_", version)


def version_script(versions: list[str]) -> str:
    """A file that gives each of them its function."""
    text = "\n".join(f"{v} {{ {of_version(v)}; }};" for v in versions)
    path = Path(stub_folder().name) / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.map"
    path.write_text(text + "\n")
    return str(path)


@functools.cache
def versioned_stub(soname: str, versions: tuple[str, ...]) -> str:
    """Something to link against that leaves the need of these versions behind."""
    name = hashlib.sha256(" ".join([soname, *versions]).encode()).hexdigest()[:16]
    path = Path(stub_folder().name) / f"{name}.so"
    source = "".join(f"int {of_version(v)}(void) {{ return 1; }}\n" for v in versions)
    script = f"-Wl,--version-script={version_script(list(versions))}"
    gcc(source, "-shared", "-nostdlib", script, f"-Wl,-soname,{soname}", "-o", str(path))
    return str(path)


def unescaped(text: str) -> bytes:
    r"""Bytes of a text with \n, \t and \xNN in it; everything else stands for itself."""
    plain = {b"n": b"\n", b"t": b"\t"}

    def byte(match: re.Match[bytes]) -> bytes:
        return plain.get(match[1]) or bytes([int(match[1][1:], 16)])

    return re.sub(rb"\\(n|t|x[0-9a-f]{2})", byte, os.fsencode(text))


def split_words(text: str) -> list[str]:
    """Words as a shell splits them, but a backslash stands for itself (see unescaped)."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.escape = ""
    lexer.commenters = ""
    return list(lexer)


def listed(value: str) -> list[str]:
    return [part for part in value.split(",") if part]


class Builder:
    def __init__(self, top: Path) -> None:
        self.top = top
        self.prefix = top
        self.site = self.site64 = top
        self.dist_infos: dict[str, Path] = {}
        self.noexec: list[Path] = []

    def build(self, lines: list[str]) -> None:
        rest = list(lines)
        while rest:
            line = rest.pop(0)
            if not line.strip() or line.startswith("#"):
                continue
            if line.endswith("<<"):
                end = rest.index(">>")
                self.do_file(line.split()[1], "\n".join([*rest[:end], ""]).encode())
                rest = rest[end + 1 :]
            else:
                self.statement(line)

    def statement(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "file":
            path, _, text = rest.partition(" =")
            self.do_file(path, unescaped(text.removeprefix(" ")))
            return
        if word == "row":
            self.do_row(*rest.split(" ", 1))
            return
        verb: Callable[..., None] = getattr(self, f"do_{word}")
        plain, options = [], []
        for item in split_words(rest.replace("$T", str(self.top)).replace("$SUFFIX", SUFFIX)):
            key, equals, value = item.partition("=")
            if equals and key.isidentifier():
                options.append((key, value))
            elif item != "->":
                plain.append(item)
        verb(*plain, *([options] if word in {"venv", "lib", "ext", "exe", "dist"} else []))

    def base(self, path: str) -> tuple[Path, str]:
        """The folder a path of the case counts from, and the path below it."""
        first, slash, rest = path.partition("/")
        folder = {"S": self.site, "S64": self.site64}.get(first if slash else "")
        return (folder, rest) if folder else (self.top, path)

    def place(self, path: str) -> Path:
        folder, below = self.base(os.fsdecode(unescaped(path)))
        full = folder / below
        full.parent.mkdir(parents=True, exist_ok=True)
        return full

    # --- files ---------------------------------------------------------------------------------

    def do_venv(self, path: str, options: list[tuple[str, str]]) -> None:
        self.prefix = self.place(path)
        self.site = self.prefix / LIB / "site-packages"
        self.site64 = self.prefix / "lib64" / LIB[4:] / "site-packages"
        self.site.mkdir(parents=True)
        (self.prefix / "bin").mkdir()
        (self.prefix / "bin" / "python").symlink_to(PYTHON)
        (self.prefix / "bin" / "python3").symlink_to("python")
        if ("lib64", "real") in options:
            self.site64.mkdir(parents=True)
        else:
            (self.prefix / "lib64").symlink_to("lib")
        version = ".".join(map(str, sys.version_info[:3]))
        (self.prefix / "pyvenv.cfg").write_text(
            f"home = {PYTHON.parent}\ninclude-system-site-packages = false\nversion = {version}\n"
        )

    def do_root(self, path: str) -> None:
        root = self.place(path)
        for folder in ("usr/bin", "usr/lib", "usr/lib64", "etc"):
            (root / folder).mkdir(parents=True)
        for link in ("bin", "lib", "lib64"):
            (root / link).symlink_to(f"usr/{link}")
        told = subprocess.run(["ldd", str(PYTHON)], capture_output=True, text=True, check=True)
        for file in [str(PYTHON), *re.findall(r"(/\S+) \(0x", told.stdout)]:
            target = root / file.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, target)
        stdlib = root / str(PYTHON.parent.parent / LIB).lstrip("/")
        (stdlib / "lib-dynload").mkdir(parents=True)
        (stdlib / "os.py").touch()
        (root / "etc/os-release").write_text('ID=debian\nVERSION_ID="12"\n')
        self.do_ldconfig(path)

    def do_alpine(self, path: str) -> None:
        root = self.place(path)
        python = root / str(PYTHON).lstrip("/")
        stdlib = root / str(PYTHON.parent.parent / LIB).lstrip("/")
        for folder in (python.parent, stdlib / "lib-dynload", root / "etc", root / "lib"):
            folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(MUSL, root / MUSL.lstrip("/"))
        (stdlib / "os.py").touch()
        (root / "etc/os-release").write_text('ID=alpine\nVERSION_ID="3.18.0"\n')
        argv = ["musl-gcc", "-rdynamic", "-xc", "-o", str(python), "-"]
        source = b"void PyModule_Create2(void) {}\nint main(void) { return 0; }\n"
        subprocess.run(argv, input=source, check=True)

    def do_ldconfig(self, path: str) -> None:
        subprocess.run(["/sbin/ldconfig", "-r", str(self.place(path))], check=True)

    def do_glibc(self, path: str, minor: str) -> None:
        """The text in it, which `libc.so.6` prints as a program."""
        (file,) = self.place(path).glob("usr/lib/*/libc.so.6")
        data, found = re.subn(
            rb"(release version 2\.)\d\d\b", rb"\g<1>" + minor.encode(), file.read_bytes()
        )
        assert found == 1, f"{file}: {found} releases"
        file.write_bytes(data)

    def do_musl(self, path: str) -> None:
        root, loader = self.place(path), Path("/lib/ld-musl-x86_64.so.1")
        shutil.copy2(loader.resolve(), root / str(loader).lstrip("/"))
        python = root / str(PYTHON).lstrip("/")
        self.link(
            python, "int main(void) { return 0; }\n", [], [("flags", f"--dynamic-linker={loader}")]
        )

    def do_noexec(self, path: str) -> None:
        self.noexec.append(self.place(path))

    def do_dir(self, path: str) -> None:
        self.place(path).mkdir(parents=True, exist_ok=True)

    def do_file(self, path: str, text: bytes) -> None:
        for word, value in (
            ("$T", str(self.top)),
            ("$PYLIB", LIB),
            ("$PY", LIB[4:]),
            ("$SUFFIX", SUFFIX),
        ):
            text = text.replace(word.encode(), value.encode())
        self.place(path).write_bytes(text)

    def do_link(self, path: str, target: str) -> None:
        self.place(path).symlink_to(target)

    def do_hard(self, path: str, target: str) -> None:
        self.place(path).hardlink_to(self.place(target))

    def do_fifo(self, path: str) -> None:
        os.mkfifo(self.place(path))

    def do_copy(self, source: str, target: str) -> None:
        start = self.place(source)
        if start.is_dir():
            shutil.copytree(start, self.place(target), symlinks=True)
        else:
            shutil.copy2(start, self.place(target))

    def do_remove(self, *globs: str) -> None:
        for pattern in globs:
            found = self.found(pattern)
            assert found, f"remove {pattern}: nothing there"
            for path in found:
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()

    def do_mode(self, mode: str, path: str) -> None:
        self.place(path).chmod(int(mode, 8))

    def found(self, pattern: str) -> list[Path]:
        folder, below = self.base(pattern)
        return sorted(folder.glob(below))

    # --- libraries -----------------------------------------------------------------------------

    def link(
        self, path: Path, source: str, args: list[str], options: list[tuple[str, str]]
    ) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        for key, value in options:
            value = value.replace("$T", str(self.top))
            if key == "needs":
                args += ["-Wl,--no-as-needed", *map(stub, listed(value))]
            elif key == "rpath":
                args += ["-Wl,--disable-new-dtags", f"-Wl,-rpath,{value}"]
            elif key == "runpath":
                args += ["-Wl,--enable-new-dtags", f"-Wl,-rpath,{value}"]
            elif key == "defines":
                source += "".join(f"int {name}(void) {{ return 1; }}\n" for name in listed(value))
            elif key == "versions":
                names = map(of_version, listed(value))
                source += "".join(f"int {name}(void) {{ return 1; }}\n" for name in names)
                args.append(f"-Wl,--version-script={version_script(listed(value))}")
            elif key == "asks":
                soname, _, versions = value.partition("@")
                for version in listed(versions):
                    name = of_version(version)
                    source += f"int {name}(void); int ask_{name}(void) {{ return {name}(); }}\n"
                args.append(versioned_stub(soname, tuple(listed(versions))))
            elif key == "calls":
                for name in listed(value):
                    source += f"int {name}(void); int call_{name}(void) {{ return {name}(); }}\n"
            elif key == "text":
                source += f'const char text[] = "{value}";\n'
            elif key == "tls":
                source += (
                    f'__attribute__((tls_model("initial-exec"))) __thread char room[{value}];\n'
                    "char *find_room(void) { return room; }\n"
                )
            elif key == "texts":
                for i, text in enumerate(listed(value)):
                    source += f'const char text_{i}[] = "{text}";\n'
            elif key == "opens":
                source += dlopen_note(listed(value))
            elif key == "flags":
                args += [f"-Wl,{value}"]
            elif key != "soname":
                raise AssertionError(f"{path.name}: unknown option {key}")
        path.unlink(missing_ok=True)
        gcc(source, *args, "-Wl,--allow-shlib-undefined", "-o", str(path))

    def do_lib(self, path: str, options: list[tuple[str, str]]) -> None:
        full = self.place(path)
        soname = dict(options).get("soname", full.name)
        # The name is part of the bytes, so that two libraries are never equal by accident.
        source = f'const char name_of_this_library[] = "{path}";\n'
        args = ["-shared", "-fPIC", "-nostdlib", "-Wl,--hash-style=gnu", "-Wl,--build-id=none"]
        self.link(
            full, source, args + ([] if soname == "-" else [f"-Wl,-soname,{soname}"]), options
        )

    def do_ext(self, path: str, options: list[tuple[str, str]]) -> None:
        full = self.place(path if path.endswith(".so") else path + SUFFIX)
        name = full.name.split(".")[0]
        args = ["-shared", "-fPIC", "-nostdlib", "-Wl,--build-id=none"]
        self.link(full, MODULE.format(name), args, options)

    def do_exe(self, path: str, options: list[tuple[str, str]]) -> None:
        self.link(
            self.place(path), "int main(void) { return 0; }\n", ["-Wl,--build-id=none"], options
        )

    def patch(self, path: str, offset: int, bytes_: bytes) -> None:
        with self.place(path).open("r+b") as file:
            file.seek(offset)
            file.write(bytes_)

    def do_machine(self, path: str, machine: str) -> None:
        self.patch(path, 18, struct.pack("<H", int(machine)))

    def do_class32(self, path: str) -> None:
        self.patch(path, 4, b"\x01")

    def do_misalign(self, path: str) -> None:
        """Moves the file offset of the last PT_LOAD away from its address."""
        data = self.place(path).read_bytes()
        start, size, count = (
            struct.unpack_from("<Q", data, 32)[0],
            *struct.unpack_from("<HH", data, 54),
        )
        loads = [
            start + i * size
            for i in range(count)
            if struct.unpack_from("<I", data, start + i * size)[0] == 1
        ]
        offset = struct.unpack_from("<Q", data, loads[-1] + 8)[0]
        self.patch(path, loads[-1] + 8, struct.pack("<Q", offset - 16))

    def do_cut(self, path: str, size: str) -> None:
        os.truncate(self.place(path), int(size))

    do_grow = do_cut

    # --- packages ------------------------------------------------------------------------------

    def row(self, file: Path, site: Path) -> str:
        data = file.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{os.path.relpath(file, site)},sha256={digest},{len(data)}"

    def files_of(self, name: str, options: list[tuple[str, str]]) -> list[Path]:
        patterns = [p for key, value in options if key == "files" for p in listed(value)]
        if not any(key == "files" for key, _ in options):
            patterns = ["S/" + name.replace("-", "_")]
        files: list[Path] = []
        for pattern in patterns:
            found = self.found(pattern)
            assert found, f"dist {name}: no file {pattern}"
            for path in found:
                files += [p for p in path.rglob("*") if p.is_file()] if path.is_dir() else [path]
        return sorted(set(files))

    def do_dist(self, name: str, version: str, options: list[tuple[str, str]]) -> None:
        given = dict(options)
        site = self.site64 if given.get("site") == "S64" else self.site
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        rows = [self.row(file, site) for file in self.files_of(name, options)]
        requires = [f"Requires-Dist: {value}\n" for key, value in options if key == "requires"]
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{''.join(requires)}"
        )
        (info / "WHEEL").write_text(
            "Wheel-Version: 1.0\nGenerator: tests\n"
            f"Root-Is-Purelib: {given.get('purelib', 'false')}\n"
            f"Tag: {given.get('tag', 'py3-none-manylinux_2_17_x86_64')}\n"
        )
        (info / "INSTALLER").write_text(given.get("installer", "pip") + "\n")
        rows += [self.row(info / part, site) for part in ("INSTALLER", "METADATA", "WHEEL")]
        rows.append(f"{info.name}/RECORD,,")
        (info / "RECORD").write_text("\n".join(rows) + "\n")
        self.dist_infos[name] = info

    def do_row(self, name: str, text: str) -> None:
        with (self.dist_infos[name] / "RECORD").open("a") as record:
            record.write(text + "\n")
