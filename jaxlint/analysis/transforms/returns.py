"""What a transformed function returns: a pytree of arrays, or something that no trace can give back."""

from __future__ import annotations

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import Level
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.signatures import signature_of
from jaxlint.ir import nodes as ir

# Transforms that refuse it. A gradient takes anything for `aux`.
_REFUSING = frozenset({
    "jax.jit", "jax.experimental.pjit.pjit", "jax.pmap", "jax.checkpoint", "jax.vmap", "jax.make_jaxpr", "jax.eval_shape",
    "jax.lax.scan", "jax.lax.fori_loop", "jax.lax.cond", "jax.lax.switch", "jax.lax.map",
})  # fmt: skip
_STATIC = frozenset({"jax.jit", "jax.experimental.pjit.pjit"})  # an argument that they let pass is static
_FORMS = {"generator": "a generator", "yields": "a generator", "view": "a view of a dict", "range": "a range"}


@hazard_class()
class NonArrayReturn(Hazard):
    """A transformed function returns what is not an array. Site: what is returned, or the transform."""

    what: str
    function: ir.Function


class Returns(Component):
    """Component of the interpreter."""

    def check(self, level: Level, function: v.Value, given: list[v.Value], result: v.Value) -> None:
        """A function has returned to the transform that traces it."""
        if level.transform.name not in _REFUSING:
            return
        called = signature_of(self.i, function).function
        if called is None or (level.transform.name == "jax.lax.scan" and type(result) is not v.Tuple):
            return  # that a pair is missing is told elsewhere
        passed = {leaf.key for leaf in self.i.leaves(given)}
        reported = self.i.transforms.not_arrays.reported
        if level.transform.name not in _STATIC or any(each.site in reported for each in called.function.parameters):
            if any(leaf.key in passed and self.refusal(leaf) for leaf in self.i.leaves([result])):
                return  # it is handed on: what is wrong is that it was passed
        what = "a coroutine" if called.function.is_async else self.refusal(result)
        if what is None:
            return
        at = _returned(called.function) or self.i.unit.nodes[level.site]
        hazard = NonArrayReturn(what, called.function)
        self.i.report(hazard, at, self.i.unit.nodes[level.site], result, api=level.transform.name)

    def refusal(self, value: v.Value, depth: int = 0) -> str | None:
        """What it is, where it is certainly no pytree of arrays."""
        kind = type(value)
        if kind is v.Iterator:
            return _FORMS.get(value.form)  # type: ignore[attr-defined]
        if kind is v.Static and value.type == "dtype":  # type: ignore[attr-defined]
            return "a dtype"
        if kind is v.Slice:
            return "a slice"
        if kind is v.Member and type(value.receiver) is v.Array and knowledge.method(value.name) is not None:  # type: ignore[attr-defined]
            return "a method"
        if kind is v.Partial and type(value.function) is v.Api and value.function.name == "jax.tree_util.Partial":  # type: ignore[attr-defined]
            return None
        for item in self.i.items_of(value) or () if kind is v.Tuple and depth < 4 else ():
            inner = self.refusal(item, depth + 1)
            if inner is not None:
                return f"a tuple containing {inner.removeprefix('a tuple containing ')}"
        found = self.i.transforms.not_arrays.describe_non_array(value)
        return found[0] if found is not None else None


def _returned(function: ir.Function) -> ir.Node | None:
    """The expression that a function returns, where there is but one."""
    inside = ir.walk(function.body, into_scopes=False)
    found = [node.value for node in inside if isinstance(node, ir.Return) and node.value is not None]
    return found[0] if len(found) == 1 else None
