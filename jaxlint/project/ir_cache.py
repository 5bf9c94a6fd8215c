"""Lowered files that stay at hand: as roots, and as modules that others import."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jaxlint.source.text import deep_recursion

if TYPE_CHECKING:
    from jaxlint.ir import nodes as ir
    from jaxlint.project.reexports import Bindings


class Lowered:
    """A lowered file. As a module that others import its nodes have the sites from ``first`` on, the same for every root.

    As a root its sites begin at 0: for that it is lent, to one root at a time, and whoever wants to number it
    otherwise meanwhile gets a copy.
    """

    __slots__ = ("stamp", "module", "nodes", "first", "_tree", "_bindings", "_users", "_pickled")

    def __init__(self, stamp: Hashable, module: ir.Module, nodes: list[Any]) -> None:
        global _sites
        self.stamp = stamp
        self.module = module
        self.nodes = nodes
        self.first, _sites = _sites, _sites + len(nodes)
        self._tree: ir.Tree | None = None
        self._bindings: Bindings | None = None
        self._users = 0  # pieces of work that use the nodes as they are numbered
        self._pickled = b""

    @property
    def last(self) -> int:
        return self.first + len(self.nodes)

    @property
    def tree(self) -> ir.Tree:
        """The parents of its nodes, as a module."""
        if self._tree is None:
            from jaxlint.ir import nodes as ir

            self._tree = ir.Tree(self.module, self.first, self.last)
        return self._tree

    @property
    def bindings(self) -> Bindings:
        """What its statements bind."""
        if self._bindings is None:
            from jaxlint.project.reexports import bindings

            self._bindings = bindings(self.module)
        return self._bindings

    def as_module(self) -> Lowered:
        """Itself, for other files to import."""
        if self._number(self.first):
            return self
        module, nodes = self._copy()
        return Lowered(self.stamp, module, nodes).as_module()

    def as_root(self) -> tuple[ir.Module, list[Any]]:
        return (self.module, self.nodes) if self._number(0) else self._copy(0)

    def release(self) -> None:
        self._users -= 1

    def _number(self, first: int) -> bool:
        """Have the sites begin at ``first`` until the work that `lending` is around has been done; False if they cannot."""
        if self.nodes[0].site != first:
            if self._users:
                return False
            _renumber(self.nodes, first)
        self._users += 1
        if _lent:
            _lent[-1].append(self)
        return True

    def _copy(self, first: int = 0) -> tuple[ir.Module, list[Any]]:
        import pickle  # a run in which nothing is asked for twice at a time does without

        with deep_recursion():
            if not self._pickled:
                self._pickled = pickle.dumps((self.module, self.nodes), protocol=5)
            copied: tuple[ir.Module, list[Any]] = pickle.loads(self._pickled)
        _renumber(copied[1], first)
        return copied


_sites = 1 << 29  # those of roots are smaller
_lent: list[list[Lowered]] = []  # what each piece of work that goes on has borrowed


def _renumber(nodes: list[Any], first: int) -> None:
    if nodes[0].site != first:
        for site, node in enumerate(nodes, first):
            node.site = site


@contextmanager
def lending() -> Iterator[None]:
    """Within this, nodes of files that are kept may be used as they are: nothing refers to them afterwards."""
    _lent.append([])
    try:
        yield
    finally:
        for each in _lent.pop():
            each.release()
