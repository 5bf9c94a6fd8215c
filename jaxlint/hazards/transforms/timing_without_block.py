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
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import line_start
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX510",
    category=Category.WRONG,
    hazards=(TimingWithoutBlock,),
    fixable="unsafe",
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


@or_none
def _fix(hazard: TimingWithoutBlock, file: File) -> Fix:
    statement, draft = file.unit.nodes[hazard.last], Draft(file)
    block = draft.api("jax.block_until_ready")
    if isinstance(statement, ir.For):
        require(hazard.start != hazard.end)  # else the clock is read elsewhere
        names = known(_names(statement.body[-1]))
        start, _ = file.span(hazard.end)
        indentation = file.indentation(hazard.end)
        require(file.source.text[line_start(file, start) : start] == indentation)
        draft.insert(start, f"{block}({names})\n{indentation}")
        return draft.fix("Wait after the loop", _MEASURED)
    if hazard.start == hazard.end and hazard.last == hazard.site:
        start, end = file.span(hazard.operand)  # of `timeit`
    else:
        require(isinstance(statement, (ir.Assign, ir.Evaluate)))
        start, end = file.span(expect(ir.Call, statement.value).site)
    draft.insert(start, f"{block}(")
    draft.insert(end, ")")
    return draft.fix("Wait for the result", _MEASURED)


@or_none
def _names(statement: ir.Node) -> str:
    """The names a statement binds, as an argument."""
    target = only_target(expect(ir.Assign, statement))
    if isinstance(target, ir.Sequence):
        return f"({', '.join(expect(ir.Name, each).id for each in target.elements)})"
    name: str = expect(ir.Name, target).id
    return name
