"""What the statements of a module bind, as its text says without being interpreted.

Much of what a package's names stand for needs no more: they are merely imported, from where they are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by

if TYPE_CHECKING:
    from jaxlint.project.resolver import Loader, Place


class ImportedName(NamedTuple):
    """`from module import name`, with as many dots before the module as ``level`` says."""

    module: str
    level: int
    name: str


class Bindings(NamedTuple):
    """By their names: what is imported under it once and for all, or None where the body decides.

    ``stars`` are the modules all of whose names are imported, and ``public`` the names that a star takes from here,
    None where that is not written down.
    """

    names: dict[str, ImportedName | None]
    stars: list[tuple[str, int]]
    public: frozenset[str] | None


class HandedOn(NamedTuple):
    """Where a module has one of its names from: from ``name`` at ``place``, or from nowhere. ``files`` say so."""

    place: Place | None
    name: str
    files: frozenset[str]


def handed_on(loader: Loader, file: str, name: str, around: frozenset[str] = frozenset()) -> HandedOn | None:
    """What a module merely hands on under a name, or that it binds no such name; None where its body decides.

    ``around`` are modules whose star imports are being looked through.
    """
    lowered = None if file in around else loader.module(file)
    if lowered is None or "__getattr__" in lowered.bindings.names:
        return None
    files = {file}
    for module, level in lowered.bindings.stars:
        where = loader.locate(file, module, level)
        if where is None or where.file is None:
            return None  # a library, of which the releases differ
        unbrought = _not_brought(loader, where, name, around | {file})
        if unbrought is None:
            return None
        files |= unbrought
    if name not in lowered.bindings.names:
        if name in lowered.tree.module.free:
            return None  # a function may bind it
        return HandedOn(None, name, frozenset(files))
    imported = lowered.bindings.names[name]
    place = None if imported is None else loader.locate(file, imported.module, imported.level)
    return None if place is None or imported is None else HandedOn(place, imported.name, frozenset(files))


def _not_brought(loader: Loader, place: Place, name: str, around: frozenset[str]) -> frozenset[str] | None:
    """The files that say that a star import of a module does not bring a name; None where it may."""
    lowered = loader.module(place.file) if place.file is not None else None
    if lowered is None or place.file is None:
        return None
    names, _, public = lowered.bindings
    if public is not None and name not in public and (name.startswith("_") or "__all__" in names):
        return frozenset({place.file})
    if "__all__" in names and loader.child(place, name) is not None:
        return None  # a submodule that is named there is imported
    found = handed_on(loader, place.file, name, around)
    return found.files if found is not None and found.place is None else None


def bindings(module: ir.Module) -> Bindings:
    names: dict[str, ImportedName | None] = {}
    stars = []
    for statement in module.body:
        for node in ir.walk([statement], into_scopes=False):
            if isinstance(node, ir.ImportFrom):
                for name, alias in node.names:
                    if name == "*":
                        stars.append((node.module, node.level))
                        continue
                    bound = alias or name
                    once = bound not in names and node is statement
                    names[bound] = ImportedName(node.module, node.level, name) if once else None
            else:
                names.update(dict.fromkeys(bound_by(node)))
    return Bindings(names, stars, _public(module, names))


def _public(module: ir.Module, names: dict[str, ImportedName | None]) -> frozenset[str] | None:
    """The names in ``__all__`` where it is written once, as a display of strings."""
    if "__all__" not in names:
        return frozenset(name for name in names if not name.startswith("_"))
    written = [
        node for node in ir.walk(module.body, into_scopes=False) if isinstance(node, ir.Name) and node.id == "__all__"
    ]
    for statement in module.body:
        if isinstance(statement, ir.Assign) and len(written) == 1 and statement.targets == written:
            value = statement.value
            if type(value) is ir.Sequence:
                texts = [each.value for each in value.elements if type(each) is ir.Constant and type(each.value) is str]
                if len(texts) == len(value.elements):
                    return frozenset(texts)
    return None
