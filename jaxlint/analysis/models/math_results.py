"""The types of what the functions of `math` give."""

from __future__ import annotations

_INTEGERS = frozenset(
    {"math.floor", "math.ceil", "math.trunc", "math.isqrt", "math.gcd", "math.comb", "operator.index"}
)
_FLOATS = frozenset(f"math.{name}" for name in "sqrt exp log log2 log10 log1p sin cos tan pow fabs hypot".split())


def type_of_result(name: str) -> str:
    """ "int" or "float"; "" where it depends on the argument, or is not known."""
    return "int" if name in _INTEGERS else "float" if name in _FLOATS else ""
