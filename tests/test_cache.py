"""Results of earlier runs: used where nothing they depend on has changed, and never otherwise."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time

import environments
import pytest

from jaxlint.cli import main
from jaxlint.configuration.config import Config
from jaxlint.diagnostics.suppressions import Silenced, Spot
from jaxlint.run import cache, runner, serialization
from jaxlint.run.job import Outcome
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

HELPER = "def scale(x):\n    if x.sum() > 0:\n        return x\n    return -x\n"
CALM = "def scale(x):\n    return x + x\n"
TRAIN = "import jax\nfrom helpers import scale\nstep = jax.jit(scale)\n"
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder to lint; what is written there is older than any run."""
    monkeypatch.chdir(tmp_path)

    class Project:
        path = tmp_path

        def write(self, name, text, age=10):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            then = time.time() - age
            os.utime(path, (then, then))

    return Project()


@pytest.fixture
def linted(monkeypatch):
    """Names of the files that were analysed since it was last emptied."""
    names = []
    lint = runner._lint

    def noted(job):
        names.append(job.filename)
        return lint(job)

    monkeypatch.setattr(runner, "_lint", noted)
    return names


def check(capsys, *arguments):
    main(["check", "--jobs", "1", "--output-format", "json", *arguments])
    found = json.loads(capsys.readouterr().out)
    return [{**each, "filename": os.path.basename(each["filename"])} for each in found]


def test_a_second_run_reads_results_and_says_the_same(project, linted, capsys):
    project.write("helpers.py", HELPER)
    project.write("train.py", TRAIN)
    project.write("other.py", BRANCH + "# jaxlint: disable-next=branch-on-tracer\n")
    first = check(capsys, ".")
    assert sorted(linted) == ["helpers.py", "other.py", "train.py"] and len(first) == 3
    del linted[:]
    assert check(capsys, ".") == first
    assert linted == []


def test_all_of_a_diagnostic_is_kept(project, linted):
    project.write("a.py", BRANCH + "\n\n@jax.jit\ndef g(x):\n    print(x)\n    return x.item()\n")
    from jaxlint.configuration.config import Configs

    configs = Configs()

    def found():
        (outcome,) = runner.run([runner.Job("a.py", configs.for_file("a.py"), cached=True)])
        return outcome.diagnostics

    first = found()
    assert any(each.fix is not None and each.fix.edits for each in first) and all(each.related for each in first)
    del linted[:]
    assert found() == first and linted == []


def test_an_edited_helper_is_an_edit_of_those_who_import_it(project, linted, capsys):
    project.write("helpers.py", CALM)
    project.write("between.py", "from helpers import scale\n")
    project.write("train.py", "import jax\nfrom between import scale\nstep = jax.jit(scale)\n")
    project.write("apart.py", BRANCH)
    assert len(check(capsys, ".")) == 1
    del linted[:]
    project.write("helpers.py", HELPER, age=5)
    found = check(capsys, ".")
    assert "train.py" in linted and "apart.py" not in linted
    assert sorted(each["filename"] for each in found) == ["apart.py", "helpers.py"]


def test_a_module_that_was_not_there_counts_once_it_is(project, linted, capsys):
    project.write("train.py", TRAIN)
    assert check(capsys, "train.py") == []
    project.write("helpers.py", HELPER)
    (found,) = check(capsys, "train.py")
    assert found["filename"] == "helpers.py"
    (project.path / "helpers.py").unlink()
    assert check(capsys, "train.py") == []


def test_a_package_that_comes_to_stand_before_a_module_counts(project, capsys):
    project.write("helpers.py", CALM)
    project.write("train.py", TRAIN)
    assert check(capsys, "train.py") == []
    project.write("helpers/__init__.py", HELPER)
    assert len(check(capsys, "train.py")) == 1


def test_an_imported_module_that_begins_to_use_jax_counts(project, capsys):
    project.write("deco.py", "def trace(f):\n    return f\n")
    project.write("train.py", "from deco import trace\n\n\n@trace\ndef loop(n):\n    return [0 for _ in range(n)]\n")
    assert check(capsys, "train.py") == []
    project.write("deco.py", "import jax\n\n\ndef trace(f):\n    return jax.jit(f)\n", age=5)
    assert [each["code"] for each in check(capsys, "train.py")] == ["JAX107"]


