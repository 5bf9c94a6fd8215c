"""The extension for VS Code: its manifest, its types and unit tests, and the package. ``tests/code_server`` drives it."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import jaxlint

ROOT = Path(__file__).parent.parent
EXTENSION = ROOT / "editors" / "vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
SETTINGS = MANIFEST["contributes"]["configuration"]["properties"]


def test_every_setting_is_on_the_page_with_its_default():
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    tables = "".join(re.findall(r"^\| setting \|.*\n((?:\|.*\n)+)", page, re.MULTILINE))
    rows = re.findall(r"^\| (`jaxlint\.[^|]*) \|([^|]*)\|", tables, re.MULTILINE)
    listed = {}
    for names, default in rows:
        for name in re.findall(r"`(?:jaxlint\.)?([\w.]+)`", names):
            listed[f"jaxlint.{name}"] = default.strip().strip("`")
    assert listed.keys() == SETTINGS.keys()
    assert listed == {name: written(each["default"]) for name, each in SETTINGS.items()}


def written(default):
    """A default as the page has it; nothing stands for what leaves the decision to others."""
    return "" if default in ("", [], None) else default if isinstance(default, str) else json.dumps(default)


def test_every_setting_of_the_server_has_a_schema():
    from jaxlint.server.service import OPTIONS, Settings, _plain

    known = {*OPTIONS, *Settings.__dataclass_fields__} - {"overrides"}
    of_the_extension = {"path", "interpreter", "fix_all", "trace.server"}
    assert {_plain(name.removeprefix("jaxlint.")) for name in SETTINGS} == known | of_the_extension


def test_commands_of_the_palette_are_registered_and_are_no_commands_of_the_server():
    from jaxlint.server import answers

    declared = {each["command"] for each in MANIFEST["contributes"]["commands"]}
    assert all(f'"{name}"' in (EXTENSION / "src" / "commands.ts").read_text(encoding="utf-8") for name in declared)
    assert not declared & {answers.EXPLAIN, answers.OPEN_PAGE, answers.WHY}, "the client registers those by itself"


def test_the_version_is_that_of_the_linter():
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert MANIFEST["version"] == lock["version"] == jaxlint.__version__


def test_the_lock_file_names_no_registry():
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert packages and all("integrity" in each and "resolved" not in each for each in packages.values())


@pytest.fixture(scope="module")
def npm(tmp_path_factory):
    """Runs a script of the extension in a copy of it, in which what it is built with is installed."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("the extension is built by npm and Node, which are not on this machine")
    folder = tmp_path_factory.mktemp("extension")
    own = shutil.ignore_patterns("node_modules", "dist", "out", "*.vsix", "LICENSE")
    shutil.copytree(EXTENSION, folder / "editors" / "vscode", ignore=own)
    shutil.copy(ROOT / "LICENSE", folder)
    folder = folder / "editors" / "vscode"
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries", "0"]
    installed = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if installed.returncode:
        pytest.skip(f"npm cannot install what the extension is built with: {installed.stderr[-500:]}")
    env = {**os.environ, "JAXLINT_TEST_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}

    def run(script):
        done = subprocess.run(
            ["npm", "run", "--silent", script], cwd=folder, env=env, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run.folder = folder
    return run


def test_types_and_unit_tests(npm):
    npm("check")
    said = npm("test")
    assert re.search(r"^# pass [1-9]", said, re.MULTILINE) and "# skipped 0" in said, said


def test_one_command_makes_the_package(npm):
    npm("package")
    with zipfile.ZipFile(npm.folder / "jaxlint.vsix") as package:
        inside = {name.removeprefix("extension/") for name in package.namelist() if name.startswith("extension/")}
        bundle = package.read("extension/dist/extension.js").decode()
        licenses = package.read("extension/dist/licenses.txt").decode()
        manifest = json.loads(package.read("extension/package.json"))
    assert inside == {"package.json", "readme.md", "LICENSE.txt", "dist/extension.js", "dist/licenses.txt"}
    assert manifest["main"] == "./dist/extension.js" and "vscode-languageclient 11" in licenses
    assert str(npm.folder) not in bundle and str(Path.home()) + os.sep not in bundle
    loaded = set(re.findall(r'require\("([^"]+)"\)', bundle))
    of_node = subprocess.run(
        ["node", "-p", "require('module').builtinModules.join()"], capture_output=True, text=True, check=True
    )
    known = {"vscode", *of_node.stdout.strip().split(",")}
    assert {name.removeprefix("node:") for name in loaded} <= known, "a package is not in the bundle"
