"""Lowered files that stay at hand: as roots, and as modules that others import."""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.ir import nodes as ir
    from jaxlint.project.reexports import Bindings


class Lowered:
    """A lowered file. Nothing changes it, so every root that reads the file has the same nodes.

    Where these stand in the text is not kept: that would take more than the nodes do. The file is lowered again if
    anything is found in it.
    """

    def __init__(self, stamp: Hashable, tree: ir.Tree) -> None:
        self.stamp = stamp
        self.tree = tree

    @functools.cached_property
    def bindings(self) -> Bindings:
        """What its statements bind."""
        from jaxlint.project.reexports import bindings

        return bindings(self.tree.module)
