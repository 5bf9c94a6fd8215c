"""One file in, its diagnostics out: parse, lower, analyse, ask the rules, place what they found.

A file that cannot be parsed gives JAX900. An exception in the analysis or in a rule gives JAX902
and ends neither the run nor, for a rule, the other rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Optional

from jaxlint.diagnostic import Applicability, Diagnostic, Fix, Position, Related
from jaxlint.imports import resolve_imports
from jaxlint.prescan import strings_and_comments
from jaxlint.relevance import is_plain_python, touches_jax
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules import all_rules, find
from jaxlint.source import Source, SourceError, deep_recursion, parse, spans
from jaxlint.suppress import Suppressions

if TYPE_CHECKING:
    from jaxlint.config import Config
    from jaxlint.semantics.model import Demand, Model

@dataclass
class Result:
    """What is known of one file after linting it.

    ``diagnostics`` are sorted, selected and without the suppressed ones. ``source`` is None where
    the file could not be read. ``error`` is set where jaxlint itself failed (JAX902).
    ``budget_reached`` names what the analysis cut short.
    """

    filename: str
    source: Optional[Source]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    error: bool = False
    budget_reached: list[str] = field(default_factory=list)


def syntax_error(error: SourceError) -> Diagnostic:
    """The diagnostic for a file that cannot be read or parsed."""
    rule = find("JAX900")
    at = Position(error.row, error.column)
    return Diagnostic(
        rule.code, rule.name, error.message, error.filename, at, at, category=rule.category, noqa_row=error.row
    )


def internal_error(filename: str, where: str, error: BaseException) -> Diagnostic:
    """The diagnostic for a failure of jaxlint itself. ``where`` names the rule or the phase."""
    import traceback

    rule = find("JAX902")
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].name}, line {frames[-1].lineno})" if frames else ""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    message = f"internal error in {where}: {text}{place}; this is a mistake of jaxlint, please report it"
    return Diagnostic(rule.code, rule.name, message, filename, Position(1, 1), Position(1, 1), category=rule.category)


def check_source(source: Source, config: "Config", *, noqa: bool = True) -> Result:
    """Lint one source.

    Comes out: diagnostics sorted by place, less those that the configuration turns off and those
    that comments silence. Without ``noqa`` the ``# noqa`` comments are left to the caller (flake8
    has its own way with them). Raises nothing that has to do with the source.
    """
    result = Result(source.filename, source)
    if not touches_jax(source.text) and is_plain_python(source.text):
        return result
    with deep_recursion():
        try:
            found = _check(source, config, result)
        except SourceError as error:
            found = [syntax_error(error)]
        except Exception as error:  # whatever it is, the other files are still to be read
            found = [internal_error(source.filename, "the analysis", error)]
    codes = config.codes_for(source.filename)
    found = [diagnostic for diagnostic in found if diagnostic.code in codes or diagnostic.code == "JAX902"]
    if found:
        suppressions = Suppressions.parse(source, noqa=noqa)
        found = [diagnostic for diagnostic in found if not suppressions.covers(diagnostic)]
    result.diagnostics = sorted(found, key=lambda diagnostic: diagnostic.sort_key)
    result.error = any(diagnostic.code == "JAX902" for diagnostic in found)
    return result


def check_file(filename: str, config: "Config") -> Result:
    """Read and lint one file. A file that cannot be read has one diagnostic and no source."""
    try:
        return check_source(Source.read(filename), config)
    except SourceError as error:
        on = "JAX900" in config.codes_for(filename)
        return Result(filename, None, [syntax_error(error)] if on else [])


def _check(source: Source, config: "Config", result: Result) -> list[Diagnostic]:
    module = parse(source)
    from jaxlint.semantics import analyse  # libCST comes with these; a file that is skipped does without
    from jaxlint.semantics.lower import lower

    unit = lower(module, source.filename)
    model = analyse(unit, target=config.target, is_test=config.is_test(source.filename))
    result.budget_reached = model.budget_reached
    if not model.demands:
        return []
    found_spans: list[list[Optional[tuple[int, int]]]] = []

    def spans_of_unit() -> list[Optional[tuple[int, int]]]:
        # A pass over the whole tree: made once, and only for a file that has a finding.
        if not found_spans:
            try:
                found_spans.append(spans(module, unit.cst or [], source.text))
            except SourceError as error:
                raise SourceError(error.message, source.filename, error.row, error.column) from None
        return found_spans[0]

    return _apply_rules(source, config, model, File(source, model, spans_of_unit))


def _apply_rules(source: Source, config: "Config", model: "Model", file: File) -> list[Diagnostic]:
    codes = config.codes_for(source.filename)
    by_kind: dict[str, list[Rule]] = {}
    for rule in all_rules():
        if rule.code in codes and rule.check is not None:
            for kind in rule.kinds:
                by_kind.setdefault(kind, []).append(rule)
    placing = _Placing(source, model, file)
    found: dict[tuple[str, int], Diagnostic] = {}
    failed: dict[str, Diagnostic] = {}
    for demand in model.demands:
        for rule in by_kind.get(demand.kind, ()):
            assert rule.check is not None
            try:
                for finding in rule.check(demand, file):
                    if (rule.code, finding.site) not in found:
                        found[rule.code, finding.site] = placing.diagnostic(rule, demand, finding)
            except SourceError:
                raise
            except Exception as error:
                failed.setdefault(rule.code, internal_error(source.filename, rule.name, error))
    return [*found.values(), *failed.values()]


class _Placing:
    """Makes diagnostics of findings: positions, reasons, fixes with their imports."""

    def __init__(self, source: Source, model: "Model", file: File) -> None:
        self.source = source
        self.model = model
        self.file = file

    def diagnostic(self, rule: Rule, demand: "Demand", finding: Finding) -> Diagnostic:
        start, end = self.file.span(finding.site)
        first = self.source.position(start)
        fix = finding.fix
        return Diagnostic(
            code=rule.code,
            name=rule.name,
            message=finding.message,
            filename=self.source.filename,
            start=first,
            end=self.source.position(end),
            category=rule.category,
            help=finding.help,
            fix=None if fix is None else self._complete(fix),
            related=self._reasons(demand, finding),
            noqa_row=first.row,
        )

    def _reasons(self, demand: "Demand", finding: Finding) -> tuple[Related, ...]:
        """The other places the finding names, then the chain from the value to the transform."""
        places = list(finding.also)
        if demand.origin is not None:
            places += [(step.text, step.site) for step in demand.origin.steps()]
        reasons = []
        for message, site in places:
            try:
                start, end = self.file.span(site)
            except LookupError:  # the module as a whole has no place
                continue
            start_position = self.source.position(start)
            # A step can stand at a whole function; its first line says where it is.
            line_end = start + len(self.source.line(start_position.row)) - (start_position.column - 1)
            end_position = self.source.position(min(end, line_end))
            reasons.append(Related(message, self.source.filename, start_position, end_position))
        return tuple(reasons)

    def _complete(self, fix: Fix) -> Fix:
        if any(loses_comment(self.source.text[edit.start : edit.end], edit.content) for edit in fix.edits):
            fix = fix.lowered(Applicability.DISPLAY)
        first = min((edit.start for edit in fix.edits), default=None)
        imports = resolve_imports(self.source, fix.imports, before=first)
        edits = tuple(sorted([*fix.edits, *imports], key=lambda edit: (edit.start, edit.end)))
        return replace(fix, edits=edits, imports=frozenset())


def loses_comment(old: str, new: str) -> bool:
    """Whether a comment in ``old`` is missing from ``new``."""
    if "#" not in old:
        return False
    kept = _comments(new)
    for comment in _comments(old):
        if comment not in kept:
            return True
        kept.remove(comment)
    return False


def _comments(text: str) -> list[str]:
    return [text[start:end] for start, end, kind in strings_and_comments(text) if kind == "comment"]
