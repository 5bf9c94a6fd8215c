"""Large module-level array captured as a compiled constant.

## What it does
Reports variables of a module that hold an array of a million elements or more, of jax or of NumPy, where
a traced function computes with them. Reading their shape or dtype is not reported.

## Why is this bad
What a traced function takes from around it, and not as an argument, is part of the program: the array
is copied into it, compiling takes longer, the compiler may try to fold it with other constants, and
another program that uses the array holds another copy. When the variable is bound to another array, the
compiled function keeps the old one.

## Example
```python
TABLE = jnp.zeros((4096, 4096))


@jax.jit
def looked_up(x):
    return TABLE @ x
```

## Use instead
```python
TABLE = jnp.zeros((4096, 4096))


@jax.jit
def looked_up(table, x):
    return table @ x


looked_up(TABLE, x)
```

## When to ignore
Where the array is meant to be folded into the program, and there is one program.

## Fix safety
The function gets a parameter for the array, and each call in the file passes it; where that call is traced as well,
its function is next. It is displayed where other files may call the function, and unsafe where they cannot. There
is no fix where the function is used as a value, as by `jax.vmap`.

## References
- JAX documentation, "Just-in-time compilation": https://docs.jax.dev/en/latest/jit-compilation.html
- JAX documentation, `jax_captured_constants_warn_bytes`: https://docs.jax.dev/en/latest/config_options.html
"""

from __future__ import annotations

from collections.abc import Iterator
from keyword import iskeyword

from jaxlint.analysis.checkers.large_constants import LargeCapturedConstant
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope
from jaxlint.rewrite.calls import add_parameter, visible_calls
from jaxlint.rewrite.changes import PASSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX512",
    category=Category.SLOW,
    hazards=(LargeCapturedConstant,),
    fixable="unsafe",
    on="preview",
    status="preview",
)


def check(hazard: LargeCapturedConstant, file: File) -> Iterator[Finding]:
    name = file.code(hazard.site, 40)
    yield Finding(
        hazard.site,
        f"Large constant captured in compiled code: `{name}` with {hazard.elements} elements",
        f"Pass `{name}` as an argument.",
        _passed(hazard, file),
    )


@or_none
def _passed(hazard: LargeCapturedConstant, file: File) -> Fix:
    """The fix that gives the function a parameter for the array, which its callers pass."""
    node, draft = expect(ir.Name, file.unit.nodes[hazard.site]), Draft(file)
    require(hazard.site in file.unit)
    function = known(_traced(file, node))
    home = defining_scope(file.unit, node.site, node.id)
    require(home is file.unit.module)
    taken = {name for each in ir.walk([function]) if isinstance(each, ir.Scope) for name in each.locals | each.free}
    name = node.id.lower()
    name = node.id if name in taken or iskeyword(name) else name

    def argument(call: ir.Call) -> str | None:
        return node.id if defining_scope(file.unit, call.func.site, node.id) is home else None

    change = known(add_parameter(file, function, name, argument, shadows=True))
    draft.edits += change.edits
    for each in ir.names_below(function.body).get(node.id, ()) if name != node.id else ():
        # Quotes inside of quotes cannot be told apart.
        require(not any(isinstance(above, ir.Format) for above in file.unit.ancestors(each.site)))
        draft.replace(each.site, name)
    return draft.fix(f"Pass `{node.id}` to `{function.name}`", PASSED, change.level)


def _traced(file: File, node: ir.Name) -> ir.Function | None:
    """The function to which the array has to be passed: the innermost that is itself transformed, else the outermost."""
    functions = [
        each for each in file.unit.ancestors(node.site) if isinstance(each, ir.Function) and not each.is_lambda
    ]
    for each in functions[:-1]:
        if each.decorators or any(use.transforms for use in visible_calls(file, each) or ()):
            return each
    return functions[-1] if functions else None
