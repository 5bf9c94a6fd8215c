"""One file in, its diagnostics out: parse, lower, analyse, ask the rules, place what they found.

A file that cannot be parsed gives JAX900. An exception in the analysis or in a rule gives JAX902
and ends neither the run nor, for a rule, the other rules.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.origin import Origin
from jaxlint.diagnostics.shared_keys import key_uses
from jaxlint.diagnostics.suppressions import Filter, Silenced, Suppressions
from jaxlint.fixing.argument_lines import on_own_lines
from jaxlint.fixing.import_edits import resolve_imports
from jaxlint.hazards.registry import all_rules, find
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir.lowering import lower
from jaxlint.project.resolver import Loader, is_of_no_concern, keep, kept, read, spans
from jaxlint.rewrite.file import ElsewhereError, File
from jaxlint.source.diagnostic import FAILS_HERE, Applicability, Category, Diagnostic, Fix, Related, RemoteFix
from jaxlint.source.lexer import loses_comment
from jaxlint.source.library_sources import is_source
from jaxlint.source.text import (
    Position,
    Source,
    SourceError,
    Spans,
    Unreadable,
    deep_recursion,
    in_one_stack_chunk,
    uncollected,
)

if TYPE_CHECKING:
    from jaxlint.analysis.domain.hazards import Hazard
    from jaxlint.analysis.model import Model, Part
    from jaxlint.configuration.config import Config
    from jaxlint.ir import nodes as ir

UNUSED = "JAX901"

# A comment that may silence a rule of ours; a file with none of them need not be searched.
_ABOUT_US = re.compile(r"noqa[^\n]*jax|jaxlint\s*:", re.IGNORECASE)


class CrossFileDiagnostic(NamedTuple):
    """What fails in an imported module: as it stands there, and at the call in the root that leads to it."""

    diagnostic: Diagnostic
    call: Diagnostic


@dataclass
class Result:
    """What is known of one file after linting it.

    ``diagnostics`` are sorted, selected and without the suppressed ones. ``source`` is None where
    the file could not be read. ``error`` is set where jaxlint itself failed (JAX902).
    ``budget_reached`` names what the analysis cut short. ``elsewhere`` holds what fails in modules that
    the file imports because of how it calls them, and ``silenced`` what comments silence, here and in them.
    """

    filename: str
    source: Source | None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    error: bool = False
    budget_reached: list[str] = field(default_factory=list)
    elsewhere: list[CrossFileDiagnostic] = field(default_factory=list)
    silenced: list[Silenced] = field(default_factory=list)
    presumed: int = 0  # functions that were run by a convention
    files: Files | None = None  # that were analysed


def syntax_error(error: SourceError) -> Diagnostic:
    """The diagnostic for a file that cannot be read or parsed."""
    rule = find("JAX904" if isinstance(error, Unreadable) else "JAX900")
    at = Position(error.row, error.column)
    return Diagnostic(
        rule.code, rule.name, error.message, error.filename, at, at, category=rule.category, noqa_row=error.row
    )


def internal_error(
    filename: str, where: str, error: str | BaseException, whose: str = "jaxlint", code: str = ""
) -> Diagnostic:
    """The diagnostic for a failure of jaxlint itself. ``where`` names the rule or the phase, ``whose`` the program."""
    from jaxlint.analysis.containment import described

    text = (error if isinstance(error, str) else described(error)) + (f", looking at `{code}`" if code else "")
    message = f"Internal error in {where}: {text}; please report this bug in {whose}"
    rule, top = find("JAX902"), Position(1, 1)
    return Diagnostic(rule.code, rule.name, message, filename, top, top, category=rule.category)


def check_source(source: Source, config: Config) -> Result:
    """Lint one source and nothing else.

    Comes out: diagnostics sorted by place, less those that the configuration turns off and those
    that comments silence. What fails in a module that this one imports stands at the call that leads
    there. Raises nothing that has to do with the source.
    """
    result = check_root(source, config, Loader(config.project))
    result.diagnostics = with_calls(result.diagnostics, result.elsewhere)
    return result


@in_one_stack_chunk
def check_root(source: Source, config: Config, loader: Loader, *, noqa: bool = True, on_disk: bool = False) -> Result:
    """Lint one source; what fails in the modules that it imports is kept apart, in ``Result.elsewhere``.

    ``on_disk`` says that the source is what the file holds, so that other roots may share the work. Without ``noqa`` the
    ``# noqa`` comments do not silence what is found in the source itself.
    """
    result = Result(source.filename, source)
    if is_of_no_concern(source, config.conventions, loader):
        return result
    elsewhere: list[CrossFileDiagnostic] = []
    files: Files | None = None
    with deep_recursion(), uncollected(), loader.borrowing():
        try:
            found, elsewhere, files = _check(source, config, result, loader, on_disk)
        except SourceError as error:
            found = [syntax_error(error)]
        except Exception as error:  # whatever it is, the other files are still to be read
            found = [internal_error(source.filename, "the analysis", error)]
        found = [
            each for each in found if each.category is not Category.FAILS or not source.shows_error(each.start.row)
        ]
        found += map(syntax_error, source.errors)
        suppressions = (
            Suppressions.parse(source, noqa=noqa) if found or elsewhere or _ABOUT_US.search(source.text) else None
        )
        codes = config.codes_for(source.filename)
        passes = Filter(codes, suppressions, [] if files is None else files.silenced)
        result.diagnostics = [each for each in found if passes(each)]
        # How this file calls is part of the cause: what its own rules let pass is not the module's to answer for.
        if elsewhere and not noqa:
            passes = Filter(codes, Suppressions.parse(source, noqa=True), passes.silenced)
        result.elsewhere = [each for each in elsewhere if passes(each.call, each.diagnostic)]
        if suppressions is not None and files is not None and UNUSED in codes and not result.budget_reached:
            superfluous = _superfluous(source, suppressions, files, codes)
            result.diagnostics += [each for each in superfluous if passes(each)]
            found += superfluous
    result.diagnostics.sort(key=lambda diagnostic: diagnostic.sort_key)
    result.error = any(diagnostic.code == "JAX902" for diagnostic in found)
    result.silenced = passes.silenced
    return result


def _superfluous(source: Source, suppressions: Suppressions, files: Files, codes: frozenset[str]) -> list[Diagnostic]:
    """What is to be said of comments that silence nothing."""
    # It asks for values, of which a file that is skipped has none.
    from jaxlint.diagnostics.unused_suppressions import unused

    try:
        return list(unused(source, suppressions, files.own, codes))
    except SourceError:
        return []  # the tree does not say where the code stands
    except Exception as error:
        return [internal_error(source.filename, find(UNUSED).name, error)]


def with_calls(diagnostics: list[Diagnostic], elsewhere: Iterable[CrossFileDiagnostic]) -> list[Diagnostic]:
    """``diagnostics`` and those at the calls that lead to a failure elsewhere, one for a rule and place."""
    found = {(each.code, each.start): each for each in diagnostics}
    for each in elsewhere:
        found.setdefault((each.call.code, each.call.start), each.call)
    return sorted(found.values(), key=lambda diagnostic: diagnostic.sort_key)


def check_file(filename: str, config: Config, loader: Loader, noqa: bool = True) -> Result:
    """Read and lint one file as a root. A file that cannot be read has one diagnostic and no source."""
    try:
        return check_root(read(filename), config, loader, noqa=noqa, on_disk=True)
    except SourceError as error:
        found = syntax_error(error)
        return Result(filename, None, [found] if found.code in config.codes_for(filename) else [])


def _check(
    source: Source, config: Config, result: Result, loader: Loader, on_disk: bool
) -> tuple[list[Diagnostic], list[CrossFileDiagnostic], Files]:
    from jaxlint.analysis import analyse  # a file that is skipped does without

    unit = kept(source.filename) if on_disk else None  # another root may have read it
    fresh = unit is None
    if unit is None:
        unit = lower(source)
    model = analyse(
        unit,
        loader=loader,
        target=config.target,
        is_test=config.is_test(source.filename),
        conventions=config.conventions,
    )
    if on_disk and fresh:
        keep(source.filename, unit)
    result.budget_reached, result.presumed = model.budget_reached, len(model.presumed)
    files = Files(model, source)
    result.files = files
    if not model.hazards and not model.failures:
        return [], [], files
    return *_apply_rules(source, config, model, files), files


class Files:
    """The files of one root: its own, and those of the modules it imports, each with its spans."""

    def __init__(self, model: Model, source: Source) -> None:
        self.model = model
        self.own = File(source, model, _spans(source, model.unit), elsewhere=self.of)
        self._parts: dict[str, File] = {}
        self._suppressions: dict[str, Suppressions] = {}
        self.silenced: list[Silenced] = []

    def of(self, site: int) -> File:
        """The file of a site. Raises SourceError where an imported file has changed or is gone."""
        part = self.model.part(site)
        if part is None:
            return self.own
        if part.filename not in self._parts:
            self._parts[part.filename] = self._read(part)
        return self._parts[part.filename]

    def _read(self, part: Part) -> File:
        from jaxlint.analysis.model import Names

        source = read(self._shown(part.filename))
        compute = _spans(source, count=len(part.tree.nodes))
        unit = self.model.unit.part(part.tree, part.filename)
        return File(source, self.model, compute, unit, self.of, Names.of(part.tree.module))

    def silences(self, elsewhere: CrossFileDiagnostic) -> bool:
        """Whether a comment in an imported file silences what fails there."""
        filename = elsewhere.diagnostic.filename
        if filename not in self._suppressions:
            source = next(part.source for part in self._parts.values() if part.source.filename == filename)
            self._suppressions[filename] = Suppressions.parse(source, noqa=True)
        silenced = self._suppressions[filename].silenced(*elsewhere)
        if silenced is not None:
            self.silenced.append(silenced)
        return silenced is not None

    def _shown(self, filename: str) -> str:
        """The path of an imported file, written as that of the root is."""
        if os.path.isabs(self.own.source.filename):
            return os.path.abspath(filename)
        return os.path.relpath(filename)


def _spans(source: Source, unit: ir.Unit | None = None, count: int | None = None) -> Callable[[], Spans]:
    """The spans of a file's nodes, worked out when they are first asked for.

    A file whose IR was kept without them is lowered again for it, and must then have ``count`` nodes.
    """

    @functools.cache
    def get() -> Spans:
        try:
            found = spans(source, unit)
            if count is not None and len(found) != count:
                raise SourceError("the file changed while it was being read", source.filename)
            return found
        except SourceError as error:
            raise SourceError(error.message, source.filename, error.row, error.column) from None

    return get


def _apply_rules(
    source: Source, config: Config, model: Model, files: Files
) -> tuple[list[Diagnostic], list[CrossFileDiagnostic]]:
    by_file: dict[str, dict[type[Hazard], list[Rule]]] = {}
    builder = _DiagnosticBuilder(files, config)
    found: dict[tuple[str, int], Diagnostic] = {}
    calls: dict[tuple[str, int], Diagnostic] = {}
    failed: dict[str, Diagnostic] = {}  # rules, by their codes
    for hazard in model.hazards:
        part = model.part(hazard.site)
        filename = source.filename if part is None else part.filename
        if filename not in by_file:
            # What the file's own rules let pass is not the module's to answer for, but may stand for what others say.
            asked = config.codes_for(source.filename) | {rule.code for rule in all_rules() if rule.supersedes}
            by_file[filename] = _rules_by_hazard(config.codes_for(filename) & asked)
        rules = by_file[filename].get(type(hazard), ())
        if not rules:
            continue
        call = None if part is None else builder.call_site(hazard)
        if part is not None and call is None:
            continue
        try:
            file = files.of(hazard.site)
        except SourceError:
            if part is None:
                raise
            continue  # it is reported for what it is where the file itself is linted
        for rule in rules:
            assert rule.check is not None
            try:
                for finding in rule.check(builder.local(hazard, file), file):
                    key = (rule.code, finding.site)
                    if key not in found:
                        found[key] = builder.diagnostic(rule, hazard, finding)
                        if call is not None:
                            calls[key] = builder.call(found[key], call)
            except SourceError:
                if part is None:
                    raise
            except ElsewhereError:
                pass  # the rule would have to speak of two files at once
            except Exception as error:
                whose = "a plugin" if rule.family == "plugin" else "jaxlint"
                failed.setdefault(rule.code, builder.failure(rule.name, hazard.site, error, whose))
    for code, site in list(found):
        for superseded in find(code).supersedes:
            for inner in (site, *(child.site for child in model.unit.nodes[site].children())):
                found.pop((superseded, inner), None)
                calls.pop((superseded, inner), None)
    own = [diagnostic for key, diagnostic in found.items() if key not in calls]
    elsewhere = [CrossFileDiagnostic(found[key], call) for key, call in calls.items()]
    analysis = {each.error: builder.failure("the analysis", each.site, each.error) for each in reversed(model.failures)}
    return [*own, *analysis.values(), *failed.values()], [each for each in elsewhere if not files.silences(each)]


def _rules_by_hazard(codes: frozenset[str]) -> dict[type[Hazard], list[Rule]]:
    by_hazard: dict[type[Hazard], list[Rule]] = {}
    for rule in all_rules():
        if rule.code in codes and rule.check is not None:
            for hazard in rule.hazards:
                by_hazard.setdefault(hazard, []).append(rule)
    return by_hazard


class _DiagnosticBuilder:
    """Makes diagnostics of findings: positions, reasons, fixes with their imports."""

    def __init__(self, files: Files, config: Config) -> None:
        self.files = files
        self.safety = config.safety
        # By the identity of what a rule made, which several findings may share.
        self.completed: dict[int, tuple[Fix, Fix]] = {}

    def diagnostic(self, rule: Rule, hazard: Hazard, finding: Finding) -> Diagnostic:
        file = self.files.of(finding.site)
        source = file.source
        start, end = file.span(finding.site)
        first = source.position(start)
        fix = finding.fix if file is self.files.of(hazard.site) else None
        remote = None
        if fix is not None and fix.at is not None:
            remote, fix = self._remote(fix, fix.at, rule.code), None
        if fix is not None and (file.is_imported or hazard.convention):  # other calls may pass other values
            fix = fix.lowered(Applicability.UNSAFE, "other callers may pass other values")
        return Diagnostic(
            code=rule.code, name=rule.name, message=finding.message, filename=source.filename, start=first,
            end=source.position(end), category=rule.category, help=finding.help,
            fix=None if fix is None else self._completed(fix, rule.code, source),
            related=self._reasons(hazard, finding),
            noqa_row=first.row, url=rule.reference, key_uses=key_uses(hazard, file), remote=remote, convention=hazard.convention,
        )  # fmt: skip

    def _remote(self, fix: Fix, site: int, code: str) -> RemoteFix:
        """A fix as it is of the file of ``site``, a node that it edits."""
        file = self.files.of(site)
        start = file.source.position(file.span(site)[0])
        lowered = fix.lowered(Applicability.UNSAFE, "other callers may pass other values")
        return RemoteFix(file.source.filename, start, replace(self._completed(lowered, code, file.source), at=None))

    def failure(self, where: str, site: int, error: str | Exception, whose: str = "jaxlint") -> Diagnostic:
        """That a rule, or the analysis, raised, at what it was looking at."""
        own = self.files.own
        try:
            file = self.files.of(site)
            start, end = map(file.source.position, file.span(site))
        except (LookupError, SourceError):  # the module as a whole has no place
            return internal_error(own.source.filename, where, error, whose)
        found = internal_error(own.source.filename, where, error, whose, " ".join(file.code(site, 40).split()))
        return replace(found, start=start, end=end) if file is own else found

    def local(self, hazard: Hazard, file: File) -> Hazard:
        """The hazard as a rule is shown it: a fix edits one file, so steps in others are left out of its origin."""
        if not self.files.model.parts or hazard.origin is None:
            return hazard
        part = self.files.model.part(hazard.site)
        steps = list(hazard.origin.steps(1000))
        if all(self.files.model.part(step.site) is part for step in steps):
            return hazard
        kept: Origin | None = None
        for step in reversed(steps):
            if self.files.model.part(step.site) is part:
                kept = Origin(step.text, step.site, kept, step.transform, step.convention)
        twin = copy(hazard)
        twin.origin, twin.whole_origin = kept, hazard.origin
        return twin

    def call_site(self, hazard: Hazard) -> int | None:
        """The call in the root that leads to a hazard in a module it imports."""
        return next((site for site in reversed(hazard.chain) if self.files.model.part(site) is None), None)

    def call(self, diagnostic: Diagnostic, site: int) -> Diagnostic:
        """The same finding, at the call in the root that leads to it."""
        source = self.files.own.source
        start, end = self.files.own.span(site)
        first = source.position(start)
        remote = diagnostic.remote
        where = Related(FAILS_HERE, diagnostic.filename, diagnostic.start, diagnostic.end)
        message = f"{diagnostic.message} ({os.path.basename(diagnostic.filename)}:{diagnostic.start.row}, called here)"
        return replace(
            diagnostic,
            message=message,
            filename=source.filename,
            start=first,
            end=source.position(end),
            noqa_row=first.row,
            fix=remote.fix if remote is not None and remote.filename == source.filename else None,
            remote=None,
            related=(where, *diagnostic.related),
            key_uses=(),
        )

    def _reasons(self, hazard: Hazard, finding: Finding) -> tuple[Related, ...]:
        """The other places the finding names, then the chain from the value to the transform."""
        places = list(finding.also)
        if hazard.origin is not None:
            places += [(step.text, step.site) for step in hazard.origin.steps()]
        reasons = []
        for message, site in places:
            try:
                file = self.files.of(site)
                start, end = file.span(site)
            except (LookupError, SourceError):  # the module as a whole has no place
                continue
            source = file.source
            if is_source(source.filename):
                continue  # what stands for a library is no place of theirs
            start_position = source.position(start)
            # A step can stand at a whole function; its first line says where it is.
            line_end = start + len(source.line(start_position.row)) - (start_position.column - 1)
            end_position = source.position(min(end, line_end))
            reasons.append(Related(message, source.filename, start_position, end_position))
        return tuple(reasons)

    def _completed(self, fix: Fix, code: str, source: Source) -> Fix:
        if id(fix) not in self.completed:
            self.completed[id(fix)] = fix, self._complete(fix, code, source)
        return self.completed[id(fix)][1]

    def _complete(self, fix: Fix, code: str, source: Source) -> Fix:
        if any(loses_comment(source.text[edit.start : edit.end], edit.content) for edit in fix.edits):
            fix = fix.lowered(Applicability.DISPLAY)
        imports = resolve_imports(source, fix.imports, fix.edits)
        edits = tuple(sorted([*on_own_lines(source, fix.edits), *imports], key=lambda edit: (edit.start, edit.end)))
        level = self.safety.of(code, fix.applicability)
        changes = fix.changes or ("the configuration calls it unsafe" if level is Applicability.UNSAFE else "")
        return replace(fix, edits=edits, imports=frozenset(), applicability=level, changes=changes)
