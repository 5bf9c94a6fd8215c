"""What is shipped: the wheel works where nothing else of the project is, and the README tells the truth."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import jaxlint
from jaxlint import __version__

ROOT = Path(__file__).parent.parent
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built by way of the sdist; tests/test_hosting.py builds it with the requirements alone."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "-o", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (built,) = folder.glob("*.whl")
    assert [path.name for path in folder.glob("*.tar.gz")] == [f"flake8_jaxlint-{__version__}.tar.gz"]
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The `bin` folder of an environment that has the wheel, flake8, and no JAX."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    binaries = folder / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([binaries / "python", "-m", "pip", "install", "-q", f"{wheel}[flake8]"], check=True)
    return binaries


def test_wheel_holds_the_package_and_the_fixtures(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = Parser().parsestr(archive.read(f"flake8_jaxlint-{__version__}.dist-info/METADATA").decode())
    assert {"jaxlint/py.typed", "jaxlint/_fixtures/concretization/branch-on-tracer/bad.py"} <= names
    assert {name.split("/")[0] for name in names} == {"jaxlint", f"flake8_jaxlint-{__version__}.dist-info"}
    assert (metadata["Name"], metadata["Version"]) == ("flake8-jaxlint", __version__)
    required = {re.match(r"[\w-]+", line)[0] for line in metadata.get_all("Requires-Dist") if "extra ==" not in line}
    assert required == {"libcst", "mypy-extensions", "rich", "packaging", "tomli", "typing-extensions"}


def test_wheel_alone_lints_explains_and_plugs_in(installed, tmp_path):
    (tmp_path / "a.py").write_text(BRANCH)

    def run(*command):
        done = subprocess.run([installed / command[0], *command[1:]], cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    assert run("jaxlint", "--version") == (0, f"jaxlint {__version__}\n")
    code, text = run("jaxlint", "a.py")
    assert code == 1 and "a.py:6:8" in text and "JAX103" in text
    code, text = run("jaxlint", "explain", "JAX103", "--output-format", "json")
    assert code == 0 and "# run:" in text  # the example is from the fixtures
    code, text = run("flake8", "--isolated", "--select", "JAX", "a.py")
    assert code == 1 and text.startswith("a.py:6:8: JAX103")


def test_the_cache_outlives_an_installation_anew(installed, wheel, tmp_path):
    """In CI each job installs jaxlint, and finds the results of the last one."""
    (tmp_path / "a.py").write_text(BRANCH)

    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def check():
        command = [installed / "jaxlint", "-v", "a.py"]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stderr

    assert "from the cache" not in check()
    again = [installed / "python", "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", str(wheel)]
    subprocess.run(again, check=True)
    (tmp_path / "a.py").write_text(BRANCH)  # checked out anew
    assert "1 file, 1 of them from the cache" in check()
    (module,) = installed.parent.glob("[lL]ib/**/jaxlint/cli.py")
    module.write_text(module.read_text() + "# changed\n")
    assert "from the cache" not in check()


def test_readme_sends_nobody_to_the_other_jaxlint():
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        assert not re.search(r"pip\s+install\s+(?:-\S+\s+)*jaxlint", path.read_text(encoding="utf-8")), path


def test_continuous_integration_runs_what_the_readme_says():
    commands = re.findall(r"```sh\n(.+?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    install_and_lint, install_and_test = commands[:2]
    assert install_and_lint == "python -m pip install . && jaxlint check docs/example"
    assert install_and_test in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


STEP = """\
import jax
import jax.numpy as jnp
import numpy as np

history = []


@jax.jit
def step(x, key):
    loss = x.sum()
    {}
    return x


step(jnp.ones(3), jax.random.key(0))
"""
TEN = re.findall(
    r"^\| (JAX\d+) ([\w-]+) \| `(.+)` \| (.+) \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.mark.parametrize(("rule", "name", "line", "outcome"), TEN, ids=[rule for rule, *_ in TEN])
def test_the_readme_shows_ten_rules_that_report_what_jax_does(rule, name, line, outcome):
    """Each line is reported under its rule, and raises under JAX what the table says, or nothing."""
    pytest.importorskip("jax")
    assert len(TEN) == 10
    program = STEP.format(line)
    assert [(each.code, each.name, each.start.row) for each in jaxlint.check(program, "train.py")] == [(rule, name, 11)]
    raised = re.match(r"\w+Error", outcome)
    if raised is None:
        exec(compile(program, "train.py", "exec"), {})
    else:
        with pytest.raises(Exception) as caught:
            exec(compile(program, "train.py", "exec"), {})
        assert raised[0] in [each.__name__ for each in type(caught.value).__mro__]


def test_example_has_findings_and_the_picture_shows_them(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import pictures

    monkeypatch.chdir(ROOT)
    report = pictures.report_on("docs/example")
    assert [diagnostic.code for diagnostic in report.diagnostics] == [
        "JAX301",
        "JAX103",
        "JAX401",
        "JAX303",
        "JAX204",
        "JAX201",
    ]
    # The text alone: how it is drawn is the business of the rich that drew it.
    drawn = [re.findall(r"<text [^>]*>([^<]*)", svg) for svg in (
        (ROOT / "docs" / "report.svg").read_text(encoding="utf-8"), pictures.picture(pictures.EXAMPLE)
    )]  # fmt: skip
    assert drawn[0] == drawn[1], "python docs/pictures.py report.svg"


def test_everything_in_the_changelog_is_a_rule():
    from jaxlint.hazards.registry import all_rules

    listed = re.findall(r"JAX\d{3}", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert set(listed) <= {rule.code for rule in all_rules()}


def test_the_extra_verify_brings_what_the_fixtures_import():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "fixtures").rglob("*.py")]
    packages = {package for text in texts for package in re.findall(r"^ *(?:import|from) (\w+)", text, re.MULTILINE)}
    names = {"absl": "absl-py", "haiku": "dm-haiku", "orbax": "orbax-checkpoint"}
    needed = {names.get(each, each) for each in packages - sys.stdlib_module_names}
    extra = re.search(
        r"^verify = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    brought = {Requirement(each).name for each in re.findall(r'"(.+?)"', extra[1])}
    assert len(needed) > 9 and needed <= brought
