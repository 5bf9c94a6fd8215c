"""`match` on a traced value, as a choice between the blocks of its cases."""

from __future__ import annotations

from jaxlint.analysis.domain.values import Array, Const
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.control_flow.branches import Choice, heads
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import beside, operand


def cases(file: File, node: ir.Match) -> Choice | None:
    """The choice that a `match` makes; None where it does more than compare with numbers."""
    if not _is_plain(node.subject):
        return None
    if any(isinstance(value, Array) and value.aval.shape for value in file.values(node.subject.site)):
        return None
    subject = operand(file, node.subject.site)
    tests: list[str] = []
    blocks: list[list[ir.Statement]] = []
    names: list[str] = []
    for case in node.cases:
        if case.pattern.kind == "wildcard" and case.guard is None:
            return _choice(file, node, tests, [*blocks, case.body], [*names, "otherwise"])
        test = _test(file, subject, case.pattern)
        if test is None or case.guard is not None:
            return None
        tests.append(test)
        blocks.append(case.body)
        names.append("case_" + "_or_".join(_words(file, case.pattern)))
    return _choice(file, node, tests, [*blocks, []], [*names, "otherwise"])


def _choice(
    file: File, node: ir.Match, tests: list[str], blocks: list[list[ir.Statement]], names: list[str]
) -> Choice | None:
    if not tests or not all(name.isidentifier() for name in names) or len(set(names)) < len(names):
        names = []
    indent = file.indentation(node.site)
    one = file.indentation(node.cases[0].pattern.site)[len(indent) :]
    said = heads(file, node, [node.subject], blocks)
    return Choice(node, tests, blocks, said, tuple(names), indent, one or "    ") if tests else None


def _test(file: File, subject: str, pattern: ir.Pattern) -> str | None:
    if pattern.kind == "value":
        assert pattern.value is not None
        return f"{subject} == {beside(file, pattern.value.site)}" if _is_number(file, pattern.value) else None
    if pattern.kind == "or":
        parts = [_test(file, subject, each) for each in pattern.children_]
        return None if None in parts else " | ".join(f"({part})" for part in parts)
    return None


def _is_number(file: File, node: ir.Node) -> bool:
    values = [Const(node.value)] if isinstance(node, ir.Constant) else file.values(node.site)
    return bool(values) and all(type(each) is Const and isinstance(each.value, (bool, int, float)) for each in values)


def _words(file: File, pattern: ir.Pattern) -> list[str]:
    if pattern.kind == "or":
        return [word for each in pattern.children_ for word in _words(file, each)]
    assert pattern.value is not None
    return [file.code(pattern.value.site).rpartition(".")[2].lower()]


def _is_plain(node: ir.Node) -> bool:
    """Whether evaluating the subject once for each case costs nothing and does nothing."""
    if isinstance(node, (ir.Constant, ir.Name)):
        return True
    return isinstance(node, (ir.Attribute, ir.Unary, ir.Binary, ir.Subscript)) and all(map(_is_plain, node.children()))
