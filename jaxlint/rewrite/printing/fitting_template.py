"""A template, taken apart, and its arguments made to fit: for each way in which they do not, the edits of the call."""

from __future__ import annotations

import re
from typing import NamedTuple

from jaxlint.analysis.checkers.debug_prints import DebugPrintArguments
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.print_template import RESERVED
from jaxlint.rewrite.requirements import expect, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Fix
from jaxlint.source.lexer import strings_and_comments

_PERCENT = re.compile(r"%(?:[-+ #0-9.]*[sdrfegi])")


@or_none
def fitted(file: File, call: ir.Call, hazard: DebugPrintArguments, operand: int) -> Fix:
    """The fix, where it is clear how the template and its arguments are meant."""
    reason, draft, count = hazard.reason, Draft(file), len(plain_call(call).args) - 1
    named = [known(keyword.name) for keyword in call.keywords if keyword.name not in RESERVED]
    if reason == "no text":
        require(not named)
        return draft.fix(_with_template(draft, call), GUESSED)
    text = known(text_of(file, call.args[0]))
    if reason in ("print style", "unused") and text.is_template:
        title, written = _with_fields(text, count, named)
    elif reason == "specification":
        title, written = f"Leave `:{hazard.what}` out", _without_specification(file, call, text, operand, hazard.what)
    elif reason == "mixed" and text.is_template:
        title, written = "Number all fields", _numbered(text, count)
    elif reason in ("missing", "malformed") and not text.is_template:
        title, written = "Take the brace for text", _with_braces(text, count, named)
    else:
        require(reason == "missing")
        return draft.fix(_with_variable(draft, call, text, named), GUESSED)
    draft.replace(call.args[0].site, written)
    return draft.fix(title, GUESSED)


def _with_template(draft: Draft, call: ir.Call) -> str:
    """`print(x, y)` with a field for each."""
    first = call.args[0]
    if len(call.args) == 1 and isinstance(first, ir.Name) and first.id not in RESERVED:
        draft.replace(first.site, f'"{{{first.id}}}", {first.id}={first.id}')
        return f"Print `{first.id}` by a template"
    draft.insert(draft.file.outer_span(first.site)[0], f'"{" ".join(["{}"] * len(call.args))}", ')
    return "Print by a template"


def _with_fields(text: Text, count: int, named: list[str]) -> tuple[str, str]:
    """Fields for the values that have none: where another language has them, else at the end."""
    percents = _PERCENT.findall(text.body)
    if percents and not text.fields:
        require(len(percents) == count and not named and not text.braces)
        return "Write `{}` for each value", text.written(_PERCENT.sub("{}", text.body))
    keys = {field.key for field in text.fields}
    if any(key.isdigit() for key in keys):
        fields = [f"{{{number}}}" for number in range(count) if str(number) not in keys]
    else:
        fields = ["{}"] * (count - sum(not field.key for field in text.fields))
    unused = [name for name in named if name not in keys]
    fields += [f"{{{name}}}" if not keys else f"{name} = {{{name}}}" for name in unused]
    separator = ", " if keys else " "
    body = text.body.rstrip(" ")
    body += separator if body and not body.endswith("\n") else ""
    return "Print the value behind the text", text.written(body + separator.join(fields))


def _without_specification(file: File, call: ir.Call, text: Text, operand: int, spec: str) -> str:
    """The field of one value without what it is not to be formatted by."""
    keys = {str(number): each.site for number, each in enumerate(call.args[1:])}
    keys.update((keyword.name, keyword.value.site) for keyword in call.keywords if keyword.name is not None)
    body, position = list(text.body), sum(not field.key for field in text.fields)
    for field in reversed(text.fields):
        position -= not field.key
        if keys.get(field.key or str(position)) in (operand, _value(file, operand)) and field.spec == spec:
            body[field.start : field.end] = f"{{{field.key}{field.path}{field.conversion}}}"
    require("".join(body) != text.body)
    return text.written("".join(body))


def _value(file: File, site: int) -> int:
    node = file.unit.nodes[site]
    return node.value.site if isinstance(node, ir.Keyword) else site


