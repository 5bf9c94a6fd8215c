"""A template and its arguments made to fit: for each way in which they do not, the edits of the call."""

from __future__ import annotations

import re

from jaxlint.analysis.checkers.debug_prints import DebugPrintArguments
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.print_template import RESERVED
from jaxlint.rewrite.printing.template_text import Text, text_of, with_leading_braces_passed
from jaxlint.source.diagnostic import Edit

_PERCENT = re.compile(r"%(?:[-+ #0-9.]*[sdrfegi])")
Fitted = tuple[str, tuple[Edit, ...]] | None


def fitted(file: File, call: ir.Call, hazard: DebugPrintArguments, operand: int) -> Fitted:
    """What the fix does, and its edits; None where it is not clear how the two are meant."""
    template = call.args[0]
    values = call.args[1:]
    named = [keyword.name for keyword in call.keywords if keyword.name not in RESERVED]
    if any(isinstance(each, ir.Starred) for each in call.args) or None in named:
        return None
    if hazard.reason == "no text":
        return _with_template(file, call, bool(named))
    text = text_of(file, template)
    if text is None:
        return None
    if hazard.reason in ("print style", "unused") and text.is_template:
        return _with_fields(file, template, text, len(values), [name for name in named if name])
    if hazard.reason == "specification":
        return _without_specification(file, call, text, operand, hazard.what)
    if hazard.reason == "mixed" and text.is_template:
        return _numbered(file, template, text, len(values))
    if hazard.reason in ("missing", "malformed") and not text.is_template:
        return _with_braces(file, template, text, len(values), [name for name in named if name])
    if hazard.reason == "missing":
        return _with_variable(file, call, text, [name for name in named if name])
    return None


def _with_template(file: File, call: ir.Call, named: bool) -> Fitted:
    """`print(x, y)` with a field for each."""
    if named:
        return None
    first = call.args[0]
    if len(call.args) == 1 and isinstance(first, ir.Name) and first.id not in RESERVED:
        edit = file.replace(first.site, f'"{{{first.id}}}", {first.id}={first.id}')
        return f"Print `{first.id}` by a template", (edit,)
    start = file.outer_span(first.site)[0]
    return "Print by a template", (Edit(start, start, f'"{" ".join(["{}"] * len(call.args))}", '),)


def _with_fields(file: File, template: ir.Node, text: Text, count: int, named: list[str]) -> Fitted:
    """Fields for the values that have none: where another language has them, else at the end."""
    percents = list(_PERCENT.finditer(text.body))
    if not text.fields and percents and len(percents) == count and not named and not text.braces:
        return "Write `{}` for each value", (file.replace(template.site, text.written(_PERCENT.sub("{}", text.body))),)
    if percents and not text.fields:
        return None
    keys = {field.key for field in text.fields}
    positions = sum(not field.key for field in text.fields)
    if any(key.isdigit() for key in keys):
        fields = [f"{{{number}}}" for number in range(count) if str(number) not in keys]
    else:
        fields = ["{}"] * (count - positions)
    unused = [name for name in named if name not in keys]
    fields += [f"{{{name}}}" if not keys else f"{name} = {{{name}}}" for name in unused]
    separator = ", " if keys else " "
    body = text.body.rstrip(" ")
    written = body + (separator if body and not body.endswith("\n") else "") + separator.join(fields)
    return "Print the value behind the text", (file.replace(template.site, text.written(written)),)


def _without_specification(file: File, call: ir.Call, text: Text, operand: int, spec: str) -> Fitted:
    """The field of one value without what it is not to be formatted by."""
    keys = {str(number): each.site for number, each in enumerate(call.args[1:])}
    keys.update((keyword.name, keyword.value.site) for keyword in call.keywords if keyword.name is not None)
    body, position = list(text.body), sum(not field.key for field in text.fields)
    for field in reversed(text.fields):
        position -= not field.key
        if keys.get(field.key or str(position)) in (operand, _value(file, operand)) and field.spec == spec:
            body[field.start : field.end] = f"{{{field.key}{field.path}{field.conversion}}}"
    written = "".join(body)
    if written == text.body:
        return None
    return f"Leave `:{spec}` out", (file.replace(call.args[0].site, text.written(written)),)


def _value(file: File, site: int) -> int:
    node = file.unit.nodes[site]
    return node.value.site if isinstance(node, ir.Keyword) else site


def _numbered(file: File, template: ir.Node, text: Text, count: int) -> Fitted:
    """Numbers for the fields without: in their order, as far as those with a number leave room."""
    body = list(text.body)
    numbers = list(range(sum(not each.key for each in text.fields)))
    used = {field.key for field in text.fields if field.key.isdigit()} | {str(number) for number in numbers}
    if used != {str(number) for number in range(count)}:
        return None
    for field in reversed(text.fields):
        if not field.key:
            spec = f":{field.spec}" if field.spec else ""
            body[field.start : field.end] = f"{{{numbers.pop()}{field.path}{field.conversion}{spec}}}"
    return "Number all fields", (file.replace(template.site, text.written("".join(body))),)


def _with_braces(file: File, template: ir.Node, text: Text, count: int, named: list[str]) -> Fitted:
    """Braces that are part of no field taken for text."""
    keys = {field.key for field in text.fields if field.key}
    made = with_leading_braces_passed(text)
    if made is None or keys != set(named) or sum(not field.key for field in text.fields) != count:
        return None
    return "Take the brace for text", (file.replace(template.site, ", ".join(each for each in made if each)),)


def _with_variable(file: File, call: ir.Call, text: Text, named: list[str]) -> Fitted:
    """The variables that fields name, passed to them."""
    missing = dict.fromkeys(field.key for field in text.fields if field.key.isidentifier() and field.key not in named)
    positions = sum(not field.key for field in text.fields)
    if positions > len(call.args) - 1 or any(field.key.isdigit() for field in text.fields) or RESERVED & set(missing):
        return None
    if not missing or any(not _is_variable(file, call.site, name) for name in missing):
        return None
    end = file.outer_span((call.keywords or call.args)[-1].site)[1]
    passed = ", ".join(f"{name}={name}" for name in missing)
    return f"Pass `{passed}`", (Edit(end, end, f", {passed}"),)


def _is_variable(file: File, site: int, name: str) -> bool:
    """Whether a name is a parameter, or was assigned to on the way to ``site``."""
    scope = defining_scope(file.unit, site, name)
    if scope is None:
        return False
    if isinstance(scope, ir.Function) and any(parameter.name == name for parameter in scope.parameters):
        return True
    around = list(file.unit.ancestors(site))
    return any(
        isinstance(each, ir.Assign)
        and file.unit.parent(each.site) in around
        and file.span(each.site)[1] < file.span(site)[0]
        for each in bindings(scope, name)
    )
