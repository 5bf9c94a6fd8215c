"""Random key used after `jax.random.split` consumed it.

## What it does
Reports a sampler, a second `split`, or a `fold_in` whose number is below the count of the split, on
a key that `jax.random.split` has consumed.

As for `key-reuse`, uses in two cells of a notebook, runs that are compared there, draws that nothing
reads, and a key that a comment declares as shared (`# jaxlint: shared-key=key`) are not reported. In test files and
benchmarks the rule is off unless it is selected by its code.

## Why is this bad
`split` uses the key up. A second `split` gives the same subkeys again (`split(key, 5)[:2]` equals
`split(key, 2)`), `fold_in(key, i)` equals `split(key, n)[i]`, and a sampler draws numbers that are not
independent of those drawn from the subkeys.

## Example
```python
def init(key):
    k1, k2 = jax.random.split(key)
    weights = jax.random.normal(k1, (3, 3))
    bias = jax.random.normal(key, (3,))
    return weights, bias, k2
```

## Use instead
```python
def init(key):
    key, k1, k2 = jax.random.split(key, 3)
    weights = jax.random.normal(k1, (3, 3))
    bias = jax.random.normal(key, (3,))
    return weights, bias, k2
```

## When to ignore
Where the same numbers are wanted again: declare the key with `# jaxlint: shared-key=key`.

## Fix safety
Unsafe: the key is bound to a new one where it is split, so the numbers drawn change. Where the key is no name that can
be bound anew (`self.key`), the split gives one key more.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import KeyReuse
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.split_above import keep_one
from jaxlint.rewrite.keys.splitting import (
    binds,
    is_read_in,
    one_more,
    other_element,
    reaches,
    split_around,
    split_before,
    split_for_two,
)
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX403",
    category=Category.WRONG,
    hazards=(KeyReuse,),
    error="KeyReuseError",
    in_tests=False,
    fixable="unsafe",
)


def check(hazard: KeyReuse, file: File) -> Iterator[Finding]:
    if hazard.how != "split":
        return
    key = file.code(hazard.operand, 40)
    first = file.code(hazard.first, 40)
    fix = None
    if hazard.operand != hazard.site and not hazard.next_step and reaches(file, hazard.first_operand, hazard.operand):
        fix = _fix(file, hazard.first, hazard.first_operand, hazard.operand)
    used = f"Key `{key}` used after `{first}` consumed it"
    advice = f"Bind `{key}` to a new key at the split, or use one of the keys of the split."
    if hazard.operand == hazard.site:  # the call holds the key, as a bound argument does
        used = f"Key in `{key}` used after `{first}` consumed it"
        advice = "Pass a separate key to each use, from `jax.random.split`."
    if hazard.next_step:
        advice = "Carry on a part of the split that the step does not use."
    yield Finding(
        hazard.site,
        used,
        advice,
        fix,
        also=((f"`{first}` consumed it{' in the step before' if hazard.next_step else ''}", hazard.first),),
    )


def _fix(file: File, split: int, first: int, second: int) -> Fix | None:
    if first == split:  # the call holds the key
        return split_around(file, split, second)
    if is_read_in(file, first, second) and binds(file, first):
        return keep_one(file, split, second) or split_before(file, first, second)
    more = one_more(file, split, second) or other_element(file, first, second)
    if more is None and file.code(first) == file.code(second) and type(file.unit.nodes[first]) is ir.Attribute:
        more = keep_one(file, split, second)
    return more or split_for_two(file, first, second)
