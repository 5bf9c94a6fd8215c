"""Option of a layer with the meaning that it has in PyTorch.

## What it does
Reports `momentum` of a batch norm of Flax or Equinox, and `decay_rate` of Haiku's, with a value below one half, and
`max_pool`, `avg_pool` and `min_pool` of Flax with a window and without `strides`, and masks of attention that compare
with a number by `==`: `tokens == PAD`.

## Why is this bad
In PyTorch `momentum` is the share of the new statistics, 0.1 by default. In Flax, Equinox and Haiku it is the share of
the old ones, 0.99 by default: with 0.1 the running statistics are nearly those of the last batch, and evaluation is as
noisy as that batch. In PyTorch a pooling layer moves its window by its size where no stride is given. In Flax it moves
by one element, so that the image keeps its size, and the layers after it grow. A `key_padding_mask` of PyTorch is true for
what attention leaves out. The masks of JAX, Flax, Equinox and Haiku are true for what it takes.

## Example
```python
import flax.linen as nn

def block(x):
    x = nn.relu(nn.Conv(32, (3, 3))(x))
    return nn.max_pool(x, (2, 2))
```

## Use instead
```python
import flax.linen as nn

def block(x):
    x = nn.relu(nn.Conv(32, (3, 3))(x))
    return nn.max_pool(x, (2, 2), strides=(2, 2))
```

## When to ignore
Where statistics that follow the last batches are meant. For windows that overlap say so: `strides=(1, 1)`.

## Fix safety
Unsafe: the statistics change more slowly, and the result of a pool is smaller, with it the parameters of the layers
after it.

## References
- Flax documentation, `flax.linen.BatchNorm` and `flax.linen.max_pool`:
  https://flax-linen.readthedocs.io/en/latest/api_reference/flax.linen/layers.html
- PyTorch documentation, `torch.nn.BatchNorm2d` and `torch.nn.MaxPool2d`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.training.layer_conventions import TorchConvention
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import passing
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX635",
    category=Category.WRONG,
    hazards=(TorchConvention,),
    fixable="unsafe",
)


def check(hazard: TorchConvention, file: File) -> Iterator[Finding]:
    call, fix = file.unit.nodes[hazard.site], None
    if file.model.is_test and hazard.how == "strides":
        return  # which may compare all of its options
    if hazard.how == "mask":
        message = f"Attention mask `{file.code(hazard.operand, 40)}` is true at one number alone"
        advice = "Compare with `!=`: attention takes what its mask is true for, and in PyTorch what it is false for."
    elif hazard.how == "strides":
        window = operand(file, hazard.operand)
        layer = file.called(hazard.site, hazard.api)
        message = f"`{layer}` without `strides` moves its window by one element"
        advice = f"Pass `strides={window}` to move it by its size, or `strides=(1, 1)` where windows are to overlap."
        if isinstance(call, ir.Call):
            fix = passing(file, call, f"strides={window}", "Move the window by its size", "the result is smaller")
    else:
        kept = round(1 - hazard.share, 6)
        message = (
            f"`{hazard.parameter}={hazard.share!r}` keeps {hazard.share:.0%} of the running statistics in each step"
        )
        advice = f"Pass `{hazard.parameter}={kept!r}`: it is the share of the old statistics, and in PyTorch that of the new."
        edit = file.replace(hazard.operand, repr(kept))
        fix = Fix("Keep the old statistics", (edit,), changes="the running statistics change slowly")
    yield Finding(hazard.site, message, advice, fix)
