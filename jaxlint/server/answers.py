"""Findings, fixes and facts in the words of the protocol."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lsprotocol import types

from jaxlint.diagnostics.suppressions import file_silencing_edit, silencing_edit
from jaxlint.fixing.apply import apply_edits, fix_source, tried
from jaxlint.project.resolver import Loader
from jaxlint.run import cross_file_fixes
from jaxlint.run.on_trial import OnTrial
from jaxlint.run.reveal import Expression, form, in_words, legend, shown_code, shown_form
from jaxlint.server.documents import Checked
from jaxlint.server.positions import to_client
from jaxlint.server.rule_pages import RulePages
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic, Edit, Related, RemoteFix
from jaxlint.source.notebook import Notebook
from jaxlint.source.reading import read_source
from jaxlint.source.text import Position, Source, SourceError

if TYPE_CHECKING:
    from pygls.workspace import TextDocument

SOURCE = "jaxlint"
FIX_ALL = "source.fixAll.jaxlint"
FIX_ALL_UNSAFE = "source.jaxlint.fixAllUnsafe"  # not below `source.fixAll`: nothing unsafe happens on saving
# Commands of the server.
EXPLAIN = "jaxlint.explain"  # a rule
OPEN_PAGE = "jaxlint.openPage"  # that a rule refers to
WHY = "jaxlint.why"  # an expression is traced or static

_SEVERITIES = {
    Category.FAILS: types.DiagnosticSeverity.Error,
    Category.WRONG: types.DiagnosticSeverity.Warning,
    Category.SLOW: types.DiagnosticSeverity.Information,
    Category.STYLE: types.DiagnosticSeverity.Hint,
}
_TITLES = {"undecided": "traced", "const": "constant", "ref": "Python object", "unknown": "not known"}
_GONE_BY = ("JAX802",)  # what is deprecated is shown struck through


class Answers:
    """What is said about one checked document to a client that counts in ``encoding``; ``callers`` may call its code.

    ``pages`` are those of the rules. ``shows_documents`` says whether the client can open an address in a browser. ``opened`` holds
    the documents of the client by their real paths.
    """

    def __init__(
        self,
        checked: Checked,
        encoding: str,
        pages: RulePages,
        callers: Sequence[Source] = (),
        shows_documents: bool = False,
        opened: Mapping[str, TextDocument] | None = None,
    ) -> None:
        self.checked = checked
        self.encoding = encoding
        self.pages = pages
        self.callers = callers
        self.shows_documents = shows_documents
        self.opened = opened or {}

    # --- places ---------------------------------------------------------------------------------

    def range(self, start: Position, end: Position) -> tuple[str, types.Range]:
        """The document of a place, and the place in it."""
        at = self.checked.piece_at(start.row)
        ends = end if self.checked.piece_at(end.row) == at else start
        return self.checked.snapshot.pieces[at].uri, types.Range(self._position(start, at), self._position(ends, at))

    def _position(self, position: Position, at: int) -> types.Position:
        source = self.checked.source
        line = Source.line(source, position.row)
        indent = source.place(position).position.column - position.column  # which IPython takes away
        inside = Position(position.row - self.checked.rows[at] + 1, position.column + indent)
        return to_client(inside, " " * indent + line, self.encoding)

    def _span(self, start: int, end: int) -> tuple[str, types.Range]:
        return self.range(self.checked.source.position(start), self.checked.source.position(end))

    # --- findings -------------------------------------------------------------------------------

    def diagnostics(self) -> dict[str, list[types.Diagnostic]]:
        """The findings of each document; an empty list for one without."""
        found: dict[str, list[types.Diagnostic]] = {piece.uri: [] for piece in self.checked.snapshot.pieces}
        for each in self.checked.diagnostics:
            uri, place = self.range(each.start, each.end)
            found[uri].append(self._diagnostic(each, place))
        return found

    def _diagnostic(self, each: Diagnostic, place: types.Range) -> types.Diagnostic:
        return _shown(each, place, self._location, self.pages)

    def _location(self, step: Related) -> types.Location:
        if step.filename == self.checked.source.filename:
            return types.Location(*self.range(step.start, step.end))
        return _on_disk(step, self.encoding)

    # --- what can be done about them --------------------------------------------------------------

    def actions(
        self, uri: str, place: types.Range, only: list[str] | None, resolves: bool = False
    ) -> list[types.CodeAction]:
        """Quick fixes for the findings at a place, and what mends the whole document.

        A fix is tried first. Where the client ``resolves`` edits, that is done for the one that is chosen.
        """
        actions: list[types.CodeAction] = []
        if _wanted(types.CodeActionKind.QuickFix, only):
            by_rule: dict[str, list[tuple[Diagnostic, types.Diagnostic]]] = {}
            for each in self.checked.diagnostics:
                where, at = self.range(each.start, each.end)
                if where == uri and _meet(at, place):
                    shown = self._diagnostic(each, at)
                    actions += self._quick_fixes(uri, each, shown, resolves)
                    by_rule.setdefault(each.code, []).append((each, shown))
            for found in by_rule.values():
                actions += self._about_rule(found[0][0], [shown for _, shown in found])
        levels = {Applicability.SAFE}
        for kind, title in ((FIX_ALL, "Fix all safely"), (FIX_ALL_UNSAFE, "Fix all, unsafe fixes too")):
            if _wanted(kind, only) and (only is not None or self._has_fix(levels)):
                edit = self._all_fixed(levels)
                if edit is not None:
                    actions.append(types.CodeAction(f"jaxlint: {title}", kind=kind, edit=edit))
            levels = {Applicability.SAFE, Applicability.UNSAFE}
        return actions

    def _has_fix(self, levels: set[Applicability]) -> bool:
        return any(each.fix is not None and each.fix.applicability in levels for each in self.checked.diagnostics)

    def _quick_fixes(
        self, uri: str, each: Diagnostic, shown: types.Diagnostic, resolves: bool
    ) -> Iterator[types.CodeAction]:
        offered = each.shown_fix
        applied = offered is not None and offered.fix.applicability is not Applicability.DISPLAY
        offered = offered if resolves or not applied else self._tried(each)
        if offered is not None and offered.fix.edits:
            filename, _, fix = offered
            trust = {Applicability.SAFE: "", Applicability.UNSAFE: " (unsafe)", Applicability.DISPLAY: " (suggestion)"}
            where = "" if filename == each.filename else f" in {os.path.basename(filename)}"
            action = _quick_fix(f"{each.code}: {fix.message}{where}{trust[fix.applicability]}", [shown])
            action.is_preferred = fix.applicability is Applicability.SAFE
            if resolves and applied:
                action.data = {"uri": uri, "code": each.code, "row": each.start.row, "column": each.start.column}
            else:
                action.edit = self._edit_of(offered)
            if action.data is not None or action.edit is not None:
                yield action
        edit = silencing_edit(self.checked.source, each)
        if edit is not None:
            yield _quick_fix(f"{each.code}: Silence it on this line", [shown], self._workspace_edit((edit,)))

    def resolved(self, code: str, at: Position) -> tuple[types.WorkspaceEdit | None, str]:
        """The edit of the fix for a finding, or what speaks against it."""
        each = next((each for each in self.checked.diagnostics if (each.code, each.start) == (code, at)), None)
        offered = self._tried(each) if each is not None else None
        if offered is None:
            return None, "the document has changed"
        if offered.fix.applicability is Applicability.DISPLAY:
            return None, offered.fix.message
        edit = self._edit_of(offered)
        return edit, "" if edit is not None else f"save {os.path.basename(offered.filename)} first"

    def _tried(self, each: Diagnostic) -> RemoteFix | None:
        """The fix for a finding, which is a suggestion where it does not stand its trial."""
        checked, texts = self.checked, self._on_trial()
        place = checked.diagnostics.index(each)
        after = tried(
            checked.source,
            cross_file_fixes.tried(checked.source, checked.diagnostics, checked.config, [each]),
            texts.check,
            checked.config.width,
            [each],
            judge=texts.judge,
            values=texts.values,
        )
        return after[place].shown_fix

    def _on_trial(self) -> OnTrial:
        config = self.checked.config
        return OnTrial(config, Loader(config.project), calls=True)

    def _about_rule(self, each: Diagnostic, shown: list[types.Diagnostic]) -> Iterator[types.CodeAction]:
        """What can be done about the rule of some findings: silence it, read about it."""
        edit = file_silencing_edit(self.checked.source, each)
        if edit is not None:
            yield _quick_fix(f"{each.code}: Silence it in this file", shown, self._workspace_edit((edit,)))
        commands = [("Explain the rule", EXPLAIN)]
        if each.url and self.shows_documents:
            commands.append((f"Open its reference ({urlsplit(each.url).hostname})", OPEN_PAGE))
        for title, command in commands:
            action = _quick_fix(f"{each.code}: {title}", shown)
            action.command = types.Command(title=action.title, command=command, arguments=[each.code])
            yield action

    def _edit_of(self, offered: RemoteFix) -> types.WorkspaceEdit | None:
        """The edit of a fix; None where it edits another file that a client shows with changes, or cell by cell."""
        if offered.filename == self.checked.source.filename:
            return self._workspace_edit(offered.fix.edits)
        try:
            source = read_source(offered.filename)
        except SourceError:
            return None
        document = self.opened.get(os.path.realpath(offered.filename))
        if isinstance(source, Notebook) or (document is not None and document.source != source.text):
            return None
        uri = pathlib.Path(offered.filename).absolute().as_uri() if document is None else document.uri
        edits = [types.TextEdit(self._range_in(source, each), each.content) for each in offered.fix.edits]
        place = types.OptionalVersionedTextDocumentIdentifier(uri, None if document is None else document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(place, list(edits))])

    def _workspace_edit(self, edits: tuple[Edit, ...]) -> types.WorkspaceEdit:
        snapshot, source = self.checked.snapshot, self.checked.source
        if snapshot.is_notebook:  # an edit may reach over the end of a cell, where the client has no place for it
            return self._rewritten(apply_edits(source.text, edits))
        uri = snapshot.pieces[0].uri
        return self._changes(
            {uri: [types.TextEdit(self._span(each.start, each.end)[1], each.content) for each in edits]}
        )

    def _rewritten(self, text: str) -> types.WorkspaceEdit:
        """The edit that makes ``text`` of the source, by the lines that differ."""
        source, changes = self.checked.source, {}
        for piece, new in zip(self.checked.snapshot.pieces, self.checked.snapshot.texts(source, text)):
            own = Source.from_text(piece.text, source.filename)
            changes[piece.uri] = [
                types.TextEdit(self._range_in(own, each), each.content) for each in _differences(piece.text, new)
            ]
        return self._changes(changes)

    def _range_in(self, source: Source, edit: Edit) -> types.Range:
        start, end = (source.position(offset) for offset in (edit.start, edit.end))
        return types.Range(*(to_client(at, Source.line(source, at.row), self.encoding) for at in (start, end)))

    def _changes(self, changes: dict[str, list[types.TextEdit]]) -> types.WorkspaceEdit:
        versions = {piece.uri: piece.version for piece in self.checked.snapshot.pieces}
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), list(edits))
                for uri, edits in changes.items()
                if edits
            ]
        )

    def _all_fixed(self, levels: set[Applicability]) -> types.WorkspaceEdit | None:
        """The edit that mends all that fixes of these levels can mend; None where there is none."""
        checked, texts = self.checked, self._on_trial()
        done = fix_source(
            checked.source,
            texts.check,
            levels,
            line_length=checked.config.width,
            judge=texts.judge,
            values=texts.values,
        )
        return self._rewritten(done.source.text) if done.fixed else None

    # --- what the model knows -----------------------------------------------------------------------

    def hover(self, offset: int) -> types.Hover | None:
        """Whether the innermost expression at an offset is traced, and why. Raises SourceError."""
        with self.checked.as_edited():
            revealed = self.checked.revealed(self.callers)
            around = [each for each in revealed.expressions if each.start <= offset < each.end]
            span = max(((each.start, each.end) for each in around), key=lambda span: (span[0], -span[1]), default=None)
            same = [each for each in around if (each.start, each.end) == span]
            same = [each for each in same if each.value.kind != "unknown"] or same
            parts = list(dict.fromkeys(_told(each, revealed.why(each)) for each in same))
        if all(each.value.cls is None for each in same):
            parts += self._found(offset)
        if not parts:
            return None
        terms = legend((each.value.kind, each.value.cls) for each in same)
        if terms:
            parts.append("  \n".join(f"*{_TITLES.get(term, term)}*: {meaning}." for term, meaning in terms.items()))
        text = "\n\n---\n\n".join(parts)
        if span is not None:
            text = f"```python\n{shown_code(self.checked.source.text[slice(*span)])}\n```\n{text}"
        place = None if span is None else self._span(*span)[1]
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)

    def _found(self, offset: int) -> Iterator[str]:
        """The findings at an offset, which may know more than the value says: what a container holds, say."""
        for each in self.checked.diagnostics:
            start, end = (self.checked.source.offset(at) for at in (each.start, each.end))
            if start <= offset < end:
                steps = [f"{step.message} ({_line(step, self.checked.source.filename)})" for step in each.related]
                yield "\n".join([f"**{each.code}** {each.message}", *(f"- {step}" for step in steps)])

    def hints(self, uri: str, place: types.Range) -> list[types.InlayHint]:
        """A hint behind each name that is given a traced value. Raises SourceError."""
        found = []
        with self.checked.as_edited():
            bound = self.checked.revealed(self.callers).bound()
        for end, value in bound:
            where, at = self._span(end, end)
            if where == uri and place.start <= at.start <= place.end and value.cls is not None:
                found.append(types.InlayHint(at.start, f": {value.kind}", types.InlayHintKind.Type, padding_left=False))
        return found


def _quick_fix(title: str, shown: list[types.Diagnostic], edit: types.WorkspaceEdit | None = None) -> types.CodeAction:
    return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=shown, edit=edit)


def _told(each: Expression, why: Sequence[str]) -> str:
    value, shown = each.value, shown_form(*form(each.value))
    cls = f" ({value.cls})" if value.cls is not None else ""
    what = f"**{_TITLES.get(value.kind, value.kind)}**{cls}{f' `{shown}`' if shown else ''}"
    return "\n".join([f"{what} {in_words(each.activation.label)}", *(f"- {step}" for step in why)])


def _line(step: Related, filename: str) -> str:
    """Where a step is, for a reader of one file."""
    name = "" if step.filename == filename else f"{os.path.basename(step.filename)} "
    return f"{name}line {step.start.row}"


def _wanted(kind: str, only: list[str] | None) -> bool:
    return only is None or any(kind == each or kind.startswith(f"{each}.") or each == "" for each in only)


def _meet(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def closed_file(diagnostics: Iterable[Diagnostic], encoding: str, pages: RulePages) -> list[types.Diagnostic]:
    """Findings in a file that is not open."""
    return [
        _shown(each, _on_disk(each, encoding).range, lambda step: _on_disk(step, encoding), pages)
        for each in diagnostics
    ]


def _shown(
    each: Diagnostic, place: types.Range, location: Callable[[Related], types.Location], pages: RulePages
) -> types.Diagnostic:
    address = pages.address(each)
    return types.Diagnostic(
        range=place,
        message=each.message if not each.help else f"{each.message}\n{each.help}",
        severity=_SEVERITIES[each.category],
        code=each.code,
        code_description=types.CodeDescription(address) if address else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Deprecated] if each.code in _GONE_BY else None,
        related_information=[types.DiagnosticRelatedInformation(location(step), step.message) for step in each.related]
        or None,
    )


def _on_disk(place: Diagnostic | Related, encoding: str) -> types.Location:
    """A place in a file that is not open, of which the lines are on disk."""
    uri = pathlib.Path(place.filename).absolute().as_uri()
    try:
        source = read_source(place.filename)
        start, end = (to_client(at, source.line(at.row), encoding) for at in (place.start, place.end))
    except (SourceError, IndexError):
        start, end = types.Position(place.start.row - 1, 0), types.Position(place.end.row - 1, 0)
    return types.Location(uri, types.Range(start, end))


def _differences(before: str, after: str) -> Iterator[Edit]:
    """The changed lines as edits, so that cursors and folds elsewhere stay where they are."""
    import difflib

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    for tag, low, high, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Edit(starts[low], starts[high], "".join(new[first:last]))
