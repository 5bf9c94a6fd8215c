"""JAX computation at import time, which starts the backend.

## What it does
Reports the first array, random key or question about devices in the code of a module itself, which runs when the
module is imported. What stands under `if __name__ == "__main__":`, in a function, or after
`jax.distributed.initialize()` is silent. Opt-in: scripts do this all the time.

## Why is this bad
Who imports the module can no longer say on how many devices, or on which platform, to run, and
`jax.distributed.initialize()` raises RuntimeError. The import takes a second longer, and memory of the accelerator is
allocated.

## Example
```python
EPSILON = jnp.array(1e-6)

def normalise(x):
    return x / (jnp.linalg.norm(x) + EPSILON)
```

## Use instead
```python
EPSILON = 1e-6
```

or `np.array`, or a function that makes the array.

## When to ignore
In a script.

## Fix safety
Unsafe: an array is made by NumPy, with the dtype that it had; it has no `.at` then, so there is no fix where that is
used. Shown only: a variable of the module as a function, which is called where it was read; other modules may
import it.

## References
- JAX documentation, "Multi-process computations" (https://docs.jax.dev/en/latest/multi_process.html)
- JAX documentation, `jax.distributed.initialize`
  (https://docs.jax.dev/en/latest/_autosummary/jax.distributed.initialize.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.checkers.backend_initialisation import JaxAtImport
from jaxlint.analysis.domain.values import Array
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target, reads_of
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.requirements import expect, known, or_none, require, sole
from jaxlint.rewrite.statements import stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX521",
    category=Category.STYLE,
    hazards=(JaxAtImport,),
    fixable="unsafe",
    on="opt-in",
)

# Functions that NumPy has as well, with the same arguments and, but for the dtype, the same result.
_MAKES = frozenset("array asarray zeros ones full eye identity arange linspace".split())
_DTYPES = ("float32", "int32")
# What arrays of JAX have and those of NumPy do not.
_OF_JAX = frozenset({"at", "block_until_ready", "addressable_shards", "sharding", "devices"})


def check(hazard: JaxAtImport, file: File) -> Iterator[Finding]:
    code = file.code(hazard.site, 40)
    called = (
        f"`{code}`"
        if code.startswith(str(hazard.api).rpartition(".")[2]) or "." in code
        else f"`{code}` (`{hazard.api}`)"
    )
    yield Finding(
        hazard.site,
        f"{called} starts the JAX backend at import time",
        help="Use a Python number or a NumPy array, or create the array in a function.",
        fix=_by_numpy(hazard, file) or _function(hazard, file),
    )


@or_none
def _by_numpy(hazard: JaxAtImport, file: File) -> Fix:
    """The array made by NumPy, which starts nothing."""
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    module, _, last = str(hazard.api).rpartition(".")
    require(module == "jax.numpy" and last in _MAKES)
    # Else it is a function that makes it.
    require(all(getattr(value, "name", "") == hazard.api for value in file.values(call.func.site)))
    parts = [*call.args, *(keyword.value for keyword in call.keywords if keyword.name != "dtype")]
    require(not any(isinstance(node, (ir.Starred, ir.Name, ir.Call)) for node in ir.walk(parts)))
    require(all(keyword.name in ("dtype", "endpoint", "num") for keyword in call.keywords))
    statement = file.unit.statement(call.site)
    targets = statement.targets if isinstance(statement, ir.Assign) else ()
    names = {target.id for target in targets if isinstance(target, ir.Name)}
    for node in file.unit.own:
        if isinstance(node, ir.Attribute) and node.attr in _OF_JAX:
            require(file.code(node.value.site).rpartition(".")[2] not in names)
    said = draft.use(call.func.site, f"numpy.{last}")
    if value_of(call, "dtype") is None:
        dtype = sole({value.aval.dtype if isinstance(value, Array) else None for value in file.values(call.site)})
        require(dtype in _DTYPES)
        draft.append_argument(call, f"dtype={draft.api(f'numpy.{dtype}')}")
    return draft.fix(f"Make it with `{said}`", "it is an array of NumPy")


@or_none
def _function(hazard: JaxAtImport, file: File) -> Fix:
    """The variable as a function, for a module whose functions alone read it."""
    statement, module = expect(ir.Assign, file.unit.statement(hazard.site)), file.unit.module
    target, uses = expect(ir.Name, only_target(statement)), known(reads_of(file.unit, statement))
    require(statement in module.body and stands_on_own_lines(file, statement))
    name = target.id.lower().lstrip("_")
    require(name != target.id and not knowledge.known(f"builtins.{name}"))
    require(all(isinstance(file.unit.scope(node.site), ir.Function) for node in uses))
    for node in (module, *file.unit.own):
        require(not (isinstance(node, ir.Scope) and name in node.locals))
        require(not (isinstance(node, ir.Constant) and node.value == target.id))  # it is exported
    newline = file.source.newline
    (start, end), value = file.span(statement.site), statement.value.site
    lines = f"def {name}():{newline}    return {file.source.text[slice(*file.outer_span(value))]}"
    before, after = file.source.text[:start], file.source.text[end:]
    lines = newline * max(0, 3 - _newlines(before[::-1])) * bool(before.strip()) + lines
    lines += newline * max(0, 3 - _newlines(after)) * bool(after.strip())
    edits = (Edit(start, end, lines), *(file.replace(node.site, f"{name}()") for node in uses))
    return Fix(f"Make it in a function, `{name}`", edits, Applicability.DISPLAY)


def _newlines(text: str) -> int:
    """How many lines end before the first character that is no white space."""
    return text[: len(text) - len(text.lstrip())].count("\n")
