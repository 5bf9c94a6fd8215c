"""Presumed activations: bodies that run under a transform in working code, although no caller is visible.

``jaxlint.project.custom_names.PRESUMABLE`` names the conventions; ``tests/ecosystem/presumption.py`` measures how many reports
each adds to working code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE, Context, Frame, Trace
from jaxlint.analysis.domain.hazards import RAISING, Exclusion, Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.signatures import signature_of
from jaxlint.analysis.domain.values import untransformed
from jaxlint.analysis.interpreter.must_execute import is_main_guard
from jaxlint.analysis.models.annotations import TYPE_VARIABLE
from jaxlint.analysis.transforms.wrap_and_call import entering, function_name
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import transform
from jaxlint.source.libraries import OF_JAX

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_ANY_TYPE = frozenset({"typing.Any", TYPE_VARIABLE})
_FRAMEWORKS = {"linen": "Flax", "nnx": "Flax", "haiku": "Haiku", "equinox": "Equinox"}
_PASSED = frozenset({"positional-only", "ordinary", "keyword-only"})
REFUTING, REFUTING_IN_ONE = 2, 3  # statements that fail, and places in one statement


_NOT_COVERED = frozenset({"staticmethod", "classmethod", "disable_jit", "expected-failure"})
_ENVIRONMENTS = (("reset", "step"), ("reset_env", "step_env"))
_LIBRARIES = frozenset(OF_JAX) - {"jax"}

# Of ``custom_names.PRESUMABLE``.
MODULES, ENVIRONMENTS, CALLBACKS, ARRAYS = "modules", "environments", "callbacks", "arrays"


class Presumption(Component):
    """Component of the interpreter: runs the functions that a convention covers as if they were compiled."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Sites of functions that were run in staged code with arguments that are known.
        self.staged: set[int] = self.i.per_module(set())

        # Sites of functions that a script or a notebook calls without a transform.
        self.eager: set[int] = self.i.per_module(set())

        # By site of a function, the function of a library that it is given to.
        self.given: dict[int, str] = self.i.per_module({})
        # By site of a function, what presumed calls show to fail in it, or in what it calls that is no module.
        self.failing: dict[int, dict[tuple[type[Hazard], int], ir.Statement | None]] = {}
        interpreter.events.called.append(self.called, (v.Api,))

    def seen_staged(self, function: ir.Function, arguments: Mapping[str, v.Value]) -> None:
        """A call in staged code. One whose arguments are not known shows nothing that a presumed call would repeat."""
        required = (each.name for each in function.parameters if each.default is None and each.kind in _PASSED)
        if all(type(arguments.get(name)) is not v.Unknown for name in required):
            self.staged.add(function.site)

    def is_tried_out(self, function: ir.Function, call: int) -> bool:
        """Whether a file calls a module of its own under `if __name__ == "__main__":`, which says nothing of its use elsewhere.

        What the block does by a function such as `main()` is a program.
        """
        unit, first = self.i.unit, self.i.chain[0] if self.i.chain else call
        outermost = unit.nodes[self.i.stack[0]] if self.i.stack else function
        if not isinstance(outermost, ir.Function) or not self.is_entry(outermost) or outermost.site not in unit:
            return False
        return any(type(each) is ir.If and is_main_guard(each) for each in unit.ancestors(first))

    def covers(self, function: v.FunctionValue) -> tuple[str, str] | None:
        """The convention that covers a function that no visible call runs in staged code, and the reason for it."""
        site, markers = function.function.site, self.i.markers(function.function)
        if site in self.staged | self.eager or not function.function.parameters or markers & _NOT_COVERED:
            return None
        for convention, asks in (
            (MODULES, self.of_module), (ENVIRONMENTS, self.of_environment), (CALLBACKS, self.of_library), (ARRAYS, self.of_arrays)
        ):  # fmt: skip
            reason = asks(function) if convention in self.i.conventions.presumed else None
            if reason is not None:
                return convention, reason
        return None

    def of_module(self, function: v.FunctionValue) -> str | None:
        owner = function.owner
        if owner is None or owner.family not in _FRAMEWORKS:
            return None
        is_entry = self.is_entry(function.function)
        return f"modules of {_FRAMEWORKS[owner.family]} do in a compiled training step" if is_entry else None

    def of_environment(self, function: v.FunctionValue) -> str | None:
        """`reset` that is given a key and `step` that is given a state, in JAX: nothing else keeps the state."""
        if function.owner is None or not function.function.is_method or not self.names_jax(function):
            return None
        for reset, step in _ENVIRONMENTS:
            given = (self.required(function.owner.lookup(reset)), self.required(function.owner.lookup(step)))
            if function.name in (reset, step) and given[0] >= 2 and given[1] >= 3:
                return "environments that are given their state do in a compiled rollout"
        return None

    def names_jax(self, function: v.FunctionValue) -> bool:
        """Whether the body of a function says a name of JAX."""
        named = (self.i.named(name, function.frame) for name in function.function.free)
        return any(type(value) is v.Api and value.name.partition(".")[0] == "jax" for value in named)

    def required(self, method: v.Value | None) -> int:
        """How many arguments a method cannot do without."""
        function = v.untransformed(method) if method is not None else None
        parameters = function.function.parameters if type(function) is v.FunctionValue else ()
        return sum(each.default is None and each.kind in _PASSED for each in parameters)

    def of_library(self, function: v.FunctionValue) -> str | None:
        library = self.given.get(function.function.site)
        return None if library is None else f"functions that are given to `{library}` do"

    def of_arrays(self, function: v.FunctionValue) -> str | None:
        taken = self.i.beliefs.functions.get(function.function.site)
        annotated = any(
            each.annotation is not None
            and each.default is None
            and self.i.annotations.is_array(each.annotation, function.frame)
            for each in function.function.parameters
        )
        return f"functions of arrays that call `{taken}` do" if taken is not None and annotated else None

    def called(self, callee: v.Value, call: Call) -> None:
        """A function that is given to a library made for JAX."""
        if (
            type(callee) is not v.Api
            or CALLBACKS not in self.i.conventions.presumed
            or transform(callee.name) is not None
        ):
            return
        if callee.name.partition(".")[0] in _LIBRARIES:
            for value in call.all():
                function = value.function if isinstance(value, (v.Partial, v.BoundMethod)) else value
                if isinstance(function, v.FunctionValue):
                    self.given.setdefault(function.function.site, callee.name)

    def run(self, method: v.FunctionValue, context: Context, covered: tuple[str, str]) -> None:
        """Run a function with tracers for its parameters."""
        function, (convention, reason) = method.function, covered
        origin = Origin(
            f"`{function.qualname}` is presumed to run under `jit`: {reason}", function.site, convention=convention
        )
        self.staged.add(function.site)
        self.i.model.presumed.append(function.site)
        is_bound = method.owner is not None and (function.is_method or convention == MODULES)
        given = function.parameters[1:] if is_bound else function.parameters
        arguments = {parameter.name: self.argument(parameter, method, origin) for parameter in given}
        with self.i.synthetic_calls(), self.refutable(function):
            presumed = self.presumed(context, origin, function.site)
            if is_bound:
                self.i.run_method(method, arguments, presumed)
            else:
                self.i.run(method, arguments, presumed, function.site, function.qualname, v.fresh()[0])

    @contextmanager
    def refutable(self, function: ir.Function) -> Iterator[None]:
        """Withdraw what a presumed call shows if several of its statements fail: working code then runs without a transform.

        What fails in a module that it calls says nothing of the function itself, but of that module. A function may fail in one
        statement for one call and in another for the next.
        """
        before = set(self.i.found)
        yield
        shown = [(key, hazard) for key, hazard in self.i.found.items() if key not in before and hazard.convention]
        raising = [(key, hazard) for key, hazard in shown if hazard.consequence in RAISING]
        failing = {
            key: self.i.unit.statement(hazard.site)
            for key, hazard in raising
            if self.entry_of(hazard) in (None, function)
        }
        withdrawn = [key for key, _ in shown] if _refutes(failing) else []
        for key, hazard in raising:
            scope, entry = self.i.unit.scope(hazard.site), self.entry_of(hazard) or function
            helper = isinstance(scope, ir.Function) and self.entered(hazard.site) is None
            for site in (entry.site, scope.site) if helper else (entry.site,):
                together = self.failing.setdefault(site, {})
                together[key] = self.i.unit.statement(hazard.site)
                if _refutes(together):
                    withdrawn += together
        for key in dict.fromkeys(withdrawn):
            withdrawn_hazard = self.i.found.get(key)
            if withdrawn_hazard is not None and withdrawn_hazard.convention:
                del self.i.found[key]
                self.i.model.excluded.append((withdrawn_hazard, Exclusion.HOST_CODE))

    def entry_of(self, hazard: Hazard) -> ir.Function | None:
        """The method of a module by which a call came to what fails, the innermost one."""
        found = (self.entered(site) for site in (hazard.site, *reversed(hazard.chain)))
        return next((each for each in found if each is not None), None)

    def entered(self, site: int) -> ir.Function | None:
        """The method of a module around a site by which others enter it; None in any other code."""
        functions = (each for each in self.i.unit.ancestors(site) if isinstance(each, ir.Function))
        return next((each for each in functions if self.is_entry(each)), None)

    def is_entry(self, function: ir.Function) -> bool:
        return function.name == "__call__" or "compact" in self.i.markers(function)

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
        with (
            self.i.within(self.presumed(context, origin, site)),
            self.i.synthetic_calls(),
            self.refutable(innermost.function),
        ):
            self.i.haiku.enter(self.innermost_transform(made), entering(call, args, keywords))

    def passed(self, value: v.Value, parameter: ir.Node, origin: Origin) -> v.Value:
        """A generic argument, undecided where its parameter may hold arrays."""
        certain = (
            type(value) is v.Unknown
            and type(parameter) is ir.Parameter
            and self.may_hold_arrays(parameter.annotation, None)
        )
        structure = v.structure_of(value)
        return v.Undecided(v.STAGED, origin, value.ident, maybe_static=True, structure=structure) if certain else value

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

    def may_hold_arrays(self, annotation: ir.Expression | None, frame: Frame | None) -> bool:
        """Whether a parameter with this annotation is an array, or holds arrays alone; one of any type may."""
        named = self.i.annotations.named(annotation, frame)
        of_any_type = isinstance(named, (v.Api, v.OpaqueInstance)) and named.name in _ANY_TYPE
        return annotation is None or of_any_type or self.i.annotations.holds_arrays(annotation, frame)


def _refutes(failing: Mapping[tuple[type[Hazard], int], ir.Statement | None]) -> bool:
    """Whether so much fails that the code runs without a transform: in several statements, or at many places of one."""
    return len(set(failing.values())) >= REFUTING or len(failing) >= REFUTING_IN_ONE