def test_configuration_and_target_count(project, linted, capsys):
    project.write("a.py", BRANCH)
    project.write("pyproject.toml", "[tool.jaxlint]\n")
    assert len(check(capsys, ".")) == 1
    assert check(capsys, ".", "--ignore", "JAX103") == []
    assert len(check(capsys, ".")) == 1
    project.write("pyproject.toml", '[tool.jaxlint]\nper-file-ignores = { "a.py" = ["JAX103"] }\n')
    assert check(capsys, ".") == []
    del linted[:]
    check(capsys, ".", "--target-jax", "0.4.30")
    assert linted == ["a.py"]


def test_jaxlint_itself_counts(project, linted, capsys, monkeypatch):
    project.write("a.py", BRANCH)
    check(capsys, ".")
    del linted[:]
    monkeypatch.setattr(cache, "_tool", lambda: "another one")
    check(capsys, ".")
    assert linted == ["a.py"]


def test_a_file_that_changes_while_it_is_read_is_not_kept(project, linted, capsys):
    project.write("helpers.py", HELPER, age=-3600)  # as if written after the run began
    project.write("train.py", TRAIN)
    check(capsys, ".")
    del linted[:]
    check(capsys, ".")
    assert sorted(linted) == ["helpers.py", "train.py"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"manifest": 3}', '{"manifest": [], "diagnostics": [{}]}'])
def test_an_entry_that_cannot_be_read_is_none(project, linted, capsys, text):
    project.write("a.py", BRANCH)
    first = check(capsys, ".")
    entries = list((project.path / ".jaxlint_cache").glob("*/*.json"))
    assert len(entries) == 1
    entries[0].write_text(text)
    del linted[:]
    assert check(capsys, ".") == first
    assert linted == ["a.py"]


@pytest.mark.parametrize("value", ["6", None, [6]])
def test_an_entry_that_has_something_else_for_a_number_is_none(project, linted, capsys, value):
    project.write("a.py", BRANCH)
    first = check(capsys, ".")
    (path,) = (project.path / ".jaxlint_cache").glob("*/*.json")
    entry = cache.unpacked(path.read_bytes())
    entry["diagnostics"][0]["start"]["row"] = value
    path.write_bytes(cache.packed(entry))
    del linted[:]
    assert check(capsys, ".") == first and linted == ["a.py"]


def test_no_cache_neither_reads_nor_writes(project, linted, capsys):
    project.write("a.py", BRANCH)
    check(capsys, ".", "--no-cache")
    assert not (project.path / ".jaxlint_cache").exists()
    check(capsys, ".")
    del linted[:]
    check(capsys, ".", "--no-cache")
    assert linted == ["a.py"]


def test_the_folder_is_marked_and_can_be_chosen(project, capsys):
    project.write("a.py", BRANCH)
    check(capsys, ".")
    folder = project.path / ".jaxlint_cache"
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert (folder / ".gitignore").read_text() == "*\n"
    check(capsys, ".", "--cache-dir", "elsewhere")
    assert (project.path / "elsewhere" / "CACHEDIR.TAG").exists()
    project.write("pyproject.toml", '[tool.jaxlint]\ncache-dir = "third"\n')
    check(capsys, ".")
    assert (project.path / "third" / "CACHEDIR.TAG").exists()


def test_a_folder_that_cannot_be_made_costs_time_alone(project, capsys):
    project.write("a.py", BRANCH)
    project.write("taken", "a file")
    assert len(check(capsys, "a.py", "--cache-dir", "taken")) == 1
    assert (project.path / "taken").read_text() == "a file"


def test_the_folder_stays_below_its_bound(project, capsys):
    for number in range(6):
        project.write(f"a{number}.py", BRANCH + f"# {number}\n")
    check(capsys, ".")
    folder = project.path / ".jaxlint_cache"
    entries = sorted(folder.glob("*/*.json"), key=lambda path: path.stat().st_mtime_ns)
    newest = entries[-1]
    cache.prune(str(folder), limit=newest.stat().st_size)
    assert list(folder.glob("*/*.json")) == [newest]


