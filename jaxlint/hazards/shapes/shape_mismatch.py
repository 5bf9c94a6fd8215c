"""Shapes that an operation does not take.

## What it does
Reports operators and functions of arrays whose shapes are known and do not agree: broadcasting, products of matrices,
`jnp.concatenate`, `jnp.stack`, `jnp.where`, `jnp.einsum`, `reshape`, `.at[].set` and their kin; an axis that an array does not
have, an array with too few axes or too many, matrices that are not square where they have to be, such as a hessian with
respect to an array of two axes; an array beside a reduction of it along an axis that is not the first one, without
`keepdims=True`, where the sizes are not known to be equal; a `Mesh` with another number of names than axes, and a
`PartitionSpec` that is longer than an array has axes, in `jax.device_put`, `jax.lax.with_sharding_constraint` and `in_shardings` of `jax.jit`; lists and arrays of unequal lengths in a list that becomes an array; a matrix product with a single
number; a mask of attention that has an axis of other lengths than the queries and keys; an array given to a layer of Equinox or of Flax NNX that takes another number of features; and an input of a Linen module that
has another size than the one that `init` made the parameters for.

## Why is this bad
JAX knows all shapes when it traces, and raises `TypeError` or `ValueError`. A layer of Equinox takes one example: a batch
is mapped over it.

## Example
```python
import equinox as eqx
import jax
import jax.numpy as jnp

layer = eqx.nn.Linear(3, 2, key=jax.random.key(0))
batch = jnp.ones((8, 3))
y = layer(batch)
```

## Use instead
```python
import equinox as eqx
import jax
import jax.numpy as jnp

layer = eqx.nn.Linear(3, 2, key=jax.random.key(0))
batch = jnp.ones((8, 3))
y = jax.vmap(layer)(batch)
```

## When to ignore
Where the error is meant.

## Fix safety
Unsafe: a layer of Equinox is mapped over the batch that it is given, a reduction keeps its axis beside what it reduces, a mask
of keys gets the axes that it lacks, integer labels get the loss that takes them, and an array whose sizes are the first ones of
the other gets axes of size 1 at its end: `weights[:, None] * rows`, as many as each leaf needs in a function that is mapped over
trees. A Linen module that flattens its whole batch keeps the first axis. A Hessian with respect to an array is made a matrix. For other operands there is no fix: which axis is meant cannot be told.

## References
- NumPy documentation, "Broadcasting": https://numpy.org/doc/stable/user/basics.broadcasting.html
- Equinox documentation, "equinox.nn.Linear": https://docs.kidger.site/equinox/api/nn/linear/
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.shape_agreement import OF_ONE_ARRAY, ShapeMismatch
from jaxlint.analysis.domain.values import Api, Array, Host
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.control_flow.dataflow import value_before
from jaxlint.rewrite.draft import Draft, passing, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.rewrite.shapes.leading_axes import as_matrix, with_trailing_axes
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX213",
    category=Category.FAILS,
    hazards=(ShapeMismatch,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: ShapeMismatch, file: File) -> Iterator[Finding]:
    if hazard.how == "reduced" and file.model.is_test:
        return  # the first axis of made-up data may be of size 1
    operand = file.code(hazard.operand, 40)
    first, second = shown(hazard.first), shown(hazard.second)
    fix, also = None, () if hazard.layer_site is None else (("the layer", hazard.layer_site),)
    if hazard.how == "layer":
        name = hazard.layer.replace("equinox.", "eqx.").replace("flax.", "")
        message = f"Input `{operand}` of `{name}` has shape {second}, expected {first}"
        batched = hazard.layer.startswith("equinox.") and _fits(hazard.second[1:], hazard.first)
        advice = (
            "Map the layer over the batch: `jax.vmap(layer)(x)`."
            if batched
            else "Pass an input with the expected axes and number of features."
        )
        fix = _mapped(hazard, file) if batched else None
    elif hazard.how == "divided":
        message = f"Axis of size {hazard.second[0]} of `{operand}` divided among {hazard.first[0]} devices"
        advice = "Pad the array to a multiple, or leave out the rest: a last batch may be smaller."
    elif hazard.how in ("state", "pair"):
        name = hazard.layer.replace("equinox.", "eqx.").replace("flax.", "").replace("haiku.", "hk.")
        given, taken = ("a pair", "one array") if hazard.how == "state" else ("no pair", "a pair of arrays")
        message = f"State `{operand}` of `{name}` is {given}, expected {taken}"
        advice = f"Begin with {taken} of the size of the cell."
    elif hazard.how in OF_ONE_ARRAY:
        message, advice = _of_one_array(hazard)
        fix = _one_less(hazard, file) if hazard.how == "axis" else None
        if hazard.how == "split":
            fix = _unequal(hazard, file)
        if hazard.how == "square":
            fix = as_matrix(hazard, file)
    elif hazard.how == "mask":
        message = f"Mask `{operand}` of shape {second} for attention of queries and keys {first}"
        advice = f"Give it axes for the heads and the queries: `{_masked(operand)}` masks keys of each example."
        fix = Fix("Mask the keys", (file.replace(hazard.operand, _masked(file.code(hazard.operand))),), changes=GUESSED)
    elif hazard.how == "mesh":
        axes, names = hazard.first[0], hazard.second[0]
        message = f"Mesh of {axes} {'axis' if axes == 1 else 'axes'} with {names} {'name' if names == 1 else 'names'}"
        advice = "Give each axis of the mesh one name."
    elif hazard.how == "spec":
        message = f"Specification of {hazard.first[0]} axes for `{operand}` of shape {second}"
        advice = "Name as many axes as the array has, or fewer: those that are left out are not split."
    elif hazard.how == "reduced":
        axes = ", ".join(map(str, hazard.first))
        message = f"Reduction over axis {axes} without `keepdims` in `{file.code(hazard.site, 40)}`"
        advice = _KEEP_THE_AXIS
        fix = _kept(hazard, file)
    elif hazard.how == "scalar":
        message = f"Matrix product with a scalar: shapes {first} and {second}"
        advice = "Multiply by a scalar with `*`. In the body of a `fori_loop`, take the index as the first parameter."
        fix = _index_first(hazard, file)
    elif hazard.how == "matmul":
        message = f"Incompatible shapes for matrix product: {first} and {second}"
        advice = "Match the last axis of the first operand with the second-to-last axis of the second."
    elif hazard.how == "parameters":
        message = f"Parameter of shape {second} in `apply`, {first} in `init`"
        if hazard.layer:
            message = f"Input of `{hazard.layer}` has {hazard.second[-1]} features, {hazard.first[-1]} in `init`"
        advice = "Initialise the module with an input of the shape that it is applied to, but for the batch."
        if fix := _flattened(hazard, file):
            advice = "Flatten each example by itself: the examples of a batch become features of one."
    elif hazard.how in _ADVICE:
        short = _short(hazard.layer)
        to = f"from {first} to {second}" if hazard.how in ("elements", "sizes") else f"{first} and {second}"
        message, advice = f"Incompatible shapes in `{short}`: {to}", _ADVICE[hazard.how]
        fix = _columns(hazard, file) if hazard.how == "columns" else None
        if hazard.how == "joined":
            fix = with_trailing_axes(hazard, file)
    else:
        where = f" in `{_short(hazard.layer)}`" if hazard.layer else ""
        message = f"Incompatible shapes for broadcasting{where}: {first} and {second}"
        advice = "Compare axes from the last one on, and make their sizes equal or one of them 1."
        if hazard.layer.startswith("optax."):
            fix = _integer_labels(hazard, file)
            advice = f"{fix.title} for labels that are classes." if fix else advice
        elif fix := _kept_axis(hazard, file):
            advice = _KEEP_THE_AXIS
        elif fix := with_trailing_axes(hazard, file):
            advice = "Add the missing axes at the end, as `x[:, None]` does: axes are matched from the last one on."
    yield Finding(hazard.site, message, advice, fix, also=also)


@or_none
def _flattened(hazard: ShapeMismatch, file: File) -> Fix:
    """`x.reshape(x.shape[0], -1)` for `x.reshape(-1)`, above the layer that gets all examples as one."""
    site = known(hazard.layer_site)
    holder = file.holding(site)
    name = expect(ir.Name, expect(ir.Call, holder.unit.nodes[site]).args[0])
    whole = expect(ir.Call, value_before(holder, holder.unit.statement(site), name.id))
    func = expect(ir.Attribute, whole.func)
    match func.attr, whole.args:
        case (("ravel" | "flatten"), ()):
            pass
        case "reshape", (ir.Constant(value=-1),) | (ir.Sequence(elements=(ir.Constant(value=-1),)),):
            pass
        case _:
            raise NoFix
    require(operands.is_path(func.value))
    array = holder.code(func.value.site)
    edit = holder.replace(whole.site, f"{array}.reshape({array}.shape[0], -1)")
    return file.placed(Fix("Keep the axis of the batch", (edit,), changes="the layer has fewer features"), site)


@or_none
def _one_less(hazard: ShapeMismatch, file: File) -> Fix:
    """The axis before, as in a function that is mapped, where the array has an axis less."""
    call, axis = expect(ir.Call, file.unit.nodes[hazard.site]), hazard.first[0]
    require(isinstance(axis, int) and axis == len(hazard.second) and axis >= 1)
    written = expect(ir.Constant, value_of(call, "axis") or (call.args[-1] if call.args else None))
    require(written.value == axis)
    less = str(expect(int, axis) - 1)
    return Fix(f"Name axis {less}", (file.replace(written.site, less),), changes=GUESSED)


@or_none
def _unequal(hazard: ShapeMismatch, file: File) -> Fix:
    """`jnp.array_split` instead of `jnp.split`."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(hazard.layer == "jax.numpy.split")
    return using(file, call.func.site, "jax.numpy.array_split", "the parts have unlike sizes")


