"""Presumed activations: bodies that run under a transform in working code, although no caller is visible.

``jaxlint.conventions.PRESUMABLE`` names the conventions; ``tests/ecosystem/presumption.py`` measures how many reports
each adds to working code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint import syntax as ir
from jaxlint.semantics import values as v
from jaxlint.semantics.context import STAGED_CODE, Context, Trace
from jaxlint.semantics.origin import Origin
from jaxlint.semantics.signatures import signature_of
from jaxlint.semantics.transforms import entering, function_name
from jaxlint.semantics.values import untransformed

if TYPE_CHECKING:
    from jaxlint.semantics.interpret import Interpreter

_FRAMEWORKS = {"linen": "Flax", "nnx": "Flax", "haiku": "Haiku", "equinox": "Equinox"}
_ARRAYS = frozenset({"Array", "ndarray", "ArrayLike", "Tracer"})
# Of jaxtyping: `Float[Array, "batch dim"]`.
_TYPED = frozenset(
    "Shaped Num Real Inexact Float Complex Int UInt Integer Bool Float16 Float32 Float64 BFloat16 Int8 Int16 Int32 Int64"
    " UInt8 UInt16 UInt32 UInt64 Complex64 Complex128".split()
)
_UNIONS = frozenset({"Optional", "Union"})


MODULES = "modules"  # of ``conventions.PRESUMABLE``


class Presumption:
    """Component of the interpreter: runs the functions that a convention covers as if they were compiled."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.i = interpreter
        self.staged: set[int] = set()  # sites of functions that were run in staged code

    def covers(self, function: v.FunctionValue) -> bool:
        """Whether a convention that is switched on covers a function that no visible call runs in staged code."""
        owner = function.owner
        if owner is None or owner.family not in _FRAMEWORKS or MODULES not in self.i.conventions.presumed:
            return False
        markers = self.i.markers(function.function)
        if markers & {"staticmethod", "classmethod", "disable_jit", "expected-failure"}:
            return False
        is_entry = function.name == "__call__" or "compact" in markers
        return is_entry and function.function.site not in self.staged and bool(function.function.parameters)

    def run(self, method: v.FunctionValue, context: Context) -> None:
        """Run the method of a module with tracers for its parameters."""
        function, owner = method.function, method.owner
        assert owner is not None
        reason = f"modules of {_FRAMEWORKS[owner.family]} do in a compiled training step"
        origin = Origin(
            f"`{function.qualname}` is presumed to run under `jit`: {reason}", function.site, convention=MODULES
        )
        self.i.model.presumed.append(function.site)
        arguments = {
            parameter.name: self.argument(parameter, function, origin) for parameter in function.parameters[1:]
        }
        self.i.made_up += 1
        self.i.layers.run_bound(method, arguments, self.presumed(context, origin, function.site))
        self.i.made_up -= 1

    def covers_transformed(self, made: v.Transformed) -> bool:
        """Whether a convention covers the function of ``hk.transform``."""
        innermost = untransformed(made)
        return (
            MODULES in self.i.conventions.presumed and type(innermost) is v.FunctionValue and innermost.function.site not in self.staged
            and self.innermost_transform(made).transform.behaviour == "haiku_transform" and self.i.transforms.called.get(made.site) != {True}
        )  # fmt: skip

    def innermost_transform(self, made: v.Transformed) -> v.Transformed:
        while type(made.function) is v.Transformed:
            made = made.function
        return made

    def run_transformed(self, made: v.Transformed, context: Context) -> None:
        """Run the function of ``hk.transform`` with tracers for its parameters."""
        signature = signature_of(self.i, untransformed(made))
        name, site = function_name(made), signature.function.function.site
        reason = "functions of `hk.transform` do in a compiled training step"
        origin = Origin(f"{name} is presumed to run under `jit`: {reason}", site, convention=MODULES)
        self.i.model.presumed.append(site)
        call = signature.generic_call(self.i, made)
        args = [self.passed(value, node, origin) for value, node in zip(call.args, call.arg_nodes)]
        keywords = {name: self.passed(value, call.keyword_nodes[name], origin) for name, value in call.keywords.items()}
        outer, self.i.context = self.i.context, self.presumed(context, origin, site)
        self.i.made_up += 1
        self.i.haiku.enter(self.innermost_transform(made), entering(call, args, keywords))
        self.i.made_up -= 1
        self.i.context = outer

    def passed(self, value: v.Value, parameter: Any, origin: Origin) -> v.Value:
        """A generic argument, undecided where its parameter may hold arrays."""
        certain = (
            type(value) is v.Unknown and type(parameter) is ir.Parameter and _may_hold_arrays(parameter.annotation)
        )
        return v.Undecided(v.STAGED, origin, value.ident, maybe_static=True) if certain else value

    def presumed(self, context: Context, origin: Origin, site: int) -> Context:
        """The context of a body that is presumed to be compiled."""
        trace = Trace(v.fresh()[0], site, "jit", None, outermost=False)
        return context.but(stage=STAGED_CODE, pure=False, origin=origin, trace=trace, convention=origin.convention)

    def argument(self, parameter: ir.Parameter, function: ir.Function, origin: Origin) -> v.Value:
        """A parameter: undecided, unless a default or an annotation says that it may be something else than arrays."""
        if (
            parameter.kind in ("star", "double-star")
            or parameter.default is not None
            or not _may_hold_arrays(parameter.annotation)
        ):
            return self.i.anything(parameter)
        step = Origin(f"`{parameter.name}` is a parameter of `{function.name}`", parameter.site, origin)
        return v.Undecided(v.STAGED, step, v.fresh(), maybe_static=True)


def _may_hold_arrays(annotation: ir.Node | None) -> bool:
    """Whether a parameter with this annotation is an array; one without an annotation may be."""
    if annotation is None:
        return True
    if type(annotation) is ir.Constant and isinstance(annotation.value, str):
        name, bracket, _ = annotation.value.partition("[")
        return _last_part(name) in (_TYPED if bracket else _ARRAYS)
    if type(annotation) is ir.Subscript:
        name = _last_part(ir.dotted(annotation.value))
        inner = annotation.index.elements if type(annotation.index) is ir.Sequence else [annotation.index]
        if name in _UNIONS:
            return all(_is_none(part) or _may_hold_arrays(part) for part in inner)
        return name in _TYPED and bool(inner) and _may_hold_arrays(inner[0])
    if type(annotation) is ir.Binary and annotation.op == "|":
        return all(_is_none(part) or _may_hold_arrays(part) for part in (annotation.left, annotation.right))
    return _last_part(ir.dotted(annotation)) in _ARRAYS


def _last_part(dotted: str | None) -> str:
    return (dotted or "").rpartition(".")[2]


def _is_none(node: Any) -> bool:
    return type(node) is ir.Constant and node.value is None
