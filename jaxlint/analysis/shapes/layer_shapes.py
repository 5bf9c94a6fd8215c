"""Shapes of what layers of Flax, Equinox and Haiku take and give."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlint.analysis.domain import values as v

# What a layer takes where it is given something else, and what it gives.
Outcome = tuple[v.Shape | None, v.Shape | None]
# The options of a layer: None where one is not passed, an ellipsis where it is not known.
Options = Sequence[object]
Law = Callable[[Options, v.Shape], Outcome]
_NOTHING: Outcome = (None, None)


def option(value: v.Value) -> object:
    """An option as it is kept."""
    if type(value) is v.Const:
        return value.value
    if type(value) is v.Tuple and value.items is not None:
        items = tuple(map(option, value.items))
        return items if ... not in items else ...
    return ...


def _int(value: object) -> int | None:
    return value if type(value) is int else None


def _other_features(takes: object, met: object) -> bool:
    return type(takes) is int and type(met) is int and takes != met


def _linear(options: Options, given: v.Shape) -> Outcome:
    """Features come last; any number of axes before them."""
    takes, gives = options
    if not given:
        return _NOTHING
    if _other_features(takes, given[-1]):
        return (*given[:-1], _int(takes)), None
    return None, (*given[:-1], _int(gives))


def _dense(options: Options, given: v.Shape) -> Outcome:
    return _linear((None, *options), given)


def _perceptron(options: Options, given: v.Shape) -> Outcome:
    """Layers of these sizes, one after the other."""
    sizes = options[0]
    return _linear((None, sizes[-1] if type(sizes) is tuple and sizes else ...), given)


def _of_one(options: Options, given: v.Shape) -> Outcome:
    """One example with its features."""
    takes, gives = options
    if isinstance(takes, str) or isinstance(gives, str) or not given:  # "scalar"
        return _NOTHING
    if _other_features(takes, given[-2] if len(given) > 1 else given[-1]):
        return (_int(takes),), None
    return None, (_int(gives),) if len(given) == 1 else None


def _keeping(options: Options, given: v.Shape) -> Outcome:
    return None, given


def _embed(options: Options, given: v.Shape) -> Outcome:
    return None, (*given, _int(options[0]))


def _embedding(options: Options, given: v.Shape) -> Outcome:
    return ((), None) if given else (None, (_int(options[0]),))


def _each(value: object, axes: int) -> v.Shape:
    """An option that is one number for all axes, or has one for each."""
    if type(value) is int:
        return (value,) * axes
    return value if type(value) is tuple and len(value) == axes else (None,) * axes


def _slid(size: object, kernel: object, stride: object, padding: object) -> int | None:
    """How many places a window has that slides along an axis."""
    if type(size) is not int or type(stride) is not int or stride < 1:
        return None
    if padding == "SAME":
        return -(-size // stride)
    before, after = padding if type(padding) is tuple and len(padding) == 2 else (padding, padding)
    if type(kernel) is not int or type(before) is not int or type(after) is not int:
        return None
    return max(0, (size + before + after - kernel) // stride + 1)


def _windows(sizes: v.Shape, kernel: object, stride: object, padding: object) -> v.Shape:
    axes = len(sizes)
    padding = 0 if padding == "VALID" else padding
    paddings = (padding,) * axes if isinstance(padding, (int, str)) else _each(padding, axes)
    return tuple(map(_slid, sizes, _each(kernel, axes), _each(stride, axes), paddings))


def _conv(options: Options, given: v.Shape) -> Outcome:
    """Channels come last; any number of axes before those of the kernel."""
    takes, gives, kernel, stride, padding, *dilations = options
    kernel = (kernel,) if type(kernel) is int else kernel
    if type(kernel) is not tuple or len(given) <= len(kernel):
        return _NOTHING
    if _other_features(takes, given[-1]):
        return (*given[:-1], _int(takes)), None
    axes, sizes = given[: -len(kernel) - 1], given[-len(kernel) - 1 : -1]
    stride, padding = (1 if stride is None else stride), ("SAME" if padding is None else padding)
    plain = all(each in (None, 1) for each in dilations)
    places = _windows(sizes, kernel, stride, padding) if plain else (None,) * len(sizes)
    return None, (*axes, *places, _int(gives))


def _conv_of_linen(options: Options, given: v.Shape) -> Outcome:
    return _conv((None, *options), given)


def _channels_first(axes: int) -> Law:
    """A convolution of Equinox: one example, its channels before so many axes."""

    def law(options: Options, given: v.Shape) -> Outcome:
        takes, gives, kernel, stride, padding, *dilations = options
        if len(given) != axes + 1 or _other_features(takes, given[0]):
            return (_int(takes), *(None,) * axes), None
        stride, padding = (1 if stride is None else stride), (0 if padding is None else padding)
        if not all(each in (None, 1) for each in dilations) or isinstance(padding, str):
            return None, (_int(gives), *(None,) * axes)
        return None, (_int(gives), *_windows(given[1:], kernel, stride, padding))

    return law


def _pool_first(axes: int) -> Law:
    def law(options: Options, given: v.Shape) -> Outcome:
        kernel, stride, padding, ceiling = options
        if len(given) != axes + 1 or ceiling not in (None, False):
            return _NOTHING
        stride, padding = (1 if stride is None else stride), (0 if padding is None else padding)
        return None, (given[0], *_windows(given[1:], kernel, stride, padding))

    return law


def pooled(options: Options, given: v.Shape) -> v.Shape | None:
    """`max_pool` and `avg_pool` of Flax: channels come last."""
    window, strides, padding = options
    if type(window) is not tuple or len(given) <= len(window):
        return None
    places = given[-len(window) - 1 : -1]
    strides, padding = (1 if strides is None else strides), ("VALID" if padding is None else padding)
    return (*given[: -len(window) - 1], *_windows(places, window, strides, padding), given[-1])


_NORMS = frozenset({"BatchNorm", "LayerNorm", "RMSNorm", "GroupNorm", "InstanceNorm"})
_CONV_OF_EQUINOX = (
    (0, "in_channels"), (1, "out_channels"), (2, "kernel_size"), (3, "stride"), (4, "padding"), (5, "dilation"),
)  # fmt: skip
_POOL_OF_EQUINOX = ((0, "kernel_size"), (1, "stride"), (2, "padding"), (3, "use_ceil"))
POOL = ((1, "window_shape"), (2, "strides"), (3, "padding"))
# Layer -> the options that count, by position and name, and the law.
LAYERS: dict[str, tuple[tuple[tuple[int | None, str], ...], Law]] = {
    "flax.linen.Dense": (((0, "features"),), _dense),
    "flax.nnx.Linear": (((0, "in_features"), (1, "out_features")), _linear),
    "equinox.nn.Linear": (((0, "in_features"), (1, "out_features")), _of_one),
    "equinox.nn.MLP": (((0, "in_size"), (1, "out_size")), _of_one),
    "flax.linen.Conv": (
        (
            (0, "features"), (1, "kernel_size"), (2, "strides"), (3, "padding"), (4, "input_dilation"),
            (5, "kernel_dilation"),
        ),
        _conv_of_linen,
    ),
    "flax.nnx.Conv": (
        (
            (0, "in_features"), (1, "out_features"), (2, "kernel_size"), (3, "strides"), (None, "padding"),
            (None, "input_dilation"), (None, "kernel_dilation"),
        ),
        _conv,
    ),
    "haiku.Linear": (((0, "output_size"),), _dense),
    "haiku.nets.MLP": (((0, "output_sizes"),), _perceptron),
    "haiku.Embed": (((1, "embed_dim"),), _embed),
    "flax.linen.Embed": (((1, "features"), (2, "dtype"), (3, "param_dtype")), _embed),
    "flax.nnx.Embed": (((1, "features"), (None, "dtype"), (None, "param_dtype")), _embed),
    "equinox.nn.Embedding": (((1, "embedding_size"),), _embedding),
    **{f"equinox.nn.Conv{n}d": (_CONV_OF_EQUINOX, _channels_first(n)) for n in (1, 2, 3)},
    **{f"equinox.nn.{kind}Pool{n}d": (_POOL_OF_EQUINOX, _pool_first(n)) for n in (1, 2, 3) for kind in ("Max", "Avg")},
    **{f"{package}.{name}": ((), _keeping) for package in ("flax.linen", "flax.nnx", "equinox.nn", "haiku") for name in _NORMS},
    "equinox.nn.BatchNorm": (((1, "axis_name"), (5, "inference")), _keeping),
}  # fmt: skip
