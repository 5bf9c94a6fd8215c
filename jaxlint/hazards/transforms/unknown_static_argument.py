"""Static, donated or differentiated argument is not a parameter of the function.

## What it does
Reports entries of `static_argnames`, `static_argnums`, `donate_argnames`, `donate_argnums`,
`static_broadcasted_argnums`, `nondiff_argnums`, `nondiff_argnames` and of the `argnums` of gradients
that name no parameter of the function or count beyond the last one, and gradients with respect to an
argument that the call does not pass by position. Numbers count as the transform does: `self` of a bound
method and what `functools.partial` has filled are left out. Also reported is a wrapper without
`functools.wraps`: `jax.jit` sees its `*args` only, and an argument that is named static but passed by
position is traced.

## Why is this bad
`jax.jit` raises a `ValueError` where it is applied, which for a decorator is when the module is imported.
`jax.grad`, `jax.pmap`, `jax.checkpoint` and the custom derivatives raise when the function is called.
An argument hidden behind `*args` raises nothing: it is traced although it is named static.

## Example
```python
@partial(jax.jit, static_argnames=("steps",))
def simulate(state, n_steps):
    for _ in range(n_steps):
        state = state + 1
    return state
```

## Use instead
```python
@partial(jax.jit, static_argnames=("n_steps",))
def simulate(state, n_steps):
    for _ in range(n_steps):
        state = state + 1
    return state
```

## When to ignore
Never: the transform or each call of its result fails.

## Fix safety
Unsafe: the nearest parameter name is a guess, and so is the last parameter where a number is one too high. For
what is differentiated or donated that number is displayed, because the code would run and give something else.
Names of parameters that are passed by position become their numbers, and a wrapper gets `functools.wraps`.
Passing a differentiated argument by position is safe. A number further off has no fix.

## References
- JAX documentation, `jax.jit`: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
- JAX documentation, `jax.grad`: https://docs.jax.dev/en/latest/_autosummary/jax.grad.html
- JAX documentation, "Just-in-time compilation", marking arguments as static:
  https://docs.jax.dev/en/latest/jit-compilation.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.agreement import UnknownStaticArgument
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.static_args.known_argument import known_argument
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX501",
    category=Category.FAILS,
    hazards=(UnknownStaticArgument,),
    error="ValueError",
    fixable="safe",
)


def check(hazard: UnknownStaticArgument, file: File) -> Iterator[Finding]:
    function, option = function_name(hazard.function), hazard.parameter
    known = ", ".join(f"`{name}`" for name in hazard.parameters)
    also: tuple[tuple[str, int], ...] = ()
    advice: str | None
    if hazard.reason == "unknown":
        message = f"`{option}` entry `{hazard.entry}` is not a parameter of {function}"
        advice = f"Use one of the parameters: {known}." if known else "Remove it; there is no parameter to name."
        parts = [part.strip() for part in str(hazard.entry).split(",")]
        if len(parts) > 1 and set(parts) <= set(hazard.parameters):
            message = f"`{option}` string `{hazard.entry}` is not a parameter of {function}"
            advice = "Write a tuple of names."
    elif hazard.reason == "positional-only":
        message = f"`{option}` entry `{hazard.entry}` is positional-only in {function}"
        advice = f"Use its position: `{option.replace('names', 'nums')}`." if option else None
    elif hazard.reason == "beyond":
        count = len(hazard.parameters)
        message = f"`{option}` entry {hazard.entry} out of range: {function} has {count} positional parameter{'' if count == 1 else 's'}"
        numbered = ", ".join(f"`{name}` is {number}" for number, name in enumerate(hazard.parameters))
        advice = f"Count from 0: {numbered}." if numbered else "Remove it; there is no positional parameter."
    elif hazard.reason == "hidden":
        message = f"`{option}` entry `{hazard.entry}` hidden by `*args` of {function}"
        advice = f"Decorate {function} with `@functools.wraps`, or pass `{hazard.entry}` by keyword everywhere."
        also = ((f"`{hazard.entry}` is passed by position", hazard.site if hazard.call is None else hazard.call),)
    else:
        short = (hazard.api or "").rpartition(".")[2]
        message = f"Argument {hazard.entry} differentiated by `{short}` is not passed by position"
        assert isinstance(hazard.entry, int)
        named = hazard.parameters[hazard.entry] if hazard.entry < len(hazard.parameters) else None
        advice = f"Pass `{named}` by position." if named else "Pass the differentiated arguments by position."
    yield Finding(hazard.site, message, advice, known_argument(hazard, file), also)
