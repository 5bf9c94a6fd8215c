"""Axes and specs of mapping transforms that fit arguments and result, and the names of axes."""

from __future__ import annotations

from difflib import get_close_matches

from jaxlint.analysis.domain.values import Array, BoundMethod, Host, Transformed, Tuple, Undecided, Unknown, python_type
from jaxlint.analysis.transforms.agreement import VmapAxesMismatch
from jaxlint.analysis.transforms.axis_names import UnboundAxisName
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_value, parameter_of
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import GUESSED, NUMBERS_DRAWN
from jaxlint.rewrite.draft import Draft, passing
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import application, entries_of, tuple_text, value_of, written
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import expect, known, only, or_none, plain_call, require, sole
from jaxlint.rewrite.static_args.known_argument import bound
from jaxlint.source.diagnostic import Applicability, Fix

_POSITIONS = {"in_axes": 1, "out_axes": 2}
_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY


@or_none
def fitting_axes(hazard: VmapAxesMismatch, file: File) -> Fix | None:
    draft = Draft(file)
    if hazard.reason == "tuple":
        draft.insert(file.outer_span(hazard.operand)[0], "*")
        return draft.fix("Pass the items one by one", "the tuple is taken apart")
    if hazard.reason == "scalars":
        draft.replace_whole(hazard.operand, draft.call("jax.numpy.array", argument(file, hazard.operand)))
        return draft.fix("Make an array of it", level=Applicability.SAFE)
    home = file.holding(hazard.value.site) if isinstance(hazard.value, Transformed) else file
    call, option, mapped = known(application(home, hazard.value)), hazard.parameter, file.unit.nodes[hazard.site]
    if home is not file:
        return _shared(file, home, hazard, call)
    require(not hazard.path or hazard.what)
    if hazard.by_name:
        return _given_before(file, hazard, call)
    is_partial = file.is_api(call.func.site, "functools.partial")
    value = value_of(call, known(option), None if is_partial else _POSITIONS.get(option or ""))
    if hazard.reason == "key" and value is None:
        return _own_keys(draft, hazard, expect(ir.Call, mapped))
    level, text = _entries(file, hazard, value, mapped)
    if value is None:
        draft.append_argument(call, f"{option}={text}")
    else:
        draft.replace_whole(value.site, text)
    return draft.fix(f"Write `{option}={text}`", GUESSED, level)


def _entries(file: File, hazard: VmapAxesMismatch, value: ir.Node | None, mapped: ir.Node) -> tuple[Applicability, str]:
    """The new entries of the option, and whether the author may have meant something else."""
    if hazard.reason in ("rank", "structure", "sizes"):
        return _of_argument(file, hazard, value, expect(ir.Call, mapped))
    given = entries_of(file, known(value))
    if hazard.reason in ("more", "length", "result"):
        return _of_length(file, hazard, known(given), mapped)
    if hazard.reason == "list":
        return _UNSAFE, tuple_text(known(given))
    if hazard.reason == "dict" and hazard.names:
        return _UNSAFE, tuple_text([file.code(known(value).site), *["None"] * (len(hazard.names) - 1)])
    require(hazard.reason == "none")
    arguments = expect(ir.Call, mapped).args
    if len(arguments) == 1:
        return _DISPLAY, "0" if given is None else "(0,)"
    entries = ["0" if _are_keys(file, each) else "None" for each in arguments]
    require("0" in entries)
    return _UNSAFE, tuple_text(entries)


def _shared(file: File, home: File, hazard: VmapAxesMismatch, call: ir.Call) -> Fix:
    """None for what the module of the call holds, where another file maps over what the function of the call has made."""
    mapped = expect(ir.Call, file.unit.nodes[hazard.site])
    require(hazard.reason == "sizes" and hazard.parameter == "in_axes")
    require(value_of(call, "in_axes", 1) is None and not mapped.keywords)
    scopes = [known(_scope(file, each)) for each in mapped.args]
    entries = ["None" if scope is file.unit.module else "0" for scope in scopes]
    require(len(set(entries)) == 2)
    text = f"in_axes={tuple_text(entries)}"
    return file.placed(known(passing(home, call, text, f"Write `{text}`", GUESSED)), call.site)


def _scope(file: File, node: ir.Node) -> ir.Scope | None:
    """The scope that binds a name, once in a module."""
    scope = defining_scope(file.unit, node.site, node.id) if isinstance(node, ir.Name) else None
    return None if scope is file.unit.module and only_value(scope, getattr(node, "id", "")) is None else scope


def _are_keys(file: File, node: ir.Node) -> bool:
    """Whether an argument is an array of keys, which has one for each call."""
    return file.always(
        node.site, lambda each: isinstance(each, Array) and "key" in (each.aval.dtype or "") and each.aval.ndim == 1
    )


