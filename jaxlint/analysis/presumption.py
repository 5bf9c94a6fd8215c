"""Presumed activations: bodies that run under a transform in working code, although no caller is visible.

``jaxlint.project.custom_names.PRESUMABLE`` names the conventions; ``tests/ecosystem/presumption.py`` measures how many reports
each adds to working code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE, Context, Frame, Trace
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.signatures import signature_of
from jaxlint.analysis.domain.values import untransformed
from jaxlint.analysis.transforms.wrap_and_call import entering, function_name
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_FRAMEWORKS = {"linen": "Flax", "nnx": "Flax", "haiku": "Haiku", "equinox": "Equinox"}
_PASSED = frozenset({"positional-only", "ordinary", "keyword-only"})


MODULES = "modules"  # of ``conventions.PRESUMABLE``


class Presumption:
    """Component of the interpreter: runs the functions that a convention covers as if they were compiled."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.i = interpreter
        # Sites of functions that were run in staged code with arguments that are known.
        self.staged: set[int] = self.i.per_module(set())

        # Sites of functions that a script or a notebook calls without a transform.
        self.eager: set[int] = self.i.per_module(set())

    def seen_staged(self, function: ir.Function, arguments: Mapping[str, v.Value]) -> None:
        """A call in staged code. One whose arguments are not known shows nothing that a presumed call would repeat."""
        required = (each.name for each in function.parameters if each.default is None and each.kind in _PASSED)
        if all(type(arguments.get(name)) is not v.Unknown for name in required):
            self.staged.add(function.site)

    def covers(self, function: v.FunctionValue) -> bool:
        """Whether a convention that is switched on covers a function that no visible call runs in staged code."""
        owner = function.owner
        if owner is None or owner.family not in _FRAMEWORKS or MODULES not in self.i.conventions.presumed:
            return False
        markers = self.i.markers(function.function)
        if markers & {"staticmethod", "classmethod", "disable_jit", "expected-failure"}:
            return False
        is_entry = function.name == "__call__" or "compact" in markers
        return (
            is_entry and function.function.site not in self.staged | self.eager and bool(function.function.parameters)
        )

    def run(self, method: v.FunctionValue, context: Context) -> None:
        """Run the method of a module with tracers for its parameters."""
        function, owner = method.function, method.owner
        assert owner is not None
        reason = f"modules of {_FRAMEWORKS[owner.family]} do in a compiled training step"
        origin = Origin(
            f"`{function.qualname}` is presumed to run under `jit`: {reason}", function.site, convention=MODULES
        )
        self.staged.add(function.site)
        self.i.model.presumed.append(function.site)
        arguments = {parameter.name: self.argument(parameter, method, origin) for parameter in function.parameters[1:]}
        with self.i.synthetic_calls():
            self.i.layers.run_bound(method, arguments, self.presumed(context, origin, function.site))

    def covers_transformed(self, made: v.Transformed) -> bool:
        """Whether a convention covers the function of ``hk.transform``."""
        innermost = untransformed(made)
        return (
            MODULES in self.i.conventions.presumed and type(innermost) is v.FunctionValue and innermost.function.site not in self.staged | self.eager
            and self.innermost_transform(made).transform.behaviour == "haiku_transform" and self.i.transforms.called.get(made.site) != {True}
        )  # fmt: skip

    def innermost_transform(self, made: v.Transformed) -> v.Transformed:
        while type(made.function) is v.Transformed:
            made = made.function
        return made

    def run_transformed(self, made: v.Transformed, context: Context) -> None:
        """Run the function of ``hk.transform`` with tracers for its parameters."""
        innermost = untransformed(made)
        assert isinstance(innermost, v.FunctionValue)  # of what `covers_transformed` admits
        signature = signature_of(self.i, innermost)
        name, site = function_name(made), innermost.function.site
        reason = "functions of `hk.transform` do in a compiled training step"
        origin = Origin(f"{name} is presumed to run under `jit`: {reason}", site, convention=MODULES)
        self.staged.add(site)
        self.i.model.presumed.append(site)
        call = signature.generic_call(self.i, made)
        args = [self.passed(value, node, origin) for value, node in zip(call.args, call.arg_nodes)]
        keywords = {name: self.passed(value, call.keyword_nodes[name], origin) for name, value in call.keywords.items()}
        with self.i.within(self.presumed(context, origin, site)), self.i.synthetic_calls():
            self.i.haiku.enter(self.innermost_transform(made), entering(call, args, keywords))

    def passed(self, value: v.Value, parameter: Any, origin: Origin) -> v.Value:
        """A generic argument, undecided where its parameter may hold arrays."""
        certain = (
            type(value) is v.Unknown
            and type(parameter) is ir.Parameter
            and self.may_hold_arrays(parameter.annotation, None)
        )
        return v.Undecided(v.STAGED, origin, value.ident, maybe_static=True) if certain else value

    def presumed(self, context: Context, origin: Origin, site: int) -> Context:
        """The context of a body that is presumed to be compiled."""
        trace = Trace(v.fresh()[0], site, "jit", None, outermost=False)
        return context.but(stage=STAGED_CODE, pure=False, origin=origin, trace=trace, convention=origin.convention)

    def argument(self, parameter: ir.Parameter, method: v.FunctionValue, origin: Origin) -> v.Value:
        """A parameter: undecided, unless a default or an annotation says that it may be something else than arrays."""
        if parameter.kind in ("star", "double-star") or parameter.default is not None:
            return self.i.anything(parameter)
        step = Origin(f"`{parameter.name}` is a parameter of `{method.name}`", parameter.site, origin)
        if self.may_hold_arrays(parameter.annotation, method.frame):
            return v.Undecided(v.STAGED, step, v.fresh(), maybe_static=True)
        tree = self.i.annotations.pytree(parameter.annotation, method.frame)
        return self.i.anything(parameter) if tree is None else self.leaf(tree, step)

    def leaf(self, value: v.Value, origin: Origin) -> v.Value:
        """An argument whose arrays are undecided."""
        if type(value) is v.Array:
            return v.Undecided(v.STAGED, origin, value.ident, maybe_static=True)
        if type(value) in (v.Tuple, v.Ref):
            return self.i.transforms.rebuilt(value, lambda part: self.leaf(part, origin))
        return v.Unknown(v.fresh())

    def may_hold_arrays(self, annotation: ir.Node | None, frame: Frame | None) -> bool:
        """Whether a parameter with this annotation is an array; one without an annotation may be."""
        return annotation is None or self.i.annotations.is_array(annotation, frame)
