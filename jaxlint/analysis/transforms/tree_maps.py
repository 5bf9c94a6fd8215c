"""Pytrees whose structure is known: `jax.tree.map` leaf by leaf, and what is taken apart and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Boundary
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, are_alike, base

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import Contents
    from jaxlint.ir import nodes as ir
    from jaxlint.knowledge.transforms import Transform

STRUCTURE = "structure of a pytree"
_MAX_DEPTH = 8  # of the results of branches
_MAX_OBJECTS = 4  # in one another, whose leaves are gone through

_Build = Callable[[Sequence[v.Value]], v.Value]
_Function = Callable[[list[v.Value]], v.Value]  # of the leaves that stand in one place


class _NotKnown(Exception):
    """The trees are not known well enough to go through them leaf by leaf."""


class TreeMaps(Component):
    """Component of the interpreter: trees that are gone through leaf by leaf."""

    # --- map ----------------------------------------------------------------------------------

    def within(self, transform: Transform, call: Call) -> v.Value:
        """What `jax.tree.map` gives: its function runs again and again, once for each leaf."""
        function = call.get(0, "f")
        trees = call.args[1:] or [tree for name, tree in call.keywords.items() if name == "tree"]
        mapped = self.i.keys.mapped
        repeats = type(function) in (v.FunctionValue, v.Partial) and bool(trees) and not self.has_one_leaf(trees[0])
        if repeats:
            held = {base(leaf.ident) for leaf in self.i.leaves(trees) if leaf.ident is not None}
            mapped.append((Boundary(v.fresh()[0], transform.short, call.site), held))
        made: v.Value = self.i.transforms.tree_mapped(function, trees, call)
        if repeats:
            mapped.pop()
        return made

    def has_one_leaf(self, tree: v.Value) -> bool:
        leaves = self.leaves(tree)
        return type(tree) is v.Array or (leaves is not None and len(leaves) < 2)

    def map(self, trees: list[v.Value], is_leaf: v.Value | None, call: Call, function: v.Value) -> v.Value | None:
        """The tree of what ``function`` gives for the leaves of the trees; None where these are not known well enough."""

        def applied(leaves: list[v.Value]) -> v.Value:
            inner = self.i.simple_call(call.node, leaves)
            inner.entering = True
            result: v.Value = self.i.call(function, inner)
            return result

        return self._map(trees, is_leaf, call.node, applied)

    def _map(self, trees: list[v.Value], is_leaf: v.Value | None, node: ir.Node, function: _Function) -> v.Value | None:
        if sum(1 for _ in self.i.leaves(trees[:1])) > self.i.allowed.leaves or (
            is_leaf is None and self.children(trees[0]) is None
        ):
            return None
        try:
            return self._mapped(trees, is_leaf, node, function)
        except _NotKnown:
            return None

    def _mapped(self, parts: list[v.Value], is_leaf: v.Value | None, node: ir.Node, function: _Function) -> v.Value:
        first = parts[0]
        if is_leaf is not None:
            truth = self.i.truth(self.i.call(is_leaf, self.i.simple_call(node, [first])))
            if truth is None:
                function([v.Unknown(v.fresh()) for _ in parts])
                return v.Unknown(v.fresh())
            if truth:
                return function(parts)
        if v.is_none(first):
            return v.NONE
        known = self.children(first)
        if known is None:
            if not self.i.transforms.is_leaf(first):  # a tree perhaps, and so is what stands beside it
                leaves = [self.i.transforms.leaf(part) for part in parts]
                return self.like(first, leaves[0], function(leaves))
            return function([self.i.transforms.leaf(part) if type(part) is v.Undecided else part for part in parts])
        names, children, build = known
        columns = [children, *(self._like(other, names) for other in parts[1:])]
        return build([self._mapped(list(row), is_leaf, node, function) for row in zip(*columns)])

    def like(self, tree: v.Value, leaf: v.Value, made: v.Value) -> v.Value:
        """The tree of what a function gives for the leaves of a tree that is not followed, when it gives ``made`` for a ``leaf``."""
        mode, cause = self.i.result_mode([made])
        structure = v.structure_of(tree)
        if structure is not None and made is not leaf:
            structure = structure._replace(
                made=structure.made if structure.kind == v.READ else 0
            )  # the arrays may have other shapes
        if type(made) is v.Array and mode in v.TRACED:
            return v.Undecided(mode, cause, v.fresh(), structure=structure)
        return v.Unknown(v.fresh(), structure=structure)

    def _is_known(self, tree: v.Value) -> bool:
        """Whether the structure is known, and so what the leaves are."""
        known = self.children(tree)
        return self.i.transforms.is_leaf(tree) if known is None else all(map(self._is_known, known[1]))

    def _like(self, tree: v.Value, names: Sequence[Any]) -> Sequence[v.Value]:
        """The children of another tree under the same names."""
        if type(tree) is v.Undecided:
            return [tree.renewed(v.fresh()) for _ in names]
        if type(tree) is v.Unknown:
            return [v.Unknown(v.fresh()) for _ in names]
        known = self.children(tree)
        if known is None or list(known[0]) != list(names):
            raise _NotKnown
        return known[1]

    def in_nodes(self, tree: v.Value, depth: int = 0) -> Iterator[v.Value]:
        """What stands in containers, and in objects that are pytrees of their fields."""
        for part in self.i.leaves([tree]):
            known = self.children(part) if type(part) is v.Ref and depth < _MAX_OBJECTS else None
            for child in known[1] if known is not None else ():
                yield from self.in_nodes(child, depth + 1)
            if known is None:
                yield part

    def children(self, tree: v.Value) -> tuple[Sequence[Any], Sequence[v.Value], _Build] | None:
        """Names and values of the children in the order of the leaves, and what puts them together; None for what is no known node."""
        if type(tree) is v.Tuple and tree.items is not None:
            fields = tree.fields
            return range(len(tree.items)), tree.items, lambda made: v.Tuple(tuple(made), fields=fields)
        contents = self.i.contents(tree)
        if type(contents) is ListObject and contents.items is not None:
            return range(len(contents.items)), contents.items, lambda made: self.i.new_list(tuple(made))
        if type(contents) is DictObject and contents.rest is None:
            try:
                names = sorted(contents.items)
            except TypeError:
                return None
            return (
                names,
                [contents.items[name] for name in names],
                lambda made: self._new(DictObject(dict(zip(names, made)))),
            )
        if type(contents) is Instance and contents.cls.family != "nnx":
            static = self.i.pytrees.static_fields(contents.cls)
            if static is None:
                return None
            leaves = [
                name for name in self.i.declared_fields(contents.cls) if name in contents.fields and name not in static
            ]
            kept = {name: value for name, value in contents.fields.items() if name in static}
            return (
                leaves,
                [contents.fields[name] for name in leaves],
                lambda made: self._new(Instance(contents.cls, {**kept, **dict(zip(leaves, made))}, contents.called)),
            )
        return None

    def either(self, one: v.Value, other: v.Value, depth: int = 0) -> v.Value:
        """What one of two branches gives: trees of one structure, whose leaves are joined."""

        def joined(one: v.Value, other: v.Value) -> v.Value:
            return self.either(one, other, depth + 1)

        if type(one) is v.Tuple and type(other) is v.Tuple:
            return v.join_tuples(one, other, joined)
        first, second = self.i.contents(one), self.i.contents(other)
        if first is None or first is second or depth > _MAX_DEPTH or not are_alike(first, second):
            return v.join(one, other)
        return self._new(first.joined(second, joined))  # type: ignore[arg-type]  # of the same class

    def _new(self, contents: Contents) -> v.Value:
        return self.i.new_object(contents)

    # --- taking apart and putting together ----------------------------------------------------

    def leaves(self, tree: v.Value) -> list[v.Value] | None:
        """The leaves in their order; None where the structure is not known."""
        if not self._is_known(tree):
            return None
        found = list(self._leaves(tree))
        return found if len(found) <= self.i.allowed.leaves else None

    def _leaves(self, tree: v.Value) -> Iterator[v.Value]:
        known = self.children(tree)
        if known is not None:
            for child in known[1]:
                yield from self._leaves(child)
        elif not v.is_none(tree):
            yield tree

    def structure(self, tree: v.Value) -> v.Value:
        return v.OpaqueInstance(STRUCTURE, (tree,)) if self.leaves(tree) is not None else v.Unknown(v.fresh())

    def together(self, structure: v.Value, leaves: v.Value, node: ir.Node) -> v.Value:
        """What `jax.tree.unflatten` gives."""
        items = self.i.items_of(leaves) if type(leaves) in (v.Tuple, v.Ref, v.Iterator) else None
        if type(structure) is v.OpaqueInstance and structure.name == STRUCTURE and items is not None:
            tree = structure.args[0]
            if len(items) == len(self.leaves(tree) or ()):
                rest = iter(items)
                made = self._map([tree], None, node, lambda _: next(rest))
                if made is not None:
                    return made
        parts: list[v.Value] = list(items) if items is not None else [self.i.element_of(node, leaves)]
        if parts and all(type(part) in (v.Array, v.Undecided) and part.cls is not None for part in parts):
            mode, cause = self.i.result_mode(parts)
            return v.Undecided(mode, cause, v.fresh())
        return v.Unknown(v.fresh())

    def called(self, last: str, call: Call) -> v.Value | None:
        """`jax.tree.structure` and `jax.tree.unflatten`; None for any other function."""
        if (
            last == "structure"
            and call.get(0, "tree") is not None
            and call.get(1, "is_leaf") is None
            and not call.double_star
        ):
            return self.structure(call.get(0, "tree"))  # type: ignore[arg-type]
        if last == "unflatten" and len(call.args) == 2 and not call.star:
            return self.together(call.args[0], call.args[1], call.arg_nodes[1])
        return None
