"""What layers return in a module that nothing visible calls: reports are compared with a compiled step under real JAX."""

import textwrap

import pytest

from jaxlint.api import check

jax = pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")
import haiku as hk
import jax.numpy as jnp

LINEN = "import flax.linen as nn\nimport jax\n\n\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n"
SETUP = (
    "import flax.linen as nn\nimport jax\n\n\nclass Net(nn.Module):\n    wide: bool = len(jax.devices()) > 0\n\n    def setup(self):\n"
    "        if self.wide:\n            self.layer = nn.Dense(3)\n\n    def __call__(self, x):\n"
)
HAIKU = "import haiku as hk\nimport jax\n\n\nclass Net(hk.Module):\n    def __call__(self, x):\n"
NNX = "import jax\nimport jax.numpy as jnp\nfrom flax import nnx\n\n\nclass Net(nnx.Module):\n    def __init__(self, rngs):\n"
EQUINOX = "import equinox as eqx\nimport jax\nfrom collections.abc import Callable\n\n\n"
# The last line of each body branches on `h`: the layer's result.
BRANCH = "if h.sum() > 0:\n    h = -h\nreturn h\n"

INLINE = {
    "linen: dropout": (LINEN, "h = nn.Dropout(0.5)(nn.Dense(3)(x), deterministic=True)\n"),
    "linen: dropout of the argument": (LINEN, "h = nn.Dropout(0.5, deterministic=True)(x * 2)\n"),
    "linen: max_pool": (LINEN, "h = nn.max_pool(nn.Dense(3)(x), (1,), strides=(1,))\n"),
    "linen: attention": (LINEN, "h = nn.dot_product_attention(x[None], x[None], x[None])\n"),
    "linen: causal mask": (LINEN, "h = nn.make_causal_mask(x)\n"),
    "linen: a layer that setup makes on one path": (SETUP, "h = self.layer(x)\n"),
    "linen: Sequential": (LINEN, "h = nn.Sequential([nn.Dense(3), nn.relu])(x) + 1\n"),
    "haiku: max_pool": (HAIKU, "h = hk.max_pool(hk.Linear(3)(x), (1, 1), (1, 1), 'SAME')\n"),
}
NNX_FIELDS = {
    "nnx: a layer": ("self.layer = nnx.Linear(3, 3, rngs=rngs)", "h = self.layer(x)\n"),
    "nnx: dropout": ("self.layer = nnx.Dropout(0.5, deterministic=True, rngs=rngs)", "h = self.layer(x * 2)\n"),
    "nnx: Sequential": (
        "self.layer = nnx.Sequential(nnx.Linear(3, 3, rngs=rngs), nnx.relu)",
        "h = self.layer(x) + 1\n",
    ),
    "nnx: a layer behind a function that is not known": (
        "self.act = {'relu': jax.nn.relu}[str(jax.nn.relu.__name__)]\nself.layer = nnx.Linear(3, 3, rngs=rngs)",
        "h = self.layer(self.act(x))\nh = self.layer(h)\n",
    ),
    "nnx: layers in a list": (
        "self.layers = nnx.List([nnx.Linear(3, 3, rngs=rngs) for _ in range(2)])",
        "h = x * 1\nfor layer in self.layers:\n    h = layer(h)\n",
    ),
    "nnx: a layer of one branch": (
        "self.kind = jax.__version__\nif self.kind:\n    self.layer = nnx.Linear(3, 3, rngs=rngs)\n"
        "else:\n    self.other = nnx.Linear(3, 3, rngs=rngs)",
        "h = self.layer(x)\n",
    ),
}
EQUINOX_FIELDS = {
    "equinox: a declared layer": ("layer: eqx.nn.Linear", "h = self.layer(x[0])\n", "eqx.nn.Linear(3, 3, key=key)"),
    "equinox: declared by a string": (
        'layer: "eqx.nn.MLP"',
        "h = self.layer(x[0])\n",
        "eqx.nn.MLP(3, 3, 4, 1, key=key)",
    ),
    "equinox: dropout": ("layer: eqx.nn.Dropout", "h = self.layer(x * 2)\n", "eqx.nn.Dropout(0.5, inference=True)"),
    "equinox: a module in a module": (
        "layer: Inner",
        "h = self.layer.linear(x[0])\n",
        "Inner(eqx.nn.Linear(3, 3, key=key))",
    ),
}


