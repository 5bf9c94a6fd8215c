"""What libraries are seen to give and take: functions that note it, and how it is told in the data files."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe import library_calls

MAX_DEPTH = 3  # of results in one another


class Recorder:
    """A function of the user, as a library sees it: it notes what it is given, and gives what ``body`` makes of it."""

    def __init__(self, body: Callable[..., Any]) -> None:
        self.body = body
        self.seen: list[Seen] = []
        self.given: list[Any] = []  # what it returned
        functools.update_wrapper(self, body, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.seen.append(Seen(args, kwargs, stage_of((args, kwargs))))
        result = self.body(*args, **kwargs)
        self.given.append(result)
        return result


class Seen(NamedTuple):
    """One call of a recorder."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    stage: str  # "staged", "batched", "differentiated", or "caller": as the code around


def is_tracer(value: Any) -> bool:
    return isinstance(value, jax.core.Tracer)


def is_array(value: Any) -> bool:
    return isinstance(value, (jax.Array, np.ndarray, np.generic))


def stage_of(given: Any) -> str:
    """The class of code that a function runs in: what JAX makes of constants there, and what a tracer answers."""
    if is_tracer(jnp.zeros(()) + 0.0):
        return "staged"
    tracers = [leaf for leaf in jax.tree.leaves(given) if is_tracer(leaf)]
    for leaf in tracers:
        try:
            bool(jnp.any(leaf != leaf))
        except Exception:
            return "batched"
    return "differentiated" if tracers else "caller"


def are_like(values: Any, given: Any) -> bool:
    return len(values) == len(given) and all(
        any(is_array(leaf) for leaf in jax.tree.leaves(b)) and form(a) == form(b) for a, b in zip(values, given)
    )


def tracedness(value: Any) -> str:
    return "traced" if any(is_tracer(leaf) for leaf in jax.tree.leaves(value)) else "concrete"


def argument(value: Any, given: dict[str, Any]) -> str:
    """One argument of a function that is called: `traced int32[]`, `traced like params`, `same args`, `value`.

    `arrays like args` is one of which the arrays alone are traced, and numbers stay as they were given.
    """
    leaves = jax.tree.leaves(value)
    if not leaves or not all(is_array(leaf) or isinstance(leaf, (int, float, complex)) for leaf in leaves):
        return "none" if value is None else "value"
    for name, each in given.items():
        if each is value and not isinstance(value, (int, float)):
            return f"same {name}"
    if not any(is_array(leaf) for leaf in leaves):
        return "value"
    mode = tracedness(value)
    if all(map(is_key, leaves)):
        return f"{mode} key"
    for name, each in given.items():
        if form(value) == form(each) and jax.tree.leaves(each) and (form(each)[1] != (((), "float32"),)):
            numbers = mode == "traced" and any(isinstance(leaf, (int, float, complex)) for leaf in leaves)
            return f"{'arrays' if numbers else mode} like {name}"
    if leaves == [value]:
        return f"{mode} {value.dtype}[]" if value.shape == () else f"{mode} array"
    return f"{mode} tree"


def form(value: Any) -> Any:
    try:
        leaves, structure = jax.tree.flatten(value)
        return structure, tuple((jnp.shape(leaf), str(jnp.result_type(leaf))) for leaf in leaves)
    except Exception:
        return id(value), ()


def is_key(value: Any) -> bool:
    typed = is_array(value) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
    return typed or (is_array(value) and value.dtype == jnp.uint32 and value.shape == (2,))


def described(
    value: Any, given: dict[str, Any], recorders: dict[str, Recorder], package: str = "", depth: int = 0
) -> Any:
    """What a call gives: a kind, a list of them for a tuple, a table of them for an object with named parts."""

    def inner(each: Any) -> Any:
        return described(each, given, recorders, package, depth + 1)

    for name, each in given.items():
        if each is value and not isinstance(value, (int, float, str, bool, type(None))):
            return f"same {name}"
    for path, recorder in recorders.items():
        if any(value is each for each in recorder.given) and value is not None:
            return f"returns {path}"
    if value is None:
        return "none"
    if is_array(value):
        return "key" if is_key(value) else "array"
    if isinstance(value, (bool, int, float, complex, str, bytes)):
        return "static"
    if depth < MAX_DEPTH and isinstance(value, tuple) and not hasattr(value, "_fields"):
        return list(map(inner, value))
    leaves = jax.tree.leaves(value)
    if isinstance(value, tuple) and not leaves:
        return "tree"
    if leaves and all(is_array(leaf) or isinstance(leaf, (int, float)) for leaf in leaves):
        if leaves[0] is not value and not callable(value):
            for name, each in given.items():
                if form(value) == form(each):
                    return f"like {name}"
            fields = _fields(value)
            if not fields and any(public_name(cls, package) for cls in type(value).__mro__):
                return _object(value, package)
            if fields and depth < MAX_DEPTH:
                return {name: inner(each) for name, each in fields.items()}
            if not fields:
                return "tree"
    if hasattr(value, "_fields") and depth < MAX_DEPTH and not any(map(inspect.isfunction, value)):
        return {name: inner(each) for name, each in value._asdict().items()}
    if isinstance(value, (list, dict)) or inspect.isclass(value):
        return "unknown"
    return _object(value, package)


def _object(value: Any, package: str) -> str:
    """An object of a class, told by the class that is farthest up."""
    public = [name for cls in type(value).__mro__ if (name := public_name(cls, package))]
    return f"object {public[-1]}" if public else "object"


def _fields(value: Any) -> dict[str, Any]:
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if dataclasses.is_dataclass(value):
        return {each.name: getattr(value, each.name, None) for each in dataclasses.fields(value)}
    return {}


@functools.cache
def _public(package: str) -> dict[int, str]:
    """The public classes of a package: each by its shortest name."""
    found: dict[int, str] = {}
    for path in library_calls.MODULES.get(package, ()):
        for name, value in sorted(vars(importlib.import_module(path)).items()):
            if not name.startswith("_") and inspect.isclass(value):
                found.setdefault(id(value), f"{path}.{name}")
    return found


def public_name(cls: Any, package: str) -> str:
    return _public(package).get(id(cls), "")


def common(first: Any, second: Any) -> Any:
    if first == second:
        return first
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [common(a, b) for a, b in zip(first, second)]
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        return {name: common(first[name], second[name]) for name in first}
    if first == "unknown" or second == "unknown" or "object" in f"{first} {second}".split():
        return "unknown"
    words = {first.split()[0], second.split()[0]} if isinstance(first, str) and isinstance(second, str) else set()
    if words == {"same", "traced"}:
        return "traced tree"
    kinds = {kind_of(first), kind_of(second)}
    for prefix in ("traced ", "concrete ", ""):
        if kinds <= {f"{prefix}{kind}" for kind in ("array", "tree", "like")}:
            return f"{prefix}tree"
    return "unknown"


def kind_of(result: Any) -> str:
    if not isinstance(result, str):
        return "tree"
    words = result.split()
    return " ".join(each for each in words[:2] if each in ("traced", "concrete", "array", "tree", "like")) or result
