"""Applying fixes: edits to text, and passes until nothing is left to do."""

from __future__ import annotations

import difflib
import functools
import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from jaxlint.configuration.options import LINE_LENGTH
from jaxlint.fixing.alignment import realigned
from jaxlint.fixing.import_edits import resolve_imports
from jaxlint.fixing.line_breaking import wrapped
from jaxlint.fixing.picked import Place, of_places
from jaxlint.fixing.trial import Values, leads_to, new_findings, objection
from jaxlint.fixing.unused_imports import unused_import
from jaxlint.source.diagnostic import Applicability, Diagnostic, Edit
from jaxlint.source.literal_elision import shortened
from jaxlint.source.reading import decoded
from jaxlint.source.text import Source, SourceError, parse

__all__ = [
    "Asked", "FixOutcome", "apply_edits", "compatible", "fix_source", "resolve_imports", "take", "tried",
    "unified_diff", "without_unused_imports",
]  # fmt: skip

MAX_PASSES = 20
MAX_TRIALS = 50  # fixes of a file that are tried one by one, where all together do not stand

_IMPORT = re.compile(r"\s*(?:import|from)\b.*\s\Z", re.DOTALL)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with the edits made. Equal edits count once. Raises ValueError where two overlap."""
    pieces: list[str] = []
    done = 0
    for edit in sorted(set(edits), key=lambda edit: (edit.start, edit.end, edit.content)):
        if not done <= edit.start <= edit.end <= len(text):
            raise ValueError(f"edit {edit} overlaps another one, or is outside the text")
        pieces += (text[done : edit.start], edit.content)
        done = edit.end
    pieces.append(text[done:])
    return "".join(pieces)


@dataclass
class FixOutcome:
    """What became of a source: its last text, what was mended, and what is left.

    ``error`` says which fixes were taken back, and why; the others stand. ``removed`` holds the imports that
    went because the fixes left them without a use. ``remaining`` shows the fixes that did not stand their trial, with the reason.
    """

    source: Source
    fixed: list[Diagnostic] = field(default_factory=list)
    remaining: list[Diagnostic] = field(default_factory=list)
    error: str | None = None
    removed: list[str] = field(default_factory=list)
    banned: frozenset[str] = frozenset()  # codes of rules whose fixes come to no end here


Check = Callable[[Source], list[Diagnostic]]
Judge = Callable[..., str]  # `objection`, or what else speaks against fixes
Consent = Callable[[Diagnostic, Source], bool]


def fix_source(
    source: Source,
    check: Check,
    allow: Collection[Applicability],
    asked: Asked | None = None,
    line_length: int = LINE_LENGTH,
    judge: Judge = objection,
    values: Values | None = None,
    places: Sequence[Place] = (),
) -> FixOutcome:
    """Apply the fixes ``check`` offers, of the levels in ``allow``, until none is left; with ``places``, only those of these lines.

    Fixes that touch the same text wait for the next pass, which sees what the first has written. A
    fix that leaves text that does not parse or that the encoding cannot hold is taken back, and so
    are those of rules whose fixes undo each other or never come to an end. ``asked`` is asked before each
    fix. Lines that fixes make longer than ``line_length`` are broken. ``judge`` says what speaks against the fixes of a pass, by
    the ``values`` of expressions as well; one that does not stand its trial is shown with the reason, and not applied.
    """

    def fixed() -> FixOutcome:
        found = check(source)
        if source.encode(source.text) != source.raw:
            outcome = FixOutcome(source, remaining=found)
            if compatible(found, allow):
                outcome.error = (
                    f"nothing was fixed: decoding the file from {source.encoding} loses bytes; save it as UTF-8"
                )
            return outcome
        banned: dict[str, str] = {}  # code -> why its fixes are not applied
        while True:
            passes = _Passes(source, check, allow, line_length, judge, values, banned, asked, places)
            endless, why = passes.run(found)
            outcome = passes.outcome
            if not endless:
                taken_back = [
                    f"the fixes of {code} were taken back: {reason}" for code, reason in sorted(banned.items())
                ]
                outcome.error = "; ".join([*taken_back, *([outcome.error] if outcome.error else [])]) or None
                outcome.banned = frozenset(banned)
                return outcome
            banned.update(dict.fromkeys(endless, why))

    return fixed() if asked is None else asked.through(fixed)


def tried(
    source: Source,
    found: list[Diagnostic],
    check: Check,
    line_length: int = LINE_LENGTH,
    only: Collection[Diagnostic] | None = None,
    judge: Judge = objection,
    values: Values | None = None,
) -> list[Diagnostic]:
    """The findings of a source as a report shows them: a fix that does not stand its trial is shown only, with the reason.

    The fixes are tried as ``fix_source`` applies them, safe and unsafe ones; with ``only``, those of some findings.
    """
    allow = frozenset({Applicability.SAFE, Applicability.UNSAFE})
    waiting = [each for each in found if (only is None or each in only) and is_offered(each, allow)]
    if not waiting or source.encode(source.text) != source.raw:
        return found
    return _Passes(source, check, allow, line_length, judge, values).tried(found, waiting)


@dataclass
class _Pass:
    """The text after a pass, imports that went with its fixes, and the findings in the text."""

    step: Step
    source: Source
    removed: list[str]
    left: list[Diagnostic]


@dataclass
class _Passes:
    """All passes over a source."""

    original: Source
    check: Check
    allow: Collection[Applicability]
    line_length: int
    judge: Judge
    values: Values | None
    banned: Collection[str] = ()
    asked: Asked | None = None
    places: Sequence[Place] = ()
    trials: int = 0

    def __post_init__(self) -> None:
        self.outcome = FixOutcome(self.original)
        self.refused = Refused()

    def run(self, found: list[Diagnostic]) -> tuple[set[str], str]:
        """The codes of fixes that come to no end, and how that shows."""
        outcome = self.outcome
        codes: list[set[str]] = []
        texts = [outcome.source.text]
        while True:
            offered = of_places(self.places, found, self.original, outcome.source) if self.places else found
            if self.asked is not None:  # what does not stand its trial is not asked about
                self.tried(found, [each for each in offered if is_offered(each, self.allow)])
            done = self._stood(found, offered, self.asked)
            outcome.fixed += done.step.applied
            outcome.removed += done.removed
            if done.source is outcome.source:
                outcome.remaining = self.refused.shown(outcome.source, found)
                outcome.error = "; ".join(done.step.taken_back) or None
                return set(), ""
            codes.append({each.code for each in done.step.applied})
            if done.source.text in texts:
                return set().union(*codes[texts.index(done.source.text) :]), "they undo each other"
            if len(codes) > MAX_PASSES and len(done.left) >= len(found):
                return codes[-1], f"they do not come to an end in {MAX_PASSES} passes"
            texts.append(done.source.text)
            outcome.source, found = done.source, done.left

    def tried(self, found: list[Diagnostic], waiting: list[Diagnostic]) -> list[Diagnostic]:
        """The findings, after the fixes of those that wait were tried together, as many at once as fixes can be made."""
        source = self.outcome.source
        while waiting:
            applied = self._stood(found, waiting, None).step.applied
            rest = [each for each in self.refused.without(source, waiting) if each not in applied]
            if len(rest) == len(waiting):
                for each in rest:
                    self.refused.add(source, each, "it leaves code that Python cannot read")
                break
            waiting = rest
        return self.refused.shown(source, found)

    def _stood(self, found: list[Diagnostic], offered: list[Diagnostic], asked: Asked | None) -> _Pass:
        """One pass, with those of the fixes that stand their trial."""
        usable = [each for each in offered if each.code not in self.banned]
        together = self._after(found, self.refused.without(self.outcome.source, usable), asked)
        if not together.step.applied or not (why := self._objection(found, together)):
            return together
        return self._bisected(found, self._after(found, []), together.step.applied, why)

    def _bisected(self, found: list[Diagnostic], stood: _Pass, group: list[Diagnostic], why: str) -> _Pass:
        """The fixes of a pass that stood, with those of a group that stand as well; ``why`` speaks against all together.

        Halves of the group are tried in turn, so that few fixes that do not stand, among many, cost few trials.
        """
        if len(group) == 1:
            self.refused.add(self.outcome.source, group[0], why)
            return stood
        middle = len(group) // 2
        first, second = group[:middle], group[middle:]
        after_first = self._extended(found, stood, first)
        if after_first is not None and len(after_first.step.applied) == len(stood.step.applied) + len(first):
            return self._bisected(found, after_first, second, why)
        stood = after_first or stood
        return self._extended(found, stood, second) or stood

    def _extended(self, found: list[Diagnostic], stood: _Pass, group: list[Diagnostic]) -> _Pass | None:
        """The fixes that stood, with those of a group that stand as well; None where no more can be tried."""
        if self.trials >= MAX_TRIALS:
            for each in group:
                self.refused.add(
                    self.outcome.source, each, "too many fixes of the file would have to be tried one by one"
                )
            return None
        self.trials += len(group) == 1
        done = self._after(found, [*stood.step.applied, *group])
        why = self._objection(found, done)
        return self._bisected(found, stood, group, why) if why else done

    def _after(self, found: list[Diagnostic], chosen: list[Diagnostic], asked: Asked | None = None) -> _Pass:
        source = self.outcome.source
        step = take(source, chosen, self.allow, asked, self.line_length)
        current, removed = step.source, list[str]()
        if step.applied or self.outcome.fixed:
            current, removed = without_unused_imports(self.original, current)
        return _Pass(step, current, removed, found if current is source else self.check(current))

    def _objection(self, found: list[Diagnostic], done: _Pass) -> str:
        """What speaks against a pass: a finding that the next one would fix as well, if that fix does not stand its own trial."""
        source, applied = self.outcome.source, done.step.applied
        why = self.judge(source, found, applied, done.source, done.left, self.allow, self.values)
        new = [] if why else new_findings(source, found, applied, done.source, done.left)
        following = [each for each in new if is_offered(each, self.allow)]
        if not following:
            return why
        step = take(done.source, following, self.allow, None, self.line_length)
        left = self.check(step.source)
        if step.applied and not self.judge(
            done.source, done.left, step.applied, step.source, left, self.allow, self.values
        ):
            return ""
        return leads_to(done.source, following[0])


class Refused:
    """Fixes that did not stand their trial, known by what the lines of their findings say, as other fixes move them."""

    def __init__(self) -> None:
        self._why: dict[tuple[str, str, str], str] = {}

    def add(self, source: Source, diagnostic: Diagnostic, why: str) -> None:
        self._why[_identity(source, diagnostic)] = why

    def without(self, source: Source, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
        """The diagnostics whose fixes were not refused."""
        return [each for each in diagnostics if not self._why or _identity(source, each) not in self._why]

    def shown(self, source: Source, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
        """The diagnostics, with the fixes that were refused shown only, and why."""
        return [self._shown(source, each) for each in diagnostics] if self._why else diagnostics

    def _shown(self, source: Source, each: Diagnostic) -> Diagnostic:
        why = self._why.get(_identity(source, each))
        if why is None or each.fix is None:
            return each
        fix = each.fix.lowered(Applicability.DISPLAY)
        return replace(each, fix=replace(fix, title=f"{fix.title} (not applied: {why})"))


def _identity(source: Source, diagnostic: Diagnostic) -> tuple[str, str, str]:
    return diagnostic.code, diagnostic.message, source.line(diagnostic.start.row).strip()


@dataclass
class Step:
    """One pass: the text after it, the findings whose fixes it holds, and what was said of those it does not."""

    source: Source
    applied: list[Diagnostic] = field(default_factory=list)
    taken_back: list[str] = field(default_factory=list)


def take(
    source: Source,
    found: list[Diagnostic],
    allow: Collection[Applicability],
    asked: Asked | None = None,
    line_length: int = LINE_LENGTH,
) -> Step:
    """Apply as many of the fixes as go together; one that breaks the file does not take the others with it."""
    answers: dict[Diagnostic, bool] = {}

    def agreed(diagnostic: Diagnostic) -> bool:
        if asked is not None and diagnostic not in answers:
            answers[diagnostic] = asked(diagnostic, source)
        return answers.get(diagnostic, True)

    if asked is not None:
        asked.start_pass()
    refused: dict[Diagnostic, str] = {}
    trial = _Trial(source)
    while True:
        chosen = compatible([each for each in found if each not in refused], allow, agreed)
        applied, broken = trial.most_of([], chosen)
        if not broken:
            after = trial.tidied(applied, line_length) if applied else source
            said = [
                f"the fix of {each.code} at {_line(source, each)} was taken back: {why}"
                for each, why in refused.items()
            ]
            return Step(after, applied, said)
        refused.update(broken)


def _line(source: Source, diagnostic: Diagnostic) -> str:
    cell, at = source.place(diagnostic.start)
    return f"line {at.row}" if cell is None else f"cell {cell}, line {at.row}"


class _Trial:
    """Finds out which fixes leave a source that Python can read."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @functools.cached_property
    def _compiles(self) -> bool:
        return _refusal(self.source) is None

    def most_of(self, good: list[Diagnostic], more: list[Diagnostic]) -> tuple[list[Diagnostic], dict[Diagnostic, str]]:
        """``good`` and what can be added to it of ``more``, and why the rest cannot, by halves."""
        if not more:
            return good, {}
        try:
            self.after([*good, *more])
            return [*good, *more], {}
        except (SourceError, ValueError) as error:
            if len(more) == 1:
                return good, {more[0]: error.message if isinstance(error, SourceError) else str(error)}
        half = len(more) // 2
        good, broken = self.most_of(good, more[:half])
        good, others = self.most_of(good, more[half:])
        return good, {**broken, **others}

    def after(self, diagnostics: list[Diagnostic]) -> Source:
        """The source with the fixes applied. Raises SourceError and ValueError."""
        edits = [edit for each in diagnostics if each.fix for edit in each.fix.edits]
        return self.read(apply_edits(self.source.text, edits))

    def tidied(self, diagnostics: list[Diagnostic], line_length: int) -> Source:
        """The source with fixes that are known to go together, and no line too long because of them."""
        edits = [edit for each in diagnostics if each.fix for edit in each.fix.edits]
        edits = realigned(self.source, edits, line_length)
        after = apply_edits(self.source.text, edits)
        tidy = wrapped(self.source, after, edits, line_length)
        try:
            return self.read(tidy)
        except SourceError:
            return self.read(after)

    def read(self, text: str) -> Source:
        """The source with another text. Raises SourceError where it cannot be written or read."""
        after = decoded(self.source.encode(text), self.source.filename)
        if not self._compiles:
            parse(after)
        else:  # which also finds a `return` outside of functions, and a name that is global and a parameter
            refusal = _refusal(after)
            if refusal is not None:
                raise refusal
        return after