def _of_one_array(hazard: ShapeMismatch) -> tuple[str, str]:
    """Message and advice where an operation does not take an array as it is."""
    asked, shape, short = hazard.first, shown(hazard.second), _short(hazard.layer)
    if hazard.how == "axis":
        return (
            f"Axis {asked[0]} of `{short}` out of bounds for shape {shape}",
            "Name an axis that the array has. In a function that is mapped, the mapped axis is gone.",
        )
    if hazard.how == "removed":
        return (
            f"Squeezed axis {asked[0]} of shape {shape} has a size other than 1",
            "Name an axis of size 1, or take an element of it by its index.",
        )
    if hazard.how == "order":
        return (
            f"{len(asked)} axes given to `{short}` for shape {shape}",
            "Name each axis of the array once.",
        )
    if hazard.how == "split":
        return (
            f"Unequal split into {asked[0]} parts by `{short}` of shape {shape}",
            "Use `jnp.array_split`, which makes parts of unlike sizes, or another number of parts.",
        )
    if hazard.how == "square":
        return (
            f"Matrices of shape {shape} in `{short}`, expected square ones",
            "Pass matrices of as many rows as columns.",
        )
    least, greatest = asked
    wanted = f"at least {least}" if greatest is None else f"{least} to {greatest}" if least != greatest else f"{least}"
    return (
        f"Array of shape {shape} in `{short}`, expected {wanted} axes",
        "Give the array the axes that it lacks, or map the function.",
    )


