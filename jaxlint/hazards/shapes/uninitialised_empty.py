"""Array from `jnp.empty` read before any write.

## What it does
Reports `jnp.empty` and `jnp.empty_like` where arithmetic, a comparison, a reduction or an update such as
`.at[i].add(v)` uses the array as it came. Since JAX 0.11 the array is what was in memory; whether the
code must run there is what `target-jax` says.

## Why is this bad
Up to JAX 0.10 the array is all zeros, and on a CPU it still is. On GPU and TPU it is not any more:
the same program gives other numbers each time, without an error.

## Example
```python
counts = jnp.empty(10)
counts = counts.at[labels].add(1.0)
```

## Use instead
```python
counts = jnp.zeros(10)
counts = counts.at[labels].add(1.0)
```

## When to ignore
Where the numbers do not matter, as in a benchmark. An array of which every element is set first is
not reported.

## Fix safety
Safe: `jnp.zeros` takes the same arguments and gives the same array wherever it was defined.

## References
- jax.numpy.empty: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.empty.html
- JAX change log, version 0.11.0: https://docs.jax.dev/en/latest/changelog.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.uninitialised import UninitialisedEmpty
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Category

RULE = Rule(
    code="JAX207",
    category=Category.WRONG,
    hazards=(UninitialisedEmpty,),
    fixable="safe",
)

_ZEROS = {"jax.numpy.empty": "jax.numpy.zeros", "jax.numpy.empty_like": "jax.numpy.zeros_like"}


def check(hazard: UninitialisedEmpty, file: File) -> Iterator[Finding]:
    call, draft = file.unit.nodes[hazard.site], Draft(file)
    zeros = _ZEROS.get(hazard.api or "")
    fix = None
    help = "Set every element before the array is used."
    if zeros is not None and isinstance(call, ir.Call):
        name = draft.use(call.func.site, zeros)
        fix = draft.fix(f"Begin with `{name}`", level=Applicability.SAFE)
        help = f"Start with zeros: `{name}`."
    yield Finding(
        hazard.site,
        f"Uninitialised array `{file.code(hazard.site, 40)}` read in `{file.code(hazard.operand, 40)}`",
        help=help,
        fix=fix,
        also=(("read here", hazard.operand),),
    )
