"""Events of the abstract interpreter, and the checkers that subscribe to them.

The interpreter publishes what it evaluates and names no checker; a checker appends its methods to the events that it
needs. Subscriptions are made once for each interpreter, in the order of `jaxlint.analysis.checkers.CHECKERS`, which
decides between two checkers that refuse the same operation.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypeVar

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.ir import nodes as ir
from jaxlint.ir.nodes import Node
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.origin import Origin
    from jaxlint.analysis.model import Observed

K = TypeVar("K")
P = ParamSpec("P")


# The kinds hold their listeners alike and have no base for it: what mypyc makes of one ends the process (docs/releasing.md).
class Event(Generic[P]):
    """Something was evaluated. Listeners record hazards; the evaluation goes on as it would without them."""

    def __init__(self) -> None:
        self.listeners: list[Callable[P, object]] = []

    def append(self, listener: Callable[P, object]) -> None:
        self.listeners.append(listener)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        for listener in self.listeners:
            listener(*args, **kwargs)


class KeyedEvent(Generic[K, P]):
    """Something of many kinds was evaluated. A listener is told of the keys that it subscribes to, or of all."""

    def __init__(self) -> None:
        self.listeners: list[tuple[Callable[P, object], Container[K] | None]] = []
        self.selected: dict[K, list[Callable[P, object]]] = {}  # by key, of those that were met

    def append(self, listener: Callable[P, object], keys: Container[K] | None = None) -> None:
        self.listeners.append((listener, keys))

    def __call__(self, key: K, *args: P.args, **kwargs: P.kwargs) -> None:
        selected = self.selected.get(key)
        if selected is None:
            selected = [listener for listener, keys in self.listeners if keys is None or key in keys]
            self.selected[key] = selected
        for listener in selected:
            listener(*args, **kwargs)


class Query(Generic[P]):
    """A question that is answered by yes if a listener says so. `refuses_…`: a listener has recorded why the operation
    fails, and its result is unknown."""

    def __init__(self) -> None:
        self.listeners: list[Callable[P, bool]] = []

    def append(self, listener: Callable[P, bool]) -> None:
        self.listeners.append(listener)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        for listener in self.listeners:  # noqa: SIM110 (a generator costs more than the listeners)
            if listener(*args, **kwargs):
                return True
        return False


class Filter(Generic[P]):
    """A value was computed. Each listener gives the value that stands for it from there on, mostly the same one."""

    def __init__(self) -> None:
        self.listeners: list[Callable[Concatenate[v.Value, P], v.Value]] = []

    def append(self, listener: Callable[Concatenate[v.Value, P], v.Value]) -> None:
        self.listeners.append(listener)

    def __call__(self, value: v.Value, *args: P.args, **kwargs: P.kwargs) -> v.Value:
        for listener in self.listeners:
            value = listener(value, *args, **kwargs)
        return value


class Events:
    """The events of one interpreter."""

    def __init__(self) -> None:
        # Statements. ``source`` is the expression whose value is stored, ``op`` the operator of an augmented assignment.
        self.expression_started: Event[[ir.Evaluate]] = Event()
        self.expression_ended: Event[[ir.Evaluate, v.Value]] = Event()  # with what the statement throws away
        self.augmented: Event[[ir.Augment, v.Value]] = Event()  # with the value that the target had
        self.name_stored: Event[[ir.Name, v.Value, Node, str]] = Event()
        self.attribute_stored: Event[[Node, v.Value, str, v.Value, Node, str]] = Event()  # base, attribute, value
        self.refuses_attribute_store: Query[[ir.Attribute, v.Value, str]] = Query()  # of the object, attribute
        self.attribute_set: Event[[ir.Attribute, v.Value, str]] = Event()  # by `setattr`, too
        self.attribute_value: Filter[[ir.Attribute, v.Value, str]] = Filter()  # what the attribute then holds
        self.item_stored: Event[[ir.Subscript, v.Value, v.Value, v.Value, Node, str]] = Event()  # base, index, value
        self.environment_stored: Event[[Node, v.Api, v.Value]] = Event()  # an item of an object of a library
        self.loop_ended: Event[[ir.For | ir.While]] = Event()
        self.with_ended: Event[[ir.With, list[v.Value]]] = Event()  # with its context managers
        self.loop_over_ended: Event[[ir.For, v.Value]] = Event()  # with what was iterated over
        self.wants_values: Query[[ir.Try]] = Query()  # whether the values in the body of a `try` are recorded
        self.try_body_ended: Event[[ir.Try, list[Observed]]] = Event()  # with them
        self.imported: Event[[Node, str]] = Event()  # the dotted name of a module that is not followed
        # Names of libraries: a statement that imports one, the part that names it, the dotted name.
        self.library_imported: Event[[Node, Node, str]] = Event()
        self.library_name_read: Event[[Node, str, str]] = Event()  # as an attribute of a dotted name
        self.project_name_read: Event[[Node, str]] = Event()  # of a module of the project, by import or as an attribute
        self.option_named: Event[[Node, str]] = Event()  # of `jax.config`
        self.class_defined: Event[[v.ClassValue]] = Event()
        self.dataclass_made: Event[[v.ClassValue, list[str], Call]] = Event()  # the fields that it takes
        # Names and expressions.
        self.refuses_read: Query[[v.Value]] = Query()  # of a tracer
        self.refuses_host_read: Query[[Node, v.Value]] = Query()  # in the body of a host callback
        self.refuses_host_call: Query[[v.Value, Call]] = Query()
        self.refuses_callback: Query[[v.Value, Call]] = Query()  # a function given to `pure_callback` and its kin
        self.unbound_name_read: Event[[ir.Name]] = Event()
        self.module_variable_read: Event[[ir.Name, v.Value]] = Event()
        self.compared: Event[[Node, str, v.Value, Node, v.Value, Node]] = Event()  # operator, left, right, with nodes
        self.type_tested: Event[[Call]] = Event()  # `isinstance`
        self.operands_read: Event[[Node, Sequence[v.Value]]] = Event()  # an operation computes with their values
        self.refuses_augmented: Query[[ir.Augment, v.Value, v.Value]] = Query()
        self.refuses_operator: Query[[Node, str, v.Value, v.Value]] = Query()
        self.refuses_operands: Query[[Node, str, Sequence[v.Value], Sequence[Node]]] = Query()
        self.refuses_array_operands: Query[[Node, str, Sequence[v.Value], Sequence[Node]]] = Query()
        # Attributes and items.
        self.array_member_read: Event[[ir.Attribute, v.Array, str]] = Event()
        # An attribute that tuples or lists lack, or "" for an index of several axes.
        self.sequence_member_read: Event[[ir.Attribute | ir.Subscript, v.Tuple | v.Ref, str]] = Event()
        self.refuses_attribute: Query[[ir.Attribute, v.Array | v.Host, str]] = Query()
        self.refuses_object_attribute: Query[[ir.Attribute, v.Value, str]] = Query()  # of an object of a library
        self.refuses_update_attribute: Query[[ir.Attribute, v.At, str]] = Query()
        self.refuses_index: Query[[ir.Subscript, v.Value, v.Value]] = Query()
        self.refuses_item_store: Query[[ir.Subscript, v.Value]] = Query()
        self.element_read: Event[[ir.Subscript, v.Array, v.Value]] = Event()
        self.item_value: Filter[[v.Value, v.Value]] = Filter()  # base, index
        self.array_updated: Event[[Call, v.At, str]] = Event()  # `x.at[i].set(…)`, and `.get(…)`
        # Calls.
        # By an expression, with what is called, and keyed by the type of that.
        self.called: KeyedEvent[type, [v.Value, Call]] = KeyedEvent()
        # The same, keyed by the last name of what is called as it is written: `f` of `f(x)` and of `a.f(x)`.
        self.name_called: KeyedEvent[str, [v.Value, Call]] = KeyedEvent()
        # The same of functions of libraries, with the dotted name, which is the key, before the arguments are in order.
        self.library_function_called: KeyedEvent[str, [str, v.Value, Call]] = KeyedEvent()
        self.partial_made: Event[[str, Call]] = Event()  # of a function of a library
        self.function_entered: Event[[v.FunctionValue, dict[str, v.Value], Call, Origin | None]] = (
            Event()
        )  # arguments, origin
        self.default_evaluated: Event[[ir.Function, ir.Parameter, v.Value]] = Event()
        self.unknown_called: Event[[v.Value, Call]] = Event()  # something that is not followed
        self.list_changed: Event[[v.Ref]] = Event()  # a method of it has run
        self.container_method_called: Event[[str, v.Value, int, Call]] = Event()  # receiver, and the site that names it
        self.cached_value: Filter[[v.FunctionValue, Node, v.Value | None]] = Filter()  # function, place, receiver
        self.compiled_called: Event[[v.Transformed, Call]] = Event()
        self.static_passed: Event[[v.Transformed, Call, Node, str]] = Event()  # argument, parameter
        self.callback_passed: Event[[Transform, Call]] = Event()  # `pure_callback`, `io_callback`
        self.branch_indexed: Event[[Call, str, int]] = Event()  # `lax.switch`, with the number of branches
        # Calls of functions of libraries, by canonical name. ``found`` is what the knowledge base has on the function.
        self.library_called: KeyedEvent[str, [str, Call]] = KeyedEvent()
        self.jax_value: Filter[[str, Call]] = Filter()  # a function of JAX
        self.searched_value: Filter[[str, Call]] = Filter()
        self.uninitialised_made: Filter[[knowledge.Facts, Node]] = Filter()
        self.host_value: Filter[[str, Call]] = Filter()  # a function of NumPy, SciPy or Python
        self.host_called: Event[[str, Call]] = Event()
        self.checked: Event[[str, Call]] = Event()  # `checkify.check`
        self.debug_printed: Event[[str, Call]] = Event()
        self.refuses_call: Query[[str, knowledge.Facts, Call]] = Query()  # a method is `.sum`
        self.refuses_arrays: Query[[str, Call]] = Query()  # of a method: with the array as the first argument
        self.refuses_update: Query[[Call, v.Shape | None, str]] = Query()  # of `x.at[i].set(…)`: the shape of `x[i]`
        self.refuses_conversion: Query[[str, Call]] = Query()
        self.refuses_size: Query[[str, knowledge.Facts, str, v.Value, Node, Call]] = Query()  # parameter, argument
        self.arguments_checked: Event[[str, knowledge.Facts, Call]] = Event()
        # A module is applied to another size than its parameters were made for: that in `init`, the one here, the layer, its site.
        self.refuses_parameters: Query[[Call, v.Shape, v.Shape, str, int]] = Query()
        # A layer is given another shape than it takes: the one it takes, the one it is given, the class of the layer.
        self.layer_misfits: Event[[Call, v.Shape, v.Shape, str]] = Event()
        # The state of a recurrent cell, with the number of arrays that the cell takes.
        self.state_misfits: Event[[Call, int, Node, v.Value, str]] = Event()
        # A layer is given an array of a known shape: the class of the layer, its options, the shape.
        self.layer_given: Event[[Call, str, Sequence[object], v.Shape]] = Event()
        self.indexing_called: Event[[str, Call]] = Event()
        self.reduced: Event[[str, Call, v.Value]] = Event()  # by a function or method, with its operand


class Checker(Component):
    """A part of the analysis that looks for hazards: it subscribes to events and owns its state.

    A table that a subclass declares by `Interpreter.per_module` holds facts about a module, which roots that import the
    module take over; any other state belongs to one root.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.subscribe(interpreter.events)

    def subscribe(self, events: Events) -> None:
        """Append the methods of the checker to the events that it needs."""
        raise NotImplementedError
