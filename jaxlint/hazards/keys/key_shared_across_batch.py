"""Random key shared by every element or step of a mapped or scanned function.

## What it does
Reports a sampler or a `split`, in a function given to `vmap`, `pmap`, `lax.scan`, `fori_loop`, `while_loop` or `lax.map`,
whose key comes from outside: closed over, or passed with `in_axes=None`. So are layers that `nnx.vmap` makes for each member
with streams of `in_axes=None`. So is a key that the function makes of a written
seed, `jax.random.key(0)`. In a function given to `jax.tree.map` what is drawn of the shape of a leaf is reported, as all
leaves of one shape get the same; rows that are picked alike of all leaves are not. A loop body that hands on the very key it has consumed is reported too. So is dropout whose key or
streams are made of a constant where it is called, `nnx.Rngs(dropout=0)`, in code that is compiled or in `__call__`: each
step drops the same units. Keys that are mapped, carried and split, or made with `fold_in` of an index are not reported;
neither is one that a comment declares as shared (`# jaxlint: shared-key=key`). In test files and benchmarks the rule is off
unless it is selected by its code.

## Why is this bad
The function runs once for each element or step, each time with the same key: all of them get the
same random numbers.

## Example
```python
def perturb(key, points):
    def one(point):
        return point + jax.random.normal(key)
    return jax.vmap(one)(points)
```

## Use instead
```python
def perturb(key, points):
    def one(key, point):
        return point + jax.random.normal(key)
    keys = jax.random.split(key, points.shape[0])
    return jax.vmap(one)(keys, points)
```

## When to ignore
Where all elements are meant to share the numbers, such as one dropout mask for all time steps: declare the
key with `# jaxlint: shared-key=key`.

## Fix safety
Unsafe: the key is split into one for each element, which comes in as an argument, or the number of the step is folded in;
the numbers drawn change. A loop body that hands its key on splits it. The fix is only shown where it is a guess that what
is mapped over is an array, and there is none where the function is used elsewhere, or for `while_loop` and `pmap`.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import KeySharedAcrossBatch
from jaxlint.analysis.keys.constant_keys import ConstantMask
from jaxlint.analysis.models.nnx import DROPOUT, NnxMembersAlike
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.own_keys import own_keys
from jaxlint.rewrite.keys.splitting import reaches
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX404",
    category=Category.WRONG,
    hazards=(KeySharedAcrossBatch, ConstantMask, NnxMembersAlike),
    in_tests=False,
    fixable="unsafe",
)

_MAPPING = ("vmap", "pmap", "lax.map", "hk.vmap", "hk.map", "nnx.vmap")


def check(hazard: KeySharedAcrossBatch | ConstantMask | NnxMembersAlike, file: File) -> Iterator[Finding]:
    key = file.code(hazard.operand, 40)
    if type(hazard) is ConstantMask:
        streams = hazard.api == DROPOUT
        yield Finding(
            hazard.site,
            f"Dropout by the constant `{key}`; every run drops the same units",
            "Make `nnx.Rngs` once, outside, and pass it to the layer where that is made."
            if streams
            else "Pass a key that is another one in each call, from `jax.random.split` or `fold_in`.",
        )
        return
    if type(hazard) is NnxMembersAlike:
        yield Finding(
            hazard.site,
            "Streams shared by every member of `nnx.vmap`, which get equal parameters",
            "Map over them, `in_axes=0`, and split them with `@nnx.split_rngs(splits=…)` above `nnx.vmap`.",
            also=(("made here, alike for all", hazard.operand),),
        )
        return
    assert type(hazard) is KeySharedAcrossBatch
    how = hazard.how
    mapping = how in _MAPPING
    over_leaves = how.rpartition(".")[2] in ("map", "tree_map") and not mapping
    each = "device" if how == "shard_map" else "leaf" if over_leaves else "element" if mapping else "step"
    advice = f"Split `{key}` into one key for each element, and map over the keys."
    if not mapping:
        advice = f"Carry `{key}` through the loop and split it in each step, or fold in the index of the step."
    if how == "shard_map":
        advice = f"Fold the number of the device into `{key}`: `jax.random.fold_in({key}, jax.lax.axis_index(…))`."
    if over_leaves:
        advice = f"Split `{key}` into as many keys as the tree has leaves, and map over the tree of keys, too."
    used = f"Key `{key}`"
    if hazard.operand == hazard.site:  # the call holds the key, as a bound argument does
        used, advice = f"Key in `{key}`", f"Pass a separate key to each {each}, from `jax.random.split`."
    yield Finding(
        hazard.site,
        f"{used} shared by every {each} of `{how}`",
        advice,
        _fix(hazard, file),
        also=((f"`{how}` runs the function for each {each}", hazard.first),),
    )


def _fix(hazard: KeySharedAcrossBatch, file: File) -> Fix | None:
    made = isinstance(file.unit.nodes[hazard.operand], ir.Call)  # of a constant, in the function
    if hazard.operand == hazard.site or (not made and not reaches(file, hazard.operand, hazard.first)):
        return None
    return own_keys(file, hazard.first, hazard.how, hazard.operand)
