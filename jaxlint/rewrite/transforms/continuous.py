"""The fix that differentiates with respect to what varies continuously, and something that does."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Api, Array, Const, FunctionValue, Host, Transformed, Value
from jaxlint.analysis.transforms.gradients import WrongGradient
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in, result_of
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.rewrite.transform_options import added, application
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_DISPLAY = Applicability.DISPLAY

_CHANGES = "it is a float from here on"


@or_none
def continuous(hazard: WrongGradient, file: File) -> Fix | None:
    require(hazard.site in file.unit)
    if hazard.reason == "output":
        result = result_of(file, hazard.function)
        return _modulus(file, result) if hazard.what == "a complex number" else _without_cast(file, result)
    call, node = file.unit.nodes[hazard.site], file.unit.nodes[hazard.operand]
    if hazard.key:
        return _other_argument(expect(ir.Call, call), file)
    if hazard.operand == hazard.site:  # the primals of `jax.jvp`
        match call:
            case ir.Call(args=[_, primals, _]):
                return _floats(file, primals)
        return None
    floats = _floats(file, node)
    if floats is not None:
        return floats
    require(isinstance(hazard.value, (Array, Host)) and not isinstance(node, ir.Constant))
    place = call.args.index(node) if isinstance(call, ir.Call) and node in call.args else 0
    require(not _is_index(file, hazard.function, place))  # no derivative passes through it
    edit = file.replace(node.site, f"{operand(file, node.site)}.astype(float)")
    return Fix("Make it a float", (edit,), changes=_CHANGES)


def _is_index(file: File, value: Value | None, place: int, depth: int = 0) -> bool:
    """Whether a function, or one that it hands its argument on to, takes elements by the argument at ``place``."""
    function = value.function if isinstance(value, FunctionValue) else None
    if function is None or place >= len(function.parameters) or depth > 3:
        return False
    name, home = function.parameters[place].name, file.holding(function.site)
    for node in ir.walk(function.body):
        if isinstance(node, ir.Subscript) and name in names_in(node.index):
            return True
        for at, given in enumerate(node.args if isinstance(node, ir.Call) else ()):
            if isinstance(given, ir.Name) and given.id == name and isinstance(node, ir.Call):
                if any(_is_index(home, each, at, depth + 1) for each in home.functions(node.func.site)):
                    return True
    return False


def _floats(file: File, node: ir.Node) -> Fix | None:
    """Floats in place of the integers that are written out, alone or in a tree."""
    leaves = list(_leaves(node))
    numbers = [each for each in leaves if isinstance(each, ir.Constant) and type(each.value) is int]
    if not numbers or not all(file.code(each.site).isdigit() for each in numbers):
        return None
    edits = tuple(file.insert(file.span(each.site)[1], ".0") for each in numbers)
    # Beside other leaves it may be a number that no derivative is wanted of.
    level = Applicability.UNSAFE if len(numbers) == len(leaves) else _DISPLAY
    return Fix("Write a float", edits, level, changes=_CHANGES)


def _leaves(node: ir.Node) -> Iterator[ir.Node]:
    """The leaves of a tree that is written out, in the order of the source."""
    if isinstance(node, ir.Sequence) and node.kind != "set":
        for each in node.elements:
            yield from _leaves(each)
    elif isinstance(node, ir.Dict):
        for each in node.values:
            yield from _leaves(each)
    else:
        yield node


def _other_argument(call: ir.Call, file: File) -> Fix:
    """`argnums` of the one argument that is a float, where a key comes first."""
    made = {value.site: value for value in file.values(call.func.site) if isinstance(value, Transformed)}
    first = only(made.values())
    transform = known(application(file, first))
    require("argnums" not in first.options and len(transform.args) < 2 <= len(call.args))
    number = only(number for number, each in enumerate(call.args) if _is_float(file, each))
    edit = added(file, transform, f"argnums={number}")
    return Fix(f"Differentiate with respect to `{file.code(call.args[number].site, 40)}`", (edit,), _DISPLAY)


def _is_float(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(
        (isinstance(value, Const) and isinstance(value.value, float))
        or (isinstance(value, (Array, Host)) and "float" in (value.aval.dtype or ""))
        for value in values
    )


def _modulus(file: File, result: ir.Node) -> Fix:
    """`jnp.abs(z) ** 2` for the one `z**2` of complex numbers in the result."""
    squares = []
    for node in ir.walk([result]):
        match node:
            case ir.Binary(op="**", left=base, right=ir.Constant(value=2)):
                dtypes = [getattr(getattr(value, "aval", None), "dtype", "") or "" for value in file.values(base.site)]
                squares += [base] if any("complex" in dtype for dtype in dtypes) else []
    site = only(squares).site
    modulus, imports = file.api("jax.numpy.abs")
    edit = Edit(*file.outer_span(site), f"{modulus}({argument(file, site)})")
    return Fix("Square the modulus", (edit,), imports=imports, changes="the result is real")


def _without_cast(file: File, result: ir.Node) -> Fix:
    """The result before it is made an integer."""
    match result:
        case ir.Call(func=ir.Attribute(value=value, attr="astype"), args=[dtype]):
            kinds = file.values(dtype.site)
            require(
                kinds and all(isinstance(kind, Api) and "int" in kind.name or isinstance(kind, Const) for kind in kinds)
            )
            edit = Edit(file.outer_span(value.site)[1], file.span(result.site)[1], "")
            return Fix("Return it before it is made an integer", (edit,), _DISPLAY)
    raise NoFix
