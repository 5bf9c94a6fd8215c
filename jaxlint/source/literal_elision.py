"""Long displays of constants are left out of the text that a parser gets: a tree of four million characters of numbers takes gigabytes.

A run of items that are constants, or displays of them, becomes one starred string of equal length, which says what the
items are and how many. Offsets and rows of everything else stay the same. Python's own parser, given the run in pieces,
says that it is nothing but constants, so no syntax error is left out with it.
"""

from __future__ import annotations

import _ast as tree  # the node classes alone: `ast` is a parser's worth of imports
import functools
import re
import warnings
from keyword import kwlist
from typing import Any, NamedTuple

from jaxlint.source.lexer import strings_and_comments
from jaxlint.source.limits import MIN_TEXT

MIN_RUN = 5_000
"""Characters of the pieces that a run is read in: shorter displays, and the ends of long ones, are parsed like everything else."""

# A character for private use, which begins the string that stands for a run. A text that has it is parsed as it is.
_MARK = "\ue001"
_BRACKET = re.compile(r"[\[\](){}]")
_BLANK = re.compile(r"\s*")
_CASE = re.compile(r"[ \t]*case\b")
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_CONSTANTS = {"None", "True", "False"}
_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST
_NUMBERS = (int, float, complex)
_KINDS = {int: "int", float: "float", bool: "bool", complex: "complex", str: "str"}


class Run(NamedTuple):
    """What stands for items of a display: the name of their type where all have one (else empty), and how many there are."""

    kind: str
    length: int


class _Piece(NamedTuple):
    start: int
    end: int
    run: Run
    bracket: int  # offset of the bracket around it
    stars: str


class _Display:
    """An open bracket, and where the items begin that are not in a piece yet."""

    __slots__ = ("opened", "start", "holds_items")

    def __init__(self, opened: int) -> None:
        self.opened = opened
        self.start = opened + 1
        # A display, and not a call, an index or a pattern; None: nobody has looked.
        self.holds_items: bool | None = None


def shortened(text: str) -> str:
    """``text`` with its long displays of constants left out; its length and its rows stay as they are."""
    return text if len(text) < MIN_TEXT or _MARK in text else _shortened(text)


def run_of(value: Any) -> Run | None:
    """The run that a string constant stands for; None for any other value."""
    if type(value) is not str or not value.startswith(_MARK):
        return None
    count, kind, _ = value[1:].split("|", 2)
    return Run(kind, int(count))


@functools.lru_cache(maxsize=1)  # a file is parsed by several parsers
def _shortened(text: str) -> str:
    pieces: list[_Piece] = []
    displays: list[_Display] = []
    done = 0
    for start, end, _kind in strings_and_comments(text):
        _scan(text, done, start, displays, pieces)
        done = end
    _scan(text, done, len(text), displays, pieces)
    return _without(text, 0, len(text), pieces)


def _scan(text: str, start: int, end: int, displays: list[_Display], pieces: list[_Piece]) -> None:
    """Go on over code that holds no string and no comment."""
    while True:
        match = _BRACKET.search(text, start, end)
        stop = match.start() if match else end
        if displays:
            _cut(text, start, stop, displays, pieces)
        if match is None:
            return
        start = match.end()
        if match[0] in "[({":
            displays.append(_Display(stop))
        elif displays:
            displays.pop()


def _cut(text: str, start: int, end: int, displays: list[_Display], pieces: list[_Piece]) -> None:
    """Cut pieces off the items of the innermost display, at commas between two offsets."""
    display = displays[-1]
    while end - display.start >= MIN_RUN and display.holds_items is not False:
        comma = text.find(",", max(start, display.start + MIN_RUN), end)
        if comma < 0:
            return
        if display.holds_items is None:
            display.holds_items = _holds_items(text, displays)
            continue
        first = _BLANK.match(text, display.start)
        begin = first.end() if first else display.start
        inner = []
        while pieces and pieces[-1].start >= begin:
            inner.append(pieces.pop())
        found = _run(text[display.opened], _without(text, begin, comma, inner[::-1], brief=True))
        if found is None:
            pieces += inner[::-1]
        else:
            run, stars = found
            last = pieces[-1] if pieces else None
            if last is not None and (last.bracket, last.end, last.stars) == (display.opened, display.start - 1, stars):
                pieces.pop()
                kind = run.kind if run.kind == last.run.kind else ""
                begin, run = last.start, Run(kind, last.run.length + run.length)
            pieces.append(_Piece(begin, comma, run, display.opened, stars))
        display.start = comma + 1


