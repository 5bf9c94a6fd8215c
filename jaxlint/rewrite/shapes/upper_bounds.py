"""Numbers that JAX computes and that certainly have an end: remainders, `argmax`, random integers, what is clipped."""

from __future__ import annotations

from jaxlint.analysis.domain.values import python_type
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.rewrite import operands
from jaxlint.rewrite.file import File


def below(file: File, numbers: ir.Node) -> str | None:
    """Code of an integer that Python knows and that is larger than all of ``numbers``."""
    numbers = resolved(file.unit, numbers)
    if isinstance(numbers, ir.Binary) and numbers.op == "%":
        return file.code(numbers.right.site) if _is_number(file, numbers.right) else None
    if not isinstance(numbers, ir.Call):
        return None
    name = file.api_name(numbers.func.site)
    if name == "jax.random.randint" and (last := ir.given(numbers, 3, "maxval")) is not None:
        return file.code(last.site) if _is_number(file, last) else None
    if name == "jax.numpy.argmax" and (axis := ir.given(numbers, 1, "axis")) is not None:
        if numbers.args and isinstance(numbers.args[0], ir.Name):
            return f"{file.code(numbers.args[0].site)}.shape[{file.code(axis.site)}]"
    return None


def at_most(file: File, numbers: ir.Node) -> str | None:
    """Code of an integer that Python knows and that none of ``numbers`` exceeds."""
    end = below(file, numbers)
    if end is not None:
        return str(int(end) - 1) if end.isdecimal() else f"{end} - 1"
    numbers = resolved(file.unit, numbers)
    if not isinstance(numbers, ir.Call) or any(isinstance(each, ir.Starred) for each in numbers.args):
        return None
    name = file.api_name(numbers.func.site)
    if name == "jax.numpy.minimum":
        known = [each for each in numbers.args if _is_number(file, each)]
        return operands.argument(file, known[0].site) if len(known) == 1 else None
    if name == "jax.numpy.clip":
        last = ir.given(numbers, 2, "max") or ir.given(numbers, 2, "a_max")
        return operands.argument(file, last.site) if last is not None and _is_number(file, last) else None
    return None


def _is_number(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(python_type(value) == "int" for value in values)
