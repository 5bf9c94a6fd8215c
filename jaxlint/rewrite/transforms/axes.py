"""The fix that gives a mapping transform axes or specs that fit its arguments and its result."""

from __future__ import annotations

from jaxlint.analysis.domain.values import (
    Array,
    BoundMethod,
    Const,
    Host,
    Static,
    Transformed,
    Tuple,
    Undecided,
    Unknown,
)
from jaxlint.analysis.transforms.agreement import VmapAxesMismatch
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_value
from jaxlint.rewrite.changes import GUESSED, NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.static_args.left_alone import bound
from jaxlint.rewrite.transform_options import added, application, entries_of, rewritten, tuple_text, value_of, written
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

_POSITIONS = {"in_axes": 1, "out_axes": 2}
_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY
# Whether the author may have meant something else, and the new entries.
Chosen = tuple[Applicability, str] | None


def fitting_axes(hazard: VmapAxesMismatch, file: File) -> Fix | None:
    if hazard.reason == "tuple":
        star = file.insert(file.outer_span(hazard.operand)[0], "*")
        return Fix("Pass the items one by one", (star,), changes="the tuple is taken apart")
    if hazard.reason == "scalars":
        array, imports = file.api("jax.numpy.array")
        made = Edit(*file.outer_span(hazard.operand), f"{array}({argument(file, hazard.operand)})")
        return Fix("Make an array of it", (made,), Applicability.SAFE, imports)
    home = file.holding(hazard.value.site) if isinstance(hazard.value, Transformed) else file
    call, option = application(home, hazard.value), hazard.parameter
    if home is not file:
        return _shared(file, home, hazard, call)
    if call is None or option is None or (hazard.path and not hazard.what):
        return None
    if hazard.by_name:
        return _given_before(file, hazard, call)
    is_partial = file.is_api(call.func.site, "functools.partial")
    value = value_of(call, option, None if is_partial else _POSITIONS.get(option))
    given = value if value is None else entries_of(file, value)
    mapped = file.unit.nodes[hazard.site]
    if hazard.reason == "key" and value is None and isinstance(mapped, ir.Call):
        return _own_keys(file, hazard, mapped)
    chosen: Chosen = None
    if hazard.reason in ("more", "length", "result") and given is not None:
        chosen = _of_length(file, hazard, given, mapped)
    elif hazard.reason == "list" and given is not None:
        chosen = _UNSAFE, tuple_text(given)
    elif hazard.reason == "dict" and value is not None and hazard.names:
        chosen = _UNSAFE, tuple_text([file.code(value.site), *["None"] * (len(hazard.names) - 1)])
    elif hazard.reason == "none" and value is not None and isinstance(mapped, ir.Call):
        chosen = _over_keys(file, mapped, given)
    elif hazard.reason in ("rank", "structure", "sizes") and isinstance(mapped, ir.Call):
        chosen = _of_argument(file, hazard, value, mapped)
    if chosen is None:
        return None
    level, text = chosen
    edit: Edit = added(file, call, f"{option}={text}") if value is None else rewritten(file, value, text)
    return Fix(f"Write `{option}={text}`", (edit,), level, changes=GUESSED)


def _shared(file: File, home: File, hazard: VmapAxesMismatch, call: ir.Call | None) -> Fix | None:
    """None for what the module of the call holds, where another file maps over what the function of the call has made."""
    mapped = file.unit.nodes[hazard.site]
    if hazard.reason != "sizes" or call is None or not isinstance(mapped, ir.Call) or value_of(call, "in_axes", 1):
        return None
    scopes = [_scope(file, each) for each in mapped.args]
    entries = ["None" if scope is file.unit.module else "0" for scope in scopes]
    if None in scopes or len(set(entries)) < 2 or mapped.keywords or hazard.parameter != "in_axes":
        return None
    text = tuple_text(entries)
    fix = Fix(f"Write `in_axes={text}`", (added(home, call, f"in_axes={text}"),), changes=GUESSED)
    return file.placed(fix, call.site)


