"""Classes that `nn.vmap`, `nn.scan`, `nn.remat` and `nn.jit` make of a module of Flax Linen.

A module that is mapped sees no more than the transform lifts; one that is staged is traced with its arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import UNKNOWN_CODE, Frame, ModuleCall
from jaxlint.analysis.domain.state import DictObject
from jaxlint.analysis.models.linen import LinenMembersAlike, is_false
from jaxlint.analysis.models.linen_scope import Given
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from collections.abc import Hashable

    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.ir import nodes as ir

# Transforms that make a class of another -> the parameters that name collections, in order; `split_rngs` is next.
MAPPING = {
    "flax.linen.vmap": ("variable_axes",),
    "flax.linen.scan": ("variable_axes", "variable_broadcast", "variable_carry"),
}
LIFTED, MODULE = "lifted", "lifted module"
# Those that trace `__call__` -> the position of `static_argnums`, which count `self`.
STAGING = {"flax.linen.remat": 5, "flax.linen.checkpoint": 5, "flax.linen.jit": 3}


class Lift(NamedTuple):
    """What a transform lends the module that it maps. None where that is not known."""

    node: ir.Node  # the call of the transform
    streams: frozenset[str] | None
    collections: frozenset[str] | None
    split: ir.Node | None  # what says which streams are split
    shared: frozenset[str]  # streams from which all members draw the same


class Lifting(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.lifts: dict[v.Ident, Lift] = self.i.per_module({})  # of a lifted class, or of a module of one
        self.running: list[Lift] = []  # of the lifted modules whose bodies run, the outermost first
        # By the call that makes them, and the class they are made of.
        self.staging: dict[Hashable, v.ClassValue] = self.i.per_module({})

    def lifted(self, name: str, call: Call) -> v.Value:
        """`nn.vmap(Module, …)` or `nn.scan(Module, …)`"""
        ident, collections = v.fresh(), MAPPING[name]
        unknown = call.star or call.double_star
        streams = None if unknown else self.names(call.get(len(collections) + 1, "split_rngs") or v.NONE)
        found: frozenset[str] | None = None if unknown else frozenset()
        for number, parameter in enumerate(collections, 1):
            more = self.names(call.get(number, parameter) or v.NONE)
            found = found | more if found is not None and more is not None else None
        split = call.node_of(len(collections) + 1, "split_rngs")
        self.lifts[ident] = Lift(call.node, streams, found, split, frozenset() if unknown else self.shared(name, call))
        return v.OpaqueInstance(LIFTED, (v.Const(name), call.args[0]), ident)

    def staged(self, name: str, cls: v.ClassValue, call: Call) -> v.ClassValue:
        """`nn.remat(Module, …)`: a class whose `__call__` is traced with all arguments but those that are static."""
        position, method = STAGING[name], cls.lookup("__call__")
        options = {"static_argnames": call.get(position + 1, "static_argnames")} if name == "flax.linen.jit" else {}
        given = call.get(position, "static_argnums") or v.Tuple(())
        numbers = v.constants([given] if type(given) is v.Const else self.i.items_of(given), int)
        unknown = numbers is None or call.star or call.double_star or "methods" in call.keywords
        if unknown or type(method) is not v.FunctionValue:
            return cls
        key = (call.site, cls.key)
        if key not in self.staging:
            made = self.staging[key] = v.ClassValue(cls.definition, (cls,), Frame(cls.frame.scope, cls.frame))
            made.family, made.decorators = cls.family, cls.decorators
            statics = {"static_argnums": v.Tuple(tuple(map(v.Const, (0, *(numbers or ()))))), **options}
            known = {option: value for option, value in statics.items() if value is not None}
            transform = Transform(name, "staged", "checkpoint", ("target",))
            made.members["__call__"] = v.Transformed(transform, method, known, call.site)
        return self.staging[key]

    def shared(self, name: str, call: Call) -> frozenset[str]:
        """The streams that are lent and not split: the steps of one recurrent module may be meant to share a mask."""
        axes = self.i.contents(call.get(1, "variable_axes") or v.NONE)
        own = axes.items.get("params") if type(axes) is DictObject else None
        if name == "flax.linen.scan" and (type(own) is not v.Const or type(own.value) is not int):
            return frozenset()
        split = self.i.contents(call.get(len(MAPPING[name]) + 1, "split_rngs") or v.NONE)
        streams = split.items if type(split) is DictObject else {}
        return frozenset(str(each) for each, value in streams.items() if is_false(value))

    def drawn(self, stream: str) -> None:
        """A layer of a module that runs draws from a stream."""
        lift = self.running[-1] if self.running else None
        if lift is not None and lift.split is not None and stream in lift.shared:
            self.i.report(LinenMembersAlike(stream), lift.split, lift.split, v.UNKNOWN)

    def names(self, value: v.Value) -> frozenset[str] | None:
        """The collections, or streams, that a filter names: a name, several, or the keys of a dictionary."""
        contents = self.i.contents(value)
        if v.is_none(value):
            return frozenset()
        if type(contents) is DictObject:
            keys = list(contents.items) if contents.rest is None else None
            return frozenset(keys) if keys is not None and all(isinstance(each, str) for each in keys) else None
        return self.i.linen_scope.collections(value)

    def instantiated(self, cls: v.OpaqueInstance, call: Call) -> v.Value:
        """A lifted class makes a module."""
        made = self.i.call(cls.args[1], call)
        lift = self.lifts.get(cls.ident or ())
        ident = v.fresh()
        if lift is not None:
            self.lifts[ident] = lift
        return v.OpaqueInstance(MODULE, (cls.args[0], made), ident)

    def called(self, module: v.OpaqueInstance, call: Call) -> v.Value:
        """A lifted module runs once, with a part of each array that it is given: a tracer of the transform."""
        lift, around = self.lifts.get(module.ident or ()), self.i.context.linen
        if lift is not None and around is not None:
            inner = Call(
                call.node,
                [_part(each) for each in call.args],
                call.arg_nodes,
                {name: _part(each) for name, each in call.keywords.items()},
                call.keyword_nodes,
                call.star,
                call.double_star,
            )
            given = Given(
                lift.node, lift.collections, lift.streams, lift.collections, self.i.undecided, set(), [], [], True
            )
            scope = ModuleCall(around.serial, False, len(self.i.chain), given)
            self.running.append(lift)
            try:
                with self.i.within(self.i.context.but(linen=scope, stage=UNKNOWN_CODE)):
                    self.i.call(module.args[1], inner)
            finally:
                self.running.pop()
        return self.i.layer_result(call)


def _part(value: v.Value) -> v.Value:
    """What the module is given of an argument."""
    return value if type(value) is v.Const else v.Unknown(v.fresh())
