"""What can be known of a text without parsing it: where its strings and comments are, and whether
the parser can survive it.

libCST parses by recursive descent in native code, where running out of stack ends the process: some
1,500 nested brackets or 8,000 terms of one sum do. The time a chain of calls takes grows with the
square of its length. ``find_excess`` therefore measures a text first. Nearly every text is cleared
by an upper bound that costs a few per cent of a parse; only what the bound cannot clear is measured
token by token.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

MAX_BRACKETS = 200
"""Brackets that may be open at once. CPython's own tokenizer refuses more."""

MAX_DEPTH = 1000
"""How many operations may stand in one another in one expression, and branches in one ``if``.

The parser dies from some 7,000 on, and takes up to 20 seconds for 3,000, where CPython gives up.
Strings that stand side by side do not count: the parser itself refuses more than 3,000 of them.
"""

MAX_FORMATS = 100
"""How deep f-strings may nest. CPython refuses more than 150."""

MAX_DIGITS = 4300
"""How many decimal digits an integer may have. CPython refuses more, as converting them is quadratic."""

MAX_PATTERN = 8
"""How many brackets may be open at once in a `case`. The parser takes three times as long for each, and a second for ten."""

_LONG_NUMBER = re.compile(rf"(?<![\w.])\d[\d_]{{{MAX_DIGITS},}}(?![\w.])")
_FOR_TOOLS = re.compile(r"# *(type: *ignore|noqa|(pylint|pyright|mypy|ruff): *)")
_CASE = re.compile(r"^[ \t]*case\b[ \t]*(?=[\w({\[\"'*-])", re.MULTILINE)
_SKIP = (
    r"#[^\r\n]*"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*"'
    r"|'[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*'"
)
_STRING_OR_COMMENT = re.compile(_SKIP, re.DOTALL)

# A line that starts with one of these starts a statement wherever it stands outside a string: none
# of them can start a line inside brackets.
_STATEMENT = re.compile(
    r"^[ \t]*(?:async[ \t]+def|def|class|return|import|while|raise|del|try|except|pass|assert|with)\b", re.MULTILINE
)

# Tokens that can make the tree one level deeper, with how tightly they bind. An operation encloses
# those that bind more tightly, so what those have counted ends where it is repeated.
_TIGHTNESS = {"or": 1, "and": 2, "not": 3, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "~": 11, "**": 12}
_TIGHTNESS.update(dict.fromkeys(("lambda", "if", "else", "for", "elif", ":=", "->"), 0))
_TIGHTNESS.update(dict.fromkeys(("in", "is", "<", ">", "==", "!=", "<=", ">="), 4))
_TIGHTNESS.update(dict.fromkeys(("*", "/", "//", "%", "@"), 10))
_UNARY, _TRAILER = 11, 13  # a trailer: a call, a subscript, an attribute
_WORDS = r"\b(?:and|or|not|in|is|if|else|lambda|await|for|elif)\b"
_OPERATORS = r"\*\*|//|<<|>>|->|:=|[<>=!]=|[-+*/%@&|^~<>]"
_DEEPER = re.compile(rf"[\[({{.]|{_OPERATORS}|{_WORDS}")
_TOKEN = re.compile(rf"{_SKIP}|[\[\](){{}},;.\n\r]|\\(?:\r\n|[\r\n])|{_OPERATORS}|{_WORDS}", re.DOTALL)
_PATTERN_PART = re.compile(rf"{_SKIP}|[\[\](){{}}:\n\r]", re.DOTALL)
_LITERAL_PART = re.compile(r"\\N\{[^}]*\}|\\(?:\r\n|[^{}])|[{}\"'\r\n]", re.DOTALL)
_FIELD_PART = re.compile(rf"{_SKIP}|!=|[\[\](){{}}:\"']", re.DOTALL)


