"""The source of a template, taken apart: its fields, the braces that stand for themselves, and what lies between."""

from __future__ import annotations

import re
from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.lexer import strings_and_comments

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
