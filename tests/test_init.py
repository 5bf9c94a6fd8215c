"""`jaxlint init`: what it writes keeps every byte of what is there, and works."""

import subprocess
import sys

import pytest
import yaml

from jaxlint.cli import main
from jaxlint.configuration.config import Configs

BRANCH = "import jax\nimport optax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
HOOKS = ".pre-commit-config.yaml"


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(BRANCH)
    return tmp_path


@pytest.mark.parametrize(
    "before",
    [
        b"", b'[project]\nname = "x"\ndependencies = ["jax>=0.5"]\n', b'[project]\r\nname = "caf\xc3\xa9" # \xe2\x80\xa6\r\n',
        b'# only a comment', b'[tool.black]\nline-length = 90', b'[tool]\nblack = {line-length = 90}\n\n\n',
    ],
)  # fmt: skip
def test_every_byte_of_the_file_is_kept(project, before, capsys):
    (project / "pyproject.toml").write_bytes(before)
    assert main(["init"]) == 0
    after = (project / "pyproject.toml").read_bytes()
    assert after.startswith(before)
    assert (b"\r\n" in before) == (b"\r\n" in after) and after.count(b"\r\n") in (0, after.count(b"\n"))
    configs = Configs()
    assert configs.for_folder(".").path == str(project / "pyproject.toml") and configs.problems == []


def test_it_says_what_it_saw_and_what_to_do_next(project, capsys):
    (project / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["jax>=0.5"]\n')
    (project / "test").mkdir()
    (project / "test" / "model.py").write_text(BRANCH)
    assert main(["init"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "Added to pyproject.toml.\nSaw 2 Python files, which import jax, optax.\nJAX: >=0.5, as the project declares.\n"
    )
    assert "Run `jaxlint check` next" in said
    assert Configs().for_folder(".").is_test(str(project / "test" / "model.py"))
    assert main(["check", "--no-cache", "model.py"]) == 1


def test_a_project_without_a_pyproject_gets_one(project, capsys):
    assert main(["init"]) == 0
    assert capsys.readouterr().out.startswith("Wrote pyproject.toml.\n")
    assert (project / "pyproject.toml").read_text().startswith("[tool.jaxlint]\n")


def test_a_difference_is_shown_and_nothing_is_written(project, capsys):
    (project / "pyproject.toml").write_text("[tool.black]\n")
    assert main(["init", "--diff", "--pre-commit"]) == 0
    shown = capsys.readouterr().out
    assert "+[tool.jaxlint]" in shown and "+repos:" in shown
    assert (project / "pyproject.toml").read_text() == "[tool.black]\n" and not (project / HOOKS).exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.black]\n[tool.jaxlint]\npreview = true\n", "pyproject.toml:2:1: [tool.jaxlint] is there already"),
        ("[tool\n", "pyproject.toml:1:6: not valid TOML"),
        ("tool = {black = {}}\n", "no table can be added behind what is there"),
    ],
)
def test_what_is_there_is_never_overwritten(project, capsys, text, message):
    (project / "pyproject.toml").write_text(text)
    assert main(["init"]) == 2
    assert message in capsys.readouterr().err
    assert (project / "pyproject.toml").read_text() == text and not (project / HOOKS).exists()


@pytest.mark.parametrize(
    "before",
    [
        "repos:\n- repo: https://example.org/a\n  rev: v1\n  hooks:\n  - id: a\n",
        "fail_fast: true\nrepos:\n  - repo: local  # ours\n    hooks:\n      - id: a\n\nci:\n  skip: [a]\n",
        "repos:\r\n  - repo: local\r\n    hooks: []",
    ],
)
def test_a_hook_is_added_to_those_there_are(project, before):
    (project / HOOKS).write_bytes(before.encode())
    assert main(["init", "--pre-commit"]) == 0
    after = (project / HOOKS).read_bytes().decode()
    old, new = yaml.safe_load(before), yaml.safe_load(after)
    assert new["repos"][:-1] == old["repos"] and new["repos"][-1]["hooks"][0]["id"] == "jaxlint"
    assert {**new, "repos": None} == {**old, "repos": None}
    assert all(line in after.splitlines() for line in before.splitlines())


def test_pre_commit_takes_the_hook(project):
    assert main(["init", "--pre-commit"]) == 0
    ran = subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", HOOKS], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [("repos:\n- repo: local\n  hooks:\n  - id: jaxlint\n", ":4:1: a hook"), ("a: 1\n", "no list of `repos:`")],
)
def test_a_hook_that_cannot_be_added_leaves_everything(project, capsys, text, message):
    (project / HOOKS).write_text(text)
    assert main(["init", "--pre-commit"]) == 2
    assert message in capsys.readouterr().err
    assert not (project / "pyproject.toml").exists() and (project / HOOKS).read_text() == text


def test_a_hook_is_added_to_settings_that_are_there(project, capsys):
    assert main(["init"]) == 0
    assert "`jaxlint init --pre-commit` adds a hook" in capsys.readouterr().out
    settings = (project / "pyproject.toml").read_bytes()
    assert main(["init", "--pre-commit"]) == 0
    assert capsys.readouterr().out.startswith(f"Wrote {HOOKS}.\n")
    assert (project / "pyproject.toml").read_bytes() == settings
    assert main(["init", "--pre-commit"]) == 2 and "a hook of jaxlint is there already" in capsys.readouterr().err


def test_all_frameworks_of_a_line_are_seen(project, capsys):
    (project / "model.py").write_text(
        "import os, jax.numpy as jnp , flax\nif 1:\n    from haiku._src import x\nimport jaxtyping, optax_extra\n"
    )
    assert main(["init"]) == 0
    assert "Saw 1 Python file, which imports flax, haiku, jax.\n" in capsys.readouterr().out


def test_a_folder_that_is_not_there(project, capsys):
    assert main(["init", "nowhere"]) == 2
    assert "nowhere is no folder" in capsys.readouterr().err
