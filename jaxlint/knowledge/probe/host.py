"""NumPy, SciPy and Python functions called with a tracer of each class."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe import host_calls, host_modules
from jaxlint.knowledge.probe.calls import FAILED, attempt
from jaxlint.knowledge.probe.members import CLASSES, run

Verdicts = dict[str, Any]  # class -> verdict, or class -> argument -> verdict


def measure() -> dict[str, Any]:
    """For every function one verdict where the classes agree, else a verdict for each class."""
    rows: dict[str, Any] = {}
    for name, function in functions():
        row = measure_one(name, function)
        agreed = [row.get(cls) for cls in CLASSES]
        if isinstance(agreed[0], str) and agreed == agreed[:1] * len(CLASSES):
            rows[name] = agreed[0]
        elif row:
            rows[name] = row
    return rows


def captured() -> dict[str, dict[str, str]]:
    """What functions of NumPy do in staged code with a concrete array of JAX from outside, where that is no plain value.

    They ask the array for an operation of its own, which gives a tracer there: what they return then, or fail at.
    """
    rows: dict[str, dict[str, str]] = {}
    for name, function in functions():
        if name.startswith("numpy."):
            row = _captured(name, function)
            if row:
                rows[name] = row
    return rows


def _captured(name: str, function: Callable[..., Any]) -> dict[str, str]:
    for arguments in calls(name, function):
        if attempt(lambda: function(*_copy(arguments))) is FAILED:
            continue
        found: dict[str, str] = {}
        names = _names(function)
        for position, value in enumerate(arguments):
            leaves = jax.tree_util.tree_leaves(value)
            if not leaves or not all(_traceable(leaf) for leaf in leaves):
                continue
            concrete = jax.tree_util.tree_map(jnp.asarray, value)
            given = (*arguments[:position], concrete, *arguments[position + 1 :])
            if attempt(lambda: function(*_copy(given))) is FAILED:
                continue  # it takes no array of JAX at all
            verdict: list[str] = []

            def body(_: Any) -> None:
                result = attempt(lambda: function(*_copy(given)))
                verdict.append("fails" if result is FAILED else "works" if _holds_tracer(result) else "static")

            attempt(lambda: run(body, np.float32(1.0), "staged"))
            if verdict and verdict[0] != "static":
                found.update(dict.fromkeys([str(position), *names[position : position + 1]], verdict[0]))
        return found
    return {}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public callable of the modules, under every name it has."""
    for path, module in host_modules.modules():
        for name in sorted(dir(module)):
            if name.startswith("_") or name == "test" or f"{path}.{name}" in host_modules.SKIPPED:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = getattr(module, name)
            if callable(value) and not (isinstance(value, type) and issubclass(value, BaseException)):
                yield f"{path}.{name}", value
    yield from host_modules.distributions()


def measure_one(name: str, function: Callable[..., Any]) -> Verdicts:
    for arguments in calls(name, function):
        if attempt(lambda: function(*_copy(arguments))) is not FAILED or name in host_modules.NEED_NOT_WORK:
            row = {cls: _summary(name, function, arguments, cls) for cls in CLASSES}
            return {cls: verdict for cls, verdict in row.items() if verdict is not None}
    return {}


def calls(name: str, function: Callable[..., Any]) -> Iterator[tuple[Any, ...]]:
    """Positional arguments to try: NumPy arrays and Python numbers."""
    if name in host_calls.CALLS:
        for source in host_calls.CALLS[name]:
            yield eval(f"({source},)", dict(host_calls.VALUES))
        return
    shapes = getattr(getattr(function, "__self__", None), "numargs", 0)  # of a distribution
    for theme, shape in (("v", 2.0), ("v", 0.5), ("i", 0.5), ("i", 2)) if shapes else ():
        yield (host_calls.VALUES[theme], *[shape] * shapes)
    required = _required(function)
    counts = [required] if required is not None else [1, 2, 3]
    for count in counts:
        for theme in host_calls.THEMES:
            yield tuple([eval(theme, dict(host_calls.VALUES))] * max(count, 1))


def _required(function: Callable[..., Any]) -> int | None:
    if isinstance(function, np.ufunc):
        return function.nin
    signature = attempt(lambda: inspect.signature(function))
    if signature is FAILED:
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(
        parameter.kind in kinds and parameter.default is parameter.empty for parameter in signature.parameters.values()
    )


def _names(function: Callable[..., Any]) -> list[str]:
    signature = attempt(lambda: inspect.signature(function))
    return [] if signature is FAILED else list(signature.parameters)


def _copy(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments)


def _summary(name: str, function: Callable[..., Any], arguments: tuple[Any, ...], cls: str) -> Any:
    """One verdict where all arguments agree, else a table by position and name."""
    found: dict[int, str] = {}
    names = _names(function)
    for position in range(len(arguments)):
        verdict = _verdict(function, arguments, position, cls, name not in host_modules.NEED_NOT_WORK)
        if verdict is not None:
            found[position] = verdict
    if len(set(found.values())) < 2:
        return next(iter(found.values()), None)
    return {
        key: verdict for position, verdict in found.items() for key in [str(position), *names[position : position + 1]]
    }


def _verdict(
    function: Callable[..., Any], arguments: tuple[Any, ...], position: int, cls: str, must_work: bool
) -> str | None:
    """What happens when this one argument is a tracer; None where that cannot be asked."""
    value = arguments[position]
    leaves = jax.tree_util.tree_leaves(value)
    if not leaves or not all(_traceable(leaf) for leaf in leaves):
        return None
    if cls == "differentiated":
        if not all(np.issubdtype(np.result_type(leaf), np.floating) or isinstance(leaf, int) for leaf in leaves):
            return None
        value = jax.tree_util.tree_map(lambda leaf: np.asarray(leaf, np.float32), value)
        concrete = jax.tree_util.tree_map(jnp.asarray, value)
        given = (*_copy(arguments[:position]), concrete, *_copy(arguments[position + 1 :]))
        if must_work and attempt(lambda: function(*given)) is FAILED:
            return None  # it takes no float, traced or not
    verdict: list[str] = []

    def body(traced: Any) -> None:
        given = (*_copy(arguments[:position]), traced, *_copy(arguments[position + 1 :]))
        result = attempt(lambda: function(*given))
        verdict.append("fails" if result is FAILED else "works" if _holds_tracer(result) else "static")

    value = jax.tree_util.tree_map(jnp.asarray, value)
    attempt(lambda: run(body, value, cls))
    return verdict[0] if verdict else None


def _traceable(leaf: Any) -> bool:
    if isinstance(leaf, (bool, int, float, complex)):
        return True
    return isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.kind in "biufc"


def _holds_tracer(result: Any) -> bool:
    if isinstance(result, np.ndarray) and result.dtype == object:
        return any(isinstance(item, jax.core.Tracer) for item in result.flat)
    if isinstance(result, (map, zip, filter, enumerate, reversed)) or type(result).__name__.endswith("iterator"):
        result = attempt(lambda: list(result))
    if isinstance(result, (set, frozenset, dict)):
        result = list(result)
    leaves = jax.tree_util.tree_leaves(result, is_leaf=lambda item: isinstance(item, jax.core.Tracer))
    return any(isinstance(leaf, jax.core.Tracer) for leaf in leaves)
