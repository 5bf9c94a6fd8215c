"""What a file's comments can say to the analysis: where cells begin, what is meant to raise, which keys are shared.

For the rest, comments are white space, and a text without such a comment can be read by a parser that drops them.
"""

from __future__ import annotations

import io
import re
import tokenize
from typing import Optional

from jaxlint.cells import begins_cell
from jaxlint.semantics.remarks import mentions_shared

# `f(1.0)  # raises TypeError`, `# Error!`, `# -> TracerBoolConversionError: …`, `# this fails`
_RAISES = re.compile(
    r"#+\W*((this|it|will|would|should|must|expected to)\s+)*"
    r"((raises?|throws?|fails?)\b(?!\s+(if|when|unless|on)\b)|error\s*([!:.]|$)|([\w.]+\.)?[a-z]+error\s*([!:.(]|$))",
    re.IGNORECASE,
)
_HINT = re.compile(r"rais|throw|fail|error", re.IGNORECASE)  # in each of them
_FROM_HASH = re.compile(r"#[^\r\n]*")


def says_raises(comment: str) -> bool:
    """Whether a comment, its `#` included, says that the statement beside it raises."""
    return _HINT.search(comment) is not None and _RAISES.match(comment) is not None


Lines = dict[tuple[int, int], int]


def raising_lines(text: str) -> Optional[Lines]:
    """Where lines begin at whose end a comment says that they raise, by row and column, each with the row of its end.

    None where comments say something else that is listened to, or where the text cannot be told apart from its comments.
    """
    if not _may_say_something(text):
        return {}
    if "\r" in text.replace("\r\n", ""):
        return None
    found: Lines = {}
    begin: Optional[tuple[int, int]] = None  # of the line at hand, which may go on over rows
    comments, last = [], ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments.append(token.string)
                if begin is None and begins_cell(token.string):
                    return None
                last = token.string
                continue
            if token.type == tokenize.NEWLINE:
                if begin is not None and says_raises(last):
                    found[begin] = token.start[0]
                begin = None
            elif begin is None and token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                begin = token.start
            last = ""
    except (tokenize.TokenError, SyntaxError):
        return None
    return None if mentions_shared(comments) else found


def _may_say_something(text: str) -> bool:
    """Whether a file has a comment that the analysis listens to, or a string that looks like one."""
    lines = []  # from the first # of a line on, be it in a string
    for match in _FROM_HASH.finditer(text):
        line, at = match[0], match.start()
        before = text[text.rfind("\n", 0, at) + 1 : at]
        alone = not before or before.isspace()
        if begins_cell(line) if alone else says_raises(line):
            return True
        if "\r" in before and begins_cell(line):
            return True
        at = line.find("#", 1)
        while at > 0 and _HINT.search(line, at):
            if says_raises(line[at:]):
                return True
            at = line.find("#", at + 1)
        lines.append(line)
    return mentions_shared(lines)
