"""Why nothing, or not more, is reported on a line: the hazards considered there, and what kept each from a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.hazards import Exclusion
from jaxlint.configuration.config import Config
from jaxlint.hazards.registry import all_rules
from jaxlint.hazards.rule import Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import ElsewhereError
from jaxlint.run.pipeline import Result, check_root
from jaxlint.run.reveal import Analysis
from jaxlint.source.text import Position, Source

if TYPE_CHECKING:
    from jaxlint.analysis.domain.hazards import Hazard

REPORTED = "reported"
EXCLUSIONS = {
    Exclusion.MUTED: "the code is not certain to run with these values",
    Exclusion.EXPECTED: "the code around it expects an error",
    Exclusion.CAUGHT: "the code around it catches or expects the error",
    Exclusion.STATIC: "the argument may be static: no caller says what it is",
    Exclusion.HOST_CODE: "the function is presumed to be traced, and several of its statements would fail: it runs without a transform",
    Exclusion.OBJECT: "the value may be an object other than a jax array",
    Exclusion.CONDITION: "a condition around it may exclude the value",
    Exclusion.ERROR_MESSAGE: "it is part of the message of an error",
    Exclusion.ATTRIBUTE_TEST: "it runs only where `hasattr` finds the attribute",
}


@dataclass(frozen=True)
class Considered:
    """A place on the line, the rule that it concerns, and what became of it. ``rule`` is None for the line's values."""

    start: Position
    code: str
    rule: Rule | None
    outcome: str
    function: str = ""  # the body that was run


def why_silent(source: Source, row: int, config: Config) -> list[Considered]:
    """What was considered on a row, in the order of the text. Raises SourceError like ``parse``."""
    analysis = Analysis(source, config.project, config.conventions, target=config.target)
    result = check_root(source, config, analysis.loader)
    hazards = list(_hazards(analysis, source, row, config, result))
    # An expression with a hazard has no value afterwards.
    places = ((each.site, _start(analysis, source, each.site)) for each in _all(analysis))
    values = _values(analysis, source, row, {site for site, start in places if start is not None and start.row == row})
    found = list(dict.fromkeys([*hazards, *values])) or [_nothing(source, row, analysis)]
    return sorted(
        found, key=lambda each: (each.start, each.rule is None, each.rule.code if each.rule else "", each.outcome)
    )


def _all(analysis: Analysis) -> list[Hazard]:
    return [*analysis.model.hazards, *(hazard for hazard, _ in analysis.model.excluded)]


def _hazards(analysis: Analysis, source: Source, row: int, config: Config, result: Result) -> Iterator[Considered]:
    told: set[tuple[type[Hazard], int]] = set()
    # A muted run is the last thing to name: another one may have a better reason.
    excluded = sorted(analysis.model.excluded, key=lambda each: each[1] is Exclusion.MUTED)
    for hazard, reason in [*((each, None) for each in analysis.model.hazards), *excluded]:
        key = (type(hazard), hazard.site)
        start = _start(analysis, source, hazard.site)
        if start is None or start.row != row or key in told:
            continue
        told.add(key)
        code = _code(analysis, hazard.operand)
        function = hazard.activation.label if hazard.activation is not None else ""
        for rule in all_rules():
            if type(hazard) in rule.hazards and rule.check is not None:
                if _says_something(rule, hazard, analysis):
                    outcome = EXCLUSIONS[reason] if reason else _outcome(analysis, rule, config, result, row)
                    yield Considered(start, code, rule, outcome, function)


def _says_something(rule: Rule, hazard: Hazard, analysis: Analysis) -> bool:
    assert rule.check is not None
    try:
        return bool(list(rule.check(hazard, analysis.files.own)))
    except ElsewhereError:
        return False


def _outcome(analysis: Analysis, rule: Rule, config: Config, result: Result, row: int) -> str:
    """What became of a finding of a rule."""
    filename = analysis.files.own.source.filename
    if any(each.code == rule.code and each.start.row == row for each in result.diagnostics):
        return REPORTED
    if rule.code not in config.codes_for(filename):
        if rule.on == "preview" and not config.preview:
            return "the rule is in preview: `--preview` turns it on"
        if rule.on == "opt-in":
            return f"the rule is off until it is selected: `--extend-select {rule.code}`"
        return "the configuration turns the rule off for this file"
    if any(each.code == rule.code and each.place.row == row for each in result.silenced):
        return "a comment silences it"
    return "another rule reports the place"


_OUTCOMES = {
    "unknown": "its value is not known, and nothing is reported of it",
    "undecided": "it may be an array or a tree of arrays: no caller says which",
}
_STAGES = {
    "staged": "is traced, and no value on this line is known to depend on an argument",
    "eager": "runs eagerly: no transform around it is known",
    "unknown": "may be traced or not: no caller of it is known",
}


def _values(analysis: Analysis, source: Source, row: int, explained: set[int]) -> Iterator[Considered]:
    """What is not known of the values on the row, innermost expressions alone, and the bodies where nothing is traced."""
    own = [each for each in analysis.own() if source.position(each.start).row == row]
    lost = [each for each in own if each.value.kind in _OUTCOMES]
    for each in lost:
        inner = any(
            each.start <= other.start and other.end <= each.end and other.end - other.start < each.end - each.start
            for other in lost
        )
        if not inner and each.site not in explained and not (explained and each.value.kind == "undecided"):
            start, code = source.position(each.start), _code(analysis, each.site)
            yield Considered(start, code, None, _OUTCOMES[each.value.kind], each.activation.label)
    stages = {each.activation.stage for each in own}
    if own and not any(each.value.kind == "traced" for each in own) and (stages != {"staged"} or not lost):
        start, activation = source.position(own[0].start), own[0].activation
        name = activation.scope.name if isinstance(activation.scope, ir.Function) else "the module's code"
        outcome = f"{name} {_STAGES[activation.stage]}"
        yield Considered(start, "", None, outcome, activation.label)


def _nothing(source: Source, row: int, analysis: Analysis) -> Considered:
    cut = "; ".join(analysis.model.budget_reached)
    outcome = f"the analysis was cut short: {cut}" if cut else "no expression that begins on this line is evaluated"
    return Considered(Position(row, 1), "", None, outcome)


def _start(analysis: Analysis, source: Source, site: int) -> Position | None:
    if site not in analysis.model.unit:
        return None
    try:
        return source.position(analysis.files.own.span(site)[0])
    except LookupError:
        return None


def _code(analysis: Analysis, site: int) -> str:
    try:
        return analysis.files.own.code(site, 40)
    except LookupError:
        return ""
