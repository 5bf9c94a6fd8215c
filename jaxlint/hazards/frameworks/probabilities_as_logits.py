"""Probabilities passed as logits.

## What it does
Reports results of `jax.nn.softmax` and `jax.nn.sigmoid`, of a module that ends with one too, that are given to a cross
entropy of Optax or to `jax.random.categorical`, as they are.

## Why is this bad
These functions take logits, and apply a softmax or sigmoid of their own. Of probabilities that makes nearly equal ones: the
loss cannot come near 0, gradients are weak, and samples are nearly uniform. Nothing is raised.

## Example
```python
import jax
import jax.numpy as jnp
import optax

scores = jnp.array([[4.0, 0.0, 0.0]])
loss = optax.softmax_cross_entropy_with_integer_labels(jax.nn.softmax(scores), jnp.array([0]))
```

## Use instead
```python
import jax
import jax.numpy as jnp
import optax

scores = jnp.array([[4.0, 0.0, 0.0]])
loss = optax.softmax_cross_entropy_with_integer_labels(scores, jnp.array([0]))
```

## When to ignore
Where a softmax of probabilities is meant, as a strong smoothing.

## Fix safety
There is no fix: whether the softmax goes or a logarithm is taken depends on who else reads the probabilities.

## References
- Optax documentation, "optax.losses": https://optax.readthedocs.io/en/latest/api/losses.html
- JAX documentation, "jax.random.categorical"
  (https://docs.jax.dev/en/latest/_autosummary/jax.random.categorical.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.logits import ProbabilitiesAsLogits
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX632",
    category=Category.WRONG,
    hazards=(ProbabilitiesAsLogits,),
)


def check(hazard: ProbabilitiesAsLogits, file: File) -> Iterator[Finding]:
    short = (hazard.api or "").rpartition(".")[2]
    message = f"Probabilities `{file.code(hazard.operand, 40)}` passed as logits to `{short}`"
    advice = "Pass the input of the softmax or sigmoid, or convert probabilities with `jnp.log(p)`."
    yield Finding(hazard.site, message, advice)
