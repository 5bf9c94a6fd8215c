"""`jaxlint baseline` and `check --baseline`: what is known is quiet, what is new is not, what is gone is told."""

import json
import os
from dataclasses import replace

import pytest
from test_cli import BRANCH, BROKEN, CLEAN, findings, jaxlint, project  # noqa: F401  (fixtures)

from jaxlint.configuration.config import Config
from jaxlint.diagnostics.baseline import DEFAULT, Baseline
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

OTHER = BRANCH.replace("> 2", "> 3")
HELPER = "def positive(x):\n    if x > 0:\n        return x\n    return -x\n"
CALLER = "import jax\nfrom helper import positive\n\n\n@jax.jit\ndef f(x):\n    return positive(x)\n"


@pytest.fixture
def check(jaxlint):  # noqa: F811
    """Runs `check --baseline`; gives the places of what is reported, and standard error."""

    def run(*arguments, code=None, baseline=DEFAULT):
        found, out, err = jaxlint("check", "--baseline", baseline, "--output-format", "json", *arguments)
        places = findings(out)
        assert found == (code if code is not None else 1 if places else 0), err
        return [place[:3] for place in places], err

    return run


def test_findings_in_the_baseline_are_quiet(jaxlint, project, check):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    code, out, err = jaxlint("baseline")
    assert (code, out, err) == (0, "1 finding in 1 file put into .jaxlint-baseline.json.\n", "")
    assert check() == ([], "")
    assert jaxlint("check")[0] == 1


def test_moved_lines_stay_known_and_new_ones_are_told(jaxlint, project, check):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    jaxlint("baseline")
    moved = BRANCH.replace("import jax\n", "# a comment\nimport jax\n\nX = 1\n")
    (project / "a.py").write_text(moved)
    assert check() == ([], "")
    (project / "a.py").write_text(moved + OTHER.replace("import jax\n", ""))
    assert check() == ([("a.py", "JAX103", 16)], "")


def test_indentation_does_not_matter(jaxlint, project, check):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    jaxlint("baseline")
    indented = "".join(f"    {line}\n" if line else "\n" for line in BRANCH.split("\n")[1:])
    (project / "a.py").write_text(f"import jax\nif True:\n{indented}")
    assert check() == ([], "")


def test_one_more_of_the_same_line_is_new(jaxlint, project, check):  # noqa: F811
    twice = BRANCH + BRANCH.replace("import jax", "").replace("def f", "def g")
    (project / "a.py").write_text(twice)
    jaxlint("baseline")
    (project / "a.py").write_text(twice + BRANCH.replace("import jax", "").replace("def f", "def h"))
    assert check() == ([("a.py", "JAX103", 22)], "")


def test_a_changed_line_is_new_and_its_entry_stale(jaxlint, project, check):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    jaxlint("baseline")
    (project / "a.py").write_text(OTHER)
    places, err = check()
    assert places == [("a.py", "JAX103", 6)]
    assert err == (
        "jaxlint: note: .jaxlint-baseline.json lists 1 finding that no longer exists (a.py: JAX103); "
        "`jaxlint baseline` removes them\n"
    )
    assert jaxlint("baseline")[1] == "1 finding in 1 file put into .jaxlint-baseline.json: 1 new, 1 gone.\n"
    assert check() == ([], "")


RENAMED = (
    "jaxlint: note: .jaxlint-baseline.json lists findings of files that were renamed (a.py is b.py); "
    "`jaxlint baseline` writes the new names\n"
)


