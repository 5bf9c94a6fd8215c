"""Tracer stored where it outlives its trace.

## What it does
Reports traced values that are assigned to a global, a variable of an enclosing function or an attribute of an object of
outside, that are put into a list, dict or set of outside, or that a function with `functools.lru_cache` or a
`cached_property` remembers, in code that JAX traces; in the body of a loop of JAX, objects
of the function around are outside, too. Under `grad`, `vmap` and other transforms that stage nothing, what is
put into a container of outside is reported where it is differentiated or mapped. A store that is undone before the trace
ends is left alone.

## Why is this bad
A tracer stands for a value only while its function is traced. Whoever uses it afterwards gets
`UnexpectedTracerError`, or another error that says nothing of where it comes from. A jitted function that runs again
stores nothing at all.

## Example
```python
class Model:
    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        self.hidden = jnp.tanh(x @ self.w)
        return self.hidden.sum()
```

## Use instead
```python
class Model:
    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        hidden = jnp.tanh(x @ self.w)
        return hidden.sum(), hidden
```

## When to ignore
Where the tracer is looked at by hand and never used, to see its shape or where it comes from.

## Fix safety
Unsafe: the compiled function returns the value too, under a name of its own, and a function of the old name around it
stores what it returns, so that callers see no change. A function inside of another one returns the value to its calls, and
the body of a `scan` returns it for each step, which makes one array of all. What a cache keeps is computed in
`jax.ensure_compile_time_eval()`, or its call is where the function is of another file; and so is what is stored where it is
missing (`if self.table is None:`), and made of nothing that is traced. Where a helper stores the value, its
call goes out of the compiled function, if no result of it is read. There is no fix where a traced value is stored in a branch, or
where the old value is read before.

## References
- JAX documentation, "Errors", UnexpectedTracerError: https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "Sharp Bits", "Pure functions"
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- `jax.checking_leaks` finds leaks while the code runs
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.trace_side_effects import TracerLeak
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.effects.at_trace_time import kept_concrete, made_concrete
from jaxlint.rewrite.effects.hoisted_effects import moved_out, place, value
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX305",
    category=Category.WRONG,
    hazards=(TracerLeak,),
    error="UnexpectedTracerError",
    fixable="unsafe",
)


def check(hazard: TracerLeak, file: File) -> Iterator[Finding]:
    where = place(hazard, file)
    if hazard.store.where == "cache":
        message = f"Tracer leak: {where} is filled at trace time"
        fix = made_concrete(file, hazard.site)
        help = "Call it once before, outside traced code, or compute its result with NumPy or in `jax.ensure_compile_time_eval()`."
    else:
        message = f"Tracer leak: {value(hazard, file)} stored in {where}"
        fix = kept_concrete(file, hazard) or moved_out(hazard, file)
        help = f"Return {value(hazard, file)} from the traced function, and store the result in the caller."
    yield Finding(hazard.site, message, help=help, fix=fix)
