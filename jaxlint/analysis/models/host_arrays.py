"""NumPy functions that are given arrays of JAX: that write into them, misjudge a tracer, or ask for an operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import MutatingCallOnArray, NumpyOnTracer, SilentNumpyComparison
from jaxlint.analysis.interpreter.type_tests import scalar_test
from jaxlint.analysis.shapes.laws import of_numpy, result_aval, result_avals
from jaxlint.analysis.shapes.samplers import drawn_on_host
from jaxlint.knowledge import misuse

if TYPE_CHECKING:
    from jaxlint.ir import nodes as ir

# Keywords under which a NumPy function is given an array for its result; what else is written into comes first.
_BY_KEYWORD = frozenset({"out"})
# Options that the methods of JAX's arrays do not know: NumPy, which would call the method, converts the array instead.
_NOT_OF_METHODS = {"numpy.argsort": ((2, "kind"), (3, "order")), "numpy.searchsorted": ((3, "sorter"),)}
# Called to get a value on the host, to which `tolist`, `print` and `float` may be applied.
_TO_THE_HOST = frozenset(f"numpy.{n}" for n in ("array", "asarray", "ascontiguousarray", "copy"))
# Had it been given a tracer, it would have failed.
_CERTAIN_HOST = frozenset(
    f"numpy.{n}" for n in ("array", "asarray", "sin", "cos", "exp", "log", "sqrt", "zeros_like", "ones_like")
)
# What these ask is that the array be squeezed. Without `jit` that gives the very array where there is nothing to squeeze.
_SQUEEZE = frozenset({"numpy.random.seed", "numpy.random.RandomState"})
# Of what NumPy gives, what is no array: plain values by their types, and objects.
_ARRAYS = frozenset({"numpy.array", "numpy.asarray"})
_STATIC = {
    **{f"numpy.{name}": "str" for name in (
        "array2string", "array_repr", "array_str", "base_repr", "binary_repr", "format_float_positional",
        "format_float_scientific", "get_include", "mintypecode", "typename",
    )},
    **{f"numpy.{name}": "bool" for name in ("can_cast", "isdtype", "isfortran", "issubdtype", "may_share_memory", "shares_memory")},
    "numpy.dtype": "dtype", "numpy.getbufsize": "int", "numpy.setbufsize": "int",
}  # fmt: skip
_LISTS = frozenset({"numpy.split", "numpy.array_split"})
_OBJECTS = frozenset(
    f"numpy.{name}" for name in (
        "broadcast", "busdaycalendar", "datetime_data", "einsum_path", "errstate", "get_printoptions", "geterr", "geterrcall", "info",
        "ndenumerate", "ndindex", "nditer", "nested_iters", "poly1d", "printoptions", "random.Generator", "random.MT19937",
        "random.PCG64", "random.Philox", "random.SFC64", "random.SeedSequence", "random.get_state", "save", "savetxt", "savez",
        "savez_compressed", "set_printoptions", "seterr", "seterrcall", "show_config",
    )
)  # fmt: skip


class HostArrays(Component):
    """Component of the interpreter."""

    def several(self, name: str, call: Call) -> v.Value | None:
        """The arrays that a function of NumPy gives, where it gives several and their number is known."""
        if name == "numpy.where" and (len(call.args) != 1 or call.keywords):
            return None
        avals = result_avals(self.i, "jax." + name, call)
        arrays = None if avals is None else tuple(v.Host(of_numpy(aval)) for aval in avals)
        return None if arrays is None else self.i.new_list(arrays) if name in _LISTS else v.Tuple(arrays)

    def counterpart(self, name: str, call: Call) -> v.Value:
        """The result of the JAX function of the same name; unknown for functions that convert to a value on the host."""
        if name in _TO_THE_HOST:
            return v.UNKNOWN
        name = name.replace("math.", "numpy.", 1) if name.startswith("math.") else name
        found = knowledge.facts(f"jax.{name}") if name.startswith("numpy.") else None
        return v.UNKNOWN if found is None or not found.called else self.i.api.result(found.name, found, call)

    def check(self, name: str, call: Call) -> v.Value | None:
        """What the call gives where a jax array goes wrong in it, recorded; None where none does."""
        if name == "numpy.isscalar":
            scalar_test(self.i, call)
        for parameter in misuse.written(name):
            position = None if parameter in _BY_KEYWORD else 0
            given = call.get(position, parameter)
            if given is None:
                continue
            # Of several results each may have a place of its own; a list of arrays is itself changed.
            leaves = self.i.leaves([given]) if parameter in _BY_KEYWORD else (given,)
            leaf = next((leaf for leaf in leaves if self.is_array(leaf)), None)
            node = call.node_of(position, parameter) or call.node
            if self.i.host_views.written(call.node, node, given, name, parameter):
                return v.UNKNOWN
            if leaf is not None:
                self.i.report(MutatingCallOnArray(), call.node, node, leaf, api=name, parameter=parameter)
                return v.UNKNOWN
        if misuse.is_silently_wrong(name):
            pairs = list(zip([*call.args, *call.keywords.values()], [*call.arg_nodes, *call.keyword_nodes.values()]))
            for value, node in pairs:
                leaf = next((leaf for leaf in self.i.leaves([value]) if self.i.hard(leaf, "float", True)), None)
                if leaf is not None:
                    self.i.report(SilentNumpyComparison(), call.node, node, leaf, api=name)
                    return v.STATIC_BOOL
        return None

    def is_array(self, value: v.Value) -> bool:
        """Whether the value is certainly a jax array, or fails as one."""
        return type(value) is v.Array or self.i.hard(value, "bool", containers_fail=True)

    def converts(self, name: str, call: Call) -> bool:
        given = [call.get(*option) for option in _NOT_OF_METHODS.get(name, ())]
        return any(
            type(each) is v.Const and each.value is not None or self.i.is_list(each)
            for each in given
            if each is not None
        )

    def asked(self, name: str, call: Call, value: v.Value, node: ir.Node, parameter: int | str) -> str | None:
        """What comes of a function that asks an array from outside for an operation, which is staged here."""
        if type(value) is not v.Array or value.mode != v.CONCRETE or self.i.context.stage != STAGED_CODE:
            return None
        if name in _SQUEEZE and self.i.context.transparent and 1 not in (value.aval.shape or ()):
            return None
        verdict = knowledge.captured(name, parameter)
        if verdict == "fails":
            self.i.report(NumpyOnTracer(), call.node, node, value, api=name, origin=self.i.context.origin)
        return verdict

    def result(self, name: str, call: Call) -> v.Value:
        """What a function of NumPy, SciPy or Python gives that was given no tracer."""
        leaves = list(self.i.leaves(call.all()))
        unknown = any(type(x) in (v.Unknown, v.Ref) or (type(x) is v.Array and x.mode == v.MAYBE) for x in leaves)
        verdict = knowledge.host(name, "staged")
        if name in _ARRAYS and len(call.args) == 1 and not call.keywords and self.i.is_list(call.args[0]):
            if v.python_type(self.i.element_of(call.arg_nodes[0], call.args[0])) == "str":
                strings = v.Host(v.ANY, v.fresh())
                self.i.layers.provenance[strings.ident] = "strings"
                return strings
        if name in ("numpy.shape", "numpy.ndim", "numpy.size"):
            aval = self.i.aval_of(call.args[0]) if len(call.args) == 1 and not call.keywords else v.ANY
            fact: v.Value = self.i.shape_fact(name.rpartition(".")[2], aval)
            return fact
        if verdict == "static" or name in _STATIC:
            return v.Static(_STATIC.get(name, ""), v.fresh())
        if name in _OBJECTS:
            return v.Unknown(v.fresh())
        if verdict == "works" and any(type(leaf) is v.Array for leaf in leaves):
            return v.Unknown(v.fresh())  # the array's own method answers, with a jax array
        if not unknown and not name.startswith(
            ("numpy.random.RandomState", "numpy.random.default_rng", "numpy.testing.", "numpy.load", "numpy.vectorize")
        ):
            if name.startswith("numpy.random."):
                self.i.touched.append(0)
                return v.Host(drawn_on_host(self.i, name, call))
            several = self.several(name, call)
            if several is not None:
                return several
            return v.Host(
                of_numpy(result_aval(self.i, "jax." + name, call, None)), view=self.i.host_views.made(name, call)
            )
        if verdict == "fails" and name.startswith("numpy.") and name in _CERTAIN_HOST:
            view = self.i.host_views.made(name, call)
            return v.Host(
                v.ANY if view is None else of_numpy(result_aval(self.i, "jax." + name, call, None)), view=view
            )
        result: v.Value = self.i.call_unknown(v.Api(name), call)
        return result
