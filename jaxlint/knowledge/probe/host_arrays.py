"""NumPy functions given a jax array: those that want to write into it, and those that quietly give another answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe import host
from jaxlint.knowledge.probe.calls import FAILED, attempt
from jaxlint.knowledge.probe.members import CLASSES, run

# Calls that change an argument and cannot be guessed.
WRITING: dict[str, tuple[str, ...]] = {
    "numpy.copyto": ("m, 2.0",),
    "numpy.fill_diagonal": ("m, 2.0",),
    "numpy.put": ("v, [0], 2.0",),
    "numpy.put_along_axis": ("v, np.array([0]), 2.0, 0",),
    "numpy.place": ("v, v > 0.3, [2.0]",),
    "numpy.putmask": ("v, v > 0.3, 2.0",),
    "numpy.random.shuffle": ("np.arange(9.0)",),
}
_PLAIN = (bool, int, float, complex, np.bool_, np.integer, np.floating)


def silent() -> dict[str, dict[str, str]]:
    """Functions whose plain answer for a tracer differs from that for the array: class -> the two answers."""
    rows = {}
    for name, function in host.functions():
        if not name.startswith("numpy."):
            continue
        for arguments in host.calls(name, function):
            positions = range(len(arguments))
            row = {
                cls: text
                for cls in CLASSES
                for number in positions
                for text in _answers(function, arguments, number, cls)
            }
            if row:
                rows[name] = row
                break
    return rows


def _answers(function: Callable[..., Any], arguments: tuple[Any, ...], number: int, cls: str) -> Iterator[str]:
    """The two answers, where they differ when the argument at ``number`` is traced."""
    value = arguments[number]
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "bif":
        return
    given = value.astype(np.float32) if cls == "differentiated" else value
    before, after = arguments[:number], arguments[number + 1 :]
    expected = attempt(lambda: function(*before, jnp.asarray(given), *after))
    if not isinstance(expected, _PLAIN):
        return
    seen: list[Any] = []

    def body(traced: Any) -> None:
        seen.append(attempt(lambda: function(*before, traced, *after)))

    attempt(lambda: run(body, jnp.asarray(given), cls))
    if seen and seen[0] is not FAILED and isinstance(seen[0], _PLAIN) and seen[0] != expected:
        yield f"{expected} becomes {seen[0]}"


def writes() -> dict[str, list[str]]:
    """Functions -> parameters in which they put their result: a NumPy array is changed, a jax array raises."""
    rows = {}
    for name, function in host.functions():
        if not name.startswith("numpy.") or name.startswith(("numpy.ma.", "numpy.testing.")):
            continue
        found = [parameter for parameter in _outputs(function) if _is_written(name, function, parameter)]
        found += changed(name, function)
        if found:
            rows[name] = found
        if isinstance(function, np.ufunc) and _updates(function):
            rows[f"{name}.at"] = ["a"]
    return rows


def _outputs(function: Callable[..., Any]) -> list[str]:
    if isinstance(function, np.ufunc):
        return ["out"]
    signature = attempt(lambda: inspect.signature(function))
    return [] if signature is FAILED or "out" not in signature.parameters else ["out"]


def _updates(function: np.ufunc) -> bool:
    """Whether `ufunc.at` changes an array of NumPy and refuses one of jax."""
    update: Callable[..., None] = function.at  # called with what its annotations forbid as well
    given = (np.array([0]),) + (1.0,) * (function.nin - 1)
    if attempt(lambda: update(np.ones(3), *given)) is FAILED:
        return False
    return attempt(lambda: update(jnp.ones(3), *given)) is FAILED


def _is_written(name: str, function: Callable[..., Any], parameter: str) -> bool:
    """Whether a call that works with a NumPy array for the result refuses a jax array."""
    for arguments in host.calls(name, function):
        result = attempt(lambda: function(*_copied(arguments)))
        if isinstance(result, (np.ndarray, np.generic)):
            place = np.zeros(np.shape(result), result.dtype)
            works = attempt(lambda: function(*_copied(arguments), **{parameter: place}))
            fails = attempt(lambda: function(*_copied(arguments), **{parameter: jnp.asarray(place)}))
            return works is not FAILED and fails is FAILED
    return False


def changed(name: str, function: Callable[..., Any]) -> list[str]:
    """Names of the arguments that a call changes and that cannot be jax arrays."""
    for arguments in _tried(name, function):
        given = _copied(arguments)
        if attempt(lambda: function(*given)) is FAILED:
            continue
        changed = [
            number
            for number, (before, after) in enumerate(zip(arguments, given))
            if isinstance(before, np.ndarray) and not np.array_equal(before, after)
        ]
        refused = [number for number in changed if attempt(lambda: function(*_with_jax(arguments, number))) is FAILED]
        return [_parameter(function, number) for number in refused]
    return []


def _tried(name: str, function: Callable[..., Any]) -> Iterator[tuple[Any, ...]]:
    if name in WRITING:
        from jaxlint.knowledge.probe.host_calls import VALUES

        for source in WRITING[name]:
            yield eval(f"({source},)", dict(VALUES))
    elif not isinstance(function, (np.ufunc, type)):
        yield from host.calls(name, function)


def _with_jax(arguments: tuple[Any, ...], number: int) -> tuple[Any, ...]:
    given = list(_copied(arguments))
    given[number] = jnp.asarray(given[number])
    return tuple(given)


def _parameter(function: Callable[..., Any], number: int) -> str:
    signature = attempt(lambda: inspect.signature(function))
    return str(number) if signature is FAILED else list(signature.parameters)[number]


def _copied(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments)


def attributes() -> dict[str, bool]:
    """Public attributes of a concrete jax array."""
    array = jnp.ones(3)
    return {name: True for name in dir(array) if not name.startswith("_") or name == "__cuda_array_interface__"}
