"""A program, what JAX did and what the linter said, held against each other; and the smallest program that disagrees alike."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from jaxlint.source.diagnostic import Category, Diagnostic
from jaxlint.verify.differential.grammar import OPERATION, Program, Text, write
from jaxlint.verify.differential.linter import Place, findings
from jaxlint.verify.differential.oracle import Failures, failures
from jaxlint.verify.differential.programs import is_declared
from jaxlint.verify.differential.verdicts import Verdict, Verdicts

NOTHING_KEPT = Verdicts()


@dataclass
class Comparison:
    """``missed`` fails and is not reported, ``false`` is reported and runs."""

    program: Program
    text: Text
    failures: Failures
    missed: dict[str, str] = field(default_factory=dict)  # operation or place -> error
    false: dict[str, str] = field(default_factory=dict)  # operation or place -> code

    @property
    def agrees(self) -> bool:
        return not self.missed and not self.false

    @property
    def judged(self) -> bool:
        """Whether JAX tells of every operation how it ends; not so where a construct fails around them."""
        return self.failures.elsewhere is None

    def __str__(self) -> str:
        return " ".join([*(f"missed {k} ({e})" for k, e in self.missed.items()),
                         *(f"false {k} ({c})" for k, c in self.false.items())])  # fmt: skip


def compare(program: Program, verdicts: Verdicts = NOTHING_KEPT) -> Comparison:
    text = write(program)
    found = findings(text)

    def held_against(question: str, compiling: bool) -> Comparison:
        verdict = verdicts.of(question, text, lambda: _verdict(failures(program, text, compiling=compiling)))
        return _compared(program, text, _failures(verdict), found)

    result = held_against("which operations fail while they are traced?", compiling=False)
    return result if result.agrees else held_against("which operations fail?", compiling=True)


def _verdict(failed: Failures) -> Verdict:
    return {**asdict(failed), "by_value": sorted(failed.by_value)}


def _failures(verdict: Verdict) -> Failures:
    elsewhere = verdict["elsewhere"]
    return Failures(
        {int(index): name for index, name in verdict["operations"].items()},
        set(verdict["by_value"]),
        (Place(*elsewhere[0]), elsewhere[1]) if elsewhere else None,
    )


def _compared(program: Program, text: Text, failed: Failures, found: dict[Place, list[Diagnostic]]) -> Comparison:
    result = Comparison(program, text, failed)
    if failed.elsewhere is not None:
        place, error = failed.elsewhere
        if place not in found:
            result.missed[f"{place.file}:{place.row}"] = error
        return result
    said: dict[int, str] = {}  # of operations; what runs, and gives something else than it says, is no false finding
    fails: dict[int, str] = {}
    for place, each in found.items():
        index = text.rows.get(place)
        failing = [diagnostic.code for diagnostic in each if diagnostic.category is Category.FAILS]
        if index is not None:
            said[index] = each[0].code
            fails.update((index, code) for code in failing)
        elif failing:
            result.false[f"{place.file}:{place.row}"] = failing[0]
    for index, item in enumerate(program):
        if item.kind != OPERATION or index in failed.by_value:
            continue
        if index in failed.operations and index not in said:
            result.missed[str(item.choice)] = failed.operations[index]
        elif index in fails and index not in failed.operations:
            result.false[str(item.choice)] = fails[index]
    return result


def shrunk(found: Comparison, verdicts: Verdicts = NOTHING_KEPT) -> Comparison:
    """Takes constructs away while the program still misses something, or says something false, as it did."""
    kind = (bool(found.missed), bool(found.false), found.judged)
    smaller = True
    while smaller:
        smaller = False
        for index in range(len(found.program)):
            program = found.program[:index] + found.program[index + 1 :]
            if not is_declared(program):
                continue
            other = compare(program, verdicts)
            if (bool(other.missed), bool(other.false), other.judged) == kind:
                found, smaller = other, True
                break
    return found
