"""The rewrite for a scan whose carry grows: where it is offered, it gives under JAX what a Python loop gives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Applicability
from jaxlint.source.text import Source

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n\n\n"

OFFERED = {
    "append": "def body(kept, y):\n    return jnp.append(kept, 2 * y), None\n\n\ndef f():\n    ys = jnp.arange(4.0)\n"
    "    kept, _ = lax.scan(body, jnp.zeros(0), ys)\n    return kept\n",
    "append, no names": "def f():\n    ys = jnp.arange(4.0)\n    return lax.scan(lambda kept, y: (jnp.append(kept, 2 * y), None), jnp.zeros(0), ys)[0]\n",
    "concatenate": "def body(kept, y):\n    return jnp.concatenate([kept, (2 * y)[None]]), None\n\n\ndef f():\n    ys = jnp.arange(4.0)\n"
    "    kept, rest = lax.scan(body, jnp.zeros((0,)), ys)\n    return kept\n",
    "concatenate a tuple": "def body(kept, y):\n    z = 2 * y\n    return jnp.concatenate((kept, z[None])), None\n\n\ndef f():\n    ys = jnp.arange(4.0)\n"
    "    kept, _ = lax.scan(body, jnp.array([]), ys)\n    return kept\n",
    "by keyword": "def body(kept, y):\n    return jnp.append(kept, 2 * y), None\n\n\ndef f():\n    ys = jnp.arange(4.0)\n"
    "    kept, _ = lax.scan(body, init=jnp.zeros(0), xs=ys)\n    return kept\n",
}
SCAN = "def f():\n    ys = jnp.arange(4.0)\n    kept, _ = lax.scan(body, {}, ys)\n    return kept\n"
NOT_OFFERED = {
    "a start that holds something": "def body(kept, y):\n    return jnp.append(kept, y), None\n\n\n" + SCAN.format("jnp.zeros(1)"),
    "an output of its own": "def body(kept, y):\n    return jnp.append(kept, y), y\n\n\n" + SCAN.format("jnp.zeros(0)"),
    "added in front": "def body(kept, y):\n    return jnp.concatenate([y[None], kept]), None\n\n\n" + SCAN.format("jnp.zeros(0)"),
    "added twice": "def body(kept, y):\n    return jnp.concatenate([kept, y[None], y[None]]), None\n\n\n" + SCAN.format("jnp.zeros(0)"),
    "the carry is read": "def body(kept, y):\n    return jnp.append(kept, y + kept.sum()), None\n\n\n" + SCAN.format("jnp.zeros(0)"),
    "the carry is read before": "def body(kept, y):\n    z = kept.sum()\n    return jnp.append(kept, y + z), None\n\n\n" + SCAN.format("jnp.zeros(0)"),
    "another array grows": "def body(kept, y):\n    return jnp.append(y, kept), None\n\n\n" + SCAN.format("jnp.zeros(0)"),
    "an axis": "def body(kept, y):\n    return jnp.append(kept, y, axis=None), None\n\n\n" + SCAN.format("jnp.zeros(0)"),
    "no axis is added": "def body(kept, y):\n    return jnp.concatenate([kept, jnp.stack([y])]), None\n\n\n" + SCAN.format("jnp.zeros(0)"),
    "a part of the carry": "def body(kept, y):\n    a, n = kept\n    return (jnp.append(a, y), n), None\n\n\n" + SCAN.format("(jnp.zeros(0), 0)"),
    "outputs that are kept": "def body(kept, y):\n    return jnp.append(kept, y), None\n\n\ndef f():\n    ys = jnp.arange(4.0)\n"
    "    result = lax.scan(body, jnp.zeros(0), ys)\n    return result\n",
    "another function": "def body(kept, y):\n    return jnp.hstack([kept, y[None]]), None\n\n\n" + SCAN.format("jnp.zeros(0)"),
}  # fmt: skip


def offered(program: str) -> list[str]:
    """The program with the rewrite, for each finding that has one."""
    text = HEAD + program + "\n\nRESULT = f\n"
    found = check_source(Source.from_text(text, "program.py"), Config(root="", select=("JAX5",))).diagnostics
    assert found, "the carry grows, which is to be reported"
    results = []
    for each in found:
        if each.fix is not None and each.fix.message == "Collect it as the output of the scan":
            assert each.fix.applicability is Applicability.DISPLAY
            result = text
            for edit in sorted(each.fix.edits, key=lambda edit: edit.start, reverse=True):
                result = result[: edit.start] + edit.content + result[edit.end :]
            results.append(result)
    return results


def run(text: str) -> object:
    names: dict[str, object] = {}
    exec(text, names)
    return names["RESULT"]()


@pytest.mark.parametrize("name", OFFERED)
def test_the_rewrite_collects_what_the_carry_was_to_hold(name: str) -> None:
    with pytest.raises(TypeError):
        run(HEAD + OFFERED[name] + "\n\nRESULT = f\n")
    [result] = offered(OFFERED[name])
    np.testing.assert_array_equal(run(result), 2 * jnp.arange(4.0))
    assert jax.jit(lambda: run(result))().shape == (4,)


@pytest.mark.parametrize("name", NOT_OFFERED)
def test_no_rewrite_where_it_would_give_something_else(name: str) -> None:
    assert offered(NOT_OFFERED[name]) == []