def _numbered(text: Text, count: int) -> str:
    """Numbers for the fields without: in their order, as far as those with a number leave room."""
    body = list(text.body)
    numbers = list(range(sum(not each.key for each in text.fields)))
    used = {field.key for field in text.fields if field.key.isdigit()} | {str(number) for number in numbers}
    require(used == {str(number) for number in range(count)})
    for field in reversed(text.fields):
        if not field.key:
            spec = f":{field.spec}" if field.spec else ""
            body[field.start : field.end] = f"{{{numbers.pop()}{field.path}{field.conversion}{spec}}}"
    return text.written("".join(body))


def _with_braces(text: Text, count: int, named: list[str]) -> str:
    """Braces that are part of no field taken for text."""
    made, keys = known(with_leading_braces_passed(text)), {field.key for field in text.fields if field.key}
    require(keys == set(named) and sum(not field.key for field in text.fields) == count)
    return ", ".join(filter(None, made))


def _with_variable(draft: Draft, call: ir.Call, text: Text, named: list[str]) -> str:
    """The variables that fields name, passed to them."""
    missing = dict.fromkeys(field.key for field in text.fields if field.key.isidentifier() and field.key not in named)
    require(sum(not field.key for field in text.fields) < len(call.args) and not RESERVED & set(missing))
    require(missing and not any(field.key.isdigit() for field in text.fields))
    require(all(_is_variable(draft.file, call.site, name) for name in missing))
    passed = ", ".join(f"{name}={name}" for name in missing)
    draft.insert(draft.file.outer_span((call.keywords or call.args)[-1].site)[1], f", {passed}")
    return f"Pass `{passed}`"


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


_PIECE = re.compile(
    r"(?P<doubled>\{\{|\}\})"
    r"|(?P<field>\{(?P<key>[A-Za-z_]\w*|\d*)(?P<path>[.\[][^{}!:]*)?(?P<conversion>![rsa])?(?::(?P<spec>[^{}]*))?\})"
    r"|(?P<stray>[{}])"
)


class Field(NamedTuple):
    """A replacement field: where it stands in the text, and its parts as they are written."""

    start: int
    end: int
    key: str  # empty where the position counts
    path: str
    conversion: str
    spec: str


class Text(NamedTuple):
    """One string literal: what opens and closes it, and the source between."""

    opening: str
    body: str
    closing: str
    fields: tuple[Field, ...]
    braces: tuple[tuple[int, int], ...]  # where braces stand for themselves, doubled or not
    is_template: bool  # whether all of these are doubled, and no field holds another

    def written(self, body: str) -> str:
        return f"{self.opening}{body}{self.closing}"


@or_none
def text_of(file: File, node: ir.Node) -> Text:
    """The literal at ``node``, where it is one string alone."""
    require(isinstance(expect(ir.Constant, node).value, str))
    code = file.code(node.site)
    start = known(re.match(r"[uUrR]*('''|\"\"\"|'|\")", code))
    require(len(list(strings_and_comments(code))) == 1 and not re.search(r"\\N\{|\\u007|\\x7", code))
    body = code[start.end() : -len(start[1])]
    found = list(_PIECE.finditer(body))
    fields = tuple(
        Field(*each.span(), each["key"], each["path"] or "", each["conversion"] or "", each["spec"] or "")
        for each in found
        if each["field"]
    )
    braces = tuple(each.span() for each in found if not each["field"])
    return Text(start[0], body, start[1], fields, braces, not any(each["stray"] for each in found))


def doubled(text: str) -> str:
    """Text with each brace that stands alone doubled."""
    return _PIECE.sub(lambda found: found[0] * 2 if found["stray"] else found[0], text)


@or_none
def with_leading_braces_passed(text: Text) -> tuple[str, str]:
    """The template with a field in the place of the braces before its first, and the literal to pass for it.

    JAX takes no template in which a brace stands for itself before the first field. Numbered fields refuse: the new one would
    have to be one.
    """
    require(text.fields and not any(field.key.isdigit() for field in text.fields))
    first = text.fields[0].start
    leading = [span for span in text.braces if span[0] < first]
    rest = doubled(text.body[first:])
    if not leading:
        return text.written(doubled(text.body[:first]) + rest), ""
    start, end = leading[0][0], leading[-1][1]
    said = doubled(text.body[start:end]).replace("{{", "{").replace("}}", "}")
    quote = '"' if "\n" not in said else text.closing
    passed = text.written(said) if '"' in said or "\\" in said else f"{quote}{said}{quote}"
    return text.written(f"{text.body[:start]}{{}}{text.body[end:first]}{rest}"), passed
