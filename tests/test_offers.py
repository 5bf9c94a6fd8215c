"""What rules offer for a small program: the text that the fix gives and how sure it is, or no fix at all."""

from typing import NamedTuple

import pytest

from jaxlint.configuration.config import Config
from jaxlint.fixing.apply import apply_edits
from jaxlint.hazards.registry import all_rules
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Applicability
from jaxlint.source.text import Source

UNSAFE, DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY
LEVELS = {"none": [], "display": [DISPLAY], "unsafe": [DISPLAY, UNSAFE], "safe": list(Applicability)}
PROMISED = {rule.code: LEVELS[rule.fixable] for rule in all_rules()}


class Offer(NamedTuple):
    """The only finding of a rule in a program, and the parts of the text that its fix replaces."""

    code: str
    program: str
    changes: dict[str, str] | None  # None: there is no fix
    level: Applicability = UNSAFE


TRACED_MATH = "import math\n\nimport jax\n\n\n@jax.jit\ndef f(x):\n    return math.{}(x)\n"
TRACED_NUMPY = "import jax\nimport numpy as np\n\n\n@jax.jit\ndef f(x):\n    return np.{}([[x, 1.0], [2.0, x]])\n"
FETCHED = """\
import jax.numpy as jnp
import numpy as np
from jax import jit


@jit
def step(x):
    return jnp.sum(x * 2)


def train(x):
    total = 0.0
    for _ in range(100):
        x = step(x)
        total += {}(x)
    return total
"""

GUARDED = (
    "import jax\nimport jax.numpy as jnp\n\n\n@jax.grad\ndef f(x):\n    y = jnp.sqrt(x)\n    return {}\n\n\nf(0.0)\n"
)

SEEDED = """\
import flax.linen as nn
import jax

KEY = jax.random.key(0)


class Noisy(nn.Module):
    def __call__(self, x):
        return jax.random.normal(self.make_rng("noise"), x.shape) + x


def noisy(x, rngs):
    return Noisy().apply({{}}, x, rngs={})
"""
BRANCHES = """\
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    if x[0] > 0:
        y = jnp.zeros(({}, 2))
        z = 2
    else:
        y = jnp.ones(({}, 2))
        z = 3
    return y, z
"""
CARRIED = """\
import jax.numpy as jnp
from jax import lax


def f(xs):
    def body(c, x):
        return {1}, None

    return lax.scan(body, {0}, xs)
"""
DONATED = """\
import jax

f = jax.jit(lambda x: 2 * x, donate_argnums=0)


def g(x):
    def inner():
        return x

    y = f(x)
    return {}, y
"""
TWICE = """\
import jax


class Noise:
    def draw(self):
        return (jax.random.normal(self.{0}) + jax.random.normal(self.{0}))
"""
HASHED = """\
from dataclasses import dataclass
from functools import partial

import jax


@dataclass
class Config:
    rate: float = 0.1
{}

@partial(jax.jit, static_argnames="config")
def update(x, config):
    return x - config.rate * x


def train(x):
    return update(x, Config())
"""

