"""Python debugger in traced code, run once, at trace time.

## What it does
Reports `breakpoint()`, `pdb.set_trace()` and the same call of ipdb, pudb and IPython in a function
that `jit`, `vmap`, `scan` or another tracing transform runs. Functions that are only differentiated
run with their values at every call, and an `except` handler looks at an error of the trace itself:
neither is reported.

## Why is this bad
The debugger stops while the function is traced. There `p x` prints
`JitTracer(float32[3])` and no value, and when the compiled function runs, now and at every later
call of the same shapes, nothing stops at all.

## Example
```python
@jax.jit
def step(x):
    y = jnp.log(x)
    breakpoint()
    return y
```

## Use instead
```python
@jax.jit
def step(x):
    y = jnp.log(x)
    jax.debug.breakpoint()
    return y
```

To stop for certain values only, call it in a branch of `jax.lax.cond`.

## When to ignore
Where it is the trace that is looked into: shapes, dtypes, the Python code that runs once.

## Fix safety
Unsafe: `jax.debug.breakpoint` stops at every run of the compiled code, once for each mapped element,
in a debugger with fewer commands. A call with arguments that are no constants gets no fix.

## References
- JAX documentation, "Debugging runtime values": `jax.debug.breakpoint`
  (https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import PythonDebuggerInTracedCode
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import transform
from jaxlint.rewrite.changes import EACH_RUN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX701",
    category=Category.WRONG,
    hazards=(PythonDebuggerInTracedCode,),
    fixable="unsafe",
)

_ABSTRACTING = ("staged", "batched")


def check(hazard: PythonDebuggerInTracedCode, file: File) -> Iterator[Finding]:
    if hazard.api == "pdb.post_mortem" or not _has_tracers(hazard):
        return
    if any(isinstance(node, ir.Handler) for node in _within_function(hazard.site, file)):
        return
    name, _ = file.api("jax.debug.breakpoint")
    yield Finding(
        hazard.site,
        f"`{file.code(hazard.site, 40)}` stops once, at trace time",
        f"Use `{name}()`, which stops at run time; put it in a branch of `jax.lax.cond` to stop for certain values only.",
        _fix(hazard, file),
    )


def _has_tracers(hazard: PythonDebuggerInTracedCode) -> bool:
    steps = hazard.origin.steps() if hazard.origin is not None else ()
    known = [transform(step.transform) for step in steps if step.transform is not None]
    return any(each is not None and each.cls in _ABSTRACTING for each in known)


def _within_function(site: int, file: File) -> Iterator[ir.Node]:
    for node in file.unit.ancestors(site):
        if isinstance(node, ir.Scope):
            return
        yield node


@or_none
def _fix(hazard: PythonDebuggerInTracedCode, file: File) -> Fix:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(all(isinstance(each, ir.Constant) for each in ir.passed_values(call)))
    code = draft.call("jax.debug.breakpoint")
    draft.replace(hazard.site, code)
    return draft.fix(f"Stop with `{code}`", EACH_RUN)
