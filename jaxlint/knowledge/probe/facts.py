"""Facts about one function, measured by calling it with one argument traced and the rest concrete."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.parameters import spell
from jaxlint.knowledge.probe import refusals, results
from jaxlint.knowledge.probe.calls import (
    FAILED,
    Call,
    Function,
    attempt,
    base_calls,
    is_array,
    numeric,
    optional_candidates,
)

key_reuse: ModuleType | None
try:
    from jax.experimental.key_reuse import _core as key_reuse
except ImportError:  # before 0.4.26
    key_reuse = None

Row = dict[str, Any]

# Fields that this JAX does not allow to be measured.
UNMEASURED = ("consumes",) if key_reuse is None else ()

# Some parameters of these releases can be traced, and fail when the program is lowered.
_LOWERED = jax.__version_info__ < (0, 8)

# Function -> parameters for which no call shows whether they may be traced.
unclassified: dict[str, list[str]] = {}
classes: set[str] = set()  # their signatures alone are of interest


class _Verdicts:
    """What the calls tried so far say about the parameters of one function."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, set[str]]] = {}  # parameter -> form of its value -> verdicts
        self.deciding: dict[str, set[str]] = {}  # parameter whose values shape the result -> ways out
        self.deciding_calls: dict[str, list[Call]] = {}
        self.dynamic_calls: dict[str, list[Call]] = {}
        self.shape_varies = False
        self.working: dict[str, Any] = {}  # an accepted value of each optional parameter

    def add(self, function: Function, call: Call, name: str) -> None:
        self.working.setdefault(name, call[name])
        form = "array" if is_array(call[name]) else "scalar"
        verdict = _traceable(function, call, name)
        if verdict == "static" and form == "array":
            ways = self.deciding.get(name) or _ways_out(function, call, name)
            varies = _shape_varies(function, call, name)
            if (ways or varies) and _batches(function, call, name):
                return  # the other arguments shape the result: in staged code no call of it works without a way out
            if ways or varies:
                self.deciding.setdefault(name, set()).update(ways)
                self.deciding_calls.setdefault(name, []).append(call)
                self.shape_varies |= varies
                return
        if verdict == "static" and not _stageable(function, call):
            return  # the call fails in staged code whatever is traced, so this parameter is not to blame
        if verdict == "dynamic":
            self.dynamic_calls.setdefault(name, []).append(call)
        if verdict is not None:
            self.found.setdefault(name, {}).setdefault(form, set()).add(verdict)

    def row(self) -> Row:
        static: list[str] = []
        dynamic: list[str] = []
        mixed: list[str] = []
        for name, forms in sorted(self.found.items()):
            # A call that ignores the parameter takes anything: what one call refuses is refused.
            verdicts = {"static" if "static" in found else "dynamic" for found in forms.values()}
            if name not in self.deciding:
                (mixed if len(verdicts) > 1 else static if "static" in verdicts else dynamic).append(name)
        out = {way for ways in self.deciding.values() for way in ways}
        for name, calls in self.deciding_calls.items():
            for call in self.dynamic_calls.get(name, []):
                out |= set(call) - set(calls[0])
        return {
            "static": static,
            "dynamic": dynamic,
            "mixed": mixed,
            "decides": sorted(self.deciding),
            "out": sorted(out),
            "data_dependent": self.shape_varies,
        }


def measure(function: Function) -> Row:
    """The data file's row for ``function``. Fields that say nothing are left out."""
    row: Row = {"parameters": spell(function.signature)}
    bases = base_calls(function)
    if not bases:
        return row
    verdicts = _Verdicts()
    for base in bases:
        for parameter in function.parameters.values():
            for call in _given(function, base, parameter):
                verdicts.add(function, call, parameter.name)
    for name, call in _with_way_out(function, bases, verdicts):
        verdicts.add(function, call, name)
    row.update(verdicts.row())
    unclassified[function.name] = _unclassified(function, bases[0], row, verdicts)
    row.update(_result(function, bases, verdicts.working))
    row["consumes"] = _consumed(function, bases)
    optional = [{**bases[0], name: value} for name, value in verdicts.working.items() if name not in bases[0]]
    row["refuses"] = refusals.refused(function, [*bases, *optional])
    row["uninitialised"] = refusals.uninitialised(function, bases)
    return {field: value for field, value in row.items() if value not in ([], {}, None, False)}


def _with_way_out(function: Function, bases: list[Call], verdicts: _Verdicts) -> list[tuple[str, Call]]:
    """Calls of a function of data-dependent shape in which a way out is given, for the parameters still unknown."""
    found = []
    for ways in list(verdicts.deciding.values()):
        for way in sorted(ways)[:1]:
            for parameter in function.parameters.values():
                if parameter.name not in verdicts.found and parameter.name not in verdicts.deciding:
                    base = {**bases[0], way: verdicts.working.get(way)}
                    found += [(parameter.name, call) for call in _given(function, base, parameter)]
    return found


