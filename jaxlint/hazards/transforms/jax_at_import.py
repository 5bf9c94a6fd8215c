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
from jaxlint.ir.bindings import reads_of
from jaxlint.rewrite.arguments import append_argument
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX521",
    name="jax-at-import",
    summary="JAX computation at import time, which starts the backend.",
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


def _by_numpy(hazard: JaxAtImport, file: File) -> Fix | None:
    """The array made by NumPy, which starts nothing."""
    call, (module, _, last) = file.unit.nodes[hazard.site], str(hazard.api).rpartition(".")
    if not isinstance(call, ir.Call) or module != "jax.numpy" or last not in _MAKES:
        return None
    if any(getattr(value, "name", "") != hazard.api for value in file.values(call.func.site)):
        return None  # a function that makes it
    parts = [*call.args, *(keyword.value for keyword in call.keywords if keyword.name != "dtype")]
    if any(isinstance(node, (ir.Starred, ir.Name, ir.Call)) for node in ir.walk(parts)):
        return None
    if any(keyword.name not in ("dtype", "endpoint", "num") for keyword in call.keywords):
        return None
    dtypes = {value.aval.dtype if isinstance(value, Array) else None for value in file.values(call.site)}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    statement = file.unit.statement(call.site)
    targets = statement.targets if isinstance(statement, ir.Assign) else ()
    names = {target.id for target in targets if isinstance(target, ir.Name)}
    if any(isinstance(node, ir.Attribute) and node.attr in _OF_JAX and file.code(node.value.site).rpartition(".")[2] in names
           for node in file.unit.own):  # fmt: skip
        return None
    said, imports = file.api(f"numpy.{last}")
    edits = [file.replace(call.func.site, said)]
    if not any(keyword.name == "dtype" for keyword in call.keywords):
        if dtype not in _DTYPES:
            return None
        scalar, more = file.api(f"numpy.{dtype}")
        added = append_argument(file, call, f"dtype={scalar}")
        if added is None:
            return None
        edits.append(added)
        imports |= more
    return Fix(f"Make it with `{said}`", tuple(edits), imports=imports, changes="it is an array of NumPy")


def _function(hazard: JaxAtImport, file: File) -> Fix | None:
    """The variable as a function, for a module whose functions alone read it."""
    statement, module = file.unit.statement(hazard.site), file.unit.module
    if not isinstance(statement, ir.Assign) or statement not in module.body or len(statement.targets) != 1:
        return None
    target, uses = statement.targets[0], reads_of(file.unit, statement)
    if uses is None or not isinstance(target, ir.Name) or not stands_on_own_lines(file, statement):
        return None
    name = target.id.lower().lstrip("_")
    taken = any(isinstance(node, ir.Scope) and name in node.locals for node in (module, *file.unit.own))
    inside = all(isinstance(file.unit.scope(node.site), ir.Function) for node in uses)
    exported = any(isinstance(node, ir.Constant) and node.value == target.id for node in file.unit.own)
    if taken or not inside or exported or name == target.id or knowledge.known(f"builtins.{name}"):
        return None
    newline = file.source.newline
    (start, end), value = file.span(statement.site), statement.value.site
    lines = f"def {name}():{newline}    return {file.source.text[slice(*file.outer_span(value))]}"
    before, after = file.source.text[:start], file.source.text[end:]
    lines = newline * max(0, 3 - _newlines(before[::-1])) * bool(before.strip()) + lines
    lines += newline * max(0, 3 - _newlines(after)) * bool(after.strip())
    edits = [Edit(start, end, lines), *(file.replace(node.site, f"{name}()") for node in uses)]
    title = f"Make it in a function, `{name}`"
    return Fix(title, tuple(edits), Applicability.DISPLAY)


def _newlines(text: str) -> int:
    """How many lines end before the first character that is no white space."""
    return text[: len(text) - len(text.lstrip())].count("\n")
