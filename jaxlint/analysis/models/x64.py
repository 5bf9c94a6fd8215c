"""The option `jax_enable_x64`: whether a file and what it imports leave it alone, so that numbers have 32 bits."""

from __future__ import annotations

import re

from jaxlint.ir import nodes as ir
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
_MAY_WIDEN = frozenset({ir.Import, ir.ImportFrom, ir.Constant, ir.Attribute})


def leaves_x64_alone(unit: ir.Unit) -> bool:
    """Whether nothing in the file can make numbers wider, nor anything that it imports."""
    return not any(type(node) in _MAY_WIDEN and _may_widen(node) for node in unit.own)


def _may_widen(node: ir.Node) -> bool:
    if isinstance(node, ir.Import):
        return any(dotted.partition(".")[0] not in _LEAVE_ALONE for dotted, _ in node.names)
    if isinstance(node, ir.ImportFrom):
        outside = node.level or node.module.partition(".")[0] not in _LEAVE_ALONE
        return bool(outside or any(_SWITCH.search(name) for name, _ in node.names))
    return names_option(node)


def names_option(node: ir.Node) -> bool:
    """Whether a string or an attribute is the option's name."""
    text = node.value if isinstance(node, ir.Constant) else node.attr if isinstance(node, ir.Attribute) else None
    return isinstance(text, str) and _SWITCH.search(text) is not None
