"""Number of keys from `jax.random.split` does not match its use.

## What it does
Reports keys that are unpacked into another number of names than `split` made of them, and arrays of keys
that are split again or folded into as if they were one key.

## Why is this bad
`jax.random.split(key)` gives two keys unless it is told a number: unpacking them into three names raises
`ValueError: not enough values to unpack`. All the keys together are an array, also where there are two:
`split` and `fold_in` take one key, and raise `ValueError: split accepts a single key`.

## Example
```python
key, noise_key, mask_key = jax.random.split(key)
```

## Use instead
```python
key, noise_key, mask_key = jax.random.split(key, 3)
```

## When to ignore
Never: the code raises an error, in traced code and outside of it.

## Fix safety
The fix tells `split` the number of names. It is unsafe: it is the number of names that may be wrong. Where the number is
computed, the keys that are too many are left unused. For an array that is used as one key, `keys[0]` is shown: which
of them is meant is not known.

## References
- JAX documentation, "Pseudorandom numbers": https://docs.jax.dev/en/latest/random-numbers.html
- jax.random.split: https://docs.jax.dev/en/latest/_autosummary/jax.random.split.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.keys.key_arrays import BatchOfKeysToSampler, KeyArray, SplitCountMismatch
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite.changes import GUESSED, NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX411",
    category=Category.FAILS,
    hazards=(SplitCountMismatch, BatchOfKeysToSampler),
    error="ValueError",
    fixable="unsafe",
)
DERIVING = ("jax.random.split", "jax.random.fold_in", "jax.random.clone")


def check(hazard: SplitCountMismatch | BatchOfKeysToSampler, file: File) -> Iterator[Finding]:
    keys: KeyArray = hazard.keys
    operand = file.code(hazard.operand, 40)
    if type(hazard) is SplitCountMismatch:
        names = f"{keys.targets} name{'' if keys.targets == 1 else 's'}"
        least = "at least " if keys.starred else ""
        wanted = keys.targets + keys.starred  # a starred name may get none, which is hardly what it is for
        yield Finding(
            hazard.site,
            f"Unpacking of {_keys(keys.count)} into {least}{names}: `{operand}`",
            f"Split the key into {wanted}: `split(key, {wanted})`.",
            _counted(file, keys.split, wanted) or _rest_left(hazard, file),
        )
    elif hazard.api in DERIVING:
        called = str(hazard.api).rpartition(".")[2]
        yield Finding(
            hazard.site,
            f"Key array `{operand}` ({_keys(keys.count)}) passed to `{called}`, which takes one",
            f"Pass one of the keys, `{operand}[0]`, or map over all with `jax.vmap`.",
            _first_of(file, hazard.operand),
            also=(("the keys are made here", keys.split),) if keys.split >= 0 else (),
        )


def _keys(count: int | None) -> str:
    return "keys" if count is None else f"{count} key{'' if count == 1 else 's'}"


@or_none
def _counted(file: File, split: int, count: int) -> Fix:
    """The number of keys, written into the call of `split`."""
    require(split >= 0)
    call = expect(ir.Call, file.unit.nodes[split])
    require(is_plain(call.args))
    number = call.args[1] if len(call.args) == 2 else value_of(call, "num")
    if number is not None:
        require(type(number) is ir.Constant)
        edit = file.replace(number.site, str(count))
    else:
        require(len(call.args) == 1 and not call.keywords)
        edit = file.insert(file.outer_span(call.args[0].site)[1], f", {count}")
    return Fix(f"Split into {count} keys", (edit,), changes=NUMBERS_DRAWN)


@or_none
def _first_of(file: File, operand: int) -> Fix:
    """`keys[0]`: which of them is for the author to say."""
    require(type(file.unit.nodes[operand]) in (ir.Name, ir.Attribute, ir.Call, ir.Subscript))
    edit = file.insert(file.outer_span(operand)[1], "[0]")
    return Fix(f"Take the first of the keys, `{file.code(operand, 40)}[0]`", (edit,), Applicability.DISPLAY)


@or_none
def _rest_left(hazard: SplitCountMismatch | BatchOfKeysToSampler, file: File) -> Fix:
    """`a, b, *_ = keys` where there are more keys than names."""
    keys: KeyArray = hazard.keys
    require(known(keys.count) > keys.targets and not keys.starred)
    statement = expect(ir.Assign, file.unit.statement(hazard.site))
    target = expect(ir.Sequence, only_target(statement))
    require(target.elements)
    edit = file.insert(file.span(target.elements[-1].site)[1], ", *_")
    return Fix(f"Leave the rest of the {keys.count} keys unused", (edit,), changes=GUESSED)
