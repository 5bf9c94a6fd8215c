"""The functions whose facts are measured, and how to reach them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp

from jaxlint.knowledge.parameters import spell
from jaxlint.knowledge.probe import calls_by_hand, facts, names
from jaxlint.knowledge.probe.calls import Function
from jaxlint.knowledge.probe.names import Name

MEASURED = (
    "jax",
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.lax",
    "jax.lax.linalg",
    "jax.random",
    "jax.nn",
    "jax.nn.initializers",
    "jax.tree",
    "jax.tree_util",
    "jax.image",
    "jax.ops",
    "jax.dtypes",
    "jax.flatten_util",
)


def measured(found: list[Name], aliases: dict[str, str]) -> Iterator[Name]:
    """Names of the functions to measure, each object once."""
    for name in found:
        parent = name.path.rpartition(".")[0]
        wanted = parent in MEASURED or parent.startswith("jax.scipy")
        if wanted and name.kind in ("function", "class") and name.path not in aliases:
            yield name


def callables(only: str = "") -> Iterator[Function]:
    """The functions that can be called, and whose names a regular expression matches from their start on.

    A collective is called where its axis is known (`in_axis`).
    """
    found = names.names()
    for number, name in enumerate(measured(found, names.aliases(found))):
        if number % 100 == 0:
            jax.clear_caches()  # thousands of compiled programs take gigabytes
        if name.kind != "function" or not re.match(only, name.path) or calls_by_hand.is_skipped(name.path):
            continue
        if spelled(name):
            value = in_axis(name.value) if name.path in calls_by_hand.COLLECTIVES else name.value
            yield Function(name.path, value, inspect.signature(name.value))


def spelled(name: Name) -> str:
    """The parameters as a row has them; empty where there is no signature."""
    try:
        return spell(inspect.signature(name.value))
    except (ValueError, TypeError):
        return ""


def row(name: Name) -> facts.Row | None:
    """The measured row, a signature alone for what is not called, None for what has no signature."""
    try:
        signature = inspect.signature(name.value)
    except (ValueError, TypeError):
        return None
    if calls_by_hand.is_skipped(name.path):
        return {"parameters": spell(signature)}
    value = in_axis(name.value) if name.path in calls_by_hand.COLLECTIVES else name.value
    if name.kind == "class" and not _constructs_value(name):
        facts.classes.add(name.path)
        return {"parameters": spell(signature)}
    return facts.measure(Function(name.path, value, signature))


def _constructs_value(name: Name) -> bool:
    return (
        name.path in ("jax.numpy.dtype", "jax.numpy.finfo", "jax.numpy.iinfo")
        or type(name.value).__name__ == "_ScalarMeta"
    )


def in_axis(collective: Callable[..., Any]) -> Callable[..., Any]:
    """The collective, called where the axis ``i`` of size 2 is known; its result is one element's."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        seen: list[Any] = []

        def element(_: jax.Array) -> Any:
            seen.append(collective(*arguments, **keywords))
            return seen[0]

        results = jax.vmap(element, axis_name="i")(jnp.zeros(2))
        if not jax.tree_util.tree_leaves(seen[0]) or not isinstance(seen[0], jax.core.Tracer):
            return seen[0]
        return jax.tree_util.tree_map(lambda leaf: leaf[0], results)

    return call


def initializers(found: list[Name]) -> Iterator[tuple[str, Function]]:
    """The functions that `jax.nn.initializers` factories return, named ``factory()``."""
    for name in found:
        if name.path.startswith("jax.nn.initializers.") and name.kind == "function":
            arguments = {"constant": (1.0,), "variance_scaling": (1.0, "fan_in", "normal")}.get(
                name.path.rpartition(".")[2], ()
            )
            signature = inspect.signature(name.value)
            if "key" in signature.parameters:
                continue
            yield f"{name.path}()", Function(f"{name.path}()", name.value(*arguments))
