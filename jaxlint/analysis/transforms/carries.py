"""Whether what a loop carries comes out as it went in, and the branches of a conditional return the same.

Trees, dtypes and shapes are compared as far as both sides are known. A carry that is weakly typed, as
Python numbers are, takes the dtype it comes out with: JAX traces the body once more with that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.promotion import combined
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject
from jaxlint.knowledge.transforms import Transform

_Path = tuple[Any, ...]  # indices, keys and fields from the root of a tree
_DEPTH = 6  # of the leaves that are looked at
_NAMES = ("jax.lax.", "haiku.")  # the transforms that compare
_TOGETHER = frozenset({"jax.tree.map", "jax.tree_util.tree_map"})


@hazard_class()
class BranchStructureMismatch(Hazard):
    """Two trees differ that must be alike. Site: the call of the loop or conditional."""

    reason: str  # "tree", "dtype" or "shape"
    path: str  # `[0]['a']`: the part of the tree, empty for the whole
    one: str  # the carry that goes in, or the result of the first branch, in words
    other: str
    first: v.Value  # the body; or the first branch
    second: v.Value | None = None  # the other branch


@hazard_class()
class UnlikeTrees(Hazard):
    """Trees that `jax.tree.map` goes through together differ. Site: the call; operand: the tree that is not as the first."""

    first: int  # site of the first tree
    path: str  # from the trees to what differs
    one: str  # what the first tree has there, in words
    other: str


class Carries(Component):
    """Component of the interpreter."""

    def grown(self, init: v.Value, result: v.Value) -> v.Value:
        """What a loop carries: it is made of what it begins with and of what its body gives."""
        if type(init) is v.Tuple and type(result) is v.Tuple:
            first, then = self.i.items_of(init), self.i.items_of(result)
            if first is not None and then is not None and len(first) == len(then):
                return v.Tuple(tuple(map(self.grown, first, then)), fields=init.fields)
        if type(result) is v.Array and v.made_of(result.mode) and (type(init) is v.Array or v.is_scalar_const(init)):
            parts = v.made_of(result.mode) | (v.made_of(init.mode) if type(init) is v.Array else v.NOTHING)
            return v.Array(v.tracer_mode(v.STAGED, parts), self.i.aval_of(init), result.origin, init.ident)
        return init

    def renewed(self, value: v.Value) -> v.Value:
        """A carry that comes out of a loop is not the object that went in."""
        if type(value) is v.Array and (value.ident is not None or value.aval.span is not None):
            ident = None if value.ident is None else v.fresh()
            return v.Array(value.mode, value.aval.spanning(None), value.origin, ident)
        if type(value) is v.Undecided:
            return value.renewed(v.fresh())
        if type(value) in (v.Unknown, v.MaybeDefault):
            return v.Unknown(v.fresh())
        return self.i.transforms.rebuilt(value, self.renewed)

    def settled(self, init: v.Value, step: Callable[[v.Value], v.Value]) -> v.Value:
        """The carry that a body is traced with; ``step`` is what it makes of a carry."""
        if not any(self.is_weak(leaf) for _, leaf in self.leaves(init)):
            return init
        with self.i.first_trace():  # containers that the body makes are gone afterwards
            promoted = dict(self.promoted(init, step(init)))
        return self.replaced(init, promoted) if promoted else init

    def leaves(self, value: v.Value, path: _Path = ()) -> Iterator[tuple[_Path, v.Value]]:
        """The leaves of a tree as far as it is known, each with its path."""
        parts = self.parts(value)
        if parts is None or len(path) > _DEPTH:
            yield path, value
            return
        for key, part in parts.items():
            yield from self.leaves(part, (*path, key))

    def is_weak(self, value: v.Value) -> bool:
        aval = self.i.aval_of(value)
        return aval.weak is not False and aval.dtype not in (None, "bool")

    def promoted(self, init: v.Value, result: v.Value) -> Iterator[tuple[_Path, v.Value]]:
        """The weak leaves of ``init`` that have another dtype after a step, with that dtype."""
        results = dict(self.leaves(result))
        for path, leaf in self.leaves(init):
            if not self.is_weak(leaf):
                continue
            before, after = self.i.aval_of(leaf), self.i.aval_of(results.get(path, v.UNKNOWN))
            if before.dtype != after.dtype or not after.weak:
                dtype, weak = combined((before, after))
                mode = leaf.mode if type(leaf) is v.Array else v.CONCRETE
                start = leaf.value if type(leaf) is v.Const and type(leaf.value) is int else None
                span = (start, start) if start is not None and dtype is not None and "int" in dtype else None
                yield path, v.Array(mode, v.Aval(dtype, before.shape, weak, span))

    def replaced(self, value: v.Value, leaves: dict[_Path, v.Value], path: _Path = ()) -> v.Value:
        """A tree with other leaves at some paths."""
        if path in leaves:
            return leaves[path]
        parts = self.parts(value)
        if parts is None or not any(each[: len(path)] == path for each in leaves):
            return value
        made = {key: self.replaced(part, leaves, (*path, key)) for key, part in parts.items()}
        if type(value) is v.Tuple:
            return v.Tuple(tuple(made.values()), fields=value.fields)
        contents = self.i.contents(value)
        if type(contents) is ListObject:
            rebuilt: v.Value = self.i.new_list(tuple(made.values()))
            return rebuilt
        if type(contents) is Instance:
            return self.i.new_object(Instance(contents.cls, {**contents.fields, **made}, contents.called))
        return self.i.new_object(DictObject(made))

    # --- comparing ----------------------------------------------------------------------------

    def loop(
        self, transform: Transform, call: Call, body: v.Value, init: v.Value, after: v.Value, origin: Origin
    ) -> None:
        """The carry as it goes in, of which the body may have changed the containers, and as it comes out."""
        if transform.name.startswith(_NAMES):
            before = self.i.transforms.traced(init, v.STAGED, origin)
            self.report(transform, call, self.mismatch(before, after), body)

    def branches(self, transform: Transform, call: Call, results: list[tuple[v.Value, v.Value]]) -> None:
        """What the branches return, each with its branch."""
        if not transform.name.startswith(_NAMES):
            return
        for branch, result in results[1:]:
            found = self.mismatch(results[0][1], result)
            if found is not None:
                self.report(transform, call, found, results[0][0], branch)
                return

    def together(self, transform: Transform, call: Call) -> bool:
        """Whether trees that are gone through together differ; recorded if so."""
        if transform.name not in _TOGETHER or len(call.args) < 3 or call.star or call.double_star:
            return False
        if "is_leaf" in call.keywords:
            return False
        for tree, node in zip(call.args[2:], call.arg_nodes[2:]):
            found = self.mismatch(call.args[1], tree, prefix=True)
            if found is not None:
                self.i.report(
                    UnlikeTrees(call.arg_nodes[1].site, *found[1:]), call.node, node, tree, api=transform.name
                )
                return True
        return False

    def report(
        self,
        transform: Transform,
        call: Call,
        found: tuple[str, str, str, str] | None,
        first: v.Value,
        second: v.Value | None = None,
    ) -> None:
        if found is not None:
            hazard = BranchStructureMismatch(*found, first, second)
            self.i.report(hazard, call.node, call.node, first, api=transform.name)

    def mismatch(
        self, a: v.Value, b: v.Value, path: str = "", prefix: bool = False
    ) -> tuple[str, str, str, str] | None:
        """Reason, place and both sides of the first difference that is certain.

        ``prefix``: what stands for a leaf of ``a`` may be any tree.
        """
        kinds = self.tree(a), self.tree(b)
        if None in kinds or (prefix and kinds[0] == "leaf"):
            return None
        if kinds == ("leaf", "leaf"):
            return self.mismatch_of_leaves(a, b, path)
        if kinds == ("object", "object") and self.class_of(a) is not self.class_of(b):
            return None  # a subclass may be registered with other fields
        if type(a) is v.Tuple and type(b) is v.Tuple and self.may_be_alike(a, b):
            return None
        if kinds[0] != kinds[1] and (
            (prefix and "object" in kinds) or any(type(each) is v.Array and each.presumed for each in (a, b))
        ):
            return None  # operators of a class may give objects for what reads as an array
        parts, others = self.parts(a), self.parts(b)
        if not prefix and type(a) is v.Tuple and type(b) is v.Tuple and self.is_named(a, b):
            return "tree", path, self.described(a), self.described(b)
        if kinds[0] != kinds[1] or (parts is not None and others is not None and parts.keys() != others.keys()):
            return "tree", path, self.described(a), self.described(b)
        if parts is None or others is None:
            return None
        names: Iterable[Hashable] = a.fields if type(a) is v.Tuple and a.fields else parts
        template = "{}.{}" if names is not parts or kinds[0] == "object" else "{}[{!r}]"
        pairs = [(template.format(path, name), part, others[key]) for name, (key, part) in zip(names, parts.items())]
        return next(filter(None, (self.mismatch(x, y, inner, prefix) for inner, x, y in pairs)), None)

    def may_be_alike(self, a: v.Tuple, b: v.Tuple) -> bool:
        """Whether an annotation alone says that two tuples are of different classes: any object with the fields may be passed."""
        is_declared = any(isinstance(each.fields, v.Fields) and each.fields.is_declared for each in (a, b))
        return is_declared and a.namedtuple is not b.namedtuple

    def is_named(self, a: v.Tuple, b: v.Tuple) -> bool:
        """Whether one of two tuples alone is of a class of its own, which is another node of a tree."""
        return any(one.namedtuple is not None and other.fields is None for one, other in ((a, b), (b, a)))

    def mismatch_of_leaves(self, a: v.Value, b: v.Value, path: str) -> tuple[str, str, str, str] | None:
        x, y = self.i.aval_of(a), self.i.aval_of(b)
        keys = v.KEYS.intersection((x.dtype, y.dtype))
        if keys and (x.dtype, y.dtype) != (v.TYPED_KEY, v.TYPED_KEY):
            return None
        if x.shape is not None and y.shape is not None and shapes_differ(x.shape, y.shape):
            return "shape", path, in_words(x.shape), in_words(y.shape)
        if None not in (x.dtype, y.dtype) and x.dtype != y.dtype:
            return "dtype", path, str(x.dtype), str(y.dtype)
        return None

    def tree(self, value: v.Value) -> str | None:
        """What a value is in a tree; None where that is not known."""
        kind = type(value)
        if kind in (v.Array, v.Host) or v.is_scalar_const(value):
            return "leaf"
        if kind is v.Static and value.type in v.NUMERIC_TYPES:  # type: ignore[attr-defined]
            return "leaf"
        if kind is v.Const and value.value is None:  # type: ignore[attr-defined]
            return "None"
        if kind is v.Tuple:
            return "tuple"
        contents = self.i.contents(value)
        if type(contents) is ListObject:
            return "list"
        if type(contents) is Instance:
            return "object" if self.parts(value) is not None else None
        return "dict" if type(contents) is DictObject else None

    def parts(self, value: v.Value) -> dict[Any, v.Value] | None:
        """The parts of a tuple, list, dict or object by index, key or field; None where they are not all known."""
        contents = self.i.contents(value)
        if type(contents) is DictObject:
            return None if contents.rest is not None else dict(contents.items)
        if type(contents) is Instance:
            static = self.i.pytrees.static_fields(contents.cls)
            if static is None:
                return None
            names = [name for name in self.i.declared_fields(contents.cls) if name not in static]
            return {name: contents.fields[name] for name in names} if contents.fields.keys() >= set(names) else None
        items = self.i.items_of(value)
        return None if items is None else dict(enumerate(items))

    def class_of(self, value: v.Value) -> v.ClassValue | None:
        contents = self.i.contents(value)
        return contents.cls if type(contents) is Instance else None

    def described(self, value: v.Value) -> str:
        kind, parts = self.tree(value), self.parts(value)
        if kind == "None":
            return "None"
        if kind == "leaf":
            return "one array" if type(value) in (v.Array, v.Host) else "one number"
        if parts is None:
            return f"a {kind}"
        cls = self.class_of(value)
        if cls is not None:
            return with_article(f"`{cls.definition.name}`")
        if type(value) is v.Tuple and value.namedtuple is not None:
            return with_article(f"`{value.namedtuple.definition.name}`")
        if kind == "dict":
            return f"a dict of {', '.join(map(repr, parts))}" if parts else "an empty dict"
        return f"a {kind} of {len(parts)}"


def shapes_differ(a: v.Shape, b: v.Shape) -> bool:
    """Whether two shapes are different ones for certain: in their rank, or in a dimension that both know."""
    if len(a) != len(b):
        return True
    return any(isinstance(m, int) and isinstance(n, int) and m != n for m, n in zip(a, b))


def in_words(shape: v.Shape) -> str:
    sizes = ", ".join(str(size) if size is not None else "?" for size in shape)
    return f"({sizes},)" if len(shape) == 1 else f"({sizes})"


def with_article(noun: str) -> str:
    return f"{'an' if noun.strip('`')[0] in 'AEIOaeio' else 'a'} {noun}"