def _refusal(source: Source) -> SourceError | None:
    """What this Python has against a source; None where it has nothing. Where it cannot say, libCST does: raises SourceError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the user's code
            compile(shortened(source.text), "<text>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return SourceError(f"syntax error: {error.msg}", source.filename, error.lineno or 1)
    except (ValueError, RecursionError, MemoryError):
        parse(source)
    return None


def without_unused_imports(before: Source, after: Source) -> tuple[Source, list[str]]:
    """``after`` less the imports that ``before`` uses and that are without a use now, and which they are."""
    removed: list[str] = []
    while True:
        removal = unused_import(before, after)
        if removal is None:
            return after, removed
        try:
            after = _Trial(after).read(apply_edits(after.text, removal.edits))
        except SourceError:
            return after, removed
        removed.append(removal.statement)


class TakenBack(Exception):
    """Whoever is asked takes the last answer back: what was done since is to be done anew, up to that question."""


_Done = TypeVar("_Done")


class Asked:
    """Asks before each fix of a file, and not again where the answer was no.

    ``consent`` raises TakenBack where an answer is taken back, and then repeats by itself the answers that were given before
    it. ``settle`` says that those up to now stand.
    """

    def __init__(self, consent: Consent, settle: Callable[[], None] = lambda: None) -> None:
        self._consent = consent
        self._settle = settle
        self._declined: Counter[tuple[str, str, str]] = Counter()
        self._left: Counter[tuple[str, str, str]] = Counter()

    def through(self, do: Callable[[], _Done]) -> _Done:
        """What ``do`` gives, which asks, and is done anew where an answer is taken back."""
        declined = self._declined.copy()
        while True:
            try:
                done = do()
            except TakenBack:
                self._declined = declined.copy()
                continue
            self._settle()
            return done

    def start_pass(self) -> None:
        self._left = Counter(self._declined)

    def __call__(self, diagnostic: Diagnostic, source: Source) -> bool:
        # Other fixes move lines, so that a finding is known by what its line says.
        finding = _identity(source, diagnostic)
        if self._left[finding]:
            self._left[finding] -= 1
            return False
        agreed = self._consent(diagnostic, source)
        if not agreed:
            self._declined[finding] += 1
        return agreed


def is_offered(diagnostic: Diagnostic, allow: Collection[Applicability]) -> bool:
    """Whether a finding has a fix of one of the levels."""
    fix = diagnostic.fix
    return fix is not None and bool(fix.edits) and fix.applicability in allow


def compatible(
    diagnostics: list[Diagnostic],
    allow: Collection[Applicability],
    agreed: Callable[[Diagnostic], bool] = lambda diagnostic: True,
) -> list[Diagnostic]:
    """Diagnostics whose fixes can be applied together, the first in the file first."""
    chosen: list[Diagnostic] = []
    taken: set[Edit] = set()
    whole: set[tuple[Edit, ...]] = set()
    for diagnostic in sorted(diagnostics, key=lambda each: each.sort_key):
        fix = diagnostic.fix
        if fix is None or not is_offered(diagnostic, allow):
            continue
        if fix.edits in whole:  # one fix may mend several findings
            chosen.append(diagnostic)
            continue
        if any(_clash(edit, other) for edit in fix.edits for other in taken) or not agreed(diagnostic):
            continue
        taken.update(fix.edits)
        whole.add(fix.edits)
        chosen.append(diagnostic)
    return chosen


def _clash(edit: Edit, other: Edit) -> bool:
    """Whether two edits cannot both be made in one pass."""
    if edit == other:
        # Two fixes may need the same import. Two equal brackets in one place are not one bracket.
        return not _IMPORT.match(edit.content)
    if edit.start == edit.end and other.start == other.end:
        return edit.start == other.start
    for inserted, replaced in ((edit, other), (other, edit)):
        # What is put at the end of a statement is meant for the statement as it stands.
        if inserted.start == inserted.end == replaced.end > replaced.start:
            return True
    return edit.start < other.end and other.start < edit.end


def unified_diff(before: str, after: str, filename: str) -> str:
    """What changes from ``before`` to ``after``, as ``patch`` and ``git apply`` read it."""
    lines = []
    old, new = _lines(before), _lines(after)
    for line in difflib.unified_diff(old, new, f"a/{filename.lstrip('/')}", f"b/{filename.lstrip('/')}"):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def cell_diffs(before: Source, after: Source, filename: str) -> str:
    """The same for a notebook, cell by cell, with what IPython alone understands as it stands in the file."""
    from jaxlint.source.notebook import Notebook, unmasked

    if not isinstance(before, Notebook):
        return unified_diff(before.text, after.text, filename)
    pairs = zip(before.cells, unmasked(after.text))
    return "".join(unified_diff(cell.source, source, f"{filename}:cell {cell.number}") for cell, source in pairs)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
