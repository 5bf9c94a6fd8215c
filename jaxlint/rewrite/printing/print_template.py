"""Formatted text taken apart again: a template for `jax.debug.print` and the values that belong in it."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeGuard

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.file import File
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


def template(file: File, site: int) -> Template | None:
    """The template for an expression that formats values, None where it cannot be written."""
    node = file.unit.nodes[site]
    if any(isinstance(each, (ir.Walrus, ir.Await, ir.Yield)) for each in ir.walk([node])):
        return None  # arguments by name come after those by position, whatever their order in the text
    if isinstance(node, ir.Format):
        return _of_fstring(file, node)
    if isinstance(node, ir.Binary) and node.op == "%":
        return _of_percent(file, node)
    if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == "format":
        return _of_format(file, node, node.func.value)
    return _of_pieces(file, node)


def _of_fstring(file: File, node: ir.Format) -> Template | None:
    made = Template()
    start, _ = file.span(node.site)
    source = file.code(node.site)
    fields = [part for part in node.parts if isinstance(part, ir.Field)]
    judged = [judge(file, each.value.site) for each in fields]
    keeps = not all(moved for moved, _ in judged)
    edits: list[tuple[int, int, str]] = []
    literal = source
    for each in reversed(fields):
        first, last = (offset - start for offset in file.span(each.site))
        literal = literal[:first] + literal[last:]
    if "{" in literal or "}" in literal:
        return None
    for each, (moved, level) in zip(fields, judged):
        made.lower(level)
        if not moved:
            continue
        placeholder = _placeholder(file, each, made, keeps)
        if placeholder is None:
            return None
        first, last = (offset - start for offset in file.span(each.site))
        edits.append((first, last, placeholder))
    if not keeps:
        edits += _prefixes(source)
    for first, last, content in sorted(edits, reverse=True):
        source = source[:first] + content + source[last:]
    made.text = source
    return made


def _placeholder(file: File, part: ir.Field, made: Template, doubled: bool) -> str | None:
    """What stands in the template for a replacement field of an f-string."""
    spec = "" if part.spec is None else "".join(each for each in part.spec.parts if isinstance(each, str))
    if part.spec is not None and len(part.spec.parts) != 1:
        return None
    said = ""
    conversion = part.conversion
    if part.debug:
        text = file.source.text[file.span(part.site)[0] + 1 : file.span(part.site)[1]]
        found = re.match(r"[^{}\"'\\!=<>]*=\s*", text)
        if found is None:
            return None
        said = found[0]
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


def _of_percent(file: File, node: ir.Binary) -> Template | None:
    if not _is_text(node.left) or isinstance(node.right, ir.Dict):
        return None
    values = list(node.right.elements) if isinstance(node.right, ir.Sequence) else [node.right]
    source = file.code(node.left.site)
    found = list(_PERCENT.finditer(source))
    converted = [each for each in found if each["percent"] is None]
    if "{" in source or "}" in source or len(converted) != len(values):
        return None
    made = Template()
    remaining = iter(values)
    position = 0
    for each in found:
        made.text += source[position : each.start()]
        position = each.end()
        if each["percent"]:
            made.text += "%"
            continue
        if each["text"] is None and each["number"] is None and each["whole"] is None:
            return None
        operand = next(remaining)
        if each["whole"] and not _is_whole(file, operand):
            return None  # `%d` cuts a fraction off
        number = each["number"] or each["whole"]
        suffix = "!r" if each["text"] == "r" else f":{number}" if number else ""
        made.text += "{" + made.place(file, operand) + suffix + "}"
        _moved_whole(file, operand, made)
    made.text += source[position:]
    return made


def _is_whole(file: File, node: ir.Node) -> bool:
    """Whether a value is certainly an integer."""
    values = file.values(node.site)
    return bool(values) and all(
        v.python_type(value) == "int" or (isinstance(value, v.Array) and "int" in (value.aval.dtype or ""))
        for value in values
    )


def _of_format(file: File, call: ir.Call, literal: ir.Node) -> Template | None:
    if not _is_text(literal) or any(isinstance(arg, ir.Starred) for arg in call.args):
        return None
    names = [keyword.name for keyword in call.keywords]
    if None in names or RESERVED.intersection(names):
        return None
    used: list[str] = []
    numbers = iter(range(len(call.args)))
    try:
        parsed = list(string.Formatter().parse(literal.value))
    except ValueError:  # a single brace: the call raises
        return None
    for text, name, spec, _ in parsed:
        if "{" in text or "}" in text or "{" in (spec or ""):
            return None
        if name is not None:
            used.append(name or str(next(numbers, None)))
    if set(used) != {str(number) for number in range(len(call.args))} | set(names):
        return None
    made = Template(file.code(literal.site))
    for value in [*call.args, *(keyword.value for keyword in call.keywords)]:
        _moved_whole(file, value, made)
    made.positional = [operands.argument(file, value.site) for value in call.args]
    made.named = {keyword.name: file.code(keyword.value.site) for keyword in call.keywords if keyword.name is not None}
    return made


def _of_pieces(file: File, node: ir.Node) -> Template | None:
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
        shown = _shown(file, piece)
        if shown is None:
            return None
        operand, conversion = shown
        text += "{" + made.place(file, operand) + conversion + "}"
        _moved_whole(file, operand, made)
    made.text = repr(text)
    if made.text[0] == "'" and '"' not in text:
        made.text = f'"{made.text[1:-1]}"'
    return made


def _shown(file: File, node: ir.Node) -> tuple[ir.Node, str] | None:
    """``x`` and its conversion, where the expression is `str(x)` or `repr(x)`."""
    if not isinstance(node, ir.Call) or node.keywords or len(node.args) != 1 or isinstance(node.args[0], ir.Starred):
        return None
    names = file.api_names(node.func.site) - {""}
    if names == {"builtins.str"}:
        return node.args[0], ""
    return (node.args[0], "!r") if names == {"builtins.repr"} else None


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
