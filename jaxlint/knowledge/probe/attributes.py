"""The attributes of objects of Flax, Equinox, Haiku and Optax: measures them and adds to ``data/attributes.json``.

    python -m jaxlint.knowledge.probe.attributes            add what the installed releases have
    python -m jaxlint.knowledge.probe.attributes --check    compare: 1 where an object has an attribute that the file lacks

A row is the union over the releases that were measured, and names only what the module class of its library lacks. An object
has what its class has, its declared fields, and what methods of its classes set on ``self``.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import importlib.metadata
import inspect
import json
import os
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jaxlint.knowledge.probe.walk import DISTRIBUTIONS

os.environ.setdefault("JAX_PLATFORMS", "cpu")

DATA = Path(__file__).parent.parent / "data" / "attributes.json"
# Modules whose classes are measured, and the class that those of a module share.
LAYERS = {
    "flax.linen": "flax.linen.Module",
    "flax.nnx": "flax.nnx.Module",
    "equinox.nn": "equinox.Module",
}
# Single classes.
OTHERS = ("flax.training.train_state.TrainState", "optax.GradientTransformationExtraArgs", "haiku.Transformed",
          "haiku.TransformedWithState")  # fmt: skip


def measure() -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for module, base in LAYERS.items():
        with contextlib.suppress(ImportError):
            shared = found(base)
            common = members(shared)
            rows[base] = sorted(common)
            for name, value in sorted(vars(importlib.import_module(module)).items()):
                if inspect.isclass(value) and issubclass(value, shared) and not name.startswith("_"):
                    rows.setdefault(f"{module}.{name}", sorted(members(value) - common))
    for name in OTHERS:
        with contextlib.suppress(ImportError, AttributeError):
            rows[name] = sorted(members(found(name)))
    return rows


def found(dotted: str) -> Any:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


def members(cls: type) -> set[str]:
    """The public names that objects of a class have."""
    names = set(dir(cls))
    for each in cls.__mro__:
        names.update(getattr(each, "__annotations__", ()))
        names.update(set_by(each))
    return {name for name in names if not name.startswith("_")}


def set_by(cls: type) -> Iterator[str]:
    """What the methods of a class set on their first parameter."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            yield node.attr


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure which attributes objects of libraries have.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if an attribute is not in the file")
    options = parser.parse_args(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measured = measure()
    known: dict[str, Any] = {"attributes": {}, "versions": {}}
    if DATA.exists():
        known = json.loads(DATA.read_text(encoding="utf-8"))
    rows: dict[str, list[str]] = known["attributes"]
    if options.check:
        new = [f"{name}.{each}" for name, row in measured.items() for each in sorted({*row} - {*rows.get(name, ())})]
        print("\n".join(new) or "the file has what was measured")
        return bool(new)
    for name, row in measured.items():
        rows[name] = sorted({*row, *rows.get(name, ())})
    for package in sorted({DISTRIBUTIONS[name.partition(".")[0]] for name in measured}):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions = known["versions"].setdefault(package, [])
            version = importlib.metadata.version(package)
            known["versions"][package] = sorted({*versions, version})
    DATA.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