OFFERS = {
    "an operand that the choice alone reads": Offer(
        "JAX506",
        GUARDED.format("jnp.where(x > 0, y, 0.0)"),
        {"jnp.sqrt(x)": "jnp.sqrt(jnp.where(x > 0, x, 1))"},
    ),
    "an operand that something else reads": Offer("JAX506", GUARDED.format("jnp.where(x > 0, y, 0.0) + y"), None),
    # one of several conditions under which nothing is offered, or one part of what is written
    "an attribute of an Equinox module is bound by a loop": Offer(
        "JAX621",
        "import equinox as eqx\nimport jax\n\n\nclass Scale(eqx.Module):\n    weight: jax.Array\n\n\n"
        "model = Scale(jax.numpy.ones(3))\nfor model.weight in (1.0, 2.0):\n    pass\n",
        None,
    ),
    "keys of a Flax module by a call of dict": Offer("JAX613", SEEDED.format("dict(dropout=KEY)"), None),
    "no keys of a Flax module": Offer("JAX613", SEEDED.format("{}"), None),
    "keys of a Flax module": Offer(
        "JAX613",
        SEEDED.format('{"dropout": KEY}'),
        {'{"dropout": KEY}': '{"dropout": KEY, "noise": jax.random.key(1)}'},
        DISPLAY,
    ),
    "NumPy is given a list of tracers": Offer(
        "JAX301",
        "import jax\nimport numpy as np\n\n\n@jax.jit\ndef f(x):\n    return np.sum([x, 1.0])\n",
        {"np.sum([x, 1.0])": "jax.numpy.sum(jax.numpy.array([x, 1.0]))"},
    ),
    "a dataclass with a method": Offer(
        "JAX502",
        HASHED.format("\n    def scaled(self, x):\n        return self.rate * x\n"),
        {"@dataclass\n": "@dataclass(frozen=True)\n"},
    ),
    "a dataclass of which a field is set": Offer(
        "JAX502", HASHED.format("\n    def faster(self):\n        self.rate = 1.0\n"), None
    ),
    "a key is made in a comprehension of traced code": Offer(
        "JAX405",
        "import jax\nfrom jax import random\n\n\n@jax.jit\ndef f(x):\n"
        "    return [x + random.normal(random.key(0)) for _ in range(3)]\n",
        {"random.key(0)) for _ in range(3)": "subkey) for subkey in random.split(random.key(0), 3)"},
    ),
    "traced code in a lambda stores outside": Offer(
        "JAX305", "import jax\n\nseen = []\nf = jax.jit(lambda x: seen.append(x))\nf(1.0)\n", None
    ),
    "a word of the template names a parameter of debug.print": Offer(
        "JAX303",
        'import jax\n\n\n@jax.jit\ndef f(x):\n    skip_format_check = x + 1\n    print(f"{skip_format_check}")\n    return x\n',
        {'print(f"{skip_format_check}")': 'jax.debug.print("{}", skip_format_check)'},
    ),
    "quotation marks in a printed text": Offer(
        "JAX303",
        "import jax\n\n\n@jax.jit\ndef f(x):\n    print('\"x\" is ' + str(x))\n    return x\n",
        {"print('\"x\" is ' + str(x))": "jax.debug.print('\"x\" is {x}', x=x)"},
    ),
    # concretization
    "what is printed later changes in between": Offer(
        "JAX110",
        'import jax\n\n\n@jax.jit\ndef f(x):\n    text = f"{x:.2f}"\n    x = x + 1\n    print(text)\n    return x\n',
        None,
    ),
    "branches give tuples": Offer(
        "JAX103",
        """\
import jax


@jax.jit
def f(x):
    if x > 0:
        return x, 2 * x
    else:
        return 2 * x, x
""",
        {
            """\
    if x > 0:
        return x, 2 * x
    else:
        return 2 * x, x
""": "    return jax.lax.cond(x > 0, lambda: (x, 2 * x), lambda: (2 * x, x))\n"
        },
    ),
    "a string is passed by keyword": Offer(
        "JAX111",
        """\
import jax


def reduced(x, kind):
    return x.sum() if kind == "sum" else x.mean()


def f(x):
    return jax.checkpoint(reduced)(x, kind="sum")
""",
        {
            "import jax\n": "import functools\n\nimport jax\n",
            'reduced)(x, kind="sum")': 'functools.partial(reduced, kind="sum"))(x)',
        },
    ),
    "a range has a step": Offer(
        "JAX107",
        """\
import jax


@jax.jit
def f(x, n):
    y = x * 2
    for i in range(0, n, 2):
        y = y + i * x
    return y


f(1.0, 4)
""",
        {
            "import jax\n": "import functools\n\nimport jax\n",
            "@jax.jit": '@functools.partial(jax.jit, static_argnames=("n",))',
        },
    ),
    **{
        f"a call leaves {what} to its default": Offer(
            "JAX201",
            f"import functools\n\nimport jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x, {parameter}):\n"
            "    return x + jnp.ones(n)\n\n\nf(1.0)\nf(1.0, n=4)\n",
            {"@jax.jit": '@functools.partial(jax.jit, static_argnames=("n",))'},
        )
        for what, parameter in (("a parameter", "n=3"), ("a parameter that is passed by keyword", "*, n=3"))
    },
    "arctangent": Offer("JAX102", TRACED_MATH.format("atan"), {"math.atan": "jax.numpy.arctan"}),
    "hyperbolic arctangent": Offer("JAX102", TRACED_MATH.format("atanh"), {"math.atanh": "jax.numpy.arctanh"}),
    "the variable of an inner loop is read after the loop": Offer(
        "JAX104",
        """\
import jax


@jax.jit
def f(x):
    j = 5
    while x < 10:
        for j in range(3):
            x = x + j
    return x * j
""",
        {
            """\
    j = 5
    while x < 10:
        for j in range(3):
            x = x + j
""": """\
    j = 5

    def condition(carry):
        j, x = carry
        return x < 10

    def body(carry):
        j, x = carry
        for j in range(3):
            x = x + j
        return j, x

    j, x = jax.lax.while_loop(condition, body, (j, x))
"""
        },
    ),
    "the variable of a loop in one branch is read after both": Offer(
        "JAX103",
        """\
import jax


@jax.jit
def f(x, y):
    i = 7
    if x > 0:
        for i in range(3):
            y = y + i
    else:
        y = -y
    return y * i
""",
        None,
    ),
    "a list of which the elements are not written out": Offer(
        "JAX109",
        """\
import jax


@jax.jit
def f(x, i):
    weights = [n / 2 for n in range(3)]
    return x * weights[i]


f(1.0, 2)
""",
        {"weights[i]": "jax.numpy.asarray(weights)[i]"},
    ),
    "a range that is mapped over": Offer(
        "JAX111",
        "import jax\n\nRESULT = jax.lax.map(lambda i: i * 2, range(3))\n",
        {"range(3)": "jax.numpy.arange(3)"},
    ),
    "a range that has a name": Offer(
        "JAX111", "import jax\n\nnumbers = range(3)\nRESULT = jax.lax.map(lambda i: i * 2, numbers)\n", None
    ),
    "a set is returned beside text": Offer(
        "JAX114", 'import jax\n\n\n@jax.jit\ndef f(x):\n    return {"x": x, "kinds": {1, 2}, "name": "f"}\n', None
    ),
    "a function is returned before text": Offer(
        "JAX114", 'import jax\n\n\n@jax.jit\ndef f(x):\n    return x, len, "f"\n', None
    ),
    "text is returned": Offer(
        "JAX114", 'import jax\n\n\n@jax.jit\ndef f(x):\n    return x, "f"\n', {'x, "f"': "x, None"}, DISPLAY
    ),
    "the size of a function that is mapped": Offer(
        "JAX201",
        """\
import jax
import jax.numpy as jnp


def padded(x, n):
    return jnp.zeros(n) + x


f = jax.jit(jax.vmap(padded, in_axes=(0, None)))
f(jnp.ones(2), 3)
""",
        {"(0, None))": '(0, None)), static_argnames=("n",)'},
    ),
    # The parameters of the other function have other names.
    "the size of one of two functions that are mapped": Offer(
        "JAX201",
        """\
import jax
import jax.numpy as jnp


def padded(x, n):
    return jnp.zeros(n) + x


def repeated(x, times):
    return jnp.stack([x, x]) * times


def mapped(is_wide):
    return jax.jit(jax.vmap(padded if is_wide else repeated, in_axes=(0, None)))


mapped(True)(jnp.ones(2), 3)
""",
        None,
    ),
    # host
    "an array of nested lists": Offer("JAX301", TRACED_NUMPY.format("array"), {"np.array": "jax.numpy.array"}),
    "nested lists as an array": Offer("JAX301", TRACED_NUMPY.format("asarray"), {"np.asarray": "jax.numpy.asarray"}),
    "a count in a module that is presumed to be compiled": Offer(
        "JAX304",
        """\
import jax
from flax import linen as nn

calls = 0


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        global calls
        calls += 1
        return nn.Dense(3)(x)
""",
        {
            """\
        global calls
        calls += 1
""": """\
        def update():
            global calls
            calls += 1

        jax.debug.callback(update)
"""
        },
        DISPLAY,
    ),
    "a name is stored in two arrays": Offer(
        "JAX308",
        """\
import jax.numpy as jnp


def f(value):
    x = jnp.zeros(3)
    y = jnp.zeros(3)
    x[0] = y[1] = value
    return x, y
""",
        {"x[0] = y[1] = value": "x, y = x.at[0].set(value), y.at[1].set(value)"},
    ),
    "an array in the order of Fortran": Offer(
        "JAX301",
        "import jax\nimport numpy as np\n\n\n@jax.jit\ndef f(x):\n    return np.asfortranarray(x)\n",
        {"np.asfortranarray": "jax.numpy.asarray"},
    ),
    "lists are put into an array": Offer(
        "JAX318",
        """\
import jax.numpy as jnp


def f():
    x = jnp.zeros(4)
    x.put([0, 2], [1.0, 2.0])
    return x
""",
        {"x.put([0, 2], [1.0, 2.0])": "x = jnp.put(x, jnp.array([0, 2]), jnp.array([1.0, 2.0]), inplace=False)"},
    ),
    # keys
    "a comment beside the length of a scan": Offer(
        "JAX404",
        """\
import jax


def noisy(key, x):
    def body(carry, _):
        return carry + jax.random.normal(key), None

    return jax.lax.scan(body, x, None,  # for each step
                        length=5)[0]
""",
        {
            "def body(carry, _):": "def body(carry, key):",
            "None,  # for each step\n                        length=5": "jax.random.split(key, 5)",
        },
        DISPLAY,
    ),
    "an array of known length, computed where it is mapped over": Offer(
        "JAX404",
        """\
import jax
import jax.numpy as jnp


def noisy(key):
    return jax.vmap(lambda x: x + jax.random.normal(key))(jnp.ones(3) * 2)
""",
        {"lambda x": "lambda key, x", "jnp.ones(3)": "jax.random.split(key, 3), jnp.ones(3)"},
    ),
    "an array of unknown length, computed where it is mapped over": Offer(
        "JAX404",
        "import jax\n\n\ndef noisy(key, xs):\n    return jax.vmap(lambda x: x + jax.random.normal(key))(xs + 1)\n",
        None,
    ),
    "an element of split keys is taken twice": Offer(
        "JAX401",
        """\
import jax


def f(key):
    keys = jax.random.split(key, 3)
    return jax.random.normal(keys[1]) + jax.random.uniform(keys[1])
""",
        {"uniform(keys[1])": "uniform(keys[0])"},
    ),
    "the last element of split keys is taken twice": Offer(
        "JAX401",
        """\
import jax


def f(key):
    keys = jax.random.split(key, 3)
    return jax.random.normal(keys[-1]) + jax.random.uniform(keys[-1])
""",
        {"uniform(keys[-1])": "uniform(keys[0])"},
    ),
    "a default key in calls": Offer(
        "JAX414",
        """\
import jax


def init(n, key=jax.random.PRNGKey(0)):
    return jax.random.normal(key, (n,))


init(2)
init(5)
""",
        {
            "key=jax.random.PRNGKey(0)": "key",
            "init(2)": "init(2, jax.random.PRNGKey(0))",
            "init(5)": "init(5, jax.random.PRNGKey(1))",
        },
        DISPLAY,
    ),
    "a default key in a `while` loop": Offer(
        "JAX414",
        """\
import jax


def init(n, key=jax.random.PRNGKey(0)):
    return jax.random.normal(key, (n,))


n, drawn = 0, []
while n < 3:
    drawn.append(init(n))
    n += 1
""",
        None,
    ),
    "a default key behind another default": Offer(
        "JAX414",
        """\
import jax


def init(scale=1.0, key=jax.random.PRNGKey(0)):
    return scale * jax.random.normal(key)


init(2.0)
init(3.0)
init(key=jax.random.PRNGKey(7))
""",
        {
            "key=jax.random.PRNGKey(0)": "*, key",
            "init(2.0)": "init(2.0, key=jax.random.PRNGKey(0))",
            "init(3.0)": "init(3.0, key=jax.random.PRNGKey(1))",
        },
        DISPLAY,
    ),
    "a method is called on an object and on its class": Offer(
        "JAX414",
        """\
import jax


class Net:
    def draw(self, x, key=jax.random.key(0)):
        return x + jax.random.normal(key, x.shape)


def run(x, key):
    def call(owner, first, second):
        return owner.draw(first, second)

    net = Net()
    return call(net, x, key), call(Net, net, x), net.draw(x), net.draw(x)
""",
        None,
    ),
    "a key is used after a split into as many as a variable says": Offer(
        "JAX403",
        """\
import jax


def f(key, n):
    k1, k2 = jax.random.split(key, n)
    return jax.random.normal(k1), jax.random.normal(k2), jax.random.normal(key)
""",
        {
            "    k1, k2 = jax.random.split(key, n)": (
                "    key, subkey = jax.random.split(key)\n    k1, k2 = jax.random.split(subkey, n)"
            )
        },
    ),
    "the key of an object that is no `self` is split": Offer(
        "JAX406",
        """\
import jax


class Noise:
    def draw(self, other):
        jax.random.split(other.key)
        return jax.random.normal(other.key)
""",
        None,
    ),
    "no line can stand above an `elif` that uses a key": Offer(
        "JAX401",
        """\
import jax


def f(key, x):
    if x > 2:
        y = 0
    elif jax.random.normal(key) > 0:
        y = 1
    else:
        y = 2
    return y + jax.random.uniform(key)
""",
        None,
    ),
    # shapes
    "the indices of the first axis": Offer(
        "JAX202",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    return x[jnp.nonzero(x > 0)[0]].sum()\n",
        {"x[jnp.nonzero(x > 0)[0]]": "jnp.where(x > 0, x, 0)"},
    ),
    "the indices of another axis": Offer(
        "JAX202",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x, y):\n    return y[jnp.nonzero(x > 0)[1]].sum()\n",
        None,  # what is padded would be summed
    ),
    "the least of the elements that a mask selects": Offer(
        "JAX203",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    return jnp.amin(x[x > 0])\n",
        {"x[x > 0]": "jnp.where(x > 0, x, jnp.inf)"},
    ),
    "the sum of the first elements of a vector": Offer(
        "JAX205",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(n):\n    x = jnp.ones(5)\n    return x[:n].sum()\n",
        {"x[:n]": "jnp.where(jnp.arange(x.shape[0]) < n, x, 0)"},
    ),
    "indices are read for more than a selection": Offer(
        "JAX202",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    i = jnp.flatnonzero(x > 0)\n    return x[i].sum() + i.sum()\n",
        None,
    ),
    "a function that only says what it does is given a dict": Offer(
        "JAX502",
        'from functools import partial\n\nimport jax\n\n\n@partial(jax.jit, static_argnames=\'options\')\ndef f(options):\n    """Nothing yet."""\n\n\nf({\'a\': 2})\n',
        None,
    ),
    "axes of nothing are no axes to go on with": Offer(
        "JAX515",
        "import jax\nimport jax.numpy as jnp\n\njax.vmap(lambda p: p[0], in_axes=((),))((jnp.ones(3), jnp.ones(3)))\n",
        None,
    ),
    "a number is looked for among traced ones": Offer(
        "JAX105",
        "import jax\n\n\n@jax.jit\ndef f(x):\n    return 1 if 3 in [x + 1, 2] else 0\n",
        {"3 in [x + 1, 2]": "jax.numpy.isin(3, jax.numpy.array([x + 1, 2]))"},
    ),
    "a statement that shares its line stays where it is": Offer(
        "JAX202",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    n = 2; i = jnp.nonzero(x > 0)[0]\n    return n * x[i].sum()\n",
        None,
    ),
    # booleans
    "what may fail by itself is not moved to an operator": Offer(
        "JAX105",
        "import jax\n\n\n@jax.jit\ndef f(x, y, items):\n    return 1 if y > 0 and x in items else 2\n",
        None,
    ),
    # branches
    "branches of one rank differ in a dimension that both know": Offer(
        "JAX103",
        BRANCHES.format(3, 4),
        None,
    ),
    "branches of one rank may agree": Offer(
        "JAX103",
        BRANCHES.format("x.shape[0]", 4),
        {
            """\
    if x[0] > 0:
        y = jnp.zeros((x.shape[0], 2))
        z = 2
    else:
        y = jnp.ones((4, 2))
        z = 3
""": """\
    def then():
        y = jnp.zeros((x.shape[0], 2))
        z = 2
        return y, z

    def otherwise():
        y = jnp.ones((4, 2))
        z = 3
        return y, z

    y, z = jax.lax.cond(x[0] > 0, then, otherwise)
"""
        },
    ),
    "branches of unknown length differ in the other dimension": Offer(
        "JAX103",
        BRANCHES.format("x.shape[0]", 4).replace("(4, 2)", "(4, 3)"),
        None,
    ),
    # debugging
    "a debugger is no call but a decorator": Offer(
        "JAX701",
        "import jax\n\n\n@jax.jit\ndef f(x):\n    @breakpoint\n    def g():\n        return x\n\n    return x\n",
        None,
    ),
    "a raw template begins with braces": Offer(
        "JAX707",
        'import jax\n\n\n@jax.jit\ndef f(x):\n    jax.debug.print(r"{{\\d}} {}", x)\n    return x\n',
        {'r"{{\\d}} {}", x': 'r"{} {}", r"{\\d}", x'},
    ),
    # stores
    "a class in traced code keeps a tracer": Offer(
        "JAX305",
        "import jax\n\nSEEN = []\n\n\n@jax.jit\ndef f(x):\n    class A:\n        SEEN.append(x)\n\n    return x\n\n\nf(3.0)\n",
        None,
    ),
    # keys
    "the mapped function is passed by keyword": Offer(
        "JAX404",
        "import jax\nimport jax.numpy as jnp\n\nKEY = jax.random.key(0)\n\n\ndef f(x):\n    return x + jax.random.normal(KEY)\n\n\nY = jax.vmap(fun=f)(jnp.ones(3))\n",
        None,
    ),
    "a function takes the name of what is compiled of it": Offer(
        "JAX306",
        "import jax\nimport numpy as np\n\n\ndef f(x):\n    return x + np.random.normal()\n\n\nf = jax.jit(f)\nf(3.0)\n",
        None,
    ),
    "draws are given the shape of a number": Offer(
        "JAX306",
        "import numpy as np\nfrom jax import jit\n\n\n@jit\ndef f(x):\n    return np.random.normal(x)\n\n\nf(3.0)\n",
        {
            "import numpy as np\nfrom jax import jit\n": "import numpy as np\nimport jax.numpy as jnp\nfrom jax import jit, random\n",
            "def f(x):": "def f(x, key):",
            "np.random.normal(x)": "x + random.normal(key, jnp.shape(x))",
            "f(3.0)": "f(3.0, random.key(0))",
        },
        DISPLAY,
    ),
    # the name of a variable decides nothing
    **{
        f"an attribute named {name} is used twice": Offer(
            "JAX401",
            TWICE.format(name),
            {
                "        return (": f"        {name}, {sub} = jax.random.split(self.{name})\n        return (",
                f"normal(self.{name}) +": f"normal({sub}) +",
                f"+ jax.random.normal(self.{name})": f"+ jax.random.normal({name})",
            },
        )
        for name, sub in (("key", "subkey"), ("first_key", "first_subkey"))
    },
    **{
        f"a callback by the name of {name}": Offer(
            "JAX704",
            f"import jax\nfrom jax import debug{alias}\n\n\n@jax.jit\ndef f(x):\n    {name}.callback(lambda: print(x))\n    return x\n",
            {"lambda: print(x)": "lambda x: print(x), x"},
        )
        for name, alias in (("jax.debug", ""), ("debug", ""), ("shown", " as shown"))
    },
    **{
        f"a cache by the name of {name}": Offer(
            "JAX109",
            f"import functools\nfrom functools import lru_cache as memo\n\nimport jax.numpy as jnp\n\n\n@{name}\ndef f(x):\n    return 2\n\n\nf(jnp.ones(3))\n",
            {f"@{name}\n": ""},
            DISPLAY,
        )
        for name in (
            "functools.cache",
            "functools.lru_cache",
            "functools.lru_cache(maxsize=3)",
            "memo",
            "memo(maxsize=3)",
        )
    },
    # carries that begin as a number
    **{
        f"a number becomes an array of {dtype or 'what is not known'}": Offer(
            "JAX508",
            CARRIED.format(start, result),
            None if written is None else {f"body, {start}, xs": f"body, {written}, xs"},
        )
        for start, result, written, dtype in (
            ("0", "jnp.ones(3)", "jnp.zeros((3,))", "floats"),
            ("2", "jnp.ones(3)", "jnp.full((3,), 2.0)", "floats that are two"),
            ("0", "jnp.ones(3, int)", "jnp.full((3,), 0)", "integers"),
            ("0", "jnp.ones(3, bool)", None, "booleans"),
        )
    },
    # donations
    "what is donated again has no name": Offer(
        "JAX505",
        DONATED.format("f(inner())"),
        {"y = f(x)": "y = f(jax.tree.map(jax.numpy.copy, x))"},
    ),
    # transforms
    "a keyword that stands before `ordered`": Offer(
        "JAX705",
        "import jax\nfrom jax.experimental import io_callback\n\n\ndef f(x):\n"
        "    return io_callback(lambda y: y, x, x, sharding=None, ordered=True)\n\n\njax.vmap(f)(jax.numpy.ones(3))\n",
        {", ordered=True": ""},
    ),
    # host
    "a quotient in a larger expression is not all that is tried": Offer(
        "JAX314",
        "import jax.numpy as jnp\n\n\ndef f():\n    try:\n        y = 1 + 1 / jnp.arange(3).sum()\n"
        "    except ZeroDivisionError:\n        y = 0\n    return y\n",
        None,
    ),
    "a call that is filled in place has a comment": Offer(
        "JAX318",
        "import jax.numpy as jnp\n\n\ndef f():\n    x = jnp.ones(3)\n    x.fill(\n        # all of them\n        2\n    )\n    return x\n",
        {"    x.fill(\n        # all of them\n        2\n    )": "    x = jnp.full_like(x, 2)"},
        DISPLAY,
    ),
    "an array of the module is filled in a function": Offer(
        "JAX318",
        "import jax.numpy as jnp\n\nX = jnp.ones(3)\n\n\ndef f():\n    X.fill(2)\n",
        None,
    ),
    "an array of the function is filled there": Offer(
        "JAX318",
        "import jax.numpy as jnp\n\n\ndef f():\n    x = jnp.ones(3)\n    x.fill(2)\n    return x\n",
        {"    x.fill(2)": "    x = jnp.full_like(x, 2)"},
    ),
    "a function of NumPy with an argument given before": Offer(
        "JAX301",
        "import functools\n\nimport jax\nimport numpy as np\n\nhalved = functools.partial(np.multiply, 0.5)\n\n\n"
        "@jax.jit\ndef f(x):\n    return halved(x)\n",
        None,
    ),
    **{
        f"a NumPy array is stored into by `{store}`": Offer(
            "JAX301",
            f"import jax\nimport numpy as np\n\n\n@jax.jit\ndef f(x):\n    y = np.zeros(3)\n    y[0] = x\n    {store}\n    return y + n\n",
            changes,
        )
        for store, changes in (
            ("n = 2", {"np.zeros(3)": "jax.numpy.zeros(3)", "y[0] = x": "y = y.at[0].set(x)"}),
            ("y[1], n = 1.0, 2", None),
        )
    },
    "a function that something unknown decorates is called in ways that are not seen": Offer(
        "JAX306",
        "import jax\nimport numpy as np\nfrom elsewhere import logged\n\n\n@logged\n@jax.jit\ndef f(x):\n"
        "    return x + np.random.normal()\n\n\nf(3.0)\n",
        None,
    ),
    # choices
    **{
        f"a choice of `{value}` or something else": Offer(
            "JAX103",
            f"import jax\n\n\n@jax.jit\ndef f(x, xs):\n    return {value} if x > 0 else {other}\n",
            changes,
        )
        for value, other, changes in (
            ("len(xs)", "3", {"len(xs) if x > 0 else 3": "jax.numpy.where(x > 0, len(xs), 3)"}),
            ("'a'.upper()", "'b'.lower()", None),
        )
    },
    # keys
    "a key that is an attribute is split in so many": Offer(
        "JAX403",
        "import jax\n\n\ndef f(self):\n    a, b = jax.random.split(self.key, 2)\n"
        "    return jax.random.normal(a) + jax.random.normal(b) + jax.random.normal(self.key)\n",
        {
            "a, b = jax.random.split(self.key, 2)": "a, b, b2 = jax.random.split(self.key, 3)",
            "normal(self.key)": "normal(b2)",
        },
    ),
    "a function that holds its key": Offer(
        "JAX404",
        "import functools\n\nimport jax\n\n\ndef f(xs, key):\n    draw = functools.partial(jax.random.normal, key)\n\n    def g(x):\n"
        "        return x + draw()\n\n    return jax.vmap(g)(xs)\n",
        None,
    ),
    **{
        f"an integer for a key that {how} passes": Offer(
            "JAX413", f"import functools\n\nimport jax\n\n{program}\n", None
        )
        for how, program in (
            ("`map`", "list(map(jax.random.normal, (0,)))"),
            ("a partial", "functools.partial(jax.random.normal, 0)()"),
            ("a star", "jax.random.normal(*[0])"),
        )
    },
    # shapes
    "the places where a mask is true are given to something else, too": Offer(
        "JAX202",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    i = jnp.nonzero(x > 0)\n    return jnp.sum(x[i]) + len(i)\n",
        None,
    ),
    **{
        f"a sequence of ones, then {rest}": Offer(
            "JAX201",
            "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    n = x.sum()\n"
            f"    return jnp.concatenate([jnp.ones(n), {rest}])\n",
            {
                "import jax\nimport": "import functools\n\nimport jax\nimport",
                "@jax.jit\ndef f(x):\n    n = x.sum()\n": '@functools.partial(jax.jit, static_argnames=("n",))\ndef _f(x, n):\n',
                f"{rest}])\n": f"{rest}])\n\n\ndef f(x):\n    return _f(x, int(x.sum()))\n",
            },
        )
        for rest in ("jnp.zeros(8)", "jnp.eye(3)")
    },
    "an argument is handed on behind a star": Offer(
        "JAX201",
        "import jax\nimport jax.numpy as jnp\n\n\ndef zeros(n):\n    return jnp.zeros(n)\n\n\n@jax.jit\ndef f(n):\n    return zeros(*[n])\n",
        None,
    ),
    "NumPy computes another thing under the name": Offer(
        "JAX211",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    n = jnp.median(jnp.array(x.shape))\n    return x if n > 3 else -x\n",
        None,
    ),
    "an attribute is called as the updates of arrays are": Offer(
        "JAX211",
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x, config):\n    n = jnp.prod(jnp.array([len(config.at), x.shape[0]]))\n"
        "    return x if n > 3 else -x\n",
        {
            "import jax.numpy as jnp\n": "import jax.numpy as jnp\nimport numpy as np\n",
            "jnp.prod(jnp.array([": "np.prod(np.array([",
        },
    ),
    "the size of an array is a part of what is static": Offer(
        "JAX201",
        "from functools import partial\n\nimport jax\nimport jax.numpy as jnp\n\n\n@partial(jax.jit)\ndef f(x, n):\n"
        "    return jnp.zeros(n * x.shape[0])\n",
        {"@partial(jax.jit)": '@partial(jax.jit, static_argnames=("n",))'},
    ),
    # static arguments
    **{
        f"an option that lists {listed}": Offer(
            "JAX501",
            f"import jax\n\n\ndef f(apple, pear):\n    return apple * pear\n\n\njax.jit(f, {listed})\n",
            changes,
        )
        for listed, changes in (
            ('static_argnames=("aple",)', {'"aple"': '"apple"'}),
            ('static_argnames=("aple", "apple")', None),
            ('static_argnames=("apple", "aple")', None),
            ("static_argnums=(0, 2)", {"(0, 2)": "(0, 1)"}),
            ("static_argnums=(1, 2)", None),
        )
    },
    "a function that is nothing but its documentation is given a dict": Offer(
        "JAX502",
        'from functools import partial\n\nimport jax\n\n\n@partial(jax.jit, static_argnames="d")\ndef f(x, d):\n    "Nothing."\n\n\n'
        'f(1.0, d={"a": 1})\n',
        None,
    ),
    # numbers
    "a large number in a chain of comparisons": Offer(
        "JAX509",
        "import jax.numpy as jnp\n\ny = 1 < jnp.uint32(7) < 4000000000\n",
        {"< 4000000000": "< jnp.uint32(4000000000)"},
    ),
    # pytrees
    **{
        f"an array in what a pytree keeps, {kept}": Offer(
            "JAX533",
            "import jax\nimport jax.numpy as jnp\n\n\n@jax.tree_util.register_pytree_node_class\nclass A:\n    def __init__(self, x):\n"
            f"        self.x, self.scale = x, jnp.ones(3)\n\n    def tree_flatten(self):\n        return (self.x,), {kept}\n\n"
            "    @classmethod\n    def tree_unflatten(cls, kept, children):\n        return cls(*children)\n",
            changes,
        )
        for kept, changes in (
            (
                "self.scale",
                {
                    "return (self.x,), self.scale": "return (self.x, self.scale), None",
                    "        return cls(*children)": "        new = object.__new__(cls)\n        new.x, new.scale = children\n        return new",
                },
            ),
            ("(self.scale,)", None),
        )
    },
    # objects of NNX
    "a module of Haiku that a function makes, in what is transformed": Offer(
        "JAX603",
        "import haiku as hk\n\nmodel = hk.transform((lambda: hk.Linear(3))())\n",
        None,
    ),
    # names
    **{
        f"a name that moved, beside a function called `{other}`": Offer(
            "JAX801",
            f"from jax.core import get_aval\n\n\ndef {other}(x):\n    return get_aval(x)\n",
            {"from jax.core import get_aval": statement, "get_aval(x)": written},
            Applicability.SAFE,
        )
        for other, statement, written in (
            ("typeof", "import jax", "jax.typeof(x)"),
            ("kind", "from jax import typeof", "typeof(x)"),
        )
    },
    "a variable that a function changes is passed to it": Offer(
        "JAX612",
        "import jax\nfrom flax import nnx\n\n\ndef f(x):\n    count = nnx.Variable(0.0)\n\n    def loss(y):\n"
        "        count.value = y\n        return y\n\n    return jax.grad(loss)(x)\n",
        {"def loss(y)": "def loss(y, count)", "jax.grad(loss)(x)": "nnx.grad(loss)(x, count)"},
    ),
    "axes are missing for all items of an argument": Offer(
        "JAX515",
        "import jax\nimport jax.numpy as jnp\n\ny = jnp.ones(3)\njax.vmap(lambda p, x: p[0] + x, in_axes=((), 0))((y, y), y)\n",
        None,
    ),
    "an axis is missing for a number": Offer(
        "JAX515",
        "import jax\nimport jax.numpy as jnp\n\njax.vmap(lambda x, n: x * n, in_axes=(0,))(jnp.ones(3), 2.0)\n",
        {"(0,)": "(0, None)"},
    ),
    "an axis is missing for an array": Offer(
        "JAX515",
        "import jax\nimport jax.numpy as jnp\n\njax.vmap(lambda x, n: x * n, in_axes=(0,))(jnp.ones(3), jnp.ones(3))\n",
        {"(0,)": "(0, None)"},
        DISPLAY,
    ),
    "a loop that counts is differentiated": Offer(
        "JAX511",
        """\
import jax


def cube(x):
    return jax.lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * x), (0, 1.0))[1]


jax.grad(cube)(2.0)
""",
        {
            "while_loop(lambda s: s[0] < 3, lambda s:": "fori_loop(0, 3, lambda _, s:",
        },
    ),
    "a loop whose start is named is differentiated": Offer(
        "JAX511",
        """\
import jax


def cube(x):
    return jax.lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * x), init_val=(0, 1.0))[1]


jax.grad(cube)(2.0)
""",
        {"jax.grad": "jax.jacfwd"},
    ),
    "a carry grows by a part of a row": Offer(
        "JAX508",
        """\
import jax
import jax.numpy as jnp


def f(xs):
    def body(carry, x):
        return jnp.concatenate([carry, x[:1]]), None

    return jax.lax.scan(body, jnp.zeros(0), xs)[0]


f(jnp.ones((3, 2)))
""",
        None,
    ),
    "a loop changes the object that a compiled function reads from": Offer(
        "JAX503",
        """\
import jax


def f(net, xs):
    for x in xs:
        step = jax.jit(lambda y: y * net.weight)
        net.weight = step(x)
    return net
""",
        None,
    ),
    "a variable of the environment is set by `setdefault` in a function": Offer(
        "JAX520",
        'import os\n\nimport jax\n\n\ndef f():\n    os.environ.setdefault("JAX_ENABLE_X64", "1")\n',
        {'os.environ.setdefault("JAX_ENABLE_X64", "1")': 'jax.config.update("jax_enable_x64", True)'},
    ),
    "variables of the environment are set together in a function": Offer(
        "JAX520", 'import os\n\nimport jax\n\n\ndef f():\n    os.environ.update({"JAX_ENABLE_X64": "1"})\n', None
    ),
    "a sum is fetched in each pass of a loop": Offer(
        "JAX514", FETCHED.format("float"), {"float(x)\n": "x\n    total = float(total)\n"}
    ),
    "a sum is copied in each pass of a loop": Offer(
        "JAX514",
        FETCHED.format("np.asarray"),
        {
            "from jax import jit\n": "from jax import device_get, jit\n",
            "np.asarray(x)\n": "x\n    total = device_get(total)\n",
        },
    ),
    "a choice with options that are not known recurses": Offer(
        "JAX523",
        """\
import jax
import jax.numpy as jnp

options = {}


@jax.jit
def f(n):
    return jnp.where(n > 0, f(n - 1), n, **options)


f(3)
""",
        None,
    ),
    # frameworks
    "a field of a module is set": Offer(
        "JAX621",
        """\
import equinox as eqx


class Net(eqx.Module):
    weight: float


net = Net(1.0)
net.weight = 2.0
""",
        {"net.weight = 2.0": "net = eqx.tree_at(lambda m: m.weight, net, 2.0)"},
        DISPLAY,
    ),
    "a comment beside what a field of a module is set to": Offer(
        "JAX621",
        """\
import equinox as eqx


class Net(eqx.Module):
    weight: float


net = Net(1.0)
net.weight = (
    2.0  # twice as heavy
)
""",
        {
            "net.weight = (\n    2.0  # twice as heavy\n)": "net = eqx.tree_at(lambda m: m.weight, net, 2.0)",
        },
        DISPLAY,
    ),
    # frameworks
    "branches are unpacked": Offer(
        "JAX622",
        """\
import equinox as eqx
import jax
import jax.numpy as jnp

layer = eqx.nn.Linear(3, 3, key=jax.random.key(0))


def f(x):
    rest = (layer, x)
    return jax.lax.cond(x.sum() > 0, layer, *rest)


f(jnp.ones(3))
""",
        None,
    ),
    "a function that is transformed has a name": Offer(
        "JAX612",
        """\
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.array(0))

    def add(self):
        self.count[...] += 1


def counted(x):
    counter = Counter()

    def step(x):
        counter.add()
        return x * 2

    fast = jax.jit(step)
    return fast(x), counter.count[...]


counted(jnp.ones(3))
""",
        {"def step(x)": "def step(counter, x)", "jax.jit(step)": "nnx.jit(step)", "fast(x)": "fast(counter, x)"},
    ),
    # host
    "the number of a pass is another by the time of the draw": Offer(
        "JAX317",
        """\
import jax

rows = iter([1.0, 2.0, 3.0])


def body(i, total):
    i = i + 1
    return total + next(rows) * i


y = jax.lax.fori_loop(0, 3, body, 0.0)
""",
        None,
    ),
    **{
        f"an element that is not there, in {tried}, is {handled}": Offer(
            "JAX314",
            f"import jax.numpy as jnp\n\nx = jnp.arange(3)\n\n\ndef f():\n    try:\n        y = {tried}\n"
            f"    except IndexError:\n        y = {handled}\n    return y\n",
            mended
            and {
                f"    try:\n        y = {tried}\n    except IndexError:\n        y = {handled}\n": f"    y = {mended}\n",
            },
        )
        for tried, handled, mended in (
            ("x[7]", "0", 'x.at[7].get(mode="fill", fill_value=0)'),
            ("float(x[7])", "0", 'float(x.at[7].get(mode="fill", fill_value=0))'),
            ("x[7] + 1", "0", None),
            ("-x[7]", "1", None),
            ("float(x[7] + 1)", "0", None),
            ("jnp.sin(x[7])", "0", None),
            ('f"{x[7]}"', "0", None),
            ("x[7]", "None", None),
            ("x[7]", '"none"', None),
        )
    },
    "nothing is returned in the place of a quotient": Offer(
        "JAX314",
        "import jax.numpy as jnp\n\n\ndef f():\n    try:\n        return 1 / jnp.arange(3).sum()\n"
        "    except ZeroDivisionError:\n        return None\n",
        None,
    ),
    # debugging
    "the template is passed by keyword": Offer(
        "JAX703",
        'import jax\n\n\n@jax.jit\ndef f(x):\n    jax.debug.print(fmt="{y}", x=x)\n    return x\n',
        None,
    ),
    "a size is compared with a number": Offer(
        "JAX712",
        """\
import jax
import jax.numpy as jnp
from jax import export


@jax.jit
def f(x):
    scale = 2.0 if x.shape[0] == 4 else 1.0
    return x * scale


(n,) = export.symbolic_shape("n")
exported = export.export(f)(jax.ShapeDtypeStruct((n,), jnp.float32))
""",
        {"2.0 if x.shape[0] == 4 else 1.0": "jnp.where(jnp.asarray(x.shape[0]) == 4, 2.0, 1.0)"},
    ),
    "text of a name and a tracer is printed": Offer(
        "JAX702",
        'import jax\n\n\n@jax.jit\ndef f(x):\n    text = f"x = {x}"\n    jax.debug.print(text)\n    return x\n',
        {'f"x = {x}"': '"x = {x}"', "print(text)": "print(text, x=x)"},
    ),
    "text that is joined is printed": Offer(
        "JAX702",
        'import jax\n\n\n@jax.jit\ndef f(x):\n    text = ", ".join([str(x)])\n    jax.debug.print(text)\n    return x\n',
        None,
    ),
    "a callback closes over a tracer": Offer(
        "JAX704",
        """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    loss = jnp.mean(x**2)
    jax.debug.callback(lambda: print(loss))
    return loss
""",
        {"lambda: print(loss)": "lambda loss: print(loss), loss"},
    ),
    # migration
    "a file is read": Offer(
        "JAX806",
        'import jax.numpy as jnp\nimport numpy as np\n\nTABLE = jnp.loadtxt("table.txt")\n',
        {'jnp.loadtxt("table.txt")': 'jnp.asarray(np.loadtxt("table.txt"))'},
    ),
    "a function that reads files is handed on": Offer(
        "JAX806", 'import jax.numpy as jnp\n\nTABLES = list(map(jnp.loadtxt, ["a.txt", "b.txt"]))\n', None
    ),
    "all names of a module that is gone are imported": Offer("JAX801", "from jax.experimental.stax import *\n", None),
    "a package is imported beside a module of it that is gone": Offer(
        "JAX801",
        "import jax\nimport jax.lib.xla_bridge\n\nprint(jax.lib.xla_bridge.default_backend())\n",
        {"import jax.lib.xla_bridge\n": "", "jax.lib.xla_bridge.default_backend": "jax.default_backend"},
        Applicability.SAFE,
    ),
    "only a module that is gone is imported": Offer(
        "JAX801",
        "import jax.lib.xla_bridge\n\nprint(jax.lib.xla_bridge.default_backend())\n",
        {"import jax.lib.xla_bridge": "import jax", "jax.lib.xla_bridge.default_backend": "jax.default_backend"},
        Applicability.SAFE,
    ),
    "the other import from the new module stands above code": Offer(
        "JAX801",
        """\
from jax.tree_util import tree_leaves

print(tree_leaves([1]))

from jax import treedef_is_leaf

print(treedef_is_leaf)
""",
        {"from jax import treedef_is_leaf": "from jax.tree_util import treedef_is_leaf"},
        Applicability.SAFE,
    ),
    "an element of each row, where `jax.numpy` is not imported": Offer(
        "JAX214",
        "from jax import nn, random\n\n\ndef f(key, labels_key):\n    p = nn.softmax(random.normal(key, (4, 3)))\n"
        "    labels = random.randint(labels_key, (4,), 0, 3)\n    return p[:, labels]\n",
        {
            "from jax import nn": "import jax.numpy as jnp\nfrom jax import nn",
            "p[:, labels]": "p[jnp.arange(p.shape[0]), labels]",
        },
    ),
    "an index that was called": Offer("JAX801", "import jax\n\nprint(jax.ops.index(2))\n", None),
    "an index between brackets": Offer(
        "JAX801", "import jax\n\nprint(jax.ops.index[2])\n", {"jax.ops.index[2]": "jax.numpy.s_[2]"}, Applicability.SAFE
    ),
}


