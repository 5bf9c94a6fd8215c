"""The option `jax_enable_x64`: whether a file and what it imports leave it alone, so that numbers have 32 bits."""

from __future__ import annotations

import re

from jaxlint.ir import nodes as ir
from jaxlint.project.resolver import ImportedName, Loader, imported_names
from jaxlint.source.libraries import LIBRARIES

# The option of JAX, as it is called in code, strings and the environment.
_SWITCH = re.compile(r"(?<![A-Za-z0-9])(?:jax_)?(?:enable|disable)_x64(?![A-Za-z0-9])", re.IGNORECASE)
# Libraries that do not touch the option.
_LEAVE_ALONE = {each.name for each in LIBRARIES if each.leaves_x64}.union(
    "matplotlib pandas sklearn tqdm absl rich"
    " __future__ abc argparse collections contextlib copy csv dataclasses datetime enum functools glob itertools json"
    " logging math operator os pathlib pickle pprint random re string sys tempfile time typing typing_extensions"
    " unittest warnings".split()
)
_MAY_WIDEN = frozenset({ir.Constant, ir.Attribute})
_MAX_FILES = 64  # of the project that are looked into


def leaves_x64_alone(unit: ir.Unit, loader: Loader | None) -> bool:
    """Whether nothing in the file can make numbers wider, nor anything that it imports.

    Modules of the project are looked into where the file is run as a program: any other may be imported by one that sets the option.
    A test, which is to leave that to the user as well, is given no ``loader``.
    """
    names: list[ImportedName] = []
    is_program = False
    for node in unit.own:
        if type(node) is ir.Name:
            is_program = is_program or node.id == "__name__"
        elif type(node) is ir.Import:
            names += [(0, dotted, "") for dotted, _ in node.names]
        elif type(node) is ir.ImportFrom:
            if any(_SWITCH.search(name) for name, _ in node.names):
                return False
            names += [(node.level, node.module, name) for name, _ in node.names]
        elif type(node) in _MAY_WIDEN and names_option(node):
            return False
    return _imports_leave_it(unit.filename, names, loader if is_program else None)


def _imports_leave_it(file: str, names: list[ImportedName], loader: Loader | None) -> bool:
    """Whether what a file imports leaves the option alone: libraries that do, and modules of the project that never name it."""
    todo = [(file, names)]
    seen = {file}
    while todo:
        importer, names = todo.pop()
        for level, module, name in names:
            if not level and module.partition(".")[0] in _LEAVE_ALONE:
                continue
            files = loader.modules_run(importer, module, level, name) if loader is not None else None
            if files is None or len(seen) > _MAX_FILES:
                return False
            for each in files:
                if each in seen:
                    continue
                seen.add(each)
                text = loader.text(each) if loader is not None else None
                if text is None or _SWITCH.search(text):
                    return False
                todo.append((each, imported_names(text)))
    return True


def names_option(node: ir.Node) -> bool:
    """Whether a string or an attribute is the option's name."""
    text = node.value if isinstance(node, ir.Constant) else node.attr if isinstance(node, ir.Attribute) else None
    return isinstance(text, str) and _SWITCH.search(text) is not None
