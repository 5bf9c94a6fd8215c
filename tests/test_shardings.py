"""Axes of arrays that several devices share: reports are compared with what JAX does with four of them."""

import subprocess
import sys
import textwrap

import pytest

from jaxlint.api import check

PROGRAM = """\
import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 4)
mesh = jax.make_mesh((2, 2), ("data", "model"))
x = np.zeros((147, 6), np.float32)


def batches(size):
    for start in range(0, len(x), size):
        yield x[start : start + size]


"""
BODIES = {
    "whole batches": ("for batch in batches(49):\n    jax.device_put(batch, NamedSharding(mesh, P(None, 'model')))", False),
    "a smaller last batch": ("for batch in batches(32):\n    jax.device_put(batch, NamedSharding(mesh, P('data')))", True),
    "two axes of the mesh": ("jax.device_put(x[:6], NamedSharding(mesh, P(('data', 'model'))))", True),
    "one axis of the mesh": ("jax.device_put(x[:6], NamedSharding(mesh, P('data')))", False),
    "an axis that is not named": ("jax.device_put(x[:7], NamedSharding(mesh, P()))", False),
    "a compiled argument": ("jax.jit(lambda x: x.sum(), in_shardings=NamedSharding(mesh, P('data')))(x[:7])", True),
    "devices that are not counted": (
        "all = jax.make_mesh((jax.device_count(),), ('data',))\njax.device_put(x[:8], NamedSharding(all, P('data')))", False
    ),
}  # fmt: skip


@pytest.mark.parametrize("body, fails", BODIES.values(), ids=BODIES)
def test_it_is_reported_what_jax_refuses(body, fails):
    code = PROGRAM + "def run():\n" + textwrap.indent(body, "    ") + "\n\n\nrun()\n"
    found = [each for each in check(code) if each.code == "JAX213"]
    assert [each.message.split(" of ")[0] for each in found] == ["Axis"] * fails
    pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode != 0) == fails, done.stderr
