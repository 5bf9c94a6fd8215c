"""Rewrites that give each element of a batch, or each step of a traced loop, a key of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.analysis.domain.values import Array, FunctionValue, Ref
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, passed_function
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.splitting import split_before
from jaxlint.rewrite.statements import above, first_statement
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY


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


def own_keys(file: File, site: int, how: str, operand: int) -> Fix | None:
    """A key for each run of the function that the transform at ``site`` runs, in place of the one at ``operand``."""
    transform = file.unit.nodes[site]
    if not isinstance(transform, ir.Call):
        return None
    decorated = _decorated(file, transform)
    if decorated is not None:
        return _wrapped(file, transform, decorated, operand) if how == "vmap" else None
    position = 2 if how == "lax.fori_loop" else 0
    if len(transform.args) <= position or any(isinstance(each, ir.Starred) for each in transform.args):
        return None
    function = passed_function(file.unit, transform.args[position])
    found = _handed_in(file, function, operand) if function is not None else None
    if function is None or found is None:
        return None
    operand, inside = found, list(file.unit.ancestors(found))
    key = file.unit.nodes[operand]
    if isinstance(key, ir.Name) and key.id in function.locals:
        if how == "vmap":
            return _unmapped(file, transform, function, key)
        return split_before(file, operand) if _returns(function, key.id) else None
    free = {node.id for node in ir.walk([key]) if isinstance(node, ir.Name)}
    if (
        free & function.locals
        or not isinstance(key, (ir.Name, ir.Attribute, ir.Call))
        or _is_bound_between(file, function, free, inside)
    ):
        return None
    named = key.id if isinstance(key, ir.Name) else "key"
    use = _Use(file, transform, function, operand, operands.argument(file, operand), named, isinstance(key, ir.Name))
    if named in function.locals | {each.name for each in function.parameters} and not use.is_named:
        return None
    if how == "lax.fori_loop":
        return _folded(use, function.parameters[0].name) if function.parameters else None
    return {"vmap": _mapped, "lax.map": _mapped_in_turn, "lax.scan": _scanned}.get(how, lambda _: None)(use)


def _handed_in(file: File, function: ir.Function, operand: int) -> int | None:
    """Where a key stands in ``function`` itself: there, or as the argument of the one call that leads to where it is used."""
    for _ in range(5):
        inside = list(file.unit.ancestors(operand))
        if function in inside:
            return operand
        helper = next((each for each in inside if isinstance(each, ir.Function)), None)
        key = file.unit.nodes[operand]
        if helper is None or not isinstance(key, ir.Name) or bindings(helper, key.id):
            return None
        calls = [
            node for node in file.unit.own
            if isinstance(node, ir.Call)
            and any(isinstance(each, FunctionValue) and each.function is helper for each in file.values(node.func.site))
        ]  # fmt: skip
        names = [each.name for each in helper.parameters if each.kind in ("ordinary", "positional-only")]
        if len(calls) != 1 or key.id not in names or any(isinstance(each, ir.Starred) for each in calls[0].args):
            return None
        position = names.index(key.id)
        given = [
            *calls[0].args[position : position + 1],
            *(each.value for each in calls[0].keywords if each.name == key.id),
        ]
        if len(given) != 1:
            return None
        operand = given[0].site
    return None


# --- each transform ------------------------------------------------------------------------------


def _mapped(use: _Use) -> Fix | None:
    """`vmap(lambda key, x: …)(split(key, n), xs)`"""
    file, call = use.file, use.file.unit.parent(use.transform.site)
    if not isinstance(call, ir.Call) or call.func is not use.transform or call.keywords or len(use.transform.args) != 1:
        return None
    if not call.args or any(isinstance(each, ir.Starred) for each in call.args) or not _takes(use, len(call.args)):
        return None
    axes = _axes(use.transform, len(call.args))
    if axes is None:
        return None
    for parameter, argument, axis in zip(use.function.parameters, call.args, axes):
        if axis == 0 and _is_range(file, argument):
            return _folded(use, parameter.name)
    size = _size(use, call.args, axes)
    first = use.function.parameters[0]
    if size is None or use.name in {each.name for each in use.function.parameters}:
        return None
    keys, imports = _split(use, size.code)
    edits = [
        file.insert(file.span(first.site)[0], f"{use.name}, "),
        file.insert(file.outer_span(call.args[0].site)[0], f"{keys}, "),
    ]
    given = next((each.value for each in use.transform.keywords if each.name == "in_axes"), None)
    if isinstance(given, ir.Sequence):
        edits.append(file.insert(file.outer_span(given.elements[0].site)[0], "0, "))
    return _fix(use, edits, imports, size.level)


def _mapped_in_turn(use: _Use) -> Fix | None:
    """`lax.map(f, (split(key, n), xs))`"""
    call = use.transform
    if len(call.args) != 2 or not _takes(use, 1):
        return None
    if _is_range(use.file, call.args[1]):
        return _folded(use, use.function.parameters[0].name)
    size = _size(use, call.args[1:], [0])
    return None if size is None else _paired(use, use.function.parameters[0], call.args[1], size)


def _scanned(use: _Use) -> Fix | None:
    """`lax.scan(f, init, split(key, n))`, or the keys beside what is scanned already."""
    file, call = use.file, use.transform
    named = {each.name: each for each in call.keywords}
    if None in named or not _takes(use, 2) or not 2 <= len(call.args) <= 3:
        return None
    xs = call.args[2] if len(call.args) == 3 else (named["xs"].value if "xs" in named else None)
    step, length = use.function.parameters[1], named.get("length")
    if xs is not None and not (isinstance(xs, ir.Constant) and xs.value is None):
        if _is_range(file, xs):
            return _folded(use, step.name)
        size = _size(use, [xs], [0], [step])
        if length is not None:
            size = _Sized(operands.argument(file, length.value.site), _UNSAFE)
        return None if size is None else _paired(use, step, xs, size)
    if length is None or _is_read(use.function, step.name):
        return None
    keys, imports = _split(use, operands.argument(file, length.value.site))
    if xs is not None:
        before = max((each for each in (*call.args, *call.keywords) if each.site != length.site),
                     key=lambda each: file.span(each.site)[0] if file.span(each.site)[0] < file.span(length.site)[0] else -1)  # fmt: skip
        drop = Edit(file.outer_span(before.site)[1], file.span(length.site)[1], "")
        edits = [file.replace(xs.site, keys), drop]
    else:
        edits = [file.replace(length.site, f"xs={keys}")]
    edits.append(_renamed(file, step, use.name))
    return _fix(use, edits, imports, _UNSAFE)


def _folded(use: _Use, counter: str) -> Fix | None:
    """`fold_in(key, i)` where the function knows which run it is."""
    if bindings(use.function, counter):
        return None
    for outer in use.file.unit.ancestors(use.operand):
        if outer is use.function:
            break
        if isinstance(outer, ir.Scope) and counter in outer.locals:
            return None
    fold_in, imports = use.file.api("jax.random.fold_in")
    edit = use.file.replace(use.operand, f"{fold_in}({use.key}, {counter})")
    return Fix(f"Fold `{counter}` into the key", (edit,), _UNSAFE, imports, NUMBERS_DRAWN)


def _paired(use: _Use, parameter: ir.Parameter, xs: ir.Node, size: _Sized) -> Fix | None:
    """The function takes a pair of a key and what it took before."""
    file = use.file
    names = {node.id for node in ir.walk([use.function]) if isinstance(node, ir.Name)} | use.function.locals
    pair = next(name for name in ("inputs", "key_and_x", "inputs_") if name not in names)
    keys, imports = _split(use, size.code)
    edits = [
        Edit(*file.outer_span(xs.site), f"({keys}, {operands.argument(file, xs.site)})"),
        _renamed(file, parameter, pair),
    ]
    if use.name == parameter.name:
        return None
    if not use.function.is_lambda:
        unpacking = above(file, first_statement(use.function), f"{use.name}, {parameter.name} = {pair}")
        return None if unpacking is None else _fix(use, [*edits, unpacking], imports, size.level)
    for node in ir.walk(use.function.body):
        if isinstance(node, (ir.Scope, ir.Comprehension)):
            return None
        if isinstance(node, ir.Name) and node.id in (parameter.name, use.name) and node.site != use.operand:
            edits.append(file.replace(node.site, f"{pair}[{0 if node.id == use.name else 1}]"))
    edits.append(file.replace(use.operand, f"{pair}[0]"))
    return _fix(use._replace(is_named=True), edits, imports, size.level)


def _unmapped(file: File, transform: ir.Call, function: ir.Function, key: ir.Name) -> Fix | None:
    """`in_axes=None` of a key becomes 0, and the call passes a key for each element."""
    call = file.unit.parent(transform.site)
    if not isinstance(call, ir.Call) or call.func is not transform or call.keywords or bindings(function, key.id):
        return None
    use = _Use(file, transform, function, key.site, "", key.id, True)
    axes = _axes(transform, len(call.args))
    given = next((each.value for each in transform.keywords if each.name == "in_axes"), None)
    position = next((n for n, each in enumerate(function.parameters) if each.name == key.id), -1)
    if (
        axes is None
        or not isinstance(given, ir.Sequence)
        or not 0 <= position < len(axes)
        or axes[position] is not None
    ):
        return None
    size = _size(use, call.args, axes)
    if size is None or any(isinstance(each, ir.Starred) for each in call.args):
        return None
    argument = call.args[position]
    keys, imports = _split(use._replace(key=operands.argument(file, argument.site)), size.code)
    edits = [file.replace(given.elements[position].site, "0"), Edit(*file.outer_span(argument.site), keys)]
    return _fix(use, edits, imports, size.level)


_TITLE = "Map over a key for each element"


def _wrapped(file: File, transform: ir.Call, function: ir.Function, operand: int) -> Fix | None:
    """Below `@partial(jax.vmap, in_axes=(None, 0))`: the function takes keys, and another one of its name splits them."""
    key, define = file.unit.nodes[operand], file.unit.parent(function.site)
    names = [each.name for each in function.parameters]
    if not isinstance(key, ir.Name) or key.id not in names or bindings(function, key.id) or function.is_method:
        return None
    if define is None or any(
        each.default or each.annotation or each.kind != "ordinary" for each in function.parameters
    ):
        return None
    axes, position = _axes(transform, len(names)), names.index(key.id)
    given = next((each.value for each in transform.keywords if each.name == "in_axes"), None)
    if axes is None or axes[position] is not None or not isinstance(given, ir.Sequence):
        return None
    inner = f"_{function.name.lstrip('_')}_one"
    if inner in file.unit.scope(function.site).locals | file.unit.module.locals:
        return None
    sized = next((n for n, axis in enumerate(axes) if axis is not None), -1)
    if sized < 0:
        return None
    level = _UNSAFE if _is_computed_with(function, names[sized]) else _DISPLAY
    split, imports = file.api("jax.random.split")
    passed = [*names]
    passed[position] = f"{split}({key.id}, {names[sized]}.shape[{axes[sized]}])"
    newline, indentation = file.source.newline, file.indentation(define.site)
    step = "    "
    start, end = file.span(define.site)
    while file.source.text[end - 1] in "\r\n":
        end -= 1
    head = file.source.text.find(f"def {function.name}", start)
    if head < 0:
        return None
    name = Edit(head + 4, head + 4 + len(function.name), inner)
    blank = newline * (3 if not indentation else 2)
    wrapper = (
        f"{blank}{indentation}def {function.name}({', '.join(names)}):"
        f"{newline}{indentation}{step}return {inner}({', '.join(passed)})"
    )
    edits = [file.replace(given.elements[position].site, "0"), name, file.insert(end, wrapper)]
    return Fix(_TITLE, tuple(edits), level, imports, NUMBERS_DRAWN)


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


def _decorated(file: File, transform: ir.Call) -> ir.Function | None:
    above = file.unit.parent(transform.site)
    if isinstance(above, ir.Function) and tuple(above.decorators) == (transform,):
        return above
    return None


def _takes(use: _Use, count: int) -> bool:
    """Whether the function takes ``count`` positional arguments, without defaults."""
    plain = all(each.kind == "ordinary" and each.default is None for each in use.function.parameters)
    return plain and len(use.function.parameters) == count


def _axes(transform: ir.Call, count: int) -> list[int | None] | None:
    """The axis of each argument that is mapped; None where they are not written out."""
    given = next((each.value for each in transform.keywords if each.name == "in_axes"), None)
    if any(each.name not in ("in_axes", "out_axes", "axis_name") for each in transform.keywords):
        return None
    if given is None:
        return [0] * count
    if isinstance(given, ir.Constant) and given.value == 0:
        return [0] * count
    if not isinstance(given, ir.Sequence) or len(given.elements) != count:
        return None
    axes: list[int | None] = []
    for each in given.elements:
        if not isinstance(each, ir.Constant) or (each.value is not None and type(each.value) is not int):
            return None
        axes.append(each.value)
    return axes


def _size(
    use: _Use, arguments: Sequence[ir.Node], axes: list[int | None], parameters: list[ir.Parameter] | None = None
) -> _Sized | None:
    """The number of elements, read off an argument."""
    found: list[_Sized] = []
    for parameter, argument, axis in zip(parameters or use.function.parameters, arguments, axes):
        if axis is None:
            continue
        values = use.file.values(argument.site)
        arrays = bool(values) and all(type(value) is Array for value in values)
        shapes = {value.aval.shape for value in values if type(value) is Array}
        shape = shapes.pop() if len(shapes) == 1 else None
        if any(type(value) is Ref for value in values):
            continue
        if isinstance(argument, (ir.Name, ir.Attribute)):
            certain = arrays or _is_computed_with(use.function, parameter.name)
            found.append(_Sized(f"{use.file.code(argument.site)}.shape[{axis}]", _UNSAFE if certain else _DISPLAY))
        elif arrays and shape and axis < len(shape) and isinstance(shape[axis], int):
            found.append(_Sized(str(shape[axis]), _UNSAFE))
    return min(found, key=lambda each: each.level is _DISPLAY, default=None)


def _is_computed_with(function: ir.Function, name: str) -> bool:
    """Whether the function takes a parameter for an array: computes with it, or asks for its shape."""
    for node in ir.walk(function.body):
        parts: list[ir.Node] = []
        if isinstance(node, ir.Binary):
            parts = [node.left, node.right]
        elif isinstance(node, ir.Unary):
            parts = [node.operand]
        elif isinstance(node, ir.Compare):
            parts = [node.left, *node.rights]
        elif isinstance(node, ir.Attribute) and node.attr in ("shape", "dtype", "ndim", "T", "at", "sum", "mean"):
            parts = [node.value]
        if any(isinstance(part, ir.Name) and part.id == name for part in parts):
            return True
    return False


def _is_range(file: File, node: ir.Node) -> bool:
    """Whether this counts the elements: `jnp.arange(n)`."""
    if not isinstance(node, ir.Call) or len(node.args) != 1 or node.keywords:
        return False
    return file.is_api(node.func.site, "jax.numpy.arange")


def _returns(function: ir.Function, name: str) -> bool:
    """Whether the function hands a variable on."""
    returned = [
        node.value for node in ir.walk(function.body, into_scopes=False) if isinstance(node, ir.Return) and node.value
    ]
    return bool(returned) and all(
        any(isinstance(n, ir.Name) and n.id == name for n in ir.walk([each])) for each in returned
    )


def _is_read(function: ir.Function, name: str) -> bool:
    return any(isinstance(node, ir.Name) and node.id == name for node in ir.walk(function.body))


def _is_bound_between(file: File, function: ir.Function, names: set[str], inside: list[ir.Node]) -> bool:
    """Whether something between the use and the function binds the key."""
    for outer in inside[: inside.index(function)]:
        if isinstance(outer, ir.Scope) and names & outer.locals:
            return True
        if isinstance(outer, ir.Comprehension) and names & set(outer.locals):
            return True
    return False
