"""What is reported in a file does not depend on which other files a run names: its importers are analysed with it."""

import json
import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper

import pytest

import jaxlint
from jaxlint.cli import main
from jaxlint.configuration import discovery
from jaxlint.configuration.config import Configs
from jaxlint.run import importers
from jaxlint.run.importers import Importers, ImportGraph

HELPER = "import jax.numpy as jnp\n\n\ndef helper(x):\n    if x > 0:\n        return jnp.sin(x)\n    return x\n"
PLACE = "lib.py:5:8: JAX103"
MAIN = "import jax\nfrom lib import helper\n\n\n@jax.jit\ndef step(x):\n    return helper(x)\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Writes files of a project, which is the working directory."""
    monkeypatch.chdir(tmp_path)

    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    write({"pyproject.toml": "[tool.jaxlint]\n"})
    return write


@pytest.fixture
def places(capsys):
    """Runs `check`; gives the place and code of each finding."""

    def run(*arguments, options=("--no-cache",)):
        main(["check", "--output-format", "concise", "--jobs", "1", *options, *arguments])
        lines = capsys.readouterr().out.splitlines()
        return [" ".join(line.split(" ")[:2]) for line in lines if ": JAX" in line]

    return run


def test_a_file_alone_is_told_what_the_whole_run_tells_it(project, places):
    project({"lib.py": HELPER, "main.py": MAIN})
    assert places("lib.py") == places("main.py") == places(".") == places("lib.py", "main.py") == [PLACE]
    assert places("--no-importers", "lib.py") == []
    assert places("--no-importers", "main.py") == ["main.py:7:12: JAX103"]


def test_what_leads_to_the_file_through_others_counts(project, places):
    project(
        {
            "lib.py": HELPER,
            "middle.py": "from lib import helper as inner\n",
            "main.py": MAIN.replace("lib", "middle").replace("helper", "inner"),
        }
    )
    assert places("lib.py") == places(".") == [PLACE]


@pytest.mark.parametrize("line", [
    "import lib", "import os, lib", "from lib import *", "from . import lib", "from .lib import helper", "import pkg.lib",
    "from pkg import lib", "def f():\n    from pkg.lib import (\n        helper,\n    )",
])  # fmt: skip
def test_import_statements_that_count(project, line):
    folder = project(
        {"pkg/__init__.py": "", "pkg/lib.py": HELPER, "pkg/main.py": f"import jax\n{line}\n", "lib.py": ""}
    )
    target = "pkg/lib.py" if "." in line or "pkg" in line else "lib.py"
    assert Importers(Configs(), cached=False).of(target) == [str(folder / "pkg/main.py")]


def test_an_importer_that_does_not_lead_to_jax_is_not_analysed(project):
    folder = project(
        {
            "lib.py": "",
            "calm.py": "import lib\n",
            "jaxy.py": "import calm\nimport jax\n",
            "use.py": "import lib\nimport jaxy\n",
        }
    )
    assert Importers(Configs(), cached=False).of("lib.py") == [str(folder / name) for name in ("use.py", "jaxy.py")]


def test_the_nearest_importers_come_first_and_then_the_order_of_paths():
    graph = ImportGraph({"a": ["lib"], "z": ["lib"], "b": ["a", "lib"], "c": ["a"], "lib": ["c"], "other": []}, ["lib"])
    assert graph.importers("lib", 9) == ["a", "b", "z", "c"]
    assert graph.importers("lib", 2) == ["a", "b"]
    assert graph.all_importers("lib") == {"a", "b", "z", "c"}
    assert graph.importers("other", 9) == graph.importers("not of the project", 9) == []


def test_the_walk_for_importers_is_bounded(project, places, monkeypatch):
    project({"lib.py": HELPER, **{f"a{number}/main.py": MAIN for number in range(9)}})
    assert places("lib.py") == ["lib.py:5:8: JAX103"]
    monkeypatch.setattr(discovery, "MAX_FOLDERS", 1)  # the first folder of a file is beyond it
    assert places("lib.py") == []
    monkeypatch.setattr(discovery, "MAX_FOLDERS", 100)
    monkeypatch.setattr(discovery, "MAX_FILES", 5)  # lib.py comes after them
    assert places("lib.py") == []


