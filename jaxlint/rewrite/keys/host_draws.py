"""Calls of the random numbers of NumPy and Python, as calls of `jax.random`."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.domain.values import Tuple, python_type
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, beside
from jaxlint.rewrite.requirements import expect, is_plain, only, or_none, require
from jaxlint.rewrite.transform_options import tuple_text
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


@or_none
def drawn(file: File, call: ir.Call, api: str, key: str) -> Drawn:
    """The draw with ``key``; None where it cannot be written for certain."""
    name = api.rpartition(".")[2]
    above = file.unit.parent(call.site)
    if name in ("default_rng", "Random", "RandomState") and isinstance(above, ir.Attribute):
        call, name = expect(ir.Call, file.unit.parent(above.site)), above.attr
        require(call.func is above)
    require(is_plain(call.args) and all(each.name for each in call.keywords))
    if name in ("randint", "getrandbits"):
        seeded = expect(ir.Call, file.unit.parent(call.site))
        require(len(seeded.args) == 1 and not seeded.keywords)
        require(file.is_api(seeded.func.site, "jax.random.key", "jax.random.PRNGKey"))
        return Drawn(seeded.site, key, frozenset())  # the key itself takes the place of a drawn seed
    given = [argument(file, each.site) for each in call.args]
    named = [
        f"{'shape' if each.name == 'size' else each.name}={argument(file, each.value.site)}" for each in call.keywords
    ]
    function = _DIMENSIONS.get(name, name)
    if name in _DIMENSIONS:
        require(not named)
        given = [tuple_text(given)] if given else []
    elif name == "permutation":
        require(len(given) == 1 and not named)
    elif name != "choice" or not api.startswith("numpy"):
        require(name in _SIZED)
        return _of_size(file, call, name, key)
    spelled, imports = file.api(f"jax.random.{function}")
    return Drawn(call.site, f"{spelled}({', '.join([key, *given, *named])})", imports)


def _of_size(file: File, call: ir.Call, name: str, key: str) -> Drawn:
    function, parameters = _SIZED[name]
    require(len(call.args) <= len(parameters) + 1)
    given: dict[str, ir.Expression] = dict(zip((*parameters, "size"), call.args))
    given.update({each.name or "": each.value for each in call.keywords})
    require(given.keys() <= {*parameters, "size"})
    spelled, imports = file.api(f"jax.random.{function}")
    size = given.pop("size", None)
    drawn_with = [key]
    if size is not None and not ir.is_none(size):
        drawn_with.append(_shape(file, size))
    elif size is None and (shaped := [each for each in given.values() if not isinstance(each, ir.Constant)]):
        of, more = file.api("jax.numpy.shape")
        drawn_with.append(f"{of}({argument(file, only(shaped).site)})")
        imports |= more
    if function == "uniform":
        bounds = (("low", "minval"), ("high", "maxval"))
        drawn_with += [f"{new}={argument(file, given[old].site)}" for old, new in bounds if old in given]
    code = f"{spelled}({', '.join(drawn_with)})"
    factor, shift = given.get("scale", given.get("sigma")), given.get("loc", given.get("mu"))
    is_bare = True
    for node, operator, neutral in ((factor, "*", 1), (shift, "+", 0)):
        if node is not None and not (isinstance(node, ir.Constant) and node.value == neutral):
            code, is_bare = f"{beside(file, node.site)} {operator} {code}", False
    above = file.unit.parent(call.site)
    apart = isinstance(above, (ir.Return, ir.Assign, ir.Keyword, ir.Call)) and getattr(above, "func", None) is not call
    return Drawn(call.site, code if apart or is_bare else f"({code})", imports)


def _shape(file: File, size: ir.Node) -> str:
    """The shape as `jax.random` takes it: a tuple."""
    code, values = argument(file, size.site), file.values(size.site)
    if isinstance(size, ir.Sequence) or isinstance(size, ir.Attribute) and size.attr == "shape":
        return code
    if values and all(isinstance(value, Tuple) for value in values):
        return code
    require(values and all(python_type(value) == "int" for value in values))
    return f"({code},)"
