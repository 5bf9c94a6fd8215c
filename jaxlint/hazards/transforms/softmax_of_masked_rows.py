"""Rows of a softmax are masked from end to end with minus infinity, and become NaN.

## What it does
Reports `jax.nn.softmax` and `log_softmax` over the last axis of `jnp.where(mask, scores, -jnp.inf)`, where a part of the mask is
the same all along a row, as `valid[:, None]` is. A softmax with `where=`, and one whose result `jnp.where` or `jnp.nan_to_num`
replaces, are left alone.

## Why is this bad
The softmax of a row that holds nothing but minus infinity is NaN. So is the gradient of what the weights are multiplied with, also
where the row is not used afterwards: NaN times zero is NaN, and the parameters of the whole model become NaN.

## Example
```python
visible = present[:, None, :] & present[:, :, None]
weights = jax.nn.softmax(jnp.where(visible, scores, -jnp.inf))
```

## Use instead
```python
visible = present[:, None, :] & present[:, :, None]
weights = jax.nn.softmax(jnp.where(visible, scores, jnp.finfo(scores.dtype).min))
```

## When to ignore
Where the mask holds for each row at least once.

## Fix safety
Unsafe: the least number of the dtype takes the place of minus infinity, so that a row which is masked from end to end has equal
weights.

## References
- JAX documentation, "jax.nn.softmax" (https://docs.jax.dev/en/latest/_autosummary/jax.nn.softmax.html)
- JAX documentation, "Frequently asked questions", gradients contain NaN where using `where`
  (https://docs.jax.dev/en/latest/faq.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.arrays.masked_rows import SoftmaxOfMaskedRows
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX531",
    summary="Softmax over rows fully masked with minus infinity, which gives NaN.",
    category=Category.WRONG,
    hazards=(SoftmaxOfMaskedRows,),
    fixable="unsafe",
)


def check(hazard: SoftmaxOfMaskedRows, file: File) -> Iterator[Finding]:
    function = (hazard.api or "").rpartition(".")[2]
    yield Finding(
        hazard.site,
        f"NaN from `{function}` in rows fully masked by `{file.code(hazard.part, 40)}`",
        "Mask with `jnp.finfo(scores.dtype).min`, or pass the mask as `where=` and replace those rows.",
        _finite(hazard, file),
        also=(("masked here", hazard.infinity),),
    )


@or_none
def _finite(hazard: SoftmaxOfMaskedRows, file: File) -> Fix:
    scores, draft = expect(ir.Name, file.unit.nodes[hazard.scores]), Draft(file)
    draft.replace(hazard.infinity, f"{draft.call('jax.numpy.finfo', f'{scores.id}.dtype')}.min")
    return draft.fix("Mask with the lowest number of the dtype", "fully masked rows become uniform")