def _given_before(file: File, hazard: VmapAxesMismatch, call: ir.Call) -> Fix | None:
    """`vmap(partial(f, k=1.0))(x)` for `vmap(f)(x, k=1.0)`: what is passed by name is mapped as well."""
    mapped = expect(ir.Call, file.unit.nodes[hazard.site])
    keyword = only(each for each in mapped.keywords if each.value.site == hazard.operand)
    require(mapped.func is call and len(call.args) == 1)  # other calls may pass something else
    require(hazard.reason == "rank" and not hazard.expected)
    return bound(file, mapped, call, keyword)


def _own_keys(draft: Draft, hazard: VmapAxesMismatch, mapped: ir.Call) -> Fix:
    """`split(key, x.shape[0])` for the key, where `x` is mapped with it."""
    others = [each for each in mapped.args if each.site != hazard.operand]
    length = known(next(filter(None, (number_of(draft, each) for each in others)), None))
    require(len(others) < len(mapped.args))
    key = argument(draft.file, hazard.operand)
    draft.replace_whole(hazard.operand, draft.call("jax.random.split", key, length))
    return draft.fix("Split the key into one for each element", NUMBERS_DRAWN)


def number_of(draft: Draft, node: ir.Node) -> str | None:
    """How many elements an argument has that is mapped over its first axis."""
    values, code = draft.file.values(node.site), draft.file.code(node.site)
    kinds = {type(value) for value in values} - {Unknown}  # for callers that are not seen
    if isinstance(node, (ir.Name, ir.Attribute)):
        if kinds and kinds <= {Array, Host}:
            return f"{code}.shape[0]"
        if kinds and kinds <= {Array, Tuple, Undecided}:  # it may be a tree, each leaf of which is mapped
            return f"{draft.call('jax.tree.leaves', code)}[0].shape[0]"
    number = sole({value.aval.shape[0] if type(value) is Array and value.aval.shape else None for value in values})
    return str(number) if type(number) is int else None


def _of_length(file: File, hazard: VmapAxesMismatch, given: list[str], mapped: ir.Node) -> tuple[Applicability, str]:
    """As many entries as there are arguments or results."""
    expected = hazard.expected
    require(given and expected)
    alike = _UNSAFE if len(set(given)) == 1 else _DISPLAY
    if hazard.reason == "result" and expected == 1 and hazard.what != "a tuple":
        require(hazard.what != "None")
        return alike, given[0]
    if isinstance(hazard.function, BoundMethod) and given[0] == "None" and len(given) == expected + 1:
        return _UNSAFE, tuple_text(given[1:])
    if len(given) > expected:
        kept = given[:expected]
        return (_UNSAFE if set(given[expected:]) == {kept[-1]} else _DISPLAY), tuple_text(kept)
    missing = expected - len(given)
    if hazard.reason == "result":
        return alike, tuple_text(given + given[-1:] * missing)
    shared = "None" if not given[0].endswith(")") else f"{given[0].partition('(')[0]}()"
    arguments = expect(ir.Call, mapped).args
    level = _UNSAFE if all(_has_no_axis(file, each) for each in arguments[len(given) :]) else _DISPLAY
    is_batch_last = level is _DISPLAY and set(given[:-1]) == {shared} and given[-1] != shared
    at = len(given) - is_batch_last
    return level, tuple_text(given[:at] + [shared] * missing + given[at:])


def _of_argument(
    file: File, hazard: VmapAxesMismatch, value: ir.Node | None, mapped: ir.Call
) -> tuple[Applicability, str]:
    """The entry of one argument mended."""
    number = only(n for n, each in enumerate(mapped.args) if each.site == hazard.operand)
    one = value is None or isinstance(value, (ir.Constant, ir.Unary))
    if value is None or one:
        entries = ["0" if value is None else written(file, value)] * len(mapped.args)
    else:
        entries = known(entries_of(file, value))
    require(len(entries) == len(mapped.args))
    level = _UNSAFE
    if hazard.reason == "sizes":
        others = [(entry, each) for n, (entry, each) in enumerate(zip(entries, mapped.args)) if n != number]
        entry = known(_axis_of_size(file, hazard, others))
        require(entry != entries[number])
        entries[number] = entry
    elif hazard.reason == "structure":
        inner = entries_of(file, expect(ir.Sequence, value).elements[number])
        require(inner)
        assert inner is not None
        level = _UNSAFE if len(set(inner)) == 1 else _DISPLAY
        enough = (inner + inner[-1:] * hazard.expected)[: hazard.expected]
        entries[number] = inner[0] if hazard.expected == 1 else tuple_text(enough)
    elif hazard.path:
        entries[number] = f"{{{hazard.what}}}"
        return _UNSAFE, tuple_text(entries)
    elif hazard.expected == 0:
        entries[number] = "None"
    else:
        entries[number] = str(hazard.expected - 1) if hazard.count > 0 else "0"
        level = _UNSAFE if hazard.expected == 1 else _DISPLAY
    require(set(entries) != {"None"})  # else nothing is mapped
    return level, entries[0] if one and len(entries) == 1 else tuple_text(entries)