def test_a_folder_without_our_mark_is_not_pruned(tmp_path):
    entry = tmp_path / "ab" / "entry.json"
    entry.parent.mkdir()
    entry.write_text("of somebody else")
    cache.prune(str(tmp_path), limit=0)
    assert entry.read_text() == "of somebody else"


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_marks_of_the_folder_can_be_read_by_all_and_run_by_nobody(project, capsys):
    project.write("a.py", BRANCH)
    before = os.umask(0)
    try:
        check(capsys, "a.py")
    finally:
        os.umask(before)
    folder = project.path / ".jaxlint_cache"
    assert {(folder / name).stat().st_mode & 0o777 for name in ("CACHEDIR.TAG", ".gitignore")} == {0o666}


def test_silenced_findings_come_back_with_their_calls():
    spot = Spot("a.py", 3, 5)
    silenced = [Silenced("JAX103", spot, (Spot("a.py", 3, 9),), call) for call in (None, Spot("b.py", 7, 1))]
    outcome = Outcome("a.py", [], None, silenced=silenced)
    data = json.loads(json.dumps(serialization.plain(outcome)))
    assert serialization.read(data, "a.py", None).silenced == silenced


def test_an_entry_leaves_out_what_only_comments_are_asked_for():
    text = "import jax\n\nkey = jax.random.key(0)\nx = jax.random.normal(key)\ny = jax.random.normal(key)\n"
    [found] = check_source(Source.from_text(text, "a.py"), Config(root="", select=("JAX401",))).diagnostics
    data = serialization.plain_diagnostic(found)
    assert found.fix is not None and "edits" in data["fix"]
    assert "key_uses" not in data and "imports" not in data["fix"]


def test_fixes_do_not_come_from_the_cache(project, capsys):
    text = "import jax.numpy as jnp\n\n\ndef f(x):\n    y = jnp.zeros(3)\n    return y[[0, 1]]\n"
    project.write("a.py", text)
    assert [each["code"] for each in check(capsys, ".")] == ["JAX208"]
    assert check(capsys, ".", "--fix") == []
    assert (project.path / "a.py").read_text() != text
    assert check(capsys, ".") == []


def test_runs_at_the_same_time_do_no_harm(project):
    project.write("helpers.py", HELPER)
    for number in range(12):
        project.write(f"train{number}.py", TRAIN)
    command = [sys.executable, "-m", "jaxlint", "check", "--jobs", "1", "--output-format", "json", "."]
    outputs = []

    def once():
        outputs.append(subprocess.run(command, capture_output=True, text=True, cwd=project.path).stdout)

    threads = [threading.Thread(target=once) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    once()
    assert len(set(outputs)) == 1 and len(json.loads(outputs[0])) == 1
    assert not list((project.path / ".jaxlint_cache").glob("*/*.part"))


def test_a_run_without_news_loads_no_parser_and_no_rules(project):
    project.write("a.py", BRANCH)
    code = (
        "import sys\nfrom jaxlint.cli import main\nmain(['check', 'a.py', '--output-format', 'concise'])\n"
        "print(*[name for name in sys.modules if name in ('libcst', 'jaxlint.ir.from_ast', 'jaxlint.hazards.host')])"
    )

    def last_line():
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=project.path)
        return run.stdout.splitlines()[-1].split()

    assert set(last_line()) == {"jaxlint.ir.from_ast", "jaxlint.hazards.host"}
    assert last_line() == []


def test_new_times_alone_change_nothing(project, linted, capsys):
    project.write("helpers.py", HELPER)
    project.write("train.py", TRAIN)
    project.write("pyproject.toml", "[tool.jaxlint]\n")
    first = check(capsys, ".")
    del linted[:]
    for name, text in {
        "helpers.py": HELPER,
        "train.py": TRAIN,
        "pyproject.toml": "[tool.jaxlint]\n# a comment\n",
    }.items():
        project.write(name, text, age=5)
    assert check(capsys, ".") == first and linted == []


