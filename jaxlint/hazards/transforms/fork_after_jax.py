"""Process forked after the JAX backend started its threads.

## What it does
Reports `os.fork()`, `multiprocessing.get_context("fork")` and `multiprocessing.set_start_method("fork")` where an array
was made, or the devices were asked for, before. Where only `multiprocessing` decides how it starts processes, which
depends on the platform and on the release of Python, it is silent.

## Why is this bad
A fork copies the memory of the process, but only the thread that forks. The backend runs several, which hold locks that
nobody in the child will ever let go: the child hangs, sometimes. JAX warns: `RuntimeWarning: os.fork() was
called. os.fork() is incompatible with multithreaded code, and JAX is multithreaded`.

## Example
```python
table = jnp.zeros(10)
pool = multiprocessing.get_context("fork").Pool(4)
```

## Use instead
```python
pool = multiprocessing.get_context("spawn").Pool(4)
```

or fork before JAX is used.

## When to ignore
Where the child calls `exec` at once.

## Fix safety
Unsafe: `"fork"` becomes `"spawn"`. A spawned process imports the program again, which needs
`if __name__ == "__main__":`, and its arguments must be picklable. `os.fork()` has no fix.

## References
- Python documentation, `multiprocessing`, "Contexts and start methods"
  (https://docs.python.org/3/library/multiprocessing.html)
- JAX source, `jax/_src/xla_bridge.py`: the warning
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.backend_initialisation import ForkAfterJax
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX522",
    category=Category.WRONG,
    hazards=(ForkAfterJax,),
    fixable="unsafe",
)


def check(hazard: ForkAfterJax, file: File) -> Iterator[Finding]:
    before = file.code(hazard.started, 40)
    called = file.code(file.unit.nodes[hazard.site].func.site, 40)
    help = f'Call `{called}` before `{before}`, or start processes with `multiprocessing.get_context("spawn")`.'
    if hazard.api != "os.fork":
        help = f'Start processes with `"spawn"`, or fork before `{before}`.'
    yield Finding(
        hazard.site,
        f"Fork after the JAX backend started: `{file.code(hazard.site, 40)}`",
        help,
        _spawning(hazard, file),
        also=(("the backend starts its threads here", hazard.started),),
    )


@or_none
def _spawning(hazard: ForkAfterJax, file: File) -> Fix:
    method = expect(ir.Constant, value_of(expect(ir.Call, file.unit.nodes[hazard.site]), "method", 0))
    require(method.value == "fork")
    edit = file.replace(method.site, '"spawn"')
    return Fix("Spawn the processes", (edit,), changes="each process imports the program again")
