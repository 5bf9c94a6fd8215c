"""Beliefs: code that hands a value to `lax.cond` or `jax.debug.print` takes it to be traced.

Where the callers of a function are not visible, such a call is the only evidence. It narrows the value as a test does: what
follows on its path, and what came before on every path to it, meets a tracer. The convention is ``beliefs`` of
``jaxlint.project.custom_names.PRESUMABLE``; ``tests/ecosystem/presumption.py`` measures how many reports it adds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.state import Guards

BELIEFS = "beliefs"  # of ``custom_names.PRESUMABLE``

# Calls that only tracers need, with position and name of the argument. What eager code calls as well shows nothing: of
# `jnp.where`, `lax.select`, `stop_gradient`, the bounds of `fori_loop` and the starts of `dynamic_slice`.
_COLLECTIVES = ("all_gather", "all_to_all", "pmax", "pmean", "pmin", "ppermute", "psum")
_TAKEN = {
    "jax.lax.cond": (0, "pred"),
    "jax.lax.switch": (0, "index"),
    "jax.experimental.checkify.check": (0, "pred"),
    **{f"jax.lax.{name}": (0, "x") for name in _COLLECTIVES},
}
_SHOWN = frozenset({"jax.debug.print", "jax.debug.callback"})  # what follows the first argument
_REDUCTIONS = frozenset({"all", "any", "astype", "max", "mean", "min", "sum"})
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


class Decision(NamedTuple):
    """Where the Python value was needed: the hazard that this is where it is traced, its place, what is converted, by what."""

    hazard: Hazard
    node: ir.Node
    operand: ir.Node
    api: str | None
    frame: Frame
    guards: Guards


class Beliefs(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.decided: dict[v.Ident | None, list[Decision]] = {}  # by identity of a value that may be traced
        self.calls: dict[int, set[int]] = {}  # by site of a function, where it gives away what it takes to be traced
        # By site of a function, what shows that it is written for tracers.
        self.functions: dict[int, str] = interpreter.per_module({})
        interpreter.events.library_function_called.append(self.called, {*_TAKEN, *_SHOWN})

    @property
    def is_on(self) -> bool:
        context = self.i.context
        return BELIEFS in self.i.conventions.presumed and not context.pure and not context.transparent

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if type(self.i.frame.scope) is ir.Function:
            self.functions.setdefault(self.i.frame.scope.site, name.removeprefix("jax."))
        if self.is_on:
            for node in self.operands(name, call):
                self.believe(node, name, call)

    def operands(self, name: str, call: Call) -> list[ir.Node]:
        """The nodes of the arguments that are taken to be traced."""
        if name in _SHOWN:
            return [*call.arg_nodes[1:], *call.keyword_nodes.values()]
        node = call.node_of(*_TAKEN[name])
        return [] if node is None else [node]

    def believe(self, node: ir.Node, name: str, call: Call) -> None:
        """What an argument is made of is traced."""
        subject = self.subject(node)
        value = None if subject is None else self.value_of(subject)
        if subject is None or value is None or not self.may_be_traced(value, subject):
            return
        text = f"`{ir.dotted(subject)}` is taken to be traced: it is given to `{name.removeprefix('jax.')}`"
        origin = Origin(text, call.site, convention=BELIEFS)
        aval = value.aval if type(value) is v.Array else v.ANY
        traced = v.Array(v.STAGED, aval, origin, value.ident or v.fresh())
        for each in self.decided.pop(traced.ident, ()):
            if each.frame is self.i.frame and self.i.guards[: len(each.guards)] == each.guards:
                self.i.report(each.hazard, each.node, each.operand, traced, api=each.api)
        function = self.i.frame.scope.site
        if function not in self.calls and function in self.i.unit:
            self.i.model.presumed.append(function)
        self.calls.setdefault(function, set()).add(call.site)
        self.narrow(subject, value, traced)

    def decides(
        self, node: ir.Node, value: v.Value, hazard: Hazard, at: ir.Node | None = None, api: str | None = None
    ) -> None:
        """The Python value of what may be traced is needed, by the call ``at`` of ``api`` where one needs it."""
        if not self.is_on or type(value) not in (v.Unknown, v.Array, v.Undecided):
            return
        subject = self.subject(node)
        asked = None if subject is None else self.value_of(subject)
        if subject is not None and asked is not None and asked.ident is not None and self.may_be_traced(asked, subject):
            decision = Decision(hazard, at or node, node, api, self.i.frame, self.i.guards)
            self.decided.setdefault(asked.ident, []).append(decision)

    def outside(self, function: ir.Function, result: v.Value) -> v.Value:
        """The result of a function as its caller sees it, which may be eager: what the function takes to be traced stays in it."""
        calls = self.calls.get(function.site)
        if calls is None or not any(_root(leaf) in calls for leaf in self.i.leaves([result])):
            return result

        return self.undone(result, calls)

    def undone(self, value: v.Value, calls: set[int]) -> v.Value:
        """A value as it is without the beliefs that rest on these calls."""
        if type(value) in (v.Tuple, v.Ref):
            return self.i.transforms.rebuilt(value, lambda part: self.undone(part, calls))
        if _root(value) not in calls:
            return value
        return v.Array(v.MAYBE, value.aval, None, value.ident) if type(value) is v.Array else v.Unknown(value.ident)

    # --- values -------------------------------------------------------------------------------

    def subject(self, node: ir.Node) -> ir.Name | ir.Attribute | None:
        """The name of which an expression is made by operations that give a tracer for a tracer alone; None where there is none."""
        if type(node) is ir.Name or (type(node) is ir.Attribute and type(node.value) is ir.Name):
            return node
        if type(node) is ir.Unary:
            return self.subject(node.operand)
        if type(node) is ir.Compare:
            return self.only([node.left, *node.rights]) if _COMPARISONS.issuperset(node.ops) else None
        if type(node) is ir.Binary:
            return self.only([node.left, node.right])
        if type(node) is not ir.Call:
            return None
        callee = self.i.last_callee.get(node.site)
        if type(callee) is v.Api:
            found = knowledge.facts(callee.name) if callee.name.startswith("jax.") else None
            return self.only(node.args) if found is not None and found.result == "array" else None
        function = node.func
        if type(function) is not ir.Attribute or function.attr not in _REDUCTIONS:
            return None
        return self.subject(function.value)

    def only(self, nodes: Iterable[ir.Node]) -> ir.Name | ir.Attribute | None:
        """The subject of the one expression that is no constant."""
        others = [node for node in nodes if not self.is_constant(node)]
        return self.subject(others[0]) if len(others) == 1 else None

    def is_constant(self, node: ir.Node) -> bool:
        if type(node) is ir.Unary:
            return self.is_constant(node.operand)
        value = self.value_of(node) if type(node) is ir.Name else None
        return type(node) is ir.Constant or type(value) in (v.Const, v.Static)

    def value_of(self, node: ir.Node) -> v.Value | None:
        """The value of a name in a function, or of an attribute of an object that is not followed and of a NamedTuple."""
        if type(node) is ir.Name:
            owner = self.i.owner(node.id)
            return None if owner is None or owner.parent is None else self.i.variables(owner)[node.id]
        if type(node) is not ir.Attribute:
            return None
        base = self.value_of(node.value)
        if base is None or type(base) not in (v.Unknown, v.Undecided, v.Tuple):
            return None
        with self.i.muted():
            return self.i.attribute(node, base, node.attr)

    def may_be_traced(self, value: v.Value, node: ir.Node) -> bool:
        """Whether a value may be a tracer; a parameter with a default or an annotation of something else is hardly one."""
        if type(value) is v.Array:
            return value.mode == v.MAYBE
        if type(value) is v.Undecided:
            return value.maybe_static
        if type(value) is not v.Unknown or value.options:
            return False
        if type(node) is ir.Name:
            owner = self.i.owner(node.id)
            scope = None if owner is None else owner.scope
            for parameter in scope.parameters if type(scope) is ir.Function else ():
                if parameter.name == node.id:
                    plain = parameter.default is not None or parameter.kind in ("star", "double-star")
                    return not plain and self.i.presumption.may_hold_arrays(parameter.annotation, owner)
        return True

    def narrow(self, node: ir.Node, value: v.Value, traced: v.Array) -> None:
        """Every name of the value is bound to a tracer from here on."""
        assert self.i.state is not None
        base = self.value_of(node.value) if type(node) is ir.Attribute else None
        if type(node) is ir.Attribute and base is not None and base.ident is not None:
            self.i.entered_idents.add(base.ident)
            self.i.state.set_field(base.ident, node.attr, traced)
            return

        name_node = node.value if type(node) is ir.Attribute else node
        frame = self.i.owner(name_node.id) if type(name_node) is ir.Name else None
        while frame is not None and frame.parent is not None:
            for name, held in list(self.i.variables(frame).items()):
                new = _narrowed(held, value, traced)
                if new is not held:
                    self.i.state.store(frame.serial, name, new)
            frame = frame.parent


def _narrowed(held: v.Value, value: v.Value, traced: v.Array) -> v.Value:
    """What is held, with the tracer in each place of the value."""
    if type(held) is v.Tuple and held.items is not None:
        items = tuple([_narrowed(item, value, traced) for item in held.items])
        return held if items == held.items else v.Tuple(items, fields=held.fields)
    return traced if held is value or (value.ident is not None and held.ident == value.ident) else held


def _root(value: v.Value) -> int | None:
    """The site of the call on whose belief a value rests."""
    step = value.origin
    while step is not None and step.convention != BELIEFS:
        step = step.parent
    return None if step is None else step.site
