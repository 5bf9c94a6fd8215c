"""A transform is told of an argument that its function does not have.

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
Unsafe: the nearest parameter name is a guess. There is no fix for numbers.

## References
- JAX documentation, `jax.jit`: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
- JAX documentation, `jax.grad`: https://docs.jax.dev/en/latest/_autosummary/jax.grad.html
- JAX documentation, "Just-in-time compilation", marking arguments as static:
  https://docs.jax.dev/en/latest/jit-compilation.html
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.agreement import WrongOption
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.transforms import function_name

RULE = Rule(
    code="JAX501",
    name="unknown-static-argument",
    summary="A static, donated or differentiated argument is no parameter of the function.",
    category=Category.FAILS,
    kinds=(Kind.UNKNOWN_ARGUMENT,),
    error="ValueError",
    fixable="unsafe",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    wrong: WrongOption = demand.detail
    function, option = function_name(wrong.function), demand.parameter
    known = ", ".join(f"`{name}`" for name in wrong.parameters)
    fix: Optional[Fix] = None
    also: tuple[tuple[str, int], ...] = ()
    if wrong.reason == "unknown":
        message = f"`{option}` names `{wrong.entry}`, which is no parameter of {function}"
        advice = f"{function} takes {known}." if known else f"{function} takes no argument by name."
        parts = [part.strip() for part in wrong.entry.split(",")]
        if len(parts) > 1 and set(parts) <= set(wrong.parameters):
            message = f"`{option}` is one string, and {function} has no parameter of the name `{wrong.entry}`"
            advice = "A string is one name: write a tuple of names."
        fix = _renamed(demand, file, parts)
    elif wrong.reason == "positional-only":
        message = f"`{option}` names `{wrong.entry}`, which {function} takes by position only"
        advice = f"Give its number: `{option.replace('names', 'nums')}`." if option else None
    elif wrong.reason == "beyond":
        count = len(wrong.parameters)
        message = f"`{option}` has {wrong.entry}, and {function} has {count} positional parameter{'' if count == 1 else 's'}"
        numbered = ", ".join(f"`{name}` is {number}" for number, name in enumerate(wrong.parameters))
        advice = f"They are counted from 0: {numbered}." if numbered else "There is none to choose."
    elif wrong.reason == "hidden":
        message = f"`{option}` names `{wrong.entry}`, which {function} takes through `*args`: by position it is traced"
        advice = f"Put `@functools.wraps` on {function}, or pass `{wrong.entry}` by keyword everywhere."
        also = ((f"`{wrong.entry}` is passed by position", wrong.site if wrong.site is not None else demand.site),)
    else:
        short = (demand.api or "").rpartition(".")[2]
        passed = {0: "none", 1: "one"}.get(wrong.passed, str(wrong.passed))
        message = f"`{short}` differentiates argument {wrong.entry} by position, and the call passes {passed}"
        named = wrong.parameters[wrong.entry] if wrong.entry < len(wrong.parameters) else None
        advice = f"Pass `{named}` by position." if named else "Pass the arguments that are differentiated by position."
    yield Finding(demand.site, message, advice, fix, also)


def _renamed(demand: Demand, file: File, parts: list[str]) -> Optional[Fix]:
    """The fix that writes the nearest parameter name in place of each unknown one."""
    wrong: WrongOption = demand.detail
    literal = _literal(demand, file)
    if literal is None:
        return None
    nearest = [get_close_matches(part, wrong.parameters, n=1, cutoff=0.5) for part in parts]
    names = [match[0] for match in nearest if match]
    option = file.unit.nodes[file.unit.parent(literal.site).site]
    if len(names) < len(parts) or len(set(names)) < len(names) or (len(parts) > 1 and not isinstance(option, ir.Keyword)):
        return None
    if isinstance(option, ir.Sequence):
        others = [each.value for each in option.elements if isinstance(each, ir.Constant) and each is not literal]
        if names[0] in others:
            return None
    quote = '"' if file.code(literal.site).endswith('"') else "'"
    quoted = [quote + name + quote for name in names]
    content = quoted[0] if len(quoted) == 1 else f"({', '.join(quoted)})"
    shown = " and ".join(f"`{name}`" for name in names)
    return Fix(f"Name {shown}", (file.replace(literal.site, content),), Applicability.UNSAFE)


def _literal(demand: Demand, file: File) -> Optional[ir.Constant]:
    """The string in the source that is the wrong entry."""
    call = file.unit.nodes[demand.site]
    if not isinstance(call, ir.Call):
        return None
    value = next((keyword.value for keyword in call.keywords if keyword.name == demand.parameter), None)
    elements = value.elements if isinstance(value, ir.Sequence) else [value]
    found = [each for each in elements if isinstance(each, ir.Constant) and each.value == demand.detail.entry]
    return found[0] if len(found) == 1 else None