def _holds_items(text: str, displays: list[_Display]) -> bool:
    """Whether the innermost bracket is that of a display: what is in a call, an index or a pattern is none of ours."""
    at = opened = displays[-1].opened
    while at > 0 and text[at - 1] in " \t\f\r\n\\":
        at -= 1
    before = text[at - 1] if at else ""
    if before in ")]}\"'" and before:
        return False
    if before.isalnum() or before == "_":
        word = re.search(r"\w{1,12}\Z", text[max(0, at - 12) : at])
        if word is None or word[0] not in kwlist or word[0] in _CONSTANTS:
            return False
    outermost = displays[0].opened
    return _CASE.match(text, text.rfind("\n", 0, outermost) + 1, opened) is None


def _run(opening: str, code: str) -> tuple[Run, str] | None:
    """What items of a display are, and with which stars they would be put into it; None unless they are all constants."""
    if len(code) > 4 * MIN_RUN or 2 * (code.count("\n") + code.count("\r")) > len(code):
        return None  # one item is that long, or there is no room for the rows
    if opening != "{":
        items = _parsed(opening + code + ",0" + _CLOSING[opening])
        stars, parts = "*", None if items is None else items.elts[:-1]
    else:
        items = _parsed("{" + code + ",0:0}")
        stars, parts = "**", None if items is None else [*items.keys[:-1], *items.values[:-1]]
        if items is None:
            items = _parsed("{" + code + ",0}")
            stars, parts = "*", None if items is None else items.elts[:-1]
    if parts is None or not all(map(_is_data, parts)):
        return None
    count = len(parts) // 2 if stars == "**" else len(parts)
    kinds = {_kind(part) for part in parts} if stars == "*" else {""}
    return Run(kinds.pop() if len(kinds) == 1 else "", count), stars


def _parsed(code: str) -> Any:
    """The expression in ``code``, which is short; None where there is a mistake in it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(code, "<text>", "eval", _ONLY_AST, dont_inherit=True).body
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _is_data(node: Any) -> bool:
    """Whether an item is a constant, or a display of such items."""
    kind = type(node)
    if kind is tree.Constant:
        return True
    if kind in (tree.List, tree.Tuple, tree.Set):
        return all(map(_is_data, node.elts))
    if kind is tree.Dict:
        # The key of what has two stars is None; the value is then a run, or an object that nobody knows.
        return all(
            _is_data(key) if key is not None else _is_run(value) for key, value in zip(node.keys, node.values)
        ) and all(map(_is_data, node.values))
    if kind is tree.Starred:
        return _is_run(node.value)
    if kind is tree.BinOp:  # `1 + 2j`
        return _is_number(node.left) and _is_number(node.right)
    return kind is tree.UnaryOp and _is_number(node.operand)


def _is_number(node: Any) -> bool:
    if type(node) is tree.UnaryOp:
        node = node.operand
    return type(node) is tree.Constant and type(node.value) in _NUMBERS


def _is_run(node: Any) -> bool:
    return type(node) is tree.Constant and run_of(node.value) is not None


def _kind(node: Any) -> str:
    if type(node) is tree.UnaryOp and type(node.op) in (tree.USub, tree.UAdd):
        node = node.operand
    return _KINDS.get(type(node.value), "") if type(node) is tree.Constant else ""


def _without(text: str, start: int, end: int, pieces: list[_Piece], brief: bool = False) -> str:
    """A part of the text with the pieces in it replaced by strings: of equal length, or short."""
    parts: list[str] = []
    for piece in pieces:
        parts += text[start : piece.start], _stand_in(text, piece, brief)
        start = piece.end
    return "".join(parts) + text[start:end] if parts else text[start:end]


def _stand_in(text: str, piece: _Piece, brief: bool) -> str:
    head = f"{piece.stars}'''{_MARK}{piece.run.length}|{piece.run.kind}|"
    if brief:
        return head + "'''"
    written = text[piece.start : piece.end].replace("\r\n", " \n").replace("\r", "\n")
    above = written.count("\n", 0, len(head)) + written.count("\n", len(written) - 3)
    rest = re.sub(r"[^\n]", " ", written[len(head) : -3])
    return head + rest.replace(" ", "\n", above) + "'''"
