"""The arguments of `print`, written as one template and the values that belong in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.print_template import Template, judge, template
from jaxlint.source.diagnostic import Applicability

# A piece of the template: ("text", literal text), ("static", code) or ("value", what is between the braces).
Piece = tuple[str, str]


def print_template(file: File, args: Sequence[ir.Expression]) -> Template | None:
    """The template that shows what ``print(*args)`` does, None where it cannot be written."""
    if len(args) == 1 and not isinstance(args[0], ir.Constant):
        made = template(file, args[0].site)
        if made is not None and made.arguments:
            made.lower(Applicability.UNSAFE)
            return made
    made = Template(level=Applicability.UNSAFE)
    pieces: list[Piece] = []
    for number, arg in enumerate(args):
        if number:
            pieces.append(("text", " "))
        found = _pieces(file, arg, made)
        if found is None:
            return None
        pieces += found
    text = _literal(pieces)
    if text is None or not made.arguments:
        return None
    made.text = text
    return made


def _pieces(file: File, node: ir.Node, made: Template) -> list[Piece] | None:
    if isinstance(node, ir.Constant):
        return [("text", str(node.value))] if v.is_small(node.value) else None
    if not isinstance(node, ir.Format):
        piece = _value(file, node, made)
        return None if piece is None else [piece]
    pieces: list[Piece] = []
    for part in node.parts:
        if isinstance(part, str):
            text = _as_printed(part, file.code(node.site))
            if text is None:
                return None
            pieces.append(("text", text))
            continue
        if part.debug or (part.spec is not None and len(part.spec.parts) != 1):
            return None
        piece = _value(file, part.value, made)
        if piece is None:
            return None
        kind, code = piece
        spec = "" if part.spec is None else f":{part.spec.parts[0]}"
        pieces.append((kind, code + (f"!{part.conversion}" if part.conversion else "") + spec))
    return pieces


def _as_printed(part: str, fstring: str) -> str | None:
    """What Python makes of literal text that stands in an f-string; None where that is not plain."""
    text = part.replace("{{", "{").replace("}}", "}")
    if "\\" not in text:
        return text
    if re.search(r"\b(?:r|fr|rf)[\"']", fstring, re.IGNORECASE):
        return None
    try:
        return str(ast.literal_eval(f"'''{text}'''"))
    except SyntaxError:
        return None


def _value(file: File, node: ir.Node, made: Template) -> Piece | None:
    """One value: what is static stays in the text, everything else is passed."""
    if isinstance(node, (ir.Starred, ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)):
        return None
    values = file.values(node.site)
    if values and not judge(file, node.site)[0]:
        code = file.code(node.site)
        # Before Python 3.12 an expression in an f-string holds neither a quote of its kind nor a backslash.
        return None if any(each in code for each in ('"', "\\", "\n", "{")) else ("static", code)
    shown_in_pieces = isinstance(node, (ir.Sequence, ir.Dict))
    for value in values:
        is_tree = isinstance(value, (v.Array, v.Undecided, v.Unknown, v.Host, v.Tuple, v.Const, v.Static))
        if not is_tree and not (shown_in_pieces and type(value) is v.Ref):
            return None  # text in which the tracer is already, or an object that is no tree of arrays
    return ("value", made.place(file, node)) if values else None


def _literal(pieces: list[Piece]) -> str | None:
    """The template as a string literal; an f-string where it holds static values."""
    doubled = 2 if any(kind == "static" for kind, _ in pieces) else 1
    whole = "".join(content for _, content in pieces)
    quote = "'" if '"' in whole and "'" not in whole else '"'
    text = ""
    placed = False
    for kind, content in pieces:
        if kind == "static":
            text += "{" + content + "}"
        elif kind == "value":
            text += "{" * doubled + content + "}" * doubled
            placed = True
        elif ("{" in content or "}" in content) and not placed:
            return None  # a literal brace in front of the first placeholder spoils the template
        else:
            # The quotation mark in front makes `repr` choose the other kind.
            escaped = repr('"' + content)[2:-1].replace("\\'", "'").replace(quote, "\\" + quote)
            text += escaped.replace("{", "{{" * doubled).replace("}", "}}" * doubled)
    return ("f" if doubled == 2 else "") + quote + text + quote
