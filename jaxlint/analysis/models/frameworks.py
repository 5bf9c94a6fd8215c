"""Frameworks of neural networks: what each makes of the classes, the objects and the methods of its modules.

The interpreter asks the framework of a class. `Framework` is what Python does with any class; a model of a library overrides what is
different there. What a framework only observes, it subscribes to as checkers do (`jaxlint.analysis.events`).
"""

from __future__ import annotations

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Context, configuring
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.models.dataclass_fields import finish

# Canonical names of classes, and the family of the classes that derive from them.
FAMILIES = {
    "haiku.Module": "haiku", "haiku.RNNCore": "haiku", "flax.linen.Module": "linen",
    "flax.linen.RNNCellBase": "linen", "flax.nnx.Module": "nnx", "flax.nnx.Pytree": "nnx",
    "equinox.Module": "equinox", "flax.struct.PyTreeNode": "dataclass", "typing.NamedTuple": "namedtuple", "collections.namedtuple": "namedtuple", "enum.Enum": "enum",
    "enum.IntEnum": "enum", "enum.StrEnum": "enum",
}  # fmt: skip
DATACLASSES = frozenset({
    "dataclasses.dataclass", "flax.struct.dataclass", "chex.dataclass", "jax_dataclasses.pytree_dataclass",
})  # fmt: skip
MODULE_FAMILIES = frozenset({"haiku", "linen", "nnx", "equinox"})
# Families of classes that take their declared fields as arguments.
DATACLASS_LIKE = ("dataclass", "equinox", "linen")
# Decorators of methods that leave them as they are, as far as tracing goes.
TRANSPARENT = frozenset({
    "flax.linen.compact", "flax.linen.nowrap", "haiku.transparent", "equinox.internal.doc_repr",
    "chex.assert_max_traces",
})  # fmt: skip


class Framework(Component):
    """Component of the interpreter."""

    # --- classes and objects ------------------------------------------------------------------

    def defined(self, cls: v.ClassValue) -> None:
        """A class is complete."""

    def refuses_object(self, ref: v.Ref, cls: v.ClassValue, call: Call) -> bool:
        """Whether making an object fails, before ``__init__`` runs."""
        return False

    def initialise(self, ref: v.Ref, init: v.Value, call: Call) -> None:
        """Run the ``__init__`` of an object."""
        self.i.call(init, call.shifted((ref,), {}))

    def initial_context(self, context: Context) -> Context:
        """The context in which ``__init__`` is run of an object that nothing visible makes."""
        return configuring(context)

    def fields_set(self, ref: v.Ref, cls: v.ClassValue, call: Call, fields: dict[str, v.Value]) -> None:
        """The fields of an object are set to what its class is called with: run what comes after that."""
        finish(self.i, ref, cls, call)

    def is_frozen(self, module: v.Ref, contents: Instance) -> bool:
        """Whether the fields of an object stay what they are, whatever is done to it."""
        return False

    # --- calls --------------------------------------------------------------------------------

    def call_object(self, ref: v.Ref, contents: Instance, method: v.Value, call: Call) -> v.Value:
        """Call an object, whose class has ``method`` as its ``__call__``."""
        return self.i.call(method, call.shifted((ref,), {}))

    def call_method(self, method: v.Value, receiver: v.Value, call: Call) -> v.Value:
        """Call a method of an object."""
        return self.i.call(method, call.shifted((receiver,), {}))

    def gives(self, attr: str) -> bool:
        """Whether modules have a method that the framework gives them."""
        return False

    def call_inherited(self, receiver: v.Ref, contents: Instance, name: str, call: Call) -> v.Value | None:
        """Call a method that the framework itself gives its modules; None where it gives none."""
        return None

    # --- methods that nothing visible calls ---------------------------------------------------

    def is_entry_point(self, method: v.FunctionValue) -> bool:
        """Whether the framework itself calls this method, on an object that it has prepared."""
        return False

    def receiver(self, method: v.FunctionValue, context: Context) -> tuple[v.Value, Context]:
        """The object of a method that is run alone, and the context in which it runs."""
        return self.i.receivers.of(method), context
