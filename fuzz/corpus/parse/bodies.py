def f():
    def g():
        def h(): yield
        return """
 no indent
"""
  # out
    class A(B, *c, d=e, **f): x = {**g, "h": i}; j = {*k, l}
    return g
f()