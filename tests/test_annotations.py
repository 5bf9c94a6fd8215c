"""Arguments whose annotation says what they hold: a report fails under JAX on its line, and where there is none, the call runs."""

import pytest

from jaxlint.api import check

jax = pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")

HEAD = """\
import functools
from typing import Any, Callable, NamedTuple, Optional

import chex
import equinox as eqx
import flax
import jax
import jax.numpy as jnp
import jax_dataclasses as jdc
from flax import linen as nn
from flax import struct
from flax.training import train_state
from jaxtyping import Array, Float


class Pair(NamedTuple):
    left: jax.Array
    right: jax.Array
    count: int


@struct.dataclass
class Inner:
    values: jnp.ndarray


@struct.dataclass
class Graph:
    nodes: jax.Array
    inner: Inner
    size: int
    mask: Optional[jax.Array] = None
    extra: Any = None
    name: str = struct.field(pytree_node=False, default="graph")
    apply: Callable = struct.field(pytree_node=False, default=jnp.sum)

    @property
    def width(self):
        return self.nodes.shape[0]

    def total(self):
        return self.nodes.sum()


@chex.dataclass
class Batch:
    obs: chex.Array
    steps: int


@jdc.pytree_dataclass
class Joints:
    parents: jax.Array
    count: jdc.Static[int]


class Net(eqx.Module):
    weight: Float[Array, "n"]
    depth: int = eqx.field(static=True)
    rate: float

    def __call__(self, x):
        return self.weight * x


class Plain:
    nodes: jax.Array


GRAPH = Graph(jnp.ones(3), Inner(jnp.ones(3)), 3)
PAIR = Pair(jnp.ones(3), jnp.ones(3), 2)
BATCH = Batch(obs=jnp.ones(3), steps=2)
static_field = functools.partial(struct.field, pytree_node=False)


@struct.dataclass
class Agent:
    params: jax.Array
    config: Any = static_field(default=None)


NET = Net(jnp.ones(3), 2, 0.5)
JOINTS = Joints(jnp.zeros((2, 3), int), 3)
Alias = Float[Array, "n"]
Frozen = flax.core.FrozenDict
"""

FAILS = {
    "@jax.jit\ndef f(g: Graph):\n    if g.nodes.sum() > 0:\n        return g\n    return g\nf(GRAPH)\n": "JAX103",
    "@jax.jit\ndef f(g: 'Graph'):\n    return g.inner.values.sum().item()\nf(GRAPH)\n": "JAX101",
    "@jax.jit\ndef f(g: Graph):\n    return jnp.zeros(g.size)\nf(GRAPH)\n": "JAX201",
    "@jax.jit\ndef f(g: Graph):\n    while g.size > 2:\n        g = g.replace(size=g.size - 1)\n    return g\nf(GRAPH)\n": "JAX104",
    "@jax.jit\ndef f(g: Graph):\n    return int(g.total())\nf(GRAPH)\n": "JAX102",
    "@jax.jit\ndef f(p: Pair):\n    return p.left[p.left > 0]\nf(PAIR)\n": "JAX203",
    "@jax.jit\ndef f(p: Pair):\n    left, right, count = p\n    return [left for _ in range(count)]\nf(PAIR)\n": "JAX107",
    "@jax.jit\ndef f(b: Batch):\n    if b.steps > 1:\n        return b.obs\n    return -b.obs\nf(BATCH)\n": "JAX103",
    "@jax.jit\ndef f(x: Alias, g: Graph):\n    assert (g.nodes > x).all()\n    return x\nf(jnp.ones(3), GRAPH)\n": "JAX103",
    "@jax.vmap\ndef f(j: Joints):\n    if j.parents.sum() > 0:\n        return j.parents\n    return -j.parents\nf(JOINTS)\n": "JAX103",
    "@eqx.filter_jit\ndef f(net: Net, x):\n    if net.weight.sum() > 0:\n        return x\n    return -x\nf(NET, jnp.ones(3))\n": "JAX103",
    "@eqx.filter_jit\ndef f(net: Net):\n    return net.weight[net.weight > 0]\nf(NET)\n": "JAX203",
    "@struct.dataclass\nclass Agent:\n    params: jax.Array\n    steps: int = 0\n\n    @jax.jit\n    def update(agent, g: Graph):\n"
    "        if agent.steps > 2:\n            return g\n        return g\nAgent(jnp.ones(2)).update(GRAPH)\n": "JAX103",
    "class M(nn.Module):\n    @nn.compact\n    def __call__(self, g: Graph):\n        if g.nodes.sum() > 0:\n            return g.nodes\n"
    "        return -g.nodes\njax.jit(lambda g: M().apply({}, g))(GRAPH)\n": "JAX103",
}

