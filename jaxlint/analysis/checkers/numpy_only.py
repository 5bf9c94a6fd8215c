"""What arrays of NumPy and tensors have and jax arrays lack: methods that work in place, attributes about memory or gradients.

Likewise what `x.at[i]` has and `x[i]` lacks, and the other way about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard, ItemAssignment, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.operators import operand_nodes
from jaxlint.analysis.models.array_types import OF_NUMPY_ALONE, OF_TENSORS_ALONE, OF_TRACERS, OF_UPDATES_ALONE
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, resolved

if TYPE_CHECKING:
    from jaxlint.analysis.domain.call import Call
    from jaxlint.knowledge import Facts

# Methods of arrays that no field of a NamedTuple is called like.
_OF_ARRAYS_ALONE = frozenset({
    "argmax", "argmin", "argsort", "astype", "block_until_ready", "flatten", "ravel", "reshape", "squeeze", "tolist",
})  # fmt: skip
_GIVING_ARRAYS = (
    "jax.numpy.",
    "jax.nn.",
    "jax.random.",
)  # modules whose functions return arrays, whatever they are given
_DEPTH = 6  # of the expressions that an array is computed of
_REDUCTIONS = frozenset({"sum", "mean", "std", "var", "max", "min"})  # which no list has
_PROPERTIES = frozenset({"shape", "dtype", "real", "imag", "T"})  # which can be read and not set
_FACTS = frozenset({"shape", "dtype", "size", "ndim", "T"})  # which are no methods
# Functions whose results are arrays of NumPy for certain; others call the method of a jax array that they are given.
_MADE_BY_NUMPY = frozenset(
    f"numpy.{name}" for name in ("zeros", "ones", "empty", "full", "arange", "array", "linspace", "eye")
)
# Functions that change their argument in NumPy, and refuse to in JAX unless they are told to return what is changed.
_IN_PLACE = frozenset(f"jax.numpy.{name}" for name in ("put", "place", "fill_diagonal", "put_along_axis"))


@hazard_class(only_arrays=True, of_plain_values=True)
class NumpyOnlyArrayMethod(Hazard):
    """A method or attribute of NumPy arrays or of tensors is asked of a jax array, which has none of that name.

    Site: the call, or the attribute; operand: the array; api: ".fill", "jax.numpy.put".
    """

    stores: bool = False
    called: bool = False  # a property, as if it were a method; `.at`, which is indexed
    of_list: bool = False
    unknown: bool = False  # no array has it, and no `x.at` or `x.at[i]`
    count: int = 0  # of the items of a tuple that is asked for what only arrays have


class NumpyOnly(Checker):
    """Members and options that arrays of NumPy have and those of JAX lack."""

    def subscribe(self, events: Events) -> None:
        events.refuses_attribute.append(self.read)
        events.sequence_member_read.append(self.asked)
        events.attribute_set.append(self.stored)
        events.refuses_update_attribute.append(self.of_update)
        events.refuses_operator.append(self.computed)
        events.refuses_call.append(self.refuses)
        events.name_called.append(self.called, {*_FACTS, "at", "view"})
        events.refuses_item_store.append(self.is_frozen)

    def read(self, node: ir.Attribute, base: v.Array | v.Host, attr: str) -> bool:
        """An attribute is read. Whether there is none; recorded if so."""
        if type(base) is v.Host or attr in OF_UPDATES_ALONE:
            lacks = self.lacks_updates(node, base, attr)
            if lacks:
                self.i.report(NumpyOnlyArrayMethod(), node, node.value, base, api=f".{attr}")
            return lacks
        if attr not in OF_NUMPY_ALONE | OF_TENSORS_ALONE:
            return isinstance(base, v.Array) and self.lacks(node, base, attr)
        # Classes of arrays have `data` of their own: where nothing else is known of a tracer, it may be one of them.
        if attr != "data" or base.cls is None or base.aval.dtype is not None:
            self.i.report(NumpyOnlyArrayMethod(), node, node.value, base, api=f".{attr}")
        return True

    def lacks(self, node: ir.Attribute, base: v.Array, attr: str) -> bool:
        """Whether no array of any release has an attribute of the name; recorded if so."""
        if attr.startswith("_") or attr in OF_TRACERS or base.presumed or knowledge.member(attr, v.STAGED) is not None:
            return False
        if knowledge.private_prng(attr) is not None or attr in _declared(self.i.unit):
            return False
        if not self.is_certain(node.value, base, 0):
            return False
        self.i.report(NumpyOnlyArrayMethod(unknown=True), node, node.value, base, api=f".{attr}")
        return True

    def is_certain(self, node: ir.Node, value: v.Value, depth: int) -> bool:
        """Whether an expression is an array, and no object that has the operators and methods of one.

        A function of JAX gives it, or what gives it is computed of such arrays alone, or its dtype is known.
        """
        found = bound_to(self.i.unit, node)
        if depth > _DEPTH:
            return False
        if type(found) is ir.Call:
            callee = self.i.last_callee.get(found.site)
            if type(callee) is v.Api:
                return callee.name.startswith(_GIVING_ARRAYS)
            base = self.i.bases.get(found.func.site)
            if type(found.func) is not ir.Attribute or base is None:
                return False
            return self.is_certain(found.func.value, base, depth + 1)
        if type(found) is ir.Binary:
            sides = [each for each in (found.left, found.right) if type(each) is not ir.Constant]
            return all(self.is_certain(each, v.UNKNOWN, depth + 1) for each in sides)
        if type(found) is ir.Name:
            return False  # a parameter, or what is bound more than once
        return type(value) is v.Array and value.aval.dtype is not None

    def of_update(self, node: ir.Attribute, base: v.At, attr: str) -> bool:
        """Whether this is asked of `x.at` before it is indexed, or nothing that `x.at[i]` has; recorded if so."""
        if type(base.array) is not v.Array or base.array.presumed or attr.startswith("_"):
            return False
        if base.index is not None and knowledge.method(f"at.{attr}") is not None:
            return False
        self.i.report(NumpyOnlyArrayMethod(unknown=True), node, node.value, base.array, api=f".at.{attr}")
        return True

    def computed(self, node: ir.Node, op: str, left: v.Value, right: v.Value) -> bool:
        """Whether `x.at[i]` itself is an operand, and no element of `x`; recorded if so."""
        for value, at in ((left, 0), (right, 1)):
            if type(value) is v.At and type(value.array) is v.Array and not value.array.presumed:
                nodes = operand_nodes(node) if type(node) is ir.Binary else ()
                if not nodes:
                    return False
                self.i.report(NumpyOnlyArrayMethod(unknown=True), node, nodes[at], value.array, api=".at")
                return True
        return False

    def lacks_updates(self, node: ir.Attribute, base: v.Array | v.Host, attr: str) -> bool:
        """Whether this is `.at` of an array of NumPy, or `x[i].set` of one of JAX."""
        if isinstance(base, v.Host):
            made = resolved(self.i.unit, node.value)
            callee = self.i.last_callee.get(made.site) if type(made) is ir.Call else None
            indexed = type(self.i.unit.parent(node.site)) is ir.Subscript
            return attr == "at" and indexed and self.i.library_name(callee) in _MADE_BY_NUMPY
        above = self.i.unit.parent(node.site)
        return type(node.value) is ir.Subscript and type(above) is ir.Call and above.func is node and not base.presumed

    def called(self, func: v.Value, call: Call) -> None:
        """`x.size(0)`, `x.view(2, -1)`, `x.at(0)`."""
        node = call.node.func if type(call.node) is ir.Call else None
        base = self.i.bases.get(node.site) if type(node) is ir.Attribute else None
        if type(node) is not ir.Attribute or type(base) is not v.Array or base.presumed or base.aval.dtype in v.KEYS:
            return
        numbers = [value for value in call.args if v.python_type(value) == "int"]
        if type(func) is v.At or node.attr in _FACTS or (node.attr == "view" and call.args and numbers == call.args):
            self.i.report(NumpyOnlyArrayMethod(called=True), call.node, node.value, base, api=f".{node.attr}")

    def asked(self, node: ir.Attribute | ir.Subscript, base: v.Tuple | v.Ref, attr: str) -> None:
        """An attribute is read of a list, of a tuple of arrays, or of a pair of an array and what comes with it."""
        above = self.i.unit.parent(node.site)
        if isinstance(base, v.Ref):
            if attr in _OF_ARRAYS_ALONE | _REDUCTIONS and type(above) is ir.Call and above.func is node:
                self.i.report(NumpyOnlyArrayMethod(of_list=True), node, node.value, base, api=f".{attr}")
            return
        if not attr and base.fields is None and base.items:
            self.i.report(NumpyOnlyArrayMethod(count=len(base.items)), node, node.value, base, api="[]")
        elif attr in _OF_ARRAYS_ALONE and base.fields is None and base.items:
            first, *rest = base.items
            pair = type(first) is v.Array and len(rest) == 1
            if pair or all(type(leaf) is v.Array for leaf in self.i.leaves(base.items)):
                self.i.report(NumpyOnlyArrayMethod(count=len(base.items)), node, node.value, base, api=f".{attr}")

    def stored(self, target: ir.Attribute, base: v.Value, attr: str) -> None:
        """An attribute is set."""
        if type(base) is v.Array and attr in _PROPERTIES:
            self.i.report(NumpyOnlyArrayMethod(stores=True), target, target.value, base, api=f".{attr}")

    def is_frozen(self, node: ir.Subscript, base: v.Value) -> bool:
        """Whether an item of a `FrozenDict` is assigned to, or of one in it; recorded if so."""
        whole: ir.Expression = node.value
        while type(whole) is ir.Subscript:
            whole = whole.value
        made = resolved(self.i.unit, whole)
        callee = self.i.last_callee.get(made.site) if type(made) is ir.Call else None
        name = self.i.library_name(callee) or ""
        if not name.startswith("flax.core.") or name.rpartition(".")[2] not in ("freeze", "FrozenDict"):
            return False
        self.i.report(ItemAssignment(), self.i.unit.statement(node.site), node, base)
        return True

    def refuses(self, name: str, found: Facts, call: Call) -> bool:
        """Whether a function of `jax.numpy` is to work in place, or is given `x.at[i]` itself; recorded if so."""
        for value, node in zip(call.args, call.arg_nodes) if name.startswith("jax.numpy.") else ():
            if type(value) is v.At and type(value.array) is v.Array and not value.array.presumed:
                self.i.report(NumpyOnlyArrayMethod(unknown=True), call.node, node, value.array, api=".at")
                return True
        if name not in _IN_PLACE or call.double_star or call.star or not call.args:
            return False
        inplace = call.keywords.get("inplace") if name != "jax.numpy.put_along_axis" else call.get(4, "inplace")
        if inplace is not None and not (type(inplace) is v.Const and inplace.value is True):
            return False
        self.i.report(NumpyOnlyArrayMethod(), call.node, call.arg_nodes[0], call.args[0], api=name, parameter="inplace")
        return True


def _declared(unit: ir.Unit) -> set[str]:
    """The fields that classes of a file declare: what is taken for an array may be such an object, if an annotation is wrong."""
    return {
        each.target.id
        for each in unit.own
        if type(each) is ir.Annotate
        and type(each.target) is ir.Name
        and type(unit.parent(each.site)) is ir.ClassDefinition
    }
