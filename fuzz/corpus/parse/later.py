type A[T: int = 1, *U, **V] = T | U
@a.b[0](c)
async def f[T](x: T, /, *args: *U, k=lambda *a, b=1: (yield), **kw) -> {a: b for a in c if d}:
	"""doc \N{DIGIT ONE}"""
	async with (a as b, c as d,): await x
	async for i, *j in *k, l: continue
	if (m := n) is not o not in p: return f"{x!r:{'>'}{w}}" rf'\{y=}' t"{z:=^{n}}"
try: a
except* b, c: d
else: e
finally: f
match w := x,:
    case {"k": [1, -2.5e-3j + 1j, *_], **rest} | A.B(c, d=None) as e if f: pass
    case "a" "b" | b'\xff' | (g): pass
x = (a
	.b  # comment
	["c", ::2, ...]) ; y: int = 0x_ff if not a else 1if b else 0b1; \
z @= ~-+a ** -b // c << d
