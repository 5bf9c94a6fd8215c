"""The table of what was proven covers the rules that exist, and says what the recorded results say."""

import json

from jaxlint.cli import main
from jaxlint.rules import find
from jaxlint.verify import pages, proven, results
from jaxlint.verify.folders import chosen


def test_every_rule_has_a_row_and_nothing_else_has_one():
    rows = [row for row in results.recorded() if row["platform"] == "cpu"]
    assert {(row["rule"], row["name"]) for row in rows} == {(rule.code, rule.name) for rule in chosen([])}


def test_the_page_is_what_the_command_writes():
    page = pages.VERIFICATION.read_text(encoding="utf-8")
    assert pages.part(page, "proven") == proven.markdown(results.recorded())


def test_nothing_recorded_has_failed():
    failed = {row["rule"]: row["failures"] for row in results.recorded() if row["outcome"] == "failed"}
    assert failed == {}


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
    nowhere = results.Report("JAX103", "branch-on-tracer", {"platform": "cpu", "jax": "0.10.2"}, cases=1, skipped=["on gpu"]).row()
    assert proven.cells(nowhere, [])["equal values"] == "not run here"
    died = results.Report("JAX103", "branch-on-tracer", died="took too long").row()
    assert proven.cells(died, [])["bad fails"] == "no"


def test_results_are_kept_of_rules_that_exist(tmp_path):
    path = tmp_path / "recorded.json"
    rule = find("JAX103")
    rows = [results.Report(code, rule.name, {"platform": "cpu", "jax": "0.10.2"}).row() for code in ("JAX103", "JAX199")]
    results.record(rows, path)
    kept = results.record([], path, rules={"JAX103"})
    assert [row["rule"] for row in kept] == ["JAX103"] and kept == results.recorded(path)
