"""Layers: modules of Flax, Equinox and Haiku, as far as tracing goes.

A layer of a library gives an array for an array; a Linen module of the project is run by ``apply``
with its own fields and the caller's arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import TracedStaticParameter
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, values_in

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.ir import nodes as ir

_LINEAR = "Conv ConvTranspose Embed LayerNorm BatchNorm GroupNorm RMSNorm InstanceNorm WeightNorm Einsum"
# Classes whose instances return one array when they are called.
_ARRAY_LAYERS = {
    "flax.linen": f"{_LINEAR} Dense DenseGeneral ConvLocal MultiHeadDotProductAttention SelfAttention PReLU",
    "flax.nnx": f"{_LINEAR} Linear LinearGeneral MultiHeadAttention PReLU LoRA LoRALinear",
    "equinox.nn": (
        "Linear Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding"
        " LayerNorm GroupNorm RMSNorm MLP PReLU MultiheadAttention GRUCell"
    ),
    "haiku": (
        "Linear Conv1D Conv2D Conv3D ConvND Conv1DTranspose Conv2DTranspose Conv3DTranspose DepthwiseConv2D Embed"
        " LayerNorm BatchNorm GroupNorm RMSNorm InstanceNorm Bias nets.MLP"
    ),
}
_GIVING_ARRAYS = frozenset(f"{module}.{name}" for module, names in _ARRAY_LAYERS.items() for name in names.split())
# Layers that give as many features as they are told, with the positions and names of those that they take and give.
SIZED: dict[str, tuple[tuple[int | None, str], tuple[int, str]]] = {
    "flax.linen.Dense": ((None, ""), (0, "features")),
    "flax.nnx.Linear": ((0, "in_features"), (1, "out_features")),
    "equinox.nn.Linear": ((0, "in_features"), (1, "out_features")),
    "equinox.nn.MLP": ((0, "in_size"), (1, "out_size")),
    "haiku.Linear": ((None, ""), (0, "output_size")),
    "haiku.nets.MLP": ((None, ""), (0, "output_sizes")),
}
# Layers that give so many features for each index.
_EMBEDDING: dict[str, tuple[int, str]] = {
    "flax.linen.Embed": (1, "features"), "flax.nnx.Embed": (1, "features"), "haiku.Embed": (1, "embed_dim"),
    "equinox.nn.Embedding": (1, "embedding_size"),
}  # fmt: skip
_KEEPING = frozenset({"BatchNorm", "LayerNorm", "RMSNorm", "GroupNorm", "InstanceNorm"})
_LAMBDA = "equinox.nn.Lambda"  # a sequence of one function, which is not given the key
# Layers that return their argument, or an array like it.
_HANDING_ON = frozenset({"flax.linen.Dropout", "flax.nnx.Dropout", "equinox.nn.Dropout"})
# Layers that hand on what each of their layers returns to the next one, with the position and name of the layers.
_SEQUENCES: dict[str, tuple[int | None, str]] = {
    "flax.linen.Sequential": (0, "layers"), "flax.nnx.Sequential": (None, "*fns"), "haiku.Sequential": (0, "layers"),
    "equinox.nn.Sequential": (0, "layers"), _LAMBDA: (None, "*fn"),
}  # fmt: skip
# Classes that are made of a module's: calls of their objects map the module, or run it again for its derivative.
_MAPPING = frozenset({"flax.linen.vmap", "flax.linen.scan"})
_LIFTING = _MAPPING | {"flax.linen.remat", "flax.linen.checkpoint", "flax.linen.jit"}
LIFTED = "lifted class"
_LAYERS = _GIVING_ARRAYS | _SEQUENCES.keys() | _HANDING_ON
_OF_LINEN_ALONE = frozenset({"flax.linen.Dropout"})  # whose options `models.linen` keeps
# Functions that return one array.
_FUNCTIONS = {
    "flax.linen": "avg_pool max_pool min_pool dot_product_attention make_attention_mask make_causal_mask",
    "flax.nnx": "avg_pool max_pool min_pool dot_product_attention make_attention_mask make_causal_mask",
    "haiku": "avg_pool max_pool",
}
FUNCTIONS_GIVING_ARRAYS = frozenset(
    f"{module}.{name}" for module, names in _FUNCTIONS.items() for name in names.split()
)
# Options that a layer asks in Python `if`s when it is called, with their positions.
_ASKED = {"flax.linen.Dropout": (0, "rate"), "flax.nnx.Dropout": (0, "rate")}
# Families of classes whose `__init__`, or whose declared fields, say which layers a module has.
WITH_INIT = frozenset({"nnx", "equinox", "haiku"})
_MAX_DEPTH = 3  # of modules that are declared in one another
# What Flax re-exports of `jax.nn`: functions, and no layers.
ACTIVATIONS = {
    f"{package}.{name}": f"jax.nn.{name}"
    for package in ("flax.linen", "flax.nnx")
    for name in (
        "celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax logsumexp one_hot"
        " relu relu6 selu sigmoid silu soft_sign softmax softplus standardize swish tanh"
    ).split()
}


class Layers:
    """Component of the interpreter: making, calling and applying layers."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.i = interpreter
        # What computed an array: a layer with one feature ("column"), a softmax or sigmoid ("probabilities"), a list of "strings",
        # a choice of indices with -1 for none ("sentinel").
        self.provenance: dict[v.Ident | None, str] = interpreter.per_module({})

    def made(self, name: str, call: Call) -> v.Value | None:
        """A layer of a library, where ``name`` is one that gives an array."""
        if name in FUNCTIONS_GIVING_ARRAYS:
            return self.call(call)
        if name == "flax.nnx.List" and len(call.args) == 1 and self.i.is_list(call.args[0]):
            # It is a pytree, and may grow: which items it has is not known later.
            return v.Iterator(self.i.element_of(call.node, call.args[0]), form="pytree")
        if name == "flax.linen.vmap" and call.args:
            self.i.linen.mapped(call)
        if name in _LIFTING and call.args and type(call.args[0]) is v.ClassValue:
            if name not in _MAPPING:
                return call.args[0]  # it gives what the module gives
            return v.OpaqueInstance(LIFTED, (v.Const(name),), v.fresh())
        if name in _ASKED and (value := call.get(*_ASKED[name])) is not None:
            node = call.node_of(*_ASKED[name]) or call.node
            self.i.api.concrete(TracedStaticParameter(), name, _ASKED[name][1], value, node, call)
        if name not in _LAYERS or name in _OF_LINEN_ALONE:
            return self.i.linen.made(name, call) or self.i.nnx.made(name, call)
        kept = self.kept(name, call)
        self.i.call_unknown(v.Api(name), call)
        made = v.OpaqueInstance("layer", (*self.i.linen.options(name, call), *kept), v.fresh())
        if name.startswith("flax.linen.") and made.ident is not None:
            self.i.linen_scope.made(name, made.ident, call)
        return self.i.nnx.note(made, name, call)

    def gives_array(self, name: str) -> bool:
        return name in _GIVING_ARRAYS

    def kept(self, name: str, call: Call) -> list[v.Value]:
        """What is kept of how a layer is made: its sizes, or the layers of a sequence."""
        if name in _SEQUENCES:
            return [self.sequence(name, call)]
        asked = SIZED.get(name) or ((_EMBEDDING[name],) if name in _EMBEDDING else ())
        found: list[v.Value] = []
        for position, parameter in asked:
            value = call.get(position, parameter) if parameter else None
            if parameter == "output_sizes" and value is not None:
                value = (self.i.items_of(value) or (v.UNKNOWN,))[-1]
            found.append(value if value is not None and type(value) is v.Const else v.UNKNOWN)
        return found

    def call(self, call: Call, layer: v.OpaqueInstance | None = None) -> v.Value:
        if layer is not None:
            self.i.linen.called(layer, call)
            self.i.nnx.called(layer, call)
            name = str(layer.args[0].value) if layer.args and type(layer.args[0]) is v.Const else ""
            if name in _HANDING_ON:
                return self.handed_on(call)
            if layer.name == "linen module":
                return self.i.call_unknown(layer, call)
            if name in _SEQUENCES:
                return self.in_turn(layer, call)
            if name in _MAPPING:
                return self.i.layer_result(call)
        return self.array(call, layer)

    def array(self, call: Call, layer: v.OpaqueInstance | None = None) -> v.Value:
        """What a layer returns that returns one array."""
        for value in call.all():
            self.i.havoc(value)
        mode, origin = self.i.result_mode(call.all())
        shape = self.shape(layer, call) if layer is not None else None
        if mode not in v.TRACED and shape is None:
            return v.Unknown(v.fresh())
        # A layer whose own parameters are traced gives a tracer for what is concrete.
        made = v.Array(mode if mode in v.TRACED else v.MAYBE, v.Aval(None, shape, None), origin, v.fresh())
        if shape and shape[-1] == 1:
            self.provenance[made.ident] = "column"
        return made

    def sequence(self, name: str, call: Call) -> v.Value:
        """The layers of a sequence that is made: a tuple, or unknown."""
        position, parameter = _SEQUENCES[name]
        if position is None:
            return v.UNKNOWN if call.star or not call.args else v.Tuple(tuple(call.args))
        layers = call.get(position, parameter)
        items = self.i.items_of(layers) if layers is not None else None
        return v.Tuple(tuple(items)) if items else v.UNKNOWN

    def in_turn(self, layer: v.OpaqueInstance, call: Call) -> v.Value:
        """Call the layers of a sequence: the first is given all arguments, each of the others what the one before returned."""
        layers = layer.args[-1]
        items = layers.items if type(layers) is v.Tuple else None
        if not items or call.star or call.double_star:
            return self.i.layer_result(call)
        name = getattr(layer.args[0], "value", None)
        keys = {"key": call.keywords["key"]} if name == "equinox.nn.Sequential" and "key" in call.keywords else {}
        value = self.i.call(items[0], call if name != _LAMBDA else self.i.simple_call(call.node, list(call.args)))
        for item in items[1:]:
            if type(value) is not v.Array:
                return self.i.layer_result(call)  # a tuple, say, is spread over the next one's parameters
            inner = self.i.simple_call(call.node, [value])
            inner.keywords.update(keys)
            value = self.i.call(item, inner)
        return value

    def shape(self, layer: v.OpaqueInstance, call: Call) -> v.Shape | None:
        """The shape of what a layer gives, as far as it is known; a shape that it cannot take is recorded."""
        name = str(layer.args[0].value) if layer.args and type(layer.args[0]) is v.Const else ""
        given = self.i.aval_of(call.args[0]).shape if call.args and type(call.args[0]) in (v.Array, v.Host) else None
        if given is None:
            return None
        if name.rpartition(".")[2] in _KEEPING:
            return given
        if name in _EMBEDDING:
            features = layer.args[-1]
            known = type(features) is v.Const and isinstance(features.value, int)
            return (*given, features.value) if known else None  # type: ignore[attr-defined]
        if name not in SIZED or len(layer.args) < 3:
            return None
        takes, gives = (each.value if type(each) is v.Const else None for each in layer.args[1:3])
        if isinstance(takes, str) or isinstance(gives, str) or not given:  # "scalar"
            return None
        one = name.startswith("equinox.")
        met = given[-2] if one and len(given) > 1 else given[-1]
        if isinstance(takes, int) and isinstance(met, int) and met != takes:
            expected = (takes,) if one else (*given[:-1], takes)
            self.i.events.layer_misfits(call, expected, given, name)
            return None
        if one:
            return (gives,) if len(given) == 1 else None
        return (*given[:-1], gives)

    def handed_on(self, call: Call) -> v.Value:
        """The result of a layer that returns its argument, or an array like it."""
        self.i.keys.given_to_unknown(call)
        for value in call.all():
            self.i.havoc(value)
        given = call.get(0, "x") or call.get(0, "inputs")
        if given is None or given.cls is None:
            return v.Unknown(v.fresh())
        if type(given) is v.Undecided:
            return given.renewed(v.fresh())
        mode, origin = self.i.result_mode([given])
        return v.Array(mode, self.i.aval_of(given), origin)

    # --- modules of the project ---------------------------------------------------------------

    def fields(self, cls: v.ClassValue, depth: int = 0) -> dict[str, v.Value]:
        """The fields of a module that hold layers or other modules, whatever it is made with."""
        init = cls.lookup("__init__")
        if type(init) is v.FunctionValue:
            return self.set_by(init, cls)
        if init is not None or cls.family != "equinox" or depth == _MAX_DEPTH:
            return {}
        declared = {
            name: self.declared(annotation, cls, depth) for name, annotation in self.i.annotations.declared(cls).items()
        }
        return {name: value for name, value in declared.items() if value is not None}

    def declared(self, annotation: ir.Expression | None, cls: v.ClassValue, depth: int) -> v.Value | None:
        """The module of a field with this annotation; None for any other field."""
        named = self.i.annotations.named(annotation, cls.frame)
        if type(named) is v.Api and named.name in _LAYERS:
            return v.OpaqueInstance("layer", (v.Const(named.name),), v.fresh())
        if type(named) is v.ClassValue and named.family == "equinox":
            return self.i.new_object(Instance(named, self.fields(named, depth + 1)))
        return None

    def set_by(self, init: v.FunctionValue, cls: v.ClassValue) -> dict[str, v.Value]:
        """The layers and modules that `__init__` sets, run in silence with arguments of which nothing is known."""
        before = self.i.state
        assert before is not None
        state = before.fork()
        self.i.resume(state)
        module = v.Ref(state.allocate(Instance(cls, {})))
        parameters = init.function.parameters
        arguments = {parameter.name: self.i.anything(parameter) for parameter in parameters[1:]}
        around, given = self.i.framework(cls).initial_context(self.i.context), {parameters[0].name: module, **arguments}
        site, name = init.function.site, init.function.qualname
        with self.i.muted():
            self.i.equinox.prepared(module, lambda: self.i.run(init, given, around, site, name, v.fresh()[0]))
        contents = self.i.contents(module) if self.i.state is not None else None
        if type(contents) is not Instance:
            self.i.resume(before)
            return {}
        return {name: value for name, value in contents.fields.items() if self.is_module(value)}

    def is_held(self, base: v.Value, attr: str) -> bool:
        """Whether ``attr`` of a module is what a field holds, and no method: a call of it leaves the module as it is."""
        contents = self.i.contents(base)
        if type(contents) is not Instance or contents.cls.family not in WITH_INIT:
            return False
        return contents.cls.lookup(attr) is None

    def is_module(self, value: v.Value, depth: int = 0) -> bool:
        """Whether a value is a layer or a module, or a container of nothing else."""
        if type(value) is v.OpaqueInstance:
            return value.name in ("layer", "dropout", "haiku layer")
        if type(value) is v.Unknown and value.options:  # one of several, or None
            return not value.open and all(type(option) is v.OpaqueInstance for option in value.options)
        contents = self.i.contents(value)
        if type(contents) is Instance:
            return contents.cls.family in WITH_INIT
        if type(contents) is ListObject and depth < _MAX_DEPTH:
            items = contents.items if contents.items is not None else (contents.element,)
        elif type(contents) is DictObject and depth < _MAX_DEPTH:
            items = tuple(values_in(contents))
        elif isinstance(value, (v.Tuple, v.Iterator)) and depth < _MAX_DEPTH:
            items = value.items if value.items is not None else (value.element,)
        else:
            return False
        return bool(items) and all(self.is_module(item, depth + 1) for item in items)
