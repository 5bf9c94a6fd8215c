"""Comments that silence findings.

``# noqa``, ``# noqa: JAX103`` and ``# flake8: noqa`` count as flake8 counts them, except that they must
be comments: flake8 reads them inside strings as well. Names of rules go into comments of our own,
because flake8 takes ``# noqa: some-name`` for a bare ``# noqa``::

    if x > 0:  # jaxlint: disable=branch-on-tracer
    # jaxlint: disable-next=branch-on-tracer,JAX104
    # jaxlint: disable-file=branch-on-tracer
    # jaxlint: disable=branch-on-tracer        (on a line of its own: from here ...
    # jaxlint: enable=branch-on-tracer          ... to here, or to the end of the file)

A comment that names a random key declares that its uses share it on purpose, and silences the rules about keys that
are used again. It stands at the end of a line of the statement that makes the key, or of one that uses it, or above it::

    key = jax.random.key(0)  # jaxlint: shared-key=key

What follows the list, after a space, is free text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

from jaxlint.analysis.domain.hazards import RepeatedKey
from jaxlint.hazards import registry
from jaxlint.source.diagnostic import Diagnostic, Edit
from jaxlint.source.lexer import strings_and_comments
from jaxlint.source.text import NOTEBOOK, Position, Source

_NOQA = re.compile(r"# noqa(?::\s?(?P<codes>[a-z]+[0-9]+(?:[,\s]*[a-z]+[0-9]+)*))?", re.IGNORECASE)
_NOQA_FILE = re.compile(r"# flake8[:=]\s*noqa(?::\s?(?P<codes>[a-z]+[0-9]+(?:[,\s]*[a-z]+[0-9]+)*))?", re.IGNORECASE)
_OURS = re.compile(r"#\s*jaxlint\s*:\s*(?P<rest>.*)", re.IGNORECASE)
_NAME = r"[\w-]+(?:\.\w+)*"
_DIRECTIVE = re.compile(rf"(?P<verb>[a-z-]+)(?:\s*=\s*(?P<names>{_NAME}(?:\s*,\s*{_NAME})*)?)?", re.IGNORECASE)
_CONTINUED = re.compile(r"\\(?:\r\n?|\n)")
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=]")  # PEP 263: it counts in the first two rows

_VERBS = ("disable", "disable-next", "disable-file", "enable", "shared-key")
_TO_THE_END = 1 << 60  # a row that no file has

# Silencing what the tool says about itself would hide that findings may be missing.
_NEVER_COVERED = ("JAX902", "JAX903")


@dataclass
class Directive:
    """One comment that silences findings in the rows ``first`` to ``last``.

    ``prefixes`` are beginnings of codes, in upper case; None stands for all. ``used`` collects the
    codes that the comment did silence. ``whole`` is where in the text the directive stands, less the free text
    around it, and ``names`` are the codes or names it lists; of one of ours ``name`` is the one it is about.
    ``ended`` is the comment that ends a block. ``key`` is the random key that the comment declares as shared: then it
    silences findings about that key alone.
    """

    start: Position
    end: Position
    text: str
    first: int
    last: int
    prefixes: tuple[str, ...] | None
    used: set[str] = field(default_factory=set)
    whole: tuple[int, int] = (0, 0)
    names: tuple[tuple[int, int], ...] = ()
    name: int | None = None
    ended: tuple[int, int] | None = None
    key: str | None = None

    def covers(self, diagnostic: Diagnostic, rows: range) -> bool:
        """Whether the comment silences a diagnostic whose line consists of ``rows``."""
        if self.key is not None:
            return any(
                use.name == self.key and self.first <= use.last and use.first <= self.last
                for use in diagnostic.key_uses
            )
        if rows.stop <= self.first or self.last < rows.start:
            return False
        return self.prefixes is None or diagnostic.code.startswith(self.prefixes)

    def listed(self) -> list[tuple[int, tuple[str, ...]]]:
        """The codes or names in the comment: the number in its list, and the beginnings of codes that it stands for."""
        if self.prefixes is None:
            return []
        if self.name is not None:
            return [(self.name, self.prefixes)]
        return [(number, (prefix,)) for number, prefix in enumerate(self.prefixes)]


@dataclass(frozen=True)
class DirectiveProblem:
    """A comment of ours that says nothing that can be obeyed."""

    start: Position
    end: Position
    message: str


class Silenced(NamedTuple):
    """A finding that a comment silences: its rule and place, and where the codes or names stand that silence it.

    What fails in an imported module is found at the call that leads there if that module is not in the run: ``call``
    is the place of that call.
    """

    code: str
    place: Spot
    by: tuple[Spot, ...]
    call: Spot | None = None


class Spot(NamedTuple):
    """A place in a file."""

    filename: str
    row: int
    column: int


class Suppressions:
    """The silencing comments of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.directives: list[Directive] = []
        self.problems: list[DirectiveProblem] = []
        self._joined: list[range] = []  # rows that flake8 takes for one line, where there are several

    @classmethod
    def parse(cls, source: Source, *, noqa: bool = True) -> Suppressions:
        """The suppressions of a source, which need not be valid Python.

        Without ``noqa`` only our own comments count: flake8 sees to ``# noqa`` itself.
        """
        found = cls(source)
        lowered = source.text.lower()
        if (noqa and "noqa" in lowered) or "jaxlint" in lowered:
            _Reader(source, found, noqa).read()
        return found

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether a comment silences the diagnostic; the comments that do are marked as used."""
        return bool(self._covering(diagnostic))

    def silenced(self, diagnostic: Diagnostic, call: Diagnostic | None = None) -> Silenced | None:
        """The record of a diagnostic that a comment silences; None where none does.

        ``call`` is the same finding at the call in the root that leads to it, if it is in an imported module.
        """
        comments = self._covering(diagnostic)
        if not comments:
            return None
        by = {
            each.names[at]
            for each in comments
            for at, prefixes in each.listed()
            if diagnostic.code.startswith(prefixes)
        }
        spots = (Spot(self.source.filename, *self.source.position(start)) for start, _ in sorted(by))
        return Silenced(diagnostic.code, spot(diagnostic), tuple(spots), None if call is None else spot(call))

    def _covering(self, diagnostic: Diagnostic) -> list[Directive]:
        """The comments that silence the diagnostic; they are marked as used."""
        if not self.directives or diagnostic.code in _NEVER_COVERED:
            return []
        rows = self.line_with(diagnostic.noqa_row or diagnostic.start.row)
        found = [directive for directive in self.directives if directive.covers(diagnostic, rows)]
        for directive in found:
            directive.used.add(diagnostic.code)
        return found

    def line_with(self, row: int) -> range:
        """The rows that flake8 takes for one line, of which a comment silences all."""
        index = bisect_right(self._joined, row, key=lambda rows: rows.start) - 1
        if index >= 0 and row in self._joined[index]:
            return self._joined[index]
        return range(row, row + 1)


def spot(diagnostic: Diagnostic) -> Spot:
    """Where a diagnostic stands."""
    return Spot(diagnostic.filename, *diagnostic.start)


class Filter:
    """Lets through diagnostics whose rules are on in a file and which no comment in it silences; keeps count of these."""

    def __init__(self, codes: frozenset[str], suppressions: Suppressions | None, silenced: list[Silenced]) -> None:
        self.codes = codes
        self.suppressions = suppressions
        self.silenced = silenced

    def __call__(self, found: Diagnostic, home: Diagnostic | None = None) -> bool:
        """Whether ``found`` passes; if it is a call that leads to a failure in another module, ``home`` is that failure."""
        if found.code not in self.codes and found.code != "JAX902":
            return False
        silenced = None if self.suppressions is None else self.suppressions.silenced(found)
        if silenced is None:
            return True
        self.silenced.append(silenced if home is None else silenced._replace(place=spot(home), call=silenced.place))
        return False


def silencing_edit(source: Source, diagnostic: Diagnostic) -> Edit | None:
    """The edit that adds a ``# noqa`` for a diagnostic; None for what no comment can silence."""
    if diagnostic.code.startswith("JAX9"):
        return None
    comments = Suppressions(source)
    _Reader(source, comments, True).read()
    row = comments.line_with(diagnostic.noqa_row or diagnostic.start.row).stop - 1
    line = Source.line(source, row)
    start = source.offset(Position(row, 1))
    listed = _NOQA.search(line)
    if listed is not None and any(each.first == row == each.last and each.prefixes for each in comments.directives):
        return Edit(start + listed.end(), start + listed.end(), f", {diagnostic.code}")
    return Edit(start + len(line.rstrip()), start + len(line), f"  # noqa: {diagnostic.code}")


