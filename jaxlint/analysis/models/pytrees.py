"""Pytrees: which fields of a project class are leaves for a transform, and what taking a tree apart gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.interpreter.hashing import surely_hashable
from jaxlint.analysis.models.partitions import UNRAVEL
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_REGISTER_CLASS = "jax.tree_util.register_pytree_node_class"
_REGISTER = "jax.tree_util.register_dataclass"
_REGISTERING_DECORATORS = frozenset({
    "flax.struct.dataclass", "chex.dataclass", "jax_dataclasses.pytree_dataclass",
    _REGISTER,
})  # fmt: skip
_STATIC_ANNOTATION = "jax_dataclasses.Static"
_REGISTERING_BASES = frozenset({"flax.struct.PyTreeNode", "equinox.Module"})
_LEAVES = frozenset({"leaves", "leaves_with_path", "flatten", "flatten_with_path"})
_ONE_LEVEL = frozenset({"flatten_one_level", "flatten_one_level_with_keys"})
# Keys of dicts, places in sequences and names of attributes, on the way to a leaf.
_PATH = v.Tuple(None, v.Static())


class PyTrees(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._static: dict[int, frozenset[str] | None] = self.i.per_module({})
        self._together: set[int] = self.i.per_module(set())

    def taken_apart(self, name: str, call: Call) -> v.Value | None:
        """What a function that takes a tree apart gives: the leaves, each with its path if asked for, and the structure.

        None for any other function.
        """
        if name == "jax.flatten_util.ravel_pytree":  # the array, and the function that takes it apart again
            mode, origin = self.i.result_mode(call.all())
            unravel = v.OpaqueInstance(UNRAVEL, tuple(call.args[:1]), v.fresh())
            return v.Tuple((v.Array(mode, v.Aval(None, (None,)), origin), unravel))
        if not name.startswith("jax.tree"):
            return None
        if name == _REGISTER:
            cls = call.get(0, "nodetype")
            if type(cls) is v.ClassValue:
                self._static[cls.definition.site] = self.named(call.get(2, "meta_fields"))
                return cls
        last = name.rpartition(".")[2].removeprefix("tree_")
        if last in _ONE_LEVEL:  # children may be trees
            return v.Tuple((v.Unknown(v.fresh()), v.Unknown(v.fresh())))
        if last == "reduce":
            return self.reduced(call)
        if last not in _LEAVES:
            return self.i.transforms.tree_maps.called(last, call)
        tree = call.get(0, "tree")
        leaf: v.Value = v.Unknown(v.fresh())
        structure: v.Value = v.Unknown(v.fresh())
        known = None
        # What `is_leaf` chooses may be any object.
        if tree is not None and call.get(1, "is_leaf") is None and not call.double_star:
            leaf = self.i.transforms.leaf(tree)
            known, structure = self.i.transforms.tree_maps.leaves(tree), self.i.transforms.tree_maps.structure(tree)
        if known is not None and last.endswith("path"):
            known = [v.Tuple((_PATH, each)) for each in known]
        leaves = self.i.new_list(
            None if known is None else tuple(known), v.Tuple((_PATH, leaf)) if last.endswith("path") else leaf
        )
        return leaves if last.startswith("leaves") else v.Tuple((leaves, structure))

    def reduced(self, call: Call) -> v.Value | None:
        """``jax.tree.reduce(function, tree, initializer)``: the function is called with what is there so far, and a leaf."""
        function, tree = call.get(0, "function"), call.get(1, "tree")
        if function is None or tree is None or call.get(3, "is_leaf") is not None or call.star or call.double_star:
            return None
        leaf = self.i.transforms.leaf(tree)
        first = call.get(2, "initializer")
        once = self.i.call(function, self.i.simple_call(call.node, [leaf if first is None else first, leaf]))
        with self.i.muted():  # there may be no second leaf
            twice = self.i.call(function, self.i.simple_call(call.node, [once, leaf]))
        if type(once) is v.Array and type(twice) is v.Array and once.mode == twice.mode:
            return v.Array(twice.mode, v.ANY, twice.origin)
        return v.Unknown(v.fresh())

    def rebuilt(self, contents: Instance, change: Callable[[v.Value], v.Value]) -> Instance:
        """The object with each leaf changed. Fields of a class whose registration is not known are unknown."""
        if contents.cls.family == "nnx":
            # Numbers, strings and layers belong to the static graph; what else is a leaf hangs on its Variable.
            fields = {name: value for name, value in contents.fields.items() if self.is_static(value)}
            for name, value in contents.fields.items():
                copy = self.i.nnx.copied(value)
                if copy is not None:
                    fields[name] = copy
                inner = self.i.contents(value)
                if type(inner) is Instance and inner.cls.family == "nnx":
                    fields[name] = change(value)
            return Instance(contents.cls, fields, contents.called)
        static = self.static_fields(contents.cls)
        parts = flattened(self.i, contents.cls) if static is None else None
        if parts is not None:
            children, kept = parts
            fields = {name: contents.fields[name] for name in kept if name in contents.fields}
            fields.update({name: change(contents.fields[name]) for name in children if name in contents.fields})
            return Instance(contents.cls, fields, contents.called)
        made = self.i.pytree_classes.again(contents, change) if static is None else None
        if made is not None:
            return made
        if static is None:
            self.put_together(contents.cls)
            return Instance(contents.cls, {}, contents.called)
        fields = {name: value if name in static else change(value) for name, value in contents.fields.items()}
        return Instance(contents.cls, fields, contents.called)

    def is_static(self, value: v.Value) -> bool:
        """Whether an attribute of an NNX module belongs to its graph: no array, and nothing that holds one."""
        if type(value) in (v.Const, v.OpaqueInstance, v.Api, v.FunctionValue):
            return True
        contents = self.i.contents(value)
        if type(contents) is not Instance or contents.cls.family not in ("", "dataclass"):
            return False
        registered = contents.cls.definition.site in self.i.pytree_classes.classes
        plain = not registered and self.static_fields(contents.cls) is None
        return plain and surely_hashable(self.i, value)

    def copied(self, value: v.Value) -> v.Value:
        """An argument that a transform takes apart and puts together again without changing a leaf."""
        contents = self.i.contents(value)
        if type(contents) is not Instance or contents.cls.family != "nnx":
            return self.i.nnx.copied(value) or value
        again = self.rebuilt(contents, self.copied)
        return self.i.new_object(again)

    def put_together(self, cls: v.ClassValue) -> None:
        """Run the `__init__` that may put an object together again, of whatever leaves a transform makes."""
        init = cls.lookup("__init__")
        if type(init) is v.FunctionValue and init.function.site not in self._together:
            self._together.add(init.function.site)
            with self.i.on_a_copy():
                self.i.run_generic(init, self.i.context)

    def static_fields(self, cls: v.ClassValue) -> frozenset[str] | None:
        """Fields that are no leaves; None for a class that is not known to be a pytree of its declared fields."""
        site = cls.definition.site
        if site not in self._static:
            self._static[site] = self._find(cls)
        return self._static[site]

    def forget(self, cls: v.ClassValue) -> None:
        """A class has been registered after it was asked for."""
        self._static.pop(cls.definition.site, None)

    def named(self, meta_fields: v.Value | None) -> frozenset[str] | None:
        """The fields of a registration that are no leaves; None where they cannot be read."""
        found = v.constants(self.i.items_of(meta_fields) if meta_fields is not None else None, str)
        return None if found is None else frozenset(found)

    def _find(self, cls: v.ClassValue) -> frozenset[str] | None:
        if not any(self._registers(each) for each in cls.mro()):
            return None
        for decorator in cls.decorators:
            if type(decorator) is v.Partial and "meta_fields" in decorator.keywords:
                return self.named(decorator.keywords["meta_fields"])
        static: set[str] = set()
        for owner in reversed(cls.mro()):
            for statement in owner.definition.body:
                if type(statement) is ir.Annotate and type(statement.target) is ir.Name:
                    marked = (
                        self._is_annotated_static(statement.annotation, owner)
                        or self._is_partial_static(statement.value, owner)
                        or _marked(statement.value)
                    )
                    if marked is None:
                        return None
                    (static.add if marked else static.discard)(statement.target.id)
        return frozenset(static)

    def _is_partial_static(self, default: ir.Node | None, owner: v.ClassValue) -> bool:
        """Whether a field's default calls a partial that marks it: ``static_field = partial(struct.field, pytree_node=False)``."""
        made = self.i.annotations.named(default.func, owner.frame) if isinstance(default, ir.Call) else None
        option = made.keywords.get("pytree_node") if type(made) is v.Partial else None
        return type(option) is v.Const and option.value is False

    def _is_annotated_static(self, annotation: ir.Node, owner: v.ClassValue) -> bool:
        """Whether an annotation says that a field is static: ``jdc.Static[int]``."""
        if type(annotation) is not ir.Subscript:
            return False
        named = self.i.annotations.named(annotation.value, owner.frame)
        return type(named) is v.Api and named.name == _STATIC_ANNOTATION

    def _registers(self, cls: v.ClassValue) -> bool:
        if any(type(base) is v.Api and base.name in _REGISTERING_BASES for base in cls.bases):
            return True
        decorators = [each.function if type(each) is v.Partial else each for each in cls.decorators]
        return any(self.i.decorator_name(decorator) in _REGISTERING_DECORATORS for decorator in decorators)


