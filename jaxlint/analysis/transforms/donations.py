"""Buffers that a compiled function was given for good: what is left of them after the call.

A variable whose array was donated holds `Deleted` until it is bound anew. A buffer is only given away
where an output of the same shape and dtype can take it, so all these must be known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.signatures import Statics, accepted, constants_of
from jaxlint.analysis.model import Kind
from jaxlint.ir import nodes as ir

# What still works with an array whose buffer is gone.
_HARMLESS = frozenset({
    "shape", "dtype", "ndim", "size", "nbytes", "itemsize", "aval", "weak_type", "sharding", "committed", "delete",
    "is_deleted", "zeros_like", "ones_like", "full_like", "empty_like", "result_type", "issubdtype", "isscalar",
})  # fmt: skip
_READ_BUFFERS = ("jax.numpy.", "jax.lax.", "jax.random.", "jax.nn.", "jax.scipy.", "numpy.")
_READ_TREES = frozenset({
    "jax.device_get", "jax.device_put", "jax.block_until_ready", "builtins.print", "builtins.repr", "builtins.str",
})  # fmt: skip
_READ_ARRAYS = frozenset(f"builtins.{name}" for name in ("float", "int", "list", "tuple", "sum", "max", "min"))
_COMPILED = frozenset({"jit", "pmap", "vmap", "grad", "value_and_grad", "checkpoint"})


class Donation(NamedTuple):
    """Detail of DONATED."""

    function: v.Value  # what it was donated to
    site: int  # the call that took it
    twice: bool = False  # it is passed twice in that call


class Donations:
    """Component of the interpreter: which variables hold buffers that are gone."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter
        self.any = False  # whether anything was ever donated

    # --- giving away --------------------------------------------------------------------------

    def made(self, made: v.Transformed, call: Call, result: v.Value) -> None:
        """A call of a compiled function is done: what it was given for good is gone."""
        context = self.i.context
        if (
            context.origin is not None
            or context.stage == STAGED_CODE
            or call.star
            or call.site in self.i.transforms.applied
        ):
            return  # inside a trace nothing is given away
        donated = self.donated(made)
        if donated is None:
            return
        free = list(self.i.leaves([result]))
        outputs = [aval for aval in map(self.measured, free) if aval is not None]
        given = [(value, node) for n, (value, node) in enumerate(zip(call.args, call.arg_nodes)) if donated.position(n)]
        given += [(value, call.keyword_nodes[n]) for n, value in call.keywords.items() if donated.name(n)]
        for value, node in given:
            leaves = [leaf for leaf in self.i.leaves([value]) if type(leaf) is not v.Host]
            sizes = [self.measured(leaf) for leaf in leaves]
            if not sizes or None in sizes or not all(type(leaf) is v.Array for leaf in leaves):
                return  # which outputs are left for the others is not known
            if any(size not in outputs for size in sizes):
                continue
            for size in sizes:
                if size in outputs:
                    outputs.remove(size)
            self.gone(made, call, value, node)

    def measured(self, value: v.Value) -> tuple[Any, ...] | None:
        """Shape and dtype of an array, where all of both is known."""
        aval = self.i.aval_of(value)
        if type(value) is not v.Array or aval.dtype is None or aval.dtype in v.KEYS or aval.shape is None:
            return None
        return (aval.dtype, aval.shape) if all(isinstance(size, int) for size in aval.shape) else None

    def gone(self, made: v.Transformed, call: Call, value: v.Value, node: Any) -> None:
        same = [other for other in (*call.arg_nodes, *call.keyword_nodes.values()) if _is_name(other, node)]
        if len(same) > 1:
            detail = Donation(made.function, call.site, twice=True)
            self.i.demand(Kind.DONATED, call.node, node, value, api=made.transform.name, detail=detail)
        elif type(node) is ir.Name:
            variables = self.i.state.frames.get(self.i.frame.serial, {})
            if variables.get(node.id) is value and self.i.frame.comprehension is None:
                self.i.bind(node.id, v.Deleted(value, Donation(made.function, call.site)))
                self.any = True

    def donated(self, made: v.Transformed) -> Statics | None:
        """The donated arguments; None where there are none, or they are computed."""
        numbers, names = made.options.get("donate_argnums"), made.options.get("donate_argnames")
        if (numbers is None and names is None) or "**" in made.options:
            return None
        positions = set() if numbers is None else constants_of(self.i, numbers, int)
        named = set() if names is None else constants_of(self.i, names, str)
        parameters = accepted(self.i, made.function, wrapped=True)
        if positions is None or named is None or parameters is None:
            return None
        return Statics(positions, named, parameters)

    # --- use afterwards -----------------------------------------------------------------------

    def named(self, node: Any, value: v.Deleted) -> v.Value:
        """A variable is read whose buffer is gone: which uses fail is to be seen from what is around it."""
        around = self.i.unit.parent(node.site)
        kind = type(around)
        array = type(value.value) is v.Array
        fails = False
        if kind is ir.Binary or (kind is ir.Unary and around.op != "not"):
            fails = array
        elif kind is ir.Compare:
            fails = array and not any(op in ("is", "is not") for op in around.ops)
        elif kind is ir.Subscript:
            fails = array and around.value is node
        elif kind is ir.Attribute:
            fails = array and around.attr not in _HARMLESS
        elif kind is ir.Field:
            fails = array
        if not fails:
            return value
        self.demand(around if kind is not ir.Field else node, node, value)
        return value.value

    def passed(self, func: v.Value, call: Call) -> Call:
        """A call of which an argument may be gone."""
        if not any(type(each) is v.Deleted for each in call.all()):
            return call
        if type(func) in (v.FunctionValue, v.BoundMethod, v.Partial, v.ClassValue):
            return call  # seen inside
        args = [self.read(func, call, value, node) for value, node in zip(call.args, call.arg_nodes)]
        keywords = {
            name: self.read(func, call, value, call.keyword_nodes[name]) for name, value in call.keywords.items()
        }
        return Call(call.node, args, call.arg_nodes, keywords, call.keyword_nodes, call.star, call.double_star)

    def read(self, func: v.Value, call: Call, value: v.Value, node: Any) -> v.Value:
        if type(value) is not v.Deleted:
            return value
        array = type(value.value) is v.Array
        fails = False
        if type(func) is v.Transformed:
            fails = func.transform.behaviour in _COMPILED
        elif type(func) is v.Api and func.name.rpartition(".")[2] not in _HARMLESS:
            fails = func.name in _READ_TREES or (
                array and (func.name.startswith(_READ_BUFFERS) or func.name in _READ_ARRAYS)
            )
        if fails:
            self.demand(call.node, node, value)
        return value.value

    def demand(self, at: Any, node: Any, value: v.Deleted) -> None:
        self.i.demand(Kind.DONATED, at, node, value.value, detail=value.donation)
        variables = self.i.state.frames.get(self.i.frame.serial, {})
        if type(node) is ir.Name and variables.get(node.id) is value:
            self.i.bind(node.id, value.value)  # said once


def _is_name(node: Any, other: Any) -> bool:
    return node is other or (type(node) is ir.Name and type(other) is ir.Name and node.id == other.id)
