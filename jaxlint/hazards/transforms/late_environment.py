"""Environment variable or option set after JAX has read it.

## What it does
Reports

- `os.environ["JAX_…"] = …` (also `setdefault`, `update`) after `import jax`;
- `XLA_FLAGS` and the variables of the allocator, set after an array was made or the devices were asked for;
- `jax.config.update("jax_num_cpu_devices", …)` and `"jax_platforms"` after that, and `jax.distributed.initialize()`;
- `jax.config.update("jax_enable_x64", True)` after arrays were made without it;
- options that are assigned, as in `jax.config.jax_enable_x64 = True`: they are read-only.

Files that start other processes, or import modules again, are silent about the environment: others may read it.

## Why is this bad
JAX reads its variables once, while it is imported, and XLA reads its flags when the backend starts. What is set later
is ignored, without a word: the numbers stay 32 bits wide, there is one device instead of eight. Some calls do
raise: `RuntimeError: jax_num_cpu_devices config should be updated before backends are initialized`. An assignment to an
option raises `AttributeError`.

## Example
```python
import os
import jax

os.environ["JAX_ENABLE_X64"] = "1"
```

## Use instead
```python
import os
os.environ["JAX_ENABLE_X64"] = "1"

import jax
```

or, for an option, `jax.config.update("jax_enable_x64", True)` before the first array is made.

## When to ignore
Where the variable is meant for processes that another library starts.

## Fix safety
Safe: an assignment to an option becomes a call of `jax.config.update`. Unsafe: the statement is moved above the import, or above what starts the backend or makes an array, where
both stand in the same block and what it reads is there already; what runs first changes. In a
function, a variable that switches an option on or off becomes a call of `jax.config.update`.

## References
- JAX documentation, "Configuration options" (https://docs.jax.dev/en/latest/config_options.html)
- JAX documentation, "Sharp Bits", "Double (64bit) precision"
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, "GPU memory allocation" (https://docs.jax.dev/en/latest/gpu_memory_allocation.html)
- JAX documentation, "Multi-process computations" (https://docs.jax.dev/en/latest/multi_process.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.backend_initialisation import LateEnvironment, OptionAssigned
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import moved_above
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX520",
    category=Category.WRONG,
    hazards=(LateEnvironment, OptionAssigned),
    fixable="safe",
)

# Options that are on or off, and the words for that.
_SWITCHES = ("jax_enable_", "jax_debug_", "jax_disable_", "jax_log_compiles", "jax_check_tracer_leaks")
_WORDS = {
    **dict.fromkeys(("1", "true", "yes", "on", "t", "y"), True),
    **dict.fromkeys(("0", "false", "no", "off", "f", "n"), False),
}
_AFTER = {"import": "JAX was imported", "backend": "the backend started", "array": "arrays were created"}


def check(hazard: LateEnvironment | OptionAssigned, file: File) -> Iterator[Finding]:
    if isinstance(hazard, OptionAssigned):
        yield _assigned(hazard, file)
        return
    name = str(hazard.api)
    is_call = isinstance(file.unit.nodes[hazard.site], ir.Call) and "." in name
    said = f"`{name}()` called" if is_call else f"`{name}` set"
    if hazard.after == "array":
        effect = "does not change them"
    elif name in ("jax_num_cpu_devices", "jax.distributed.initialize"):
        effect = "raises RuntimeError"
    else:
        effect = "has no effect"
    before = file.code(hazard.asked, 40) if hazard.after != "import" else "import"
    if hazard.after == "import":
        help = f"Set `{name}` before the import, or call `jax.config.update({name.lower()!r}, …)`."
    else:
        help = f"Move it before `{before}`, which {'starts the backend' if hazard.after == 'backend' else 'creates an array'}."
    yield Finding(
        hazard.site, f"{said} after {_AFTER[hazard.after]} {effect}", help, _moved(hazard, file) or _option(hazard, file),
        also=((_AFTER[hazard.after] + " here", hazard.asked),),
    )  # fmt: skip


def _assigned(hazard: OptionAssigned, file: File) -> Finding:
    """`jax.config.update("jax_enable_x64", True)` for `jax.config.jax_enable_x64 = True`."""
    statement, draft = file.unit.statement(hazard.site), Draft(file)
    target = only_target(statement)
    update = draft.api("jax.config.update")
    fix = None
    if isinstance(statement, ir.Assign) and target is not None and target.site == hazard.site:
        draft.replace(statement.site, f'{update}("{hazard.api}", {file.code(statement.value.site)})')
        fix = draft.fix(f"Call `{update}`", level=Applicability.SAFE)
    message = f"Assignment to the read-only option `{file.code(hazard.site, 60)}`"
    return Finding(hazard.site, message, f'Call `{update}("{hazard.api}", …)`.', fix)


@or_none
def _moved(hazard: LateEnvironment, file: File) -> Fix:
    """The statement above the one that came too early."""
    require(hazard.asked in file.unit)
    early = file.unit.statement(hazard.asked)
    edits = known(moved_above(file, file.unit.statement(hazard.site), early))
    place = "the import" if hazard.after == "import" else f"`{file.code(hazard.asked, 40)}`"
    return Fix(f"Move it above {place}", edits, changes="it runs first")


@or_none
def _option(hazard: LateEnvironment, file: File) -> Fix:
    """`jax.config.update`, which also works later, for a variable that switches something on or off."""
    statement, draft, option = file.unit.statement(hazard.site), Draft(file), str(hazard.api).lower()
    match statement:
        case ir.Assign(targets=[ir.Subscript()], value=value) | ir.Evaluate(value=ir.Call(args=[_, value])):
            pass  # the last is a `setdefault`
        case _:
            raise NoFix
    require(hazard.after == "import" and option.startswith(_SWITCHES))
    on = known(_WORDS.get(str(expect(ir.Constant, value).value).lower()))
    draft.replace(statement.site, draft.call("jax.config.update", f'"{option}"', str(on)))
    return draft.fix(f"Call `{draft.api('jax.config.update')}`", "it takes effect from here on")
