"""The function of JAX that takes the place of one of NumPy or SciPy, and whether the result is the same to the bit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arrays.array_names import calls_array_maker, made_by_jax
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import is_plain, known, or_none, require

_RENAMED = {
    "numpy.asanyarray": "jax.numpy.asarray",
    "numpy.ascontiguousarray": "jax.numpy.asarray",
    "numpy.asfortranarray": "jax.numpy.asarray",
}
# Types that JAX has by name, and narrows to 32 bits with a warning.
_WIDE = frozenset(
    "float64 int64 uint64 complex128 double cdouble longdouble clongdouble int_ uint longlong ulonglong intp uintp".split()
)
# Parameters that JAX lacks, or has and does not support.
_UNSUPPORTED = frozenset({"out", "where", "kind", "order", "casting", "subok", "like", "a_min", "a_max", "mode"})
# Functions whose first argument is a sequence of arrays.
_SEQUENCES = frozenset(
    "array asarray stack concatenate concat hstack vstack dstack column_stack block broadcast_arrays".split()
)
_TUPLES = frozenset("shape axes axis dtype pad_width shift".split())  # parameters that take tuples
_NESTED = frozenset({"array", "asarray"})  # those that take sequences in the sequence


@or_none
def counterpart(file: File, call: ir.Call, api: str) -> str:
    """Canonical name of the JAX function to which ``call`` can be handed as it is written."""
    require(file.is_api(call.func.site, api))  # no `map(np.sin, xs)`, no partial, no other function on another path
    last = api.rpartition(".")[2]
    name = _RENAMED.get(api) or ("jax." + api)
    require(knowledge.known(name) and last not in _WIDE and is_plain(call.args))
    found = knowledge.facts(name)
    if found is None:
        require(not call.keywords and not any(_is_list(file, arg) for arg in call.args))
        return name
    given = [(known(parameter), node) for parameter, node in _bound(found, call)]
    if last == "where" and len(call.args) == 3:
        return name
    require(not found.decides or any(parameter.name in found.ways_out for parameter, _ in given))
    for number, (parameter, node) in enumerate(given):
        if parameter.name in found.static:
            require(all(value.cls is None for value in file.values(node.site)))
        elif number == 0 and name.rpartition(".")[2] in _SEQUENCES:
            elements = node.elements if isinstance(node, ir.Sequence) and last not in _NESTED else ()
            require(not any(_is_list(file, each) for each in elements))
        elif parameter.name not in found.sizes and parameter.name not in _TUPLES:
            require(not _is_list(file, node))
    return name


def _bound(found: knowledge.Facts, call: ir.Call) -> Iterator[tuple[knowledge.Parameter | None, ir.Node]]:
    """Each argument with the parameter it is passed to, None where the function has none for it."""
    ordinary = [p for p in found.parameters if p.kind in ("positional-only", "ordinary")]
    star = next((p for p in found.parameters if p.kind == "star"), None)
    for number, arg in enumerate(call.args):
        yield (ordinary[number] if number < len(ordinary) else star), arg
    by_name = {p.name: p for p in found.parameters if p.kind in ("ordinary", "keyword-only")}
    for keyword in call.keywords:
        name = keyword.name
        yield (None if name is None or name in _UNSUPPORTED else by_name.get(name)), keyword.value


def _is_list(file: File, node: ir.Node) -> bool:
    """Whether an argument is a list or tuple, which functions of JAX refuse where they want an array."""
    if isinstance(node, (ir.Sequence, ir.Comprehension)) or _is_tested_for_list(file, node):
        return True
    return any(type(value) in (v.Tuple, v.Ref, v.Iterator) for value in file.values(node.site))


def _is_tested_for_list(file: File, node: ir.Node) -> bool:
    """Whether code runs where `isinstance` finds a list or tuple."""
    inner = node
    for above in file.unit.ancestors(node.site) if isinstance(node, ir.Name) else ():
        if isinstance(above, (ir.If, ir.Conditional)):
            body = above.body if isinstance(above.body, list) else [above.body]
            match above.test:
                case ir.Call(func=ir.Name(id="isinstance"), args=[asked, classes]) if inner in body:
                    is_list = bool(re.search(r"\b(list|tuple)\b", file.code(classes.site)))
                    return is_list and file.code(asked.site) == file.code(node.site)
        inner = above
    return False


_ANY = frozenset({"float32", "int32", "bfloat16", "bool"})
# For which dtypes the bits are the same, by the number of arguments: measured, but for subnormal numbers, which XLA takes
# for zero. Two zeros of different sign have no order in NumPy, and what it does with the NaNs of bfloat16 is its own.
_ONE = {
    **dict.fromkeys(
        "abs absolute negative positive signbit isnan isinf isfinite isneginf isposinf iscomplex logical_not"
        " fliplr flipud ravel atleast_1d atleast_2d atleast_3d copy zeros_like ones_like diff tril triu diag diagonal"
        " ptp diagflat".split(),
        _ANY,
    ),
    **dict.fromkeys("nan_to_num nanmax nanmin".split(), _ANY - {"bfloat16"}),
    **{key: {"float32"} for key in "floor ceil trunc rint sqrt square reciprocal".split()},
    "sort": {"int32", "bool"},
}
_TWO = {
    **dict.fromkeys(
        "add subtract multiply maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal"
        " logical_and logical_or logical_xor".split(),
        _ANY,
    ),
    **{key: {"float32"} for key in "fmod copysign".split()},
    **{key: {"int32"} for key in "bitwise_and bitwise_or bitwise_xor left_shift right_shift".split()},
}
_LARGEST = frozenset("maximum minimum fmax fmin nanmax nanmin ptp".split())
_FLOATS = frozenset({"float32", "bfloat16"})
_MANY = frozenset("concatenate stack hstack vstack".split())


def is_bit_exact(file: File, call: ir.Call, api: str) -> bool:
    """Whether the rewritten call leaves the same bits in what the code makes of its result.

    NumPy gives an array of its own type: only where the result goes straight into a function of JAX
    does nothing of that remain.
    """
    module, _, name = api.rpartition(".")
    if module != "numpy" or call.keywords or not _goes_into_jax(file, call):
        return False
    if name in _MANY and len(call.args) == 1 and isinstance(call.args[0], ir.Sequence):
        dtypes = {_dtype(file, each) for each in call.args[0].elements}
        return len(dtypes) == 1 and None not in dtypes
    dtypes = {_dtype(file, each) for each in call.args if not isinstance(each, ir.Constant)}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    if dtype is None:
        return False
    numbers = [each for each in call.args if isinstance(each, ir.Constant)]
    if _tells_zeros_apart(name, numbers, dtype):
        return False
    if len(call.args) == 1:
        return dtype in _ONE.get(name, ())
    return len(call.args) == 2 and dtype in _TWO.get(name, ()) and all(_agrees(each, dtype) for each in numbers)


def _tells_zeros_apart(name: str, numbers: list[ir.Constant], dtype: str) -> bool:
    """Whether JAX gives the larger of 0.0 and -0.0, where NumPy gives the one that comes first."""
    return name in _LARGEST and dtype in _FLOATS and not any(number.value for number in numbers)


def _agrees(number: ir.Constant, dtype: str) -> bool:
    """Whether NumPy and JAX compute with the number in this dtype."""
    kinds = {"float32": (int, float), "int32": (int,)}.get(dtype, ())
    return type(number.value) in kinds and abs(number.value) < 2**24


def _goes_into_jax(file: File, call: ir.Call) -> bool:
    above = file.unit.parent(call.site)
    if isinstance(above, ir.Binary):
        other = above.right if above.left is call else above.left
        return _dtype(file, other) is not None
    return isinstance(above, ir.Call) and call in above.args and calls_array_maker(file, above)


def _dtype(file: File, node: ir.Node) -> str | None:
    """The dtype of what is certainly an array made by a function of JAX; None where that is not certain."""
    values = file.values(node.site)
    dtypes = {value.aval.dtype if type(value) is v.Array and not value.aval.weak else None for value in values}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    return dtype if dtype in _ANY and _is_made_by_jax(file, node) else None


def _is_made_by_jax(file: File, node: ir.Node) -> bool:
    if isinstance(node, ir.Name):
        return made_by_jax(file, file.unit.scope(node.site), node.id)
    if isinstance(node, ir.Subscript):
        return _is_made_by_jax(file, node.value)
    if isinstance(node, ir.Binary):
        sides = [side for side in (node.left, node.right) if not isinstance(side, ir.Constant)]
        return all(_is_made_by_jax(file, side) for side in sides)
    if isinstance(node, ir.Call):
        receiver = node.func.value if isinstance(node.func, ir.Attribute) else None
        return calls_array_maker(file, node) or (receiver is not None and _is_made_by_jax(file, receiver))
    return False


# Transforms whose arguments are tracers under `jax.disable_jit` too.
_ALWAYS = frozenset(
    "jax.vmap jax.pmap jax.checkpoint jax.eval_shape jax.make_jaxpr jax.grad jax.value_and_grad jax.hessian"
    " jax.jacfwd jax.jacrev jax.linear_transpose".split()
)


def runs_only_traced(hazard: Hazard, file: File) -> bool:
    """Whether the value comes from a parameter that is a tracer each time its function is called.

    So it is where the function has no name but that of its transformed self: it is decorated with
    the transform, or a lambda that is handed to it.
    """
    function = file.unit.scope(hazard.site)
    if not isinstance(function, ir.Function) or function.is_generator or function.is_async:
        return False
    step = hazard.origin
    while step is not None and step.site not in {parameter.site for parameter in function.parameters}:
        step = step.parent
    if step is None or step.parent is None or step.parent.transform not in _ALWAYS:
        return False
    parameter = file.unit.nodes[step.site]
    if parameter.default is not None:
        return False
    made = step.parent.site
    if any(decorator.site == made for decorator in function.decorators):
        return True
    holder = file.unit.parent(function.site)
    call = file.unit.parent(holder.site) if isinstance(holder, ir.Lambda) else None
    return isinstance(call, ir.Call) and call.site == made and holder in call.args
