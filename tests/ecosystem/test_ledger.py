"""The ledger is in order, everything in it has been read, and its page follows from it."""

import json
import re
from dataclasses import replace

import ledger
import page
import pytest
import run
import sources

from jaxlint.rules import find

ENTRIES = ledger.read()


def test_ledger_is_sorted_one_entry_a_line():
    assert ledger.LEDGER.read_text(encoding="utf-8") == ledger.dump(ENTRIES)


def test_every_finding_has_been_read():
    assert [entry for entry in ENTRIES if entry.verdict not in ledger.VERDICTS] == []
    assert [entry for entry in ENTRIES if not re.fullmatch(r"[A-Z`].*\.", entry.reason)] == []


def test_packages_and_versions_are_those_that_are_pinned():
    pinned = {(pin.package, pin.version) for pin in sources.pins().values()}
    assert {(each.package, each.version) for each in ledger.read_summary()} == pinned
    assert {(entry.package, entry.version) for entry in ENTRIES} <= pinned
    assert len(pinned) >= 40


def test_findings_are_those_of_rules_that_are_on():
    assert {entry.code for entry in ENTRIES if find(entry.code).on != "default"} == set()


def test_default_findings_are_right_in_95_of_100():
    assert page.right(ENTRIES) / len(ENTRIES) >= 0.95
    true = [entry for entry in ENTRIES if entry.verdict == "true" and not entry.code.startswith(page.MIGRATION)]
    assert len(true) >= 50


@pytest.mark.parametrize("code", sorted({entry.code for entry in ENTRIES}))
def test_rule_with_many_findings_is_right_in_90_of_100(code):
    found = [entry for entry in ENTRIES if entry.code == code]
    assert len(found) < 10 or page.right(found) / len(found) >= 0.9


def test_page_follows_from_the_ledger():
    assert page.PAGE.read_text(encoding="utf-8") == page.text(ENTRIES), "run `python tests/ecosystem/page.py`"


def test_reused_key_in_a_test_has_to_do_harm():
    reuse = ledger.Entry("p", "1", "tests/sampling.py", 1, "JAX401", "", "harmless", "It is meant.")
    assert page.right([reuse]) == 0
    assert page.right([replace(reuse, verdict="true"), replace(reuse, path="p/a.py"), replace(reuse, code="JAX503")]) == 3


def test_verdict_stays_with_the_line_when_it_moves():
    old = ledger.Entry("p", "1", "a.py", 3, "JAX401", ledger.content("x = f(key)"), "true", "It is.")
    moved = ledger.Entry("p", "2", "a.py", 9, "JAX401", ledger.content("    x = f(key)"))
    other = ledger.Entry("p", "2", "a.py", 12, "JAX401", ledger.content("x = f(key)"))
    assert ledger.judged([other, moved], [old]) == [replace(moved, verdict="true", reason="It is."), other]
    assert ledger.difference([moved, other], [old]) == ([other], [])
    assert ledger.difference([], [old]) == ([], [old])


REUSE = "import jax\n\n\ndef f(key):\n    return jax.random.normal(key) + jax.random.normal(key)\n"


def test_package_is_linted_as_in_its_root(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "p-1"
    (package / "tests").mkdir(parents=True)
    (package / "a.py").write_text(REUSE)
    (package / "tests" / "b.py").write_text(REUSE)
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": REUSE.splitlines(True)}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    (package / "c.ipynb").write_text(notebook)
    pin = sources.Pin("p", "1", "0")
    checked = run.check(pin, package, jobs=1)
    expected = ledger.Entry("p", "1", "a.py", 5, "JAX401", ledger.content(REUSE.splitlines()[4]))
    row = 1 + next(at for at, line in enumerate(notebook.splitlines()) if "return" in line)
    assert checked.entries == [expected, replace(expected, path="c.ipynb", line=row)]
    assert (checked.read.files, checked.read.notebooks, checked.failures) == (3, 1, [])
    assert run.compare(checked, [replace(each, line=4, verdict="true") for each in checked.entries])
    assert not run.compare(checked, [])
    assert "new: a.py:5: JAX401 the key" in capsys.readouterr().out
