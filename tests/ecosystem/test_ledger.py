"""Released packages are linted, and what is found is what the ledger has; the tools around the ledger work."""

import json
import subprocess
import sys
from dataclasses import replace

import first_sight
import ledger
import page
import pytest
import run
import sources

# Small sdists with findings of eight rules; all of them are linted by run.py.
PACKAGES = ("evojax", "sbiax", "signax")


@pytest.mark.parametrize("package", PACKAGES)
def test_linting_a_package_finds_what_the_ledger_has(package, capsys, monkeypatch):
    pin = sources.pins()[package]
    try:
        folder = sources.fetch([pin], sources.default_folder())[package]
    except sources.Unavailable as error:
        pytest.skip(f"{pin.name} cannot be had from the index: {error}")
    monkeypatch.chdir(folder)
    checked = run.check(pin, folder, jobs=1)
    known = [entry for entry in ledger.read() if entry.package == package]
    assert run.compare(checked, known), capsys.readouterr().out
    assert checked.entries and (checked.read,) == tuple(
        each for each in ledger.read_summary() if each.package == package
    )


REUSE = "import jax\n\n\ndef f(key):\n    return jax.random.normal(key) + jax.random.normal(key)\n"
GONE = "import jax\n\nleaves = jax.tree_leaves([1])\n"
PIN = sources.Pin("p", "1", "0")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The folder of a package with three findings, one of them in a notebook."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "p-1"
    (folder / "tests").mkdir(parents=True)
    (folder / "a.py").write_text(REUSE)
    (folder / "d.py").write_text(GONE)
    (folder / "tests" / "b.py").write_text(REUSE)
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": REUSE.splitlines(True),
    }
    (folder / "c.ipynb").write_text(
        json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    )
    return folder


def test_a_package_is_linted_as_in_its_root(package, capsys):
    checked = run.check(PIN, package, jobs=1)
    reuse = ledger.Entry("p", "1", "a.py", 5, "JAX401", ledger.content(REUSE.splitlines()[4]))
    gone = ledger.Entry("p", "1", "d.py", 3, "JAX801", ledger.content(GONE.splitlines()[2]))
    lines = (package / "c.ipynb").read_text().splitlines()
    row = 1 + next(at for at, line in enumerate(lines) if "return" in line)
    assert checked.entries == [reuse, replace(reuse, path="c.ipynb", line=row), gone]
    assert (checked.read.files, checked.read.notebooks, checked.failures) == (4, 1, [])
    assert run.compare(checked, [replace(each, line=4, verdict="true") for each in checked.entries])
    assert not run.compare(checked, [])
    assert "new: a.py:5: JAX401 Key" in capsys.readouterr().out


def test_figures_follow_from_what_is_found_and_how_it_was_judged(package, tmp_path, monkeypatch):
    checked = run.check(PIN, package, jobs=1)
    verdicts = [("true", "It is."), ("false", "It is not."), ("true", "It is gone.")]
    entries = [
        replace(entry, verdict=verdict, reason=reason)
        for entry, (verdict, reason) in zip(checked.entries, verdicts, strict=True)
    ]
    look = first_sight.Look("2026-01-02", "abc", 3, [first_sight.Package("p", "1", "0", 4, 1)], entries)
    text = page.text(entries, [look])
    assert "| JAX4xx keys | 2 | 1 | 0 | 1 | 50.0 % | 50.0 % |" in text
    assert "| JAX801 removed-api | 1 | 1 | 0 | 0 | 100.0 % | 100.0 % |" in text
    assert (
        "| all but JAX8xx | 2 | 1 | 0 | 1 | 50.0 % | 50.0 % |" in text
        and "| all | 3 | 2 | 0 | 1 | 66.7 % | 66.7 % |" in text
    )
    assert "| p 1 | 4 | 1 | 3 | 2 | 0 | 1 |" in text
    assert text.index("- `c.ipynb:") < text.index("- `a.py:5` JAX401: It is.") and "It is gone." not in text
    with pytest.raises(ValueError, match="give it a verdict"):
        page.text(checked.entries, [look])
    monkeypatch.setattr(first_sight, "LOOKS", tmp_path / "looks.json")
    first_sight.write([look])
    assert first_sight.read() == [look]


@pytest.mark.parametrize("package", ["brax", "mava", "skrl"])  # of requirements.txt, of seen.txt, of a look
def test_a_package_that_was_linted_before_is_refused_at_first_sight(package):
    done = subprocess.run(
        [sys.executable, first_sight.__file__, package, "no-such-package"], capture_output=True, text=True
    )
    assert done.returncode == 2 and f"already seen: {package};" in done.stderr


def test_verdict_stays_with_the_line_when_it_moves():
    old = ledger.Entry("p", "1", "a.py", 5, "JAX401", ledger.content("    x = f(key)"), "true", "It is.")
    moved = ledger.Entry("p", "2", "a.py", 9, "JAX401", ledger.content("x = f(key)"))
    other = ledger.Entry("p", "2", "a.py", 12, "JAX401", ledger.content("x = f(key)"))
    assert ledger.judged([other, moved], [old]) == [replace(moved, verdict="true", reason="It is."), other]
    assert ledger.difference([moved, other], [old]) == ([other], [])
    assert ledger.difference([], [old]) == ([], [old])
