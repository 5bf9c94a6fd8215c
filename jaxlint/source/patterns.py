"""Patterns of gitignore, matched in time linear in the length of the pattern times that of the path.

Nothing backtracks. Between its stars a pattern has pieces of a fixed length, and the first place where a piece
occurs is as good as any later one: what follows has the more room. The same holds of the folders between ``**``.

A character is a code point (Git counts bytes), and case counts.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

_ANY = r"[\s\S]"
_NOTHING = r"[^\s\S]"
_NAMED = re.compile(r"\[:([^\]]{0,10}):\]")
_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": r"\t ", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9", "graph": "!-~",
    "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r"\t-\r ", "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip


class PatternError(ValueError):
    """A text that is not a pattern of gitignore: nothing could match it."""


class _Character(NamedTuple):
    """One character of a pattern that stands for several: an expression for it."""

    regex: str


_Token = str | _Character | None  # a character, several to choose from, or a star
_Fits = Callable[[str], bool]


class _Piece:
    """What stands between two stars: as many characters as it matches."""

    __slots__ = ("size", "text", "_regex")

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.size = len(tokens)
        self.text = _literal(tokens)
        self._regex = None if self.text is not None else re.compile("".join(map(_regex, tokens)))

    def at(self, name: str, start: int) -> bool:
        """Whether the piece stands in ``name`` at ``start``."""
        if self._regex is None:
            return name.startswith(self.text or "", start)
        return self._regex.match(name, start) is not None

    def find(self, name: str, start: int, end: int) -> int:
        """Where the piece stands first in ``name[start:end]``; -1 where it does not."""
        if self._regex is None:
            return name.find(self.text or "", start, end)
        found = self._regex.search(name, start, end)
        return -1 if found is None else found.start()


def _literal(tokens: Sequence[_Token]) -> str | None:
    """The text that tokens are; None where they stand for several."""
    return "".join(map(str, tokens)) if all(isinstance(token, str) for token in tokens) else None


def _regex(token: _Token) -> str:
    return token.regex if isinstance(token, _Character) else re.escape(str(token))


class _Glob:
    """The pattern of one name with stars in it: pieces with anything between them."""

    __slots__ = ("_head", "_middle", "_tail", "_shortest")

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._head, *middle, self._tail = pieces
        self._middle = [piece for piece in middle if piece.size]
        self._shortest = sum(piece.size for piece in pieces)

    def fits(self, name: str) -> bool:
        start, end = self._head.size, len(name) - self._tail.size
        if len(name) < self._shortest or not self._head.at(name, 0) or not self._tail.at(name, end):
            return False
        for piece in self._middle:
            found = piece.find(name, start, end)
            if found < 0:
                return False
            start = found + piece.size
        return True


def _everything(_: str) -> bool:
    return True


def _fits(tokens: Sequence[_Token]) -> _Fits:
    """Whether a name is one that the tokens stand for."""
    text = _literal(tokens)
    if text is not None:
        return text.__eq__
    pieces, last = list[_Piece](), 0
    for at, token in enumerate((*tokens, None)):
        if token is None:
            pieces.append(_Piece(tokens[last:at]))
            last = at + 1
    head, tail = pieces[0], pieces[-1]
    if len(pieces) == 1:
        return lambda name: len(name) == head.size and head.at(name, 0)
    glob = _Glob(pieces)
    if not any(piece.size for piece in pieces[1:-1]):
        # What most patterns are, as calls without a frame.
        if tail.text and not head.size:
            return operator.methodcaller("endswith", tail.text)
        if head.text and not tail.size:
            return operator.methodcaller("startswith", head.text)
    return glob.fits


class Pattern:
    """One line of a gitignore file.

    ``runs`` are the names between its ``**``, each with what fits it; one run of one name is a pattern of names in
    any folder where ``anywhere``. ``text`` is the path that it is where it stands for a single one.
    """

    __slots__ = ("line", "negated", "folders_only", "anywhere", "text", "runs")

    def __init__(self, line: str, body: str) -> None:
        """``body`` is the line without blanks at its end. Raises PatternError."""
        self.line = line
        self.negated = body.startswith("!")
        body = body[self.negated :]
        self.folders_only = body.endswith("/")
        body = body[: -1 if self.folders_only else None]
        names = _names(body)
        self.anywhere = "/" not in body  # one between brackets counts as well, as in Git
        if body.startswith("/"):
            del names[0]  # the slash only says where the pattern begins
        if not all(names):
            raise PatternError(line)  # no name is empty
        self.text = _path(names)
        self.runs = _runs(names, self.anywhere)

    def levels(self, names: Sequence[str]) -> Iterator[int]:
        """The number of each folder that leads to the path, from the outside in, and of itself, that is matched."""
        last = self.runs[-1]
        if self.anywhere:
            yield from (level for level, name in enumerate(names) if last[0](name))
            return
        ends = range(self._earliest(names), len(names) - len(last) + 1)
        for start in ends if len(self.runs) > 1 else ends[:1]:
            if _stand(last, names, start):
                yield start + len(last) - 1

    def fits(self, path: str) -> bool:
        """Whether the path itself is matched, whatever is said of the folders that lead to it."""
        last, names = self.runs[-1], path.split("/")
        start = len(names) - len(last)
        if not self.anywhere and (start < 0 or (start > 0 and len(self.runs) == 1)):
            return False
        return _stand(last, names, start) and (self.anywhere or self._earliest(names) <= start)

    def _earliest(self, names: Sequence[str]) -> int:
        """Where the last run can begin, since those before it have their places; behind all names if one has none."""
        start = 0
        for number, run in enumerate(self.runs[:-1]):
            found = range(start, start + 1 if number == 0 else len(names))
            start = next((at for at in found if _stand(run, names, at)), len(names)) + len(run)
        return start


def _stand(run: Sequence[_Fits], names: Sequence[str], start: int) -> bool:
    """Whether the names of a run are those that follow from ``start``."""
    if start > len(names) - len(run):
        return False
    return all(fits(names[at]) for at, fits in enumerate(run, start))


def _runs(names: Sequence[Sequence[_Token]], anywhere: bool) -> list[list[_Fits]]:
    """The names between ``**``; at the end it stands for all that is inside."""
    runs: list[list[_Fits]] = [[]]
    for name in names:
        if anywhere or not _is_starred(name):
            runs[-1].append(_fits(name))
        elif runs[-1] or len(runs) == 1:
            runs.append([])
    if not runs[-1]:
        runs[-1].append(_everything)
    return runs


def _is_starred(name: Sequence[_Token]) -> bool:
    """Whether a name is ``**``, which stands for any number of folders."""
    return len(name) > 1 and all(token is None for token in name)


def _path(names: Sequence[Sequence[_Token]]) -> str | None:
    """The only path that names stand for; None where they stand for several."""
    texts = [text for text in map(_literal, names) if text is not None]
    return "/".join(texts) if len(texts) == len(names) else None


def _names(body: str) -> list[list[_Token]]:
    """The names of a pattern, each in tokens. Raises PatternError."""
    names: list[list[_Token]] = [[]]
    at = 0
    while at < len(body):
        character = body[at]
        at += 1
        if character == "\\":
            if at == len(body):
                raise PatternError(body)
            character, at = body[at], at + 1
            names.append([]) if character == "/" else names[-1].append(character)
        elif character == "/":
            names.append([])
        elif character == "*":
            names[-1].append(None)
        elif character == "?":
            names[-1].append(_Character(_ANY))
        elif character == "[":
            expression, at = _bracket(body, at)
            names[-1].append(_Character(expression))
        else:
            names[-1].append(character)
    return names


def _bracket(body: str, at: int) -> tuple[str, int]:
    """An expression for the characters in brackets, which were opened before ``at``, and where they end.

    Raises PatternError.
    """
    negated = body[at : at + 1] in ("!", "^")
    at += negated
    parts: list[str] = []
    before: str | None = None  # the character that a range can begin with
    first = True
    while first or body[at : at + 1] != "]":
        first = False
        named = _NAMED.match(body, at)
        if named:
            if named[1] not in _CLASSES:
                raise PatternError(body)
            parts.append(_CLASSES[named[1]])
            before, at = None, named.end()
            continue
        is_range = body[at : at + 1] == "-" and before is not None and body[at + 1 : at + 2] not in ("]", "")
        at += is_range
        at += body[at : at + 1] == "\\"
        if at >= len(body):
            raise PatternError(body)  # the bracket is never closed
        character = body[at]
        at += 1
        if not is_range:
            parts.append(re.escape(character))
            before = character
        else:
            assert before is not None
            if before <= character:
                parts.append(f"{re.escape(before)}-{re.escape(character)}")
            before = None
    if not parts:
        return (_ANY if negated else _NOTHING), at + 1
    return f"[{'^' if negated else ''}{''.join(parts)}]", at + 1


def parse(line: str) -> Pattern | None:
    """The pattern of a line; None for a comment and an empty line. Raises PatternError."""
    body = line.rstrip(" ")
    if body != line and (len(body) - len(body.rstrip("\\"))) % 2:
        body += " "  # which a backslash keeps
    return None if not body or body.startswith("#") else Pattern(line, body)


class Patterns:
    """Patterns in their order: of those that match a path, the last one decides."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._patterns = tuple(patterns)
        # Most patterns are names, or paths without a star; each of these is looked up among all of its kind at once.
        self._names: tuple[dict[str, int], dict[str, int]] = {}, {}  # of files and folders; of folders alone
        self._paths: tuple[dict[str, int], dict[str, int]] = {}, {}
        self._globs: list[tuple[int, bool, _Fits]] = []  # of names, the last one first
        self._rooted: list[tuple[int, Pattern]] = []
        for index in range(len(self._patterns) - 1, -1, -1):
            pattern = self._patterns[index]
            if pattern.text is not None:
                (self._names if pattern.anywhere else self._paths)[pattern.folders_only].setdefault(pattern.text, index)
            elif pattern.anywhere:
                self._globs.append((index, pattern.folders_only, pattern.runs[0][0]))
            else:
                self._rooted.append((index, pattern))

    @classmethod
    def of(cls, lines: Iterable[str]) -> Patterns:
        """The patterns of lines that are all to be understood. Raises PatternError."""
        return cls(pattern for pattern in map(parse, lines) if pattern is not None)

    @classmethod
    def of_file(cls, text: str) -> Patterns:
        """The patterns of a file. Lines that are none are left out, as Git does."""
        patterns = []
        for line in text.removeprefix("\ufeff").split("\n"):
            try:
                pattern = parse(line.removesuffix("\r"))
            except PatternError:
                continue
            if pattern is not None:
                patterns.append(pattern)
        return cls(patterns)

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """What is said of the path itself. True: it matches; False: ``!`` takes it back; None: it is not mentioned."""
        best = self._of_name(path[path.rfind("/") + 1 :], is_folder)
        for kind in (0, 1) if is_folder else (0,):
            if self._paths[kind]:
                best = max(best, self._paths[kind].get(path, -1))
        for index, pattern in self._rooted:
            if index <= best:
                break
            if (is_folder or not pattern.folders_only) and pattern.fits(path):
                best = index
                break
        return self._said(best)

    def verdicts(self, path: str, is_folder: bool) -> list[bool | None]:
        """The verdict on each folder that leads to the path, from the outside in, and on itself."""
        return [self._said(best) for best in self._levels(path, is_folder)]

    def match(self, path: str) -> bool:
        """Whether the last pattern that matches a file or a folder that leads to it is without ``!``."""
        names = [name for name in path.split("/") if name]
        return self._said(max(self._levels("/".join(names), False), default=-1)) is True

    def without(self, folder: str) -> Patterns:
        """These patterns, less those that match a folder or one that leads to it."""
        names = folder.split("/")
        kept = [each for each in self._patterns if each.negated or next(each.levels(names), None) is None]
        return self if len(kept) == len(self._patterns) else Patterns(kept)

    def _said(self, index: int) -> bool | None:
        return None if index < 0 else not self._patterns[index].negated

    def _of_name(self, name: str, is_folder: bool) -> int:
        """The number of the last pattern of names that a name fits; -1 where there is none."""
        best = self._names[0].get(name, -1)
        if is_folder:
            best = max(best, self._names[1].get(name, -1))
        for index, folders_only, fits in self._globs:
            if index <= best:
                break
            if (is_folder or not folders_only) and fits(name):
                return index
        return best

    def _levels(self, path: str, is_folder: bool) -> list[int]:
        """For each folder that leads to the path, and itself, the number of the last pattern that matches it."""
        names = path.split("/")
        last = len(names) - 1
        best = [self._of_name(name, level < last or is_folder) for level, name in enumerate(names)]
        for index, pattern in enumerate(self._patterns):
            for level in () if pattern.anywhere else pattern.levels(names):
                if level < last or is_folder or not pattern.folders_only:
                    best[level] = max(best[level], index)
        return best
