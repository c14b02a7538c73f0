"""CPython's own `ast` as the text that astprobe.c prints."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

WORDS: dict[type, int] = {
    ast.Add: 0,
    ast.Sub: 1,
    ast.Mult: 2,
    ast.MatMult: 3,
    ast.Div: 4,
    ast.FloorDiv: 5,
    ast.Mod: 6,
    ast.Pow: 7,
    ast.LShift: 8,
    ast.RShift: 9,
    ast.BitAnd: 10,
    ast.BitOr: 11,
    ast.BitXor: 12,
    ast.Not: 13,
    ast.USub: 14,
    ast.UAdd: 15,
    ast.Invert: 16,
    ast.Eq: 17,
    ast.NotEq: 18,
    ast.Lt: 19,
    ast.LtE: 20,
    ast.Gt: 21,
    ast.GtE: 22,
    ast.In: 23,
    ast.NotIn: 24,
    ast.Is: 25,
    ast.IsNot: 26,
}

Node = ast.AST | None


class Printer:
    """What astprobe.c prints, from CPython's tree."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.names = "\\N{" in source
        self.out: list[str] = []
        self.indent = 0

    # --- expressions ---

    def text(self, value: str, special: str = r'["\\\x00-\x1f\x7f]') -> str:
        return '"' + re.sub(special, lambda m: f"\\x{ord(m[0]):02x}", value) + '"'

    def has_names(self, e: ast.Constant | ast.JoinedStr) -> bool:
        """Whether it holds the name of a character, which only a table of Unicode resolves."""
        if isinstance(e, ast.Constant) and not isinstance(e.value, str):
            return False
        segment = ast.get_source_segment(self.source, e) or ""
        if "\\N{" not in segment:
            return False
        raw, inside = False, 0  # from 3.12 on an f-string is several tokens, fields among them
        for t in tokenize.generate_tokens(io.StringIO(f"({segment})").readline):
            kind = tokenize.tok_name[t.type]
            inside += (kind == "FSTRING_START") - (kind == "FSTRING_END")
            if kind in ("STRING", "FSTRING_START"):
                raw = "r" in re.split("['\"]", t.string)[0].lower()
            own = (kind, inside) in (("STRING", 0), ("FSTRING_MIDDLE", 1))
            if own and not raw and re.search(r"(?<!\\)(\\\\)*\\N\{", t.string):
                return True
        return False

    def constant(self, e: ast.Constant) -> str:
        v = e.value
        if v is None or isinstance(v, bool):
            return str(v)
        if v is Ellipsis:
            return "..."
        if isinstance(v, int):
            return str(v) if v < 1 << 63 else "opaque"
        if isinstance(v, float):
            return number(v)
        if isinstance(v, complex):
            return number(v.imag) + "j"
        if isinstance(v, bytes):
            return "b" + self.text(v.decode("latin-1"), r'["\\\x00-\x1f\x7f-\xff]')
        return self.text(v)

    def joined(self, values: Iterable[ast.expr]) -> str:
        """Neighbouring texts are one; without fields it is a string."""
        parts: list[str] = []
        pending = ""
        for v in values:
            if isinstance(v, ast.Constant):
                pending += v.value
                continue
            if pending:
                parts.append(self.text(pending))
                pending = ""
            parts.append(self.expr(v))
        if not parts:
            return self.text(pending)
        if pending:
            parts.append(self.text(pending))
        return self.list("fstring", parts)

    def list(self, head: str, parts: Iterable[str]) -> str:
        return "(" + " ".join([head, *parts]) + ")"

    def all(self, head: str, items: Iterable[Node]) -> str:
        return self.list(head, [self.expr(i) for i in items])

    def arguments(self, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> str:
        both: list[ast.expr | ast.keyword] = [*args, *keywords]
        both.sort(key=lambda a: (a.lineno, a.col_offset))
        out = ""
        for a in both:
            if isinstance(a, ast.Starred):
                out += " *" + self.expr(a.value)
            elif isinstance(a, ast.keyword):
                out += " " + (f"{a.arg}=" if a.arg else "**") + self.expr(a.value)
            else:
                out += " " + self.expr(a)
        return out

    def parameters(self, a: ast.arguments) -> str:
        out: list[str] = []
        plain = a.posonlyargs + a.args
        defaults: list[Node] = [None] * (len(plain) - len(a.defaults)) + [*a.defaults]

        def add(mark: str, arg: ast.arg, default: Node) -> None:
            out.append(f" {mark}{arg.arg}:{self.expr(default)}")

        for i, arg in enumerate(plain):
            add("/" if i < len(a.posonlyargs) else "", arg, defaults[i])
        if a.vararg:
            add("*", a.vararg, None)
        for arg, default in zip(a.kwonlyargs, a.kw_defaults, strict=True):
            add("=", arg, default)
        if a.kwarg:
            add("**", a.kwarg, None)
        return "".join(out)

    def comprehension(
        self, head: str, elements: Iterable[ast.expr], loops: Iterable[ast.comprehension]
    ) -> str:
        parts = [self.expr(e) for e in elements]
        parts += [self.all("for", [c.target, c.iter]) + self.all("if", c.ifs) for c in loops]
        return self.list(head, parts)

    def expr(self, e: Node) -> str:
        if e is None:
            return "-"
        if self.names and isinstance(e, ast.Constant | ast.JoinedStr) and self.has_names(e):
            return "opaque"
        return EXPRESSIONS[type(e)](self, e)

    # --- statements ---

    def line(self, text: str) -> None:
        self.out.append(" " * self.indent + text)

    def body(self, stmts: Sequence[ast.stmt], title: str = "do") -> None:
        if not stmts:
            return
        self.line(title)
        self.indent += 2
        for s in stmts:
            self.stmt(s)
        self.indent -= 2

    def plain(self, s: ast.stmt, word: str, *values: Node) -> None:
        pair = [*values, None, None][:2]
        self.line(f"{s.lineno} {word} {self.all('', pair)}")

    def targets(self, s: ast.stmt, word: str, to: Iterable[Node], *values: Node) -> None:
        self.plain(s, f"{word} {self.all('to', to)}", *values)

    def imports(self, s: ast.Import | ast.ImportFrom) -> str:
        return "".join(f" {a.name} as {a.asname or '-'}" for a in s.names if a.name != "*")

    def function(self, s: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        mark = "async " if isinstance(s, ast.AsyncFunctionDef) else ""
        self.line(
            f"{s.lineno} def {mark}{s.name}{self.parameters(s.args)}"
            f" {self.all('@', s.decorator_list)}"
        )
        self.body(s.body, "yields" if yields(s.body) else "do")

    def attempt(self, s: ast.Try, star: str) -> None:
        self.plain(s, "try")
        self.body(s.body)
        for h in s.handlers:
            self.line(f"{h.lineno} except{star} {self.expr(h.type)} {h.name or '-'}")
            self.body(h.body)
        self.body(s.orelse, "else")
        self.body(s.finalbody, "finally")

    def pattern(self, c: ast.match_case) -> None:
        binds: list[str] = []
        for p in ast.walk(c.pattern):
            name = getattr(p, "rest", None) if isinstance(p, ast.MatchMapping) else None
            name = name or (p.name if isinstance(p, ast.MatchAs | ast.MatchStar) else None)
            if name:
                binds.append(name)
        bound = self.list("binds", binds)
        self.line(f"case {self.simple_pattern(c.pattern)} {bound} {self.expr(c.guard)}")
        self.body(c.body)

    def simple_pattern(self, p: ast.pattern) -> str:
        match p:
            case ast.MatchValue():
                return self.expr(p.value)
            case ast.MatchSingleton():
                return str(p.value)
            case ast.MatchAs(pattern=None):
                return p.name or "_"
            case ast.MatchAs(pattern=ast.pattern() as inner):
                return self.simple_pattern(inner)
            case ast.MatchOr():
                out = self.simple_pattern(p.patterns[0])
                for other in p.patterns[1:]:
                    out = f"(b11 {out} {self.simple_pattern(other)})"
                return out
        return "opaque"

    def stmt(self, s: ast.stmt) -> None:
        match s:
            case ast.Expr():
                if re.match('b?"|opaque$', self.expr(s.value)):  # the parser leaves most out
                    self.plain(s, "pass")
                else:
                    self.plain(s, "expr", s.value)
            case ast.Assign():
                self.targets(s, "assign", s.targets, s.value)
            case ast.AugAssign():
                self.targets(s, f"augment{WORDS[type(s.op)]}", [s.target], s.value)
            case ast.AnnAssign():
                self.targets(s, "annot", [s.target], s.value)
            case ast.Delete():
                self.targets(s, "del", s.targets)
            case ast.Return():
                self.plain(s, "return", s.value)
            case ast.Raise():
                self.plain(s, "raise", s.exc, s.cause)
            case ast.Assert():
                self.plain(s, "assert", s.test, s.msg)
            case ast.Pass() | ast.Break() | ast.Continue():
                self.plain(s, type(s).__name__.lower())
            case ast.Global() | ast.Nonlocal():
                self.plain(s, " ".join([type(s).__name__.lower(), *s.names]))
            case ast.Import():
                self.plain(s, "import" + self.imports(s))
            case ast.ImportFrom():
                star = " *" if s.names[0].name == "*" else ""
                self.plain(s, f"from {s.level} {s.module or '-'}{star}{self.imports(s)}")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(s)
            case ast.ClassDef():
                decorators = " " + self.all("@", s.decorator_list) if s.decorator_list else ""
                self.plain(s, f"class {s.name}{self.arguments(s.bases, s.keywords)}{decorators}")
                self.body(s.body)
            case ast.If() | ast.While():
                self.plain(s, type(s).__name__.lower(), s.test)
                self.body(s.body)
                self.body(s.orelse, "else")
            case ast.For() | ast.AsyncFor():
                self.targets(s, "for", [s.target], s.iter)
                self.body(s.body)
                self.body(s.orelse, "else")
            case ast.With() | ast.AsyncWith():
                items = [self.all("item", [i.context_expr, i.optional_vars]) for i in s.items]
                self.plain(s, " ".join(["with", *items]))
                self.body(s.body)
            case ast.Try():
                self.attempt(s, "")
            case _ if type(s).__name__ == "TryStar":  # from 3.11 on
                self.attempt(cast(ast.Try, s), "*")
            case _ if type(s).__name__ == "TypeAlias":  # from 3.12 on
                self.plain(s, f"type {cast(Any, s).name.id}")
            case ast.Match():
                self.plain(s, "match", s.subject)
                for c in s.cases:
                    self.pattern(c)
            case _:
                raise AssertionError(s)


def number(v: float) -> str:
    return f"{v:.17g}"


def yields(body: Sequence[ast.AST]) -> bool:
    for node in body:
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if yields(list(ast.iter_child_nodes(node))):
            return True
    return False


def unary(p: Printer, e: ast.UnaryOp) -> str:
    return p.all(f"u{WORDS[type(e.op)]}", [e.operand])


def binary(p: Printer, e: ast.BinOp) -> str:
    return p.all(f"b{WORDS[type(e.op)]}", [e.left, e.right])


def compare(p: Printer, e: ast.Compare) -> str:
    parts = [p.expr(e.left)]
    for op, right in zip(e.ops, e.comparators, strict=True):
        parts += [str(WORDS[type(op)]), p.expr(right)]
    return p.list("cmp", parts)


def dictionary(p: Printer, e: ast.Dict) -> str:
    return p.all("dict", [x for pair in zip(e.keys, e.values, strict=True) for x in pair])


def formatted(p: Printer, e: ast.FormattedValue) -> str:
    mark = chr(e.conversion) if e.conversion > 0 else "-"
    return p.all(f"field{mark}", [e.value, e.format_spec])


EXPRESSIONS: dict[type, Callable[[Printer, Any], str]] = {}
EXPRESSIONS.update(
    {
        ast.Constant: lambda p, e: p.constant(e),
        ast.JoinedStr: lambda p, e: p.joined(e.values),
        ast.FormattedValue: formatted,
        ast.Name: lambda p, e: e.id,
        ast.Attribute: lambda p, e: f"(. {p.expr(e.value)} {e.attr})",
        ast.NamedExpr: lambda p, e: f"(:= {e.target.id} {p.expr(e.value)})",
        ast.Call: lambda p, e: (
            f"(call:{e.lineno} {p.expr(e.func)}{p.arguments(e.args, e.keywords)})"
        ),
        ast.Lambda: lambda p, e: f"(lambda{p.parameters(e.args)} {p.expr(e.body)})",
        ast.List: lambda p, e: p.all("list", e.elts),
        ast.Tuple: lambda p, e: p.all("tuple", e.elts),
        ast.Set: lambda p, e: p.all("set", e.elts),
        ast.Dict: dictionary,
        ast.BoolOp: lambda p, e: p.all(type(e.op).__name__.lower(), e.values),
        ast.ListComp: lambda p, e: p.comprehension("listcomp", [e.elt], e.generators),
        ast.SetComp: lambda p, e: p.comprehension("setcomp", [e.elt], e.generators),
        ast.DictComp: lambda p, e: p.comprehension("dictcomp", [e.key, e.value], e.generators),
        ast.GeneratorExp: lambda p, e: p.comprehension("generator", [e.elt], e.generators),
        ast.Compare: compare,
        ast.UnaryOp: unary,
        ast.BinOp: binary,
        ast.Subscript: lambda p, e: p.all("sub", [e.value, e.slice]),
        ast.Slice: lambda p, e: p.all("slice", [e.lower, e.upper, e.step]),
        ast.IfExp: lambda p, e: p.all("ifelse", [e.body, e.test, e.orelse]),
        ast.Starred: lambda p, e: p.all("star", [e.value]),
        ast.Yield: lambda p, e: p.all("yield", [e.value]),
        ast.YieldFrom: lambda p, e: p.all("yieldfrom", [e.value]),
        ast.Await: lambda p, e: p.all("await", [e.value]),
    }
)
