"""Functions and objects of libraries by what was measured of them: they call functions, draw from keys, and give results.

An object of a library is an `OpaqueInstance` whose name says how it is made: `optax.sgd()`, `gymnax.make()[0]`. It keeps
what it was made of, so that its methods reach the functions in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import EAGER
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.state import DictObject, ListObject
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import libraries
from jaxlint.knowledge.libraries import Behaviour, Driven, Kind
from jaxlint.knowledge.transforms import Transform

_CALLABLE = frozenset({v.FunctionValue, v.BoundMethod, v.Partial, v.Transformed, v.Member})
_MODES = {"staged": v.STAGED, "batched": v.BATCHED, "differentiated": v.DIFFERENTIATED}
MAX_DEPTH = 6  # objects of libraries in one another
_REST = v.Const("options that were not measured")
_OPTIMISER = "optax.GradientTransformation"


class Libraries(Component):
    """Component of the interpreter."""

    # --- what is known ------------------------------------------------------------------------

    def known(self, value: v.Value, attribute: str | None = None) -> Behaviour | None:
        """What an object of a library does when it is called, or a method of it."""
        if type(value) is not v.OpaqueInstance or not is_made(value):
            return None
        if attribute is None:
            return libraries.behaviour(f"{value.name}") or libraries.member(value.name, value.class_name, "__call__")
        return libraries.member(value.name, value.class_name, attribute)

    # --- calls --------------------------------------------------------------------------------

    def function(self, name: str, call: Call) -> v.Value | None:
        """A call of a function of a library, by its dotted name; None where it was not measured."""
        found = libraries.behaviour(name)
        if found is not None and call.keywords and not call.args and self.waits(found, call):
            return v.Partial(v.Api(name), (), dict(call.keywords))
        return None if found is None else self.called(found, call, None)

    def waits(self, found: Behaviour, call: Call) -> bool:
        """Whether the function that a wrapper is to call is still to come, as in `@chex.assert_max_traces(n=1)`."""
        wrapper = libraries.behaviour(f"{found.name}()")
        wrapped = (
            {driven.path[1] for driven in wrapper.calls if len(driven.path) == 2} if wrapper is not None else set()
        )
        optional = {p.name for p in found.parameters if not p.required}
        return bool(wrapped) and wrapped <= optional and wrapped.isdisjoint(call.keywords)

    def method(self, member: v.Member, call: Call) -> v.Value | None:
        found = self.known(member.receiver, member.name)
        return None if found is None else self.called(found, call, member.receiver)

    def called(self, found: Behaviour, call: Call, receiver: v.Value | None) -> v.Value:
        given: dict[str, v.Value] = {}
        nodes: dict[str, Any] = {}
        stars = [p.name for p in found.parameters if p.kind == "star"]
        for name, value, node in bound(found, call):
            if name in stars:
                before = given.get(name)
                items = before.items if type(before) is v.Tuple and before.items is not None else ()
                value = v.Tuple((*items, value))
            given[name], nodes[name] = value, node
        drawn = [name for name in found.draws if name in given]
        for name in drawn:
            self.i.keys.consume(given[name], shown(found.name), call.node, nodes[name])
        self.i.expected.given(v.Api(found.name), call)
        if not drawn:
            self.i.keys.given_to_unknown(call)
        returned = {}
        for driven in found.calls:
            for function in self.reached(driven.path, given, receiver, call.site):
                returned[".".join(driven.path)] = self.drive(driven, function, found, given, call)
        coarse = differs(found, given) or is_made_otherwise(found, receiver)
        kind = next((found.given[name] for name in found.given if given.get(name, v.NONE) != v.NONE), found.result)
        return self.result(kind, Made(found, given, returned, call, receiver, coarse), found.name + "()")

    # --- functions that are called ------------------------------------------------------------

    def reached(
        self, path: tuple[str, ...], given: dict[str, v.Value], receiver: v.Value | None, site: int
    ) -> Iterator[v.Value]:
        """The functions that a path leads to: the first step is a parameter, or the object itself."""
        head, *steps = path
        value = receiver if head == "self" else given.get(head)
        if value is not None:
            yield from self.followed(value, steps, site)

    def followed(self, value: v.Value, steps: list[str], site: int, depth: int = 0) -> Iterator[v.Value]:
        if depth > MAX_DEPTH:
            return
        for part in self.parts(value):
            if not steps:
                if type(part) in _CALLABLE | {v.Ref} or self.known(part) is not None:
                    yield part
            elif type(part) is v.OpaqueInstance and is_made(part):
                kept = kept_by(part)
                if steps[0] in kept:
                    yield from self.followed(kept[steps[0]], steps[1:], site, depth + 1)
                elif depth and len(steps) == 1 and self.known(part, steps[0]) is not None:  # not the object itself
                    yield v.Member(part, steps[0], site)
                else:  # something around the object that has it
                    for each in kept.values():
                        yield from self.followed(each, steps, site, depth + 1)

    def parts(self, value: v.Value) -> Iterator[v.Value]:
        contents = self.i.contents(value)
        if type(value) is v.Tuple:
            yield from value.items or ()
        elif type(contents) is ListObject:
            yield from contents.items or ()
        elif type(contents) is DictObject:
            yield from contents.items.values()
        else:
            yield value

    def drive(
        self, driven: Driven, function: v.Value, found: Behaviour, given: dict[str, v.Value], call: Call
    ) -> v.Value:
        """Call a function as the library does."""
        context = self.i.context
        if driven.stage == "caller":
            if context.stage == EAGER and type(function) not in (v.Member, v.OpaqueInstance):
                return v.Unknown(v.fresh())  # with arrays that have their values
            mode, cause = self.i.result_mode(given.values())
            text = f"{function_name(function)} is called by `{shown(found.name)}`"
            origin = Origin(text, call.site, cause)
            args, keywords = self.arguments(driven, given, mode, origin)
            return self.i.call(function, Call(call.node, args, [call.node] * len(args), keywords, {}))
        transform = Transform(shown(found.name), driven.stage, "library")
        made = v.Transformed(transform, function, {}, call.site)
        inside, origin = self.i.transforms.entered(made, "is called by")
        args, keywords = self.arguments(driven, given, _MODES[driven.stage], origin)
        inner = Call(call.node, args, [call.node] * len(args), keywords, {})
        inner.entering = True
        return self.i.keys.undrawn(lambda: self.i.transforms.body(inside, function, inner))

    def arguments(
        self, driven: Driven, given: dict[str, v.Value], mode: str, origin: Origin
    ) -> tuple[list[v.Value], dict[str, v.Value]]:
        args: list[v.Value] = []
        for spec in driven.args:
            if spec.startswith("*"):
                how, _, name = spec[1:].partition(" ")
                rest = given.get(name)
                items = rest.items if type(rest) is v.Tuple and rest.items is not None else ()
                args += [self.argument(f"{how} {name}", {name: item}, mode, origin) for item in items]
            else:
                args.append(self.argument(spec, given, mode, origin))
        keywords = {name: self.argument(spec, given, mode, origin) for name, spec in driven.kwargs.items()}
        return args, keywords

    def argument(self, spec: str, given: dict[str, v.Value], mode: str, origin: Origin) -> v.Value:
        how, _, rest = spec.partition(" ")
        if how in ("same", "concrete") or spec == "value":
            return given.get(rest.removeprefix("like "), v.Unknown(v.fresh())) if rest else v.Unknown(v.fresh())
        if spec == "none":
            return v.NONE
        if how not in ("traced", "arrays") or mode not in v.TRACED:
            return v.Unknown(v.fresh())
        if rest.startswith("like ") and rest[5:] in given:
            value = given[rest[5:]]
            if how == "arrays" and type(value) is not v.Undecided:
                return self.i.transforms.filtered(value, mode, origin)
            return self.i.transforms.traced(value, mode, origin)
        if rest == "key":
            return v.Array(mode, v.KEY, origin, v.fresh())
        if rest.endswith("[]"):
            return v.Array(mode, v.Aval(rest[:-2], ()), origin, v.fresh())
        return v.Undecided(mode, origin, v.fresh())

    # --- results ------------------------------------------------------------------------------

    def result(self, kind: Kind, made: Made, name: str, depth: int = 0) -> v.Value:
        """A value for a measured result. With options that were not measured, arrays may come in another arrangement."""
        if isinstance(kind, (list, dict)) and (made.coarse or depth > 1):
            return self.tree(made)
        if isinstance(kind, list):
            return v.Tuple(tuple(self.result(each, made, f"{name}[{n}]", depth + 1) for n, each in enumerate(kind)))
        if isinstance(kind, dict):
            items = tuple(self.result(each, made, f"{name}[{n}]", depth + 1) for n, each in enumerate(kind.values()))
            return v.Tuple(items, fields=v.Fields(kind))
        how, _, rest = kind.partition(" ")
        if how == "object":
            return self.made(rest, made, name)
        if how == "returns":
            return made.returned.get(rest, v.Unknown(v.fresh()))
        if how == "same" and rest in made.given and not made.coarse:
            return made.given[rest]
        if how == "like" and rest in made.given and not made.coarse:
            return self.like(made.given[rest], made)
        if kind == "none":
            return v.NONE
        if kind == "static" and not made.coarse:
            return v.Static("", v.fresh())
        if kind == "array" and not made.coarse:
            return self.i.array_result(made.operands())
        if kind == "key" and not made.coarse:
            mode, origin = self.i.result_mode(made.operands())
            return v.Array(mode, v.KEY, origin, v.fresh())
        if how in ("array", "tree", "like", "key"):
            return self.tree(made)
        return v.Unknown(v.fresh())

    def tree(self, made: Made) -> v.Value:
        """A tree of arrays of which only the class is known."""
        mode, origin = self.i.result_mode(made.operands())
        return v.Undecided(mode, origin, v.fresh()) if mode in v.TRACED else v.Unknown(v.fresh())

    def like(self, value: v.Value, made: Made) -> v.Value:
        """A tree with the structure of another, and arrays of its shapes and dtypes."""
        return self.with_mode(value, *self.i.result_mode(made.operands()))

    def with_mode(self, part: v.Value, mode: str, origin: Origin | None) -> v.Value:
        """A tree with arrays of this mode in the place of its leaves."""
        if type(part) is v.Array:
            return v.Array(mode, part.aval, origin)
        if type(part) is v.Tuple or self.i.contents(part) is not None:
            rebuilt: v.Value = self.i.transforms.rebuilt(part, lambda leaf: self.with_mode(leaf, mode, origin))
            return rebuilt
        return v.Undecided(mode, origin, v.fresh()) if mode in v.TRACED else v.Unknown(v.fresh())

    def is_constant(self, value: v.Value) -> bool:
        """Whether a value is a constant, or a tree of constants."""
        leaves = list(self.i.leaves([value]))
        return bool(leaves) and all(type(leaf) is v.Const for leaf in leaves)

    def made(self, cls: str, made: Made, name: str) -> v.Value:
        """An object of a library: how it is made, and what of."""
        kept = tuple(
            value
            for parameter, value in made.given.items()
            for value in (
                v.Const(parameter),
                value if self.is_constant(value) or holds_function(self, value) else v.UNKNOWN,
            )
        )
        if made.call.double_star:
            kept = (*kept, v.Const("**"), v.UNKNOWN)
        if type(made.receiver) is v.OpaqueInstance:
            kept = (*kept, v.Const("self"), made.receiver)
        rest = _REST if made.coarse else v.NONE
        return v.OpaqueInstance(name, (v.Const(cls), rest, v.Tuple(kept)), v.fresh())

    # --- optimisers ---------------------------------------------------------------------------

    def is_optimiser(self, value: v.Value) -> bool:
        """Whether the value is a gradient transformation of Optax: a pair of functions, which are pure."""
        return type(value) is v.OpaqueInstance and is_made(value) and value.class_name == _OPTIMISER

    def updated_by(self, call: ir.Call) -> v.Value | None:
        """The optimiser whose `update` a call is; None for any other call."""
        callee = self.i.last_callee.get(call.site)
        is_update = type(callee) is v.Member and callee.name == "update" and self.is_optimiser(callee.receiver)
        return callee.receiver if type(callee) is v.Member and is_update else None

    def remembers(self, value: v.Value, depth: int = 0) -> str | None:
        """What made an optimiser whose state is another one after each update; None where none may."""
        if not self.is_optimiser(value) or depth > MAX_DEPTH:
            return None
        assert type(value) is v.OpaqueInstance
        update = self.known(value, "update")
        state = update.result[1] if update is not None and isinstance(update.result, list) else ""
        if (
            ("like updates" in str(state) or state == "like state")
            and update is not None
            and not is_made_otherwise(update, value)
        ):
            return maker_of(value)
        inner = (part for each in kept_by(value).values() for part in self.parts(each))
        return next((found for part in inner if (found := self.remembers(part, depth + 1)) is not None), None)


@dataclass(eq=False, slots=True)
class Made:
    """A call whose result is asked for."""

    found: Behaviour
    given: dict[str, v.Value]
    returned: dict[str, v.Value]
    call: Call
    receiver: v.Value | None
    coarse: bool

    def operands(self) -> list[v.Value]:
        return list(self.given.values())


def differs(found: Behaviour, given: dict[str, v.Value]) -> bool:
    """Whether a call has other options than those that were measured."""
    options = {p.name for p in found.parameters if not p.required and p.kind not in ("star", "double-star")}
    passed = {name for name in options.intersection(given) if not _is_off(given[name])}
    return not found.always <= passed or not passed <= found.passed


def is_made_otherwise(found: Behaviour, receiver: v.Value | None) -> bool:
    """Whether the object of a method has other options than those that were measured."""
    if type(receiver) is not v.OpaqueInstance or not is_made(receiver):
        return False
    on = {name for name, value in kept_by(receiver).items() if not _is_off(value)}
    return type(receiver.args[1]) is v.Const and receiver.args[1].key == _REST.key or not found.options <= on


def _is_off(value: v.Value) -> bool:
    return type(value) is v.Const and not value.value


def is_made(value: v.OpaqueInstance) -> bool:
    """Whether an object is one that `Libraries.made` made."""
    return len(value.args) == 3 and value.name.endswith((")", "]"))


def maker_of(value: v.Value | None) -> str:
    """The function that made an object of a library; empty for any other value."""
    return value.name.removesuffix("()") if type(value) is v.OpaqueInstance and is_made(value) else ""


def kept_by(value: v.OpaqueInstance) -> dict[str, v.Value]:
    """What an object was made of, by parameter."""
    kept = value.args[2]
    items = kept.items if type(kept) is v.Tuple and kept.items is not None else ()
    return {str(name.value): each for name, each in zip(items[::2], items[1::2]) if type(name) is v.Const}


def holds_function(model: Libraries, value: v.Value, depth: int = 0) -> bool:
    """Whether functions of the user can be reached in a value."""
    if depth > MAX_DEPTH:
        return False
    parts = list(model.parts(value))
    if parts != [value]:
        return any(holds_function(model, part, depth + 1) for part in parts)
    return type(value) in _CALLABLE | {v.Ref, v.OpaqueInstance}


def shown(name: str) -> str:
    """How a method of an object is named to a reader: `numpyro.infer.MCMC.run`."""
    return re.sub(r"\(\)|\[\d+\]", "", name)
