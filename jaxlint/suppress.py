"""Comments that silence findings.

``# noqa``, ``# noqa: JAX103`` and ``# flake8: noqa`` count as flake8 counts them, except that they must
be comments: flake8 reads them inside strings as well. Names of rules go into comments of our own,
because flake8 takes ``# noqa: some-name`` for a bare ``# noqa``::

    if x > 0:  # jaxlint: disable=branch-on-tracer
    # jaxlint: disable-next=branch-on-tracer,JAX104
    # jaxlint: disable-file=branch-on-tracer
    # jaxlint: disable=branch-on-tracer        (on a line of its own: from here ...
    # jaxlint: enable=branch-on-tracer          ... to here, or to the end of the file)

What follows the list, after a space, is free text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

from jaxlint import rules
from jaxlint.diagnostic import Diagnostic, Edit, Position
from jaxlint.prescan import strings_and_comments
from jaxlint.source import Source

_NOQA = re.compile(r"# noqa(?::\s?(?P<codes>[a-z]+[0-9]+(?:[,\s]*[a-z]+[0-9]+)*))?", re.IGNORECASE)
_NOQA_FILE = re.compile(r"# flake8[:=]\s*noqa(?::\s?(?P<codes>[a-z]+[0-9]+(?:[,\s]*[a-z]+[0-9]+)*))?", re.IGNORECASE)
_OURS = re.compile(r"#\s*jaxlint\s*:\s*(?P<rest>.*)", re.IGNORECASE)
_DIRECTIVE = re.compile(r"(?P<verb>[a-z-]+)(?:\s*=\s*(?P<names>[\w-]+(?:\s*,\s*[\w-]+)*)?)?", re.IGNORECASE)
_CONTINUED = re.compile(r"\\(?:\r\n?|\n)")

_VERBS = ("disable", "disable-next", "disable-file", "enable")
_TO_THE_END = 1 << 60  # a row that no file has

# Silencing what the tool says about itself would hide that findings may be missing.
_NEVER_COVERED = ("JAX902", "JAX903")


@dataclass
class Directive:
    """One comment that silences findings in the rows ``first`` to ``last``.

    ``prefixes`` are beginnings of codes, in upper case; None stands for all. ``used`` collects the
    codes that the comment did silence. ``whole`` is where in the text the directive stands, less the free text
    around it, and ``names`` are the codes or names it lists; of one of ours ``name`` is the one it is about.
    ``ended`` is the comment that ends a block.
    """

    start: Position
    end: Position
    text: str
    first: int
    last: int
    prefixes: Optional[tuple[str, ...]]
    used: set[str] = field(default_factory=set)
    whole: tuple[int, int] = (0, 0)
    names: tuple[tuple[int, int], ...] = ()
    name: Optional[int] = None
    ended: Optional[tuple[int, int]] = None

    def covers(self, code: str, rows: range) -> bool:
        if rows.stop <= self.first or self.last < rows.start:
            return False
        return self.prefixes is None or code.startswith(self.prefixes)


@dataclass(frozen=True)
class DirectiveProblem:
    """A comment of ours that says nothing that can be obeyed."""

    start: Position
    end: Position
    message: str


class Silenced(NamedTuple):
    """What a comment in an imported module silences: the row on which the comment is looked for, and the code."""

    filename: str
    row: int
    code: str


class Suppressions:
    """The silencing comments of one file."""

    def __init__(self) -> None:
        self.directives: list[Directive] = []
        self.problems: list[DirectiveProblem] = []
        self._joined: list[range] = []  # rows that flake8 takes for one line, where there are several

    @classmethod
    def parse(cls, source: Source, *, noqa: bool = True) -> "Suppressions":
        """The suppressions of a source, which need not be valid Python.

        Without ``noqa`` only our own comments count: flake8 sees to ``# noqa`` itself.
        """
        found = cls()
        lowered = source.text.lower()
        if (noqa and "noqa" in lowered) or "jaxlint" in lowered:
            _Reader(source, found, noqa).read()
        return found

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether a comment silences the diagnostic; the comments that do are marked as used."""
        if not self.directives or diagnostic.code in _NEVER_COVERED:
            return False
        row = diagnostic.noqa_row or diagnostic.start.row
        rows = self.line_with(row)
        covered = False
        for directive in self.directives:
            if directive.covers(diagnostic.code, rows):
                directive.used.add(diagnostic.code)
                covered = True
        return covered

    def line_with(self, row: int) -> range:
        """The rows that flake8 takes for one line, of which a comment silences all."""
        index = bisect_right(self._joined, row, key=lambda rows: rows.start) - 1
        if index >= 0 and row in self._joined[index]:
            return self._joined[index]
        return range(row, row + 1)


def silencing_edit(source: Source, diagnostic: Diagnostic) -> Optional[Edit]:
    """The edit that adds a ``# noqa`` for a diagnostic; None for what no comment can silence."""
    if diagnostic.code.startswith("JAX9"):
        return None
    comments = Suppressions()
    _Reader(source, comments, True).read()
    row = comments.line_with(diagnostic.noqa_row or diagnostic.start.row).stop - 1
    line = Source.line(source, row)
    start = source.offset(Position(row, 1))
    listed = _NOQA.search(line)
    if listed is not None and any(each.first == row == each.last and each.prefixes for each in comments.directives):
        return Edit(start + listed.end(), start + listed.end(), f", {diagnostic.code}")
    return Edit(start + len(line.rstrip()), start + len(line), f"  # noqa: {diagnostic.code}")


