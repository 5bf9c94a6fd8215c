"""Inputs of a fixed seed that no one would write: linted, fixed and linted again; tests/fuzzing/run.py tries many more."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jaxlint.cli import main
from jaxlint.hazards.registry import find
from jaxlint.run import pipeline

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tests" / "fuzzing"))

from bad_inputs import BEGIN, CASES, END, PAGE, lint, shown, wrong
from inputs import files, made
from judge import judge

SEED = 7


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\n")
    return tmp_path / "m.py"


@pytest.mark.parametrize("kind, count", [("grammatical", 2), ("mutated", 90), ("bytes", 30)])
def test_nothing_goes_wrong(kind, count, place):
    originals = files([ROOT / "fixtures"])
    inputs = [made(kind, SEED, number, originals) for number in range(count)]
    found = [(number, judge(place, raw)) for number, raw in enumerate(inputs) if raw is not None]
    assert [(number, each.wrong) for number, each in found if each.wrong] == []
    if kind == "mutated":
        assert sum(each.parses for _, each in found) > 10 and sum(each.fixed for _, each in found) > 3


def test_rule_that_raises_is_seen_with_what_it_looked_at(place, monkeypatch, capsys):
    raw = b"import jax.numpy as jnp\n\n\ndef f():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"
    assert judge(place, raw).wrong is None and judge(place, raw).fixed

    def raising(hazard, file):
        raise ZeroDivisionError("no")

    rule = find("JAX308")
    monkeypatch.setattr(
        pipeline, "_rules_by_hazard", lambda codes: {kind: [replace(rule, check=raising)] for kind in rule.hazards}
    )
    wrong = judge(place, raw).wrong or ""
    assert (
        "JAX902 Internal error in item-assignment: ZeroDivisionError: no" in wrong
        and "looking at `y[0] = 1.0`" in wrong
    )
    assert main(["check", "--no-cache", "--jobs", "1", "--output-format", "concise", str(place)]) == 2
    assert "m.py:6:5: JAX902" in capsys.readouterr().out


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input_costs_little(case):
    assert wrong(case, lint(case)) == ""


def test_the_page_has_a_row_for_each_bad_input():
    table = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]
    assert [row[:2] for row in rows] == [[case.name, shown(case.codes)] for case in CASES], "run bad_inputs.py --record"
