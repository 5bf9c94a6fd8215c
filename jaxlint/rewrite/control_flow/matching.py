"""`match` on a traced value, as a choice between the blocks of its cases."""

from __future__ import annotations

from jaxlint.analysis.domain.values import Const
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.control_flow.branches import Choice, heads, is_scalar
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import beside, operand
from jaxlint.rewrite.requirements import known, or_none, require


@or_none
def cases(file: File, node: ir.Match) -> Choice:
    """The choice that a `match` makes; None where it does more than compare with numbers."""
    require(_is_plain(node.subject) and is_scalar(file, node.subject))
    subject = operand(file, node.subject.site)
    tests: list[str] = []
    blocks: list[list[ir.Statement]] = []
    names: list[str] = []
    otherwise: list[ir.Statement] = []
    for case in node.cases:
        require(case.guard is None)
        if case.pattern.kind == "wildcard":
            otherwise = case.body
            break
        tests.append(_test(file, subject, case.pattern))
        blocks.append(case.body)
        names.append("case_" + "_or_".join(_words(file, case.pattern)))
    require(tests)
    if not all(name.isidentifier() for name in names) or len(set(names)) < len(names):
        names = []
    indent = file.indentation(node.site)
    one = file.indentation(node.cases[0].pattern.site)[len(indent) :]
    blocks.append(otherwise)
    said = heads(file, node, [node.subject], blocks)
    named = (*names, "otherwise") if names else ()
    return Choice(node, tests, blocks, said, named, indent, one or "    ")


def _test(file: File, subject: str, pattern: ir.Pattern) -> str:
    if pattern.kind == "or":
        return " | ".join(f"({_test(file, subject, each)})" for each in pattern.children_)
    require(pattern.kind == "value" and _is_number(file, known(pattern.value)))
    return f"{subject} == {beside(file, known(pattern.value).site)}"


def _is_number(file: File, node: ir.Node) -> bool:
    values = [Const(node.value)] if isinstance(node, ir.Constant) else file.values(node.site)
    return bool(values) and all(type(each) is Const and isinstance(each.value, (bool, int, float)) for each in values)


def _words(file: File, pattern: ir.Pattern) -> list[str]:
    if pattern.kind == "or":
        return [word for each in pattern.children_ for word in _words(file, each)]
    return [file.code(known(pattern.value).site).rpartition(".")[2].lower()]


def _is_plain(node: ir.Node) -> bool:
    """Whether evaluating the subject once for each case costs nothing and does nothing."""
    if isinstance(node, (ir.Constant, ir.Name)):
        return True
    return isinstance(node, (ir.Attribute, ir.Unary, ir.Binary, ir.Subscript)) and all(map(_is_plain, node.children()))