def test_a_file_that_comes_in_with_an_old_time_while_it_is_read_is_not_kept(project, linted, capsys, monkeypatch):
    """As `rsync --times` and `mv` put files in place: the text that was read is not the one that is there."""
    project.write("helpers.py", CALM)
    project.write("train.py", TRAIN)
    lint = runner._lint

    def then_comes_another(job):
        outcome = lint(job)
        project.write("other", HELPER, age=20)
        os.replace(project.path / "other", project.path / "helpers.py")
        return outcome

    with monkeypatch.context() as patched:
        patched.setattr(runner, "_lint", then_comes_another)
        assert check(capsys, "train.py") == []
    assert len(check(capsys, "train.py")) == 1


def test_a_module_that_is_made_while_its_place_is_looked_at_is_noticed(project, capsys, monkeypatch):
    project.write("train.py", TRAIN)
    lint = runner._lint

    def then_is_made(job):
        outcome = lint(job)
        project.write("helpers.py", HELPER)
        return outcome

    with monkeypatch.context() as patched:
        patched.setattr(runner, "_lint", then_is_made)
        assert check(capsys, "train.py") == []
    assert len(check(capsys, "train.py")) == 1


def test_the_working_directory_counts_where_names_are_relative_to_it(project, capsys, monkeypatch):
    project.write("pyproject.toml", "[tool.jaxlint]\n")
    project.write("q/helpers.py", HELPER)
    project.write("r/other.py", "")
    project.write("p/train.py", "import jax\nfrom q.helpers import scale\nstep = jax.jit(scale)\n")
    for folder in ("q", "r"):
        monkeypatch.chdir(project.path / folder)
        (found,) = [each for each in check(capsys, "../p/train.py", "../q/helpers.py") if each["code"] == "JAX103"]
        assert found["filename"] == "helpers.py" and "called here" not in found["message"]
    files = []
    for folder in ("q", "r"):
        monkeypatch.chdir(project.path / folder)
        main(["check", "--output-format", "json", "../p/train.py"])
        files += [step["filename"] for each in json.loads(capsys.readouterr().out) for step in each["related"]]
    assert set(files) == {str(project.path / "q" / "helpers.py"), str(project.path / "p" / "train.py")}


@pytest.mark.parametrize("length", [0, 1, 40, 300, -1])
def test_an_entry_that_is_cut_off_is_none(project, linted, capsys, length):
    project.write("a.py", BRANCH)
    first = check(capsys, ".")
    (entry,) = (project.path / ".jaxlint_cache").glob("*/*.json")
    entry.write_bytes(entry.read_bytes()[:length])
    del linted[:]
    assert check(capsys, ".") == first and linted == ["a.py"]


PLUGIN = """\
from jaxlint.plugins import Category, Finding, Rule, hazards
from words import WORD
RULE = Rule(code="ABC001", name="no-branch", summary="s", category=Category.WRONG, hazards=(hazards.BranchOnTracer,))
def check(hazard, file):
    yield Finding(hazard.site, WORD)
"""


def run_apart(project, *arguments, python=sys.executable):
    """A run in a process of its own: what it prints, and which modules of interest it has loaded."""
    code = (
        "import sys\nfrom jaxlint.cli import main\nmain(['check', '--jobs', '1', '--output-format', 'concise', *sys.argv[1:]])\n"
        "print(*[name for name in sys.modules if name in ('libcst', 'jaxlint.ir.from_libcst', 'jaxlint.hazards.host', 'words')])"
    )
    run = subprocess.run([python, "-c", code, *arguments], capture_output=True, text=True, check=True, cwd=project.path)
    *said, loaded = run.stdout.splitlines()
    return said, loaded.split()


