"""One hazard has one finding: where rules could both speak, the more telling one does, and at the agreed place."""

import pytest

from jaxlint.configuration.config import Config
from jaxlint.hazards.registry import all_rules
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

HEAD = "import math, random as rnd\nimport haiku as hk, jax, jax.numpy as jnp, numpy as np\nfrom functools import partial\n"
# 521 speaks of any work at import, beside whatever is wrong with that work.
EVERY_RULE = Config(select=tuple(rule.code for rule in all_rules() if rule.code != "JAX521"))

# The program, with the codes and the place of its one finding: `code@row:column`, rows from its own first line.
OVERLAPS = {
    "math is 102, not 301": ("@jax.jit\ndef f(x):\n    return math.sqrt(x.sum())\n", "JAX102@3:12"),
    "a size is 201": ("@jax.jit\ndef f(n):\n    return jnp.zeros(n)\n", "JAX201@3:12"),
    "a length that is a keyword is 201": (
        "@jax.jit\ndef f(n):\n    return jnp.linspace(0.0, 1.0, num=n)\n",
        "JAX201@3:12",
    ),
    "traced repeats are 206": ("@jax.jit\ndef f(x, n):\n    return jnp.repeat(x, n)\n", "JAX206@3:12"),
    "any other static parameter is 108": ("@jax.jit\ndef f(x, n):\n    return jnp.sum(x, axis=n)\n", "JAX108@3:12"),
    "110 supersedes 303": ("@jax.jit\ndef f(x):\n    print(f'{x.sum():.2f}')\n    return x\n", "JAX110@3:13"),
    "211 supersedes 102": (
        "@jax.jit\ndef f(x):\n    n = int(jnp.sqrt(x.shape[0]))\n    return x.reshape(n, -1)\n",
        "JAX211@3:9",
    ),
    "211 supersedes 201": ("@jax.jit\ndef f(x):\n    return x.reshape(jnp.prod(jnp.array(x.shape)))\n", "JAX211@3:12"),
    "311 supersedes 301": ("@jax.jit\ndef f(x):\n    return np.array_equal(x + 1, x)\n", "JAX311@3:12"),
    "306 supersedes 301": ("@jax.jit\ndef f(x):\n    return np.random.normal(x + 1)\n", "JAX306@3:12"),
    "306 supersedes 312": ("@jax.jit\ndef f(x):\n    y = x + 1\n    rnd.shuffle(y)\n    return y\n", "JAX306@4:5"),
    "NumPy's out= is 312": (
        "@jax.jit\ndef f(x):\n    y = x + 1\n    np.add(1.0, 2.0, out=y)\n    return y\n",
        "JAX312@4:5",
    ),
    "jnp's out= is 807": ("@jax.jit\ndef f(x):\n    y = x + 1\n    return jnp.add(y, y, out=y)\n", "JAX807@4:26"),
    "a kernel under its old name is 803": (
        "from jax.experimental import pallas as pl\n@jax.jit\ndef f(x):\n    return pl.pallas_call(f=print, out_shape=x)(x)\n",
        "JAX803@4:27",
    ),
    "403 supersedes 401": (
        "def f(key):\n    a, b = jax.random.split(key)\n    return jax.random.normal(key), jax.random.normal(a)\n",
        "JAX403@3:12",
    ),
    "a second split is 403": (
        "def f(key):\n    a, b = jax.random.split(key)\n    c, d = jax.random.split(key)\n    return a, c\n",
        "JAX403@3:12",
    ),
    "a colliding fold_in is 403": (
        "def f(key):\n    a, b = jax.random.split(key)\n    return a, jax.random.fold_in(key, 1)\n",
        "JAX403@3:15",
    ),
    "a sampler, then split, is 401": (
        "def f(key):\n    x = jax.random.normal(key)\n    a, b = jax.random.split(key)\n    return x, a\n",
        "JAX401@3:12",
    ),
    "the same datum twice is 401": (
        "def f(key):\n    a = jax.random.normal(jax.random.fold_in(key, 1))\n"
        "    return a, jax.random.normal(jax.random.fold_in(key, 1))\n",
        "JAX401@3:33",
    ),
    "the same seed twice is 401": (
        "def f():\n    a = jax.random.normal(jax.random.key(3))\n    return a, jax.random.uniform(jax.random.key(3))\n",
        "JAX401@3:15",
    ),
    "a Python loop is 402": (
        "def f(key):\n    for _ in range(3):\n        print(jax.random.normal(key))\n",
        "JAX402@3:15",
    ),
    "the body of a scan is 404, at the draw": (
        "def f(key, xs):\n    return jax.lax.scan(lambda c, x: (c + jax.random.normal(key), c), 0.0, xs)\n",
        "JAX404@2:43",
    ),
    "410 supersedes 411": (
        "def f(key):\n    keys = jax.random.split(key)\n    return jax.random.normal(keys, (2,))\n",
        "JAX410@3:12",
    ),
    "409 supersedes 801": ("def f(key: jax.random.KeyArray):\n    return key\n", "JAX409@1:12"),
    "409 supersedes 804": ("from jax._src import prng\n", "JAX409@1:1"),
    "305 stands at the store": (
        "kept = []\n@jax.jit\ndef f(x):\n    y = x + 1\n    kept.append(y)\n    return y\n",
        "JAX305@5:5",
    ),
    "501 stands at the decorator": (
        "@partial(jax.jit, static_argnames='m')\ndef f(x, n):\n    return x\n",
        "JAX501@1:2",
    ),
    "504 stands at the decorator": ("class A:\n    @jax.jit\n    def f(self, x):\n        return x\n", "JAX504@2:6"),
    "503 stands at the jit": (
        "def f(xs):\n    for x in xs:\n        y = jax.jit(lambda a: a + 1)(x)\n    return y\n",
        "JAX503@3:13",
    ),
    "505 stands at the later use": (
        "step = jax.jit(lambda x: x + 1, donate_argnums=0)\n"
        "def f():\n    x = jnp.ones(3)\n    y = step(x)\n    return x + y\n",
        "JAX505@5:12",
    ),
    "601 stands at the JAX transform": (
        "def net(x):\n    return jax.jit(lambda y: hk.Linear(3)(y))(x)\nf = hk.transform(net)\n",
        "JAX601@2:12",
    ),
    "601 stands at a conditional whose branch calls a layer by its name": (
        "def net(x):\n    layer = hk.Linear(3)\n"
        "    return jax.lax.cond(x.sum() > 0, lambda y: layer(y), lambda y: y, x)\nf = hk.transform(net)\n",
        "JAX601@3:12",
    ),
    "a gone name is reported where it is imported": ("from jax import tree_map\ny = tree_map(abs, 1)\n", "JAX801@1:17"),
    "a gone attribute is reported where it is used": ("y = jax.tree_map(abs, 1)\n", "JAX801@1:5"),
}


@pytest.mark.parametrize("name", OVERLAPS)
def test_one_finding_at_its_place(name):
    program, expected = OVERLAPS[name]
    rows = HEAD.count("\n")
    result = check_source(Source.from_text(HEAD + program, "program.py"), EVERY_RULE)
    found = [f"{each.code}@{each.start.row - rows}:{each.start.column}" for each in result.diagnostics]
    assert found == [expected]
