"""The report says how many findings comments silence, each counted once however it is found."""

import json
import sys

import pytest

from jaxlint.cli import main

BRANCH = "import jax\n\n\n@jax.jit\ndef step(x):\n    if x > 2:{}\n        return x\n    return -x\n"
HELPER = "def scale(x):\n    if x > 2:{}\n        return x\n    return -x\n"
CALLER = "import jax\nfrom helper import scale\n\n\n@jax.jit\ndef {}(x):\n    return scale(x){}\n"
NOQA, OURS = "  # noqa: JAX103", "  # jaxlint: disable=branch-on-tracer"
TWICE = "import jax\n\n\ndef pair(key):\n    a = jax.random.normal(key){}\n    return a, jax.random.normal(key)\n"


@pytest.fixture
def summary(tmp_path, monkeypatch, capfd):
    """The last line of a run of `jaxlint check` in the folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        main(["check", "--output-format", "concise", *map(str, arguments)])
        sys.stdout.flush()
        return capfd.readouterr().out.splitlines()[-1]

    return run


@pytest.mark.parametrize("comment", [NOQA, OURS, "  # noqa", "  # jaxlint: disable=JAX1"])
def test_each_form_of_comment_counts(tmp_path, summary, comment):
    (tmp_path / "a.py").write_text(BRANCH.format(comment))
    assert summary() == "All checks passed. 1 finding is silenced by comments."


def test_a_shared_key_counts(tmp_path, summary):
    (tmp_path / "a.py").write_text(TWICE.format("  # jaxlint: shared-key=key"))
    (tmp_path / "b.py").write_text(TWICE.format(""))
    assert summary() == "Found 1 error. 1 fix available with --fix --unsafe-fixes. 1 finding is silenced by comments."


def test_nothing_is_said_where_nothing_is_silenced(tmp_path, summary):
    (tmp_path / "a.py").write_text(BRANCH.format("  # noqa: E501"))
    assert "silenced" not in summary()
    (tmp_path / "a.py").write_text("x = 1  # noqa\n")
    assert summary() == "All checks passed."


def test_rules_that_are_off_do_not_count(tmp_path, summary):
    (tmp_path / "a.py").write_text(BRANCH.format(NOQA))
    assert summary("--select", "JAX4") == "All checks passed."


@pytest.fixture
def tree(tmp_path):
    """A helper that two files of the run call, whose failure a comment in it silences, and one of each form beside."""
    (tmp_path / "helper.py").write_text(HELPER.format(NOQA))
    (tmp_path / "one.py").write_text(CALLER.format("one", ""))
    (tmp_path / "two.py").write_text(CALLER.format("two", ""))
    (tmp_path / "own.py").write_text(BRANCH.format(OURS) + BRANCH.format("  # noqa").replace("step", "other"))
    return tmp_path


def test_what_several_files_find_in_one_place_counts_once(tree, summary):
    assert summary("--no-cache") == "All checks passed. 3 findings are silenced by comments."


def test_what_is_not_in_the_run_counts_at_its_calls(tree, summary):
    assert summary("--no-cache", "one.py", "two.py") == "All checks passed. 2 findings are silenced by comments."
    assert (
        summary("--no-cache", "--no-importers", "one.py", "helper.py")
        == "All checks passed. 1 finding is silenced by comments."
    )


def test_a_finding_that_is_reported_for_another_caller_is_not_silenced(tree, summary):
    (tree / "helper.py").write_text(HELPER.format(""))
    (tree / "one.py").write_text(CALLER.format("one", NOQA))
    assert (
        summary("--no-cache", "--no-importers", "one.py", "helper.py")
        == "All checks passed. 1 finding is silenced by comments."
    )
    assert "silenced" not in summary("--no-cache", "one.py", "two.py", "helper.py")


def test_the_cache_and_workers_give_the_same_count(tree, summary):
    expected = "All checks passed. 3 findings are silenced by comments."
    assert [summary(), summary(), summary("--jobs", "1"), summary("--no-cache", "--jobs", "1")] == [expected] * 4
    assert (tree / ".jaxlint_cache").is_dir()
    for number in range(200):  # more than one process takes
        (tree / f"many{number}.py").write_text(BRANCH.format(NOQA) + "# " + "x" * 1000)
    expected = "All checks passed. 203 findings are silenced by comments."
    assert [summary("--jobs", "2"), summary("--no-cache", "--jobs", "2"), summary("--jobs", "2")] == [expected] * 3


def test_shards_joined_give_the_count_of_the_whole_run(tree, summary, capfd):
    for index in (1, 2, 3):
        main(
            [
                "check",
                "--no-cache",
                "--output-format",
                "json",
                "--shard",
                f"{index}/3",
                "--output-file",
                f"{index}.report",
            ]
        )
    capfd.readouterr()
    main(["merge", "1.report", "2.report", "3.report", "--output-format", "concise"])
    assert capfd.readouterr().out.splitlines()[-1] == "All checks passed. 3 findings are silenced by comments."


def test_a_baseline_silences_nothing_and_hides_no_comment(tree, summary):
    (tree / "new.py").write_text(BRANCH.format(""))
    assert main(["baseline", "--no-cache"]) == 0
    counts = "1 finding is left out as not new. 3 findings are silenced by comments."
    assert summary("--baseline", ".jaxlint-baseline.json") == f"All checks passed. {counts}"


def test_cells_of_a_notebook_count(tmp_path, summary):
    cells = [BRANCH.format(NOQA), TWICE.format("  # jaxlint: shared-key=key").replace("import jax\n\n\n", "")]
    notebook = {
        "nbformat": 4, "nbformat_minor": 5, "metadata": {},
        "cells": [
            {"cell_type": "code", "id": str(at), "metadata": {}, "outputs": [], "execution_count": None, "source": cell}
            for at, cell in enumerate(cells)
        ],
    }  # fmt: skip
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    for _ in range(2):
        assert summary() == "All checks passed. 2 findings are silenced by comments."


def test_comments_that_fixes_leave_count(tmp_path, summary):
    (tmp_path / "a.py").write_text(BRANCH.format(NOQA) + "y = jax.tree_map(abs, [1])\n")
    assert summary("--fix") == "Found 1 error (1 fixed, 0 left). 1 finding is silenced by comments."
    (tmp_path / "a.py").write_text(BRANCH.format(NOQA) + BRANCH.format("").replace("step", "other"))
    assert summary("--add-noqa") == "All checks passed. 2 findings are silenced by comments."
    assert summary() == "All checks passed. 2 findings are silenced by comments."


def test_statistics_say_it_too(tree, summary, capfd):
    assert summary("--statistics") == "All checks passed. 3 findings are silenced by comments."
    main(["check", "--statistics", "--output-format", "json"])
    assert capfd.readouterr() == ("[]\n", "jaxlint: 3 findings are silenced by comments.\n")
