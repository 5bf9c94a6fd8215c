"""The arguments of `print`, written as one template and the values that belong in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.print_template import Template, judge, template
from jaxlint.rewrite.requirements import NoFix, or_none, require
from jaxlint.source.diagnostic import Applicability

# A piece of the template: ("text", literal text), ("static", code) or ("value", what is between the braces).
Piece = tuple[str, str]


@or_none
def print_template(file: File, args: Sequence[ir.Expression]) -> Template:
    """The template that shows what ``print(*args)`` does."""
    if len(args) == 1 and not isinstance(args[0], ir.Constant):
        whole = template(file, args[0].site)
        if whole is not None and whole.arguments:
            whole.lower(Applicability.UNSAFE)
            return whole
    made = Template(level=Applicability.UNSAFE)
    pieces: list[Piece] = []
    for number, arg in enumerate(args):
        pieces += [("text", " ")] if number else []
        pieces += _pieces(file, arg, made)
    made.text = _literal(pieces)
    require(made.arguments)
    return made


def _pieces(file: File, node: ir.Node, made: Template) -> Iterator[Piece]:
    if isinstance(node, ir.Constant):
        require(v.is_small(node.value))
        yield "text", str(node.value)
        return
    if not isinstance(node, ir.Format):
        yield _value(file, node, made)
        return
    for part in node.parts:
        if isinstance(part, str):
            yield "text", _as_printed(part, file.code(node.site))
            continue
        require(not part.debug and (part.spec is None or len(part.spec.parts) == 1))
        kind, code = _value(file, part.value, made)
        spec = "" if part.spec is None else f":{part.spec.parts[0]}"
        yield kind, code + (f"!{part.conversion}" if part.conversion else "") + spec


def _as_printed(part: str, fstring: str) -> str:
    """What Python makes of literal text that stands in an f-string."""
    text = part.replace("{{", "{").replace("}}", "}")
    if "\\" not in text:
        return text
    require(not re.search(r"\b(?:r|fr|rf)[\"']", fstring, re.IGNORECASE))
    try:
        return str(ast.literal_eval(f"'''{text}'''"))
    except SyntaxError:
        raise NoFix from None


def _value(file: File, node: ir.Node, made: Template) -> Piece:
    """One value: what is static stays in the text, everything else is passed."""
    values = file.values(node.site)
    require(values and not isinstance(node, (ir.Starred, ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)))
    if not judge(file, node.site)[0]:
        code = file.code(node.site)
        # Before Python 3.12 an expression in an f-string holds neither a quote of its kind nor a backslash.
        require(not any(each in code for each in ('"', "\\", "\n", "{")))
        return "static", code
    shown_in_pieces = isinstance(node, (ir.Sequence, ir.Dict))
    for value in values:  # no text in which the tracer is already, and no object that is no tree of arrays
        is_tree = isinstance(value, (v.Array, v.Undecided, v.Unknown, v.Host, v.Tuple, v.Const, v.Static))
        require(is_tree or (shown_in_pieces and type(value) is v.Ref))
    return "value", made.place(file, node)


def _literal(pieces: list[Piece]) -> str:
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
        else:
            # A literal brace in front of the first placeholder spoils the template.
            require(placed or ("{" not in content and "}" not in content))
            # The quotation mark in front makes `repr` choose the other kind.
            escaped = repr('"' + content)[2:-1].replace("\\'", "'").replace(quote, "\\" + quote)
            text += escaped.replace("{", "{{" * doubled).replace("}", "}}" * doubled)
    return ("f" if doubled == 2 else "") + quote + text + quote
