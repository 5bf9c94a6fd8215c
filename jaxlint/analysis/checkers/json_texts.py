"""Arrays that are written as JSON, which knows the numbers and lists of Python alone."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events

_WRITING = frozenset({"json.dumps", "json.dump"})
_CONVERTING = frozenset({"default", "cls"})  # options that say what is to be done with other objects


@hazard_class(of_plain_values=True, only_arrays=True)
class ArrayAsJson(Hazard):
    """A jax array, or a container of one, is given to `json.dump`. Site: the call; operand: what is written."""


class JsonTexts(Checker):
    """What `json` is to write."""

    def subscribe(self, events: Events) -> None:
        events.library_called.append(self.called, _WRITING)

    def called(self, name: str, call: Call) -> None:
        if call.star or call.double_star or not call.args or not _CONVERTING.isdisjoint(call.keywords):
            return
        array = next(
            (leaf for leaf in self.i.leaves(call.args[:1]) if type(leaf) is v.Array and not leaf.presumed), None
        )
        if array is not None:
            self.i.report(ArrayAsJson(), call.node, call.arg_nodes[0], array, api=name)