def file_silencing_edit(source: Source, diagnostic: Diagnostic) -> Edit | None:
    """The edit that silences the rule of a diagnostic in its whole file; None for what no comment can silence.

    It joins a comment that already governs the file from its first row on, or stands above the code.
    """
    if diagnostic.code.startswith("JAX9"):
        return None
    comments = Suppressions(source)
    _Reader(source, comments, True).read()
    for each in comments.directives:
        if each.name is not None and each.key is None and (each.first, each.last) == (1, _TO_THE_END):
            return Edit(each.whole[1], each.whole[1], f",{diagnostic.name}")
    row = _first_row_for_comments(source)
    if row is None:
        return None
    start = source.offset(Position(row, 1))
    return Edit(start, start, f"# jaxlint: disable-file={diagnostic.name}{source.newline}")


def _first_row_for_comments(source: Source) -> int | None:
    """The first row that a comment may push down; None where a notebook has a magic above all of its code."""
    if source.filename.endswith(NOTEBOOK):
        from jaxlint.source.notebook import Notebook

        assert isinstance(source, Notebook)
        # What stands above `%%time` makes it a syntax error.
        rows = (row for cell, row in zip(source.cells, source.rows) if not cell.source.lstrip().startswith("%%"))
        marker = next(rows, None)
        return None if marker is None else marker + 1
    if _CODING.match(source.line(2)):
        return 3
    return 2 if source.line(1).startswith("#!") or _CODING.match(source.line(1)) else 1


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

    def _ours(self, start: int, end: int, row: int, whole_line: bool, ours: re.Match[str]) -> None:
        rest = ours["rest"]
        match = _DIRECTIVE.match(rest)
        verb = match["verb"].lower() if match else ""
        if verb not in _VERBS:
            self._problem(
                start, end, f"`jaxlint: {rest.strip()}` is no directive; the directives are {', '.join(_VERBS)}"
            )
            return
        listed = list(re.finditer(_NAME, match["names"])) if match and match["names"] else []
        names = [name[0] for name in listed]
        if verb == "enable" and whole_line:
            self._enable(start, end, row, names)
            return
        if not names or verb == "enable":
            advice = f"{verb}=NAME" if verb != "enable" else "enable=NAME on a line of its own"
            what = "keys" if verb == "shared-key" else "rules"
            self._problem(start, end, f"`jaxlint: {verb}` must say which {what}: write `# jaxlint: {advice}`")
            return
        at = start + ours.start("rest") + (match.start("names") if match else 0)
        spans = tuple((at + name.start(), at + name.end()) for name in listed)
        whole = (start + ours.start(), spans[-1][1])
        for number, name in enumerate(names):
            first = len(self.found.directives)
            if verb == "shared-key" and not all(part.isidentifier() for part in name.split(".")):
                self._problem(
                    start, end, f"`jaxlint: shared-key`: `{name}` is not the name of a variable or an attribute"
                )
                continue
            try:
                prefixes = (
                    _about_shared_keys()
                    if verb == "shared-key"
                    else tuple(rule.code for rule in registry.matching(name))
                )
            except registry.UnknownRule as unknown:
                self._problem(start, end, f"`jaxlint: {verb}`: {unknown}")
                continue
            if verb == "disable-file":
                self._add(start, end, 1, _TO_THE_END, prefixes)
            elif verb == "disable-next":
                following = self._next_code_row(row)
                self._add(start, end, following, following, prefixes)
            elif verb == "shared-key":
                governed = self._next_code_row(row) if whole_line else row
                self._add(start, end, governed, governed, prefixes).key = name
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
        prefixes: tuple[str, ...] | None,
        noqa: re.Match[str] | None = None,
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


def _about_shared_keys() -> tuple[str, ...]:
    """The codes of the rules that report a key which is used again."""

    return tuple(
        rule.code for rule in registry.all_rules() if any(issubclass(hazard, RepeatedKey) for hazard in rule.hazards)
    )


def _codes(listed: str | None) -> tuple[str, ...] | None:
    return None if listed is None else tuple(re.split(r"[,\s]+", listed.upper()))
