"""Initialiser, name or `__post_init__` of a Linen module that cannot be used.

## What it does
Reports `self.param` with an initialiser that cannot be called with a key and the arguments that follow it, such as
`jnp.ones` or a lambda without parameters, and layers that are created in each pass of a loop with one constant `name=`.
Also a `__post_init__` that does not call the one of `nn.Module`, and an `__init__` that takes no `parent`, with or without
`super().__init__()`.

## Why is this bad
Flax calls an initialiser with a key first, and `jnp.ones` takes the key for the shape: `TypeError`. The name of a submodule
decides where its parameters are, and can be used once: `NameInUseError`. `nn.Module` registers a module with its parent in
`__post_init__`, and refuses one that was not: `IncorrectPostInitOverrideError`. An `__init__` takes the place of the one that
the dataclass would have, with the fields, `parent` and `name`, from which Flax copies the module in `init` and `apply`.

## Example
```python
scale = self.param("scale", jnp.ones, (8,))
```

## Use instead
```python
scale = self.param("scale", nn.initializers.ones, (8,))
```

## When to ignore
A loop that always makes one pass.

## Fix safety
Unsafe: `jnp.ones` and `jnp.zeros` become the initialisers of that name, and a constant name is left out, so that Flax
numbers the layers. A `__post_init__` gets `super().__post_init__()` as its last statement.

## References
- Flax documentation, "Module basics": https://flax-linen.readthedocs.io/en/latest/guides/flax_fundamentals/flax_basics.html
- Flax documentation, `flax.errors.NameInUseError`:
  https://flax-linen.readthedocs.io/en/latest/api_reference/flax.errors.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Api
from jaxlint.analysis.models.linen import LinenDefinition
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX616",
    summary="Initialiser without a key, repeated layer name or incomplete `__post_init__` of a Linen module.",
    category=Category.FAILS,
    hazards=(LinenDefinition,),
    error="TypeError",
    fixable="unsafe",
)

_INITIALISERS = {"jax.numpy.ones": "jax.nn.initializers.ones", "jax.numpy.zeros": "jax.nn.initializers.zeros"}


def check(hazard: LinenDefinition, file: File) -> Iterator[Finding]:
    code = file.code(hazard.operand, 40)
    if hazard.how == "name":
        yield Finding(
            hazard.site,
            f"Repeated layer name `{code}` in a loop",
            "Leave `name` out, or number the layers.",
            _unnamed(hazard, file),
        )
        return
    if hazard.how == "init":
        yield Finding(
            hazard.site,
            "Linen module with an `__init__` of its own",
            "Declare its arguments as fields (`features: int`), and make layers in `setup` or under `@nn.compact`.",
        )
        return
    if hazard.how == "post_init":
        yield Finding(
            hazard.site,
            "Linen `__post_init__` without a call of `super().__post_init__()`",
            "Call `super().__post_init__()` last, when the fields are set.",
            _prepared(hazard, file),
        )
        return
    more = hazard.given - 1
    passed = "a key" if not more else f"a key and {more} argument{'s' if more > 1 else ''}"
    message = f"Initialiser `{code}` cannot be called with {passed}"
    advice = "Pass a function whose first parameter is the key, such as `nn.initializers.ones`."
    yield Finding(hazard.site, message, advice, _initialised(hazard, file))


@or_none
def _unnamed(hazard: LinenDefinition, file: File) -> Fix:
    draft = Draft(file)
    draft.remove_argument(expect(ir.Keyword, file.unit.parent(hazard.operand)))
    return draft.fix("Leave `name` out", "the layers get numbered names")


@or_none
def _prepared(hazard: LinenDefinition, file: File) -> Fix:
    function, draft = expect(ir.Function, file.unit.nodes[hazard.site]), Draft(file)
    require(not any(isinstance(each, ir.Return) for each in ir.statements(function.body)))
    draft.below(function.body[-1], "super().__post_init__()")
    return draft.fix("Call `super().__post_init__()`", "`nn.Module` completes the module")


@or_none
def _initialised(hazard: LinenDefinition, file: File) -> Fix:
    name = known(_INITIALISERS.get(expect(Api, hazard.value).name))
    require(hazard.given == 2)
    return using(file, hazard.operand, name, "the dtype is that of the initialiser")