def flattened(i: Interpreter, cls: v.ClassValue) -> tuple[list[str], list[str]] | None:
    """The fields that are children and those that are kept, of a class that is put together again as it was.

    None where its methods do anything else than to hand on what they get.
    """
    if not any(i.decorator_name(decorator) == _REGISTER_CLASS for decorator in cls.decorators):
        return None
    init, flatten, unflatten = (cls.members.get(name) for name in ("__init__", "tree_flatten", "tree_unflatten"))
    if (
        type(init) is not v.FunctionValue
        or type(flatten) is not v.FunctionValue
        or type(unflatten) is not v.FunctionValue
    ):
        return None
    names = [parameter.name for parameter in init.function.parameters[1:]]
    stored = [
        statement.value.id for statement in init.function.body
        if type(statement) is ir.Assign and type(statement.value) is ir.Name and _own(statement.targets[0]) == statement.value.id
    ]  # fmt: skip
    given, made = flatten.function.body[-1], unflatten.function.body
    pair = given.value.elements if type(given) is ir.Return and type(given.value) is ir.Sequence else ()
    if stored != names or len(init.function.body) != len(stored) or len(pair) != 2:
        return None
    children, kept = ([_own(each) for each in getattr(part, "elements", [part])] for part in pair)
    back = made[-1].value if len(made) == 1 and type(made[-1]) is ir.Return else None
    if None in children or children + [each for each in kept if each] != names or type(back) is not ir.Call:
        return None
    starred = [type(each) is ir.Starred for each in back.args]
    right = (
        getattr(back.func, "id", None) == unflatten.function.parameters[0].name and all(starred) and not back.keywords
    )
    return ([each for each in children if each], [each for each in kept if each]) if right else None