def test_what_a_plugin_imports_counts(project, tmp_path_factory):
    source, environment = (
        tmp_path_factory.mktemp("source"),
        environments.Environment(tmp_path_factory.mktemp("environment")),
    )
    environments.project(
        source, "own-rules", {"own_rules.py": PLUGIN, "words.py": 'WORD = "one"\n'}, {"own": "own_rules"}
    )
    environment.install("-e", source)
    project.write("pyproject.toml", '[tool.jaxlint]\nplugins = ["own"]\n')
    project.write("a.py", BRANCH)
    assert any("ABC001 no-branch: one" in line for line in run_apart(project, "a.py", python=environment.python)[0])
    said, loaded = run_apart(project, "a.py", python=environment.python)
    assert any("ABC001 no-branch: one" in line for line in said) and "words" in loaded and "libcst" not in loaded
    (source / "words.py").write_text('WORD = "two!"\n')
    assert any("ABC001 no-branch: two!" in line for line in run_apart(project, "a.py", python=environment.python)[0])


def test_a_notebook_without_news_loads_no_parser(project):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": BRANCH}
    project.write("a.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    first, loaded = run_apart(project, ".")
    assert "cell 1" in first[0] and "libcst" in loaded
    assert run_apart(project, ".") == (first, [])


def test_a_library_is_looked_for_where_it_is_not(project, linted, capsys):
    project.write("optax/__init__.py", "")
    project.write("optax/_src/__init__.py", "")
    project.write("optax/_src/base.py", BRANCH)
    project.write(
        "optax/_src/use.py",
        "import jax\nfrom optax._src import base\nfrom optax.losses import l2_loss\nstep = jax.jit(base.f)\n",
    )
    project.write("elsewhere/use.py", "import jax\nfrom optax._src import base\nstep = jax.jit(base.f)\n")
    first = check(capsys, ".")
    assert linted
    del linted[:]
    assert check(capsys, ".") == first
    assert linted == []


def test_an_entry_of_another_user_is_none(project, linted, capsys, monkeypatch):
    project.write("a.py", BRANCH)
    first = check(capsys, ".")
    del linted[:]
    owner = (project.path / "a.py").stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1, raising=False)
    assert check(capsys, ".") == first and linted == ["a.py"]


def test_an_entry_is_written_in_the_folder_of_the_cache_alone(project, linted, capsys, monkeypatch):
    """The folder for temporary files may be on another disk, from where no file can be put in place at once."""
    monkeypatch.setattr(tempfile, "tempdir", str(project.path / "nowhere"))
    project.write("a.py", BRANCH)
    check(capsys, ".")
    del linted[:]
    check(capsys, ".")
    assert linted == [] and not list(project.path.glob("**/*.part"))


def test_a_folder_with_our_mark_is_used_as_it_is(project, linted, capsys):
    project.write("a.py", BRANCH)
    check(capsys, ".")
    folder = project.path / ".jaxlint_cache"
    mark = folder / "CACHEDIR.TAG"
    for path in sorted(folder.glob("**/*"), reverse=True):
        if path != mark:
            path.rmdir() if path.is_dir() else path.unlink()
    os.utime(mark, (1, 1))
    check(capsys, ".")
    assert mark.stat().st_mtime == 1 and not (folder / ".gitignore").exists()
    assert len(list(folder.glob("*/*.json"))) == 1


@pytest.mark.parametrize("mark", ["", "Signature: 8a47"])
def test_a_folder_of_somebody_else_is_left_whatever_part_of_a_mark_it_has(project, capsys, mark):
    project.write("a.py", BRANCH)
    project.write("taken/CACHEDIR.TAG", mark)
    project.write("taken/measured.csv", "1,2\n")
    assert len(check(capsys, "a.py", "--cache-dir", "taken")) == 1
    assert sorted(os.listdir(project.path / "taken")) == ["CACHEDIR.TAG", "measured.csv"]
    assert (project.path / "taken" / "CACHEDIR.TAG").read_text() == mark


@pytest.mark.parametrize("mark", ["", "Signature: 8a47"])
def test_a_folder_with_the_beginning_of_our_mark_alone_is_made_ours(project, linted, capsys, mark):
    """The disk was full, or the run was killed."""
    project.write("a.py", BRANCH)
    project.write("begun/CACHEDIR.TAG", mark)
    check(capsys, "a.py", "--cache-dir", "begun")
    assert (project.path / "begun" / ".gitignore").exists()
    del linted[:]
    assert len(check(capsys, "a.py", "--cache-dir", "begun")) == 1 and linted == []