def test_a_renamed_file_stays_known(jaxlint, project, check):  # noqa: F811
    (project / "a.py").write_text(BRANCH + OTHER.replace("import jax\n", ""))
    jaxlint("baseline")
    os.rename("a.py", "b.py")
    assert check() == ([], RENAMED)
    assert check("b.py") == ([], RENAMED)
    assert check("--quiet") == ([], "")
    # What is new in it is new.
    (project / "b.py").write_text(BRANCH.replace("> 2", "> 7"))
    places, err = check()
    assert places == [("b.py", "JAX103", 6)] and "2 findings that no longer exist (a.py: JAX103)" in err
    (project / "b.py").write_text(BRANCH)
    said = "1 finding in 1 file put into .jaxlint-baseline.json: 0 new, 1 gone, 1 in renamed files.\n"
    assert jaxlint("baseline")[1] == said
    assert check() == ([], "")


def test_a_copy_is_new(jaxlint, project, check):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    jaxlint("baseline")
    (project / "b.py").write_text(BRANCH)
    assert check() == ([("b.py", "JAX103", 6)], "")
    # Once the file is gone, one of its two copies is the file.
    (project / "c.py").write_text(BRANCH)
    (project / "a.py").unlink()
    assert check() == ([("c.py", "JAX103", 6)], RENAMED)


def test_files_that_share_most_findings_belong_together(jaxlint, project, check):  # noqa: F811
    both = BRANCH + OTHER.replace("import jax\n", "").replace("def f", "def g")
    (project / "old.py").write_text(both)
    jaxlint("baseline")
    (project / "old.py").unlink()
    (project / "copied.py").write_text(OTHER)
    (project / "new.py").write_text(both)
    places, err = check()
    assert places == [("copied.py", "JAX103", 6)] and "(old.py is new.py)" in err
    # Of files alike, the one that has kept its name.
    (project / "new.py").unlink()
    (project / "zone").mkdir()
    (project / "zone" / "old.py").write_text(OTHER)
    places, err = check()
    assert places == [("copied.py", "JAX103", 6)] and "(old.py is zone/old.py)" in err


def test_a_file_that_was_split_and_a_package_that_moved_stay_known(jaxlint, project, check):  # noqa: F811
    (project / "old").mkdir()
    (project / "old" / "both.py").write_text(BRANCH + OTHER.replace("import jax\n", "").replace("def f", "def g"))
    (project / "old" / "helper.py").write_text(HELPER)
    (project / "old" / "caller.py").write_text(CALLER.replace("from helper", "from old.helper"))
    jaxlint("baseline")
    os.rename("old", "new")
    (project / "new" / "both.py").unlink()
    (project / "new" / "one.py").write_text(BRANCH)
    (project / "new" / "two.py").write_text(OTHER)
    (project / "new" / "caller.py").write_text(CALLER.replace("from helper", "from new.helper"))
    places, err = check()
    assert (
        places == [] and "(old/both.py is new/one.py; old/both.py is new/two.py; old/helper.py is new/helper.py)" in err
    )
    assert check("new/caller.py")[0] == []
    assert jaxlint("baseline")[1].endswith(": 0 new, 0 gone, 3 in renamed files.\n")


def test_a_helper_that_was_renamed_is_known_at_the_call(jaxlint, project, check):  # noqa: F811
    """A run that does not read the helper reports at the call."""
    (project / "shared").mkdir()
    (project / "shared" / "helper.py").write_text(HELPER)
    (project / "caller.py").write_text(CALLER.replace("from helper", "from shared.helper"))
    jaxlint("baseline")
    os.rename("shared/helper.py", "shared/moved.py")
    (project / "caller.py").write_text(CALLER.replace("from helper", "from shared.moved"))
    (project / "pyproject.toml").write_text('[tool.jaxlint]\nexclude = ["shared/"]\n')
    assert check("--force-exclude")[0] == []


def test_paths_are_relative_to_the_baseline(jaxlint, project, check, monkeypatch):  # noqa: F811
    (project / "inner folder").mkdir()
    (project / "inner folder" / "naïve.py").write_text(BRANCH)
    assert jaxlint("baseline", "--output", "known.json")[0] == 0
    assert list(json.loads((project / "known.json").read_text())["findings"]) == ["inner folder/naïve.py"]
    monkeypatch.chdir("inner folder")
    assert check(baseline="../known.json") == ([], "")
    assert check(project, baseline=project / "known.json") == ([], "")


