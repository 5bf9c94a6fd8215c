"""Random key reused in every iteration of a loop.

## What it does
Reports a sampler or a `split` in a Python loop or comprehension that gets the same key in every pass. A loop that binds the
key anew (`key, subkey = split(key)`), that takes another element of an array of keys each time, or that folds the counter
in, is not reported. Neither is a loop whose passes overwrite, unread, what the pass before has drawn, as where it is timed,
nor a call in an `if step % 100 == 0` whose result no other pass computes with: such checks compare what is learnt on the
same numbers. Nor is a key that a comment declares as shared (`# jaxlint: shared-key=key`). In test files and benchmarks the
rule is off unless it is selected by its code.

## Why is this bad
Every pass draws the same numbers: the noise of all steps, or the weights of all layers, are equal.

## Example
```python
def walk(key, steps):
    position = 0.0
    for _ in range(steps):
        position += jax.random.normal(key)
    return position
```

## Use instead
```python
def walk(key, steps):
    position = 0.0
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        position += jax.random.normal(subkey)
    return position
```

## When to ignore
Where each pass is meant to see the same numbers: declare the key with `# jaxlint: shared-key=key`.

## Fix safety
Unsafe: the key is split in every pass, so the numbers drawn change. A key that cannot be bound anew (`self.key`, or that
of a function around) is split under another name, which starts above the loop. A comprehension goes over the keys of one
split, or folds its counter in. There is no fix where the function that is called holds the key.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import KeyReuseInLoop
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.own_keys import carried_beside, drawn_for_each, folded_above
from jaxlint.rewrite.keys.splitting import is_mapped, is_single, reaches, split_before
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX402",
    category=Category.WRONG,
    hazards=(KeyReuseInLoop,),
    error="KeyReuseError",
    in_tests=False,
    fixable="unsafe",
)


def check(hazard: KeyReuseInLoop, file: File) -> Iterator[Finding]:
    loop = file.unit.nodes[hazard.first]
    key = file.code(hazard.operand, 40)
    what = "comprehension" if type(loop) is ir.Comprehension else "loop"
    fix = None
    if hazard.operand != hazard.site and reaches(file, loop.site, hazard.operand):
        fix = (
            drawn_for_each(file, loop, hazard.operand)
            if what == "comprehension"
            else _in_loop(file, loop, hazard.operand)
        )
    same = f"Key `{key}`"
    advice = f"Split the key in the loop: `{key}, subkey = jax.random.split({key})`."
    if what == "comprehension":
        advice = f"Split `{key}` once, with one key for each element, or fold in a counter."
    elif is_mapped(file, hazard.operand) and not is_single(file, hazard.operand):
        advice = f"Split each key in the loop, with `jax.vmap(jax.random.split, out_axes=1)({key})`."
    if hazard.operand == hazard.site:  # the call holds the key, as a bound argument does
        same = f"Key in `{key}`"
        advice = "Pass a separate key in each iteration, from `jax.random.split` or `fold_in`."
    yield Finding(
        hazard.site,
        f"{same} reused in every iteration of the {what}",
        advice,
        fix,
        also=((f"the {what}", loop.site),),
    )


def _in_loop(file: File, loop: ir.Node, operand: int) -> Fix | None:
    if file.unit.scope(loop.site) is not file.unit.scope(operand):
        return None
    return folded_above(file, operand) or split_before(file, operand) or carried_beside(file, loop, operand)