def test_beyond_their_number_importers_are_left_out_in_every_run(project, places, monkeypatch, capsys):
    monkeypatch.setattr(importers, "MAX_IMPORTERS", 2)
    calm = "import jax\nimport lib\n"
    project({"lib.py": HELPER, "a.py": calm, "b.py": calm, "main.py": MAIN})
    assert places(".") == places("lib.py") == places("main.py") == []
    main(["check", "--no-cache", "--statistics", "lib.py"])
    assert "the nearest 2 importers" in (err := capsys.readouterr().err) and "lib.py: 1 more" in err
    project({"b.py": MAIN})
    assert places(".") == places("lib.py") == places("b.py") == [PLACE]


@pytest.mark.parametrize("settings, files", [
    ("[tool.jaxlint]\nexclude = ['lib.py']\n", {}), ("[tool.jaxlint]\n", {".gitignore": "lib.py\n", ".git/HEAD": ""}),
], ids=["excluded", "ignored"])  # fmt: skip
def test_a_file_that_a_run_of_the_project_does_not_read_is_reported_at_the_call(project, places, settings, files):
    project({"lib.py": HELPER, "main.py": MAIN, "pyproject.toml": settings, **files})
    assert places("main.py") == places(".") == ["main.py:7:12: JAX103"]


def test_an_importer_that_a_run_of_the_project_does_not_read_decides_nothing(project, places):
    project({"lib.py": HELPER, "main.py": MAIN, "pyproject.toml": "[tool.jaxlint]\nexclude = ['main.py']\n"})
    assert places("lib.py") == places(".") == []
    assert places("main.py") == ["main.py:7:12: JAX103"]


def test_errors_in_the_configuration_of_files_that_are_not_named_are_not_shown(project, places):
    project(
        {
            "lib.py": HELPER,
            "main.py": MAIN,
            "other/pyproject.toml": "[tool.jaxlint]\ntarget-jax = 3\n",
            "other/a.py": MAIN,
        }
    )
    assert places("lib.py") == [PLACE]
    assert places("lib.py", "other/a.py") == ["other/pyproject.toml:2:1: JAX903", PLACE]


def test_settings_of_the_file_decide_what_is_reported_in_it(project, places):
    project(
        {
            "lib.py": HELPER,
            "main.py": MAIN,
            "pyproject.toml": "[tool.jaxlint]\nper-file-ignores = {'lib.py' = ['JAX103']}\n",
        }
    )
    assert places("lib.py") == places("main.py") == []
    project({"pyproject.toml": "[tool.jaxlint]\n", "lib.py": HELPER.replace("> 0:", "> 0:  # noqa: JAX103")})
    assert places("lib.py") == places("main.py") == places(".") == []


def test_the_repository_is_the_project_of_its_folders(project, places):
    folder = project(
        {
            ".git/HEAD": "",
            "src/lib.py": HELPER,
            "scripts/main.py": "import sys\n" + MAIN.replace("from lib", "from src.lib"),
        }
    )
    os.chdir(folder / "src")
    (folder / "pyproject.toml").unlink()
    assert Configs().for_file("lib.py").sources.folder == str(folder)
    os.chdir(folder)
    assert places("src/lib.py") == places(".") == ["src/lib.py:5:8: JAX103"]
    assert places("src") == ["src/lib.py:5:8: JAX103"]


def test_fixes_of_what_an_importer_shows_are_applied_in_named_files_alone(project, places):
    folder = project({"lib.py": HELPER, "main.py": MAIN})
    assert places("--fix", "--unsafe-fixes", "main.py") == [PLACE]
    assert (folder / "lib.py").read_text() == HELPER
    assert places("--fix", "--unsafe-fixes", "lib.py") == []
    assert "jnp.where(x > 0, jnp.sin(x), x)" in (folder / "lib.py").read_text()
    assert (folder / "main.py").read_text() == MAIN


