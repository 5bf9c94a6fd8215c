"""The tracer oracle: what the model says of every expression against what the expression was.

A file is run with each expression instrumented, and analysed as the same program. The model makes
one claim for each expression and activation; at run time an expression shows one fact for each
evaluation. Activations are not told apart at run time, so unions are compared: an expression
*disagrees* when all claims on it are certain and some fact is covered by none of them. A claim
``traced`` beside claims that are not, of which no tracer was seen, is *unwitnessed*: that
activation may not have been run.

Only expressions count that were an array, a tracer or a key, or a Python scalar made from one.

``python -m jaxlint.verify.oracle FOLDER`` prints one line of JSON for the fixtures in a folder.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import jax
import numpy as np

from jaxlint.run.reveal import Revealed
from jaxlint.source.text import Source
from jaxlint.verify import place
from jaxlint.verify.claims import as_analysed
from jaxlint.verify.execute import Outcome, Runs, run_case
from jaxlint.verify.fixture import Case, FixtureFile
from jaxlint.verify.instrument import RECORD, Offsets, Span, instrumented

Facts = dict[Span, set[str]]
Claims = dict[Span, list[tuple[str, str | None]]]

DATA = frozenset({"tracer", "array", "numpy"})
FUNCTION = "def "  # before the name of a function of Python, in what an activation is entered with
PARTS = 32  # of one value that a function is entered with
# Facts each claim covers. A claim that is not here is not certain and covers everything.
COVERS = {
    "const": {"scalar", "numpy"},
    "static": {"scalar", "numpy"},
    "concrete": {"array"},
    "host": {"numpy", "scalar"},
    "traced": {"tracer"},
    "ref": set(),
}


@dataclass
class Comparison:
    """Figures of one comparison, or the sum of several."""

    compared: int = 0
    certain: int = 0
    unwitnessed: int = 0
    unclaimed: int = 0  # evaluated at run time, and never by the model
    disagreements: list[str] = field(default_factory=list)

    def __iadd__(self, other: Comparison) -> Comparison:
        self.compared += other.compared
        self.certain += other.certain
        self.unwitnessed += other.unwitnessed
        self.unclaimed += other.unclaimed
        self.disagreements += other.disagreements
        return self

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Observer:
    """Collects a fact for each evaluation. The instance is what instrumented code calls."""

    def __init__(self) -> None:
        self.facts: Facts = defaultdict(set)

    def __call__(self, span: Span, value: Any) -> Any:
        self.facts[span].add(fact(value))
        return value


def fact(value: Any) -> str:
    """What a run-time value is: tracer, array, numpy, scalar or other."""
    if isinstance(value, jax.core.Tracer):
        return "tracer"
    if isinstance(value, jax.Array):
        return "array"
    if isinstance(value, (np.ndarray, np.generic)):
        return "numpy"
    return "scalar" if isinstance(value, (bool, int, float, complex)) else "other"


def named(function: str, row: int = 0) -> str:
    """What tells functions apart that an activation is entered with: their names, and the rows of lambdas."""
    return f"{FUNCTION}{function}" + (f":{row}" if function == "<lambda>" else "")


def compare(text: str, filename: str, facts: Facts) -> Comparison:
    """The model of a program against the facts of running it."""
    model = Revealed(Source.from_text(text, filename))
    claims: Claims = defaultdict(list)
    for expression in model.expressions:
        claims[expression.start, expression.end].append((expression.value.kind, expression.value.cls))
    result = Comparison()
    for span in sorted(counting(text, facts)):
        seen = facts[span] - {"other"}
        made = claims.get(span)
        if not made:
            result.unclaimed += 1
            continue
        result.compared += 1
        kinds = {kind for kind, _ in made}
        if not kinds <= COVERS.keys():
            continue
        result.certain += 1
        uncovered = seen - set().union(*(COVERS[kind] for kind in kinds))
        if uncovered:
            at = model.source.position(span[0])
            code = " ".join(text[span[0] : span[1]].split())
            result.disagreements.append(
                f"{filename}:{at.row}:{at.column}: `{code}` is {', '.join(sorted(uncovered))}"
                f" and the model says {', '.join(sorted(kinds))}"
            )
        elif "traced" in kinds and "tracer" not in seen:
            result.unwitnessed += 1
    return result


def counting(text: str, facts: Facts) -> set[Span]:
    """The spans that count: data, and Python scalars with data among what they are made of.

    A scalar is made of the expressions inside it and, for a name, of what is assigned to the name
    anywhere in the same function.
    """
    tree = ast.parse(text)
    offsets = Offsets(text)
    counted = {span for span, seen in facts.items() if seen & DATA}
    expressions = _scoped(tree, "<module>")
    bindings = list(_bindings(expressions))
    derived: set[tuple[str, str]] = set()
    size = -1
    while size != len(counted) + len(derived):
        size = len(counted) + len(derived)
        for scope, node in expressions:
            if not isinstance(node, ast.expr):
                continue
            span = offsets.span(node)
            if span in counted or "scalar" not in facts.get(span, ()):
                continue
            inside = any(
                isinstance(inner, ast.expr) and inner is not node and offsets.span(inner) in counted
                for inner in ast.walk(node)
            )
            if inside or (isinstance(node, ast.Name) and (scope, node.id) in derived):
                counted.add(span)
        for scope, name, value in bindings:
            if any(isinstance(each, ast.expr) and offsets.span(each) in counted for each in ast.walk(value)):
                derived.add((scope, name))
    return counted


def _scoped(node: ast.AST, scope: str) -> list[tuple[str, ast.AST]]:
    """Every node with the name of the function it is in, made unique by the row."""
    found = []
    for child in ast.iter_child_nodes(node):
        found.append((scope, child))
        inner = scope
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inner = f"{scope}.{getattr(child, 'name', '<lambda>')}@{child.lineno}:{child.col_offset}"
        found += _scoped(child, inner)
    return found


def _bindings(nodes: Iterable[tuple[str, ast.AST]]) -> Iterable[tuple[str, str, ast.expr]]:
    """Names and the expressions they are bound to, with the scope."""
    for scope, node in nodes:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            targets, value = [node.target], node.value
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            targets, value = [node.target], node.iter
        else:
            continue
        for target in targets:
            for inner in ast.walk(target):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield scope, inner.id, value


class Comparing:
    """Runs cases instrumented, each once, and adds up what the model says of them."""

    def __init__(self) -> None:
        self.total = Comparison()
        self.run = Runs(self._compare)

    def _compare(self, fixture: FixtureFile, case: Case) -> Outcome:
        observer = Observer()
        outcome = run_case(
            fixture,
            case,
            names={RECORD: observer},
            compiled=lambda text, filename: instrumented(as_analysed(text), filename),
        )
        # To the model the run is the last statement of the module, so that it sees the same calls.
        program = as_analysed(fixture.program(case)) + (f"\n{case.run}\n" if case.run else "")
        self.total += compare(program, str(fixture.path), observer.facts)
        return outcome

    def file(self, path: Path) -> None:
        """Run all cases of a fixture file that can be run here."""
        fixture = FixtureFile.read(path)
        for case in fixture.cases or [Case(start=1, body=1, end=fixture.text.count("\n") + 2)]:
            if all(place.holds(proof.condition) for proof in case.proofs):
                self.run(fixture, case)


def compare_file(path: Path) -> Comparison:
    """All cases of a fixture file that can be run here."""
    comparing = Comparing()
    comparing.file(path)
    return comparing.total


def files_of(folder: Path) -> list[Path]:
    """Fixtures the oracle runs. Hazards at import are left out: they change the process they run in."""
    return [path for path in sorted(folder.glob("*.py")) if not path.name.startswith(("bad_", "fixed_"))]


def main(folder: Path) -> int:
    total = Comparison()
    for path in files_of(folder):
        total += compare_file(path)
    print(json.dumps(total.as_dict()))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
