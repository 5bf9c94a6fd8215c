"""Calls of library objects whose class alone is known: layers, initialisers, decorators, and their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.models.chex_variants import VARIANT, VARIED
from jaxlint.analysis.models.equinox import GET_KEY, MAKE_WITH_STATE
from jaxlint.analysis.models.functional_update import NAMED_TUPLE, named
from jaxlint.analysis.models.lifting import LIFTED, MODULE
from jaxlint.analysis.models.partitions import UNRAVEL, unravelled
from jaxlint.analysis.models.test_discovery import DECORATORS
from jaxlint.analysis.transforms.wrap_and_call import PULLBACK

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter


def called(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value | None:
    """What a call of an object gives; None where that is not known."""
    handler = _HANDLERS.get(func.name)
    if handler is not None and (given := handler(interpreter, func, call)) is not None:
        return given
    if func.name in DECORATORS and (decorated := interpreter.runners.applied(func, call)) is not None:
        return decorated
    found = interpreter.libraries.known(func)
    return interpreter.libraries.called(found, call, func) if found is not None else None


def _haiku_layer(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    return interpreter.haiku.call_layer(func, call)


def _layer(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    return interpreter.layers.call(call, func)


def _dropout(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    return interpreter.layer_keys.called(func, call)


def _variant(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    return interpreter.runners.variants.call(func, call)


def _named_tuple(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    return named(func, call)


def _lifted(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    return interpreter.lifting.instantiated(func, call)


def _lifted_module(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    return interpreter.lifting.called(func, call)


def _initializer(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    made_by = func.args[0]
    assert type(made_by) is v.Const
    return interpreter.api.jax(made_by.value, call)


def _unravelled(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value | None:
    return unravelled(interpreter, func.args[0], call.args[0]) if len(func.args) == len(call.args) == 1 else None


def _pullback(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value | None:
    return interpreter.transforms.pulled_back(func, call)


def _another_key(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value:
    mode, origin = interpreter.result_mode(())
    return v.Array(mode, v.KEY, origin, v.fresh())


def _made_with_state(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value | None:
    return v.Tuple((interpreter.call(func.args[0], call), v.Unknown(v.fresh())))


def _wrapping(interpreter: Interpreter, func: v.OpaqueInstance, call: Call) -> v.Value | None:
    return interpreter.wrapping(func, call.args[0]) if len(call.args) == 1 else None


_HANDLERS: dict[str, Callable[[Interpreter, v.OpaqueInstance, Call], v.Value | None]] = {
    "haiku layer": _haiku_layer,
    "layer": _layer,
    "linen module": _layer,
    LIFTED: _lifted,
    MODULE: _lifted_module,
    "dropout": _dropout,
    "initializer": _initializer,
    UNRAVEL: _unravelled,
    PULLBACK: _pullback,
    NAMED_TUPLE: _named_tuple,
    "functools.wraps": _wrapping,
    GET_KEY: _another_key,
    MAKE_WITH_STATE: _made_with_state,
    VARIANT: _variant,
    VARIED: _variant,
}
