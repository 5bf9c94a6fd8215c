"""Arguments that a transform cannot trace: strings, functions, sets, objects JAX has no way to take apart."""

from __future__ import annotations

import builtins
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.signatures import Signature
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, SetObject
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Transforms that refuse such an argument; others take it as it is, or are not called with arguments.
_REFUSING = frozenset({
    "jax.jit", "jax.experimental.pjit.pjit", "jax.pmap", "jax.checkpoint", "jax.make_jaxpr", "jax.vmap", "jax.grad",
    "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian", "flax.nnx.jit",
})  # fmt: skip
# Arguments that control flow traces, by their names in the signature of the transform.
_TRACED = {
    "jax.lax.scan": ("init", "xs"), "jax.lax.while_loop": ("init_val",), "jax.lax.fori_loop": ("init_val",),
    "jax.lax.map": ("xs",), "jax.lax.cond": ("*operands",), "jax.lax.switch": ("*operands",),
    "jax.eval_shape": ("*args",),
}  # fmt: skip
# Bases and decorators that register nothing as a pytree.
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC"})
_PLAIN_DECORATORS = frozenset({"dataclasses.dataclass", "functools.total_ordering"})
# Members by which a class may register those below it, or make arrays of its instances.
_SPECIAL = frozenset({"__init_subclass__", "__jax_array__", "__getattr__", "__getattribute__"})
_REGISTERS = re.compile(r"register_(pytree|dataclass|static|keypaths)")
_ASKS = frozenset({"isinstance", "issubclass", "super", "repr", "str", "print", "id", "hash"})


_FUNCTION = ("a function", True)


@dataclass(eq=False, repr=False)
class NonArrayArgument(Hazard):
    """A value that is not an array is passed for a parameter of a transformed function. Site: the call."""

    of_plain_values = True

    what: str  # "a string", "a function", "an instance of `Config`", "a list that holds a string" ...
    hashable: bool | None  # whether it can be static; None where that is not known
    function: ir.Function | None
    definition: ir.Parameter | None  # of the parameter


