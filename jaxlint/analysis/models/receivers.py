"""Objects of methods that nothing visible calls: what `__init__` leaves in them, and of which classes they may be.

`__init__` is run once in silence, with arguments of which nothing is known. Of its fields those count that hold functions, layers
and objects of the project, where no other method sets or changes them. A method of a base class that calls others which a class of
the project overrides is run for objects of that class as well (class hierarchy analysis).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import UNKNOWN_CODE
from jaxlint.analysis.domain.state import DictObject, Instance, Left, ListObject, values_in
from jaxlint.analysis.interpreter import escape_analysis
from jaxlint.analysis.models.layers import WITH_INIT
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_PLAIN = frozenset({"", "dataclass"})  # families of classes whose objects nothing else describes
_HIERARCHIES = _PLAIN | {"equinox"}
_CHANGING = frozenset("add append clear extend insert pop popitem remove setdefault update".split())
_CALLABLE = frozenset({v.FunctionValue, v.BoundMethod, v.Transformed, v.Partial, v.ClassValue, v.OpaqueInstance})


class Made(NamedTuple):
    """An object as `__init__` leaves it, with the variables and objects that its fields lead to."""

    ref: v.Ref
    fields: dict[str, v.Value]
    left: Left


class Receivers(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.classes: list[v.ClassValue] = []  # of the module at hand
        self.standing_for: v.ClassValue | None = None  # the class of the object whose inherited method is run
        self._made: dict[int, Made | None] = {}  # by the site of a class
        self._bound: dict[str, bool] | None = None  # attributes that this file binds -> whether outside of `__init__`

    def of(self, func: v.FunctionValue) -> v.Value:
        """The object of a method that nothing visible calls, or its class."""
        cls = func.owner
        assert cls is not None and self.i.state is not None
        if self.standing_for is not None and cls in self.standing_for.mro():
            cls = self.standing_for
        if "classmethod" in self.i.markers(func.function):
            return cls
        made = self.made(cls) if func.name != "__init__" and cls.family in _PLAIN else None
        if made is not None:
            self.i.state.reopen(made.left)
            self.i.state.write(made.ref.location, Instance(cls, dict(made.fields)))
            return made.ref
        fields = self.i.layers.fields(cls) if cls.family in WITH_INIT and func.name != "__init__" else {}
        ref = self.i.new_object(Instance(cls, fields))
        if cls.family == "equinox":
            self.i.equinox.stands_for_receiver(func.function, ref)
        return ref

    # --- what `__init__` leaves ---------------------------------------------------------------

    def made(self, cls: v.ClassValue) -> Made | None:
        """An object of a class whose `__init__` is seen; None where it leaves nothing that is followed."""
        site = cls.definition.site
        if site not in self._made:
            self._made[site] = None  # while it is being made
            init = cls.lookup("__init__")
            if type(init) is v.FunctionValue:
                self._made[site] = self.run(cls, init)
        return self._made[site]

    def run(self, cls: v.ClassValue, init: v.FunctionValue) -> Made | None:
        i = self.i
        parameters = init.function.parameters
        if not parameters:
            return None
        with i.trial():
            assert i.state is not None
            entry = v.fresh()[0]
            ref = i.new_object(Instance(cls, {}))
            given: dict[str, v.Value] = {each.name: self.passed(each, init) for each in parameters[1:]}
            around = i.context.but(stage=UNKNOWN_CODE, pure=False, origin=None, trace=None)
            given[parameters[0].name] = ref
            i.run(init, given, around, init.function.site, init.function.qualname, v.fresh()[0])
            after = i.current_state()
            contents = i.contents(ref) if after is not None else None
            if type(contents) is not Instance or after is None:
                return None
            kept = {
                name: value
                for name, value in contents.fields.items()
                if not self.bound.get(name) and self.is_followed(value)
            }
            after.write(ref.location, Instance(cls, kept))
            left = escape_analysis.variables_left(after, ref, {}, entry)
        return Made(ref, kept, left) if kept and left is not None else None

    def passed(self, parameter: ir.Parameter, init: v.FunctionValue) -> v.Value:
        """An argument of `__init__`, by its annotation and its default."""
        if parameter.default is None and parameter.kind not in ("star", "double-star"):
            tree = self.i.annotations.pytree(parameter.annotation, init.frame)
            return self.i.anything(parameter) if tree is None else tree
        default = init.defaults.get(parameter.name)
        anything: v.Value = self.i.anything(parameter)
        return v.join(anything, default) if default is not None else anything

    def is_followed(self, value: v.Value, depth: int = 0) -> bool:
        """Whether a field holds a function, a layer, an object of the project, or a container of nothing else."""
        if type(value) in _CALLABLE or (type(value) is v.Unknown and value.options):
            return True
        contents = self.i.contents(value)
        if type(contents) is Instance:
            return True
        items: Iterable[v.Value] = ()
        if type(contents) in (ListObject, DictObject) and depth < 3:
            items = values_in(contents)
        elif type(value) is v.Tuple and depth < 3:
            items = value.items if value.items is not None else (value.element,)
        items = list(items)
        return bool(items) and all(self.is_followed(item, depth + 1) for item in items)

    @property
    def bound(self) -> dict[str, bool]:
        """The attributes that this file sets or changes; True of those that something else than `__init__` does."""
        if self._bound is None:
            self._bound = {}
            for node in self.changes():
                self._bound[node.attr] = self._bound.get(node.attr, False) or not self.is_initialising(node)
        return self._bound

    def changes(self) -> Iterator[ir.Attribute]:
        unit = self.i.unit
        for node in unit.own:
            if type(node) is not ir.Attribute:
                continue
            above = unit.parent(node.site)
            if type(above) is ir.Attribute and above.value is node and above.attr in _CHANGING:
                is_changed = True
            else:
                is_changed = self.is_target(node)
            if is_changed:
                yield node

    def is_target(self, node: ir.Node) -> bool:
        """Whether a statement binds an attribute, or an item of what it holds."""
        above = self.i.unit.parent(node.site)
        while (type(above) is ir.Subscript and above.value is node) or isinstance(above, (ir.Sequence, ir.Starred)):
            node, above = above, self.i.unit.parent(above.site)
        if isinstance(above, (ir.Augment, ir.Annotate, ir.For)):
            return above.target is node
        if isinstance(above, ir.Delete):
            return True
        return isinstance(above, ir.Assign) and any(target is node for target in above.targets)

    def is_initialising(self, node: ir.Node) -> bool:
        function = next((each for each in self.i.unit.ancestors(node.site) if isinstance(each, ir.Function)), None)
        return function is not None and function.name == "__init__"

    # --- class hierarchy ----------------------------------------------------------------------

    def inherited(self) -> Iterator[tuple[v.ClassValue, v.Value]]:
        """Methods of base classes that call what a class of this file overrides, each with the class."""
        runs: dict[str, int] = {}
        for cls in self.classes:
            if cls.family not in _HIERARCHIES or cls.definition.site not in self.i.unit:
                continue
            family = cls.mro()
            above = {name for base in family[1:] for name in base.members}
            overridden = {
                name
                for name, member in cls.members.items()
                if name in above and not name.startswith("__") and self.is_unseen(member)
            }
            if not overridden or any(_is_test(each) for each in family):
                continue
            for name in sorted(above):
                member = cls.lookup(name)
                function = None if member is None else v.untransformed(member)
                if type(function) is not v.FunctionValue or name in cls.members:
                    continue
                if not self.reached(function, cls).isdisjoint(overridden):
                    place = f"{function.function.site}"
                    runs[place] = runs.get(place, 0) + 1
                    if runs[place] <= v.MAX_OPTIONS and member is not None:
                        yield cls, member

    def is_unseen(self, member: v.Value) -> bool:
        """Whether a member is a method that nothing visible runs in staged code."""
        function = v.untransformed(member)
        return type(function) is v.FunctionValue and function.function.site not in self.i.presumption.staged

    def reached(self, function: v.FunctionValue, cls: v.ClassValue) -> set[str]:
        """The attributes that a method reads of its object, by itself or by methods that it reads."""
        found: set[str] = set()
        todo: list[v.Value] = [function]
        while todo:
            read = todo.pop()
            read = v.untransformed(read)
            if type(read) is not v.FunctionValue or not read.function.parameters:
                continue
            me = read.function.parameters[0].name
            for node in ir.walk(read.function.body):
                if type(node) is ir.Attribute and type(node.value) is ir.Name and node.value.id == me:
                    if node.attr not in found:
                        found.add(node.attr)
                        member = cls.lookup(node.attr)
                        todo += [] if member is None else [member]
        return found


def _is_test(cls: v.ClassValue) -> bool:
    """Whether the methods of a class are run by what discovers tests."""
    return any(type(base) is v.Api and base.name.endswith("TestCase") for base in cls.bases)