class _Reader:
    """Finds the comments of one file and says which rows each of them governs."""

    def __init__(self, source: Source, found: Suppressions, noqa: bool) -> None:
        self.source = source
        self.found = found
        self.noqa = noqa
        self.last_row = source.position(len(source.text)).row
        self.open: list[tuple[Directive, str]] = []  # blocks that no `enable` has ended, with their selector

    def read(self) -> None:
        text = self.source.text
        comments: list[tuple[int, int]] = []
        joins: list[tuple[int, int]] = []
        code_from = 0
        for start, end, kind in strings_and_comments(text):
            joins += (match.span() for match in _CONTINUED.finditer(text, code_from, start))
            code_from = end
            if kind == "comment":
                comments.append((start, end))
            elif "\n" in text[start:end] or "\r" in text[start:end]:
                joins.append((start, end))
        joins += (match.span() for match in _CONTINUED.finditer(text, code_from))
        self.found._joined = self._merged(joins)
        for start, end in comments:
            self._comment(start, end)

    def _merged(self, spans: list[tuple[int, int]]) -> list[range]:
        """Rows that the spans hold together, in order."""
        merged: list[range] = []
        for start, end in spans:
            first, last = self.source.position(start).row, self.source.position(end).row
            if merged and first < merged[-1].stop:
                first = merged.pop().start
            merged.append(range(first, last + 1))
        return merged

    def _comment(self, start: int, end: int) -> None:
        comment = self.source.text[start:end]
        row = self.source.position(start).row
        whole_line = not self.source.line(row)[: self.source.position(start).column - 1].strip()
        file_level = _NOQA_FILE.match(comment) if whole_line and self.noqa else None
        if file_level:
            self._add(start, end, 1, _TO_THE_END, _codes(file_level["codes"]), file_level)
            return
        noqa = _NOQA.search(comment) if self.noqa else None
        if noqa:
            self._add(start, end, row, row, _codes(noqa["codes"]), noqa)
        ours = _OURS.search(comment)
        if ours:
            self._ours(start, end, row, whole_line, ours)

    def _ours(self, start: int, end: int, row: int, whole_line: bool, ours: "re.Match[str]") -> None:
        rest = ours["rest"]
        match = _DIRECTIVE.match(rest)
        verb = match["verb"].lower() if match else ""
        if verb not in _VERBS:
            self._problem(start, end, f"`jaxlint: {rest.strip()}` is no directive; the directives are {', '.join(_VERBS)}")
            return
        listed = list(re.finditer(r"[\w-]+", match["names"])) if match and match["names"] else []
        names = [name[0] for name in listed]
        if verb == "enable" and whole_line:
            self._enable(start, end, row, names)
            return
        if not names or verb == "enable":
            advice = f"{verb}=NAME" if verb != "enable" else "enable=NAME on a line of its own"
            self._problem(start, end, f"`jaxlint: {verb}` must say which rules: write `# jaxlint: {advice}`")
            return
        at = start + ours.start("rest") + (match.start("names") if match else 0)
        spans = tuple((at + name.start(), at + name.end()) for name in listed)
        whole = (start + ours.start(), spans[-1][1])
        for number, name in enumerate(names):
            first = len(self.found.directives)
            try:
                prefixes = tuple(rule.code for rule in rules.matching(name))
            except rules.UnknownRule as unknown:
                self._problem(start, end, f"`jaxlint: {verb}`: {unknown}")
                continue
            if verb == "disable-file":
                self._add(start, end, 1, _TO_THE_END, prefixes)
            elif verb == "disable-next":
                following = self._next_code_row(row)
                self._add(start, end, following, following, prefixes)
            elif whole_line:
                self.open.append((self._add(start, end, row, _TO_THE_END, prefixes), name.lower()))
            else:
                self._add(start, end, row, row, prefixes)
            for directive in self.found.directives[first:]:
                directive.whole, directive.names, directive.name = whole, spans, number

    def _enable(self, start: int, end: int, row: int, names: list[str]) -> None:
        """End the open blocks of these names; of all, where none is given."""
        wanted = [name.lower() for name in names] or [name for _, name in self.open]
        for name in wanted:
            ended = [directive for directive, opened in self.open if opened == name]
            if not ended:
                self._problem(start, end, f"`jaxlint: enable={name}`: no comment above disables `{name}`")
            for directive in ended:
                directive.last = row
                directive.ended = (start, end)
            self.open = [block for block in self.open if block[1] != name]

    def _next_code_row(self, row: int) -> int:
        row += 1
        while row < self.last_row and (not (line := self.source.line(row).strip()) or line.startswith("#")):
            row += 1
        return row

    def _add(
        self,
        start: int,
        end: int,
        first: int,
        last: int,
        prefixes: Optional[tuple[str, ...]],
        noqa: Optional["re.Match[str]"] = None,
    ) -> Directive:
        position = self.source.position
        directive = Directive(position(start), position(end), self.source.text[start:end], first, last, prefixes)
        if noqa is not None:
            directive.whole = (start + noqa.start(), start + noqa.end())
            at = start + noqa.start("codes")
            codes = re.finditer(r"[^,\s]+", noqa["codes"] or "")
            directive.names = tuple((at + code.start(), at + code.end()) for code in codes)
        self.found.directives.append(directive)
        return directive

    def _problem(self, start: int, end: int, message: str) -> None:
        self.found.problems.append(DirectiveProblem(self.source.position(start), self.source.position(end), message))


def _codes(listed: Optional[str]) -> Optional[tuple[str, ...]]:
    return None if listed is None else tuple(re.split(r"[,\s]+", listed.upper()))
