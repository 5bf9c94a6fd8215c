"""Triangular solves that read the wrong triangle: of a lower factor the upper one, which is zero but for the diagonal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_CHOLESKY = "jax.numpy.linalg.cholesky"
_OF_SCIPY = "jax.scipy.linalg.cholesky"
_PAIR = "jax.scipy.linalg.cho_factor"
_MADE = {"jax.lax.linalg.cholesky": "lower", "jax.numpy.tril": "lower", "jax.numpy.triu": "upper"}
# Functions that give several matrices, with those that are triangular.
_PARTS = {
    "jax.numpy.linalg.qr": {1: "upper"}, "jax.scipy.linalg.qr": {1: "upper"}, "jax.lax.linalg.qr": {1: "upper"},
    "jax.scipy.linalg.lu": {1: "lower", 2: "upper"},
}  # fmt: skip
_TRANSPOSING = frozenset({"transpose", "matrix_transpose", "swapaxes"})
_TRANSPOSED = frozenset({"T", "mT", "H"})
_KEEPING = frozenset({"jax.numpy.conj", "jax.numpy.conjugate", "jax.lax.stop_gradient", "jax.numpy.real"})
_OTHER = {"lower": "upper", "upper": "lower"}
_SOLVES = frozenset({"jax.scipy.linalg.solve_triangular", "jax.lax.linalg.triangular_solve"})
_SOLVE_OF_PAIR = "jax.scipy.linalg.cho_solve"


@hazard_class(consequence=Consequence.SILENT, of_any_value=True)
class WrongTriangle(Hazard):
    """A triangular solve reads the triangle of a factor that is zero. Site: the call; operand: the factor; api."""

    triangle: str  # of the factor: "lower" or "upper"
    made: int  # site of the call that made the factor, or -1
    flag: int  # site of what says which triangle is read, or -1 where nothing says so


class TriangularFactors(Checker):
    """Triangular matrices, and the functions that solve with them."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Which triangle holds an array that a function made, and the site of its call.
        self.factors: dict[v.Ident, tuple[str, int]] = interpreter.per_module({})

    def subscribe(self, events: Events) -> None:
        events.jax_value.append(self.made)
        events.library_function_called.append(self.called, {*_SOLVES, _SOLVE_OF_PAIR})

    # --- factors ------------------------------------------------------------------------------

    def made(self, value: v.Value, name: str, call: Call) -> v.Value:
        """Note the triangle of what a function gives."""
        if name == _CHOLESKY:
            upper = _flag(call.keywords.get("upper"), False)
            return value if upper is None else self.noted(value, "upper" if upper else "lower", call)
        if name in (_OF_SCIPY, _PAIR):
            lower = _flag(call.get(1, "lower"), False)
            if lower is None:
                return value
            triangle = "lower" if lower else "upper"
            if name == _OF_SCIPY:
                return self.noted(value, triangle, call)
            return self.noted_parts(value, {0: triangle}, call)
        if name in _MADE and not call.args[1:] and "k" not in call.keywords:
            return self.noted(value, _MADE[name], call)
        parts = _PARTS.get(name)
        if parts is not None:
            return self.noted_parts(value, parts, call)
        if name in _KEEPING and call.args:
            known = self.factors.get(call.args[0].ident) if call.args[0].ident is not None else None
            return value if known is None else self.noted(value, known[0], call, known[1])
        return value

    def noted(self, value: v.Value, triangle: str, call: Call, made: int | None = None) -> v.Value:
        if type(value) is not v.Array:
            return value
        ident = value.ident or v.fresh()
        self.factors[ident] = triangle, call.site if made is None else made
        return value.renewed(ident)

    def noted_parts(self, value: v.Value, parts: dict[int, str], call: Call) -> v.Value:
        if type(value) is not v.Tuple or value.items is None or len(value.items) <= max(parts):
            return value
        items = [
            self.noted(item, parts[number], call) if number in parts else item
            for number, item in enumerate(value.items)
        ]
        return v.Tuple(tuple(items), fields=value.fields)

    def factor(self, node: ir.Node, value: v.Value) -> tuple[str, int] | None:
        """The triangle of an argument and the site that made it; through transposes, which are followed by what is written."""
        if type(value) is not v.Array:
            return None
        known = self.factors.get(value.ident) if value.ident is not None else None
        if known is not None:
            return known
        made = resolved(self.i.unit, node)
        inner: ir.Node | None = None
        if type(made) is ir.Attribute and made.attr in _TRANSPOSED:
            inner = made.value
        elif type(made) is ir.Call and ir.last_part(made.func) in _TRANSPOSING and made.args:
            callee = self.i.last_callee.get(made.site)
            inner = made.args[0] if type(callee) is v.Api else None
        elif type(made) is ir.Call and type(made.func) is ir.Attribute and made.func.attr in ("conj", "transpose"):
            inner = made.func.value if not made.args else None
        if inner is None or not isinstance(inner, (ir.Name, ir.Attribute)):
            return None
        found = self.factor(inner, self.i.eval(inner))
        if found is None or type(made) is ir.Call and ir.last_part(made.func) == "conj":
            return found
        return _OTHER[found[0]], found[1]

    # --- solves -------------------------------------------------------------------------------

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if call.star or call.double_star:
            return
        if name == _SOLVE_OF_PAIR:
            self.pair(call)
            return
        value, node = call.get(0, "a"), call.node_of(0, "a")
        # `triangular_solve` takes its options by name alone.
        position = 3 if name.startswith("jax.scipy.") else len(call.args)
        lower, flag = call.get(position, "lower"), call.node_of(position, "lower")
        if value is not None and node is not None:
            self.solved(call, name, value, node, lower, flag)

    def pair(self, call: Call) -> None:
        """`cho_solve((factor, lower), b)`."""
        pair, node = call.get(0, "c_and_lower"), call.node_of(0, "c_and_lower")
        if type(pair) is not v.Tuple or pair.items is None or len(pair.items) != 2 or node is None:
            return
        display = resolved(self.i.unit, node)
        if type(display) is ir.Sequence and len(display.elements) == 2:
            first, second = display.elements
            self.solved(call, _SOLVE_OF_PAIR, pair.items[0], first, pair.items[1], second)

    def solved(
        self, call: Call, name: str, value: v.Value, node: ir.Node, lower: v.Value | None, flag: ir.Node | None
    ) -> None:
        wanted, known = _flag(lower, False), self.factor(node, value)
        if wanted is None or known is None or (known[0] == "lower") == wanted:
            return
        self.i.report(
            WrongTriangle(known[0], known[1], -1 if flag is None else flag.site), call.node, node, value, api=name
        )


def _flag(value: v.Value | None, default: bool) -> bool | None:
    """What an option says; None where that is not known."""
    if value is None:
        return default
    return bool(value.value) if type(value) is v.Const and isinstance(value.value, (bool, int)) else None
