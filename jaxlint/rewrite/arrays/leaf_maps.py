"""Arithmetic on trees, as `jax.tree.map` does it: `params - rate * grads` leaf by leaf."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Api, Array, Const, Host, Ref, Static
from jaxlint.analysis.shapes.laws import is_elementwise
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in, unused
from jaxlint.rewrite.operands import is_path
from jaxlint.rewrite.requirements import or_none, require
from jaxlint.source.diagnostic import Fix

_NUMPY = "jax.numpy."
_COMBINING = frozenset("where add subtract multiply divide maximum minimum power".split())


@or_none
def over_leaves(site: int, file: File) -> Fix:
    """`jax.tree.map` of the whole expression around an operator or call, over the trees that it names.

    The other operands are single numbers, and go to each leaf.
    """
    node = file.unit.nodes[site]
    while isinstance(above := file.unit.parent(node.site), (ir.Binary, ir.Unary)):
        node = above
    operands = list(_operands(node, file))
    chooses = _is_choice(file, node)  # between two trees: the other one may be unknown
    trees = [each for each in operands if _is_tree(file, each) or chooses and not _is_number(file, each)]
    require(all(is_path(each, (ir.Constant,)) for each in trees))
    require(all(each in trees or _is_number(file, each) for each in operands))
    taken, leaves = names_in(node), dict[str, str]()
    for each in trees:
        code = file.code(each.site)
        if code not in leaves:
            leaves[code] = unused(taken, *_initial(ir.last_name(each)), "leaf", "other")
            taken.add(leaves[code])
    mapped, imports = file.api("jax.tree.map")
    start, end = file.span(node.site)
    text = file.source.text[start:end]
    for each in sorted(trees, key=lambda tree: file.span(tree.site), reverse=True):
        left, right = file.span(each.site)
        text = text[: left - start] + leaves[file.code(each.site)] + text[right - start :]
    text = f"{mapped}(lambda {', '.join(leaves.values())}: {text}, {', '.join(leaves)})"
    changes = "right where the trees have one structure"
    return Fix("Map it over the leaves", (file.replace(node.site, text),), imports=imports, changes=changes)


def _operands(node: ir.Node, file: File) -> Iterator[ir.Node]:
    """What operators and functions of `jax.numpy` that compute element by element combine in an expression."""
    if isinstance(node, ir.Binary):
        parts: tuple[ir.Node, ...] = (node.left, node.right)
    elif isinstance(node, ir.Unary):
        parts = (node.operand,)
    elif isinstance(node, ir.Call) and not node.keywords and _is_elementwise(file, node.func):
        parts = node.args[1:] if _is_choice(file, node) else node.args
    else:
        yield node
        return
    for each in parts:
        yield from _operands(each, file)


def _is_elementwise(file: File, func: ir.Node) -> bool:
    names = {value.name if type(value) is Api else "" for value in file.values(func.site)}
    last = names.pop().removeprefix(_NUMPY) if len(names) == 1 else ""
    return last in _COMBINING or is_elementwise(last)


def _is_choice(file: File, node: ir.Node) -> bool:
    return isinstance(node, ir.Call) and len(node.args) == 3 and file.is_api(node.func.site, "jax.numpy.where")


def _is_tree(file: File, node: ir.Node) -> bool:
    return any(type(value) is Ref for value in file.values(node.site))


def _is_number(file: File, node: ir.Node) -> bool:
    """Whether an expression is one number for some caller, and no tree or array for any."""
    values = file.values(node.site)
    known = [value for value in values if isinstance(value, (Const, Static, Array, Host))]
    arrays = [value for value in known if isinstance(value, (Array, Host))]
    return isinstance(node, ir.Constant) or (
        bool(known) and not _is_tree(file, node) and all(each.aval.shape == () for each in arrays)
    )


def _initial(name: str) -> list[str]:
    """The first letter of a name, unless it looks like a digit."""
    letter = name.lstrip("_")[:1].lower()
    return [letter] if letter.isalpha() and letter not in "lo" else []