class _TooDeep(Exception):
    """Carries the offset and the message of the first excess."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


def strings_and_comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind ("string", "format" or "comment") of every string literal and comment.

    Prefixes of strings are left out of the span. Strings inside a replacement field of an f-string
    belong to that literal. An unterminated string is passed over.
    """
    for start, end, kind, _ in _literals(text):
        yield start, end, kind


def without_literals(text: str) -> str:
    """The text with blanks in place of every string literal and comment, line breaks within them too."""
    code, done = [], 0
    for start, end, _ in strings_and_comments(text):
        code += [text[done:start], " " * (end - start)]
        done = end
    return "".join([*code, text[done:]])


def format_fields(text: str) -> Iterator[str]:
    """What stands in the replacement fields of all f-strings, format specs left out; an inner one after its outer one."""
    for _, _, _, fields in _literals(text):
        yield from (text[left:right] for left, right in sorted(fields))


def _literals(text: str) -> Iterator[tuple[int, int, str, Collection[tuple[int, int]]]]:
    """As ``strings_and_comments``, with the spans of the replacement fields of f-strings."""
    position = 0
    while True:
        match = _STRING_OR_COMMENT.search(text, position)
        if match is None:
            return
        start, position = match.span()
        if text[start] == "#":
            yield start, position, "comment", ()
        elif _is_format(text, start):
            position, fields = _format(text, start)
            yield start, position, "format", fields
        else:
            yield start, position, "string", ()


def find_excess(text: str) -> tuple[int, str] | None:
    """Offset and message of the first thing that cannot be parsed safely; None if there is none."""
    nul = text.find("\0")
    if nul >= 0:
        return nul, "the source holds a NUL byte; remove it, or check that this is Python source"
    if text.startswith("\ufeff"):
        return 0, "the source starts with two byte order marks; remove one"
    number = _long_number(text)
    if number is not None:
        return number, f"a number of more than {MAX_DIGITS} digits, which Python refuses; write it in hexadecimal"
    pattern = _deep_pattern(text)
    if pattern is not None:
        return pattern, f"more than {MAX_PATTERN} brackets are open at once in a `case`; match in several steps"
    if _is_shallow(text):
        return None
    try:
        _measure(text, 0, len(text), opened=0, formats=0)
    except _TooDeep as excess:
        return excess.offset, excess.message
    return None


def _long_number(text: str) -> int | None:
    """Offset of the first integer that is too long to be converted."""
    for match in _LONG_NUMBER.finditer(text):
        if len(match[0].replace("_", "")) > MAX_DIGITS:
            at = match.start()
            if not any(start <= at < end for start, end, _ in strings_and_comments(text)):
                return at
    return None


def _deep_pattern(text: str) -> int | None:
    """Offset of the first `case` with brackets that are nested too deeply."""
    if "case" not in text or "match" not in text:
        return None
    for case in _CASE.finditer(text):
        opened = 0
        for part in _PATTERN_PART.finditer(text, case.end()):
            first = part[0][0]
            opened += (first in "([{") - (first in ")]}")
            if opened > MAX_PATTERN:
                if any(start <= case.start() < end for start, end, _ in strings_and_comments(text)):
                    break
                return case.start()
            if opened <= 0 and first in ":\n\r":
                break
    return None


def _is_shallow(text: str) -> bool:
    """Whether no statement holds enough tokens to exceed the limits, however they are nested."""
    nested_quotes = False

    def shorten(match: re.Match[str]) -> str:
        nonlocal nested_quotes
        literal = match[0]
        if literal[0] == "#":
            return ""
        if _is_format(text, match.start()):
            if literal.count("{") != literal.count("}"):
                # Quotes of the literal's own kind inside it: the expression cannot see its end.
                nested_quotes = True
            return literal
        return '"'

    short = _STRING_OR_COMMENT.sub(shorten, text)
    if nested_quotes or short.count("elif") > MAX_DEPTH:
        return False
    for statement in _STATEMENT.split(short):
        if len(statement) > MAX_BRACKETS:
            brackets = statement.count("(") + statement.count("[") + statement.count("{")
            if brackets > MAX_BRACKETS:
                return False
            if len(statement) > MAX_DEPTH and len(_DEEPER.findall(statement)) > MAX_DEPTH:
                return False
    return True


