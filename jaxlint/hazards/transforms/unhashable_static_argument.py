"""Unhashable static argument.

## What it does
Reports calls of functions made by `jax.jit`, `jax.pmap` or `jax.make_jaxpr` that pass a list, a dict, a set, an array, or
an instance of a class without a hash for a static argument. A class has none where it defines `__eq__` alone, as
`@dataclass` does; a frozen one is hashed by its fields. A default that no call passes is not hashed, and is not reported.

## Why is this bad
JAX keeps what it has compiled under the hash of the static arguments. The call raises
`ValueError: Non-hashable static arguments`.

## Example
```python
@partial(jax.jit, static_argnames="axes")
def total(x, axes):
    return x.sum(tuple(axes))


total(x, [0, 1])
```

## Use instead
```python
@partial(jax.jit, static_argnames="axes")
def total(x, axes):
    return x.sum(tuple(axes))


total(x, (0, 1))
```

## When to ignore
Never: the call fails.

## Fix safety
A list or set becomes a tuple or a `frozenset` in the call, a dict the tuple of its items, of which
the function makes a dict again, and an array of one number a Python number. That is unsafe: the function
gets another type. So is a dataclass that is frozen, be it in another file, where nothing there sets its fields. What
changes more is displayed: an argument that is an array is no longer static, and a class gets a `__hash__` of what its
`__eq__` compares.

## References
- JAX documentation, "Just-in-time compilation", marking arguments as static:
  https://docs.jax.dev/en/latest/jit-compilation.html
- JAX documentation, `jax.jit`: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
- Python documentation, `dataclasses`, on `eq`, `frozen` and `unsafe_hash`: https://docs.python.org/3/library/dataclasses.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.agreement import UnhashableStaticArgument
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.static_args.known_argument import hashable_argument
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX502",
    category=Category.FAILS,
    hazards=(UnhashableStaticArgument,),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: UnhashableStaticArgument, file: File) -> Iterator[Finding]:
    function, what = hazard.function, hazard.what
    argument = f"`{hazard.parameter}`" if hazard.parameter else "an argument"
    if " containing " in what:
        node = file.unit.nodes[hazard.cls] if hazard.cls is not None else None
        advice = "Store a tuple in the field."
        if isinstance(node, ir.ClassDefinition) and node.decorators:
            advice = "Store a tuple in the field of the frozen dataclass, or exclude the field from its hash, `field(hash=False)`."
    elif "array" in what:
        advice = f"Do not make {argument} static. Pass a static number as a Python number."
    elif "instance" in what:
        advice = "Make the class hashable, with `@dataclass(frozen=True)` or a `__hash__` beside its `__eq__`."
    else:
        advice = "Pass a tuple." if "list" in what else "Pass a hashable value, such as a tuple of its items."
    passed = "" if hazard.operand == hazard.site else f"`{file.code(hazard.operand, 40)}` is "
    static = f"argument `{hazard.parameter}`" if hazard.parameter else "argument"
    yield Finding(
        hazard.site,
        f"Unhashable static {static} of {function_name(function)}: {passed}{what}",
        advice,
        hashable_argument(hazard, file),
    )
