"""The recipe for a monorepo in `docs/adopting.md`: each of its steps does what it says, and its commands are those of the page."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
RECIPE = (ROOT / "docs" / "adopting.md").read_text(encoding="utf-8").partition("## A monorepo")[2].partition("\n## ")[0]
PROJECT = '[project]\nname = "{}"\nversion = "1"\ndependencies = ["jax{}"]\n'
RELU = "def relu(x):\n    return x if x > 0 else 0.0\n"
JITTED = "import jax\nfrom {} import relu\n\nrelu_fast = jax.jit(relu)\n"
SCRIPT = "import jax\n\nkey = jax.random.key(0)\nprint(jax.random.normal(key), jax.random.normal(key))\n"
REMOVED = "import jax.numpy as jnp\n\n\ndef total(x):\n    return jnp.sum(x) + jnp.row_stack([x, x]).sum()\n"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)\n```", RECIPE, re.DOTALL)


def commands(word):
    """The commands of the recipe that hold a word, as arguments of jaxlint."""
    lines = [line for block in blocks("sh") for line in block.splitlines() if word in line]
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """The packages of the recipe, with its configuration."""
    monkeypatch.chdir(tmp_path)
    files = {
        "pyproject.toml": blocks("toml")[0],
        "packages/models/pyproject.toml": PROJECT.format("models", ">=0.4.20,<0.4.25"),
        "packages/models/src/models/__init__.py": "",
        "packages/models/src/models/layers.py": RELU,
        "packages/models/src/models/fast.py": JITTED.format("models.layers"),
        "packages/models/src/models/old.py": REMOVED,
        "packages/models/third_party/vendored.py": SCRIPT,
        "packages/train/pyproject.toml": PROJECT.format("train", ">=0.10"),
        "packages/train/src/train/__init__.py": "",
        "packages/train/src/train/loop.py": REMOVED + SCRIPT,
        "packages/train/scripts/once.py": SCRIPT,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["git", "init", "-q"], check=True)
    return tmp_path


def jaxlint(*arguments):
    run = subprocess.run([sys.executable, "-m", "jaxlint", *map(str, arguments)], capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


def found(*arguments):
    _, out, err = jaxlint("check", *arguments, "--output-format", "json")
    return [(os.path.relpath(each["filename"]), each["code"]) for each in json.loads(out)], err


LAYERS = ("packages/models/src/models/layers.py", "JAX103")
OLD = ("packages/models/src/models/old.py", "JAX802")
LOOP = [("packages/train/src/train/loop.py", "JAX801"), ("packages/train/src/train/loop.py", "JAX401")]


def test_the_configuration_at_the_top_is_shared(repository):
    """Excludes and ignores by path, releases by package: `row_stack` is deprecated where `models` runs, and gone where `train` does."""
    assert found("packages")[0] == [LAYERS, OLD, *LOOP]
    code, out, _ = jaxlint("config", "packages/train")
    assert code == 0 and "`pyproject.toml` governs `packages/train`" in out and "JAX401" in out
    with open("packages/train/pyproject.toml", "a") as file:
        file.write("[tool.jaxlint]\npreview = false\n")
    assert ("packages/train/scripts/once.py", "JAX401") in found("packages")[0], "tables are not merged"


def test_imports_are_followed_from_package_to_package(repository):
    """A call in one package shows what fails in another: in every run, and only as long as it is clear which one is meant."""
    Path("packages/models/src/models/fast.py").unlink()
    assert found("packages")[0] == [OLD, *LOOP]
    uses = Path("packages/train/src/train/uses.py")
    uses.write_text(JITTED.format("models.layers"))
    assert found("packages")[0] == [LAYERS, OLD, *LOOP]
    assert found("packages/models/src/models/layers.py")[0] == found(str(uses))[0] == [LAYERS]
    for name in ("models", "train"):
        shutil.copytree(f"packages/{name}/src/{name}", f"libs/{name}")
    moved = (LAYERS[0].replace("packages/models/src", "libs"), "JAX103")
    assert moved in found("libs")[0], "what lies beside the importing package is meant first"
    for name in ("one", "other"):
        shutil.copytree("packages/models/src/models", f"{name}/src/twice")
    uses.write_text(JITTED.format("twice.layers"))
    assert found(str(uses))[0] == [], "it is not clear which of the two is meant"


def test_each_package_has_its_baseline(repository):
    for package in ("models", "train"):
        for command in [*commands("baseline packages"), *commands("--baseline")]:
            code, _, err = jaxlint(*[word.replace("models", package) for word in command])
            assert (code, err) == (0, "")
    Path("packages/train/src/train/loop.py").rename("packages/train/src/train/steps.py")
    checked = [word.replace("models", "train") for word in commands("--baseline")[0]]
    code, _, err = jaxlint(*checked)
    assert code == 0 and "(src/train/loop.py is src/train/steps.py)" in err
    Path("packages/train/src/train/more.py").write_text(SCRIPT)
    assert jaxlint(*checked)[0] == 1


def test_shards_are_joined(repository):
    for command in commands("--shard"):
        assert jaxlint(*command)[0] == 0
    (join,) = commands("merge")
    assert jaxlint(*join) == jaxlint("check", "packages", "--output-format", "github")


def test_the_cache_is_of_use_to_a_new_checkout(repository):
    assert "from the cache" not in found("packages", "-v")[1]
    shutil.copytree(repository, repository.parent / "kept")
    for entry in list(repository.iterdir()):
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for entry in (repository.parent / "kept").iterdir():  # with the times of this moment
        shutil.copytree(entry, entry.name, copy_function=shutil.copy) if entry.is_dir() else shutil.copy(
            entry, entry.name
        )
    files = len(jaxlint("check", "packages", "--show-files")[1].splitlines())
    assert f"{files} files, {files} of them from the cache" in found("packages", "-v")[1]


def test_the_workflow_runs_the_commands(repository):
    """Its steps, with the names filled in as GitHub does, in a shell."""
    (text,) = blocks("yaml")
    jobs = yaml.safe_load(text)["jobs"]
    assert [step["with"]["path"] for step in jobs["shard"]["steps"] if "cache" in step.get("uses", "")] == [
        ".jaxlint_cache"
    ]
    ran = []
    for part in jobs["shard"]["strategy"]["matrix"]["part"]:
        for step in jobs["shard"]["steps"]:
            ran.append(step.get("run", "").replace("${{ matrix.part }}", str(part)))
    ran += [step.get("run", "") for step in jobs["report"]["steps"]]
    for line in ran:
        words = shlex.split(line)
        if words[:1] == ["jaxlint"]:
            code, out, err = jaxlint(*words[1:])
            assert err == "" and (code, bool(out)) == ((1, True) if words[1] == "merge" else (0, False))
