"""The table of what was proven covers the rules that exist, and shows what a verification gives."""

import json
import shutil

import pytest

from jaxlint.cli import main
from jaxlint.hazards.registry import find
from jaxlint.hazards.resources import fixtures_root
from jaxlint.verify import proven, results
from jaxlint.verify.folders import chosen, folder_of
from jaxlint.verify.worker import Worker

RULE = find("JAX112")  # one whose fixtures run in seconds


@pytest.fixture(scope="module")
def verify():
    """A function that verifies the fixtures of a folder under real JAX, in a process of its own."""
    pytest.importorskip("jax", reason="fixtures run under real JAX, which is not installed")
    worker = Worker()
    yield worker.verify
    worker.close()


def test_every_rule_has_a_row_and_nothing_else_has_one():
    rows = [row for row in results.recorded() if row["platform"] == "cpu"]
    assert {(row["rule"], row["name"]) for row in rows} == {(rule.code, rule.name) for rule in chosen([])}


def test_the_recorded_row_is_what_a_verification_gives(verify):
    row = verify(folder_of(fixtures_root(), RULE)).row()
    assert row["outcome"] == "proven" and all(row["checks"].values()), row["failures"]
    (recorded,) = [each for each in proven.of_rule(RULE.code) if each["platform"] == row["platform"]]
    assert {name: recorded[name] for name in ("cases", "near_misses", "fixes", "checks", "transforms")} == {
        name: row[name] for name in ("cases", "near_misses", "fixes", "checks", "transforms")
    }, f"run `python -m jaxlint.verify {RULE.code} --record`"


def test_the_table_shows_what_fails(verify, tmp_path):
    """An expectation that does not hold and a reference that is wrong are a "no" in their columns."""
    folder = tmp_path / RULE.family / RULE.name
    shutil.copytree(folder_of(fixtures_root(), RULE), folder)
    bad = folder / "bad.py"
    bad.write_text(
        bad.read_text(encoding="utf-8").replace(f"# expect: {RULE.code}", "# expect: JAX516", 1), encoding="utf-8"
    )
    recorded = tmp_path / "recorded.json"
    rows = results.record([verify(folder).row()], recorded)
    assert rows == results.recorded(recorded) and rows[0]["outcome"] == "failed"
    text = proven.markdown(rows)
    assert text.startswith("0 of 1 rules proven")
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {RULE.code} ")]
    assert proven.cells(rows[0], [])["bad fails"] == "no" and "| no |" in line


def test_the_page_of_a_rule_shows_its_row(capsys):
    assert main(["explain", "JAX103"]) == 0
    said = proven.sentence("JAX103")
    assert said is not None and said in capsys.readouterr().out.replace("\n", "")
    assert main(["explain", "JAX103", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["proven"] == proven.of_rule("JAX103")


def test_a_platform_that_was_not_run_is_not_claimed():
    report = results.Report("JAX103", "branch-on-tracer", {"platform": "cpu", "jax": "0.10.2"}, cases=2)
    report.problems = {check: [] for check in results.CHECKS}
    report.problems["values"] = ["fixed.py:3: another value"]
    row = report.row()
    shown = proven.cells(row, [row])
    assert shown["gpu"] == "not yet run"
    assert (shown["fixed runs"], shown["equal values"], shown["stable"]) == ("yes", "no", "yes")
    gpu = {**row, "platform": "gpu", "outcome": "proven"}
    assert proven.cells(row, [row, gpu])["gpu"] == "proven"
    nowhere = results.Report(
        "JAX103", "branch-on-tracer", {"platform": "cpu", "jax": "0.10.2"}, cases=1, skipped=["on gpu"]
    ).row()
    assert proven.cells(nowhere, [])["equal values"] == "not run here"
    died = results.Report("JAX103", "branch-on-tracer", died="took too long").row()
    assert proven.cells(died, [])["bad fails"] == "no"


def test_results_are_kept_of_rules_that_exist(tmp_path):
    path = tmp_path / "recorded.json"
    rule = find("JAX103")
    rows = [
        results.Report(code, rule.name, {"platform": "cpu", "jax": "0.10.2"}).row() for code in ("JAX103", "JAX199")
    ]
    results.record(rows, path)
    kept = results.record([], path, rules={"JAX103"})
    assert [row["rule"] for row in kept] == ["JAX103"] and kept == results.recorded(path)
