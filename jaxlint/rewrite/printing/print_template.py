"""Formatted text and the arguments of `print` as a template for `jax.debug.print`, and the values that belong in it."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability
from jaxlint.source.lexer import strings_and_comments

# Parameters of `jax.debug.print`: a value cannot be passed under their names.
RESERVED = frozenset({"fmt", "ordered", "partitioned", "skip_format_check", "_use_logging"})
SAFE, UNSAFE, DISPLAY = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY

_PERCENT = re.compile(r"%(?:(?P<percent>%)|(?P<text>[sr])|(?P<number>\d*(?:\.\d+)?[feg])|(?P<whole>\d*d))|%")
# Static values that are written without braces, which the template would take for a placeholder.
_BRACELESS = frozenset({"int", "float", "bool", "complex", "shape", "range", "dtype"})


@dataclass
class Template:
    """Source text of the template, the values to pass by position and by name, and how sure all that is."""

    text: str = ""
    positional: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)
    level: Applicability = SAFE

    @property
    def arguments(self) -> list[str]:
        return [*self.positional, *(f"{name}={code}" for name, code in self.named.items())]

    def place(self, file: File, node: ir.Node) -> str:
        """Pass the value of ``node``; comes out: what stands for it between the braces."""
        if isinstance(node, ir.Name) and node.id not in RESERVED:
            name: str = node.id
            self.named[name] = name
            return name
        self.positional.append(operands.argument(file, node.site))
        return ""

    def lower(self, level: Applicability) -> None:
        self.level = self.level.at_most(level)


@or_none
def template(file: File, site: int) -> Template:
    """The template for an expression that formats values."""
    node = file.unit.nodes[site]
    # Arguments by name come after those by position, whatever their order in the text.
    require(not any(isinstance(each, (ir.Walrus, ir.Await, ir.Yield)) for each in ir.walk([node])))
    match node:
        case ir.Format():
            return _of_fstring(file, node)
        case ir.Binary(op="%"):
            return _of_percent(file, node)
        case ir.Call(func=ir.Attribute(value=literal, attr="format")):
            return _of_format(file, node, literal)
    return _of_pieces(file, node)


def _of_fstring(file: File, node: ir.Format) -> Template:
    made, source, start = Template(), file.code(node.site), file.span(node.site)[0]
    fields = [part for part in node.parts if isinstance(part, ir.Field)]
    judged = [judge(file, each.value.site) for each in fields]
    keeps = not all(moved for moved, _ in judged)
    spans = [tuple(offset - start for offset in file.span(each.site)) for each in fields]
    literal = source
    for first, last in reversed(spans):
        literal = literal[:first] + literal[last:]
    require("{" not in literal and "}" not in literal)
    edits: list[tuple[int, int, str]] = []
    for each, (first, last), (moved, level) in zip(fields, spans, judged):
        made.lower(level)
        if moved:
            edits.append((first, last, _placeholder(file, each, made, keeps)))
    if not keeps:
        edits += _prefixes(source)
    for first, last, content in sorted(edits, reverse=True):
        source = source[:first] + content + source[last:]
    made.text = source
    return made


def _placeholder(file: File, part: ir.Field, made: Template, doubled: bool) -> str:
    """What stands in the template for a replacement field of an f-string."""
    require(part.spec is None or len(part.spec.parts) == 1)
    spec = "" if part.spec is None else "".join(each for each in part.spec.parts if isinstance(each, str))
    said, conversion = "", part.conversion
    if part.debug:
        text = file.source.text[file.span(part.site)[0] + 1 : file.span(part.site)[1]]
        said = known(re.match(r"[^{}\"'\\!=<>]*=\s*", text))[0]
        conversion = conversion or ("r" if part.spec is None else None)
    inner = made.place(file, part.value) + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
    return f"{said}{{{{{inner}}}}}" if doubled else f"{said}{{{inner}}}"


def _prefixes(source: str) -> Iterable[tuple[int, int, str]]:
    """Edits that make plain strings of the f-strings in ``source``."""
    for start, _, kind in strings_and_comments(source):
        if kind == "format":
            prefix = re.search(r"[A-Za-z]*\Z", source[:start])
            assert prefix is not None
            yield prefix.start(), start, re.sub("[fF]", "", prefix[0])


def _of_percent(file: File, node: ir.Binary) -> Template:
    require(_is_text(node.left) and not isinstance(node.right, ir.Dict))
    values = list(node.right.elements) if isinstance(node.right, ir.Sequence) else [node.right]
    source, made = file.code(node.left.site), Template()
    require("{" not in source and "}" not in source)

    def written(each: re.Match[str]) -> str:
        if each["percent"]:
            return "%"
        require(values and (each["text"] or each["number"] or each["whole"]))
        operand = values.pop(0)
        require(not each["whole"] or _is_whole(file, operand))  # `%d` cuts a fraction off
        number = each["number"] or each["whole"]
        _moved_whole(file, operand, made)
        return "{" + made.place(file, operand) + ("!r" if each["text"] == "r" else f":{number}" if number else "") + "}"

    made.text = _PERCENT.sub(written, source)
    require(not values)
    return made


def _is_whole(file: File, node: ir.Node) -> bool:
    """Whether a value is certainly an integer."""
    values = file.values(node.site)
    return bool(values) and all(
        v.python_type(value) == "int" or (isinstance(value, v.Array) and "int" in (value.aval.dtype or ""))
        for value in values
    )


def _of_format(file: File, node: ir.Call, literal: ir.Node) -> Template:
    call, text = plain_call(node), expect(ir.Constant, literal)
    names = [known(keyword.name) for keyword in call.keywords]
    require(isinstance(text.value, str) and not RESERVED.intersection(names))
    try:
        parsed = list(string.Formatter().parse(text.value))
    except ValueError:  # a single brace: the call raises
        raise NoFix from None
    numbers, used = iter(range(len(call.args))), set[str]()
    for said, name, spec, _ in parsed:
        require("{" not in said + (spec or "") and "}" not in said)
        if name is not None:
            used.add(name or str(next(numbers, None)))
    require(used == {*map(str, range(len(call.args))), *names})
    made = Template(file.code(text.site))
    for value in ir.passed_values(call):
        _moved_whole(file, value, made)
    made.positional = [operands.argument(file, value.site) for value in call.args]
    made.named = {name: file.code(keyword.value.site) for name, keyword in zip(names, call.keywords)}
    return made


def _of_pieces(file: File, node: ir.Node) -> Template:
    """Literals and `str(x)`, joined by `+`."""
    pieces: list[ir.Node] = []
    while isinstance(node, ir.Binary) and node.op == "+":
        pieces.append(node.right)
        node = node.left
    pieces.append(node)
    made, text = Template(), ""
    for piece in reversed(pieces):
        if _is_text(piece) and "{" not in piece.value and "}" not in piece.value:
            text += piece.value
            continue
        call = expect(ir.Call, piece)
        require(len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ir.Starred))
        conversion = known({"builtins.str": "", "builtins.repr": "!r"}.get(file.api_name(call.func.site)))
        text += "{" + made.place(file, call.args[0]) + conversion + "}"
        _moved_whole(file, call.args[0], made)
    made.text = repr(text)
    if made.text[0] == "'" and '"' not in text:
        made.text = f'"{made.text[1:-1]}"'
    return made


def _is_text(node: ir.Node) -> TypeGuard[ir.Constant]:
    return isinstance(node, ir.Constant) and isinstance(node.value, str)


def _moved_whole(file: File, node: ir.Node, made: Template) -> None:
    """Account for a value that is passed whatever it is: JAX shows what is no array in another way."""
    moved, level = judge(file, node.site)
    made.lower(level if moved else DISPLAY)


def judge(file: File, site: int) -> tuple[bool, Applicability]:
    """Whether a value is to be passed to `jax.debug.print` or stays in the text, and how sure that is."""
    values = file.values(site)
    arrays = [value for value in values if isinstance(value, (v.Array, v.Undecided))]
    if values and len(arrays) == len(values):
        if any(type(value) is v.Array and value.aval.dtype in v.KEYS for value in arrays):
            return True, DISPLAY  # a key is shown in another way once it is passed
        late = [value for value in arrays if value.cls is not None or value.kind == "unknown"]
        return (True, SAFE) if late else (False, SAFE)
    if arrays:
        # A caller that is not seen decides nothing; one that passes a Python value does.
        others = [value for value in values if value not in arrays]
        return True, SAFE if all(isinstance(value, v.Unknown) for value in others) else UNSAFE
    if values and all(map(_braceless, values)):
        return False, SAFE
    if values and all(type(value) in (v.Const, v.Static) for value in values):
        return False, UNSAFE  # text, which may hold a brace
    return True, DISPLAY


def _braceless(value: v.Value) -> bool:
    if type(value) is v.Const:
        return not (isinstance(value.value, (str, bytes)) and re.search("[{}]", str(value.value)))
    if type(value) is v.Static:
        return value.type in _BRACELESS
    if type(value) is v.Tuple:
        return all(map(_braceless, value.items if value.items is not None else (value.element,)))
    return type(value) is v.Host


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
