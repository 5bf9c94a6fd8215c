"""The names that old code bases use most: each is reported, and rewritten where there is something to write."""

import json
import subprocess
import sys

import pytest

from jaxlint.configuration.config import Config
from jaxlint.fixing.apply import fix_source
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Applicability
from jaxlint.source.text import Source

# Old code, code of the finding, new code (None: there is no fix).
TABLE = [
    ("import jax\njax.tree_map", "JAX801", "import jax\njax.tree.map"),
    ("from jax import tree_map\nf = tree_map", "JAX801", "from jax.tree_util import tree_map\nf = tree_map"),
    ("from jax import tree_map as m\nf = m", "JAX801", "from jax.tree_util import tree_map as m\nf = m"),
    ("import jax\njax.tree_leaves", "JAX801", "import jax\njax.tree.leaves"),
    ("import jax\njax.tree_multimap", "JAX801", "import jax\njax.tree.map"),
    (
        "from jax.tree_util import tree_multimap\nf = tree_multimap",
        "JAX801",
        "from jax.tree_util import tree_map\nf = tree_map",
    ),
    ("from jax.experimental.pjit import pjit\ng = pjit(len)", "JAX802", "from jax import jit\ng = jit(len)"),
    ("from jax.experimental import pjit\ng = pjit.pjit(len)", "JAX802", "import jax\ng = jax.jit(len)"),
    ("import jax.tools.colab_tpu", "JAX801", None),
    ("import jax\njax.device_put_sharded", "JAX801", None),
    ("import jax\njax.device_put_replicated", "JAX801", None),
    ("from jax.config import config\nconfig.read", "JAX801", "from jax import config\nconfig.read"),
    (
        "from jax.experimental.shard_map import shard_map\ng = lambda f, m, i, o: shard_map(f, m, i, o, check_rep=False)",
        "JAX802",
        "from jax import shard_map\ng = lambda f, m, i, o: shard_map(f, mesh=m, in_specs=i, out_specs=o, check_vma=False)",
    ),
    ("import jax.numpy as jnp\nx: jnp.DeviceArray", "JAX801", "import jax\nx: jax.Array"),
    ("from jax.experimental import maps\nmaps.Mesh", "JAX801", "import jax\njax.sharding.Mesh"),
    ("from jax.experimental.maps import Mesh\nm = Mesh", "JAX801", "from jax.sharding import Mesh\nm = Mesh"),
    ("import jax.util", "JAX801", None),
    (
        "from jax.experimental import enable_x64\nc = enable_x64()",
        "JAX801",
        "from jax import enable_x64\nc = enable_x64(True)",
    ),
    (
        "from jax import tree_flatten\nf = tree_flatten",
        "JAX801",
        "from jax.tree_util import tree_flatten\nf = tree_flatten",
    ),
    ("import jax.numpy as jnp\njnp.clip(1.0, a_min=2.0)", "JAX803", "import jax.numpy as jnp\njnp.clip(1.0, min=2.0)"),
    ("import jax.numpy as jnp\njnp.clip(1.0, a_max=2.0)", "JAX803", "import jax.numpy as jnp\njnp.clip(1.0, max=2.0)"),
    ("import jax\nx: jax.random.KeyArray", "JAX409", "import jax\nx: jax.Array"),
    (
        "from jax.core import Jaxpr, Primitive\nJaxpr, Primitive",
        "JAX801",
        "from jax.extend.core import Jaxpr, Primitive\nJaxpr, Primitive",
    ),
    ("from jax import core\ncore.Var", "JAX801", "import jax.extend.core\njax.extend.core.Var"),
    (
        "from jax import core\ncore.Var, core.Tracer",
        "JAX801",
        "import jax.extend.core\nfrom jax import core\njax.extend.core.Var, core.Tracer",
    ),
    (
        "from jax import linear_util as lu\nlu.wrap_init",
        "JAX801",
        "from jax.extend import linear_util as lu\nlu.wrap_init",
    ),
    ("import jax\njax.xla_computation", "JAX801", None),
    (
        "from jax.lib import xla_bridge\nxla_bridge.get_backend()",
        "JAX801",
        "import jax.extend.backend\njax.extend.backend.get_backend()",
    ),
    ("from jax.interpreters.xla import DeviceArray\nDeviceArray", "JAX801", "from jax import Array\nArray"),
    ("import jax\nf = lambda x, i: jax.ops.index_update(x, i, 0)", "JAX801", "f = lambda x, i: x.at[i].set(0)"),
    (
        "from jax.ops import index, index_add\nf = lambda x: index_add(x, index[:, 0], 1)",
        "JAX801",
        "f = lambda x: x.at[:, 0].add(1)",
    ),
    (
        "from jax import ops\nf = lambda x: ops.index_add(x, ops.index[:, 0], 1)",
        "JAX801",
        "f = lambda x: x.at[:, 0].add(1)",
    ),
    (
        "from jax.ops import index, index_add\nf = lambda x: index_add(index_add(x, 0, 1), index[:, 0], 1)",
        "JAX801",
        None,
    ),
    (
        "from jax.experimental import optimizers, stax\nopt = optimizers.adam(1e-3)",
        "JAX801",
        "from jax.example_libraries import optimizers, stax\nopt = optimizers.adam(1e-3)",
    ),
    (
        "from jax.experimental import maps, stax\nnet = stax.Dense(3)",
        "JAX801",
        "from jax.example_libraries import stax\nnet = stax.Dense(3)",
    ),
    ("from jax.experimental import maps\n__all__ = ['maps']", "JAX801", None),
    ("import jax.numpy as jnp\njnp.trapz", "JAX801", "import jax.numpy as jnp\njnp.trapezoid"),
    ("import jax.numpy as jnp\njnp.in1d(1, 2)", "JAX801", "import jax.numpy as jnp\njnp.isin(1, 2).ravel()"),
    ("import jax.numpy as jnp\njnp.in1d", "JAX801", None),
    ("import jax.numpy as jnp\njnp.row_stack", "JAX801", "import jax.numpy as jnp\njnp.vstack"),
    ("import jax.numpy as jnp\njnp.product", "JAX801", "import jax.numpy as jnp\njnp.prod"),
    (
        "import jax.numpy as jnp\nf = lambda x: jnp.msort(x)",
        "JAX801",
        "import jax.numpy as jnp\nf = lambda x: jnp.sort(x, axis=0)",
    ),
    ("from jax.experimental import stax\nstax.Dense", "JAX801", "from jax.example_libraries import stax\nstax.Dense"),
    (
        "from jax.experimental.optimizers import adam\nadam",
        "JAX801",
        "from jax.example_libraries.optimizers import adam\nadam",
    ),
    ("from jax.experimental import host_callback\nhost_callback", "JAX801", None),
    ("from jax.sharding import PositionalSharding\nPositionalSharding", "JAX801", None),
    (
        "from jax import lax\nf = lambda x: lax.pvary(x, 'i')",
        "JAX801",
        "from jax import lax\nf = lambda x: lax.pcast(x, 'i', to=\"varying\")",
    ),
    ("from jax import lax\nf = lambda x, y: lax.tie_in(x, y)", "JAX801", "f = lambda x, y: y"),
    ("from jax import nn\nnn.normalize", "JAX801", "from jax import nn\nnn.standardize"),
    (
        "from jax.scipy.special import sph_harm\nf = lambda m, n, t, p: sph_harm(m, n, t, p)",
        "JAX801",
        "from jax.scipy.special import sph_harm_y\nf = lambda m, n, t, p: sph_harm_y(n, m, p, t)",
    ),
    (
        "import jax.numpy as jnp\njnp.ones(2).device_buffer",
        "JAX801",
        "import jax.numpy as jnp\njnp.ones(2).addressable_data(0)",
    ),
    ("from jax.config import config", "JAX801", "from jax import config"),
    ("from jax import *\ntree_map", "JAX801", "from jax import *\nimport jax\njax.tree.map"),
]