class _Level:
    """What stands between two brackets, or between the ends of a statement, so far.

    ``counts`` are the operators by tightness, each of which encloses what binds more tightly;
    ``operands`` the deepest operand they enclose; ``deepest`` the deepest of the parts that commas
    separate.
    """

    __slots__ = ("start", "counts", "operands", "deepest")

    def __init__(self, start: int) -> None:
        self.start = start
        self.deepest = 0
        self.clear()

    def clear(self) -> None:
        self.counts = [0] * (_TRAILER + 1)
        self.operands = [0] * (_TRAILER + 1)

    def prefix(self, tightness: int) -> None:
        """An operator in front of its operand ends nothing: `a ** -b ** c` has three operations."""
        self.counts[tightness] += 1

    def operator(self, tightness: int) -> None:
        self.operands[tightness] = max(self.operands[tightness], self._depth(tightness + 1))
        self.counts[tightness] += 1
        rest = _TRAILER - tightness
        if rest:
            self.counts[-rest:] = self.operands[-rest:] = [0] * rest

    def operand(self, depth: int) -> None:
        self.operands[_TRAILER] = max(self.operands[_TRAILER], depth)

    def separate(self) -> int:
        """End the part; gives the depth of the deepest one. Raises _TooDeep."""
        self.deepest = max(self.deepest, self._depth(0))
        if self.deepest > MAX_DEPTH:
            message = f"more than {MAX_DEPTH} operations nest in one another; split the expression"
            raise _TooDeep(self.start, message)
        self.clear()
        return self.deepest

    def _depth(self, loosest: int) -> int:
        depth = 0
        for tightness in range(_TRAILER, loosest - 1, -1):
            depth = max(depth, self.operands[tightness]) + self.counts[tightness]
        return depth


def _measure(text: str, position: int, end: int, opened: int, formats: int) -> int:
    """Depth of the deepest expression of a text, or of a field inside ``formats`` f-strings.

    ``opened`` brackets are open around it. Raises _TooDeep where a limit is exceeded.
    """
    level = _Level(position)
    levels: list[_Level] = []
    deepest = branches = 0
    after_operand = False
    while True:
        match = _TOKEN.search(text, position, end)
        start, stop = match.span() if match else (end, end)
        first = text[start] if match else "\n"
        after_operand = after_operand or bool(text[position:start].strip())
        position = stop
        if first in "([{":
            levels.append(level)
            level = _Level(start)
            if opened + len(levels) > MAX_BRACKETS:
                raise _TooDeep(start, f"more than {MAX_BRACKETS} brackets are open at once; split the expression")
            after_operand = False
        elif first in ")]}" or not match:
            # A text that ends inside brackets is refused by the parser, but not before it has read all.
            depth = level.separate()
            if levels:
                level = levels.pop()
                level.operator(_TRAILER)
                level.operand(depth)
            elif not match:
                return max(deepest, depth)
            after_operand = True
        elif first in ",;\n\r":
            if first == "," or not levels:
                deepest = max(deepest, level.separate())
                if first != ",":
                    level = _Level(stop)
                after_operand = False
        elif first in "\"'":
            if _is_format(text, start):
                if formats >= MAX_FORMATS:
                    raise _TooDeep(start, f"more than {MAX_FORMATS} f-strings nest; name the inner ones")
                position, fields = _format(text, start, formats)
                for left, right in fields:
                    level.operand(_measure(text, left, right, opened + len(levels) + 1, formats + 1))
            after_operand = True
        elif match and first not in "#\\":
            token = match[0]
            if token == "elif":
                branches += 1
                if branches > MAX_DEPTH:
                    raise _TooDeep(start, f"more than {MAX_DEPTH} `elif`; use a dictionary, or split the function")
            tightness = _TIGHTNESS.get(token, _TRAILER)
            if after_operand:
                level.operator(tightness)
            else:
                level.prefix(_UNARY if token in "+-" else tightness)
            after_operand = False


