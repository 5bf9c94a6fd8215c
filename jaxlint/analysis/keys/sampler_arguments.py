"""Whether a function of `jax.random` is called with what it takes: a key, a shape, a dtype, numbers.

Only failures that every release has are held here: an argument that is missing, or of a kind that no call takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.shapes.laws import dtype_name
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint import knowledge

# Parameters of distributions, for which a tuple of sizes is a shape that stands in the wrong place.
_NUMBERS = frozenset(
    "a b p lam df dfnum dfden lower upper minval maxval loc scale sigma n concentration left right".split()
)
# Samplers that give integers; these two and `multinomial` give any kind.
_WHOLE = frozenset("geometric poisson randint bits".split())
_ANY_DTYPE = frozenset({"rademacher", "multinomial"})
_COMPLEX = frozenset({"normal", "lognormal", "orthogonal"})


@hazard_class(of_plain_values=True)
class SamplerArguments(Hazard):
    """An argument that a sampler does not take. Site: the call; operand: the argument, or the call."""

    reason: str  # "missing", "surplus", "swapped", "key", "shape", "tuple", "dtype", "probability" or "seed"
    what: str = ""  # the argument in words; the parameters that are missing
    least: int = 0  # how many arguments the function takes at most, where some are surplus


class Samplers(Component):
    """Component of the interpreter."""

    def refuse(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether the call fails for its arguments; recorded if so."""
        if call.star or call.double_star:
            return False
        callee = self.i.last_callee.get(call.site)
        if type(callee) is v.Partial:
            callee = callee.function
        if type(callee) is not v.Api or callee.name != name:
            return False  # called by something else, which may pass more than is seen
        wrong = self.wrong(name.rpartition(".")[2], found, call)
        if wrong is None:
            return False
        node, parameter, detail = wrong
        self.i.report(detail, call.node, node, v.UNKNOWN, api=name, parameter=parameter)
        return True

    def wrong(self, last: str, found: knowledge.Facts, call: Call) -> tuple[ir.Node, str, SamplerArguments] | None:
        """The argument that the function does not take, its parameter, and why."""
        ordinary = [p.name for p in found.parameters if p.kind in ("positional-only", "ordinary")]
        given = list(bound(found, call))
        names = [parameter for parameter, _, _ in given]
        values = {parameter: (value, node) for parameter, value, node in given}
        key = values.get("key")
        if key is not None:
            what = self.no_key(key[0])
            if what:
                swapped = any(_is_key(value) for parameter, value, _ in given if parameter != "key")
                return key[1], "key", SamplerArguments("swapped" if swapped else "key", what)
        seed = values.get("seed")
        if seed is not None:
            dtype_of_seed = seed[0].aval.dtype if isinstance(seed[0], (v.Array, v.Host)) else v.python_type(seed[0])
            if dtype_of_seed is not None and dtype_of_seed.startswith(("float", "bfloat")):
                return seed[1], "seed", SamplerArguments("seed", "a float")
        surplus = next((number for number in range(len(ordinary), len(call.args))), None)
        if surplus is not None and all(p.kind != "star" for p in found.parameters):
            return call.arg_nodes[surplus], "", SamplerArguments("surplus", least=len(ordinary))
        tuples = [
            (value, node, parameter)
            for parameter, value, node in given
            if parameter in _NUMBERS and self.is_shape(value)
        ]
        if tuples and "shape" in ordinary:
            _, node, parameter = tuples[0]
            return node, parameter, SamplerArguments("tuple")
        missing = [
            p.name
            for p in found.parameters
            if p.required and p.name not in names and p.kind in ("ordinary", "positional-only")
        ]
        if missing:
            return call.node, missing[0], SamplerArguments("missing", " and ".join(f"`{each}`" for each in missing))
        dtype = values.get("dtype")
        if dtype is not None:
            what = _no_dtype(last, dtype[0]) or _number(dtype[1])
            if what:
                return dtype[1], "dtype", SamplerArguments("dtype", what)
        shape = values.get("shape")
        if shape is not None and type(shape[0]) is v.Const and isinstance(shape[0].value, float):
            return shape[1], "shape", SamplerArguments("shape", "a float")
        if shape is not None and last == "choice" and v.python_type(shape[0]) == "int":
            return shape[1], "shape", SamplerArguments("shape", "an integer")
        chance = values.get("p")
        if last == "bernoulli" and chance is not None and v.python_type(chance[0]) in ("int", "bool"):
            return chance[1], "p", SamplerArguments("probability", "an integer")
        return None

    def no_key(self, value: v.Value) -> str:
        """What stands in the place of a key and can be none, in words; empty for all that may be one."""
        if type(value) is v.Tuple:
            return "a tuple"
        if v.is_none(value):
            return "None"
        if v.python_type(value) in ("float", "str") and type(value) in (v.Const, v.Static):
            return f"a {v.python_type(value)}"
        aval = value.aval if isinstance(value, (v.Array, v.Host)) else v.ANY
        dtype = aval.dtype
        if dtype is not None and dtype not in v.KEYS and dtype.startswith(("float", "bfloat", "complex", "bool")):
            return f"an array of {dtype}"
        if dtype is not None and dtype.startswith("int") and aval.shape:
            return f"an array of {dtype}"
        return ""

    def is_shape(self, value: v.Value) -> bool:
        """A tuple of sizes: integers, or nothing at all."""
        if type(value) is not v.Tuple or value.fields is not None or value.items is None:
            return False
        return all(v.python_type(item) == "int" for item in value.items)


def _is_key(value: v.Value) -> bool:
    """Whether the value is a key, or nothing is known of it that says otherwise."""
    return type(value) in (v.Unknown, v.Undecided) or (type(value) is v.Array and value.aval.dtype in v.KEYS)


def _number(node: ir.Node) -> str:
    """What arithmetic gives, of values that are not known: no dtype, and no name of one, which `+` and `%` can put together."""
    subtracted = type(node) is ir.Unary and node.op == "-"
    computed = type(node) is ir.Binary and node.op in ("-", "*", "/", "//", "**")
    return "a number" if subtracted or computed else ""


def _no_dtype(last: str, value: v.Value) -> str:
    """What stands in the place of a dtype and is none, or one that the function does not draw."""
    kind = v.python_type(value)
    if kind in ("int", "float"):
        return "an integer" if kind == "int" else "a float"
    if type(value) is v.Array:
        return "an array"
    name = dtype_name(value.name) if type(value) is v.Api else None
    if name is None or last in _ANY_DTYPE:
        return ""
    whole = name.startswith(("int", "uint"))
    if last in _WHOLE:
        wrong = not whole or (last == "bits" and not name.startswith("uint"))
    else:
        wrong = whole or name == "bool" or (name.startswith("complex") and last not in _COMPLEX)
    return f"`{name}`" if wrong else ""
