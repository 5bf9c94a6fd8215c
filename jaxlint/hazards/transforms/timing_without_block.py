"""Timing of an asynchronous computation without `block_until_ready`.

## What it does
Reports the second of two readings of `time.perf_counter`, `time.time`, `time.monotonic` or `datetime.now` in one block,
where between them stand calls of compiled functions, of functions that do no more than call these, or of `jax.numpy` and
the like, and nothing that waits for a result. The same in a `with` block of a context manager that reads a clock when it
is entered and left, and of the function that `timeit.timeit` is given.

## Why is this bad
JAX dispatches computations asynchronously: the call returns at once, with an array whose values are still to come. The
difference of the readings is the time of the dispatch, often a thousandth of what the computation takes.

## Example
```python
start = time.perf_counter()
y = step(x)
elapsed = time.perf_counter() - start
```

## Use instead
```python
start = time.perf_counter()
y = jax.block_until_ready(step(x))
elapsed = time.perf_counter() - start
```

## When to ignore
Where the dispatch is what is measured. Code that waits right after the second reading is taken for that, and the first
call of a compiled function that is called again later for a measurement of the compilation.

## Fix safety
Unsafe: the code waits where it did not before, which is the point.

## References
- JAX documentation, "Asynchronous dispatch" (https://docs.jax.dev/en/latest/async_dispatch.html)
- JAX documentation, "Benchmarking JAX code" (https://docs.jax.dev/en/latest/benchmarking.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.timings import TimingWithoutBlock
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX510",
    name="timing-without-block",
    summary="Timing of an asynchronous computation without `block_until_ready`.",
    category=Category.WRONG,
    hazards=(TimingWithoutBlock,),
    fixable="unsafe",
    status="stable",
)


def check(hazard: TimingWithoutBlock, file: File) -> Iterator[Finding]:
    call = file.code(hazard.operand, 50)
    yield Finding(
        hazard.site,
        f"Timing of asynchronous `{call}` without `block_until_ready`",
        f"Wait for the result: `jax.block_until_ready({call})`.",
        _fix(hazard, file),
        also=(("this call returns before its result is ready", hazard.operand),),
    )


_MEASURED = "the full execution time is measured"


def _fix(hazard: TimingWithoutBlock, file: File) -> Fix | None:
    block, imports = file.api("jax.block_until_ready")
    statement = file.unit.nodes[hazard.last]
    if hazard.start == hazard.end:  # the clock is read elsewhere
        if isinstance(statement, ir.For):
            return None
        if hazard.last == hazard.site:  # of `timeit`
            start, end = file.span(hazard.operand)
            edits = (file.insert(start, f"{block}("), file.insert(end, ")"))
            return Fix("Wait for the result", edits, imports=imports, changes=_MEASURED)
    if isinstance(statement, ir.For):
        inner = statement.body[-1]
        names = _names(inner)
        start, _ = file.span(hazard.end)
        indentation = file.indentation(hazard.end)
        line = file.source.text.rfind("\n", 0, start) + 1
        if names is None or file.source.text[line:start] != indentation:
            return None
        edit = file.insert(start, f"{block}({names})\n{indentation}")
        return Fix("Wait after the loop", (edit,), imports=imports, changes=_MEASURED)
    value = getattr(statement, "value", None)
    if not isinstance(statement, (ir.Assign, ir.Evaluate)) or not isinstance(value, ir.Call):
        return None
    start, end = file.span(value.site)
    edits = (file.insert(start, f"{block}("), file.insert(end, ")"))
    return Fix("Wait for the result", edits, imports=imports, changes=_MEASURED)


def _names(statement: ir.Node) -> str | None:
    """The names a statement binds, as an argument."""
    targets = statement.targets if isinstance(statement, ir.Assign) else []
    if len(targets) != 1:
        return None
    target = targets[0]
    if isinstance(target, ir.Name):
        name: str = target.id
        return name
    if isinstance(target, ir.Sequence):
        names = [each.id for each in target.elements if isinstance(each, ir.Name)]
        return f"({', '.join(names)})" if len(names) == len(target.elements) else None
    return None
