"""Calls of the random numbers of NumPy and Python, as calls of `jax.random`."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.domain.values import Const, Static, Tuple, Value
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.source.diagnostic import ImportRequest

# The parameters by name, `size` last, and the function of `jax.random`.
_SIZED = {
    "random": ("uniform", ()), "random_sample": ("uniform", ()), "ranf": ("uniform", ()), "sample": ("uniform", ()),
    "standard_normal": ("normal", ()), "standard_exponential": ("exponential", ()),
    "normal": ("normal", ("loc", "scale")), "gauss": ("normal", ("mu", "sigma")), "normalvariate": ("normal", ("mu", "sigma")),
    "uniform": ("uniform", ("low", "high")), "exponential": ("exponential", ("scale",)),
    "laplace": ("laplace", ("loc", "scale")), "gumbel": ("gumbel", ("loc", "scale")),
}  # fmt: skip
_DIMENSIONS = {"rand": "uniform", "randn": "normal"}


class Drawn(NamedTuple):
    """The expression that is replaced, and what by."""

    site: int
    code: str
    imports: frozenset[ImportRequest]


def drawn(file: File, call: ir.Call, api: str, key: str) -> Drawn | None:
    """The draw with ``key``; None where it cannot be written for certain."""
    name = api.rpartition(".")[2]
    above = file.unit.parent(call.site)
    if any(isinstance(each, ir.Starred) for each in call.args) or any(each.name is None for each in call.keywords):
        return None
    if name in ("default_rng", "Random", "RandomState") and isinstance(above, ir.Attribute):
        outer = file.unit.parent(above.site)
        if not isinstance(outer, ir.Call) or outer.func is not above:
            return None
        call, name = outer, above.attr
    if (
        name in ("randint", "getrandbits")
        and isinstance(above, ir.Call)
        and len(above.args) == 1
        and not above.keywords
    ):
        if file.is_api(above.func.site, "jax.random.key", "jax.random.PRNGKey"):
            return Drawn(above.site, key, frozenset())  # the key itself takes the place of a drawn seed
    if name in _DIMENSIONS and not call.keywords:
        spelled, imports = file.api(f"jax.random.{_DIMENSIONS[name]}")
        shape = [argument(file, each.site) for each in call.args]
        return Drawn(call.site, f"{spelled}({key}{_shape_argument(shape)})", imports)
    if name in ("permutation", "shuffle") and name == "permutation" and len(call.args) == 1 and not call.keywords:
        spelled, imports = file.api("jax.random.permutation")
        return Drawn(call.site, f"{spelled}({key}, {argument(file, call.args[0].site)})", imports)
    if name == "choice" and api.startswith("numpy"):
        spelled, imports = file.api("jax.random.choice")
        given = [argument(file, each.site) for each in call.args]
        given += [
            f"{'shape' if each.name == 'size' else each.name}={argument(file, each.value.site)}"
            for each in call.keywords
        ]
        return Drawn(call.site, f"{spelled}({', '.join([key, *given])})", imports)
    return _of_size(file, call, name, key) if name in _SIZED else None


def _shape_argument(dimensions: list[str]) -> str:
    if not dimensions:
        return ""
    return f", ({', '.join(dimensions)}{',' if len(dimensions) == 1 else ''})"


def _of_size(file: File, call: ir.Call, name: str, key: str) -> Drawn | None:
    function, parameters = _SIZED[name]
    given = dict(zip((*parameters, "size"), call.args))
    if len(call.args) > len(parameters) + 1:
        return None
    given.update({each.name or "": each.value for each in call.keywords})
    if not set(given) <= {*parameters, "size"}:
        return None
    spelled, imports = file.api(f"jax.random.{function}")
    size = given.pop("size", None)
    shape = "" if size is None else _shape(file, size)
    if shape is None:
        return None
    if size is None and given:
        shaped = [each for each in given.values() if not isinstance(each, ir.Constant)]
        if len(shaped) > 1:
            return None
        if shaped:
            of, more = file.api("jax.numpy.shape")
            shape, imports = f", {of}({argument(file, shaped[0].site)})", imports | more
    code = f"{spelled}({key}{shape}"
    if function == "uniform":
        named = (("low", "minval"), ("high", "maxval"))
        bounds = [f"{new}={argument(file, given[old].site)}" for old, new in named if old in given]
        return Drawn(call.site, f"{', '.join([code, *bounds])})", imports)
    code += ")"
    factor, shift = given.get("scale", given.get("sigma")), given.get("loc", given.get("mu"))
    if factor is not None and not _is(factor, 1):
        code = f"{_operand(file, factor)} * {code}"
    if shift is not None and not _is(shift, 0):
        code = f"{_operand(file, shift)} + {code}"
    above = file.unit.parent(call.site)
    apart = (
        isinstance(above, (ir.Return, ir.Assign, ir.Keyword)) or isinstance(above, ir.Call) and above.func is not call
    )
    return Drawn(call.site, code if apart or code.startswith(spelled) else f"({code})", imports)


def _is(node: ir.Node, number: int) -> bool:
    return isinstance(node, ir.Constant) and node.value == number


def _operand(file: File, node: ir.Node) -> str:
    return file.code(node.site) if isinstance(node, ir.Constant) else operand(file, node.site)


def _shape(file: File, size: ir.Node) -> str | None:
    """The shape as `jax.random` takes it: a tuple."""
    if isinstance(size, ir.Constant) and size.value is None:
        return ""
    if isinstance(size, ir.Sequence) or isinstance(size, ir.Attribute) and size.attr == "shape":
        return f", {argument(file, size.site)}"
    values = file.values(size.site)
    if values and all(isinstance(value, Tuple) for value in values):
        return f", {argument(file, size.site)}"
    if values and all(_is_int(value) for value in values):
        return f", ({argument(file, size.site)},)"
    return None


def _is_int(value: Value) -> bool:
    return type(value) is Const and type(value.value) is int or type(value) is Static and value.type == "int"
