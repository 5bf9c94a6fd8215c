"""Arguments of compiled functions whose static part, or structure, is another object in each pass of a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.transforms.argument_sources import LEAST_MADE, Sources, View, passes_around, runs_compiled, times
from jaxlint.analysis.transforms.changing_numbers import counting
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import declared_names, only_target
from jaxlint.knowledge.optimisers import STEPPING

if TYPE_CHECKING:
    from jaxlint.analysis.domain.call import Call

_DEPTH = 8
_PARTIALS = frozenset({"functools.partial", "jax.tree_util.Partial"})
# Transforms that give another function object in each call, which is equal to no other.
_MAKING = frozenset(
    {"jax.jit", "jax.vmap", "jax.grad", "jax.value_and_grad", "equinox.filter_jit", "equinox.filter_vmap"}
)
_OPTIMISERS = STEPPING | {"optax.chain"}

Part = tuple[ir.Node, str, str]  # what makes it, what it is, and the field that holds it


@hazard_class(consequence=Consequence.SILENT)
class FreshPart(Hazard):
    """A part of the structure of an argument is another object in each pass, and the function is compiled in each.

    Site: what makes it, or the static field that holds another number; operand: the same.
    """

    function: v.Value
    call: int  # site of the call
    what: str  # "function", "optimizer"; "field": a static field that counts
    field: str  # that holds it


class FreshParts(Checker):
    """Arguments of compiled functions that are called in loops."""

    def subscribe(self, events: Events) -> None:
        events.compiled_called.append(self.called)

    def called(self, made: v.Transformed, call: Call) -> None:
        """Note the part of an argument's structure that each pass of a loop makes anew."""
        if not runs_compiled(self.i, made) or not isinstance(call.node, ir.Call) or self.i.possible:
            return
        filtered = made.transform.name == "equinox.filter_jit"
        for loop, view in passes_around(self.i, call):
            count = times(self.i, loop)
            if count is not None and count < LEAST_MADE:
                continue
            for node in (*call.node.args, *(each.value for each in call.node.keywords)):
                found = Parts(self.i, loop).structure(node, view, filtered)
                if found is not None:
                    fresh, what, field = found
                    hazard = FreshPart(made.function, call.site, what, field)
                    self.i.report(hazard, fresh, fresh, made, api=made.transform.name)
                    return


