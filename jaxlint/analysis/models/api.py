"""Calls of library functions: JAX, NumPy and whatever else is known of, by canonical name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.arguments import arguments, bound, parts, position_of, positions
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import MADE_IN_TRACED_CODE, MADE_OF_CONSTANTS, Origin
from jaxlint.analysis.domain.state import DictObject
from jaxlint.analysis.interpreter import dtype_tests
from jaxlint.analysis.keys.key_elements import identity
from jaxlint.analysis.models import (
    functional_update,
    host_solvers,
    identity_operations,
    partitions,
    printing,
)
from jaxlint.analysis.models.array_types import TYPE_CHECKERS
from jaxlint.analysis.models.builtins import Builtins
from jaxlint.analysis.models.equinox import GET_KEY, IF_ARRAY
from jaxlint.analysis.models.host_arrays import HostArrays
from jaxlint.analysis.models.math_results import type_of_result
from jaxlint.analysis.models.pytest_fixtures import CASE
from jaxlint.analysis.models.standard_library import joined
from jaxlint.analysis.models.test_discovery import DECORATORS
from jaxlint.analysis.shapes.laws import computes, result_aval, result_avals
from jaxlint.analysis.transforms import custom_rules, restored
from jaxlint.knowledge import libraries
from jaxlint.knowledge.transforms import transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.ir import nodes as ir

# Constants that code tests or computes with.
_CONSTANTS: dict[str, Any] = {
    "math.pi": v.STATIC_FLOAT, "math.e": v.STATIC_FLOAT, "math.inf": v.STATIC_FLOAT, "math.nan": v.STATIC_FLOAT,
    "numpy.pi": v.STATIC_FLOAT, "numpy.e": v.STATIC_FLOAT, "numpy.inf": v.STATIC_FLOAT, "numpy.nan": v.STATIC_FLOAT,
    "numpy.newaxis": v.NONE, "jax.numpy.newaxis": v.NONE, "jax.numpy.pi": v.STATIC_FLOAT,
    "jax.numpy.e": v.STATIC_FLOAT, "jax.numpy.inf": v.STATIC_FLOAT, "jax.numpy.nan": v.STATIC_FLOAT,
    "jax.numpy.euler_gamma": v.STATIC_FLOAT, "typing.TYPE_CHECKING": v.FALSE,
}  # fmt: skip

_EACH_OF_ONE = frozenset({"jax.numpy.broadcast_arrays", "jax.numpy.meshgrid"})  # each array is made of one argument
_ONE_OR_MORE = frozenset(f"jax.numpy.atleast_{n}d" for n in (1, 2, 3))  # an array for one, a list for several
_LIKE = frozenset(f"jax.numpy.{name}_like" for name in ("zeros", "ones", "empty", "full"))
_HOST_PACKAGES = ("numpy.", "scipy.", "math.", "cmath.", "operator.", "copy.", "pickle.", "statistics.")
_CASTS = ("math.", "cmath.", "operator.index")
_CHECKS = frozenset({"jax.experimental.checkify.check", "jax.experimental.checkify.check_error"})
_DEBUG_PRINTS = frozenset({"jax.debug.print", "jax.debug.log"})


class Apis(Component):
    """Component of the interpreter: what library calls ask and give."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.python = Builtins(interpreter)
        self.host_arrays = HostArrays(interpreter)
        self.in_jax = _is_of_jax(interpreter.unit.filename)
        self.folders = frozenset(interpreter.unit.filename.replace("\\", "/").split("/")[:-1])

    def constant(self, dotted: str) -> v.Value | None:
        return _CONSTANTS.get(dotted)

    def knows(self, name: str) -> bool:
        """Whether calling this name is modelled, so that it may decorate a function."""
        if transform(name) is not None or self.i.conventions.names(name) or name == CASE:
            return True
        if name.startswith(("builtins.", "functools.")) or knowledge.facts(name) is not None:
            return True
        return libraries.behaviour(name) is not None

    def owns(self, package: str) -> bool:
        """Whether the file is one of a package's own, which may use what is private to it."""
        return self.in_jax if package == "jax" else package in self.folders

    # --- calls --------------------------------------------------------------------------------

    def call(self, name: str, call: Call) -> v.Value:
        said = self.i.project_names.call(name, call)
        if said is not None:
            return said
        if (known := transform(name)) is not None:
            return self.i.transforms.apply(known, call)
        if name in printing.DEBUGGERS:
            return printing.debugger(self.i, name, call)
        if self.i.typed_keys.call(name, call):
            return v.UNKNOWN
        if name.startswith("jax."):
            return self.i.events.jax_value(self.jax(name, call), name, call)
        if name.startswith("haiku."):
            return self.i.haiku.call(name, call)
        if name.startswith(_FLAX_INITIALIZERS):
            return self.jax(f"jax.nn.initializers.{name.rpartition('.')[2]}", call)
        if name.startswith(("flax.", "equinox.nn.")) or name in (GET_KEY, IF_ARRAY):
            keyed = self.i.layer_keys.made(name, call)
            if (layer := keyed or self.i.equinox.made(name, call, self.i.layers.made(name, call))) is not None:
                return layer
        if name in DECORATORS:
            return self.i.runners.decorator(name, call)
        if name in TYPE_CHECKERS and (call.args or call.keywords):
            return call.args[0] if call.args else v.Partial(v.Api(name), (), dict(call.keywords))
        self.i.events.library_called(name, name, call)
        if (asked := self.i.host_effects.call(name, call) or partitions.call(self.i, name, call)) is not None:
            return asked
        if name == "builtins.isinstance":
            self.i.events.type_tested(call)
        handled = self.python.call(name, call) or joined(name, call) or functional_update.function(self.i, name, call)
        if handled is not None:
            return handled
        if name.startswith(_HOST_PACKAGES):
            return self.host(name, call)
        if name in restored.READING:
            return restored.read(self.i, name, call)
        if name.startswith(printing.LOGGING) and (logged := printing.logging(self.i, name, call)) is not None:
            return logged
        return self.i.libraries.function(name, call) or self.i.call_unknown(v.Api(name), call)

    # --- jax ----------------------------------------------------------------------------------

    def jax(self, name: str, call: Call) -> v.Value:
        if self.i.pytree_classes.converts(name, call):
            return v.UNKNOWN
        self.i.pytree_classes.called(name, call)
        if name in dtype_tests.NAMES:
            answer = self.i.typed_keys.test(call) or dtype_tests.test(call)
            if answer is not None:
                return answer
        of_axes = self.i.transforms.axis_names.call(name, call)
        if of_axes is not None:
            return of_axes
        found = knowledge.facts(name)
        random = found if name.startswith("jax.random.") else None
        draws = random is not None and any(each.name in ("key", "seed") for each in random.parameters)
        if draws and found is not None and self.i.samplers.refuse(name, found, call):
            return v.UNKNOWN
        if found is not None and (
            self.i.events.refuses_call(name, found, call) or self.i.events.refuses_arrays(name, call)
        ):
            gives_array = found.result == "array" and not draws and "out" not in call.keywords
            return self.i.array_result(call.all()) if gives_array else v.UNKNOWN
        if (
            draws
            and found is not None
            and (found.consumes or name == "jax.random.fold_in")
            and self.i.key_arrays.single(name, call)
        ):
            return v.UNKNOWN
        if name.startswith("jax.random."):
            made = self.i.keys.made(name, call)
            if made is not None:
                self.check(name, found, call)
                return made
        if name in _CHECKS:
            self.i.events.checked(name, call)
            return v.NONE
        if name in _DEBUG_PRINTS:
            self.i.events.debug_printed(name, call)
            return v.NONE
        if name in ("jax.lax.psum", "jax.lax.axis_size") and all(type(a) is v.Const for a in call.args[:1]):
            return v.STATIC_INT
        if name in ("jax.config.update", "jax.config.config.update") and call.args and type(call.args[0]) is v.Const:
            self.i.events.option_named(call.arg_nodes[0], str(call.args[0].value))
        if name in ("jax.block_until_ready", "jax.device_put", "jax.device_get", "jax.lax.stop_gradient"):
            return self.passed_through(name, call)
        if self.i.events.refuses_conversion(name, call):
            return v.UNKNOWN
        if name in ("jax.numpy.asarray", "jax.numpy.array") and call.args:
            self.check(name, found, call)
            return self.as_array(name, call)
        if name == v.SHAPE_STRUCT:
            return v.OpaqueInstance(name, (call.get(0, "shape") or v.UNKNOWN, call.get(1, "dtype") or v.UNKNOWN))
        if name in ("jax.numpy.save", "jax.numpy.savez"):
            for value, node in arguments(call):
                failing = next((leaf for leaf in self.i.leaves([value]) if self.i.hard(leaf, "float", True)), None)
                if type(value) is v.MemoryRef or failing is not None:
                    self.i.report(hazards.HostMethodOnTracer(), call.node, node, failing or value, api=name)
            return v.NONE
        apart = self.i.pytrees.taken_apart(name, call)
        if apart is not None:
            return apart
        if found is None or not found.called:
            return self.unmeasured(name, call)
        if name == "jax.numpy.where" and len(call.args) + len(call.keywords) >= 3:
            return self.arrays(found, call)
        self.check(name, found, call)
        if self.i.transforms.exports.leaves_rest(name, call):
            return v.UNKNOWN
        self.i.events.indexing_called(name, call)
        for parameter in found.consumes:
            position = position_of(found, parameter)
            key = call.get(position, parameter)
            if key is not None:
                at = call.node_of(position, parameter)
                self.i.keys.consume(key, name, call.node, at, detail=self.i.keys.arranges(name, call))
        if call.args:
            self.i.events.reduced(name, call, call.args[0])
        if name == "jax.numpy.where" and len(call.args) == 1:  # with a condition alone it searches
            search = knowledge.facts("jax.numpy.nonzero")
            assert search is not None
            searched = self.result("jax.numpy.nonzero", search, call)
            return self.i.events.searched_value(searched, name, call)
        return self.i.events.searched_value(self.result(name, found, call), name, call)

    def unmeasured(self, name: str, call: Call) -> v.Value:
        """A name of JAX that nothing is known of: a class, a module's function."""
        last = name.rpartition(".")[2]
        if name.startswith("jax.numpy.") and last in _SCALAR_TYPES and call.args:
            made = self.i.array_result(call.args[:1], v.Aval(_SCALAR_TYPES[last], self.i.aval_of(call.args[0]).shape))
            return identity_operations.made("astype", call.args, made)
        return self.i.symbolic.specified(name, call) or self.i.call_unknown(v.Api(name), call)

    def check(
        self, name: str, found: knowledge.Facts | None, call: Call, receiver: tuple[v.Value, ir.Node] | None = None
    ) -> None:
        """Record missing or unsuitable arguments. The result is modelled as if all arguments were suitable.

        ``receiver`` is the array whose method it is, with its node.
        """
        if found is None:
            return
        self.i.events.arguments_checked(name, found, call)
        for parameter, value, node in bound(found, call):
            floats = self.i.events.refuses_size(name, found, parameter, value, node, call)
            if floats or self.i.symbolic.steps(name, parameter, value, node, call):
                return
            number = parameter in found.mixed and type(value) is v.Array and value.aval.shape == ()
            if number or parameter in found.static:
                required = hazards.ShapeFromTracer if parameter in found.sizes else hazards.TracedStaticParameter
                if self.concrete(required(), name, parameter, value, node, call):
                    return
        self.undecided_shape(name, found, call, receiver)

    def concrete(self, hazard: Hazard, name: str, parameter: str, value: v.Value, node: ir.Node, call: Call) -> bool:
        """Whether an argument that must be concrete is traced; recorded if so."""
        for part, part_node in parts(self.i, value, node):
            if self.i.hard(part, "bool", containers_fail=True):
                self.i.report(hazard, call.node, part_node, part, api=name, parameter=parameter)
                return not (type(part) is v.Undecided and part.maybe_static)
        return False

    def undecided_shape(
        self, name: str, found: knowledge.Facts, call: Call, receiver: tuple[v.Value, ir.Node] | None
    ) -> None:
        """Record a result whose shape hangs on values that are not there."""
        if not found.decides:
            return
        for way_out in found.ways_out:
            given = call.get(position_of(found, way_out), way_out)
            if given is not None and not v.is_none(given):
                return
        if call.star or call.double_star:
            return
        for parameter in found.decides:
            position = position_of(found, parameter)
            value = call.get(position, parameter)
            node = call.node_of(position, parameter) or call.node
            if parameter == "self" and receiver is not None:
                value, node = receiver
            if value is None:
                continue
            if type(value) is v.MemoryRef:
                self.i.report(hazards.UnsupportedOperation(), call.node, node, value, api=name)
                return
            staged = self.i.context.stage == "staged" and found.data_dependent and type(value) is v.Array
            if staged or self.i.hard(value, "bool", containers_fail=True):
                shown = value if value.cls is not None else v.Array(v.STAGED, v.ANY, self.i.context.origin)
                way = found.ways_out[0] if found.ways_out else None
                self.i.report(hazards.DataDependentShape(), call.node, node, shown, api=name, parameter=way)
                return

    def result(self, name: str, found: knowledge.Facts, call: Call) -> v.Value:
        given = [parameter for parameter, _, _ in bound(found, call)]
        varied = [
            parameter for parameter in given if parameter in found.varies or (parameter == "mode" and found.length)
        ]
        if not all(parameter.endswith("dtype") or parameter == "preferred_element_type" for parameter in varied):
            kind, count, dtype = "unknown", None, None
        else:  # another dtype makes another array, but an array
            kind, count, dtype = found.result, found.length, None if varied else found.dtype
        if name in _ONE_OR_MORE and len(call.args) == 1 and not call.star:
            kind = "array"
        if kind == "array":
            made = self.arrays(found, call, dtype)
            if name == "jax.numpy.reshape" and type(made) is v.Array:
                return identity_operations.reshaped(call, made)
            return made
        if kind in ("tuple", "list"):
            element = self.arrays(found, call, dtype)
            assert type(element) is v.Array
            avals = result_avals(self.i, name, call)
            if name in _EACH_OF_ONE and len({self.i.result_mode([leaf])[0] for leaf in self.i.leaves(call.all())}) > 1:
                element = v.Array(v.MAYBE)
            if avals is not None:
                items = tuple(v.Array(element.mode, aval, element.origin) for aval in avals)
                return v.Tuple(items) if kind == "tuple" else self.i.new_list(items)
            element = v.Array(element.mode, v.Aval(dtype), element.origin)
            if name == "jax.scipy.linalg.cho_factor":
                return v.Tuple((element, v.Static("bool")))
            same = (element,) * count if count is not None else None
            return v.Tuple(same, element) if kind == "tuple" else self.i.new_list(same, element)
        if kind == "function" and knowledge.facts(f"{name}()") is not None:
            return v.OpaqueInstance("initializer", (v.Const(f"{name}()"),), v.fresh())
        if kind == "static":
            if name in _SHAPE_FACTS and len(call.args) == 1 and not call.keywords:
                self.i.key_arrays.asked(call.args[0])
                return self.i.shape_fact(name.rpartition(".")[2], self.i.aval_of(call.args[0]))
            typed = {"jax.numpy.ndim": "int", "jax.numpy.size": "int", "jax.numpy.issubdtype": "bool"}
            return v.Static(typed.get(name, "dtype" if name.startswith("jax.numpy") else ""), v.fresh())
        if kind == "pytree" or (kind == "unknown" and any(found.varies)):
            mode, origin = self.i.result_mode(call.all())
            if mode in v.TRACED and kind == "unknown":
                return v.Undecided(mode, origin, v.fresh())
        return v.Unknown(v.fresh())

    def arrays(self, found: knowledge.Facts, call: Call, dtype: str | None = None) -> v.Value:
        """The array a function gives, with what is known of its shape and dtype."""
        operands = call.all()
        if computes(found.name):
            self.i.events.operands_read(call.node, operands)
        if found.name in _LIKE:  # of the first argument only shape and dtype are asked
            operands = operands[1:]
        aval = result_aval(self.i, found.name, call, dtype)
        mode, cause = self.i.result_mode(operands, found.tangent)
        if mode not in v.TRACED and found.name == "jax.lax.axis_index":
            mode = v.BATCHED  # whatever binds the axis traces
        elif found.name in custom_rules.OF_JAX:
            mode = self.i.transforms.custom_rules.result(mode)
        if mode in v.TRACED and found.consumes:
            cause = Origin(f"drawn by `{found.name.removeprefix('jax.')}`", call.site, cause)
        elif mode == v.STAGED and not any(x.cls for x in self.i.leaves(operands)):
            known = not any(type(x) in (v.Unknown, v.Ref) for x in self.i.leaves(operands))
            cause = Origin(MADE_OF_CONSTANTS if known else MADE_IN_TRACED_CODE, call.site, cause)
        needless = found.name.startswith("jax.numpy.") and self.i.is_needless(mode, operands)
        made = v.Array(mode, aval, cause, identity(operands, aval) if aval.dtype in v.KEYS else None, needless)
        if self.i.context.tangents is not None:
            return self.i.transforms.tangents.computed(found.name, call, made)
        made = identity_operations.made(found.name, operands, made, self.i.context.transparent)
        return self.i.events.uninitialised_made(made, found, call.node) if found.uninitialised else made

    def passed_through(self, name: str, call: Call) -> v.Value:
        value = call.get(0)
        if value is None:
            return v.Unknown(v.fresh())
        if name == "jax.lax.stop_gradient" and self.i.context.tangents is not None:
            self.i.context.tangents.stopped = True
            if type(value) in (v.Tuple, v.Ref, v.OpaqueInstance):
                return v.Unknown(v.fresh())
        if name == "jax.lax.stop_gradient" and type(value) is v.Array and value.mode == v.DIFFERENTIATED:
            # What is differentiated may be a number of Python's, which is what comes out then.
            mode = v.CONCRETE if self.i.context.stage == "eager" and value.aval.shape else v.MAYBE
            return v.Array(mode, value.aval, None, value.ident)
        if name == "jax.lax.stop_gradient" and type(value) is v.Array and v.has_tangent(value):
            return v.without_tangent(value)
        if name == "jax.lax.stop_gradient" and type(value) is v.Undecided and value.cls == v.DIFFERENTIATED:
            return v.Unknown(value.ident, structure=value.structure)
        if name == "jax.device_get":
            return self.i.host_views.got(value, call.site)
        if name == "jax.device_put" and type(value) in (v.Host, v.Const):
            return self.i.array_result([value], self.i.aval_of(value))
        return value

    def as_array(self, name: str, call: Call) -> v.Value:
        value = call.args[0]
        simple = len(call.args) == 1 and not call.keywords
        if type(value) is v.Array and value.mode == v.CONCRETE and simple and name.endswith("asarray"):
            return value  # converts nothing, so the array stays as it is even in staged code
        if type(value) is v.Array and value.aval.dtype in v.KEYS:
            return value
        found = knowledge.facts(name)
        assert found is not None
        return self.arrays(found, call)

    def host(self, name: str, call: Call) -> v.Value:
        """A NumPy, SciPy or standard-library function: it wants values, not tracers."""
        wrong = self.host_arrays.check(name, call)
        if wrong is not None:
            return wrong
        sized = self.i.symbolic.host(name, call)
        if sized is not None:
            return sized
        if host_solvers.returns_tracer(self.i, name, call):
            return v.UNKNOWN
        if name.startswith("scipy.") and any(type(value) is v.FunctionValue for value in call.all()):
            return self.i.call_unknown(v.UNKNOWN, call)  # what it makes of the function's results
        works: list[v.Value] = []
        static, converts = False, self.host_arrays.converts(name, call)
        for value, node in arguments(call):
            memory = next((leaf for leaf in self.i.leaves([value]) if type(leaf) is v.MemoryRef), None)
            if memory is not None and name not in ("numpy.shape", "numpy.ndim", "numpy.size"):
                self.i.report(hazards.UnsupportedOperation(), call.node, node, memory, api=name)
                return v.UNKNOWN
            if self.i.context.region == "kernel" and type(value) is v.Array and value.mode == v.CONCRETE:
                if knowledge.host(name, "staged") == "works":
                    self.i.report(hazards.UnsupportedOperation(), call.node, node, value, api="captured array")
                    return v.UNKNOWN
        for value, node, parameter in positions(call):
            if name.startswith("numpy.") and type(self.i.contents(value)) is DictObject:
                return v.Unknown(v.fresh())  # to NumPy a dict is one object, whatever it holds
            asked = None if converts else self.host_arrays.asked(name, call, value, node, parameter)
            if asked == "fails":
                return v.UNKNOWN
            if asked == "works":
                works.append(value)
            for leaf in self.i.leaves([value]):
                cls = leaf.cls
                if cls is None:
                    continue
                verdict = knowledge.host(name, cls) or knowledge.host(name, cls, parameter)
                if parameter == 0 and self.i.is_list(value) and name.startswith("numpy.") and name not in _TAKE_LISTS:
                    verdict = "fails"  # what works with a tracer calls its methods; a list is converted
                if verdict == "fails" or converts:
                    cast = name.startswith(_CASTS)
                    hazard: Hazard = hazards.PythonCastOnTracer() if cast else hazards.NumpyOnTracer()
                    if name.startswith(("copy.", "pickle.", "numpy.save")):
                        hazard = hazards.HostMethodOnTracer()
                    self.i.report(hazard, call.node, node, leaf, api=name)
                    return self.host_arrays.counterpart(name, call)
                if verdict == "works":
                    works.append(leaf)
                elif verdict == "static":
                    static = True
                else:
                    return v.Unknown(v.fresh())
        if static:
            return v.Static("", v.fresh())
        if works:
            if name.startswith("copy."):
                return works[0]
            undecided = [value for value in works if type(value) is v.Undecided and value.maybe_static]
            if len(undecided) == len(works):
                return undecided[0].renewed(v.fresh())
            made = self.i.array_result(call.all(), result_aval(self.i, "jax." + name, call, None))
            return identity_operations.made(name, call.all(), made, self.i.context.transparent)
        if name.startswith("copy."):
            return v.Unknown(v.fresh())
        if name.startswith(("math.", "cmath.", "operator.", "statistics.")):
            return v.Static(type_of_result(name), v.fresh())
        return self.i.events.host_value(self.host_arrays.result(name, call), name, call)