def _own(node: ir.Node) -> str | None:
    """``name`` of ``self.name``."""
    return node.attr if type(node) is ir.Attribute and getattr(node.value, "id", None) == "self" else None


def _marked_by(metadata: ir.Node) -> bool | None:
    """Whether ``dict(static=True)`` or ``{"static": True}`` marks a field as static."""
    if type(metadata) is ir.Call and getattr(metadata.func, "id", None) == "dict" and not metadata.args:
        found = [(keyword.name, keyword.value) for keyword in metadata.keywords]
    elif type(metadata) is ir.Dict:
        found = [(getattr(key, "value", None), value) for key, value in zip(metadata.keys, metadata.values)]
    else:
        return None
    constants = [(name, value.value) for name, value in found if name is not None and type(value) is ir.Constant]
    if len(constants) != len(found):
        return None
    return any(name == "static" and bool(value) for name, value in constants)


def _marked(default: ir.Node | None) -> bool | None:
    """Whether a field's default says that it is static: ``field(static=True)``, ``field(pytree_node=False)``.

    None where that is computed.
    """
    if not isinstance(default, ir.Call):
        return False
    if getattr(default.func, "attr", getattr(default.func, "id", None)) == "static_field":  # Equinox, before 0.11
        return True
    for keyword in default.keywords:
        if keyword.name is None:
            return None
        if keyword.name == "metadata":
            return _marked_by(keyword.value)
        if keyword.name in ("static", "pytree_node"):
            if not isinstance(keyword.value, ir.Constant):
                return None
            return bool(keyword.value.value) is (keyword.name == "static")
    return False