@pytest.mark.parametrize("name", OFFERS)
def test_offer(name: str) -> None:
    offer = OFFERS[name]
    config = Config(root="", select=(offer.code,), preview=True)
    [finding] = check_source(Source.from_text(offer.program, "program.py"), config).diagnostics
    assert finding.code == offer.code
    if offer.changes is None:
        assert finding.fix is None
        return
    expected = offer.program
    for old, new in offer.changes.items():
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    assert finding.fix is not None
    assert apply_edits(offer.program, finding.fix.edits) == expected
    assert finding.fix.applicability is offer.level
    assert offer.level in PROMISED[offer.code], "the page of the rule says how sure its fixes are at best"


# --- rules of derivatives -----------------------------------------------------------------------------------

CUSTOM_VJP = """\
import jax


@jax.custom_vjp
def f(x):
    return x * 2


def fwd(x):
    return {}


def bwd(residuals, g):
    return {}


f.defvjp(fwd, bwd)
jax.grad(f)(1.0)
"""
CUSTOM_JVP = """\
import jax


@jax.custom_jvp
def f(x):
    return x * 2


@f.defjvp
def rule(primals, tangents):
    y = f(*primals)
    return {}


jax.jvp(f, (1.0,), (1.0,))
"""


@pytest.mark.parametrize(
    ("program", "mended"),
    [
        (CUSTOM_VJP.format("f(x), None", "g * 2"), CUSTOM_VJP.format("f(x), None", "(g * 2,)")),
        (CUSTOM_VJP.format("f(x), None", "None"), None),
        (CUSTOM_VJP.format("f(x), 2, None", "(g * 2,)"), CUSTOM_VJP.format("f(x), (2, None)", "(g * 2,)")),
        (CUSTOM_VJP.format("[f(x)]", "(g * 2,)"), None),
        (CUSTOM_VJP.format("[f(x), 2, None]", "(g * 2,)"), None),
        (CUSTOM_JVP.format("2 * tangents[0]"), CUSTOM_JVP.format("y, 2 * tangents[0]")),
        (CUSTOM_JVP.format("None"), None),
    ],
    ids=["no tuple", "None for a tuple", "two residuals", "a list of one", "a list", "no value", "None for a pair"],
)
def test_rule_of_a_derivative_returns_what_it_has(program: str, mended: str | None) -> None:
    """Nothing is made up for a rule that returns None, nor is a list taken apart."""
    [finding] = check_source(Source.from_text(program, "program.py"), Config(root="", select=("JAX529",))).diagnostics
    assert mended == (finding.fix and apply_edits(program, finding.fix.edits))