def fixed(old):
    """The codes found in ``old``, and ``old`` after all fixes."""
    config = Config(root="/project", select=("JAX8", "JAX409"))

    def check(source):
        return check_source(source, config).diagnostics

    outcome = fix_source(Source.from_text(old + "\n", "/project/a.py"), check, list(Applicability))
    assert outcome.error is None
    found = check(Source.from_text(old + "\n", "/project/a.py"))
    return {diagnostic.code for diagnostic in found}, outcome.source.text.rstrip("\n")


@pytest.mark.parametrize("old, code, new", TABLE, ids=[row[0].replace("\n", "; ")[:60] for row in TABLE])
def test_reported_and_rewritten(old, code, new):
    codes, text = fixed(old)
    assert codes == {code}
    assert text == (old if new is None else new)


def test_what_is_written_runs():
    """The new code of all rows, in one process with the installed JAX."""
    pytest.importorskip("jax")
    program = (
        "import json, sys\nfailed = {}\n"
        "for text in json.load(sys.stdin):\n"
        "    try:\n        exec(text, {'__name__': 'row'})\n"
        "    except Exception as error:\n        failed[text] = repr(error)\n"
        "print(json.dumps(failed))\n"
    )
    rows = [new for _, _, new in TABLE if new is not None]
    run = subprocess.run([sys.executable, "-c", program], input=json.dumps(rows), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {}