def _scope(file: File, node: ir.Node) -> ir.Scope | None:
    """The scope that binds a name, once in a module."""
    scope = defining_scope(file.unit, node.site, node.id) if isinstance(node, ir.Name) else None
    return None if scope is file.unit.module and only_value(scope, getattr(node, "id", "")) is None else scope


def _over_keys(file: File, mapped: ir.Call, given: list[str] | None) -> Chosen:
    """The first axis of the one argument, or of the array of keys, which has one for each call."""
    if len(mapped.args) == 1:
        return _DISPLAY, "0" if given is None else "(0,)"
    keys = [_are_keys(file, each) for each in mapped.args]
    return (_UNSAFE, tuple_text(["0" if each else "None" for each in keys])) if any(keys) else None


def _are_keys(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(
        isinstance(each, Array) and "key" in (each.aval.dtype or "") and each.aval.ndim == 1 for each in values
    )


def _given_before(file: File, hazard: VmapAxesMismatch, call: ir.Call) -> Fix | None:
    """`vmap(partial(f, k=1.0))(x)` for `vmap(f)(x, k=1.0)`: what is passed by name is mapped as well."""
    mapped = file.unit.nodes[hazard.site]
    keyword = next((each for each in getattr(mapped, "keywords", ()) if each.value.site == hazard.operand), None)
    if not isinstance(mapped, ir.Call) or mapped.func is not call or len(call.args) != 1:
        return None  # other calls may pass something else
    return bound(file, mapped, call, keyword) if keyword and hazard.reason == "rank" and not hazard.expected else None


def _own_keys(file: File, hazard: VmapAxesMismatch, mapped: ir.Call) -> Fix | None:
    """`split(key, x.shape[0])` for the key, where `x` is mapped with it."""
    others = [number_of(file, each) for each in mapped.args if each.site != hazard.operand]
    length = next((each for each in others if each is not None), None)
    if length is None or len(others) == len(mapped.args):
        return None
    split, imports = file.api("jax.random.split")
    edit = Edit(*file.outer_span(hazard.operand), f"{split}({argument(file, hazard.operand)}, {length[0]})")
    title = "Split the key into one for each element"
    return Fix(title, (edit,), imports=imports | length[1], changes=NUMBERS_DRAWN)


def number_of(file: File, node: ir.Node) -> tuple[str, frozenset[ImportRequest]] | None:
    """How many elements an argument has that is mapped over its first axis."""
    values = file.values(node.site)
    kinds = {type(value) for value in values} - {Unknown}  # for callers that are not seen
    if isinstance(node, (ir.Name, ir.Attribute)):
        if kinds and kinds <= {Array, Host}:
            return f"{file.code(node.site)}.shape[0]", frozenset()
        if kinds and kinds <= {Array, Tuple, Undecided}:  # it may be a tree, each leaf of which is mapped
            leaves, imports = file.api("jax.tree.leaves")
            return f"{leaves}({file.code(node.site)})[0].shape[0]", imports
    known = {value.aval.shape[0] if type(value) is Array and value.aval.shape else None for value in values}
    number = known.pop() if len(known) == 1 else None
    return (str(number), frozenset()) if type(number) is int else None


def _of_length(file: File, hazard: VmapAxesMismatch, given: list[str], mapped: ir.Node) -> Chosen:
    """As many entries as there are arguments or results."""
    if hazard.reason == "result" and hazard.expected == 1 and hazard.what != "a tuple":
        if hazard.what == "None" or not given:
            return None
        return (_UNSAFE if len(set(given)) == 1 else _DISPLAY), given[0]
    if not given or not hazard.expected:
        return None
    if isinstance(hazard.function, BoundMethod) and given[0] == "None" and len(given) == hazard.expected + 1:
        return _UNSAFE, tuple_text(given[1:])
    if len(given) > hazard.expected:
        kept = given[: hazard.expected]
        return (_UNSAFE if set(given[hazard.expected :]) == {kept[-1]} else _DISPLAY), tuple_text(kept)
    missing = hazard.expected - len(given)
    if hazard.reason == "result":
        level = _UNSAFE if len(set(given)) == 1 else _DISPLAY
        return level, tuple_text(given + given[-1:] * missing)
    shared = "None" if not given[0].endswith(")") else f"{given[0].partition('(')[0]}()"
    assert isinstance(mapped, ir.Call)
    if all(_has_no_axis(file, argument) for argument in mapped.args[len(given) :]):
        return _UNSAFE, tuple_text(given + [shared] * missing)
    if set(given[:-1]) == {shared} and given[-1] != shared:
        return _DISPLAY, tuple_text(given[:-1] + [shared] * missing + given[-1:])  # the batch comes last
    return _DISPLAY, tuple_text(given + [shared] * missing)


def _of_argument(file: File, hazard: VmapAxesMismatch, value: ir.Node | None, mapped: ir.Call) -> Chosen:
    """The entry of one argument mended."""
    number = next((n for n, argument in enumerate(mapped.args) if argument.site == hazard.operand), None)
    if number is None:
        return None
    one = value is None or isinstance(value, (ir.Constant, ir.Unary))
    if value is None or one:
        entries: list[str] | None = ["0" if value is None else written(file, value)] * len(mapped.args)
    else:
        entries = entries_of(file, value)
    if entries is None or len(entries) != len(mapped.args):
        return None
    level = _UNSAFE
    if hazard.reason == "sizes":
        others = [(entry, each) for n, (entry, each) in enumerate(zip(entries, mapped.args)) if n != number]
        entry = _axis_of_size(file, hazard, others)
        if entry is None or entry == entries[number]:
            return None
        entries[number] = entry
    elif hazard.reason == "structure":
        inner = entries_of(file, value.elements[number]) if isinstance(value, ir.Sequence) else None
        if not inner:
            return None
        level = _UNSAFE if len(set(inner)) == 1 else _DISPLAY
        enough = (inner + inner[-1:] * hazard.expected)[: hazard.expected]
        entries[number] = inner[0] if hazard.expected == 1 else tuple_text(enough)
    elif hazard.path:
        entries[number] = f"{{{hazard.what}}}"
        return _UNSAFE, tuple_text(entries)
    elif hazard.expected == 0:
        entries[number] = "None"
        if set(entries) == {"None"}:
            return None  # then nothing is mapped
    else:
        entries[number] = str(hazard.expected - 1) if hazard.count > 0 else "0"
        level = _UNSAFE if hazard.expected == 1 else _DISPLAY
    return level, entries[0] if one and len(entries) == 1 else tuple_text(entries)


def _axis_of_size(file: File, hazard: VmapAxesMismatch, others: list[tuple[str, ir.Expression]]) -> str | None:
    """The axis that all others are mapped over, where it has their size; None for a tree that has no such size at all."""
    mapped = [(entry, each) for entry, each in others if entry != "None"]
    if hazard.what:
        sizes = {_size(file, each, entry) for entry, each in mapped}
        return "None" if sizes and not sizes & {None, hazard.count, hazard.expected} else None
    axes = {entry for entry, _ in mapped}
    axis = axes.pop() if len(axes) == 1 else ""
    return axis if _size(file, file.unit.nodes[hazard.operand], axis) == hazard.count else None


def _size(file: File, node: ir.Node, axis: str) -> int | None:
    """How long an array is along an axis, where that is known."""
    shapes = {value.aval.shape for value in file.values(node.site) if type(value) is Array} - {None}
    shape = shapes.pop() if len(shapes) == 1 else None  # in later passes of a loop it may not be
    size = shape[int(axis)] if shape and axis.isdigit() and int(axis) < len(shape) else None
    return size if isinstance(size, int) else None


def _has_no_axis(file: File, argument: ir.Node) -> bool:
    found = file.values(argument.site)
    return bool(found) and all(
        (isinstance(value, Const) and isinstance(value.value, (int, float, complex)))
        or (isinstance(value, Static) and value.type in ("int", "float", "bool"))
        or (isinstance(value, Array) and value.aval.shape == ())
        for value in found
    )
