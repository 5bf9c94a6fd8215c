"""Public names of JAX: every dotted path a user can write, and which paths mean the same object."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import pkgutil
import re
import types
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

# Importing these needs other packages or an accelerator, or starts something.
NOT_IMPORTED = (
    "jax.extend.mlir",
    "jax.experimental.jax2tf",
    "jax.experimental.mosaic",
    "jax.experimental.pallas.ops",
    "jax.experimental.pallas.tpu_sc",
    "jax.collect_profile",
    "jax.tools",
    "jax.experimental.array_serialization",
)

# Where an object has several names, the earlier of these modules gives the canonical one.
PREFERRED = (
    "jax",
    "jax.numpy",
    "jax.lax",
    "jax.random",
    "jax.tree",
    "jax.nn",
    "jax.tree_util",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.nn.initializers",
    "jax.scipy.special",
    "jax.scipy.linalg",
    "jax.lax.linalg",
    "jax.dtypes",
    "jax.sharding",
    "jax.debug",
    "jax.image",
)


class Name(NamedTuple):
    path: str
    kind: str  # "module", "class", "function" or "constant"
    value: Any


def modules() -> Iterator[types.ModuleType]:
    """The public modules of JAX, parents first."""
    todo = ["jax"]
    while todo:
        path = todo.pop(0)
        try:
            with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
                warnings.simplefilter("ignore")
                module = importlib.import_module(path)
        except Exception:  # a module that needs what is not installed has no names to offer here
            continue
        yield module
        if hasattr(module, "__path__"):
            children = sorted(info.name for info in pkgutil.iter_modules(module.__path__))
            todo += [
                f"{path}.{child}"
                for child in children
                if not child.startswith("_") and not f"{path}.{child}".startswith(NOT_IMPORTED)
            ]


def _kind(value: Any) -> str:
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "constant"


def _belongs(path: str, value: Any) -> bool:
    """Whether a name of a JAX module is JAX's own and not something the module merely imports."""
    if inspect.ismodule(value):
        return value.__name__.split(".")[0] == "jax" and not value.__name__.startswith("jax._src")
    origin = getattr(value, "__module__", None)
    if isinstance(origin, str) and origin.split(".")[0] in ("jax", "jaxlib"):
        return True
    if path in (
        "jax",
        "jax.numpy",
        "jax.numpy.linalg",
        "jax.numpy.fft",
        "jax.lax",
        "jax.nn",
        "jax.random",
        "jax.dtypes",
    ):
        return not hasattr(value, "_name") and origin not in ("typing", "__future__", "collections.abc")
    return False


def names() -> list[Name]:
    """Every public name, deprecated ones that still exist included."""
    found: dict[str, Name] = {}
    for module in modules():
        path = module.__name__
        found[path] = Name(path, "module", module)
        table = getattr(module, "_deprecations", None)
        deprecated = {
            name: entry[1]
            for name, entry in (table if isinstance(table, dict) else {}).items()
            if isinstance(entry, tuple) and len(entry) > 1 and entry[1] is not None
        }
        for name, value in {**deprecated, **vars(module)}.items():
            if not name.startswith("_") and (name in deprecated or _belongs(path, value)):
                found.setdefault(f"{path}.{name}", Name(f"{path}.{name}", _kind(value), value))
    return [found[path] for path in sorted(found)]


def aliases(found: list[Name]) -> dict[str, str]:
    """For every name that is not canonical, the canonical name of the same object."""
    same: dict[int, list[Name]] = {}
    for name in found:
        if name.kind != "constant":
            same.setdefault(id(name.value), []).append(name)
    result = _declared(found)
    for group in same.values():
        best = min(group, key=_rank).path
        for name in group:
            if name.path != best:
                result[name.path] = result.get(best, best)
    return result


def _declared(found: list[Name]) -> dict[str, str]:
    """Names whose docstring says that they are another name for a function: `jax.remat`, `jax.tree_util.tree_map`."""
    paths = {name.path for name in found}
    result = {}
    for name in found:
        if name.path.rpartition(".")[0] in ("jax", "jax.tree_util") and name.kind == "function":
            said = re.match(r"\s*Alias (?:of|for) :func:`~?(jax[\w.]+)`", getattr(name.value, "__doc__", None) or "")
            if said and said[1] in paths:
                result[name.path] = said[1]
    return result


def _rank(name: Name) -> tuple[Any, ...]:
    if name.kind == "module":  # a module is called what it calls itself
        return (name.path != name.value.__name__, len(name.path), name.path)
    parent, _, last = name.path.rpartition(".")
    place = PREFERRED.index(parent) if parent in PREFERRED else len(PREFERRED)
    own = getattr(name.value, "__name__", last)
    return (place, name.path.count("."), last != own, len(name.path), name.path)


def hidden(found: list[Name]) -> list[str]:
    """Names that ``from module import *`` leaves out, because the module's ``__all__`` does."""
    listed = {
        name.path: set(name.value.__all__) for name in found if name.kind == "module" and hasattr(name.value, "__all__")
    }
    result = []
    for name in found:
        parent, _, last = name.path.rpartition(".")
        if parent in listed and last not in listed[parent]:
            result.append(name.path)
    return result
