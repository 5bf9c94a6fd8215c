"""NumPy arrays that share the memory of a jax array, which nobody may write to, and what writes all the same.

`numpy.asarray` and `jax.device_get` copy nothing: what they give of a jax array is read-only, and so is each
view of it, until somebody copies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_VIEWING = frozenset(f"numpy.{name}" for name in ("asarray", "asanyarray"))
# Functions that give a view of a NumPy array whatever its layout.
_PASSING = frozenset(f"numpy.{name}" for name in (
    "asarray", "asanyarray", "squeeze", "transpose", "swapaxes", "moveaxis", "rollaxis", "expand_dims", "atleast_1d",
    "atleast_2d", "atleast_3d", "flip", "fliplr", "flipud", "rot90", "broadcast_to", "diagonal",
))  # fmt: skip
_METHODS = frozenset({"squeeze", "transpose", "swapaxes", "view", "diagonal"})
ATTRIBUTES = frozenset({"T", "mT"})
_WRITING = frozenset({"fill", "sort", "put", "partition"})


@hazard_class()
class ReadonlyHostView(Hazard):
    """A read-only NumPy view of a jax array is written to.

    Site: the target or call that writes; operand: the view; api.
    """

    view: int


class HostViews(Checker):
    """NumPy arrays that share the memory of a jax array."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Views, or tracers if a caller that is not seen traces the code.
        self.fetched: dict[v.Ident, int] = self.i.per_module({})
        self.reported: set[int] = self.i.per_module(set())  # a copy at one place mends all that writes

    def subscribe(self, events: Events) -> None:
        events.refuses_augmented.append(self.augmented)
        events.refuses_item_store.append(self.stored)

    # --- ways to get one ----------------------------------------------------------------------

    def made(self, name: str, call: Call) -> int | None:
        """The site of the view, where a NumPy function gives one of its first argument."""
        value = call.args[0] if call.args and not call.star else None
        if type(value) is v.Array and name in _VIEWING and len(call.args) == 1 and not call.keywords:
            return None if value.cls is not None or value.aval.dtype in v.KEYS else call.site
        return value.view if type(value) is v.Host and name in _PASSING and "dtype" not in call.keywords else None

    def got(self, value: v.Value, site: int) -> v.Value:
        """What `jax.device_get` gives: arrays of the host, in the containers they were in."""
        if type(value) is v.Array and value.mode == v.CONCRETE and value.aval.dtype != v.TYPED_KEY:
            return v.Host(value.aval, view=site)
        if type(value) is v.Array and value.mode == v.MAYBE:
            ident = v.fresh()
            self.fetched[ident] = site
            return v.Unknown(ident)
        if type(value) is v.Tuple or type(self.i.contents(value)) in (ListObject, DictObject):
            rebuilt: v.Value = self.i.transforms.rebuilt(value, lambda part: self.got(part, site))
            return rebuilt
        return value

    def item(self, base: v.Host, index: v.Value, rest: v.Shape | None) -> int | None:
        """The view of which a subscript is a part: one is made by slices; a number leaves a view if dimensions are left."""
        parts = index.items if type(index) is v.Tuple and index.items is not None else (index,)
        whole = (type(part) is v.Slice or (type(part) is v.Const and part.value in (None, ...)) for part in parts)
        if base.view is None or all(whole):
            return base.view
        basic = all(type(part) is v.Slice or _is_number(part) for part in parts)
        return base.view if basic and rest else None

    def method(self, name: str, receiver: v.Host, call: Call) -> int | None:
        """The site of the view that a method of a NumPy array gives."""
        return receiver.view if name in _METHODS or (name in ("reshape", "ravel") and not call.keywords) else None

    # --- what writes --------------------------------------------------------------------------

    def stored(self, target: ir.Subscript, base: v.Value) -> bool:
        """An item is set. Whether that cannot be, as it cannot with a tracer; recorded if so."""
        if type(base) is v.Unknown and base.ident in self.fetched:
            base = v.Host(view=self.fetched[base.ident])
        return self.written(target, target.value, base, "item")

    def augmented(self, node: ir.Augment, current: v.Value, operand: v.Value) -> bool:
        """An augmented assignment to a name: NumPy works in place, but where a jax array stands on the other side."""
        if type(current) is not v.Host or type(node.target) is not ir.Name:
            return False
        if type(operand) not in (v.Const, v.Static, v.Host):
            return False
        return self.written(node.target, node.target, current, f"{node.op}=")

    def called(self, name: str, receiver: v.Host, call: Call, node: ir.Node) -> bool:
        return name in _WRITING and self.written(call.node, node, receiver, f".{name}")

    def written(self, at: ir.Node, node: ir.Node, value: v.Value, api: str, parameter: str | None = None) -> bool:
        if type(value) is not v.Host or value.view is None:
            return False
        if value.view not in self.reported:
            self.i.report(ReadonlyHostView(value.view), at, node, value, api=api, parameter=parameter)
            if (ReadonlyHostView, at.site) in self.i.found:
                self.reported.add(value.view)
        return True


def _is_number(value: v.Value) -> bool:
    return type(value) is v.Const and isinstance(value.value, int) and not isinstance(value.value, bool)
