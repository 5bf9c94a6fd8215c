"""The function of JAX that takes the place of one of NumPy or SciPy, and what keeps it from doing so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
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
