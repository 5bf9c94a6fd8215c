"""Active Equinox dropout layer called without a key.

## What it does
Reports calls of an `eqx.nn.Dropout` with a rate above 0, which is not switched to inference, where no key is passed, or None.

## Why is this bad
In training the layer draws which activations it drops, and raises `RuntimeError` without a key. A `key=None` in the
signature of the module hides that a call of the model forgets it.

## Example
```python
import equinox as eqx
import jax.numpy as jnp

dropout = eqx.nn.Dropout(0.5)
y = dropout(jnp.ones(3))
```

## Use instead
```python
import equinox as eqx
import jax
import jax.numpy as jnp

dropout = eqx.nn.Dropout(0.5)
y = dropout(jnp.ones(3), key=jax.random.key(0))
```

For evaluation, `model = eqx.nn.inference_mode(model)`. Under `vmap` each example takes a key of its own.

## When to ignore
Where the call is meant to raise.

## Fix safety
There is no fix: where the key comes from is for you to decide.

## References
- Equinox documentation, "equinox.nn.Dropout": https://docs.kidger.site/equinox/api/nn/dropout/
- Equinox documentation, "equinox.nn.inference_mode": https://docs.kidger.site/equinox/api/nn/inference/
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.keys.layer_keys import EquinoxLayerWithoutKey
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX623",
    name="equinox-layer-without-key",
    summary="Active Equinox dropout layer called without a key.",
    category=Category.FAILS,
    hazards=(EquinoxLayerWithoutKey,),
    error="RuntimeError",
)


def check(hazard: EquinoxLayerWithoutKey, file: File) -> Iterator[Finding]:
    message = f"Dropout without a key: `{file.code(hazard.site, 40)}`"
    advice = "Pass `key=` down from the call of the model, or disable dropout with `eqx.nn.inference_mode(model)`."
    yield Finding(hazard.site, message, advice)