_FLAX_INITIALIZERS = ("flax.linen.initializers.", "flax.nnx.initializers.", "flax.nnx.nn.initializers.")
_SHAPE_FACTS = frozenset({"jax.numpy.shape", "jax.numpy.ndim", "jax.numpy.size"})
# NumPy functions that do not make an array of a list.
_TAKE_LISTS = frozenset({"numpy.array_equal", "numpy.array_equiv", "numpy.isscalar", "numpy.iterable", "numpy.str_"})
_SCALAR_TYPES = {
    "float32": "float32", "float16": "float16", "bfloat16": "bfloat16", "int32": "int32", "int16": "int16",
    "int8": "int8", "uint8": "uint8", "uint32": "uint32", "bool_": "bool", "complex64": "complex64",
    "float64": "float32", "int64": "int32",
}  # fmt: skip


def _is_of_jax(filename: str) -> bool:
    """Whether a path leads to a module of JAX itself: `…/jax/_src/prng.py`, `…/jax/random.py`."""
    parts = filename.replace("\\", "/").removesuffix(".py").split("/")
    if "jax" not in parts[:-1]:
        return False
    inside = parts[len(parts) - parts[::-1].index("jax") :]
    return inside[:1] in (["_src"], ["__init__"]) or knowledge.known(f"jax.{inside[0]}")