_ADVICE = {
    "equal": "Give both arrays the same shape.",
    "stacked": "Give all arrays the same shape, or join them along an axis with `jnp.concatenate`.",
    "ragged": "Give all of them one length: an array is rectangular, so fill up the shorter ones.",
    "joined": "Give all arrays the same number of axes, and the same sizes but along the joined axis.",
    "summed": "Give the axes that are summed over the same size in both arrays.",
    "elements": "Keep the number of elements. One size may be -1, and follows from the others.",
    "sizes": "Give a size for each axis of the image, those of its batch and channels too.",
    "columns": "Give each vector an axis of columns, `b[..., None]`: a stack of vectors counts as a matrix.",
    "update": "Give the update the shape of the part that it replaces.",
}


def _short(name: str) -> str:
    return name.replace("jax.numpy.", "jnp.").replace("jax.lax.", "lax.").removeprefix("jax.Array")


def _fits(shape: tuple[object, ...], expected: tuple[object, ...]) -> bool:
    """Whether a layer may take an array of this shape."""
    return len(shape) == len(expected) and all(None in pair or pair[0] == pair[1] for pair in zip(shape, expected))


def shown(shape: tuple[object, ...]) -> str:
    """A shape as it is written, with `n` for what is not known."""
    sizes = [str(size) if isinstance(size, int) else "n" for size in shape]
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"


