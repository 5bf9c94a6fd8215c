"""Working calls of a function, found by trying: which values its parameters accept."""

from __future__ import annotations

import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np

from jaxlint.knowledge.probe import examples

broken: list[str] = []  # example calls that do not work with the installed JAX

Call = dict[str, Any]  # parameter -> value; a star parameter holds a tuple, a double-star one a dict


class Function:
    """A callable with what is needed to call it by parameter name."""

    def __init__(self, name: str, value: Callable[..., Any], signature: inspect.Signature | None = None) -> None:
        self.name = name
        self.value = value
        self.signature = signature or inspect.signature(value)
        self.parameters = dict(self.signature.parameters)

    def arguments(self, call: Call) -> tuple[list[Any], dict[str, Any]]:
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        by_position = True
        for name, parameter in self.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional += call.get(name, ()) if by_position else ()
                by_position = False
            elif parameter.kind is parameter.VAR_KEYWORD:
                keywords.update(call.get(name, {}))
            elif name not in call:
                by_position = False
            elif parameter.kind is parameter.KEYWORD_ONLY or not by_position:
                keywords[name] = call[name]
            else:
                positional.append(call[name])
        return positional, keywords

    def __call__(self, call: Call) -> Any:
        positional, keywords = self.arguments(call)
        return self.value(*positional, **keywords)

    def works(self, call: Call) -> bool:
        """Whether the call works; what can be traced is not run, as that is much slower."""
        return self.traces(call) or attempt(lambda: self(call)) is not FAILED

    def traces(self, call: Call) -> bool:
        names = [name for name, value in call.items() if numeric(value) and contains_array(value)]
        if not names:
            return False

        def body(values: list[Any]) -> int:
            self({**call, **dict(zip(names, values))})
            return 0

        return attempt(lambda: jax.eval_shape(body, [call[name] for name in names])) is not FAILED

    def evaluates(self, call: Call) -> bool:
        """Whether the call works in abstract evaluation, with its arguments known; arrays are not computed."""

        def body() -> int:
            self(call)
            return 0

        return attempt(lambda: jax.eval_shape(body)) is not FAILED

    def bind(self, source: str) -> Call:
        """The call written as ``source``, for example ``"v, axis=0"``, in the names of `examples.VALUES`."""
        arguments, keywords = eval(f"(lambda *a, **k: (a, k))({source})", dict(examples.VALUES))
        return dict(self.signature.bind(*arguments, **keywords).arguments)


class _Failed:
    def __repr__(self) -> str:
        return "FAILED"


FAILED = _Failed()


def attempt(run: Callable[[], Any]) -> Any:
    """The result of ``run``, or FAILED. Output the function prints is thrown away by the caller's process."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:
        return FAILED


def candidates(function: Function, parameter: inspect.Parameter, theme: str) -> list[Any]:
    """Values to try for a required parameter, best guess first."""
    sources = examples.named(function.name, parameter.name)
    values = [examples.value(source) for source in sources]
    if not values or theme not in examples.FIRST_THEMES:
        values = [examples.value(theme), *values]
    if parameter.kind is parameter.VAR_POSITIONAL:
        return [(value,) for value in values[:2]] + [(values[0], values[0])]
    return values


def optional_candidates(function: Function, parameter: inspect.Parameter) -> list[Any]:
    """Values to try for a parameter that has a default."""
    values = [examples.value(source) for source in examples.named(function.name, parameter.name)]
    default = parameter.default
    if (
        isinstance(default, (int, float, tuple))
        and default != ()
        and not any(_same(default, value) for value in values)
    ):
        values.append(default)
    return values + [examples.value(source) for source in ("0", "1", "True", "1.0", "(0,)", "v", "m")]


def _same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and isinstance(left, (int, float, tuple)) and left == right


def base_calls(function: Function, limit: int = 3) -> list[Call]:
    """Working calls with the required parameters given: by hand where there are some, else found by trying."""
    if function.name in examples.CALLS:
        return _by_hand(function)
    working: list[Call] = []
    tried: set[tuple[int, ...]] = set()
    for call in _guesses(function):
        identity = tuple(id(value) for value in call.values())  # themes may agree on the values
        if identity not in tried and function.works(call):
            working.append(call)
            if len(working) == limit:
                break
        tried.add(identity)
    return working


def _by_hand(function: Function) -> list[Call]:
    working = []
    for source in examples.CALLS[function.name]:
        call = attempt(lambda: function.bind(source))
        if call is not FAILED and function.works(call):
            working.append(call)
        else:
            broken.append(f"{function.name}({source})")
    return working


def _guesses(function: Function) -> Iterator[Call]:
    required = [
        parameter
        for parameter in function.parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD and (parameter.default is parameter.empty)
    ]
    if not required:
        yield {}
        return
    for theme in examples.THEMES:
        choices = [candidates(function, parameter, theme) for parameter in required]
        for values in itertools.islice(itertools.product(*choices), 12):
            call = {parameter.name: value for parameter, value in zip(required, values)}
            yield call


def numeric(value: Any) -> bool:
    """Whether a value can be traced: an array or a number, or a tuple or list of them."""
    if isinstance(value, (tuple, list)):
        return bool(value) and all(numeric(item) for item in value)
    if isinstance(value, (bool, int, float, complex, np.number, np.bool_)):
        return True
    return isinstance(value, (jax.Array, np.ndarray)) and value.dtype != object


def is_array(value: Any) -> bool:
    """Whether the value is an array with at least one dimension, or a list of arrays."""
    if isinstance(value, (tuple, list)):
        return bool(value) and all(is_array(item) for item in value)
    return isinstance(value, (jax.Array, np.ndarray)) and value.ndim > 0


def contains_array(value: Any) -> bool:
    return any(isinstance(leaf, (jax.Array, np.ndarray)) for leaf in jax.tree_util.tree_leaves(value))
