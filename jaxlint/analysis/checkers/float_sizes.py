"""Sizes and indices that are floats: jax refuses them, also where they are whole numbers. A shape is no size either.

Layers that look up what belongs to a number, and losses of classes that are numbers, take indices as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound, parts
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.dtypes import dtypes

if TYPE_CHECKING:
    from jaxlint import knowledge
    from jaxlint.analysis.domain.call import Call

# Functions that round or convert a size themselves; each of the others was seen to refuse a float.
_TAKE_FLOATS = frozenset({
    "jax.numpy.arange", "jax.lax.scan", "jax.numpy.bartlett", "jax.numpy.blackman", "jax.numpy.hamming",
    "jax.numpy.hanning", "jax.numpy.kaiser", "jax.numpy.fft.fftfreq", "jax.numpy.fft.rfftfreq", "jax.scipy.linalg.dft",
    "jax.scipy.linalg.hadamard", "jax.scipy.linalg.invhilbert", "jax.scipy.linalg.pascal",
})  # fmt: skip
# Numbers of elements that the knowledge base does not call sizes, because a traced one may do.
_ALSO_SIZES = frozenset({("jax.numpy.repeat", "repeats"), (".repeat", "repeats")})


# Parameters that are indices, beside those that `knowledge.dtypes` has.
_INDICES = frozenset({("jax.numpy.bincount", "x"), (".take", "indices")})
_INTEGER_LABELS = frozenset(
    f"{module}.softmax_cross_entropy_with_integer_labels" for module in ("optax", "optax.losses")
)
_LOOKING_UP = frozenset({"flax.linen.Embed", "flax.nnx.Embed", "haiku.Embed"})  # layers
_INDEXING = frozenset(name for name, _ in _INDICES)
_LOOP, _BOUNDS = "jax.lax.fori_loop", ("lower", "upper")


@hazard_class(of_plain_values=True)
class FloatShape(Hazard):
    """A float where jax needs an integer: a size, a shape, an index or a slice bound; or a shape in the place of a size.

    Site: the call or subscript; operand: the float or shape; api: function, layer, "index" or "slice"; parameter.
    """


class FloatSizes(Checker):
    """Sizes and indices that are floats."""

    def subscribe(self, events: Events) -> None:
        events.refuses_size.append(self.size_is_float)
        events.refuses_index.append(self.index_is_float)
        events.refuses_call.append(self.indices_are_floats)
        events.called.append(self.layer_called, (v.OpaqueInstance,))
        events.library_function_called.append(self.loss_called, _INTEGER_LABELS)
        events.library_function_called.append(self.loop_called, (_LOOP,))
        events.library_function_called.append(self.structure_made, (v.SHAPE_STRUCT,))

    def size_is_float(
        self, name: str, found: knowledge.Facts, parameter: str, value: v.Value, node: ir.Node, call: Call
    ) -> bool:
        """Whether a float is given where the function needs a number of elements; recorded if so."""
        if name in _TAKE_FLOATS or not (parameter in found.sizes or (name, parameter) in _ALSO_SIZES):
            return False
        for part, part_node in parts(self.i, value, node):
            if _is_float(part):
                self.i.report(FloatShape(), call.node, part_node, part, api=name, parameter=parameter)
                return True
        return self.is_nested(name, parameter, value, node, call)

    def is_nested(self, name: str, parameter: str, value: v.Value, node: ir.Node, call: Call) -> bool:
        """Whether a size of a shape is a shape; recorded if so."""
        items = self.i.items_of(value) if type(value) is v.Tuple else None
        for number, item in enumerate(items or ()):
            if type(item) is v.Tuple:
                written = type(node) is ir.Sequence and not any(type(each) is ir.Starred for each in node.elements)
                at = node.elements[number] if written and type(node) is ir.Sequence else node
                self.i.report(FloatShape(), call.node, at, item, api=name, parameter=parameter)
                return True
        return False

    def structure_made(self, name: str, _func: v.Value, call: Call) -> None:
        shape, node = call.get(0, "shape"), call.node_of(0, "shape")
        if shape is not None and node is not None and not call.star:
            self.is_nested(name, "shape", shape, node, call)

    def indices_are_floats(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether a function that takes indices is given an array of floats; recorded if so."""
        wanted = dtypes(name)
        if wanted is None and name not in _INDEXING:
            return False
        for parameter, value, node in bound(found, call):
            if (name, parameter) in _INDICES or wanted is not None and wanted.is_position(parameter):
                for part, part_node in parts(self.i, value, node):
                    if _is_float(part) or _is_float_array(part):
                        self.i.report(FloatShape(), call.node, part_node, part, api=name, parameter=parameter)
                        return True
        return False

    def loop_called(self, name: str, _func: v.Value, call: Call) -> None:
        """The bounds of a loop are both integers, or both floats."""
        given = [call.get(number, each) for number, each in enumerate(_BOUNDS)]
        floats = [each is not None and (_is_float(each) or _is_float_array(each)) for each in given]
        if floats.count(True) == 1:
            self.report(call, floats.index(True), _BOUNDS[floats.index(True)], name)

    def layer_called(self, func: v.Value, call: Call) -> None:
        """A layer may look numbers up."""
        made = func.args[0] if type(func) is v.OpaqueInstance and func.args else None
        if type(made) is v.Const and made.value in _LOOKING_UP:
            self.given(call, 0, "ids" if made.value == "haiku.Embed" else "inputs", str(made.value))

    def loss_called(self, name: str, _func: v.Value, call: Call) -> None:
        self.given(call, 1, "labels", name)

    def given(self, call: Call, position: int, parameter: str, name: str) -> None:
        value = call.get(position, parameter)
        if value is not None and _is_float_array(value):
            self.report(call, position, parameter, name)

    def report(self, call: Call, position: int, parameter: str, name: str) -> None:
        value, node = call.get(position, parameter), call.node_of(position, parameter)
        if value is not None and node is not None:
            self.i.report(FloatShape(), call.node, node, value, api=name, parameter=parameter)

    def index_is_float(self, node: ir.Subscript, base: v.Value, index: v.Value) -> bool:
        """Whether a jax array is indexed with a float, or sliced with one; recorded if so.

        What may be a container is indexed with anything, but sliced with integers alone.
        """
        for part_node, part in self.i.index_parts(node.index, index):
            for edge, edge_node in _bounds(part, part_node):
                sliced = edge is not part
                if not sliced and type(base) is not v.Array:
                    continue
                if _is_float(edge) or (not sliced and _is_float_array(part)):
                    self.i.report(FloatShape(), node, edge_node, edge, api="slice" if sliced else "index")
                    return True
        return False


def _bounds(part: v.Value, node: ir.Node) -> list[tuple[v.Value, ir.Node]]:
    if type(part) is not v.Slice:
        return [(part, node)]
    nodes = [getattr(node, name, None) or node for name in ("lower", "upper", "step")]
    return list(zip((part.lower, part.upper, part.step), nodes))


def _is_float(value: v.Value) -> bool:
    return v.python_type(value) == "float"


def _is_float_array(value: v.Value) -> bool:
    dtype: str | None = value.aval.dtype if type(value) is v.Array else None
    return dtype is not None and "float" in dtype