def _unclassified(function: Function, base: Call, row: Row, verdicts: _Verdicts) -> list[str]:
    """Parameters that may take arrays or numbers, and of which nothing is known."""
    classified = {name for field in ("static", "dynamic", "mixed", "decides") for name in row[field]}
    found = []
    for name, parameter in function.parameters.items():
        if name in classified or parameter.kind is parameter.VAR_KEYWORD:
            continue
        if name in verdicts.working:
            # What was given and is no array or number cannot be traced whatever the function does.
            if numeric(verdicts.working[name]):
                found.append(name)
        elif not _unsupported(function, base, parameter):
            found.append(name)
    return found


def _unsupported(function: Function, base: Call, parameter: inspect.Parameter) -> bool:
    """Whether JAX says of every value that the parameter is there for NumPy's sake: `out` of `jax.numpy.sum`."""
    for value in optional_candidates(function, parameter):
        try:
            function({**base, parameter.name: value})
        except NotImplementedError:
            continue
        except Exception:
            pass
        return False
    return True


def _given(function: Function, base: Call, parameter: inspect.Parameter) -> list[Call]:
    """Working calls in which ``parameter`` is given."""
    name = parameter.name
    if parameter.kind is parameter.VAR_KEYWORD:
        return []
    if name in base:
        return [base]
    if parameter.default is parameter.empty:
        return []
    for value in optional_candidates(function, parameter):
        call = {**base, name: value}
        if function.works(call):
            return [call]
    return []


def _traceable(function: Function, call: Call, name: str) -> str | None:
    """Whether the parameter may be traced in this call: "static", "dynamic", or None where nothing follows."""
    value = call[name]
    if not numeric(value) or _no_tracer(value):
        return None
    # The other arguments are NumPy arrays: JAX arrays are traced themselves once something is done to them.
    call = {other: given if other in (name, "self") else _on_host(given) for other, given in call.items()}

    def body(traced: Any) -> Any:  # what is not returned is not lowered
        result = function({**call, name: traced})
        return [leaf for leaf in jax.tree_util.tree_leaves(result) if isinstance(leaf, jax.Array)]

    lowered = _LOWERED and attempt(lambda: jax.jit(body).lower(value))
    if lowered is not FAILED and attempt(lambda: _abstract(function, call, name)) is not FAILED:
        return "dynamic"
    # The control: the same call with nothing traced. Only Python's numbers need not work as arrays, too.
    plain = all(isinstance(leaf, (bool, int, float, complex)) for leaf in jax.tree_util.tree_leaves(value))
    concrete = value if plain else jax.tree_util.tree_map(jnp.asarray, value)
    return "static" if attempt(lambda: function({**call, name: concrete})) is not FAILED else None


def _on_host(value: Any) -> Any:
    return jax.tree_util.tree_map(_leaf_on_host, value) if numeric(value) else value


def _leaf_on_host(leaf: Any) -> Any:
    keys = isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(leaf) if isinstance(leaf, jax.Array) and not keys else leaf


def _batches(function: Function, call: Call, name: str) -> bool:
    """Whether the parameter may be a batched tracer, with all else concrete."""

    def body(traced: Any) -> Any:
        function({**call, name: traced})
        return 0

    stacked = jax.tree_util.tree_map(lambda leaf: jnp.stack([jnp.asarray(leaf)] * 2), call[name])
    return attempt(lambda: jax.vmap(body)(stacked)) is not FAILED


def _stageable(function: Function, call: Call) -> bool:
    """Whether the call works in staged code with nothing traced."""
    return attempt(lambda: jax.make_jaxpr(lambda: (function(call), 0)[1])()) is not FAILED


def _no_tracer(value: Any) -> bool:
    """An object array, or a NumPy string: jit refuses it as an argument, so it cannot be traced."""
    return any(isinstance(leaf, np.ndarray) and leaf.dtype.kind in "OUSV" for leaf in jax.tree_util.tree_leaves(value))


def _abstract(function: Function, call: Call, name: str) -> Any:
    return jax.eval_shape(lambda traced: (function({**call, name: traced}), 0)[1], call[name])


def _ways_out(function: Function, call: Call, name: str) -> list[str]:
    """Parameters which, once given, allow ``name`` to be traced."""
    found = []
    for other, parameter in function.parameters.items():
        if other in call or parameter.default is parameter.empty or parameter.kind is parameter.VAR_KEYWORD:
            continue
        for value in optional_candidates(function, parameter):
            trial = {**call, other: value}
            if value is None or attempt(lambda: _abstract(function, trial, name)) is FAILED:
                continue  # tracing costs less than running
            if function.works(trial) and _traceable(function, trial, name) == "dynamic":
                found.append(other)
                break
    return found


