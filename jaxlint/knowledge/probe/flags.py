"""Which parameters of functions and layers are annotated `bool`: measures and writes ``data/flags.json``.

python -m jaxlint.knowledge.probe.flags            write the file
python -m jaxlint.knowledge.probe.flags --check    compare the file with the installed libraries
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

from jaxlint.knowledge.probe import write

DATA = Path(__file__).parent.parent / "data" / "flags.json"
MODULES = ("jax.nn", "flax.linen", "flax.nnx", "equinox.nn", "optax", "haiku")


def measure(only: str = "") -> dict[str, Any]:
    """The rows of all public functions and classes whose names a regular expression matches, from their start on."""
    rows = {}
    for module in MODULES:
        for name in sorted(vars(importlib.import_module(module))):
            value = getattr(importlib.import_module(module), name)
            if callable(value) and not name.startswith("_") and re.match(only, f"{module}.{name}"):
                row = of(value)
                if row:
                    rows[f"{module}.{name}"] = row
    return rows


def of(value: Any) -> dict[str, int | None]:
    """The flags of a function or class, with their positions; None for one that is passed by name alone."""
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return {}
    return {
        each.name: position if each.kind is each.POSITIONAL_OR_KEYWORD else None
        for position, each in enumerate(parameters)
        if each.annotation in (bool, "bool") and each.kind is not each.VAR_KEYWORD
    }


if __name__ == "__main__":
    sys.exit(write.command(DATA, "Measure which parameters are flags.", measure))