def _axis_of_size(file: File, hazard: VmapAxesMismatch, others: list[tuple[str, ir.Expression]]) -> str | None:
    """The axis that all others are mapped over, where it has their size; None for a tree that has no such size at all, or no axis in places."""
    if hazard.what == "scalars":
        return "None"
    mapped = [(entry, each) for entry, each in others if entry != "None"]
    if hazard.what:
        sizes = {_size(file, each, entry) for entry, each in mapped}
        return "None" if sizes and not sizes & {None, hazard.count, hazard.expected} else None
    axis = sole({entry for entry, _ in mapped}) or ""
    return axis if _size(file, file.unit.nodes[hazard.operand], axis) == hazard.count else None


def _size(file: File, node: ir.Node, axis: str) -> int | None:
    """How long an array is along an axis, where that is known."""
    # In later passes of a loop it may not be known.
    shape = sole({value.aval.shape for value in file.values(node.site) if type(value) is Array} - {None})
    size = shape[int(axis)] if shape and axis.isdigit() and int(axis) < len(shape) else None
    return size if isinstance(size, int) else None


def _has_no_axis(file: File, argument: ir.Node) -> bool:
    numbers = ("int", "float", "complex", "bool")
    return file.always(
        argument.site,
        lambda value: python_type(value) in numbers or (isinstance(value, Array) and value.aval.shape == ()),
    )


_MAPS = ("jax.vmap", "jax.pmap")


@or_none
def named(file: File, site: int, operand: int, hazard: UnboundAxisName) -> Fix | None:
    """The fix for an axis that is asked for under a name that nothing binds."""
    if hazard.where == "mesh" or hazard.bound:
        return _renamed(file, operand, hazard)
    if hazard.unnamed:  # by the one transform that maps the code
        mapping = only(set(hazard.around))
        return file.placed(_named_at(file.holding(mapping), mapping, hazard), mapping)
    return _where_called(file, site, hazard)


def _renamed(file: File, operand: int, hazard: UnboundAxisName) -> Fix:
    """The name that is meant, where it is like the one that is written, or the only one."""
    written = file.unit.nodes[operand]
    scope = defining_scope(file.unit, operand, written.id) if isinstance(written, ir.Name) else None
    if isinstance(written, ir.Name) and scope is not None and (taken := parameter_of(scope, written.id)) is not None:
        written = taken.default or written
    constants = [node for node in ir.walk([written]) if isinstance(node, ir.Constant)]
    words = [node for node in constants if isinstance(node.value, str)]
    wrong = only(node for node in words if node.value == hazard.name)
    free = [name for name in hazard.bound if all(name != node.value for node in words)]
    nearest = get_close_matches(hazard.name, free, 1)
    draft = Draft(file)
    if hazard.where == "mesh" and not free:
        draft.replace(wrong.site, "None")
        return draft.fix(f'Do not shard over `"{hazard.name}"`', level=_DISPLAY)
    require(nearest or len(hazard.bound) == 1 and free)
    name = (nearest or free)[0]
    # All that maps gives its name.
    is_meant = nearest or (hazard.where != "mesh" and len(hazard.around) <= len(hazard.bound))
    draft.replace(wrong.site, f'"{name}"')
    return draft.fix(f'Write `"{name}"`', GUESSED, _UNSAFE if is_meant else _DISPLAY)


def _named_at(file: File, site: int, hazard: UnboundAxisName) -> Fix:
    """`axis_name=` for the transform at ``site``."""
    node = file.unit.nodes[site]
    name = f'axis_name="{hazard.name}"'
    title, changes = f'Name the axis `"{hazard.name}"`', "collectives run over this axis"
    if isinstance(node, ir.Call):
        made = next((each for each in (node, node.func) if isinstance(each, ir.Call) and _maps(file, each)), None)
        return known(passing(file, known(made), name, title, changes))
    require(file.is_api(site, *_MAPS))
    draft = Draft(file)
    draft.give_option(site, name)
    return draft.fix(title, changes)


def _maps(file: File, call: ir.Call) -> bool:
    """`jax.vmap(…)`, or `partial(jax.vmap, …)`"""
    function = call.args[0] if call.args and file.is_api(call.func.site, "functools.partial") else call.func
    return file.is_api(function.site, *_MAPS)


def _where_called(file: File, site: int, hazard: UnboundAxisName) -> Fix:
    """The one call of the function mapped over its one argument: nothing maps it."""
    function = known(next((each for each in file.unit.ancestors(site) if isinstance(each, ir.Function)), None))
    require(not function.is_lambda and file.unit.scope(function.site) is file.unit.module)
    call = only(known(visible_calls(file, function))).call
    require(plain_call(call, 1) and isinstance(call.func, ir.Name))
    draft = Draft(file)
    draft.replace(call.func.site, draft.call("jax.vmap", file.code(call.func.site), f'axis_name="{hazard.name}"'))
    message = f'Map `{function.name}` over `"{hazard.name}"`, the first axis of its argument'
    return draft.fix(message, level=Applicability.DISPLAY)
