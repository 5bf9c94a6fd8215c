"""What the model says of the fixtures of the semantic model, held to their comments. Imports no jax."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from jaxlint.report.text import visible
from jaxlint.run.reveal import Expression, Revealed
from jaxlint.source.text import Source
from jaxlint.verify.fixture import FixtureFile
from jaxlint.verify.folders import MODEL
from jaxlint.verify.messages import Places, difference, joined

_CALL = re.compile(r"\breveal\(")


def check_claims(path: Path) -> list[str]:
    """What is wrong with the comments of a file, or with the model."""
    fixture = FixtureFile.read(path)
    asked = reveal_calls(fixture.linted)
    problems = [f"{path}:{row}: `reveal` has no `# revealed:` comment" for row in asked if row not in fixture.revealed]
    problems += [f"{path}:{row}: `# revealed:` without `reveal(...)`" for row in fixture.revealed if row not in asked]
    if not asked:
        problems.append(f"{path}:1: reveals nothing")
    model = Model(fixture, asked)
    return problems + _model_problems(fixture, model) + difference(model.said(), path, MODEL)


def reveal_calls(text: str) -> dict[int, tuple[int, int]]:
    """Row of each ``reveal(argument)`` with the start and end offset of the argument."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(row: int, byte: int) -> int:
        line = text[starts[row - 1] : starts[row]]
        return starts[row - 1] + len(line.encode("utf-8")[:byte].decode("utf-8"))

    return {
        node.lineno: (
            offset(node.args[0].lineno, node.args[0].col_offset),
            offset(node.args[0].end_lineno or 0, node.args[0].end_col_offset or 0),
        )
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reveal"
    }


def as_analysed(text: str) -> str:
    """The text without ``reveal``, everything else where it was: the model is not to see an unknown call."""
    return _CALL.sub("(      ", text)


class Model:
    """What the model says of the revealed expressions of a file; ``asked`` has their places by row."""

    def __init__(self, fixture: FixtureFile, asked: dict[int, tuple[int, int]]) -> None:
        self._fixture = fixture
        self._revealed = Revealed(Source.from_text(as_analysed(fixture.linted), str(fixture.path)))
        self.why = self._revealed.why
        by_span: dict[tuple[int, int], list[Expression]] = defaultdict(list)
        for expression in self._revealed.expressions:
            by_span[expression.start, expression.end].append(expression)
        self.expressions = {row: by_span[asked[row]] for row in sorted(asked)}

    def said(self) -> str:
        """The golden file of messages: each revealed expression, its values and their reasons."""
        places = Places(self._fixture.linted, self._fixture.path)
        return joined(self._block(found, places) for found in self.expressions.values() if found)

    def _block(self, found: list[Expression], places: Places) -> list[str]:
        source = self._revealed.source
        shown = places.shown(source.filename, source.position(found[0].start), source.position(found[0].end))
        lines: dict[tuple[str, ...], None] = {}  # calls that differ in values alone are told once
        for each in found:
            kind = " ".join(filter(None, (each.value.kind, each.value.cls)))
            lines[(f"  {kind}, in {visible(each.activation.label)}", *self._reasons(each, places))] = None
        return [shown, *(line for part in lines for line in part)]

    def _reasons(self, each: Expression, places: Places) -> Iterator[str]:
        for step in each.value.origin.steps() if each.value.origin is not None else ():
            file = each.files.of(step.site)
            start, end = map(file.source.position, file.span(step.site))
            yield f"    why: {visible(step.text)}"
            yield f"         {places.shown(file.source.filename, start, end)}"


def _model_problems(fixture: FixtureFile, model: Model) -> list[str]:
    problems = []
    for row, claims in fixture.revealed.items():
        if row not in model.expressions:
            continue
        found = model.expressions[row]
        got = {(each.value.kind, each.value.cls) for each in found}
        wanted = {(claim.value, claim.cls) for claim in claims}
        if got != wanted:
            problems.append(f"{fixture.path}:{row}: the model says {_say(got)}, the comment {_say(wanted)}")
        for claim in claims:
            if claim.why and not any(claim.why in reason for each in found for reason in model.why(each)):
                reasons = sorted({" · ".join(model.why(each)) for each in found})
                problems.append(f"{fixture.path}:{row}: `{claim.why}` is not among the reasons: {reasons}")
    return problems


def _say(values: set[tuple[str, str | None]]) -> str:
    return " | ".join(sorted(" ".join(filter(None, value)) for value in values)) or "nothing (it is never evaluated)"
