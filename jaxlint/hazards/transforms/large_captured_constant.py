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
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX512",
    name="large-captured-constant",
    summary="Large module-level array captured as a compiled constant.",
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


def _passed(hazard: LargeCapturedConstant, file: File) -> Fix | None:
    """The fix that gives the function a parameter for the array, which its callers pass."""
    node = file.unit.nodes[hazard.site]
    if hazard.site not in file.unit or not isinstance(node, ir.Name):
        return None
    function = _traced(file, node)
    home = defining_scope(file.unit, node.site, node.id)
    if function is None or home is not file.unit.module:
        return None
    taken = {name for each in ir.walk([function]) if isinstance(each, ir.Scope) for name in each.locals | each.free}
    name = node.id.lower()
    name = node.id if name in taken or iskeyword(name) else name

    def argument(call: ir.Call) -> str | None:
        return node.id if defining_scope(file.unit, call.func.site, node.id) is home else None

    change = add_parameter(file, function, name, argument, shadows=True)
    if change is None:
        return None
    reads = [
        each for each in ir.walk(function.body) if isinstance(each, ir.Name) and each.id == node.id and name != node.id
    ]
    if any(isinstance(above, ir.Format) for each in reads for above in file.unit.ancestors(each.site)):
        return None  # quotes inside of quotes
    edits = sorted((*change.edits, *(file.replace(each.site, name) for each in reads)), key=lambda edit: edit.start)
    return Fix(f"Pass `{node.id}` to `{function.name}`", tuple(edits), change.level, changes=PASSED)


def _traced(file: File, node: ir.Name) -> ir.Function | None:
    """The function to which the array has to be passed: the innermost that is itself transformed, else the outermost."""
    functions = [
        each for each in file.unit.ancestors(node.site) if isinstance(each, ir.Function) and not each.is_lambda
    ]
    for each in functions[:-1]:
        if each.decorators or any(use.transforms for use in visible_calls(file, each) or ()):
            return each
    return functions[-1] if functions else None