def test_baseline_without_path_is_of_the_paths_it_was_made_from(jaxlint, project, check, monkeypatch):  # noqa: F811
    for name in ("src", "other"):
        (project / name).mkdir()
        (project / name / "a.py").write_text(BRANCH)
    jaxlint("baseline", "src")
    first = (project / DEFAULT).read_bytes()
    monkeypatch.chdir("src")
    assert jaxlint("baseline", "--output", "../.jaxlint-baseline.json")[0] == 0
    assert (project / DEFAULT).read_bytes() == first
    monkeypatch.chdir(project)
    assert check()[0] == [("a.py", "JAX103", 6)]


def test_nothing_is_stale_that_the_run_cannot_know(jaxlint, project, check):  # noqa: F811
    (project / "helper.py").write_text(HELPER)
    (project / "caller.py").write_text(CALLER)
    (project / "a.py").write_text(BRANCH)
    jaxlint("baseline")
    # What fails in the helper is found where the caller is read as well.
    assert check("helper.py") == ([], "")
    assert check("--select", "JAX4") == ([], "")
    (project / "a.py").write_text(BROKEN)
    assert check() == ([("a.py", "JAX900", 2)], "")
    (project / "a.py").unlink()
    (project / "caller.py").write_text(CLEAN)
    places, err = check()
    assert places == [] and "2 findings" in err and "a.py: JAX103; helper.py: JAX103" in err


def test_what_fails_in_another_file_is_known_where_only_its_caller_is_read(jaxlint, project, check):  # noqa: F811
    (project / "helper.py").write_text(HELPER)
    (project / "caller.py").write_text(CLEAN)
    jaxlint("baseline")
    (project / "caller.py").write_text(CALLER)
    assert check("caller.py") == check("helper.py") == ([("helper.py", "JAX103", 2)], "")
    jaxlint("baseline")
    assert check("caller.py") == check() == ([], "")
    (project / "helper.py").write_text(HELPER.replace("x > 0", "x > 1"))
    assert check("caller.py") == ([("helper.py", "JAX103", 2)], "")


def test_a_long_list_of_stale_entries_is_cut(jaxlint, project, check):  # noqa: F811
    for number in range(9):
        (project / f"m{number}.py").write_text(BRANCH)
    jaxlint("baseline")
    for number in range(9):
        (project / f"m{number}.py").write_text(CLEAN)
    _, err = check()
    assert "9 findings" in err and "m4.py: JAX103; 4 more files)" in err and "m5.py" not in err


def test_equal_projects_have_equal_baselines(jaxlint, project):  # noqa: F811
    for name in ("b.py", "a.py"):
        (project / name).write_text(BRANCH + OTHER.replace("import jax", ""))
    jaxlint("baseline", "b.py", "a.py", "--jobs", "1")
    first = (project / DEFAULT).read_bytes()
    jaxlint("baseline", "a.py", "b.py", "--no-cache")
    assert (project / DEFAULT).read_bytes() == first and first.endswith(b"}\n")


def test_standard_input_has_its_place_in_the_baseline(jaxlint, project):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    jaxlint("baseline")
    arguments = ("check", "-", "--baseline", DEFAULT, "--stdin-filename")
    passed = "All checks passed. 1 finding is left out as not new.\n"
    assert jaxlint(*arguments, "a.py", stdin=BRANCH.encode()) == (0, passed, "")
    assert jaxlint(*arguments, "b.py", stdin=BRANCH.encode())[0] == 1


