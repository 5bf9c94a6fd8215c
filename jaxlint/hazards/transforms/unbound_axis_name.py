"""Unbound axis name, or unknown axis of a mesh.

## What it does
Reports `lax.psum`, `pmean`, `axis_index` and the other collectives where the name of the axis is not
bound by any `vmap`, `pmap` or `shard_map` around them, and `PartitionSpec`s that name an axis which
the `Mesh` beside them does not have. A collective is reported only where all transforms around it are
known: in what the module calls itself, and under `pmap` and `shard_map`. One that stands under a
condition, such as `if devices > 1`, is not.

## Why is this bad
Tracing raises `NameError: unbound axis name`, a sharding `ValueError`. `jit` binds no names, and
`vmap` and `pmap` only the one that `axis_name=` gives.

## Example
```python
def centred(x):
    return x - jax.lax.pmean(x, "batch")


jax.vmap(centred)(xs)
```

## Use instead
```python
jax.vmap(centred, axis_name="batch")(xs)
```

## When to ignore
Never: the call fails.

## Fix safety
Unsafe: a name like one that is bound is taken for a misspelling of it, and so is another one where all that maps the
code binds a single name. Where one `vmap` or `pmap` maps the code without a name, it gets the one that is asked for. Shown
only: `None` for an axis that the mesh lacks, and `vmap` where the function is called without.

## References
- JAX documentation, "Manual parallelism with `shard_map`": https://docs.jax.dev/en/latest/notebooks/shard_map.html
- JAX documentation, `jax.vmap` (`axis_name`): https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html
- JAX documentation, `jax.lax.psum`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.psum.html
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from jaxlint.analysis.transforms.axis_names import UnboundAxisName
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.transforms.axes import named
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX528",
    category=Category.FAILS,
    hazards=(UnboundAxisName,),
    error="NameError",
    fixable="unsafe",
)


def check(hazard: UnboundAxisName, file: File) -> Iterator[Finding]:
    short = (hazard.api or "").rpartition(".")[2]
    names = " and ".join(f'`"{name}"`' for name in hazard.bound)
    nearest = get_close_matches(hazard.name, hazard.bound, 1)
    if hazard.where == "mesh":
        message = f'Unknown mesh axis `"{hazard.name}"` in `{file.code(hazard.operand, 40)}`'
        advice = f"Use one of its axes: {names}."
    else:
        message = f'Unbound axis name `"{hazard.name}"` in `{short}`'
        if hazard.bound:
            advice = f"Use a bound axis name: {names}."
        elif hazard.unnamed:
            advice = f'Name the axis where the function is mapped: `axis_name="{hazard.name}"`.'
        else:
            advice = f'Call the function through `jax.vmap(…, axis_name="{hazard.name}")`, or `jax.shard_map` over a mesh with that axis.'
    if nearest:
        advice += f' Did you mean `"{nearest[0]}"`?'
    yield Finding(hazard.site, message, advice, named(file, hazard.site, hazard.operand, hazard))
