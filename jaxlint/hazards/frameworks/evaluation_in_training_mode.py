"""NNX module evaluated in training mode, with dropout or the statistics of the batch.

## What it does
Reports calls that evaluate an NNX module, outside of any derivative, after the same program has taken its derivative,
where the module holds an `nnx.Dropout` or `nnx.BatchNorm` that is in training mode. Nothing is reported where the files
name `eval`, `view` or `set_attributes`, or tell a layer `deterministic=` or `use_running_average=`. Reports as well
`nn.BatchNorm` of Linen that uses its running average where `apply` is differentiated and asked for new statistics,
`mutable=["batch_stats"]`, if no other one of the module may update them.

## Why is this bad
Modules of NNX are in training mode until `model.eval()` is called. Dropout still hides a part of the activations, so
predictions are noisy and differ from call to call; batch norm uses the statistics of the batch that it is given, and
changes its averages. Nothing is raised.

## Example
```python
for batch in batches:
    train_step(model, optimizer, batch)
accuracy = evaluate(model, test)
```

## Use instead
```python
for batch in batches:
    train_step(model, optimizer, batch)
model.eval()
accuracy = evaluate(model, test)
```

## When to ignore
Where samples of dropout are what is wanted, as in Monte Carlo dropout.

## Fix safety
There is no fix: where training goes on is for you to say.

## References
- Flax documentation, "MNIST tutorial", `model.eval()` (https://flax.readthedocs.io/en/stable/mnist_tutorial.html)
- Flax documentation, `nnx.Module.eval`: https://flax.readthedocs.io/en/stable/api_reference/flax.nnx/module.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.training_modes import AverageInTraining, EvaluationInTrainingMode
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX618",
    category=Category.WRONG,
    hazards=(EvaluationInTrainingMode, AverageInTraining),
    in_tests=False,
)


def check(hazard: EvaluationInTrainingMode | AverageInTraining, file: File) -> Iterator[Finding]:
    if isinstance(hazard, AverageInTraining):
        yield Finding(
            hazard.site,
            "Batch norm uses its running average in training, and never updates it",
            "Pass the opposite of the training flag: `use_running_average=not train`.",
            also=(("the new statistics are asked for here", hazard.apply),),
        )
        return
    yield Finding(
        hazard.site,
        f"Evaluation of `{hazard.module}` in training mode: `nnx.{hazard.api}` is active",
        "Call `model.eval()` before it, and `model.train()` before training goes on.",
        also=(("trained here", hazard.trained),),
    )
