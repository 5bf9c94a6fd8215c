"""Classes that say themselves how they are taken apart and put together: what their methods do to any leaf.

JAX puts such an object together again of whatever it has in hand: tracers, shapes, None, sentinels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import UNKNOWN_CODE
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.state import Instance
from jaxlint.ir import nodes as ir

_REGISTERING = frozenset({"jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_with_keys_class"})
# Functions that take arrays and numbers, and refuse what else stands for a leaf.
_CONVERTING = frozenset(
    [f"jax.numpy.{name}" for name in ("asarray", "array", "atleast_1d", "atleast_2d", "atleast_3d", "float32", "int32")]
)
_LEAF = "leaf of a pytree"


@dataclass(eq=False, repr=False)
class PytreeInitConverts(Hazard):
    """A pytree class converts or compares its leaves. Site: the conversion, or what is compared; operand: the leaf."""

    how: str  # "converts": a leaf is converted; "array": an array is among what is compared
    name: str  # of the class


class PyTreeClasses:
    """Component of the interpreter."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter
        self.classes: list[v.ClassValue] = []
        self.undecided = -1  # conditions around the object that is being put together; -1 when none is
        self.name = ""

    def defined(self, cls: v.ClassValue) -> None:
        if cls.definition.site < self.i.own and any(self.i.decorator_name(d) in _REGISTERING for d in cls.decorators):
            self.classes.append(cls)

    def finish(self) -> None:
        """Take an object of each class apart and put it together again."""
        entered = self.i.scoped()
        for cls in self.classes:
            if not self.i.over_budget():
                try:
                    with (
                        self.i.within(self.i.context.but(stage=UNKNOWN_CODE, pure=False, haiku=None)),
                        self.i.on_a_copy(),
                    ):
                        self.run(cls)
                except Exception as error:
                    self.i.restore_scoped(entered)
                    self.i.note_failure(cls.definition, error)

    def run(self, cls: v.ClassValue) -> None:
        init, flatten, unflatten = (cls.lookup(name) for name in ("__init__", "tree_flatten", "tree_unflatten"))
        if not isinstance(init, v.FunctionValue) or not isinstance(flatten, v.FunctionValue):
            return
        if not isinstance(unflatten, v.FunctionValue):
            return
        whole = v.Ref(self.i.state.allocate(Instance(cls, {})))
        given = [self.i.anything(p) for p in init.function.parameters[1:] if p.kind in ("positional-only", "ordinary")]
        self.i.call(init, self.i.simple_call(init.function, [whole, *given]))
        apart = self.i.call(flatten, self.i.simple_call(flatten.function, [whole]))
        items = self.i.items_of(apart) if type(apart) is v.Tuple else None
        children = self.i.items_of(items[0]) if items is not None and len(items) == 2 else None
        if children is None or self.i.state is None:
            return
        assert items is not None
        self.compared(cls, flatten.function, items[1])
        leaves = v.Tuple(tuple(v.OpaqueInstance(_LEAF, (), v.fresh()) for _ in children))
        self.undecided, self.name = self.i.undecided, cls.definition.name
        self.i.call(v.BoundMethod(unflatten, cls), self.i.simple_call(unflatten.function, [items[1], leaves]))
        self.undecided = -1

    def converts(self, name: str, call: Call) -> bool:
        """Whether a leaf of any kind is given to what takes arrays alone; recorded if so."""
        if self.undecided < 0 or name not in _CONVERTING:
            return False
        value, node = (call.args[0], call.arg_nodes[0]) if call.args else (v.UNKNOWN, call.node)
        if type(value) is not v.OpaqueInstance or value.name != _LEAF:
            return False
        if self.i.undecided == self.undecided and not self.i.returned:
            self.i.report(PytreeInitConverts("converts", self.name), call.node, node, value, api=name)
        return True

    def compared(self, cls: v.ClassValue, flatten: ir.Function, auxiliary: v.Value) -> None:
        """What is no child is compared with `==` when JAX looks the structure up."""
        for leaf in self.i.leaves([auxiliary]):
            shape = leaf.aval.shape if type(leaf) in (v.Array, v.Host) else None
            if shape and all(isinstance(size, int) for size in shape) and max(shape) > 1 and 0 not in shape:
                last = flatten.body[-1]
                node = (
                    last.value.elements[1]
                    if isinstance(last, ir.Return) and type(last.value) is ir.Sequence
                    else flatten
                )
                self.i.report(PytreeInitConverts("array", cls.definition.name), node, node, leaf)
