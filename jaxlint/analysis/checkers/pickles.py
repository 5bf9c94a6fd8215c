"""Objects that `pickle` cannot write: functions that are no names of a module, and what holds them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.libraries import maker_of
from jaxlint.knowledge.optimisers import SCHEDULES

_WRITING = frozenset({"pickle.dump", "pickle.dumps"})
_OWN = ("__reduce__", "__reduce_ex__", "__getstate__")  # methods that say what is written of an object
# Transforms whose functions are none of those that a module names, as real pickling shows.
_TRANSFORMS = frozenset({
    "jax.jit", "jax.pmap", "jax.vmap", "jax.grad", "jax.value_and_grad", "haiku.transform", "haiku.transform_with_state",
})  # fmt: skip
_DEPTH = 4  # of objects in one another


@hazard_class(of_plain_values=True)
class NotPicklable(Hazard):
    """An object that holds a local function is given to `pickle`. Site: the call; operand: what is written."""

    what: str  # "optimiser", "schedule", "transformed", "lambda", "local"
    name: str  # of the function that made it, or of itself
    path: str  # the fields and keys that lead to it; empty where it is the operand itself


class Pickles(Checker):
    """What `pickle` is to write."""

    def subscribe(self, events: Events) -> None:
        events.library_called.append(self.called, _WRITING)

    def called(self, name: str, call: Call) -> None:
        if call.star or not call.args or self.i.is_in_source(call.site):
            return
        found = next(self.refused(call.args[0], "", 0), None)
        if found is not None:
            self.i.report(NotPicklable(*found), call.node, call.arg_nodes[0], call.args[0], api=name)

    def refused(self, value: v.Value, path: str, depth: int) -> Iterator[tuple[str, str, str]]:
        """The parts of an object that cannot be written: what they are, their name, and the way to them."""
        if depth > _DEPTH:
            return
        if self.i.libraries.is_optimiser(value):
            yield "optimiser", maker_of(value), path
        elif maker_of(value) in SCHEDULES:
            yield "schedule", maker_of(value), path
        elif type(value) is v.Transformed and value.transform.name in _TRANSFORMS:
            yield "transformed", value.transform.name, path
        elif type(value) is v.FunctionValue and value.function.is_lambda:
            yield "lambda", "", path
        elif type(value) is v.FunctionValue and value.frame.parent is not None:
            yield "local", value.name, path
        elif type(value) is not v.FunctionValue:
            for step, part in self.parts(value):
                yield from self.refused(part, path + step, depth + 1)

    def parts(self, value: v.Value) -> Iterator[tuple[str, v.Value]]:
        """What an object holds, with the code that takes it out."""
        contents = self.i.contents(value)
        if type(contents) is Instance:
            if all(contents.cls.lookup(name) is None for name in _OWN):
                yield from ((f".{name}", part) for name, part in contents.fields.items())
        elif type(value) is v.Tuple:
            yield from ((f"[{n}]", part) for n, part in enumerate(value.items or ()))
        elif type(contents) is DictObject:
            yield from ((f"[{key!r}]", part) for key, part in contents.items.items())
        elif type(contents) is ListObject:
            yield from ((f"[{n}]", part) for n, part in enumerate(contents.items or ()))