def test_no_comment_is_added_to_a_file_that_is_not_named(project, places):
    folder = project({"lib.py": HELPER, "main.py": MAIN})
    places("--add-noqa", "main.py")
    assert (folder / "lib.py").read_text() == HELPER and (folder / "main.py").read_text() == MAIN
    places("--add-noqa", "lib.py")
    assert "# noqa: JAX103" in (folder / "lib.py").read_text()


def test_standard_input_is_what_the_importers_import(project, places, monkeypatch):
    project({"lib.py": "def helper(x):\n    return x\n", "main.py": MAIN})
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(HELPER.encode())))
    assert places("-", "--stdin-filename", "lib.py", options=()) == [PLACE]
    assert places("lib.py", options=()) == []


def test_the_library_answers_as_the_command(project):
    project({"lib.py": HELPER, "main.py": MAIN})
    (found,) = jaxlint.check(HELPER, "lib.py")
    assert (found.code, found.start.row) == ("JAX103", 5)
    assert jaxlint.check(MAIN, "main.py") == []
    assert [each.filename for each in jaxlint.check_paths("main.py")] == ["lib.py"]


def flake8(*arguments, text=None):
    command = [sys.executable, "-m", "flake8", "--isolated", "--select=JAX", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert not done.stderr
    return [" ".join(line.split(" ")[:2]) for line in done.stdout.splitlines()]


def test_flake8_reports_where_it_fails(project):
    project({"lib.py": HELPER, "main.py": MAIN})
    assert flake8("lib.py") == flake8("--jobs=2", "main.py", "lib.py") == [PLACE]
    assert flake8(".") == [f"./{PLACE}"]
    assert flake8("main.py") == flake8("--per-file-ignores=lib.py:JAX103", ".") == []
    assert flake8("-", "--stdin-display-name=lib.py", text="\n" + HELPER) == ["lib.py:6:8: JAX103"]


@pytest.fixture
def large(project):
    """A project whose import graph is worth keeping."""
    return project(
        {f"pkg/m{number}.py": "import jax\n" for number in range(importers._FEW)} | {"lib.py": HELPER, "main.py": MAIN}
    )


def kept(folder):
    return [path for path in folder.glob(".jaxlint_cache/*/*.json") if '"edges"' in path.read_text()]


def test_the_kept_graph_follows_the_files(large, places):
    assert places("lib.py", options=()) == [PLACE] and len(kept(large)) == 1
    (large / "main.py").write_text(MAIN.replace("from lib import", "from other import"))
    assert places("lib.py", options=()) == []
    (large / "new.py").write_text(MAIN)
    assert places("lib.py", options=()) == [PLACE]
    (large / "new.py").unlink()
    assert places("lib.py", options=()) == []
    (large / "main.py").write_text(MAIN.replace("lib", "src.lib"))
    (large / "src").mkdir()
    (large / "lib.py").rename(large / "src" / "lib.py")
    assert places("src/lib.py", options=()) == ["src/lib.py:5:8: JAX103"]


def test_a_kept_graph_that_was_tampered_with_does_not_count(large, places):
    from jaxlint.run import cache

    assert places("lib.py", options=()) == [PLACE]
    (path,) = kept(large)
    data = cache.unpacked(path.read_bytes())
    for broken in (
        {},
        [],
        {**data, "edges": {"lib.py": [10**9]}},
        {**data, "texts": {"lib.py": 3}},
        {**data, "edges": []},
    ):
        path.write_bytes(cache.packed(broken))
        assert places("lib.py", options=()) == [PLACE]
    path.write_bytes(b"\0")
    assert places("lib.py", options=()) == [PLACE]


def test_shards_find_what_importers_outside_of_the_paths_show(project, places, capsys):
    project({"src/lib.py": HELPER, "src/other.py": "import jax\n", "main.py": MAIN.replace("from lib", "from src.lib")})
    assert places("src") == ["src/lib.py:5:8: JAX103"]
    for number in "123":
        main(
            [
                "check",
                "src",
                "--no-cache",
                "--shard",
                f"{number}/3",
                "--output-format",
                "json",
                "--output-file",
                f"{number}.json",
            ]
        )
    capsys.readouterr()
    main(["merge", "1.json", "2.json", "3.json", "--output-format", "json"])
    (found,) = json.loads(capsys.readouterr().out)
    assert found["code"] == "JAX103" and found["filename"].endswith("src/lib.py")


LAYERS = HELPER.replace("helper", "relu")
LOOP = "import jax\nfrom {} import relu\n\n\n@jax.jit\ndef step(x):\n    return relu(x)\n"
THERE = "packages/models/src/models/layers.py:5:8: JAX103"


@pytest.fixture
def monorepo(project):
    """Two distributions with a ``src`` folder each, one of which imports the other."""
    return project(
        {
            ".git/HEAD": "",
            "packages/models/pyproject.toml": "[project]\nname = 'models'\n",
            "packages/models/src/models/__init__.py": "",
            "packages/models/src/models/layers.py": LAYERS,
            "packages/train/pyproject.toml": "[project]\nname = 'train'\n",
            "packages/train/src/train/__init__.py": "",
            "packages/train/src/train/loop.py": LOOP.format("models.layers"),
        }
    )


def test_an_import_is_followed_into_another_source_folder(monorepo, places):
    lib, loop = "packages/models/src/models/layers.py", "packages/train/src/train/loop.py"
    assert places(lib) == places(loop) == places(".") == places(lib, loop) == places("packages/train") == [THERE]
    assert places("--no-importers", loop) == [f"{loop}:7:12: JAX103"] and places("--no-importers", lib) == []
    os.chdir(monorepo / "packages" / "train")
    assert places("src") == ["../models/src/models/layers.py:5:8: JAX103"]
    os.chdir(monorepo / "packages" / "models")
    assert places("src/models/layers.py") == ["src/models/layers.py:5:8: JAX103"]


def test_flake8_follows_an_import_into_another_source_folder(monorepo):
    lib, loop = "packages/models/src/models/layers.py", "packages/train/src/train/loop.py"
    assert flake8(lib) == flake8(loop, lib) == [THERE] and flake8(loop) == []
    assert flake8("-", f"--stdin-display-name={lib}", text=LAYERS) == [THERE]


@pytest.mark.parametrize("lib, module", [
    ("packages/models/src/models/layers.py", "models.layers"),  # without `__init__.py`
    ("packages/models/src/layers.py", "layers"),
    ("python/models/layers.py", "models.layers"),
    ("src/models/layers.py", "models.layers"),
    ("packages/models/src/google/models/layers.py", "google.models.layers"),
], ids=["namespace", "module", "beside `setup.py`", "src", "nested namespace"])  # fmt: skip
def test_source_folders(project, places, lib, module):
    project({".git/HEAD": "", lib: LAYERS, "python/setup.py": "", "examples/digits/run.py": LOOP.format(module)})
    assert places(lib) == places("examples/digits/run.py") == [f"{lib}:5:8: JAX103"]


def test_a_package_is_found_wherever_it_lies(project, places):
    init = {f"libs/{name}/{name}/__init__.py": "" for name in ("models", "train")}
    lib, loop = "libs/models/models/layers.py", "libs/train/train/loop.py"
    project({".git/HEAD": "", **init, lib: LAYERS, loop: LOOP.format("models.layers")})
    assert places(lib) == places(loop) == places(".") == [f"{lib}:5:8: JAX103"]
    project({"libs/train/train/loop.py": LOOP.format("layers")})
    assert places(".") == [], "a file in any folder is not a module that others import"


def test_of_two_packages_with_one_name_the_nearest_is_meant(project, places):
    def package(folder, text=LAYERS):
        return {f"{folder}/src/models/__init__.py": "", f"{folder}/src/models/layers.py": text}

    loop = "here/train/src/loop.py"
    project({".git/HEAD": "", **package("here/a"), **package("there/b"), loop: LOOP.format("models.layers")})
    assert places(loop) == ["here/a/src/models/layers.py:5:8: JAX103"] and places("there") == []
    project(package("here/c", ""))
    assert places(loop) == places("here/a") == [], "two are equally near: neither is meant for certain"


@pytest.mark.parametrize("name", ["json", "torch"])
def test_no_source_folder_is_looked_at_for_what_is_not_of_the_project(monorepo, places, name):
    loop = monorepo / "packages/train/src/train/loop.py"
    loop.write_text(LOOP.format(name))
    other = monorepo / "ignored/torch/__init__.py"
    other.parent.mkdir(parents=True)
    other.write_text(LAYERS)
    (monorepo / ".gitignore").write_text("ignored\n")
    (monorepo / "packages/models/src/json.py").write_text(LAYERS)
    assert places(str(loop)) == []


def test_a_link_leads_to_no_package_outside_of_the_project(monorepo, places, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").mkdir()
    (outside / "secret" / "__init__.py").write_text(LAYERS)
    (monorepo / "packages/models/src/secret").symlink_to(outside / "secret")
    loop = monorepo / "packages/train/src/train/loop.py"
    loop.write_text(LOOP.format("secret"))
    assert places(str(loop)) == []


def test_what_is_cached_follows_the_packages_of_other_source_folders(monorepo, places):
    lib = monorepo / "packages/models/src/models/layers.py"
    loop = "packages/train/src/train/loop.py"
    assert places(loop, options=()) == places(loop, options=()) == [THERE]
    lib.write_text("def relu(x):\n    return x\n")
    assert places(loop, options=()) == []
    lib.write_text(LAYERS)
    assert places(loop, options=()) == [THERE]
    lib.unlink()
    assert places(loop, options=()) == []
    new = monorepo / "other/src/models/layers.py"  # in a source folder that nothing was asked of
    new.parent.mkdir(parents=True)
    (new.parent / "__init__.py").write_text("")
    new.write_text(LAYERS)
    assert places(loop, options=()) == ["other/src/models/layers.py:5:8: JAX103"]


def test_the_kept_graph_follows_the_source_folders(project, places):
    """A ``pyproject.toml`` makes the folder beside it one, and is no file of Python."""
    others = {f"pkg/m{number}.py": "import jax\n" for number in range(importers._FEW)}
    folder = project({".git/HEAD": "", **others, "libs/layers.py": LAYERS, "app/loop.py": LOOP.format("layers")})
    assert places("libs/layers.py", options=()) == [] and len(kept(folder)) == 1
    (folder / "libs" / "pyproject.toml").write_text("[project]\nname = 'layers'\n")
    assert places("libs/layers.py", options=()) == ["libs/layers.py:5:8: JAX103"]
    (folder / "libs" / "pyproject.toml").unlink()
    assert places("libs/layers.py", options=()) == []


@pytest.mark.parametrize("workers", ["1", "2"])
def test_processes_look_where_the_run_does(monorepo, capsys, workers):
    filler = "import jax\n" + "x = 1  # to make processes worth it\n" * 5000
    (monorepo / "packages/train/src/train/long.py").write_text(filler)
    main(["check", "--no-cache", "--output-format", "concise", "--jobs", workers, "."])
    assert THERE in capsys.readouterr().out


def test_reveal_follows_an_import_into_another_source_folder(monorepo, capsys):
    main(["reveal", "packages/models/src/models/layers.py:5", "--root", "packages/train/src/train/loop.py"])
    assert "loop.py line 7" in capsys.readouterr().out


def test_what_a_file_shows_of_itself_is_not_said_at_calls_again(tmp_path, places, monkeypatch):
    """In a folder that is no project of its own: neither a working tree, nor below the working directory."""
    (tmp_path / "code" / "fid").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (tmp_path / "code" / "fid" / "core.py").write_text(
        "import jax\n\n\ndef drawn(seed):\n    key = jax.random.key(seed)\n"
        "    return jax.random.normal(key, (3,)), jax.random.uniform(key, (3,))\n"
    )
    (tmp_path / "code" / "main.py").write_text("from fid.core import drawn\n\nprint(drawn(3))\n")
    core = str(tmp_path / "code" / "fid" / "core.py")
    assert [line.split(":")[0] for line in places(str(tmp_path / "code"))] == [core]