@or_none
def _columns(hazard: ShapeMismatch, file: File) -> Fix:
    """A stack of vectors as a stack of matrices of one column, and the result without it."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(len(call.args) == 2 and not call.keywords and len(hazard.second) == len(hazard.first) - 1)
    vectors = f"{operands.operand(file, call.args[1].site)}[..., None]"
    edits = (file.replace(call.args[1].site, vectors), file.insert(file.span(call.site)[1], "[..., 0]"))
    return Fix(f"Solve for `{vectors}`", edits, changes=GUESSED)


def _masked(code: str) -> str:
    """A mask of the keys of each example, as attention takes it."""
    return f"{code if code.replace('.', '').isidentifier() else f'({code})'}[:, None, None, :]"


@or_none
def _index_first(hazard: ShapeMismatch, file: File) -> Fix:
    """The parameters of the body of a `fori_loop` in the other order, where it takes the index for the carry."""
    binary, body = expect(ir.Binary, file.unit.nodes[hazard.site]), expect(ir.Function, file.unit.scope(hazard.site))
    require(not body.is_lambda and len(body.parameters) == 2)
    first, second = body.parameters
    for each in body.parameters:
        require(each.kind == "ordinary" and each.default is None and each.annotation is None)
    names = {each.id for each in (binary.left, binary.right) if isinstance(each, ir.Name)}
    call = only(
        above for node in file.unit.own if isinstance(node, ir.Name) and node.id == body.name
        if isinstance(above := file.unit.parent(node.site), ir.Call) and len(above.args) == 4 and above.args[2] is node
    )  # fmt: skip
    require(first.name in names and not bindings(body, first.name))
    require({getattr(value, "name", "") for value in file.values(call.func.site)} == {"jax.lax.fori_loop"})
    edits = (file.replace(first.site, second.name), file.replace(second.site, first.name))
    return Fix("Take the index first", edits, changes=GUESSED)


def _kept_axis(hazard: ShapeMismatch, file: File) -> Fix | None:
    """`x - x.max(axis=1, keepdims=True)` for `x - x.max(axis=1)`: the reduction of one side by one axis."""
    binary = file.unit.nodes[hazard.site]
    for whole, call in ((binary.left, binary.right), (binary.right, binary.left)) if type(binary) is ir.Binary else ():
        if type(call) is not ir.Call or type(call.func) is not ir.Attribute:
            continue
        reduced = call.args[0] if call.func.attr and _is_function(file, call.func) and call.args else call.func.value
        given = {each.name for each in call.keywords}
        ranks = {len(hazard.first), len(hazard.second)}
        if file.code(reduced.site) != file.code(whole.site) or max(ranks) - min(ranks) != 1:
            continue
        return passing(file, call, *_KEEPING) if given == {"axis"} else None
    return None


_KEEP_THE_AXIS = "Pass `keepdims=True`: axes are matched from the last one on, and the reduced axis is gone."
_KEEPING = ("keepdims=True", "Keep the axis", "it has size 1")


@or_none
def _kept(hazard: ShapeMismatch, file: File) -> Fix | None:
    """`keepdims=True` in a reduction that nothing but this operator uses."""
    call = expect(ir.Call, file.unit.nodes[hazard.operand])
    require(any(around.site == hazard.site for around in file.unit.ancestors(hazard.operand)))
    require(all(each.name != "keepdims" for each in call.keywords))
    return passing(file, call, *_KEEPING)


def _is_function(file: File, node: ir.Node) -> bool:
    return any(type(value) is Api and value.name.startswith("jax.numpy.") for value in file.values(node.site))


@or_none
def _integer_labels(hazard: ShapeMismatch, file: File) -> Fix:
    """The loss that takes classes in the place of one-hot labels."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(hazard.layer == "optax.softmax_cross_entropy" and len(call.args) == 2 and not call.keywords)
    labels = [value.aval.dtype or "" for value in file.values(call.args[1].site) if isinstance(value, (Array, Host))]
    require(hazard.first == hazard.second[:-1] and labels and all("int" in dtype for dtype in labels))
    name = "optax.softmax_cross_entropy_with_integer_labels"
    return using(file, call.func.site, name, "labels are classes, not probabilities")


@or_none
def _mapped(hazard: ShapeMismatch, file: File) -> Fix:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(len(call.args) == 1 and not call.keywords)
    draft.replace(call.func.site, draft.call("jax.vmap", file.code(call.func.site)))
    return draft.fix("Map the layer over the batch", "right where the batch is the first axis")