# --- long code in messages ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "program", "shown"),
    [
        (
            "JAX109",
            "import jax\n\n{0} = [0.5, 1.0]\n\n\n@jax.jit\ndef f(x, i):\n    return x * {0}[i]\n",
            "{}",
        ),
        (
            "JAX409",
            "from jax._src import prng as {0}  # noqa: JAX409\n\n\ndef f(data):\n    return {0}.random_wrap(data)\n",
            "{}.random_wrap",
        ),
        ("JAX408", "import jax\n\n{0} = jax.random.key(0)\nx = {0} + 1\n", "{}"),
        ("JAX521", "import jax.numpy as jnp\n\n{0} = (3,)\nx = jnp.ones({0})\n", "jnp.ones({})"),
    ],
    ids=["JAX109", "JAX409", "JAX408", "JAX521"],
)
def test_code_is_shown_up_to_forty_characters(code: str, program: str, shown: str) -> None:
    for length in (40, 41):
        name = "a" * (length - len(shown.format("")))
        source = Source.from_text(program.format(name), "program.py")
        [finding] = check_source(source, Config(root="", select=(code,))).diagnostics
        whole = shown.format(name)
        assert f"`{whole if length == 40 else whole[:39] + '…'}`" in finding.message
        assert length == 40 or whole not in finding.message


@pytest.mark.parametrize(("length", "array"), [(37, "{}"), (38, "{}.…")])
def test_array_whose_element_is_assigned_to_is_shown_up_to_forty_characters(length: int, array: str) -> None:
    name = "a" * length
    program = f"import jax\n\n{name} = jax.numpy.ones(3)\n{name}.at[0] = 1\n"
    [finding] = check_source(Source.from_text(program, "program.py"), Config(root="", select=("JAX308",))).diagnostics
    assert f"Call a method of it: `{array.format(name)} = " in str(finding.help)


def test_imports_of_what_is_drawn_come_with_the_fix():
    program = "import numpy as np\nfrom jax import jit\n\n\n@jit\ndef f(x):\n    return x + np.random.normal(size=3)\n\n\nf(1.0)\n"
    [finding] = check_source(Source.from_text(program, "program.py"), Config(root="", select=("JAX306",))).diagnostics
    assert finding.fix is not None
    assert "from jax import jit, random\n" in apply_edits(program, finding.fix.edits)
