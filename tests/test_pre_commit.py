"""The pre-commit hooks, run by pre-commit itself in a real repository. pre-commit installs this package from source."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHIPPED = ("jaxlint", "fixtures", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
STORE = "import jax.numpy as jnp\n\n\ndef f():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"
STORED = STORE.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")

CONFIG = """\
repos:
  - repo: {hooks}
    rev: v0.1.0
    hooks:
      - id: {hook}
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Variables that keep Git and pre-commit away from what the user has configured."""
    home = tmp_path_factory.mktemp("home")
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "PYTHONPATH"))
    }
    identity = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {**kept, **identity, "GIT_CONFIG_GLOBAL": os.devnull, "PRE_COMMIT_HOME": str(home)}


def git(folder, environment, *arguments, check=True):
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=environment,
        check=check,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture(scope="module")
def hooks(tmp_path_factory, environment):
    """A repository with the hooks in it, as one that is cloned from elsewhere."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
        else:
            shutil.copy(ROOT / name, folder / name)
    git(folder, environment, "init", "-q")
    git(folder, environment, "add", "-A")
    git(folder, environment, "commit", "-q", "-m", "hooks")
    git(folder, environment, "tag", "v0.1.0")
    return folder


@pytest.fixture
def repository(tmp_path, environment):
    """A user's repository, with nothing in it yet, and a way to commit with a hook installed."""
    git(tmp_path, environment, "init", "-q")

    def commit(hooks, hook):
        (tmp_path / ".pre-commit-config.yaml").write_text(CONFIG.format(hooks=hooks, hook=hook))
        subprocess.run(
            [sys.executable, "-m", "pre_commit", "install"],
            cwd=tmp_path,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        git(tmp_path, environment, "add", "-A")
        return git(tmp_path, environment, "commit", "-m", "change", check=False)

    return commit


def test_hook_stops_a_commit_and_lets_it_pass(tmp_path, repository, hooks):
    (tmp_path / "a.py").write_text(BRANCH)
    stopped = repository(hooks, "jaxlint")
    assert stopped.returncode == 1, stopped.stdout
    assert "JAX103 branch-on-tracer" in stopped.stdout and "a.py:6:8" in stopped.stdout
    (tmp_path / "a.py").write_text(BRANCH.replace("x.sum() > 2", "x.ndim > 2"))
    passed = repository(hooks, "jaxlint")
    assert passed.returncode == 0, passed.stdout
    assert "Passed" in passed.stdout


def test_fixing_hook_mends_and_then_passes(tmp_path, repository, hooks):
    (tmp_path / "a.py").write_text(STORE)
    assert repository(hooks, "jaxlint-fix").returncode == 1  # the files have changed
    assert (tmp_path / "a.py").read_text() == STORED
    assert repository(hooks, "jaxlint-fix").returncode == 0


def test_hook_reads_notebooks(tmp_path, repository, hooks):
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": BRANCH.splitlines(True),
    }
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    stopped = repository(hooks, "jaxlint")
    assert stopped.returncode == 1 and "a.ipynb:cell 1:6:8" in stopped.stdout, stopped.stdout


@pytest.mark.parametrize("where", ["", "sub"])
def test_hook_runs_no_plugin_of_the_repository(tmp_path, repository, hooks, where):
    """Its configuration names one, the module lies beside it, and so does what a distribution would have installed."""
    folder = tmp_path / where
    (folder / "evil-1.0.dist-info").mkdir(parents=True)
    (folder / "evil-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (folder / "evil-1.0.dist-info" / "entry_points.txt").write_text("[jaxlint.plugins]\nevil = evil\n")
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    (folder / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["evil"]\n')
    (folder / "a.py").write_text(BRANCH)
    stopped = repository(hooks, "jaxlint")
    assert not (tmp_path / "ran").exists()
    assert stopped.returncode == 1 and "JAX103 branch-on-tracer" in stopped.stdout, stopped.stdout
    assert "pyproject.toml:2" in stopped.stdout and "`plugins` in [tool.jaxlint]" in stopped.stdout


@pytest.mark.parametrize("where", ["", "sub"])
def test_hook_tells_nothing_of_the_environment_and_ends(tmp_path, repository, hooks, environment, where):
    """More of the kind, and by all entrances, is in tests/test_security_entrances.py."""
    folder = tmp_path / where / ("a" * 100)
    folder.mkdir(parents=True)
    (folder / "a.py").write_text(BRANCH)
    settings = f'[tool.jaxlint]\ncache-dir = "/x/$PRE_COMMIT_HOME"\nexclude = ["{"*a" * 40}*b"]\n'
    (tmp_path / where / "pyproject.toml").write_text(settings)
    stopped = repository(hooks, "jaxlint")
    assert stopped.returncode == 1 and "JAX103 branch-on-tracer" in stopped.stdout, stopped.stdout
    assert "pyproject.toml:2" in stopped.stdout and "/x/$PRE_COMMIT_HOME is not expanded" in stopped.stdout
    assert environment["PRE_COMMIT_HOME"] not in stopped.stdout


def test_a_staged_file_is_judged_with_the_files_that_import_it(tmp_path, repository, hooks, environment):
    helper = "def positive(x):\n    if x > 0:\n        return x\n    return -x\n"
    (tmp_path / "lib.py").write_text(helper.replace("x > 0", "True"))
    (tmp_path / "train.py").write_text(
        "import jax\nfrom lib import positive\n\n\n@jax.jit\ndef step(x):\n    return positive(x)\n"
    )
    assert repository(hooks, "jaxlint").returncode == 0
    (tmp_path / "lib.py").write_text(helper)
    stopped = repository(hooks, "jaxlint")
    assert git(tmp_path, environment, "diff", "--cached", "--name-only").stdout.split() == ["lib.py"]
    assert stopped.returncode == 1 and "lib.py:2:8" in stopped.stdout, stopped.stdout


def test_a_staged_file_is_judged_with_importers_in_another_source_folder(tmp_path, repository, hooks, environment):
    helper = "def positive(x):\n    if x > 0:\n        return x\n    return -x\n"
    for folder in ("a/src/a", "b/src/b"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__init__.py").write_text("")
    (tmp_path / "a/src/a/lib.py").write_text(helper.replace("x > 0", "True"))
    (tmp_path / "b/src/b/train.py").write_text("import jax\nfrom a.lib import positive\n\nstep = jax.jit(positive)\n")
    assert repository(hooks, "jaxlint").returncode == 0
    (tmp_path / "a/src/a/lib.py").write_text(helper)
    stopped = repository(hooks, "jaxlint")
    assert git(tmp_path, environment, "diff", "--cached", "--name-only").stdout.split() == ["a/src/a/lib.py"]
    assert stopped.returncode == 1 and "a/src/a/lib.py:2:8" in stopped.stdout, stopped.stdout


def test_excluded_files_alone_are_success(tmp_path, repository, hooks):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nextend-exclude = ["a.py"]\n')
    (tmp_path / "a.py").write_text(BRANCH)
    assert repository(hooks, "jaxlint").returncode == 0