class Parts(Sources):
    """Follows the arguments of one call to what is new in them."""

    def new(self, node: ir.Node, view: View, depth: int = 0) -> tuple[ir.Node, str] | None:
        """What makes a static argument anew in each pass, with what it is; None where it may be the same, or an equal one."""
        while type(node) is ir.Name:
            binder = self.reaching_definition(node, node.id, view)
            if isinstance(binder, ir.Define) and not view.fixed:
                return binder, "function"
            seen = self.of_name(node, view, depth)
            if seen is None:
                return None
            node, view = seen
        made = self.made_anew(node, view, depth)
        if made is None:
            return None
        node = made[0]
        if isinstance(node, ir.Lambda):
            return node, "function"
        name = self.i.library_name(self.callee(node)) if isinstance(node, ir.Call) else None
        if name in _PARTIALS or name in _MAKING:
            return node, "function"
        return (node, "optimizer") if name is not None and self.is_optimizer(node) else None

    def is_optimizer(self, node: ir.Node) -> bool:
        """Whether a call makes a pair of functions of Optax."""
        return isinstance(node, ir.Call) and self.i.library_name(self.callee(node)) in _OPTIMISERS

    def structure(self, node: ir.Node, view: View, filtered: bool, depth: int = 0) -> Part | None:
        """What makes a static part of an argument anew in each pass. ``filtered``: each leaf that is no array is static."""
        if depth > _DEPTH:
            return None
        while type(node) is ir.Name:
            binder = self.reaching_definition(node, node.id, view)
            if isinstance(binder, (ir.For, ir.Clause)):
                found = (
                    self.structure(each, at, filtered, depth + 1)
                    for each, at in self.elements(binder, node.id, view, depth)
                )
                return next((each for each in found if each is not None), None)
            seen = self.of_name(node, view, depth)
            if seen is None:
                return None
            node, view = seen
        made = self.made_anew(node, view, depth)
        if made is None:
            return None
        node, view = made
        if isinstance(node, (ir.Sequence, ir.Dict)):
            parts = node.elements if isinstance(node, ir.Sequence) else node.values
            each_part = (self.structure(each, view, filtered, depth + 1) for each in parts)
            return next((each for each in each_part if each is not None), None)
        if not isinstance(node, ir.Call):
            return None
        callee = self.callee(node)
        if self.i.library_name(callee) == "jax.tree_util.Partial" and node.args:
            inside = self.new(node.args[0], view, depth + 1)
            return None if inside is None else (node, inside[1], "")
        if type(callee) is v.ClassValue:
            return self.of_object(node, callee, view, filtered, depth)
        if isinstance(node.func, ir.Attribute) and node.func.attr == "replace":
            return self.replaced(node, callee, view, depth)
        return None

    def of_object(self, call: ir.Call, cls: v.ClassValue, view: View, filtered: bool, depth: int) -> Part | None:
        """A static field of an object that each pass makes."""
        static = self.i.pytrees.static_fields(cls)
        everything = filtered and cls.family == "equinox"
        if static is None and not everything:
            return None
        for name, value, at in self.fields(call, cls, view):
            if not everything and name not in (static or ()):
                continue
            found = self.new(value, at, depth + 1)
            if found is not None:
                return (*found, name)
            declared = self.declaration(cls, name) if name in (static or ()) else None
            if declared is not None and self.counts_passes(value, at):
                return declared, "field", name
        return None

    def counts_passes(self, value: ir.Node, view: View) -> bool:
        """Whether an expression counts the passes of a long loop."""
        if not isinstance(value, ir.Name):
            return False
        binder = self.reaching_definition(value, value.id, view)
        return isinstance(binder, (ir.For, ir.Clause)) and value.id in set(counting(self.i, binder))

    def declaration(self, cls: v.ClassValue, name: str) -> ir.Node | None:
        for statement in cls.definition.body:
            if isinstance(statement, ir.Annotate) and ir.dotted(statement.target) == name:
                return statement
        return None

    def fields(self, call: ir.Call, cls: v.ClassValue, view: View) -> list[tuple[str, ir.Node, View]]:
        """What the call of a class gives its fields, by their names."""
        found: list[tuple[str, ir.Node, View]] = []
        init = cls.lookup("__init__")
        if type(init) is not v.FunctionValue:
            names = declared_names(cls.definition)
            if any(type(each) is ir.Starred for each in call.args):
                return []
            found += [(name, value, view) for name, value in zip(names, call.args)]
            found += [(each.name, each.value, view) for each in call.keywords if each.name]
            return found
        inside = View(None, self.arguments(init.function, call, view, (call, view)))
        own = init.function.parameters[0].name if init.function.parameters else ""
        for statement in init.function.body:
            target = only_target(statement)
            if isinstance(statement, ir.Assign) and isinstance(target, ir.Attribute) and ir.dotted(target.value) == own:
                found.append((target.attr, statement.value, inside))
        return found

    def replaced(self, call: ir.Call, callee: v.Value | None, view: View, depth: int) -> Part | None:
        """A static field that `replace` sets."""
        receiver = callee.receiver if isinstance(callee, (v.BoundMethod, v.Member)) else None
        contents = self.i.contents(receiver) if receiver is not None else None
        static = self.i.pytrees.static_fields(contents.cls) if type(contents) is Instance else None
        for keyword in call.keywords if static else ():
            found = self.new(keyword.value, view, depth + 1) if keyword.name in (static or ()) else None
            if found is not None:
                return (*found, keyword.name or "")
        return None
