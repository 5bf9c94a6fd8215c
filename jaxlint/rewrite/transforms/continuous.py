"""The fix that differentiates with respect to what varies continuously, and something that does."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Api, Array, Const, FunctionValue, Host, Transformed, Value
from jaxlint.analysis.transforms.gradients import WrongGradient
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition, names_in
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.transform_options import added, application
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_DISPLAY = Applicability.DISPLAY

_CHANGES = "it is a float from here on"


def continuous(hazard: WrongGradient, file: File) -> Fix | None:
    if hazard.site not in file.unit:
        return None
    if hazard.reason == "output" and hazard.what == "a complex number":
        return _modulus(hazard, file)
    if hazard.reason == "output":
        return _without_cast(hazard, file)
    if hazard.key:
        return _other_argument(hazard, file)
    call = file.unit.nodes[hazard.site]
    if hazard.operand == hazard.site:  # the primals of `jax.jvp`
        return _floats(file, call.args[1]) if isinstance(call, ir.Call) and len(call.args) == 3 else None
    node = file.unit.nodes[hazard.operand]
    floats = _floats(file, node)
    if floats is not None:
        return floats
    if isinstance(hazard.value, (Array, Host)) and not isinstance(node, ir.Constant):
        place = call.args.index(node) if isinstance(call, ir.Call) and node in call.args else 0
        if _is_index(file, hazard.function, place):
            return None  # no derivative passes through it
        edit = file.replace(node.site, f"{operand(file, node.site)}.astype(float)")
        return Fix("Make it a float", (edit,), changes=_CHANGES)
    return None


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


def _other_argument(hazard: Hazard, file: File) -> Fix | None:
    """`argnums` of the one argument that is a float, where a key comes first."""
    call = file.unit.nodes[hazard.site]
    made = file.values(call.func.site) if isinstance(call, ir.Call) else []
    if len({value.site for value in made if isinstance(value, Transformed)}) != 1 or len(call.args) < 2:
        return None
    first = made[0]
    transform = application(file, first)
    if transform is None or not isinstance(first, Transformed) or "argnums" in first.options or len(transform.args) > 1:
        return None
    floats = [number for number, each in enumerate(call.args) if _is_float(file, each)]
    if len(floats) != 1:
        return None
    edit = added(file, transform, f"argnums={floats[0]}")
    return Fix(f"Differentiate with respect to `{file.code(call.args[floats[0]].site, 40)}`", (edit,), _DISPLAY)


def _is_float(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(
        (isinstance(value, Const) and isinstance(value.value, float))
        or (isinstance(value, (Array, Host)) and "float" in (value.aval.dtype or ""))
        for value in values
    )


def _modulus(hazard: WrongGradient, file: File) -> Fix | None:
    """`jnp.abs(z) ** 2` for the one `z**2` of complex numbers in the result."""
    function = definition(file, hazard.function)
    result = only_result(function) if function is not None else None
    squares = [
        node for node in (ir.walk([result]) if result is not None else ())
        if isinstance(node, ir.Binary) and node.op == "**" and isinstance(node.right, ir.Constant) and node.right.value == 2
        and any("complex" in (getattr(getattr(value, "aval", None), "dtype", "") or "") for value in file.values(node.left.site))
    ]  # fmt: skip
    if len(squares) != 1:
        return None
    modulus, imports = file.api("jax.numpy.abs")
    edit = Edit(*file.outer_span(squares[0].left.site), f"{modulus}({argument(file, squares[0].left.site)})")
    return Fix("Square the modulus", (edit,), imports=imports, changes="the result is real")


def _without_cast(hazard: WrongGradient, file: File) -> Fix | None:
    """The result before it is made an integer."""
    function = definition(file, hazard.function)
    result = only_result(function) if function is not None else None
    if not isinstance(result, ir.Call) or not isinstance(result.func, ir.Attribute) or result.func.attr != "astype":
        return None
    kinds = [value for each in result.args for value in file.values(each.site)]
    integer = all(isinstance(kind, Api) and "int" in kind.name or isinstance(kind, Const) for kind in kinds)
    if len(result.args) != 1 or not kinds or not integer:
        return None
    before = file.outer_span(result.func.value.site)[1]
    return Fix("Return it before it is made an integer", (Edit(before, file.span(result.site)[1], ""),), _DISPLAY)
