"""Arguments that functions of `jax.numpy` have because NumPy has them, and refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events

if TYPE_CHECKING:
    from jaxlint import knowledge

_UFUNCS = frozenset(
    "add bitwise_and bitwise_or bitwise_xor logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum"
    " multiply negative subtract".split()
)
# (function, parameter) -> values that it takes.
_TAKEN: dict[tuple[str, str], tuple[Any, ...]] = {
    ("array", "order"): ("K",), ("asarray", "order"): ("K",), ("copy", "order"): ("K",),
    ("reshape", "order"): ("C", "F"), ("ravel", "order"): ("C", "F"), ("flatten", "order"): ("C", "F"),
    ("median", "overwrite_input"): (False,), ("percentile", "overwrite_input"): (False,),
    ("quantile", "overwrite_input"): (False,), ("meshgrid", "copy"): (True,),
}  # fmt: skip


@hazard_class(of_plain_values=True)
class UnsupportedArgument(Hazard):
    """An argument of NumPy's that the function of `jax.numpy` does not support.

    Site: the Keyword, or the argument; operand: its value; api; parameter.
    """


class Unsupported(Checker):
    """Arguments that functions of `jax.numpy` have and refuse."""

    def subscribe(self, events: Events) -> None:
        events.refuses_call.append(self.unsupported)

    def unsupported(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether an argument is refused whatever the others are; a hazard if so. Methods are `.sum`."""
        if not name.startswith(("jax.numpy.", ".")):
            return False
        last = name.rpartition(".")[2]
        for parameter, value, node in bound(found, call):
            if _refused(last, parameter, value):
                keyword = next((each for each in getattr(call.node, "keywords", ()) if each.name == parameter), None)
                self.i.report(UnsupportedArgument(), keyword or node, node, value, api=name, parameter=parameter)
                return True
        return False


def _refused(last: str, parameter: str, value: v.Value) -> bool:
    if parameter == "out" or (parameter == "where" and last in _UFUNCS):
        return _is_something(value)
    if last in ("sort", "argsort") and parameter in ("kind", "order"):
        return _is_something(value)
    if last == "take" and parameter == "mode":
        return type(value) is v.Const and value.value == "raise"
    taken: tuple[Any, ...] | None = _TAKEN.get((last, parameter))
    return taken is not None and type(value) is v.Const and value.value is not None and value.value not in taken


def _is_something(value: v.Value) -> bool:
    """Whether a value is certainly not None."""
    return type(value) in (v.Array, v.Host) or (type(value) is v.Const and value.value is not None)
