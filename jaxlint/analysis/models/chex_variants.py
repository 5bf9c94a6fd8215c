"""`self.variant(f)` of chex: `f` as one run of a test after the other calls it.

It is compiled in one run, as it is in another, and in two more its arguments are put on a device, or taken from it.
"""

from __future__ import annotations

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call

VARIANT = "chex.variant"  # `self.variant`
VARIED = "chex.variant of"  # `self.variant(f)`
VARIANTS = frozenset({"chex.variants", "chex.all_variants"})
_RUNS = ("with_jit", "without_jit", "with_device", "without_device")
_ON_DEVICE, _ON_HOST = 2, 3  # of these


def variant(name: str, call: Call | None) -> v.OpaqueInstance:
    """`self.variant` in a test with the decorator ``name``."""
    given = call.keywords if call is not None else {}
    default = v.TRUE if name == "chex.all_variants" else v.FALSE
    chosen = [given.get(each, default) for each in _RUNS]
    return v.OpaqueInstance(
        VARIANT, tuple(v.TRUE if type(each) is v.Const and each.value is True else v.FALSE for each in chosen)
    )


class Variants(Component):
    """Component of the interpreter."""

    def call(self, func: v.OpaqueInstance, call: Call) -> v.Value:
        """A call of `self.variant`, or of what it gave."""
        if func.name == VARIANT:
            if not call.args:
                return v.Partial(func, (), dict(call.keywords)) if call.keywords else func
            compiled = self.i.call(v.Api("jax.jit"), call) if func.args[0] is v.TRUE else v.NONE
            kept = [call.keywords.get(name, v.Tuple(())) for name in ("ignore_argnums", "static_argnums")]
            return v.OpaqueInstance(VARIED, (*func.args, call.args[0], compiled, *kept))
        *runs, function, transformed, ignored, static = func.args
        calls = []
        for number, on in enumerate(runs):
            if on is not v.TRUE:
                continue
            given: Call | None = call
            if number in (_ON_DEVICE, _ON_HOST):
                given = self.moved(
                    call, number == _ON_DEVICE, self.numbers(ignored, static) if number == _ON_DEVICE else set()
                )
                if given is None and runs[1] is v.TRUE:
                    continue  # nothing is moved, and so it has been called
            calls.append((function if number else transformed, given or call))
        result: v.Value = self.i.called_each(calls) if calls else self.i.call_unknown(func, call)
        return result

    def numbers(self, *given: v.Value) -> set[object] | None:
        """Arguments that stay where they are; None where that is not known."""
        found: set[object] = set()
        for value in given:
            constants = v.constants([value] if type(value) is v.Const else self.i.items_of(value), object)
            if constants is None:
                return None
            found.update(constants)
        return found

    def moved(self, call: Call, to_device: bool, kept: set[object] | None) -> Call | None:
        """The call with its arguments moved; None where they are as before."""
        if kept is None or call.star or call.double_star:
            return None
        change = self.put if to_device else self.got
        args = [value if number in kept else change(value) for number, value in enumerate(call.args)]
        keywords = {name: change(value) for name, value in call.keywords.items()}
        pairs = [*zip(call.args, args), *((value, keywords[name]) for name, value in call.keywords.items())]
        if all(old.key == new.key for old, new in pairs):
            return None
        return Call(call.node, args, call.arg_nodes, keywords, call.keyword_nodes)

    def put(self, value: v.Value) -> v.Value:
        """What `jax.device_put` makes of an argument."""
        if (
            type(value) is v.Host
            or v.is_scalar_const(value)
            or (type(value) is v.Static and value.type in v.NUMERIC_TYPES)
        ):
            return v.Array(v.CONCRETE, self.i.aval_of(value))
        return self.i.transforms.rebuilt(value, self.put) if type(value) is v.Tuple or type(value) is v.Ref else value

    def got(self, value: v.Value) -> v.Value:
        """What `jax.device_get` makes of an argument: it leaves tracers as they are."""
        if type(value) is v.Array and value.mode in v.TRACED:
            return value
        if type(value) is v.Array:
            known = value.mode == v.CONCRETE and value.aval.dtype not in v.KEYS
            return v.Host(v.Aval(value.aval.dtype, value.aval.shape, False)) if known else v.Unknown(v.fresh())
        return self.i.transforms.rebuilt(value, self.got) if type(value) is v.Tuple or type(value) is v.Ref else value
