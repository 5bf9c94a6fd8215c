"""Clock, file or network access evaluated once, at trace time.

## What it does
Reports `time.time()`, `time.sleep()`, `datetime.now()`, `input`, `subprocess.run`, `requests.get`, `open` for writing, and
their like in code that JAX traces. A file that is opened for reading is not reported: what it holds becomes a constant.

## Why is this bad
The call runs once, while the function is traced, and never when it is executed. A time that was read is compiled in as
a number, a difference of two times is that of tracing, and a file is written once, whatever happens later.

## Example
```python
@jax.jit
def step(x):
    start = time.perf_counter()
    y = jnp.sin(x) @ x
    return y, time.perf_counter() - start
```

## Use instead
```python
@jax.jit
def step(x):
    return jnp.sin(x) @ x

start = time.perf_counter()
y = step(x).block_until_ready()
elapsed = time.perf_counter() - start
```

## When to ignore
Where it is tracing itself that is timed.

## Fix safety
Unsafe: a statement that waits, writes or asks moves to a function of the old name around the compiled one, which does so
at each call; callers see no change. The time is read there too, and passed to the compiled function. In a loop, and in a
helper, a call becomes one in `jax.debug.callback`, and a clock is read in `io_callback`, as a float32. There is no fix
for two readings of a clock that are to be subtracted: how long the code takes, only its caller can measure.

## References
- JAX documentation, "Sharp Bits", "Pure functions"
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, "External callbacks": `jax.experimental.io_callback`
  (https://docs.jax.dev/en/latest/external-callbacks.html)
- JAX documentation, "Benchmarking JAX code" (https://docs.jax.dev/en/latest/benchmarking.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.host_effects import HostClockOrIoInTracedCode
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.knowledge import host_state
from jaxlint.rewrite.effects.asked_outside import asked_in_callback, passed_in
from jaxlint.rewrite.effects.called_back import called_back
from jaxlint.rewrite.effects.hoisted_effects import moved_outside
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX307",
    category=Category.WRONG,
    hazards=(HostClockOrIoInTracedCode,),
    fixable="unsafe",
)


def check(hazard: HostClockOrIoInTracedCode, file: File) -> Iterator[Finding]:
    api = hazard.api or ""
    called = file.called(hazard.site, api)
    if host_state.does_io(api):
        effect = "runs once, at trace time"
        help = f"Call `{called}` outside the traced function, or in a function passed to `{file.api('jax.experimental.io_callback')[0]}`."
    elif api == "time.sleep":
        effect = "runs once, at trace time"
        help = "Wait outside the traced function, or in a function passed to `jax.debug.callback`."
    else:
        effect = "is evaluated once, at trace time"
        help = (
            "Read the clock outside the traced function, after `block_until_ready()`, or in a function passed to"
            f" `{file.api('jax.experimental.io_callback')[0]}`."
        )
    yield Finding(hazard.site, f"`{called}()` {effect}", help=help, fix=_fix(hazard, file))


def _fix(hazard: HostClockOrIoInTracedCode, file: File) -> Fix | None:
    if hazard.api == "time.sleep" or host_state.does_io(hazard.api or ""):
        moved = moved_outside(hazard, file)
        return moved or called_back(file, file.unit.nodes[hazard.site])
    return passed_in(hazard, file, "now") or asked_in_callback(hazard, file)
