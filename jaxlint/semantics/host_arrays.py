"""NumPy functions that are to write into a jax array, or that quietly misjudge a tracer."""

from __future__ import annotations

from typing import Any, Optional

from jaxlint.knowledge import misuse
from jaxlint.semantics import values as v
from jaxlint.semantics.expressions import Call
from jaxlint.semantics.model import Kind
from jaxlint.semantics.type_tests import scalar_test

# Keywords under which a NumPy function is given an array for its result; what else is written into comes first.
_BY_KEYWORD = frozenset({"out"})


class HostArrays:
    """Component of the interpreter."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter

    def check(self, name: str, call: Call) -> Optional[v.Value]:
        """What the call gives where a jax array goes wrong in it, recorded; None where none does."""
        if name == "numpy.isscalar":
            scalar_test(self.i, call)
        for parameter in misuse.written(name):
            position = None if parameter in _BY_KEYWORD else 0
            given = call.get(position, parameter)
            if given is None:
                continue
            # Of several results each may have a place of its own; a list of arrays is itself changed.
            leaves = self.i.leaves([given]) if parameter in _BY_KEYWORD else (given,)
            leaf = next((leaf for leaf in leaves if self.is_array(leaf)), None)
            if self.i.host_views.written(call.node, call.node_of(position, parameter), given, name, parameter):
                return v.UNKNOWN
            if leaf is not None:
                node = call.node_of(position, parameter) or call.node
                self.i.demand(Kind.MUTATION, call.node, node, leaf, api=name, parameter=parameter)
                return v.UNKNOWN
        if misuse.is_silently_wrong(name):
            pairs = list(zip([*call.args, *call.keywords.values()], [*call.arg_nodes, *call.keyword_nodes.values()]))
            for value, node in pairs:
                leaf = next((leaf for leaf in self.i.leaves([value]) if self.i.hard(leaf, "float", True)), None)
                if leaf is not None:
                    self.i.demand(Kind.SILENT, call.node, node, leaf, api=name)
                    return v.STATIC_BOOL
        return None

    def is_array(self, value: v.Value) -> bool:
        """Whether the value is certainly a jax array, or fails as one."""
        return type(value) is v.Array or self.i.hard(value, "bool", containers_fail=True)