RUNS = [
    "@jax.jit\ndef f(g: Graph):\n    if g.name == 'graph':\n        return g.nodes\n    return -g.nodes\nf(GRAPH)\n",
    "@jax.jit\ndef f(g: Graph):\n    if g.mask is not None:\n        return g.nodes * g.mask\n    return g.nodes\nf(GRAPH)\n",
    "@jax.jit\ndef f(g: Graph):\n    return jnp.zeros(g.width) + jnp.zeros(g.nodes.shape)\nf(GRAPH)\n",
    "@jax.jit\ndef f(g: Graph):\n    return g.apply(g.nodes) if g.extra is None else g.nodes\nf(GRAPH)\n",
    "@jax.jit\ndef f(g: Graph):\n    g = g.replace(size=4)\n    return jnp.where(g.nodes > 0, g.nodes, 0)\nf(GRAPH)\n",
    "@jax.jit\ndef f(g: Optional[Graph]):\n    if g is None:\n        return jnp.zeros(3)\n    return g.nodes\nf(None)\n",
    "def f(g: Graph):\n    if g.nodes.sum() > 0:\n        return int(g.size)\n    return 0\nf(GRAPH)\n",
    "@jax.jit\ndef f(p: Pair):\n    for each in p:\n        print_shape = jnp.shape(each)\n    return p.left + p.count\nf(PAIR)\n",
    "@eqx.filter_jit\ndef f(net: Net, x):\n    for _ in range(net.depth):\n        x = net(x)\n    if net.rate > 0.1:\n        return x\n    return -x\nf(NET, jnp.ones(3))\n",
    "import functools\n@functools.partial(jax.jit, static_argnames='n')\ndef f(g: Graph, n: int):\n    if n > 2:\n        return g.nodes\n    return -g.nodes\nf(GRAPH, 3)\n",
    "@jax.jit\ndef f(state: train_state.TrainState, b: Batch):\n    return b.obs * 2\nf(jnp.ones(2), BATCH)\n",
    "@jax.jit\ndef f(b: Batch):\n    if 'obs' in b.keys():\n        return b['obs']\n    return b.steps\nf(BATCH)\n",
    "@jax.jit\ndef f(b: Batch):\n    return jax.vmap(lambda n, o: o * n, in_axes=(0, None))(b.steps, b.obs)\nf(Batch(obs=jnp.ones(3), steps=jnp.arange(2)))\n",
    "@jax.jit\ndef f(agent: Agent):\n    for _ in range(agent.config['steps']):\n        agent = agent.replace(params=agent.params * 2)\n"
    "    return agent.params\nf(Agent(jnp.ones(3), Frozen({'steps': 2})))\n",
    "@jax.vmap\ndef f(j: Joints):\n    return jnp.full((j.count,), -1) + j.parents\nf(JOINTS)\n",
    "@eqx.filter_jit\ndef f(b: Batch):\n    return b.obs * 2 if b.steps > 1 else b.obs\nf(BATCH)\n",
]


def reported(program: str) -> list[tuple[str, int]]:
    found = check(HEAD + program, "program.py", select=["JAX1", "JAX2", "JAX5", "JAX9"])
    return [(each.code, each.start.row) for each in found]


@pytest.mark.parametrize("program", FAILS)
def test_a_hazard_in_a_field_is_reported_and_fails(program: str) -> None:
    [(code, row)] = reported(program)
    assert code == FAILS[program]
    with pytest.raises(Exception) as caught:
        exec(compile(HEAD + program, "program.py", "exec"), {"__name__": "program"})
    rows = []
    step = caught.value.__traceback__
    while step is not None:
        rows += [step.tb_lineno] if step.tb_frame.f_code.co_filename == "program.py" else []
        step = step.tb_next
    assert row == rows[-1] or (code == "JAX102" and row in rows)


@pytest.mark.parametrize("program", RUNS)
def test_what_runs_is_not_reported(program: str) -> None:
    assert reported(program) == []
    exec(compile(HEAD + program, "program.py", "exec"), {"__name__": "program"})


@pytest.mark.parametrize("declared", ["jnp.array", "jaxtyping.u8['b h']"])
def test_a_function_that_makes_arrays_is_written_for_their_type_and_so_are_old_types(declared: str) -> None:
    program = (
        "import haiku as hk\nimport jax, jaxtyping\nimport jax.numpy as jnp\n\n\nclass Head(hk.Module):\n    def __init__(self, size):\n"
        f"        super().__init__()\n        self.layer = hk.Linear(size)\n\n    def __call__(self, x: {declared}):\n"
        "        print(jax.tree.leaves(x))\n        return self.layer(x)\n"
    )
    assert [(each.code, each.start.row) for each in check(program, "program.py")] == [("JAX303", 12)]
