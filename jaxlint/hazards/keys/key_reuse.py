"""Random key reused; both uses draw the same random numbers.

## What it does
Reports the second use of a random key by a sampler, by `split`, or by `fold_in` with the same data:
directly, under another name, through an attribute or element, or in a helper. Two keys made of the
same seed in one function are one key.

Layers of Equinox, initialisers, dropout, the `init` and `apply` of Flax modules and the `apply` of a function that Haiku
transformed use their keys, too, where they certainly draw. The streams of `nnx.Rngs(key)` draw the keys of `split(key)`.
Two modules of one class that are initialised with the same arguments, a network and its target, are not reported.

Branches that exclude each other, different elements of one `split`, and a name that was bound to
a new key in between are not reported. Neither are draws that meet nowhere:

- in a notebook (a module with cell markers such as `# %%` or `# In[1]:`), whose cells are run again and in
  any order: uses at the top level of two cells, and calls there of one function for two runs that are
  compared, unless the second goes on from what the first gave;
- a function and what `grad`, `jit` or another transform has made of it, called with the same arguments;
- a draw that nothing reads on the way to the other one and after it, and a warm-up, for which it is only waited.

A comment that names the key declares it as shared on purpose, at the statement that makes it or at its first use:
`# jaxlint: shared-key=key`.

In test files and benchmarks the rule is off unless it is selected by its code.

## Why is this bad
JAX's generators are pure functions of the key: the same key gives the same numbers. Two draws that
should be independent are equal, or are the same bits in another shape, and nothing says so.

## Example
```python
def init(key):
    weights = jax.random.normal(key, (3, 3))
    bias = jax.random.normal(key, (3,))
    return weights, bias
```

## Use instead
```python
def init(key):
    key, subkey = jax.random.split(key)
    weights = jax.random.normal(subkey, (3, 3))
    bias = jax.random.normal(key, (3,))
    return weights, bias
```

## When to ignore
Where the same numbers are wanted twice, as for a pair of images that are augmented alike: declare
the key with `# jaxlint: shared-key=key`.

## Fix safety
Unsafe: the key is split before its first use, so the numbers drawn change. An element of an array of keys is
replaced by one that nothing takes yet, and what cannot be bound anew, such as `self.key`, is split into two names;
the attribute itself stays as it is. There is no fix where the key is inside the function that is called.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
- `jax.debug_key_reuse`, JAX's own check of typed keys at run time
  (https://docs.jax.dev/en/latest/jax.experimental.key_reuse.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import KeyReuse
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.splitting import (
    is_read_in,
    other_element,
    reaches,
    split_around,
    split_before,
    split_for_two,
    split_moved_up,
)
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX401",
    category=Category.WRONG,
    hazards=(KeyReuse,),
    error="KeyReuseError",
    in_tests=False,
    fixable="unsafe",
)


def check(hazard: KeyReuse, file: File) -> Iterator[Finding]:
    if hazard.how == "split":
        return  # key-used-after-split says it
    key = file.code(hazard.operand, 40)
    first = file.code(hazard.first, 40)
    within = hazard.operand != hazard.site and not hazard.next_step
    fix = _fix(file, hazard.first, hazard.first_operand, hazard.operand) if within else None
    advice = f"Split it first, `{key}, subkey = jax.random.split({key})`, and use each key once."
    if type(file.unit.nodes[hazard.operand]) not in (ir.Name, ir.Attribute):
        advice = "Pass a separate key to each use, from `jax.random.split`."
    if hazard.next_step:
        advice = "Split the key in each step, and carry on a part that the step does not use."
    held = "in " if hazard.operand == hazard.site else ""  # the call holds the key, as a bound argument does
    yield Finding(
        hazard.site,
        f"Key {held}`{key}` reused; already consumed by `{first}`",
        advice,
        fix,
        also=((f"`{first}` consumes it {'in the step before' if hazard.next_step else 'first'}", hazard.first),),
    )


def _fix(file: File, call: int, first: int, second: int) -> Fix | None:
    if not reaches(file, call, first, second):
        return None
    key, statement = file.unit.nodes[second], file.unit.statement(first)
    if isinstance(key, ir.Name) and isinstance(statement, ir.Assign) and key.id in bound_by(statement):
        return None  # what uses the key first gives it back
    if first == call:  # which holds the key
        return split_around(file, call, second)
    moved = split_moved_up(file, first, second)
    if moved is not None:
        return moved
    again = split_before(file, first, second) if is_read_in(file, first, second) else None
    return again or other_element(file, first, second) or split_for_two(file, first, second)
