"""Which dtypes the parameters of functions refuse, and which parameters have to be alike: measures and writes ``data/dtypes.json``.

    python -m jaxlint.knowledge.probe.dtypes            write the file
    python -m jaxlint.knowledge.probe.dtypes --check    compare the file with this JAX

The arguments of working calls are cast, one alone and several together, and the calls are traced again. A kind of dtype is refused
if each cast to it fails, and a Python number of that kind, too. Parameters are alike if the cast of one of them fails, and the
cast of all of them works.
"""

from __future__ import annotations

import itertools
import operator
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

# Thousands of tiny programs are traced.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe import functions, write
from jaxlint.knowledge.probe.calls import FAILED, Call, Function, attempt, base_calls

DATA = Path(__file__).parent.parent / "data" / "dtypes.json"

# Two dtypes of a kind where there are two, so that one of them is another one than an argument has.
KINDS: dict[str, tuple[Any, ...]] = {
    "bool": (jnp.bool_,),
    "int": (jnp.int32, jnp.int16),
    "uint": (jnp.uint32, jnp.uint8),
    "float": (jnp.float32, jnp.bfloat16),
    "complex": (jnp.complex64,),
}
_PYTHON: dict[str, Any] = {"bool": True, "int": 1, "float": 0.5, "complex": 0.5 + 1j}

# Parameters of control flow; what else it is given concerns the functions that it calls.
_CONTROL_FLOW: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "jax.lax.fori_loop": (lambda lower, upper: jax.lax.fori_loop(lower, upper, lambda i, x: x, 0), ("lower", "upper")),
    "jax.lax.switch": (lambda index: jax.lax.switch(index, [lambda: 0, lambda: 1]), ("index",)),
}

_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "%": operator.mod, "//": operator.floordiv,
}  # fmt: skip
_TIP = re.compile(r"Tip: jnp\.(\w+) is a similar function")


def measure(only: str = "") -> dict[str, Any]:
    """The rows of all functions and operators whose names a regular expression matches, from their start on."""
    rows = {function.name: of_calls(function, calls) for function, calls in _written(only)}
    for function in functions.callables(only):
        if function.name not in rows:
            rows[function.name] = of_calls(function, [_doubled(function, call) for call in base_calls(function)])
    return {name: row for name, row in rows.items() if row}


def _written(only: str) -> Iterator[tuple[Function, list[Call]]]:
    """Operators, and parameters of control flow, each with calls that are written down here."""
    operators: dict[str, Callable[..., Any]] = {**_BINARY, "~": operator.invert}
    for sign, operation in operators.items():
        function = Function(f"operator {sign}", operation)
        if re.match(only, function.name):
            yield function, [dict.fromkeys(function.parameters, jnp.array([1, 2, 3]))]
    for name, (value, parameters) in _CONTROL_FLOW.items():
        if re.match(only, name):
            yield Function(name, value), [dict.fromkeys(parameters, 1)]


def _doubled(function: Function, call: Call) -> Call:
    """The call with two arrays for one where a parameter takes several."""
    for name, value in call.items():
        two = (*value, *value) if isinstance(value, tuple) and len(value) == 1 else [value, value]
        if (_is_several(value) or _is_number(value) and np.ndim(value)) and len(two) == 2:
            doubled = {**call, name: two}
            if _is_cast(function, doubled, name):
                return doubled
    return call


def of_calls(function: Function, calls: Sequence[Call]) -> dict[str, Any]:
    """``refuses``: parameter -> kinds; ``alike``, ``alike in kind``: groups of parameters that must have one dtype or kind, a
    parameter of several arrays by itself; ``instead``: what promotes them, as JAX's own message has it."""
    accepted: dict[str, dict[str, bool]] = {}
    groups: set[tuple[str, ...]] = set()
    for call in calls:
        if any(callable(value) and not isinstance(value, type) for value in call.values()):
            continue  # what is refused may be refused by the function that is handed over
        cast = [name for name in call if _is_cast(function, call, name)]
        for name in cast:
            for kind, works, group in _casts(function, call, name, cast):
                seen = accepted.setdefault(name, {})
                seen[kind] = seen.get(kind, False) or works
                if group:
                    groups.add(group)
    row: dict[str, Any] = {}
    refuses = {
        name: sorted(kind for kind, works in kinds.items() if not works)
        for name, kinds in sorted(accepted.items())
        if any(kinds.values()) and not all(kinds.values())
    }
    if refuses:
        row["refuses"] = refuses
    for key, kept in (("alike", _dtype_of), ("alike in kind", _kind_of)):
        strict = sorted(
            group
            for group in groups
            if all(_differs_fails(function, call, group, kept) for call in calls if set(group) <= set(call))
        )
        strict = [group for group in strict if list(group) not in row.get("alike", ())]
        if strict:
            row[key] = [list(group) for group in strict]
    if "alike" in row:
        for call in calls:
            error = _error(function, call, row["alike"][0])
            if tip := _TIP.search(error):
                row["instead"] = f"jax.numpy.{tip[1]}"
    return row


