"""A module that computes with JAX while it is imported starts the backend.

## What it does
Reports the first array, random key or question about devices in the code of a module itself, which runs when the
module is imported. What stands under `if __name__ == "__main__":`, in a function, or after
`jax.distributed.initialize()` is silent. Opt-in: scripts do this all the time.

## Why is this bad
Who imports the module can no longer say on how many devices, or on which platform, to run, and
`jax.distributed.initialize()` raises RuntimeError. The import takes a second longer, and memory of the accelerator is
allocated.

## Example
```python
EPSILON = jnp.array(1e-6)

def normalise(x):
    return x / (jnp.linalg.norm(x) + EPSILON)
```

## Use instead
```python
EPSILON = 1e-6
```

or `np.array`, or a function that makes the array.

## When to ignore
In a script.

## Fix safety
There is no fix.

## References
- JAX documentation, "Multi-process computations" (https://docs.jax.dev/en/latest/multi_process.html)
- JAX documentation, `jax.distributed.initialize`
  (https://docs.jax.dev/en/latest/_autosummary/jax.distributed.initialize.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX521",
    name="jax-at-import",
    summary="A module computes with JAX while it is imported, which starts the backend.",
    category=Category.STYLE,
    kinds=(Kind.BACKEND_AT_IMPORT,),
    on="opt-in",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    code = file.code(demand.site, 40)
    called = f"`{code}`" if code.startswith(str(demand.api).rpartition(".")[2]) or "." in code else f"`{code}` (`{demand.api}`)"
    yield Finding(
        demand.site,
        f"{called} starts the backend of JAX while the module is imported",
        help="Use a Python number or a NumPy array, or make the array in a function.",
    )
