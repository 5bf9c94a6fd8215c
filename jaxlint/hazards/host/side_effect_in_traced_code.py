"""Mutation of outer state, run once at trace time.

## What it does
Reports assignments of Python values to globals, variables of an enclosing function and attributes of objects of
outside, and changes of lists, dicts and sets of outside, in code that JAX traces: compiled functions, bodies of loops, and
branches of `cond` and `switch`, which are traced outside of compiled functions as well. Local containers are fine, and so
are attributes of Haiku, Flax and Equinox modules, what runs in a callback, a cache that is filled where it is empty,
and what an assertion reads, such as a count of how often the function is traced.

## Why is this bad
The change is made once, while the function is traced, and not when it is executed: a counter stays at one, a list has
one entry, a loop of a thousand passes has counted to one. All branches of a `cond` are traced, and make their changes, though
one of them is executed.

## Example
```python
calls = 0

@jax.jit
def step(x):
    global calls
    calls += 1
    return x * 2
```

## Use instead
```python
@jax.jit
def step(x, calls):
    return x * 2, calls + 1
```

## When to ignore
Where the change is about tracing itself, such as a count of traces that nothing in the file asserts.

## Fix safety
Unsafe: the statement moves to a function of the old name around the compiled one, which runs it at each call; callers
see no change. In the body of a loop the change is made in a `jax.debug.callback`, each time the body runs, and
`jax.effects_barrier()` waits for it behind the loop; where no place for that is seen the fix is only shown. There is
none where the traced code reads what it changes.

## References
- JAX documentation, "Sharp Bits", "Pure functions"
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, "Stateful computations" (https://docs.jax.dev/en/latest/stateful-computations.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.trace_side_effects import SideEffectInTracedCode
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.effects.called_back import changed_in_callback
from jaxlint.rewrite.effects.hoisted_effects import moved_outside, place
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX304",
    category=Category.WRONG,
    hazards=(SideEffectInTracedCode,),
    fixable="unsafe",
    in_tests=False,
)


def check(hazard: SideEffectInTracedCode, file: File) -> Iterator[Finding]:
    when = "at trace time, whichever branch is taken" if hazard.in_branch else "once, at trace time"
    yield Finding(
        hazard.site,
        f"Mutation of {place(hazard, file)} runs {when}",
        help="Pass the state to the function and return it, or change it in a function passed to `jax.debug.callback`.",
        fix=moved_outside(hazard, file) or changed_in_callback(hazard, file),
    )
