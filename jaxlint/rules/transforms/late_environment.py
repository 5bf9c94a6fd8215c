"""What configures JAX is set after JAX has read it.

## What it does
Reports

- `os.environ["JAX_…"] = …` (also `setdefault`, `update`) after `import jax`;
- `XLA_FLAGS` and the variables of the allocator, set after an array was made or the devices were asked for;
- `jax.config.update("jax_num_cpu_devices", …)` and `"jax_platforms"` after that, and `jax.distributed.initialize()`;
- `jax.config.update("jax_enable_x64", True)` after arrays were made without it.

Files that start other processes, or import modules again, are silent about the environment: others may read it.

## Why is this bad
JAX reads its variables once, while it is imported, and XLA reads its flags when the backend starts. What is set later
is ignored, without a word: the numbers stay 32 bits wide, there is one device instead of eight. Some calls do
raise: `RuntimeError: jax_num_cpu_devices config should be updated before backends are initialized`.

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
There is no fix: moving a statement over an import changes what runs first.

## References
- JAX documentation, "Configuration options" (https://docs.jax.dev/en/latest/config_options.html)
- JAX documentation, "Sharp Bits", "Double (64bit) precision"
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, "GPU memory allocation" (https://docs.jax.dev/en/latest/gpu_memory_allocation.html)
- JAX documentation, "Multi-process computations" (https://docs.jax.dev/en/latest/multi_process.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint import syntax as ir
from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.startup import Late

RULE = Rule(
    code="JAX520",
    name="late-environment",
    summary="A variable or an option that JAX reads at import, or when its backend starts, is set after that.",
    category=Category.WRONG,
    kinds=(Kind.LATE,),
)

_AFTER = {"import": "JAX was imported", "backend": "the backend started", "array": "arrays were made"}


def check(demand: Demand, file: File) -> Iterator[Finding]:
    late = demand.detail
    assert isinstance(late, Late)
    name = str(demand.api)
    is_call = isinstance(file.unit.nodes[demand.site], ir.Call) and "." in name
    said = f"`{name}()` is called" if is_call else f"`{name}` is set"
    if late.after == "array":
        effect = "those keep 32 bits, and so does what is computed with them"
    elif name in ("jax_num_cpu_devices", "jax.distributed.initialize"):
        effect = "that raises RuntimeError"
    else:
        effect = "it has no effect any more"
    before = file.code(late.site, 40) if late.after != "import" else "import"
    if late.after == "import":
        help = f"Set `{name}` above the import, or call `jax.config.update({name.lower()!r}, …)`."
    else:
        help = f"Move it above `{before}`, which {'starts the backend' if late.after == 'backend' else 'makes an array'}."
    yield Finding(demand.site, f"{said} after {_AFTER[late.after]}: {effect}", help=help, also=((_AFTER[late.after] + " here", late.site),))