def indented(text, depth):
    return textwrap.indent(text, " " * depth)


def programs():
    for name, (head, body) in INLINE.items():
        yield name, head + indented(body + BRANCH, 8)
    for name, (made, body) in NNX_FIELDS.items():
        yield name, NNX + indented(made, 8) + "\n\n    def __call__(self, x):\n" + indented(body + BRANCH, 8)
    for name, (field, body, _) in EQUINOX_FIELDS.items():
        inner = "class Inner(eqx.Module):\n    linear: eqx.nn.Linear\n\n\n"
        yield (
            name,
            EQUINOX
            + inner
            + f"class Net(eqx.Module):\n    {field}\n\n    def __call__(self, x):\n"
            + indented(body + BRANCH, 8),
        )


def run_compiled(name, code, x):
    """Run the module as a compiled step does."""
    names = {}
    exec(compile(code, "net.py", "exec"), names)
    key = jax.random.key(0)
    framework = name.partition(":")[0]
    if framework == "linen":
        net = names["Net"]()
        # The parameters are made without `jit`, where the branch has a value.
        variables = net.init({"params": key, "dropout": key}, x)
        jax.jit(net.apply)(variables, x)
    elif framework == "haiku":
        net = hk.transform(lambda given: names["Net"]()(given))
        jax.jit(net.apply)(net.init(key, x), None, x)
    elif framework == "nnx":
        from flax import nnx

        nnx.jit(lambda module, given: module(given))(names["Net"](nnx.Rngs(0)), x)
    else:
        import equinox as eqx

        layer = eval(EQUINOX_FIELDS[name][2], {**names, "key": key})
        eqx.filter_jit(names["Net"](layer))(x)


@pytest.mark.parametrize(("name", "code"), list(programs()), ids=lambda value: value if ":" in value[:9] else "")
def test_a_branch_on_what_a_layer_returns_is_reported(name, code):
    with pytest.raises(jax.errors.TracerBoolConversionError):
        run_compiled(name, code, jnp.ones((2, 3)))
    found = check(code)
    branch = next(row for row, line in enumerate(code.splitlines(), 1) if "if h.sum()" in line)
    assert [(diagnostic.code, diagnostic.start.row) for diagnostic in found] == [("JAX103", branch)]


SILENT = {
    # The layer is not known: another class of the project may be passed for it.
    "equinox: any callable": EQUINOX
    + "class Net(eqx.Module):\n    layer: Callable\n\n    def __call__(self, x):\n"
    + indented("h = self.layer(x)\n" + BRANCH, 8),
    # What `__init__` is given, and numbers, are not taken for layers.
    "nnx: a flag and an argument": NNX
    + "        self.flag = True\n        self.layer = rngs\n\n    def __call__(self, x):\n"
    + indented("h = self.layer(x)\nif self.flag:\n    return h\n" + BRANCH, 8),
    # On the other path it may have been set by what is not known.
    "nnx: a layer of one branch or of what is not known": NNX
    + "        self.kind = rngs\n        if rngs:\n            self.layer = nnx.Linear(3, 3, rngs=rngs)\n        else:\n"
    + "            rngs(self)\n\n    def __call__(self, x):\n"
    + indented("h = self.layer(x)\n" + BRANCH, 8),
    # A constructor that always raises gives no module.
    "nnx: an abstract class": NNX
    + "        raise NotImplementedError\n\n    def __call__(self, x):\n"
    + indented("h = self.layer(x)\n" + BRANCH, 8),
    # Dropout hands its argument on, which is known here.
    "linen: a layer that setup makes, or what is not known": SETUP.replace(
        "jax\n", "jax\nfrom project import given\n", 1
    ).replace("Dense(3)\n", "Dense(3)\n        else:\n            given(self)\n")
    + indented("h = self.layer(x)\n" + BRANCH, 8),
    "linen: dropout of a constant": LINEN
    + indented("h = nn.Dropout(0.5, deterministic=True)(3.0)\nif h > 0:\n    return x\nreturn h\n", 8),
}


@pytest.mark.parametrize("code", SILENT.values(), ids=list(SILENT))
def test_what_is_not_known_of_a_layer_is_silent(code):
    assert check(code) == []
