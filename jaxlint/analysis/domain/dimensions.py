"""Symbolic dimensions: sums of symbols as `jax.export.symbolic_shape` makes them, and what is certain of their size.

A symbol stands for an unknown size that is at least 1. JAX decides a comparison of dimensions from bounds, and
refuses where those leave it open; equality it takes for false unless the two are the same sum.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Atom(NamedTuple):
    """A symbol, or a part that is no sum: a product, a quotient or remainder. None for no bound."""

    text: str
    lower: int | None
    upper: int | None
    symbols: frozenset[str]

    @property
    def is_symbol(self) -> bool:
        return self.symbols == {self.text}


class Dimension:
    """``constant`` plus the atoms, each so many times."""

    __slots__ = ("terms", "constant")

    def __init__(self, terms: dict[Atom, int], constant: int = 0) -> None:
        self.terms = tuple(
            sorted(((atom, count) for atom, count in terms.items() if count), key=lambda term: term[0].text)
        )
        self.constant = constant

    @classmethod
    def symbol(cls, name: str, constrained: bool = False) -> Dimension:
        """A symbol; of one with constraints the bounds are not known."""
        return cls({Atom(name, None if constrained else 1, None, frozenset({name})): 1})

    def __eq__(self, other: object) -> bool:
        return type(other) is Dimension and (self.terms, self.constant) == (other.terms, other.constant)

    def __hash__(self) -> int:
        return hash((self.terms, self.constant))

    def __repr__(self) -> str:
        parts = [atom.text if count == 1 else f"{count}*{atom.text}" for atom, count in self.terms]
        return " + ".join(parts + [str(self.constant)] * bool(self.constant or not parts))

    @property
    def symbols(self) -> frozenset[str]:
        return frozenset().union(*(atom.symbols for atom, _ in self.terms))

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the largest size; None where there is none."""
        lower: int | None = self.constant
        upper: int | None = self.constant
        for atom, count in self.terms:
            low, high = (atom.lower, atom.upper) if count > 0 else (atom.upper, atom.lower)
            lower = None if lower is None or low is None else lower + count * low
            upper = None if upper is None or high is None else upper + count * high
        return lower, upper

    @property
    def is_plain(self) -> bool:
        """Whether its bounds are all that JAX knows of it: parts that are no symbols may be related."""
        known = all(atom.lower is not None for atom, _ in self.terms)
        return known and (len(self.terms) == 1 or all(atom.is_symbol for atom, _ in self.terms))


Size = int | Dimension


def added(a: Size, b: Size, times: int = 1) -> Size:
    """``a + times * b``"""
    terms = dict(a.terms) if isinstance(a, Dimension) else {}
    constant = (a.constant if isinstance(a, Dimension) else a) + times * (b.constant if isinstance(b, Dimension) else b)
    for atom, count in b.terms if isinstance(b, Dimension) else ():
        terms[atom] = terms.get(atom, 0) + times * count
    return _simple(Dimension(terms, constant))


def multiplied(a: Size, b: Size) -> Size:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, int):
            return added(0, other, one)
    assert isinstance(a, Dimension) and isinstance(b, Dimension)
    low, least = a.bounds[0], b.bounds[0]
    lower = low * least if low is not None and least is not None and min(low, least) >= 0 else None
    text = "*".join(sorted(f"({part!r})" for part in (a, b)))
    return Dimension({Atom(text, lower, None, a.symbols | b.symbols): 1})


def product(sizes: Iterable[Size]) -> Size:
    result: Size = 1
    for size in sizes:
        result = multiplied(result, size)
    return result


def divided(a: Size, b: Size) -> Size | None:
    """``a // b``; None where nothing is known of it."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b if b else None
    if not isinstance(a, Dimension) or not isinstance(b, int) or b < 1:
        return None
    if _divides(b, a):
        return _simple(Dimension({atom: count // b for atom, count in a.terms}, a.constant // b))
    bounds = [None if bound is None else bound // b for bound in a.bounds]
    return Dimension({Atom(f"floordiv({a!r}, {b})", bounds[0], bounds[1], a.symbols): 1})


def remainder(a: Size, b: Size) -> Size | None:
    """``a % b``; None where nothing is known of it."""
    if isinstance(a, int) and isinstance(b, int):
        return a % b if b else None
    if not isinstance(a, Dimension) or not isinstance(b, int) or b < 1:
        return None
    if all(count % b == 0 for _, count in a.terms):
        return a.constant % b
    return Dimension({Atom(f"mod({a!r}, {b})", 0, b - 1, a.symbols): 1})


def compared(op: str, a: Size, b: Size) -> bool | None:
    """What JAX decides of ``a op b``; None where it does not, or where it may know more."""
    if op in ("<", "<="):
        return compared({"<": ">", "<=": ">="}[op], b, a)
    difference = added(a, b, -1)
    if isinstance(difference, int):
        return {">": difference > 0, ">=": difference >= 0, "==": difference == 0, "!=": difference != 0}.get(op)
    lower, upper = difference.bounds
    if op in ("==", "!="):
        apart = (lower is not None and lower > 0) or (upper is not None and upper < 0)
        return (op == "!=") if apart else None
    limit = 1 if op == ">" else 0
    if lower is not None and lower >= limit:
        return True
    return False if upper is not None and upper < limit else None


def is_open(a: Size, b: Size) -> bool:
    """Whether nothing but the bounds of the symbols decides between the two."""
    difference = added(a, b, -1)
    return isinstance(difference, int) or difference.is_plain


def underivable(sizes: Sequence[Size]) -> frozenset[str]:
    """Symbols whose values cannot be computed from the sizes of arguments.

    JAX takes the equations that have one unknown, not multiplied with itself or another, until none is left.
    """
    unknown = frozenset().union(*(size.symbols for size in sizes if isinstance(size, Dimension)))
    solved: set[str] = set()
    while True:
        found = {
            atom.text
            for size in sizes
            if isinstance(size, Dimension) and len(size.symbols - solved) == 1
            for atom, _ in size.terms
            if atom.is_symbol and all(atom is other or not other.symbols - solved for other, _ in size.terms)
        }
        if found <= solved:
            return unknown - solved
        solved |= found


def parsed(text: str, constrained: bool = False) -> list[Size | None] | None:
    """The dimensions in a text such as `"a, 2*b"`; None for one that is not understood, or for a text that is not."""
    try:
        tree = ast.parse(f"({text.strip()})", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return [_read(part, constrained) for part in (tree.elts if isinstance(tree, ast.Tuple) else [tree])]


def _read(node: ast.expr, constrained: bool) -> Size | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name) and node.id != "_":
        return Dimension.symbol(node.id, constrained)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        negated = _read(node.operand, constrained)
        return None if negated is None else added(0, negated, -1)
    parts = (node.left, node.right) if isinstance(node, ast.BinOp) else getattr(node, "args", ())
    sizes = [_read(part, constrained) for part in parts]
    if len(sizes) != 2 or None in sizes:
        return None
    a, b = sizes
    assert a is not None and b is not None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        function = {"floordiv": divided, "mod": remainder}.get(node.func.id)
        return function(a, b) if function is not None else None
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return added(a, b, 1 if isinstance(node.op, ast.Add) else -1)
        if isinstance(node.op, ast.Mult):
            return multiplied(a, b)
        if isinstance(node.op, ast.BitXor) and isinstance(b, int) and 0 < b < 5:
            return product([a] * b)
    return None


def _divides(number: int, size: Dimension) -> bool:
    return size.constant % number == 0 and all(count % number == 0 for _, count in size.terms)


def _simple(size: Dimension) -> Size:
    return size if size.terms else size.constant
