"""Classes that say themselves how they are taken apart and put together: what their methods do to any leaf.

JAX puts such an object together again of whatever it has in hand: tracers, shapes, None, sentinels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import UNKNOWN_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.models.equinox import EquinoxModuleMutation
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_REGISTERING = frozenset({"jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_with_keys_class"})
# Functions that take arrays and numbers, and refuse what else stands for a leaf.
_CONVERTING = frozenset(
    [f"jax.numpy.{name}" for name in ("asarray", "array", "atleast_1d", "atleast_2d", "atleast_3d", "float32", "int32")]
)
_LEAF = "leaf of a pytree"
_OF_ARRAYS = frozenset({"shape", "ndim", "dtype", "size", "astype", "reshape"})  # which None and sentinels lack
_ARRAYS = frozenset({"numpy.ndarray", "jax.Array", "jax.numpy.ndarray"})
# Methods that read a field for the object itself.
_MAKING = frozenset({"__init__", "__post_init__", "__repr__", "__str__", "__eq__", "__hash__", "tree_unflatten"})


@hazard_class()
class PytreeInitConverts(Hazard):
    """A pytree class takes its leaves for arrays when it is put together. Site: where it does; operand: the leaf."""

    how: Literal["converts", "reads"]  # a leaf is converted; an attribute of arrays is read
    name: str  # of the class


@hazard_class()
class PytreeComparesArray(Hazard):
    """An array is part of the structure of a pytree class, which is compared. Site: what is compared."""

    name: str  # of the class


@hazard_class(consequence=Consequence.SILENT, of_plain_values=True)
class PytreeLosesField(Hazard):
    """An object that is put together again has the default in a field that was set.

    Site: what `tree_flatten` returns, or `tree_unflatten` where that drops it.
    """

    name: str  # of the class
    field: str
    default: Any
    is_dropped: bool  # it is taken apart, and not put back
    function: str  # that leaves it out


class Registered(NamedTuple):
    """A class that is a pytree by two functions."""

    cls: v.ClassValue
    flatten: v.Value  # of the object
    unflatten: v.Value  # of what is no child, and the children


class PyTreeClasses(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.classes: dict[int, Registered] = interpreter.per_module({})  # by the site of the class
        self.undecided = -1  # conditions around the object that is being put together; -1 when none is
        self.rebuilding = 0  # objects that are put together of other leaves, one in another
        self.name = ""
        self.told = False  # that the object reads attributes of its leaves

    def defined(self, cls: v.ClassValue) -> None:
        static = self.i.pytrees.static_fields(cls) if cls.family == "dataclass" else None
        for statement in cls.definition.body if static else ():
            target = statement.target if type(statement) is ir.Annotate else None
            if type(statement) is ir.Annotate and type(target) is ir.Name and target.id in (static or ()):
                declared = self.i.annotations.named(statement.annotation, cls.frame)
                if type(declared) is v.Api and declared.name in _ARRAYS:
                    hazard = EquinoxModuleMutation("declared", target.id)
                    self.i.report(hazard, statement, statement.annotation, v.UNKNOWN)
        if any(self.i.decorator_name(d) in _REGISTERING for d in cls.decorators):
            flatten, unflatten = cls.lookup("tree_flatten"), cls.lookup("tree_unflatten")
            if type(flatten) is v.FunctionValue and type(unflatten) is v.FunctionValue:
                self.register(cls, flatten, v.BoundMethod(unflatten, cls))

    def called(self, name: str, call: Call) -> None:
        """`register_pytree_node(cls, flatten, unflatten)`"""
        if name == "jax.tree_util.register_pytree_node" and not call.star:
            given = [call.get(0, "nodetype"), call.get(1, "flatten_func"), call.get(2, "unflatten_func")]
            if type(given[0]) is v.ClassValue and given[1] is not None and given[2] is not None:
                self.register(given[0], given[1], given[2])

    def register(self, cls: v.ClassValue, flatten: v.Value, unflatten: v.Value) -> None:
        if all(type(_callee(each)) is v.FunctionValue for each in (flatten, unflatten)):
            self.classes[cls.definition.site] = Registered(cls, flatten, unflatten)
            # The variables that the functions read are kept, as those of functions that are stored in an object.
            self.i.touched.append(0)
            self.i.stores += 1

    def finish(self) -> None:
        """Take an object of each class apart and put it together again."""
        entered = self.i.scoped()
        for registered in self.classes.values():
            if registered.cls.definition.site in self.i.unit and not self.i.over_budget():
                try:
                    with (
                        self.i.within(self.i.context.but(stage=UNKNOWN_CODE, pure=False, haiku=None)),
                        self.i.on_a_copy(),
                    ):
                        self.run(registered)
                except Exception as error:
                    self.i.restore_scoped(entered)
                    self.i.note_failure(registered.cls.definition, error)

    def run(self, registered: Registered) -> None:
        cls, flatten, unflatten = registered
        given = {name: v.Unknown(v.fresh()) for name in self.defaults(cls)}
        made = Call(cls.definition, [], [], dict(given), dict.fromkeys(given, cls.definition))
        whole = self.i.instantiate(cls, made)
        apart = self.apart(flatten, whole)
        if apart is None or self.i.state is None:
            return
        children, auxiliary = apart
        self.compared(cls, _function(flatten), auxiliary)
        leaves = v.Tuple(tuple(v.OpaqueInstance(_LEAF, (), v.fresh()) for _ in children))
        self.undecided, self.name, self.told = self.i.undecided, cls.definition.name, False
        try:
            again = self.i.call(unflatten, self.i.simple_call(_function(unflatten), [auxiliary, leaves]))
        finally:
            self.undecided = -1
        self.lost(registered, given, whole, again, [*children, auxiliary])

    def apart(self, flatten: v.Value, whole: v.Value) -> tuple[list[v.Value], v.Value] | None:
        """The children of an object, and what is no child."""
        pair = self.i.call(flatten, self.i.simple_call(_function(flatten), [whole]))
        items = self.i.items_of(pair) if type(pair) is v.Tuple else None
        children = self.i.items_of(items[0]) if items is not None and len(items) == 2 else None
        return None if children is None or items is None else (list(children), items[1])

    def again(self, contents: Instance, change: Callable[[v.Value], v.Value]) -> Instance | None:
        """An object put together of other leaves by the functions that its class is registered with; None where there are none."""
        registered = self.classes.get(contents.cls.definition.site)
        if registered is None or self.i.state is None:
            return None
        whole = self.i.new_object(contents)
        apart = self.apart(registered.flatten, whole)
        if apart is None:
            return None
        self.compared(contents.cls, _function(registered.flatten), apart[1])
        given = [apart[1], v.Tuple(tuple(change(child) for child in apart[0]))]
        before = self.i.current_state()
        self.rebuilding += 1
        with self.i.within(self.i.context.but(stage=UNKNOWN_CODE, pure=False)):
            result = self.i.call(registered.unflatten, self.i.simple_call(_function(registered.unflatten), given))
        self.rebuilding -= 1
        made = self.i.contents(result) if self.i.current_state() is not None else None
        if self.i.current_state() is None:  # it raises
            self.i.resume(before)
        return made if type(made) is Instance and made.cls is contents.cls else None

    def defaults(self, cls: v.ClassValue) -> dict[str, v.Value | None]:
        """The parameters of a class that may be passed by name, each with its default."""
        init = cls.lookup("__init__")
        if isinstance(init, v.FunctionValue):
            named = [p.name for p in init.function.parameters[1:] if p.kind in ("ordinary", "keyword-only")]
            return {name: init.defaults.get(name) for name in named}
        if cls.family != "dataclass":
            return {}
        return {name: cls.lookup(name) for name in self.i.declared_fields(cls, passed=True)}

    def lost(
        self, registered: Registered, given: dict[str, v.Unknown], before: v.Value, after: v.Value, parts: list[v.Value]
    ) -> None:
        """Fields that hold an argument, and the default of the argument when the object is put together again."""
        cls = registered.cls
        old, new = self.i.contents(before), self.i.contents(after)
        if type(old) is not Instance or type(new) is not Instance or new.cls is not cls:
            return
        for name, default in self.defaults(cls).items():
            if type(default) is not v.Const or default.value is None:  # None may stand for what is worked out again
                continue
            for field, value in old.fields.items():
                kept = new.fields.get(field)
                if value is not given[name] or type(kept) is not v.Const or kept.key != default.key:
                    continue
                if self.is_read(cls, field):
                    is_dropped = any(leaf is value for leaf in self.i.leaves(parts))
                    function = _function(registered.unflatten if is_dropped else registered.flatten)
                    last = function.body[-1]
                    node = last.value if isinstance(last, ir.Return) and last.value is not None else function
                    hazard = PytreeLosesField(cls.definition.name, field, default.value, is_dropped, function.name)
                    self.i.report(hazard, node, node, value)

    def is_read(self, cls: v.ClassValue, field: str) -> bool:
        """Whether anything but what makes, shows, compares and registers an object reads the field."""
        for node in self.i.unit.own:
            if type(node) is ir.Attribute and node.attr == field:
                above = list(self.i.unit.ancestors(node.site))
                if type(above[0]) is ir.Assign and any(node is target for target in above[0].targets):
                    continue
                within = next((each.name for each in above if type(each) is ir.Function), "")
                flattening = any(
                    each is _function(one.flatten) for one in self.classes.values() for each in above
                )  # fmt: skip
                if not flattening and within not in _MAKING:
                    return True
        return False

    def converts(self, name: str, call: Call) -> bool:
        """Whether a leaf of any kind is given to what takes arrays alone; recorded if so."""
        if self.undecided < 0 or name not in _CONVERTING:
            return False
        value, node = (call.args[0], call.arg_nodes[0]) if call.args else (v.UNKNOWN, call.node)
        if type(value) is not v.OpaqueInstance or value.name != _LEAF:
            return False
        if self.i.undecided == self.undecided and not self.i.returned:
            self.i.report(PytreeInitConverts("converts", self.name), call.node, node, value, api=name)
        return True

    def reads(self, node: ir.Attribute, value: v.OpaqueInstance) -> None:
        """An attribute is read of what may be a leaf of any kind; recorded where only arrays have it."""
        if self.undecided < 0 or value.name != _LEAF or node.attr not in _OF_ARRAYS or self.told:
            return
        if self.i.undecided == self.undecided and not self.i.returned and not self.is_guarded(node):
            self.told = True
            self.i.report(PytreeInitConverts("reads", self.name), node, node.value, value)

    def is_guarded(self, node: ir.Node) -> bool:
        """Whether what stands on the left of `and` or `or` may keep a place from being reached."""
        below = node
        for around in self.i.unit.ancestors(node.site):
            if type(around) is ir.Boolean and around.right is below:
                return True
            if isinstance(around, ir.Statement):
                return False
            below = around
        return False

    def compared(self, cls: v.ClassValue, flatten: ir.Function, auxiliary: v.Value) -> None:
        """What is no child is compared with `==` when JAX looks the structure up."""
        for leaf in self.i.leaves([auxiliary]):
            shape = leaf.aval.shape if type(leaf) is v.Array or type(leaf) is v.Host else None
            sizes = [size for size in shape or () if isinstance(size, int)]
            if shape and len(sizes) == len(shape) and max(sizes) > 1 and 0 not in sizes:
                last = flatten.body[-1]
                node = (
                    last.value.elements[1]
                    if isinstance(last, ir.Return) and type(last.value) is ir.Sequence
                    else flatten
                )
                self.i.report(PytreeComparesArray(cls.definition.name), node, node, leaf)


def _callee(value: v.Value) -> v.Value:
    return value.function if type(value) is v.BoundMethod else value


def _function(value: v.Value) -> ir.Function:
    """The function of the project that is called."""
    callee = _callee(value)
    assert type(callee) is v.FunctionValue
    return callee.function