@pytest.mark.parametrize(
    "content, says",
    [
        (None, "--baseline known.json: no such file; write it with `jaxlint baseline --output known.json`"),
        (b"{}", "it has no version"),
        (b"<<<<<<< ours\n", "not a baseline (Expecting value: line 1 column 1"),
        (b"\xff", "not a baseline ("),
        (b"[" * 100_000, "not a baseline ("),
        (b'{"version": 2}', "it is of version 2, and this jaxlint reads version 1"),
        (
            b'{"version": 1, "paths": [], "findings": {"a.py": {"JAX103 0": "1"}}}',
            "`findings` must have a table of counts",
        ),
        (b'{"version": 1, "paths": [1], "findings": {}}', "`paths` must be a list of strings"),
    ],
)
def test_what_is_no_baseline_is_refused_and_left_alone(jaxlint, project, content, says):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    if content is not None:
        (project / "known.json").write_bytes(content)
    code, out, err = jaxlint("check", "--baseline", "known.json")
    assert (code, out) == (2, "") and says in err and "Traceback" not in err
    if content is not None:
        assert jaxlint("baseline", "--output", "known.json")[0] == 2
        assert (project / "known.json").read_bytes() == content


def test_what_cannot_be_opened_is_no_baseline(jaxlint, project):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    (project / "known").mkdir()
    code, out, err = jaxlint("check", "--baseline", "known")
    assert (code, out) == (2, "") and "--baseline known: Is a directory; check its permissions" in err
    assert jaxlint("baseline", "--output", "known")[0] == 2 and os.listdir(project / "known") == []


@pytest.mark.parametrize("option", ["--fix", "--fix-only", "--diff"])
def test_fixes_are_for_a_run_of_their_own(jaxlint, project, option):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    jaxlint("baseline")
    code, _, err = jaxlint("check", option, "--baseline", DEFAULT)
    assert code == 2 and "apply the fixes in a run without them" in err


def test_a_baseline_of_what_could_not_be_read_is_not_written(jaxlint, project):  # noqa: F811
    (project / "a.py").write_text(BRANCH)
    code, _, err = jaxlint("baseline", "a.py", "missing.py")
    assert code == 2 and "missing.py: no such file or folder" in err and "no baseline is written" in err
    (project / "pyproject.toml").write_text("[tool.jaxlint]\nselekt = []\n")
    assert jaxlint("baseline")[0] == 2
    assert jaxlint("baseline", "-")[0] == 2
    assert not (project / DEFAULT).exists()


def test_failure_of_the_tool_is_never_known(project):  # noqa: F811
    from test_report import a_diagnostic

    from jaxlint.diagnostics.baseline import Baseline

    failure, source = a_diagnostic(code="JAX902", name="internal-error")
    made = Baseline.of("known.json", ["."], [failure], {failure.filename: source})
    assert made.known == {}
    assert made.without_known([failure], source) == [failure]


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        (["src"], True), (["."], True), (["src/a.py", "src/b.py"], False), (["src/"], True), (["src/a.py"], False),
        (["other"], False), (["other", "src"], True), (["sr"], False),
    ],
)  # fmt: skip
def test_what_is_gone_is_told_by_a_run_over_all_of_its_paths(jaxlint, project, check, paths, told):  # noqa: F811
    for name in ("src/a.py", "src/b.py", "other/a.py", "sr/a.py"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(CLEAN)
    (project / "src/a.py").write_text(BRANCH)
    jaxlint("baseline", "src")
    (project / "src/a.py").write_text(CLEAN)
    places, err = check(*paths)
    assert places == [] and ("src/a.py: JAX103" in err) is told


def test_what_could_not_be_linted_is_told_whatever_the_baseline_holds():
    source = Source.from_text("x = (\n", "a.py")
    [known] = check_source(source, Config(root="")).diagnostics
    baseline = Baseline.of(DEFAULT, ["a.py"], [known] * 2, {"a.py": source})
    assert baseline.without_known([known], source) == []
    for counts in baseline.known.values():
        counts.update({key.replace(known.code, "JAX902"): count for key, count in counts.items()})
    failure = replace(known, code="JAX902")
    assert baseline.without_known([failure], source) == [failure]
