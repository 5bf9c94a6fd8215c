"""Modules of Flax Linen: called in a scope, set up when they are first called, frozen after that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Context, configuring
from jaxlint.analysis.domain.state import Instance, ListObject
from jaxlint.analysis.models import linen
from jaxlint.analysis.models.frameworks import Framework
from jaxlint.analysis.models.linen_parameters import Sizes
from jaxlint.analysis.models.linen_scope import SETTING_UP
from jaxlint.analysis.models.training_modes import AverageInTraining, is_differentiated

if TYPE_CHECKING:
    from jaxlint.analysis.models.linen_scope import Given

# Arguments of `apply` that are not the method's own.
_OF_APPLY = ("rngs", "method", "mutable", "capture_intermediates")
_METHODS = frozenset({"apply", "bind", "init", "init_with_output", "lazy_init", "tabulate"})


class LinenModules(Framework):
    def defined(self, cls: v.ClassValue) -> None:
        self.i.linen.defined(cls)

    def refuses_object(self, ref: v.Ref, cls: v.ClassValue, call: Call) -> bool:
        self.i.linen_scope.made(cls.definition.name, ref.heap_ident, call)
        return False

    def is_frozen(self, module: v.Ref, contents: Instance) -> bool:
        """Linen freezes a module once it is set up."""
        running = (self.i.unit.nodes[site] for site in self.i.stack)
        return contents.cls.lookup("__setattr__") is None and not any(each.name in SETTING_UP for each in running)

    # --- calls --------------------------------------------------------------------------------

    def call_object(self, ref: v.Ref, contents: Instance, method: v.Value, call: Call) -> v.Value:
        if not contents.called:
            assert self.i.state is not None
            bound = Instance(contents.cls, self.frozen(contents), True)
            self.i.state.write(ref.location, bound)
            self.i.module_setup.run(ref, bound)
        if type(method) is v.FunctionValue and "compact" in self.i.markers(method.function):
            self.i.linen_scope.called(ref.heap_ident, contents.cls.definition.name, call)
        with self.i.within(self.i.linen.within(contents)):
            return self.i.call(method, call.shifted((ref,), {}))

    def call_method(self, method: v.Value, receiver: v.Value, call: Call) -> v.Value:
        self.i.linen_scope.method_called(receiver, method, call)
        return super().call_method(method, receiver, call)

    def call_inherited(self, receiver: v.Ref, contents: Instance, name: str, call: Call) -> v.Value | None:
        """The module itself is frozen: none of Linen's own methods changes it."""
        if name in linen.METHODS:
            return self.i.linen.method(name, call)
        if name == "apply":
            if self.i.linen.initialises(contents.cls, contents.cls.lookup("__call__")):
                self.i.linen_scope.applied(contents.cls.key, call)
            return self.apply(receiver, contents, call, self.i.linen_scope.given(call))
        if name in ("init", "init_with_output", "lazy_init"):
            # It runs the method as well, to see what parameters it makes.
            self.i.layer_keys.initialised(contents, call)
            self.apply(receiver, contents, call, given=None)
        self.i.keys.given_to_unknown(call)
        self.i.havoc_given(call)
        if name == "init":
            made = self.i.linen_scope.initialised(contents.cls.key)
            self.i.linen_parameters.gave(receiver, made)
            return made
        if name != "bind":
            return v.Unknown(v.fresh())
        bound = self.i.new_object(Instance(contents.cls, self.frozen(contents), True))
        self.i.module_setup.run(bound, contents)
        return bound

    def frozen(self, contents: Instance) -> dict[str, v.Value]:
        """The fields of a module that is bound to its variables: its lists become tuples."""
        return {name: self.as_tuples(value) for name, value in contents.fields.items()}

    def as_tuples(self, value: v.Value) -> v.Value:
        listed = self.i.contents(value)
        if type(listed) is ListObject and listed.items is not None:
            return v.Tuple(tuple(map(self.as_tuples, listed.items)))
        return value

    def gives(self, attr: str) -> bool:
        return attr in _METHODS or attr in linen.METHODS

    def apply(self, receiver: v.Ref, contents: Instance, call: Call, given: Given | None) -> v.Value:
        """``module.apply(variables, *args, method=…, mutable=…, **kwargs)``"""
        given_method = call.keywords.get("method", v.UNKNOWN if call.double_star else v.NONE)
        method = self.method(contents, given_method)
        keywords = {name: value for name, value in call.keywords.items() if name not in _OF_APPLY}
        if method is None or not (call.args or "variables" in keywords):
            return self.i.call_unknown(v.Member(receiver, "apply", call.site), call)
        keywords.pop("variables", None)
        context = self.i.linen.running(contents.cls, method, given)
        bound = self.i.new_object(Instance(contents.cls, self.frozen(contents)))
        with self.i.within(context):
            self.i.module_setup.run(bound, contents)
        inner = Call(
            call.node,
            [bound, *call.args[1:]],
            [call.node, *call.arg_nodes[1:]],
            keywords,
            call.keyword_nodes,
            call.star,
            call.double_star,
        )
        inner.entering = call.entering
        sizes: Sizes = {}
        with self.i.within(context), self.i.linen_parameters.running(context, sizes):
            result = self.i.call(method, inner)
        if given is not None and given.averages and not given.updates and "batch_stats" in (given.mutable or ()):
            if is_differentiated(self.i):
                node = given.averages[0]
                self.i.report(AverageInTraining(call.site), node, node, v.UNKNOWN, origin=self.i.context.origin)
        if given is None:
            self.i.linen_parameters.initialised(receiver, sizes)
        elif self.i.linen_parameters.refuses(receiver, call, sizes):
            return v.UNKNOWN
        if self.i.state is not None and (given is None or self.i.linen_scope.is_drawing(method)):
            self.i.keys.streams(call, given.drawn if given is not None else ())
        gives_variables = "capture_intermediates" in call.keywords or self.gives_variables(call)
        if gives_variables is None:
            return v.Unknown(v.fresh())
        return v.Tuple((result, v.Unknown(v.fresh()))) if gives_variables else result

    def gives_variables(self, call: Call) -> bool | None:
        """Whether ``apply`` gives the variables that it changed as well; None where that is not known."""
        mutable = call.keywords.get("mutable", v.UNKNOWN if call.double_star else v.FALSE)
        if type(mutable) is v.Const:
            return mutable.value is not False
        return True if type(mutable) in (v.Tuple, v.Ref) else None

    def method(self, contents: Instance, given: v.Value) -> v.Value | None:
        """The method that ``apply`` runs, by its argument ``method``; None where that is not known."""
        if v.is_none(given):
            return contents.cls.lookup("__call__")
        if type(given) is v.Const and isinstance(given.value, str):
            return contents.cls.lookup(given.value)
        if type(given) is v.BoundMethod:
            return given.function
        return given if type(given) is v.FunctionValue else None

    # --- methods that nothing visible calls ---------------------------------------------------

    def is_entry_point(self, method: v.FunctionValue) -> bool:
        return method.name == "__call__" or "compact" in self.i.markers(method.function)

    def receiver(self, method: v.FunctionValue, context: Context) -> tuple[v.Value, Context]:
        assert method.owner is not None
        contents = Instance(method.owner, {}, True)
        with self.i.within(context):
            context = self.i.linen.running(method.owner, method)
        module = self.i.new_object(contents)
        # `setup` configures the module: no convention covers it.
        with self.i.within(configuring(context) if context.convention else context):
            self.i.module_setup.run(module, contents)
        return module, context
