"""Rewrites that give each element of a batch, or each step of a traced loop, a key of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.analysis.domain.values import Array, FunctionValue, Ref
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, own_returns, parameter_of, passed_function
from jaxlint.rewrite import operands
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in
from jaxlint.rewrite.keys.splitting import split_before
from jaxlint.rewrite.requirements import NoFix, expect, is_plain, known, only, or_none, require
from jaxlint.rewrite.statements import above, first_statement, unused
from jaxlint.rewrite.transform_options import value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY
_OF_ARRAYS = ("shape", "dtype", "ndim", "T", "at", "sum", "mean")


class _Sized(NamedTuple):
    """How many elements there are, in code, and whether what says so is certainly an array."""

    code: str
    level: Applicability


class _Use(NamedTuple):
    """A key that is used in a function which a transform runs many times."""

    file: File
    transform: ir.Call
    function: ir.Function
    operand: int
    key: str  # the key outside the function, in code
    name: str  # what it is called inside
    is_named: bool  # whether that is what stands at ``operand``


@or_none
def own_keys(file: File, site: int, how: str, operand: int) -> Fix | None:
    """A key for each run of the function that the transform at ``site`` runs, in place of the one at ``operand``."""
    transform = expect(ir.Call, file.unit.nodes[site])
    decorated = file.unit.parent(site)
    if isinstance(decorated, ir.Function) and tuple(decorated.decorators) == (transform,):
        return _wrapped(file, transform, decorated, operand) if how == "vmap" else None
    position = 2 if how == "lax.fori_loop" else 0
    require(len(transform.args) > position and is_plain(transform.args))
    function = known(passed_function(file.unit, transform.args[position]))
    operand = _handed_in(file, function, operand)
    key = file.unit.nodes[operand]
    if isinstance(key, ir.Name) and key.id in function.locals:
        if how == "vmap":
            return _unmapped(file, transform, function, key)
        return split_before(file, operand) if _returns(function, key.id) else None
    require(isinstance(key, (ir.Name, ir.Attribute, ir.Call)))
    for between in file.unit.ancestors(operand):
        if isinstance(between, (ir.Scope, ir.Comprehension)):
            require(between.locals.isdisjoint(ir.names_below([key])))
        if between is function:
            break
    named = key.id if isinstance(key, ir.Name) else "key"
    use = _Use(file, transform, function, operand, operands.argument(file, operand), named, isinstance(key, ir.Name))
    require(use.is_named or named not in function.locals)
    if how == "lax.fori_loop":
        return _folded(use, function.parameters[0].name) if function.parameters else None
    rewrite = {"vmap": _mapped, "lax.map": _mapped_in_turn, "lax.scan": _scanned}.get(how)
    return None if rewrite is None else rewrite(use)


def _handed_in(file: File, function: ir.Function, operand: int) -> int:
    """Where a key stands in ``function`` itself: there, or as the argument of the one call that leads to where it is used."""
    for _ in range(5):
        inside = list(file.unit.ancestors(operand))
        if function in inside:
            return operand
        helper = known(next((each for each in inside if isinstance(each, ir.Function)), None))
        key = expect(ir.Name, file.unit.nodes[operand])
        known(parameter_of(helper, key.id))
        call = only(
            node for node in file.unit.own
            if isinstance(node, ir.Call)
            and any(isinstance(each, FunctionValue) and each.function is helper for each in file.values(node.func.site))
        )  # fmt: skip
        operand = known(ir.passed(helper, call).get(key.id)).site
    raise NoFix


# --- each transform ------------------------------------------------------------------------------


def _mapped(use: _Use) -> Fix:
    """`vmap(lambda key, x: …)(split(key, n), xs)`"""
    file, call = use.file, _call_of(use.file, use.transform)
    require(len(use.transform.args) == 1 and call.args and _takes(use, len(call.args)))
    axes = _axes(use.transform, len(call.args))
    for parameter, argument, axis in zip(use.function.parameters, call.args, axes):
        if axis == 0 and _is_range(file, argument):
            return _folded(use, parameter.name)
    size = _size(use, call.args, axes)
    keys, imports = _split(use, size.code)
    edits = [
        file.insert(file.span(use.function.parameters[0].site)[0], f"{use.name}, "),
        file.insert(file.outer_span(call.args[0].site)[0], f"{keys}, "),
    ]
    given = value_of(use.transform, "in_axes")
    if isinstance(given, ir.Sequence):
        edits.append(file.insert(file.outer_span(given.elements[0].site)[0], "0, "))
    return _fix(use, edits, imports, size.level)


def _mapped_in_turn(use: _Use) -> Fix:
    """`lax.map(f, (split(key, n), xs))`"""
    call = use.transform
    require(len(call.args) == 2 and _takes(use, 1))
    if _is_range(use.file, call.args[1]):
        return _folded(use, use.function.parameters[0].name)
    return _paired(use, use.function.parameters[0], call.args[1], _size(use, call.args[1:], [0]))


def _scanned(use: _Use) -> Fix:
    """`lax.scan(f, init, split(key, n))`, or the keys beside what is scanned already."""
    file, call = use.file, use.transform
    named = {each.name: each for each in call.keywords}
    require(None not in named and _takes(use, 2))
    xs, step, length = ir.given(call, 2, "xs"), use.function.parameters[1], named.get("length")
    if xs is not None and not ir.is_none(xs):
        if _is_range(file, xs):
            return _folded(use, step.name)
        if length is not None:
            size = _Sized(operands.argument(file, length.value.site), _UNSAFE)
        else:
            size = _size(use, [xs], [0], [step])
        return _paired(use, step, xs, size)
    length = known(length)
    require(step.name not in ir.names_below(use.function.body))  # it may be a variable from outside as well
    keys, imports = _split(use, operands.argument(file, length.value.site))
    edits = [_renamed(file, step, use.name)]
    if xs is not None:
        edits += [file.replace(xs.site, keys), without_argument(file, length)]
    else:
        edits.append(file.replace(length.site, f"xs={keys}"))
    return _fix(use, edits, imports, _UNSAFE)


def _folded(use: _Use, counter: str) -> Fix:
    """`fold_in(key, i)` where the function knows which run it is."""
    require(not bindings(use.function, counter))
    for outer in use.file.unit.ancestors(use.operand):
        if outer is use.function:
            break
        require(not (isinstance(outer, ir.Scope) and counter in outer.locals))
    fold_in, imports = use.file.api("jax.random.fold_in")
    edit = use.file.replace(use.operand, f"{fold_in}({use.key}, {counter})")
    return Fix(f"Fold `{counter}` into the key", (edit,), _UNSAFE, imports, NUMBERS_DRAWN)


def _paired(use: _Use, parameter: ir.Parameter, xs: ir.Node, size: _Sized) -> Fix:
    """The function takes a pair of a key and what it took before."""
    file = use.file
    pair = unused(names_in(use.function), "inputs", "key_and_x")
    keys, imports = _split(use, size.code)
    edits = [
        Edit(*file.outer_span(xs.site), f"({keys}, {operands.argument(file, xs.site)})"),
        _renamed(file, parameter, pair),
    ]
    if not use.function.is_lambda:
        unpacking = f"{use.name}, {parameter.name} = {pair}"
        edits.append(known(above(file, first_statement(use.function), unpacking)))
        return _fix(use, edits, imports, size.level)
    require(not any(isinstance(node, (ir.Scope, ir.Comprehension)) for node in ir.walk(use.function.body)))
    read = ir.names_below(use.function.body)
    edits.append(file.replace(use.operand, f"{pair}[0]"))
    for number, name in enumerate((use.name, parameter.name)):
        edits += [
            file.replace(each.site, f"{pair}[{number}]") for each in read.get(name, ()) if each.site != use.operand
        ]
    return _fix(use._replace(is_named=True), edits, imports, size.level)


def _unmapped(file: File, transform: ir.Call, function: ir.Function, key: ir.Name) -> Fix:
    """`in_axes=None` of a key becomes 0, and the call passes a key for each element."""
    call = _call_of(file, transform)
    axes, given = _axes(transform, len(call.args)), expect(ir.Sequence, value_of(transform, "in_axes"))
    position = [each.name for each in function.parameters].index(known(parameter_of(function, key.id)).name)
    require(position < len(axes) and axes[position] is None)
    argument = call.args[position]
    use = _Use(file, transform, function, key.site, operands.argument(file, argument.site), key.id, True)
    size = _size(use, call.args, axes)
    keys, imports = _split(use, size.code)
    edits = [file.replace(given.elements[position].site, "0"), Edit(*file.outer_span(argument.site), keys)]
    return _fix(use, edits, imports, size.level)


_TITLE = "Map over a key for each element"


def _wrapped(file: File, transform: ir.Call, function: ir.Function, operand: int) -> Fix:
    """Below `@partial(jax.vmap, in_axes=(None, 0))`: the function takes keys, and another one of its name splits them."""
    key, define = expect(ir.Name, file.unit.nodes[operand]), known(file.unit.parent(function.site))
    names = [each.name for each in function.parameters]
    plain = all(each.kind == "ordinary" and not each.default and not each.annotation for each in function.parameters)
    require(parameter_of(function, key.id) and plain and not function.is_method)
    axes, position, given = (
        _axes(transform, len(names)),
        names.index(key.id),
        expect(ir.Sequence, value_of(transform, "in_axes")),
    )
    require(axes[position] is None)
    inner = f"_{function.name.lstrip('_')}_one"
    require(inner not in file.unit.scope(function.site).locals | file.unit.module.locals)
    mapped = known(next((name for name, axis in zip(names, axes) if axis is not None), None))
    level = _UNSAFE if _is_computed_with(function, mapped) else _DISPLAY
    split, imports = file.api("jax.random.split")
    passed = [*names]
    passed[position] = f"{split}({key.id}, {mapped}.shape[{axes[names.index(mapped)]}])"
    newline, indentation = file.source.newline, file.indentation(define.site)
    start, end = file.span(define.site)
    end = start + len(file.source.text[start:end].rstrip("\r\n"))
    head = file.source.text.find(f"def {function.name}", start) + len("def ")
    require(head > start)
    blank = newline * (3 if not indentation else 2)
    wrapper = (
        f"{blank}{indentation}def {function.name}({', '.join(names)}):"
        f"{newline}{indentation}    return {inner}({', '.join(passed)})"
    )
    edits = (
        file.replace(given.elements[position].site, "0"),
        Edit(head, head + len(function.name), inner),
        file.insert(end, wrapper),
    )
    return Fix(_TITLE, edits, level, imports, NUMBERS_DRAWN)


# --- what they share -----------------------------------------------------------------------------


def _fix(use: _Use, edits: list[Edit], imports: frozenset[ImportRequest], level: Applicability) -> Fix:
    if not use.is_named:
        edits.append(use.file.replace(use.operand, use.name))
    return Fix(_TITLE, tuple(edits), level, imports, NUMBERS_DRAWN)


def _split(use: _Use, count: str) -> tuple[str, frozenset[ImportRequest]]:
    split, imports = use.file.api("jax.random.split")
    return f"{split}({use.key}, {count})", imports


def _renamed(file: File, parameter: ir.Parameter, name: str) -> Edit:
    start = file.span(parameter.site)[0]
    return Edit(start, start + len(parameter.name), name)


def _call_of(file: File, transform: ir.Call) -> ir.Call:
    """The call of the function that a transform makes, with arguments by position alone."""
    call = expect(ir.Call, file.unit.parent(transform.site))
    require(call.func is transform and not call.keywords and is_plain(call.args))
    return call


def _takes(use: _Use, count: int) -> bool:
    """Whether the function takes ``count`` positional arguments, without defaults."""
    plain = all(each.kind == "ordinary" and each.default is None for each in use.function.parameters)
    return plain and len(use.function.parameters) == count


def _axes(transform: ir.Call, count: int) -> list[int | None]:
    """The axis of each argument that is mapped, where they are written out."""
    given = value_of(transform, "in_axes")
    require(all(each.name in ("in_axes", "out_axes", "axis_name") for each in transform.keywords))
    if given is None or isinstance(given, ir.Constant) and given.value == 0:
        return [0] * count
    axes = [expect(ir.Constant, each).value for each in expect(ir.Sequence, given).elements]
    require(len(axes) == count and all(axis is None or type(axis) is int for axis in axes))
    return axes


def _size(
    use: _Use, arguments: Sequence[ir.Node], axes: list[int | None], parameters: list[ir.Parameter] | None = None
) -> _Sized:
    """The number of elements, read off an argument."""
    found: list[_Sized] = []
    for parameter, argument, axis in zip(parameters or use.function.parameters, arguments, axes):
        values = use.file.values(argument.site)
        if axis is None or any(type(value) is Ref for value in values):
            continue
        arrays = bool(values) and all(type(value) is Array for value in values)
        shapes = {value.aval.shape for value in values if type(value) is Array}
        shape = shapes.pop() if len(shapes) == 1 else None
        if isinstance(argument, (ir.Name, ir.Attribute)):
            certain = arrays or _is_computed_with(use.function, parameter.name)
            found.append(_Sized(f"{use.file.code(argument.site)}.shape[{axis}]", _UNSAFE if certain else _DISPLAY))
        elif arrays and shape and axis < len(shape) and isinstance(shape[axis], int):
            found.append(_Sized(str(shape[axis]), _UNSAFE))
    return known(min(found, key=lambda each: each.level is _DISPLAY, default=None))


def _is_computed_with(function: ir.Function, name: str) -> bool:
    """Whether the function takes a parameter for an array: computes with it, or asks for its shape."""
    for node in ir.walk(function.body):
        is_of_array = isinstance(node, ir.Attribute) and node.attr in _OF_ARRAYS
        if is_of_array or isinstance(node, (ir.Binary, ir.Unary, ir.Compare)):
            if any(isinstance(part, ir.Name) and part.id == name for part in node.children()):
                return True
    return False


def _is_range(file: File, node: ir.Node) -> bool:
    """Whether this counts the elements: `jnp.arange(n)`."""
    if not isinstance(node, ir.Call) or len(node.args) != 1 or node.keywords:
        return False
    return file.is_api(node.func.site, "jax.numpy.arange")


def _returns(function: ir.Function, name: str) -> bool:
    """Whether the function hands a variable on."""
    returned = [each.value for each in own_returns(function) if each.value]
    return bool(returned) and all(name in ir.names_below([each]) for each in returned)
