import a.b as c, d
from .. import x
from ...y . z import (p as q, r,)
@dec(1)
class A(B, metaclass=M):
    """doc"""
    def f(self, a, /, b: int = 3, *c, d=4, **e) -> None:
        x = yield 5
        return f"{a!r:>{w}} b{c=} {{x}}" 'd'if 0else 0x1F
    y: int = 3
if x == 1 and not (y in z): pass
elif a if b else c:
    with open(x) as f, (y): a += 1
else:
    try:
        [x for x in y if z for w in q]
    except (A, B) as e: raise X from e
    except: pass
    finally: del a, b.c
lambda x, *y: x[1:2, ::3](*a, k=1, **c)
match = 3
match (x):
    case 1 | "a" if y: pass
    case A(b=c, d=[e, *f]) as g: pass
    case _: pass
