"""Whether what a transform is told of its function agrees with the function.

Which arguments are static, donated or differentiated, how many there are, what a loop body returns:
each is said twice, once to the transform and once by the function. Where one side is not known
there is no demand.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from jaxlint.semantics import values as v
from jaxlint.semantics.expressions import Call
from jaxlint.semantics.model import Kind
from jaxlint.semantics.signatures import Accepted, accepted, positional, takes

# Options that number or name parameters of the function, by transform. "decorated" ones are checked by JAX
# against the signature when the transform is applied, the others against the arguments of a call.
_JIT = {"static_argnums": "decorated", "static_argnames": "decorated", "donate_argnums": "decorated", "donate_argnames": "decorated"}
_GRAD = {"argnums": "called"}
_CUSTOM = {"nondiff_argnums": "not negative", "nondiff_argnames": "called"}
_OPTIONS: dict[str, dict[str, str]] = {
    "jax.jit": _JIT, "jax.experimental.pjit.pjit": _JIT, "flax.nnx.jit": _JIT,
    "jax.make_jaxpr": {"static_argnums": "decorated"},
    "jax.pmap": {"static_broadcasted_argnums": "called"},
    "jax.checkpoint": {"static_argnums": "called"}, "haiku.remat": {"static_argnums": "called"},
    "jax.custom_jvp": _CUSTOM, "jax.custom_vjp": _CUSTOM,
    **{name: _GRAD for name in (
        "jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian",
        "haiku.grad", "haiku.value_and_grad",
    )},
}  # fmt: skip


class WrongOption(NamedTuple):
    """Detail of UNKNOWN_ARGUMENT: an entry of an option that is no parameter of the function."""

    entry: Any  # the number or name
    reason: str  # "unknown", "positional-only", "beyond", "not passed", "hidden"
    function: v.Value
    parameters: tuple[str, ...]  # those the entry may be chosen from
    passed: int = 0  # number of positional arguments of the call, where a call is what fails
    site: Optional[int] = None  # the call that suffers, where the report stands elsewhere


class Agreement:
    """Component of the interpreter: checks of transforms against their functions."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter

    # --- options that name parameters ---------------------------------------------------------

    def options(self, made: v.Transformed, call: Call) -> None:
        """Static, donated and differentiated arguments, when a transform is applied."""
        for option, checked in _OPTIONS.get(made.transform.name, {}).items():
            given = made.options.get(option)
            entries = self.entries(given) if given is not None else None
            if not entries or "**" in made.options:
                continue
            parameters = accepted(self.i, made.function, wrapped=checked == "decorated")
            if parameters is None:
                continue
            wrong = self.wrong(entries, parameters, checked, made.function)
            if wrong is not None:
                node = call.keyword_nodes.get(option, call.node)
                self.i.demand(
                    Kind.UNKNOWN_ARGUMENT, call.node, node, given, api=made.transform.name, parameter=option, detail=wrong
                )
                made.options["**"] = v.UNKNOWN  # which arguments are meant is not known
                return

    def wrong(
        self, entries: list[Any], parameters: list[Accepted], checked: str, function: v.Value
    ) -> Optional[WrongOption]:
        """The first entry that is no parameter."""
        ordered = tuple(positional(parameters))
        named = tuple(p.name for p in parameters if p.kind in ("ordinary", "keyword-only"))
        for entry in entries:
            if isinstance(entry, str):
                if entry in named or takes(parameters, "double-star"):
                    continue
                return WrongOption(entry, "positional-only" if entry in ordered else "unknown", function, named)
            if takes(parameters, "star") or -len(ordered) <= entry < len(ordered) or (entry < 0 and checked == "not negative"):
                continue
            return WrongOption(entry, "beyond", function, ordered)
        return None

    def entries(self, value: v.Value) -> Optional[list[Any]]:
        """The numbers and names in an option, in their order; None where they are not all known."""
        items = [value] if type(value) is v.Const else self.i.items_of(value)
        if items is None:
            return None
        found = [item.value if type(item) is v.Const else None for item in items]
        return found if all(isinstance(each, (int, str)) and not isinstance(each, bool) for each in found) else None

    def argnums(self, made: v.Transformed, argnums: Optional[list[int]], call: Call) -> None:
        """Differentiated arguments, when the gradient is called: they must be passed by position."""
        if not argnums or call.star or call.site == made.site:
            return
        parameters = accepted(self.i, made.function)
        if parameters is not None and self.wrong(list(argnums), parameters, "called", made.function) is not None:
            return  # that is said where the transform is applied
        for number in argnums:
            if not -len(call.args) <= number < len(call.args):
                names = () if parameters is None else tuple(positional(parameters))
                detail = WrongOption(number, "not passed", made.function, names, len(call.args))
                self.i.demand(
                    Kind.UNKNOWN_ARGUMENT, call.node, call.node, made, api=made.transform.name, parameter="argnums",
                    detail=detail,
                )
                return

    def hidden_statics(self, made: v.Transformed, call: Call) -> set[int]:
        """Positions of arguments that are named static and go through the `*args` of a wrapper.

        JAX does not see whom the wrapper calls, so it traces them. They are said to be static
        afterwards: what tracing them leads to has been reported.
        """
        found: set[int] = set()
        given = made.options.get("static_argnames")
        function = made.function
        if given is None or type(function) is not v.FunctionValue or function.wraps is not None or call.star:
            return found
        if made.transform.name not in ("jax.jit", "jax.experimental.pjit.pjit") or "static_argnums" in made.options:
            return found
        parameters = accepted(self.i, function) or []
        own = positional(parameters)
        if not takes(parameters, "star") or call.site == made.site:
            return found
        for entry in self.entries(given) or ():
            names = [] if entry in own else self.wrapped_parameters(function, entry)
            if entry in names and len(own) <= names.index(entry) < len(call.args):
                found.add(names.index(entry))
                detail = WrongOption(entry, "hidden", function, tuple(names), len(call.args), call.site)
                self.i.demand(
                    Kind.UNKNOWN_ARGUMENT, self.i.unit.nodes[made.site], call.node, made, api=made.transform.name,
                    parameter="static_argnames", detail=detail,
                )
        return found

    def wrapped_parameters(self, wrapper: v.FunctionValue, name: str) -> list[str]:
        """Parameters of the one function that a wrapper closes over and that has a parameter of this name."""
        frames = self.i.state.frames
        candidates = []
        for free in wrapper.function.free:
            value = frames.get(wrapper.frame.serial, {}).get(free)
            parameters = accepted(self.i, value) if type(value) is v.FunctionValue else None
            if parameters is not None and name in positional(parameters):
                candidates.append(positional(parameters))
        return candidates[0] if len(candidates) == 1 and wrapper.frame.parent is not None else []
