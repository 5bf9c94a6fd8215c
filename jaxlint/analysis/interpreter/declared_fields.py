"""What a class says of its fields by all the assignments to them in its methods: lists, dicts, numbers."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir

Kinds = dict[str, set[str]]


class DeclaredFields:
    """Fields by class, read off when first asked for."""

    def __init__(self) -> None:
        self._found: dict[int, Kinds] = {}

    def kind(self, cls: v.ClassValue, attr: str) -> str | None:
        """ "list", "dict" or "number", where every assignment in the class and its bases gives one."""
        kinds: set[str] = set()
        for each in cls.mro():
            site = each.definition.site
            if site not in self._found:
                self._found[site] = _fields(each.definition)
            kinds |= self._found[site].get(attr, set())
        return kinds.pop() if len(kinds) == 1 and kinds != {""} else None


def _fields(definition: ir.ClassDefinition) -> Kinds:
    found: Kinds = {}
    for statement in definition.body:
        if isinstance(statement, ir.Define) and statement.function.parameters:
            receiver = statement.function.parameters[0].name
            for target, value in _stores(statement.function.body):
                if (
                    isinstance(target, ir.Attribute)
                    and isinstance(target.value, ir.Name)
                    and target.value.id == receiver
                ):
                    found.setdefault(target.attr, set()).add(_kind(value))
    return found


def _stores(body: list[ir.Statement]) -> Iterator[tuple[ir.Node, ir.Node | None]]:
    for node in ir.statements(body):
        if isinstance(node, ir.Assign):
            for target in node.targets:
                yield target, node.value
                if isinstance(target, ir.Sequence):
                    yield from ((element, None) for element in target.elements)
        elif isinstance(node, (ir.Annotate, ir.Augment)) and node.value is not None:
            yield node.target, node.value
        elif isinstance(node, ir.For):
            yield node.target, None


def _kind(node: ir.Node | None) -> str:
    called = node.func.id if isinstance(node, ir.Call) and isinstance(node.func, ir.Name) else ""
    if (
        called in ("list", "dict")
        or (isinstance(node, ir.Sequence) and node.kind == "list")
        or isinstance(node, ir.Dict)
    ):
        return called or ("dict" if isinstance(node, ir.Dict) else "list")
    if isinstance(node, ir.Unary):
        return _kind(node.operand)
    number = isinstance(node, ir.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    return "number" if number else ""
