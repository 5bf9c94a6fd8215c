"""Meshes with another number of names than axes, specifications that name more axes than an array has, and axes whose size the
devices cannot share.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

from jaxlint.analysis.checkers.shape_agreement import ShapeMismatch
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.transforms.axis_names import SHARDINGS
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_Known = TypeVar("_Known")
_SPECS = frozenset({"jax.sharding.PartitionSpec", "jax.P"})
_ARRANGED = frozenset({"jax.experimental.mesh_utils.create_device_mesh"})
_LISTED = frozenset({"jax.devices", "jax.local_devices"})
_PLACED = {"jax.device_put": ("x", "device"), "jax.lax.with_sharding_constraint": ("x", "shardings")}
_LISTING = frozenset({"numpy.array", "numpy.asarray"})
_MESHES = frozenset({"jax.make_mesh", "jax.sharding.Mesh"})
_KNOWN = {*_SPECS, *SHARDINGS, *_ARRANGED, *_LISTED, *_LISTING, *_MESHES, *_PLACED}


class Shardings(Checker):
    """How arrays are laid out on devices."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.lengths: dict[int, int] = self.i.per_module(
            {}
        )  # of specifications, and of shardings made of them, by the site of the call
        self.ranks: dict[int, int] = self.i.per_module({})  # of arrays of devices
        self.sizes: dict[int, dict[str, int]] = self.i.per_module({})  # of the axes of meshes
        self.names: dict[int, list[tuple[str, ...]]] = self.i.per_module({})  # of axes of meshes, in specifications
        # In how many parts shardings divide each axis of an array.
        self.parts: dict[int, list[int]] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called, _KNOWN)
        events.compiled_called.append(self.compiled)

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if call.star or call.double_star:
            return
        if name in _SPECS:
            self.lengths[call.site] = len(call.args)
            self.names[call.site] = [self.named(each) for each in call.args]
        elif name in SHARDINGS:
            length = self.length_of(call.node_of(1, "spec"))
            if length is not None:
                self.lengths[call.site] = length
            axes, named = (
                self.found(self.sizes, call.node_of(0, "mesh")),
                self.found(self.names, call.node_of(1, "spec")),
            )
            self.parts[call.site] = [math.prod((axes or {}).get(one, 1) for one in each) for each in named or ()]
        elif name in _ARRANGED:
            shape = call.get(0, "mesh_shape")
            sizes = _count(self.i.items_of(shape)) if type(shape) is v.Tuple else None
            if sizes is not None:
                self.ranks[call.site] = sizes
        elif name in _LISTED:
            self.ranks[call.site] = 1
        elif name in _LISTING and len(call.all()) == 1:
            listed = call.node_of(0, "object") or call.node_of(0, "a")
            rank = self.ranks.get(bound_to(self.i.unit, listed).site) if listed is not None else None
            if rank is not None:
                self.ranks[call.site] = rank
        elif name == "jax.make_mesh":
            self.mesh(call, call.get(0, "axis_shapes"), call.get(1, "axis_names"), None)
        elif name == "jax.sharding.Mesh":
            self.mesh(call, call.get(0, "devices"), call.get(1, "axis_names"), call.node_of(0, "devices"))
        elif name in _PLACED:
            self.placed(name, call)

    def mesh(self, call: Call, shape: v.Value | None, names: v.Value | None, devices: ir.Node | None) -> None:
        """A mesh has one name for each of its axes; a string is one name."""
        if shape is None or names is None:
            return
        one = type(names) is v.Const and isinstance(names.value, str)
        count = 1 if one else _count(self.i.items_of(names)) if type(names) in (v.Tuple, v.Ref) else None
        if devices is None:
            axes = _count(self.i.items_of(shape)) if type(shape) in (v.Tuple, v.Ref) else None
        else:
            axes = self.ranks.get(bound_to(self.i.unit, devices).site)
            known = self.i.aval_of(shape).shape if type(shape) is v.Host else None
            axes = axes if known is None else len(known)
        sized = v.constants(self.i.items_of(shape), int) if devices is None else None
        called = v.constants([names] if one else self.i.items_of(names), str)
        self.sizes[call.site] = dict(zip(called or (), sized or ()))
        if axes is None or count is None or axes == count or self.i.possible:
            return
        node = call.node_of(1, "axis_names") or call.node
        self.i.report(ShapeMismatch("mesh", (axes,), (count,)), call.node, node, names)

    def placed(self, name: str, call: Call) -> None:
        """An array is laid out by a specification."""
        array, sharding = _PLACED[name]
        value, node, at = call.get(0, array), call.node_of(1, sharding), call.node_of(0, array)
        length = self.length_of(node)
        if value is None or node is None or length is None or self.i.possible:
            return
        self.laid_out(name, call, value, at or call.node, length, self.found(self.parts, node) or [])

    def compiled(self, made: v.Transformed, call: Call) -> None:
        """A compiled function whose arguments have shardings: one for all, or a tuple of one for each."""
        node = self.i.unit.nodes[made.site] if made.site in self.i.unit else None
        if type(node) is not ir.Call or call.star or self.i.possible:
            return
        for keyword in node.keywords:
            if keyword.name == "in_shardings":
                given = bound_to(self.i.unit, keyword.value)
                each = given.elements if type(given) is ir.Sequence else (keyword.value,) * len(call.args)
                for sharding, value, at in zip(each, call.args, call.arg_nodes):
                    length = self.length_of(sharding)
                    parts = self.found(self.parts, sharding) or []
                    if length is not None and self.laid_out("jax.jit", call, value, at, length, parts):
                        return

    def laid_out(self, name: str, call: Call, value: v.Value, at: ir.Node, length: int, parts: list[int]) -> bool:
        """Whether an array in a value has fewer axes than a specification names, or one that is not divisible; recorded if so."""
        for leaf in self.i.leaves([value]):
            aval = leaf.aval if type(leaf) is v.Array or type(leaf) is v.Host else v.Aval()
            if aval.shape is None:
                continue
            words = aval.dtype in v.KEYS - {v.TYPED_KEY}  # the last axis of an array of legacy keys
            if len(aval.shape) + words < length:
                self.i.report(ShapeMismatch("spec", (length,), aval.shape, name), call.node, at, leaf)
                return True
            for size, count in zip(aval.shape, parts):
                if type(size) is int and size % count:
                    self.i.report(ShapeMismatch("divided", (count,), (size,), name), call.node, at, leaf)
                    return True
        return False

    def named(self, value: v.Value) -> tuple[str, ...]:
        """The axes of a mesh that a part of a specification names, as far as they are known."""
        if type(value) is v.Const:
            return (value.value,) if isinstance(value.value, str) else ()
        return tuple(v.constants(self.i.items_of(value), str) or ())

    def found(self, table: dict[int, _Known], node: ir.Node | None) -> _Known | None:
        """What is known of what an expression is bound to."""
        return None if node is None else table.get(bound_to(self.i.unit, node).site)

    def length_of(self, node: ir.Node | None) -> int | None:
        """For how many axes a specification says something, or that of a sharding."""
        return self.found(self.lengths, node)


def _count(items: list[v.Value] | tuple[v.Value, ...] | None) -> int | None:
    return None if items is None else len(items)