class NotArrays:
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.i = interpreter
        self.plain: dict[int, bool] = {}  # site of a class -> whether nothing registers it as a pytree
        self.registers_any: bool | None = None  # whether the file registers classes it does not name

    def operands(self, transform: Transform, call: Call) -> None:
        """Record what control flow is given to trace and cannot."""
        names = _TRACED.get(transform.name, ())
        # In an older form of `lax.cond` the operands stand between the functions.
        if (
            not names
            or call.star
            or (transform.name == "jax.lax.cond" and self.refusal(call.get(1) or v.UNKNOWN) != _FUNCTION)
        ):
            return
        for name in names:
            position = transform.signature.index(name)
            rest = slice(position, None if name.startswith("*") else position + 1)
            pairs = list(zip(call.args[rest], call.arg_nodes[rest]))
            if name in call.keywords:
                pairs.append((call.keywords[name], call.keyword_nodes.get(name)))
            for value, node in pairs:
                if node is not None and self.i.equinox.operand(transform.name, call, value, node):
                    continue
                found = self.refusal(value) if type(call.node) is ir.Call and isinstance(node, ir.Expression) else None
                if found is not None:
                    hazard = NonArrayArgument(*found, None, None)
                    self.i.report(hazard, call.node, node, value, api=transform.name)

    def refused(
        self,
        made: v.Transformed,
        call: Call,
        signature: Signature,
        name: Any,
        value: v.Value,
        node: ir.Node | None,
        origin: Origin,
    ) -> None:
        """Record an argument, at a position or of a name, that is neither an array nor a pytree of arrays."""
        # What stands for the receiver of a method, or for any call, has no expression of its own.
        if type(call.node) is not ir.Call or node is call.node or not isinstance(node, ir.Expression):
            return
        if self.i.equinox.argument(made, call, value, node) or made.transform.name not in _REFUSING:
            return
        found = self.refusal(value)
        if found is None:
            return
        function = signature.function.function if signature.function is not None else None
        hazard = NonArrayArgument(*found, function, _parameter(signature, name))
        self.i.report(hazard, call.node, node, value, api=made.transform.name, origin=origin)

    def refusal(self, value: v.Value, depth: int = 0) -> tuple[str, bool | None] | None:
        """What the value is, and whether it can be hashed, where it is certainly no pytree of arrays."""
        if type(value) is v.Const and isinstance(value.value, (str, bytes)):
            return ("a string" if isinstance(value.value, str) else "a bytes object"), True
        if type(value) is v.Text or (type(value) is v.Static and value.type == "str"):
            return "a string", True
        if type(value) is v.FunctionValue or (type(value) is v.Api and self.names_kind(value.name) == "function"):
            return _FUNCTION
        if isinstance(value, (v.BoundMethod, v.Partial, v.Transformed)):
            return "a function", True if type(value) is not v.BoundMethod else None
        if type(value) is v.ClassValue or (type(value) is v.Api and self.names_kind(value.name) == "class"):
            return "a class", True
        if type(value) is v.Iterator and value.form != "pytree":
            return ("a range", True) if value.form == "range" else ("an iterator", False)
        if type(value) is v.Slice:
            return "a slice", False
        if type(value) is v.Tuple:
            return self.of_container("a tuple", value.items or (), depth)
        contents = self.i.contents(value)
        if type(contents) is SetObject:
            return ("a frozenset", True) if contents.frozen else ("a set", False)
        if type(contents) is ListObject:
            return self.of_container("a list", contents.items or (), depth)
        if type(contents) is DictObject:
            return self.of_container("a dict", tuple(contents.items.values()), depth)
        if type(contents) is Instance and contents.cls.family == "linen" and not contents.cls.decorators:
            return f"a Flax module, `{contents.cls.definition.name}`", True
        if self.i.optax.is_optimiser(value):
            return "an optimiser of Optax", True
        if type(contents) is Instance and self.is_plain(contents.cls):
            return f"an instance of `{contents.cls.definition.name}`", _is_hashable(contents.cls)
        return None

    def of_container(self, name: str, items: tuple[v.Value, ...], depth: int) -> tuple[str, bool | None] | None:
        for item in items if depth < 4 else ():
            inner = self.refusal(item, depth + 1)
            if inner is not None:
                return f"{name} that holds {inner[0]}", inner[1] if name == "a tuple" else False
        return None

    def names_kind(self, name: str) -> str:
        """Whether a dotted name is certainly that of a function or of a class."""
        if name.startswith("builtins."):
            found = getattr(builtins, name.removeprefix("builtins."), None)
            return "class" if isinstance(found, type) else "function" if callable(found) else ""
        return knowledge.kind(name)

    # --- classes ------------------------------------------------------------------------------

    def is_plain(self, cls: v.ClassValue) -> bool:
        """Whether instances of the class are certainly no pytrees: nothing in the file can have registered it."""
        known = self.plain.get(cls.definition.site)
        if known is None:
            if self.registers_any is None:
                self.registers_any = any(self._registers_any(node) for node in self.i.unit.own)
            plain = not self.registers_any and all(self._is_plain(each) for each in cls.mro())
            known = self.plain[cls.definition.site] = plain
        return known

    def _registers_any(self, node: ir.Node) -> bool:
        """Whether this names a function that registers pytrees, for a class that is not told by its name."""
        last = node.id if type(node) is ir.Name else getattr(node, "attr", None)
        if type(node) is ir.Alias:
            return _REGISTERS.match(node.name.rpartition(".")[2]) is not None and node.asname not in (None, node.name)
        if not isinstance(last, str) or not _REGISTERS.match(last):
            return False
        above = self.i.unit.parent(node.site)
        if type(above) is ir.Call and above.func is node:
            classes = {each.name for each in self.i.unit.own if type(each) is ir.ClassDefinition}
            if any(type(arg) is ir.Name and arg.id in classes for arg in above.args):
                return False
        inner = node
        for outer in self.i.unit.ancestors(node.site):
            if type(outer) is ir.ClassDefinition:
                return not any(inner is decorator for decorator in outer.decorators)
            inner = outer
        return True

    def _is_plain(self, cls: v.ClassValue) -> bool:
        definition = cls.definition
        if cls.family not in ("", "dataclass") or definition.keywords or _SPECIAL & cls.members.keys():
            return False
        if not all(
            type(base) is v.ClassValue or (type(base) is v.Api and base.name in _PLAIN_BASES) for base in cls.bases
        ):
            return False
        if not all(self.i.decorator_name(decorator) in _PLAIN_DECORATORS for decorator in cls.decorators):
            return False
        if self.i.model.part(definition.site) is not None:
            return False  # the module it comes from may have neighbours that register it
        nodes = self.i.unit.own
        return all(self._is_harmless(node) for node in nodes if type(node) is ir.Name and node.id == definition.name)

    def _is_harmless(self, use: ir.Name) -> bool:
        """Whether a use of a class cannot register it: it is called, asked for a member, or stands in an annotation."""
        above = self.i.unit.parent(use.site)
        if type(above) is ir.Call:
            return above.func is use or (type(above.func) is ir.Name and above.func.id in _ASKS)
        if type(above) is ir.Attribute:
            return True
        if type(above) is ir.ClassDefinition:
            return any(base is use for base in above.bases)
        inner: ir.Node = use
        for outer in self.i.unit.ancestors(use.site):
            if isinstance(outer, (ir.Parameter, ir.Annotate)):
                return outer.annotation is inner
            if type(outer) is ir.Function:
                return outer.returns is inner
            if isinstance(outer, ir.Statement):
                return False
            inner = outer
        return False


def _parameter(signature: Signature, name: Any) -> ir.Parameter | None:
    """The parameter for a position or a keyword."""
    if isinstance(name, int):
        ordinary = [p for p in signature.parameters if p.kind in ("positional-only", "ordinary")]
        return ordinary[name] if name < len(ordinary) else None
    return next((p for p in signature.parameters if p.name == name), None)


def _is_hashable(cls: v.ClassValue) -> bool | None:
    """Whether instances can be hashed; a dataclass that is not frozen and compares by value cannot be."""
    if cls.family == "dataclass":
        return None
    return not any("__eq__" in each.members and "__hash__" not in each.members for each in cls.mro())
