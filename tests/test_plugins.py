"""Rules of others: the example package, installed by pip, at every entrance; and plugins that cannot be used."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint.runner import LARGE_RUN

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs" / "example-plugin"
STEP = """\
import time

import jax


@jax.jit
def step(x):
    start = time.time()
    return x + start


key = jax.random.PRNGKey(0)
"""


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """A folder into which pip has installed the example package."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder), str(EXAMPLE)]
    subprocess.run(pip, check=True)
    return folder


@pytest.fixture
def run(installed, tmp_path):
    """Runs a command in a project that has the example plugin."""
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["lab_rules"]\n')
    (tmp_path / "step.py").write_text(STEP)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{installed}", "COLUMNS": "200"}

    def run(*words, module="jaxlint"):
        return subprocess.run(
            [sys.executable, "-m", module, *words], cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    return run


def concise(ran):
    return [line.split(" ")[:2] for line in ran.stdout.splitlines() if line.startswith("step.py")]


def test_its_rules_run_and_are_selected_like_any(run):
    ours, theirs, key = ["step.py:8:13:", "JAX308"], ["step.py:8:13:", "LAB001"], ["step.py:12:7:", "LAB002"]
    check = ("check", "--output-format", "concise")
    ours = next(place for place in concise(run(*check)) if place[1].startswith("JAX"))
    assert concise(run(*check)) == [ours, theirs]
    assert concise(run(*check)) == [ours, theirs]  # from the cache
    assert concise(run(*check, "--select", "LAB")) == [theirs]
    assert concise(run(*check, "--select", "lab002,clock-in-step")) == [theirs, key]
    assert concise(run(*check, "--ignore", "clock-in-step")) == [ours]


def test_comments_silence_them(run, tmp_path):
    for comment in ("# noqa: LAB001", "# jaxlint: disable=clock-in-step"):
        (tmp_path / "step.py").write_text(STEP.replace("time.time()", f"time.time()  {comment}"))
        assert concise(run("check", "--select", "LAB", "--output-format", "concise")) == []


def test_their_fixes_are_applied(run, tmp_path):
    ran = run("check", "--select", "LAB002", "--fix", "--unsafe-fixes")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (tmp_path / "step.py").read_text() == STEP.replace("PRNGKey", "key")


def test_json_and_sarif_know_them(run):
    [found] = json.loads(run("check", "--select", "LAB001", "--output-format", "json").stdout)
    assert (found["code"], found["name"]) == ("LAB001", "clock-in-step")
    sarif = json.loads(run("check", "--select", "LAB001", "--output-format", "sarif").stdout)
    assert "LAB001" in [rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]]


def test_they_are_listed_and_explained(run):
    listed = {rule["code"]: rule for rule in json.loads(run("rules", "--output-format", "json").stdout)}
    assert (listed["LAB001"]["family"], listed["LAB002"]["on"]) == ("plugin", "opt-in")
    ran = run("explain", "typed-seed")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "LAB002 typed-seed" in ran.stdout and "typed keys alone" in ran.stdout


def test_flake8_reports_them_where_it_is_told_to(run):
    assert "LAB001" not in run("step.py", module="flake8").stdout
    assert concise(run("--extend-select", "LAB", "step.py", module="flake8"))[-1] == ["step.py:8:13:", "LAB001"]