def _shape_varies(function: Function, call: Call, name: str) -> bool:
    """Whether other values of the same shape give a result of another shape."""
    shapes = set()
    value = call[name]
    fills = (jnp.zeros_like, jnp.ones_like, lambda leaf: jnp.arange(leaf.size).reshape(leaf.shape).astype(leaf.dtype))
    for fill in fills:
        other = jax.tree_util.tree_map(fill, value)
        result = attempt(lambda: function({**call, name: other}))
        if result is not FAILED:
            shapes.add(str([jnp.shape(leaf) for leaf in jax.tree_util.tree_leaves(result)]))
    return len(shapes) > 1


def _result(function: Function, bases: list[Call], working: dict[str, Any]) -> Row:
    described = []
    tangents = []
    passes = False
    for base in bases:
        described.append(results.describe(results.result(function, base)))
        tangents.append(results.tangent(function, base))
        passes |= results.passes_through(function, base)
    kinds = {kind for kind, _, _ in described}
    counts = {count for _, count, _ in described}
    dtypes = [_float32_dtype(base, dtype) for base, (_, _, dtype) in zip(bases, described)]
    known = {dtype for dtype in dtypes if dtype is not None}
    kind = kinds.pop() if len(kinds) == 1 else "unknown"
    row: Row = {"result": kind}
    asked = "dtype" in function.parameters and function.parameters["dtype"].default is inspect.Parameter.empty
    if kind == "array" and len(known) == 1 and not asked:
        row["dtype"] = known.pop()
    if kind in ("tuple", "list") and len(counts) == 1:
        row["count"] = counts.pop()
    if kind in ("unknown", "pytree"):
        row.update(_like(function, bases))
    row["no_tangent"] = (
        any(found is False for found in tangents)
        and not any(tangents)
        and row["result"] in ("array", "tuple", "list", "like")
    )
    row["passes"] = passes and kind not in ("static", "function")
    row["varies"] = _varies(function, bases[0], working)
    return row


def _like(function: Function, bases: list[Call]) -> Row:
    """The parameter whose structure the result has: an array for an array, a dict for a dict."""
    structures: list[tuple[Call, object]] = []
    for base in bases:
        result = attempt(lambda: function(base))
        structures.append((base, jax.tree_util.tree_structure(result)))
    for name in function.parameters:
        if all(name in base and jax.tree_util.tree_structure(base[name]) == found for base, found in structures):
            if len({found for _, found in structures}) > 1:
                return {"result": "like", "like": name}
    return {}


def _float32_dtype(base: Call, dtype: str | None) -> str | None:
    """The dtype, if the call's array arguments are all float32 (or there are none)."""
    for value in base.values():
        for leaf in jax.tree_util.tree_leaves(value):
            if (
                isinstance(leaf, jax.Array)
                and not jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
                and leaf.dtype != jnp.float32
            ):
                return None
    return dtype


def _varies(function: Function, base: Call, working: dict[str, Any]) -> list[str]:
    """Optional parameters on which kind, length or dtype of the result depends."""
    plain = results.describe(results.result(function, base))
    found = []
    for name, parameter in function.parameters.items():
        if name.endswith("dtype") or name == "preferred_element_type":
            found.append(name)
            continue
        if name in base or parameter.default is parameter.empty:
            continue
        values = [working[name]] if name in working else []
        if isinstance(parameter.default, bool):
            values.append(not parameter.default)
        for value in values:
            result = results.result(function, {**base, name: value})
            if result is not FAILED and results.describe(result)[:2] != plain[:2]:
                found.append(name)
                break
    return sorted(found)


def _consumed(function: Function, bases: list[Call]) -> list[str]:
    """Parameters whose key is used up, by JAX's own account of its primitives."""
    if key_reuse is None:
        return []
    consumed: set[str] = set()
    for base in bases:
        names = [
            name
            for name, value in base.items()
            if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
        ]
        if not names:
            continue
        jaxpr = attempt(
            lambda: jax.make_jaxpr(lambda keys: function({**base, **dict(zip(names, keys))}))(
                [base[name] for name in names]
            )
        )
        if jaxpr is FAILED:
            continue
        signature = attempt(lambda: key_reuse.jaxpr_type_signature(jaxpr.jaxpr))
        if signature is not FAILED:
            consumed |= {names[sink.idx] for sink in signature.sinks if sink.idx < len(names) and np.any(sink.mask)}
    return sorted(consumed)
