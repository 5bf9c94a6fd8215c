"""Haiku: what a function makes and asks for beside its result, and how `init` and `apply` are called.

Parameters, state and keys belong to the innermost `hk.transform` that runs. ``Context.haiku`` says which one that is:
an Inside, False outside of all for certain, None where that depends on a caller that is not seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Boundary, Context, configuring
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.signatures import accepted, positional, takes
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.keys.layer_keys import Applied
from jaxlint.analysis.keys.ready_keys import ready_key
from jaxlint.analysis.models.frameworks import Framework
from jaxlint.analysis.models.haiku_init import Asked
from jaxlint.analysis.models.layers import FUNCTIONS_GIVING_ARRAYS
from jaxlint.analysis.shapes import recurrent
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_STATEFUL = frozenset({
    "haiku.BatchNorm", "haiku.ExponentialMovingAverage", "haiku.EMAParamsTree", "haiku.SpectralNorm",
    "haiku.SNParamsTree", "haiku.nets.VectorQuantizerEMA", "haiku.nets.ResNet", "haiku.nets.ResNet18",
    "haiku.nets.ResNet34", "haiku.nets.ResNet50", "haiku.nets.ResNet101", "haiku.nets.ResNet152",
    "haiku.nets.ResNet200",
})  # fmt: skip
# Modules that hold nothing themselves.
_WITHOUT_VARIABLES = frozenset(
    {"haiku.AvgPool", "haiku.MaxPool", "haiku.Flatten", "haiku.Reshape", "haiku.IdentityCore"}
)
_MODULES = _STATEFUL | _WITHOUT_VARIABLES | frozenset(
    "haiku." + name
    for name in (
        "Bias Conv1D Conv1DLSTM Conv1DTranspose Conv2D Conv2DLSTM Conv2DTranspose Conv3D Conv3DLSTM Conv3DTranspose"
        " ConvND ConvNDTranspose DeepRNN DepthwiseConv1D DepthwiseConv2D DepthwiseConv3D Embed GRU GroupNorm"
        " InstanceNorm LSTM LayerNorm Linear MultiHeadAttention RMSNorm ResetCore SeparableDepthwiseConv2D Sequential"
        " VanillaRNN nets.MLP nets.MobileNetV1 nets.VectorQuantizer"
    ).split()
)  # fmt: skip
# What a function of Haiku does to the state of the transform around it.
_PARAMETERS, _STATE, _KEY, _READ = "parameters", "state", "key", "read"
_USES = {
    "get_parameter": _PARAMETERS, "get_state": _STATE, "set_state": _STATE, "next_rng_key": _KEY,
    "next_rng_keys": _KEY, "reserve_rng_keys": _KEY, "maybe_next_rng_key": _KEY, "get_params": _READ,
    "get_current_state": _READ, "maybe_get_rng_sequence_state": _READ, "running_init": _READ, "current_name": _READ,
    "lift": _READ, "lift_with_state": _READ, "transparent_lift": _READ, "transparent_lift_with_state": _READ,
    "name_scope": _READ, "with_rng": _READ, "custom_creator": _READ, "custom_getter": _READ, "custom_setter": _READ,
}  # fmt: skip
CHANGING = frozenset(f"haiku.{name}" for name, what in _USES.items() if what != _READ)
_NEEDING = frozenset({"haiku.next_rng_key", "haiku.next_rng_keys"})  # they raise where there is no key
# Haiku's versions of JAX's transforms, and other functions that raise at once where no transform runs.
VERSIONS = frozenset(
    "haiku." + name for name in "scan while_loop fori_loop cond switch map remat eval_shape grad value_and_grad".split()
)
# Samplers of Haiku, with the key in front.
_SAMPLERS = frozenset({"haiku.dropout", "haiku.multinomial"})
# What is held in `State.fields` of the transform that runs, and of modules.
_RUNNING = ("haiku",)
_DRAWN = "key drawn in a trace"  # the JAX transform under which Haiku's sequence of keys went on
_ASKED = "asked for init"  # the code has asked `hk.running_init()`, and handles init itself
_MADE = "made parameters"
_WITH_KEY = "has a key of its own"  # by `hk.with_rng`


@hazard_class(consequence=Consequence.PERSISTENT)
class JaxTransformInHaiku(Hazard):
    """A JAX transform traces a function that makes or uses Haiku state inside `hk.transform`.

    Site: the call of the JAX transform; api; operand: what uses state.
    """


@hazard_class()
class HaikuOutsideTransform(Hazard):
    """A Haiku module, parameter or key is asked for outside of `hk.transform`.

    Site: the call that takes a Haiku transform around it; api: its name.
    """


@hazard_class(consequence=Consequence.SILENT)
class HaikuTransformNotLifted(Hazard):
    """Parameters of a nested `hk.transform` are made without `hk.lift`, and are not among those of the outer transform.

    Site: the call of `init` in another transform; operand: that of `apply`.
    """


@hazard_class(consequence=Consequence.SILENT)
class HaikuKeyShared(Hazard):
    """A key of `hk.next_rng_key()` is the same for all elements of a mapped function or all steps of a loop.

    Site: the JAX transform that maps or repeats; operand: the call that draws the key; api.
    """


@hazard_class()
class HaikuStateWithoutState(Hazard):
    """A function with state, such as batch normalisation, is given to `hk.transform`.

    Site: the call of hk.transform; operand: the call that asks for state; api: its name.
    """


class Inside(NamedTuple):
    """The `hk.transform` that runs."""

    site: int  # of its call; -1 where it is not seen
    name: str  # "haiku.transform" ...; "" where it is not seen
    boundaries: int  # how many mapped or repeated bodies are around it
    undecided: int  # how many conditions of unknown outcome are around it
    initialises: bool = False  # by `init`


SOMEWHERE = Inside(-1, "", 0, 0)


_Misfit: TypeAlias = Literal["no key", "a key", "no state"]


@hazard_class()
class HaikuApplyArguments(Hazard):
    """The arguments of `init` or `apply` do not fit. Site: the call; operand: an argument."""

    how: _Misfit | Literal["none drawn", "drawn without"]
    certain: bool  # whether what stands in the place of the key is none
    draws: bool  # whether the function asks for keys
    takes: tuple[str, ...]  # what `init` or `apply` takes
    drawn: int = -1  # site of what asks for a key that is not there
    ready: str = ""  # the key that the caller has at hand


class Drawn(NamedTuple):
    """A key that `hk.next_rng_key` gave, and the mapped or repeated body in which it did."""

    node: ir.Node
    boundary: Boundary | None


class Haiku(Framework):
    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.drawn: dict[Any, Drawn] = self.i.per_module({})  # first part of the ident of a key -> where it was drawn
        self.draws = 0  # how often a key was asked for
        self.certain_draws = 0  # of these, how many certainly execute
        self.needed: list[int] = []  # sites that certainly execute and raise without a key

    # --- calls of the library -----------------------------------------------------------------

    def call(self, name: str, call: Call) -> v.Value:
        """A function or class of Haiku that is no transform."""
        if name in _MODULES:
            kept = self.i.layers.kept(name, call)
            self.i.call_unknown(v.Api(name), call)
            if self.outside(call.node, name):
                return v.Unknown(v.fresh())
            return v.OpaqueInstance("haiku layer", (v.Const(name), *kept), v.fresh())
        what = _USES.get(name.removeprefix("haiku."))
        key = call.get(0, "rng") if name in _SAMPLERS else None
        if key is not None:
            self.i.keys.consume(key, name, call.node, call.node_of(0, "rng"))
        if name in FUNCTIONS_GIVING_ARRAYS:
            return self.i.layers.array(call)
        if what is None:
            for value in call.all():  # `hk.dynamic_unroll(core, …)` calls it, which makes its parameters
                if type(value) is v.OpaqueInstance and value.name == "haiku layer":
                    self.note(value.ident, _MADE, v.TRUE)
            return self.i.call_unknown(v.Api(name), call)
        if name in ("haiku.get_parameter", "haiku.get_state") and self.exists(call):
            if what == _STATE:
                self.needs_state(call.node, name)
            return v.Unknown(v.fresh())
        self.uses_state(call.node, what, name)
        if name == "haiku.with_rng":
            self.note(_RUNNING, _WITH_KEY, v.TRUE)
        if name == "haiku.running_init":
            self.note(_RUNNING, _ASKED, v.TRUE)
        if name in ("haiku.next_rng_key", "haiku.next_rng_keys"):
            return self.key(call)
        if name == "haiku.get_parameter" and self.i.context.stage == "staged":
            return v.Array(v.MAYBE, v.ANY, None, v.fresh())
        return v.Unknown(v.fresh())

    def exists(self, call: Call) -> bool:
        """Whether what is asked for by its name was made before, outside of the trace that runs."""
        given = call.get(0, "name")
        name = ("haiku", given.value) if type(given) is v.Const else None
        if self.i.context.leak is None:
            if name is not None and self.i.context.haiku:
                self.note(name, _MADE, v.TRUE)
            return False
        without = call.get(3, "init") is None and not call.star and not call.double_star
        return without or (name is not None and self.noted(name, _MADE) is v.TRUE)

    def key(self, call: Call) -> v.Value:
        ident = v.fresh()
        self.drawn[ident[0]] = Drawn(call.node, self.repeated())
        if call.args or call.keywords:
            return v.Unknown(ident)
        mode, origin = self.i.result_mode([])
        return v.Array(mode if mode == v.STAGED else v.MAYBE, v.KEY, origin, ident)

    def call_layer(self, layer: v.OpaqueInstance, call: Call) -> v.Value:
        kind = layer.args[0]
        assert type(kind) is v.Const
        name = str(kind.value)
        if name not in _WITHOUT_VARIABLES:
            self.uses_state(call.node, _STATE if name in _STATEFUL else _PARAMETERS, name, layer)
        if name == "haiku.Sequential":
            return self.i.layers.in_turn(layer, call)
        if (given := recurrent.called(self.i, layer, call)) is not None:
            return given
        if not self.i.layers.gives_array(name):
            return self.i.layer_result(call)
        return self.i.layers.array(call, self.i.layers.shape(layer, call))

    def outside(self, node: ir.Node, name: str) -> bool:
        """Whether this, which takes a transform around it, is certainly outside of all; recorded if so."""
        if self.i.context.haiku is not False:
            return False
        self.i.report(HaikuOutsideTransform(), node, node, v.UNKNOWN, api=name)
        return True

    # --- what a function does beside giving its result ----------------------------------------

    def uses_state(self, node: ir.Node, what: str, name: str, layer: v.OpaqueInstance | None = None) -> None:
        """Parameters, state or a key of the transform around are needed here."""
        context = self.i.context
        if (layer is None and self.outside(node, name)) or what == _READ:
            return
        if what == _KEY:
            if name in _NEEDING and self.is_certain() and self.noted(_RUNNING, _WITH_KEY) is not v.TRUE:
                self.needed.append(node.site)
            self.draws += 1
            self.certain_draws += self.is_certain()
            self.i.touched.append(0)  # each call gives another key
            self.draws_key(node)
        elif context.leak is not None:
            made = layer is not None and self.noted(layer.ident, _MADE) is v.TRUE
            if not made and not self.looks_after_init():
                self.leaks(node, *context.leak)
        elif layer is not None:
            made = self.noted(layer.ident, _MADE) is v.TRUE
            self.i.haiku_init.asked.append(Asked(layer.ident, node, made))
            self.note(layer.ident, _MADE, v.TRUE)
        if what == _STATE:
            self.needs_state(node, name)

    def looks_after_init(self) -> bool:
        """Whether the code has asked whether parameters are being made: it is then not reported."""
        return self.noted(_RUNNING, _ASKED) is v.TRUE

    def leaks(self, node: ir.Node, site: int, api: str) -> None:
        at = self.i.unit.nodes[site]
        self.i.report(JaxTransformInHaiku(), at, node, v.UNKNOWN, api=api, origin=self.i.context.origin)

    def draws_key(self, node: ir.Node) -> None:
        """The next key of the sequence: it leaks when the one after it is drawn outside of the trace."""
        context = self.i.context
        if context.leak is not None:
            if self.repeated() is None:
                self.note(_RUNNING, _DRAWN, v.Tuple((v.Const(context.leak), v.Const(node.site))))
            return
        earlier = self.noted(_RUNNING, _DRAWN)
        if type(earlier) is v.Tuple and earlier.items is not None:
            (site, api), drawn = (item.value for item in earlier.items if type(item) is v.Const)
            self.leaks(self.i.unit.nodes[drawn], site, api)

    def noted(self, ident: v.Ident | None, fact: str) -> v.Value | None:
        assert self.i.state is not None
        return None if ident is None else self.i.state.fields.get((ident, fact))

    def note(self, ident: v.Ident | None, fact: str, value: v.Value) -> None:
        if ident is not None and self.noted(ident, fact) is not value:
            assert self.i.state is not None
            self.i.state.set_field(ident, fact, value)
            self.i.touched.append(0)

    def refuses_object(self, ref: v.Ref, cls: v.ClassValue, call: Call) -> bool:
        return self.outside(call.node, cls.definition.name)

    def initial_context(self, context: Context) -> Context:
        """Modules are made in a transform."""
        return configuring(context).but(haiku=context.haiku or SOMEWHERE)

    def call_object(self, ref: v.Ref, contents: Instance, method: v.Value, call: Call) -> v.Value:
        return self.call_method(method, ref, call)

    def call_method(self, method: v.Value, receiver: v.Value, call: Call) -> v.Value:
        """What a method has made before it only uses."""
        module, call = receiver, call.shifted((receiver,), {})
        context, name = self.i.context, method.name if type(method) is v.FunctionValue else ""
        made = f"{_MADE} in {name}"
        if context.leak is not None and self.noted(module.ident, made) is v.TRUE:
            context = context.but(leak=None)
        result = self.i.transforms.body(context, method, call)
        if self.i.context.leak is None and self.i.context.haiku and self.i.state is not None:
            self.i.haiku_init.asked.append(Asked(module.ident, call.node, self.noted(module.ident, made) is v.TRUE))
            self.note(module.ident, made, v.TRUE)
        return result

    def needs_state(self, node: ir.Node, name: str) -> None:
        """State is asked for: `hk.transform` has none to give."""
        inside = self.i.context.haiku
        if self.is_certain() and inside.name == "haiku.transform":
            self.i.report(HaikuStateWithoutState(), self.i.unit.nodes[inside.site], node, v.UNKNOWN, api=name)

    def is_certain(self) -> bool:
        """Whether the code at hand runs in each call of the transform around it."""
        inside = self.i.context.haiku
        return bool(inside) and self.i.undecided == inside.undecided and not self.i.returned

    # --- keys ---------------------------------------------------------------------------------

    def repeated(self) -> Boundary | None:
        """The innermost body inside of the transform that JAX maps or repeats, not Haiku."""
        inside = self.i.context.haiku
        around = self.i.context.boundaries[inside.boundaries :] if inside else ()
        return next((each for each in reversed(around) if not each.how.startswith("hk.")), None)

    def consumed(self, ident: v.Ident) -> None:
        """A key is consumed: one that Haiku gave in a mapped body is the same for all."""
        drawn = self.drawn.get(ident[0])
        if drawn is not None and drawn.boundary is not None:
            at = self.i.unit.nodes[drawn.boundary.site]
            api = f"jax.{drawn.boundary.how}"
            self.i.report(HaikuKeyShared(), at, drawn.node, v.UNKNOWN, api=api, origin=self.i.context.origin)

    # --- init and apply -----------------------------------------------------------------------

    def enter(self, made: v.Transformed, call: Call, initialises: bool = False) -> v.Value:
        """Run the function of `hk.transform`."""
        context = self.i.context
        inside = Inside(made.site, made.transform.name, len(context.boundaries), self.i.undecided, initialises)
        outer = {fact: self.noted(_RUNNING, fact) or v.UNKNOWN for fact in (_DRAWN, _ASKED, _WITH_KEY)}
        assert self.i.state is not None
        for fact in outer:
            self.i.state.set_field(_RUNNING, fact, v.UNKNOWN)
        result = self.i.transforms.body(context.but(haiku=inside, leak=None), made.function, call)
        assert self.i.state is not None
        for fact, value in outer.items():
            self.i.state.set_field(_RUNNING, fact, value)
        return result

    def pair(self, made: v.Transformed) -> list[v.Value] | None:
        """`init, apply = hk.transform(f)`"""
        if made.transform.behaviour != "haiku_transform":
            return None
        return [v.Member(made, name, made.site) for name in ("init", "apply")]

    def method(self, member: v.Member, made: v.Transformed, call: Call) -> v.Value:
        """`model.init(…)` or `model.apply(…)`"""
        with_state = made.transform.name.endswith("with_state")
        leading = ["rng"]
        if member.name == "apply":
            leading = ["params"] + ["state"] * with_state + ["rng"] * ("without rng" not in made.options)
            self.uses_parameters(call)
        how, shift = (None, 0) if call.star or call.double_star else self.misfit(member.name, made, call, leading)
        start = len(leading) + shift
        args = [] if call.star else call.args[start:]
        inner = Call(
            call.node, args, call.arg_nodes[start:] if args else [], call.keywords, call.keyword_nodes, call.star
        )
        draws, certain, needed = self.draws, self.certain_draws, len(self.needed)
        result = self.enter(made, inner, member.name == "init")
        if member.name == "apply" and how is None and len(self.needed) > needed:
            self.lacks_key(made, call, leading, self.needed[needed])
        if member.name == "apply" and how is None and "rng" in leading and self.certain_draws > certain:
            self.takes_key(made, call, leading.index("rng"))
        if how is not None:
            place = {"no key": start, "no state": 1, "a key": len(leading)}[how]
            names = [p.name for p in accepted(self.i, made.function) or () if p.required]
            hazard = HaikuApplyArguments(how, self.is_no_key(call.args[place]), self.draws > draws, (*leading, *names))
            self.i.report(
                hazard,
                call.node,
                call.arg_nodes[place],
                v.UNKNOWN,
                made.transform.name,
                member.name,
            )
        if member.name == "apply":
            return v.Tuple((result, v.Unknown(v.fresh()))) if with_state else result
        parameters = self.made_inside(call)
        return v.Tuple((parameters, v.Unknown(v.fresh()))) if with_state else parameters

    def takes_key(self, made: v.Transformed, call: Call, place: int) -> None:
        """The key that `apply` is given, of which the function draws in each call."""
        key, parameters = call.get(place, "rng"), call.get(0, "params")
        if key is not None and parameters is not None and self.i.state is not None:
            detail = None if parameters.ident is None else Applied("rng", parameters.ident, made.key, True)
            self.i.keys.consume(key, "apply", call.node, call.node_of(place, "rng"), "rngs", detail)

    def lacks_key(self, made: v.Transformed, call: Call, leading: list[str], drawn: int) -> None:
        """`apply` runs a function that asks for a key: it fails where there is none."""
        place = len(leading) - 1
        key = call.get(place, "rng") if leading[-1] == "rng" else v.NONE
        if type(key) is not v.Const or key.value is not None or call.star or call.double_star:
            return
        how: Literal["none drawn", "drawn without"] = "none drawn" if leading[-1] == "rng" else "drawn without"
        operand = (call.node_of(place, "rng") if how == "none drawn" else None) or call.node
        names = [p.name for p in accepted(self.i, made.function) or () if p.required]
        ready = ready_key(self.i, call.node.site)
        hazard = HaikuApplyArguments(how, True, True, (*leading, *names), drawn, ready)
        self.i.report(hazard, call.node, operand, v.UNKNOWN, made.transform.name, "apply")

    def misfit(self, method: str, made: v.Transformed, call: Call, leading: list[str]) -> tuple[_Misfit | None, int]:
        """Which of the arguments in front is missing or too many, and by how many the rest is shifted."""
        given = call.args
        if any(name in call.keywords for name in ("params", "state", "rng")) or self.may_be_another(call):
            return None, 0
        if leading[-1] == "rng":
            place = len(leading) - 1
            if len(given) <= place:
                return None, 0
            lacks = self.lacks_one(made, call, len(given) - place - 1)
            if "state" in leading and lacks and _is_key(given[1]):
                return "no state", -1
            if self.is_no_key(given[place]) and not any(_is_key(value) for value in given):
                return "no key", -1
            return ("no key", -1) if lacks and not _may_be_key(given[place]) else (None, 0)
        # Without a key in front, None or a key there is one argument too many.
        extra = given[len(leading)] if len(given) > len(leading) else None
        if extra is not None and (_is_key(extra) or v.is_none(extra)):
            taken = self.room(made, call)
            if taken is not None and len(given) - len(leading) > taken:
                return "a key", 1
        return None, 0

    def may_be_another(self, call: Call) -> bool:
        """Whether `model.apply` stands in a function, and the module binds `model` more than once."""
        func, frame = getattr(call.node, "func", None), self.i.frame
        if not isinstance(func, ir.Attribute) or not isinstance(func.value, ir.Name) or frame.scope is frame.top.scope:
            return False
        name = func.value.id
        return name not in frame.scope.locals and len(bindings(frame.top.scope, name)) > 1

    def lacks_one(self, made: v.Transformed, call: Call, passed: int) -> bool:
        """Whether the function requires one argument more than the ``passed`` positional ones and the keywords."""
        parameters = accepted(self.i, made.function)
        if parameters is None or takes(parameters, "star"):
            return False
        required = [
            p
            for p in parameters
            if p.required and p.kind in ("positional-only", "ordinary") and p.name not in call.keywords
        ]
        return len(required) == passed + 1

    def room(self, made: v.Transformed, call: Call) -> int | None:
        """How many positional arguments the function takes; None for any number."""
        parameters = accepted(self.i, made.function)
        if parameters is None or takes(parameters, "star"):
            return None
        places = positional(parameters)
        named = (place for place, each in enumerate(places) if each in call.keywords)
        return next(named, len(places))  # what has a place behind one that is passed by name gets two values

    def is_no_key(self, value: v.Value) -> bool:
        """Whether Haiku certainly refuses the value as a key."""
        kind = type(value)
        if kind in (v.Array, v.Host):
            aval = self.i.aval_of(value)
            if aval.dtype in v.KEYS or aval.dtype == "uint32":
                return False
            if aval.dtype is not None and aval.dtype.startswith(("float", "bfloat", "complex")):
                return True
            return aval.shape is not None and aval.shape not in ((), (2,), (4,))
        if type(value) is v.Const:
            return isinstance(value.value, (str, float))
        return kind is v.Tuple or (
            kind is v.Ref and self.i.contents(value) is not None and type(self.i.contents(value)) is not Instance
        )

    # --- nested transforms --------------------------------------------------------------------

    def made_inside(self, call: Call) -> v.Value:
        """Parameters of a transform that are made while another one runs, of a key that Haiku gave."""
        key = call.get(0, "rng")
        inside = self.i.context.haiku
        if not inside or key is None or key.ident is None or key.ident[0] not in self.drawn:
            return v.Unknown(v.fresh())
        return v.OpaqueInstance("haiku parameters", (v.Const(call.site), v.Const(inside)), v.fresh())

    def uses_parameters(self, call: Call) -> None:
        """`apply` with parameters that the transform around knows nothing of."""
        given, context = call.get(0, "params"), self.i.context
        if (
            type(given) is not v.OpaqueInstance
            or given.name != "haiku parameters"
            or (context.leak or ("", ""))[1] == "jax.eval_shape"
        ):
            return
        made, inside = (arg.value for arg in given.args if type(arg) is v.Const)
        if inside == context.haiku:
            self.i.report(HaikuTransformNotLifted(), self.i.unit.nodes[made], call.node, v.UNKNOWN)


def _is_key(value: v.Value) -> bool:
    return type(value) is v.Array and value.aval.dtype in v.KEYS


def _may_be_key(value: v.Value) -> bool:
    return _is_key(value) or (type(value) is v.Const and (value.value is None or isinstance(value.value, int)))