def test_worker_processes_know_them(run, tmp_path):
    for number in range(6):
        (tmp_path / f"step{number}.py").write_text(STEP + "\n" * (LARGE_RUN // 4))  # fewer bytes start no processes
    ran = run("check", "--no-cache", "--jobs", "2", "--select", "LAB001", "--output-format", "concise")
    assert ran.stdout.count("LAB001") == 7


def test_other_projects_do_without_them(run, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pyproject.toml").write_text("[tool.jaxlint]\n")
    (tmp_path / "other" / "step.py").write_text(STEP)
    ran = run("check", "--no-cache", "--output-format", "concise", "other/step.py", "step.py")
    assert [line.split(":")[0] for line in ran.stdout.splitlines() if "LAB001" in line] == ["step.py"]


def test_a_module_beside_the_configuration_is_a_plugin_and_its_changes_count(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["house.clock"]\nselect = ["ABC001"]\n')
    (tmp_path / "house").mkdir()
    code = (EXAMPLE / "lab_rules" / "clock_in_step.py").read_text().replace("LAB001", "ABC001")
    for word in ("traced", "compiled"):
        (tmp_path / "house" / "clock.py").write_text(code.replace("while the step is traced", f"while it is {word}"))
        assert f"ABC001 `time.time()` is read once, while it is {word}" in run("--output-format", "concise").stdout


def test_threads_that_read_one_configuration_load_its_plugins_once(tmp_path):
    """The language server reads it in two."""
    slow = "import time\ntime.sleep(0.1)\n"
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["slow"]\n')
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "__init__.py").write_text(slow)
    (tmp_path / "slow" / "clock.py").write_text(slow + GOOD.replace("from __future__ import annotations\n", ""))
    code = (
        "from concurrent.futures import ThreadPoolExecutor\nfrom jaxlint.config import Configs\n"
        "def problems(_):\n    configs = Configs()\n    configs.for_file('a.py')\n    return [str(each) for each in configs.problems]\n"
        "with ThreadPoolExecutor(8) as pool:\n    print(set(map(str, pool.map(problems, range(8)))))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.stdout == "{'[]'}\n", ran.stdout + ran.stderr


GOOD = (EXAMPLE / "lab_rules" / "clock_in_step.py").read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no module `broken`; install it where jaxlint is installed, or put it beside the pyproject.toml"),
        ("import nowhere", "importing `broken` fails: ModuleNotFoundError: No module named 'nowhere' (broken.py, line 1)"),
        ("def (", "importing `broken` fails: SyntaxError:"),
        ("exit(3)", "importing `broken` fails: SystemExit: 3"),
        ("", "`broken` has no `RULE`"),
        ("RULE = 3", "`broken.RULE` is a int; make it a `jaxlint.plugins.Rule`"),
        (GOOD.replace("LAB001", "JAX999"), "has the code 'JAX999'; a code is two or three capital letters, other than JAX"),
        (GOOD.replace("LAB001", "LAB1"), "has the code 'LAB1'"),
        (GOOD.replace("clock-in-step", "Clock"), "has the name 'Clock'; a name is two or more words"),
        (GOOD.replace("clock-in-step", "branch-on-tracer"), "`broken` has a rule called `branch-on-tracer`, which another rule"),
        (GOOD.replace("(Kind.HOST_IO,)", "('hostio',)"), "has the kinds ('hostio',); name one or more of `jaxlint.plugins.Kind`"),
        (GOOD.replace("Category.WRONG", "'wrong!'"), "has the category 'wrong!'"),
        (GOOD.replace("def check(demand: Demand, file: File)", "def check(file: File)"), "`broken.check` cannot be called with"),
        (GOOD.replace("def check(", "def verify("), "`broken` has no function `check(demand, file)`"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_named_with_what_is_wrong(tmp_path, text, message):
    if text is not None:
        (tmp_path / "broken.py").write_text(text)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.jaxlint]\npreview = true\nplugins = ["broken"]\n')
    code = (
        "import sys\nfrom jaxlint.config import ConfigError, read\n"
        "try:\n    read('pyproject.toml')\nexcept ConfigError as error:\n    print(error)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.stdout.startswith("pyproject.toml:5: `plugins` in [tool.jaxlint]: "), ran.stdout + ran.stderr
    assert message in ran.stdout


def test_a_rule_that_fails_ends_neither_the_run_nor_other_rules(tmp_path):
    (tmp_path / "failing.py").write_text(GOOD.replace("    if demand.api", "    raise ValueError('no')\n    if demand.api"))
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["failing"]\n')
    (tmp_path / "step.py").write_text(STEP)
    ran = subprocess.run(
        [sys.executable, "-m", "jaxlint", "--no-cache", "--output-format", "concise"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 2
    assert "JAX902 internal error in clock-in-step: ValueError: no" in ran.stdout
    assert "this is a mistake of a plugin" in ran.stdout
    assert "step.py:8:13: JAX3" in ran.stdout