def _prefix(text: str, start: int) -> str:
    """The prefix in front of the quote at ``start``, in lower case; empty if it has none."""
    left = start
    while left > 0 and (text[left - 1].isalnum() or text[left - 1] == "_"):
        left -= 1
        if start - left > 2:
            return ""  # a name such as `elif`, which the quote follows directly
    return text[left:start].lower()


def _is_format(text: str, start: int) -> bool:
    return start > 0 and text[start - 1] in "fFtTrR" and _prefix(text, start) in ("f", "fr", "rf", "t", "tr", "rt")


def _format(text: str, start: int, nesting: int = 0) -> tuple[int, list[tuple[int, int]]]:
    """End of the f-string whose quote is at ``start``, and the spans of its replacement fields."""
    quote = text[start : start + 3] if text.startswith(text[start] * 3, start) else text[start]
    fields: list[tuple[int, int]] = []
    raw = "r" in _prefix(text, start)
    return _literal(text, start + len(quote), quote, raw, fields, nesting, in_spec=False), fields


def _literal(
    text: str, position: int, quote: str, raw: bool, fields: list[tuple[int, int]], nesting: int, in_spec: bool
) -> int:
    """Offset behind the quote that ends an f-string, or of the `}` that ends a format spec."""
    while True:
        match = _LITERAL_PART.search(text, position)
        if match is None:
            return len(text)
        start, position = match.span()
        first = text[start]
        if first == "\\":
            if raw and match[0].startswith("\\N{"):
                position = start + 2
        elif first == "{":
            if text.startswith("{", position) and not in_spec:
                position += 1
            else:
                position = _field(text, position, quote, raw, fields, nesting)
        elif first == "}":
            if in_spec:
                return start
        elif text.startswith(quote, start):
            return start if in_spec else start + len(quote)
        elif first in "\r\n" and len(quote) == 1:
            return start  # unterminated
    raise AssertionError


def _field(text: str, position: int, quote: str, raw: bool, fields: list[tuple[int, int]], nesting: int) -> int:
    """Offset behind the `}` of the replacement field whose contents start at ``position``."""
    if nesting > MAX_FORMATS:
        raise _TooDeep(position, f"more than {MAX_FORMATS} f-strings nest; name the inner ones")
    begin = position
    brackets = 0
    while True:
        match = _FIELD_PART.search(text, position)
        if match is None:
            return len(text)
        start, position = match.span()
        first = text[start]
        if first in "([{":
            brackets += 1
        elif first == "}" and not brackets:
            fields.append((begin, start))
            return position
        elif first in ")]}":
            brackets -= 1
        elif first == ":" and not brackets:
            fields.append((begin, start))
            end = _literal(text, position, quote, raw, fields, nesting + 1, in_spec=True)
            return end + 1 if text.startswith("}", end) else end
        elif first in "\"'" and _is_format(text, start):
            position, _ = _format(text, start, nesting + 1)


def comments(text: str) -> list[str]:
    """The comments of a piece of source, in order: a ``#`` in a string literal begins none."""
    if "#" not in text:
        return []
    return [text[start:end] for start, end, kind in strings_and_comments(text) if kind == "comment"]


def has_comment(text: str) -> bool:
    """Whether a piece of source holds a comment."""
    return bool(comments(text))


def loses_comment(old: str, new: str) -> bool:
    """Whether a comment in ``old`` is missing from ``new``. Those that are for tools go with the last of their code."""
    from collections import Counter

    lost = Counter(comments(old)) - Counter(comments(new))
    return any(new.strip() or not _FOR_TOOLS.match(each) for each in lost)