def _casts(function: Function, call: Call, name: str, cast: list[str]) -> Iterator[tuple[str, bool, tuple[str, ...]]]:
    """For each dtype its kind, whether a call with the argument of that dtype works, and the parameters that go with it."""
    for kind, dtypes in KINDS.items():
        for dtype in dtypes:
            alone = function.evaluates(_of_dtype(call, (name,), dtype, first=True))
            number = kind in _PYTHON and function.evaluates({**call, name: _PYTHON[kind]})
            if alone or number:
                yield kind, True, ()
                continue
            group = _together(function, call, name, cast, dtype)
            yield kind, bool(group), group


def _together(function: Function, call: Call, name: str, cast: list[str], dtype: Any) -> tuple[str, ...]:
    """The least group of parameters, with this one, that can be cast together; empty where none can."""
    several = _is_several(call[name])
    others = [other for other in cast if other != name]
    for size in range(0 if several else 1, 3):
        for chosen in itertools.combinations(others, size):
            group = tuple(sorted((name, *chosen)))
            if function.evaluates(_of_dtype(call, group, dtype)):
                return group
    return ()


def _dtype_of(dtype: Any) -> Any:
    return jnp.dtype(dtype)


def _kind_of(dtype: Any) -> str:
    return next(kind for kind, dtypes in KINDS.items() if jnp.dtype(dtype) in [jnp.dtype(each) for each in dtypes])


def _differs_fails(function: Function, call: Call, group: tuple[str, ...], kept: Callable[[Any], Any]) -> bool:
    """Whether each cast of one of the group fails that changes what is kept of a dtype."""
    for name in group:
        value = call[name]
        old = jnp.asarray(value[0] if _is_several(value) else value).dtype
        for dtypes in KINDS.values():
            for dtype in dtypes:
                if kept(dtype) != kept(old) and function.evaluates(_of_dtype(call, (name,), dtype, first=True)):
                    return False
    return True


def _error(function: Function, call: Call, group: Sequence[str]) -> str:
    """What JAX says of a call whose arguments are not alike."""
    try:
        function(_of_dtype(_of_dtype(call, group, jnp.float32), group[:1], jnp.int32, first=True))
    except Exception as error:
        return str(error)
    return ""


def _is_several(value: Any) -> bool:
    return isinstance(value, (tuple, list))


def _is_cast(function: Function, call: Call, name: str) -> bool:
    """Whether an argument is numbers that may be traced."""
    value = call[name]
    items = value if _is_several(value) else (value,)
    if not items or not all(_is_number(item) for item in items):
        return False

    def body(arrays: Any) -> int:
        function({**call, name: arrays})
        return 0

    arrays = type(value)(map(jnp.asarray, value)) if _is_several(value) else jnp.asarray(value)
    return attempt(lambda: jax.eval_shape(body, arrays)) is not FAILED


def _is_number(value: Any) -> bool:
    if isinstance(value, (jax.Array, np.ndarray)):
        return bool(jnp.issubdtype(value.dtype, np.number)) or value.dtype == bool
    return isinstance(value, (bool, int, float, complex))


def _of_dtype(call: Call, group: Sequence[str], dtype: Any, first: bool = False) -> Call:
    """The call with the arguments of these parameters cast; of several arrays all of them, or the first one only."""
    made = dict(call)
    for name in group:
        value = call[name]
        if _is_several(value):
            cast = [jnp.asarray(each).astype(dtype) if not (first and n) else each for n, each in enumerate(value)]
            made[name] = type(value)(cast)
        else:
            made[name] = jnp.asarray(value).astype(dtype)
    return made


if __name__ == "__main__":
    sys.exit(write.command(DATA, "Measure which dtypes functions refuse.", measure))
