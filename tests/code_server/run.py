"""The extension for VS Code in a real editor: ``python tests/code_server/run.py [--screenshots FOLDER] [NAME ...]``.

code-server is VS Code behind a web page: the page runs in Chromium, and extensions run in Node on this machine, as on a
desktop. It comes from npm without its install scripts, which fetch a program for searching; what it needs beside that is
compiled here. It takes Node 20 or 22, a C++ compiler, Chromium and a network, or what npm has kept of an earlier run, and a minute
or two. Where one of them is missing, the script says so and ends without a failure.

Each scenario opens a folder in a window of its own. NAME runs those of which the name contains it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from urllib.request import urlopen

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
VERSIONS = {"20": "4.100.3", "22": "4.117.0"}  # of code-server, by the Node that it is made for
# What it does not start without, where it is not compiled. `kerberos` is for proxies, and is loaded when one asks for it.
NATIVE = ("@vscode/spdlog", "native-watchdog", "node-pty")

CODE = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    y = jnp.zeros(3)
    return y[[0, 1]] + x
"""
FIXED = CODE.replace("y[[0, 1]]", "y[jnp.array([0, 1])]")

# Stands in for the Python extension, which no registry of packages has: a file of the workspace names what is selected.
SELECTED = ".selected"
PYTHON_EXTENSION = """
const fs = require("fs"), vscode = require("vscode")
exports.activate = () => {
  const file = vscode.workspace.workspaceFolders[0].uri.fsPath + "/.selected"
  const selected = () => fs.readFileSync(file, "utf8")
  const changed = new vscode.EventEmitter()
  let last = selected()
  setInterval(() => { if (last !== selected()) { last = selected(); changed.fire({ path: last }) } }, 100)
  return { environments: {
    getActiveEnvironmentPath: () => ({ id: last, path: last }),
    resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
    onDidChangeActiveEnvironmentPath: changed.event,
  } }
}
"""


class Missing(Exception):
    """What the script cannot go on without."""


# --- the editor --------------------------------------------------------------------------------


def run(command: list[str], folder: Path, what: str) -> None:
    """Run a program of the setup. Raises Missing with the end of what it says."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900)
    if done.returncode:
        raise Missing(f"{what}: {' '.join(command)}\n{done.stdout[-1500:]}")


def node_gyp() -> list[str]:
    """The command that compiles modules for Node, which npm brings along."""
    script = Path(shutil.which("npm") or "").resolve().parents[1] / "node_modules" / "node-gyp" / "bin" / "node-gyp.js"
    if not script.exists():
        raise Missing(f"npm has no node-gyp at {script}")
    headers = Path(shutil.which("node") or "").resolve().parents[1]
    known = [f"--nodedir={headers}"] if (headers / "include" / "node" / "node.h").exists() else []
    return ["node", str(script), "rebuild", *known]


def install(folder: Path) -> Path:
    """The script that starts code-server, installed and compiled in a folder. Raises Missing."""
    for program in ("node", "npm", "g++", "make"):
        if shutil.which(program) is None:
            raise Missing(f"there is no {program} on this machine")
    node = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    version = VERSIONS.get(node.removeprefix("v").split(".")[0])
    if version is None:
        raise Missing(f"there is a code-server for Node {' and '.join(VERSIONS)}, and this is {node}")
    entry = folder / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    ready = folder / "ready"
    if ready.exists():
        return entry
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}')
    npm = ["npm", "install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline"]
    run([*npm, f"code-server@{version}"], folder, "npm cannot install code-server")
    vscode = entry.parents[2] / "lib" / "vscode"
    run(npm, vscode, "npm cannot install the modules of VS Code")
    gyp = node_gyp()
    for name in NATIVE:
        if (vscode / "node_modules" / name).exists():
            run(gyp, vscode / "node_modules" / name, f"{name} does not compile")
    argon2 = folder / "node_modules" / "argon2"
    if not (argon2 / "prebuilds").exists():
        made = argon2 / "lib" / "binding" / "napi-v3"
        arguments = [
            "--module_name=argon2",
            f"--module_path={made}",
            "--napi_build_version=3",
        ]  # as node-pre-gyp has them
        run([*gyp, *arguments], argon2, "argon2 does not compile")
    if not (vscode / "node_modules.asar").exists():
        (vscode / "node_modules.asar").symlink_to("node_modules")
    ready.touch()
    return entry


def package() -> Path:
    """The extension, packaged. Raises Missing where npm cannot install what that takes."""
    npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
    if not (EXTENSION / "node_modules").exists():
        run(npm, EXTENSION, "npm cannot install what the extension is built with")
    subprocess.run(["npm", "run", "--silent", "package"], cwd=EXTENSION, check=True, stdout=subprocess.DEVNULL)
    return EXTENSION / "jaxlint.vsix"


def python_extension(folder: Path) -> Path:
    manifest = {
        "name": "python", "publisher": "ms-python", "version": "1.0.0", "main": "main.js", "engines": {"vscode": "^1.91.0"},
        "activationEvents": [], "capabilities": {"untrustedWorkspaces": {"supported": True}},
    }  # fmt: skip
    path = folder / "python.vsix"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("extension/package.json", json.dumps(manifest))
        archive.writestr("extension/main.js", PYTHON_EXTENSION)
    return path


def select(folder: Path, python: str | Path) -> None:
    """Select an interpreter in the windows that show a folder."""
    written = folder / f"{SELECTED}.new"
    written.write_text(str(python))
    written.replace(folder / SELECTED)


class Machine:
    """A machine with code-server on it, both extensions, and settings of the user."""

    def __init__(self, entry: Path, folder: Path) -> None:
        self.entry, self.folder = entry, folder
        self.data = folder / "data"
        (folder / "home").mkdir()
        paths = [each for each in os.environ["PATH"].split(os.pathsep) if not (Path(each) / "jaxlint").exists()]
        self.env = {
            **os.environ, "HOME": str(folder / "home"), "PYTHONPATH": str(ROOT), "PATH": os.pathsep.join(paths),
        }  # fmt: skip
        self.common = ["--user-data-dir", str(self.data), "--extensions-dir", str(folder / "extensions")]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def install(self, *extensions: Path) -> None:
        for each in extensions:
            command = ["node", str(self.entry), *self.common, "--install-extension", str(each)]
            done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=120)
            assert "successfully installed" in done.stdout, done.stdout + done.stderr

    @contextmanager
    def running(self) -> Iterator[None]:
        command = ["node", str(self.entry), *self.common, "--auth", "none", "--bind-addr", f"127.0.0.1:{self.port}"]
        command += ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"]
        with open(self.folder / "code-server.log", "w") as log:
            process = subprocess.Popen(command, env=self.env, stdout=log, stderr=log, start_new_session=True)
            try:
                for _ in range(200):
                    try:
                        urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=1).close()
                        break
                    except OSError:
                        time.sleep(0.1)
                else:
                    raise AssertionError((self.folder / "code-server.log").read_text()[-2000:])
                yield
            finally:
                process.terminate()
                process.wait(20)

    def settings(self, **given: object) -> None:
        """Settings of the user; two underscores stand for a dot."""
        quiet = {
            "workbench.startupEditor": "none", "security.workspace.trust.enabled": False, "extensions.autoUpdate": False,
            "extensions.autoCheckUpdates": False, "telemetry.telemetryLevel": "off", "editor.minimap.enabled": False,
            "notebook.stickyScroll.enabled": False,
        }  # fmt: skip
        (self.data / "User").mkdir(parents=True, exist_ok=True)
        told = {**quiet, **{name.replace("__", "."): value for name, value in given.items()}}
        (self.data / "User" / "settings.json").write_text(json.dumps(told))

    def project(self, **files: str) -> Path:
        """A folder with these files; in their names two underscores stand for a slash, and one for a dot."""
        folder = Path(tempfile.mkdtemp(dir=self.folder, prefix="project-"))
        for name, text in {"pyproject_toml": "", **files}.items():
            path = folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        select(folder, sys.executable)
        return folder

    def address(self, folder: Path) -> str:
        return f"http://127.0.0.1:{self.port}/?folder={quote(str(folder))}"


class Window:
    """One window of the editor, and what a user does in it."""

    SQUIGGLE = ".squiggly-error, .squiggly-warning, .squiggly-info"

    def __init__(self, page: Page, machine: Machine, folder: Path, file: str, pictures: Path) -> None:
        self.page, self.folder, self.pictures = page, folder, pictures
        page.goto(machine.address(folder), wait_until="domcontentloaded")
        row = page.locator(".explorer-folders-view .monaco-list-row", has_text=file)
        row.wait_for(timeout=60_000)
        if file.endswith(".ipynb"):
            page.wait_for_timeout(5_000)  # until its editor is known: before that a notebook is opened as text
        row.dblclick()
        page.wait_for_selector(".monaco-editor .view-line", timeout=60_000)

    def photograph(self, what: str) -> None:
        self.page.screenshot(path=f"{self.pictures}-{what}.png")

    def squiggle(self) -> None:
        """Wait until a place is underlined."""
        self.page.wait_for_selector(self.SQUIGGLE, timeout=60_000)

    def no_squiggle(self) -> None:
        self.page.wait_for_selector(self.SQUIGGLE, state="detached", timeout=30_000)

    def go_to(self, line: int, column: int) -> None:
        self.page.keyboard.press("Control+g")
        self.page.wait_for_selector(".quick-input-widget input", state="visible")
        self.page.keyboard.type(f"{line}:{column}")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".quick-input-widget", state="hidden")
        self.page.wait_for_function(
            "said => document.querySelector('.statusbar').textContent.includes(said)", arg=f"Ln {line}, Col {column}"
        )

    def command(self, title: str) -> None:
        """Run a command of the palette."""
        self.page.keyboard.press("F1")
        self.page.wait_for_selector(".quick-input-widget input", state="visible")
        self.page.keyboard.type(title)
        self.page.wait_for_selector(f'.quick-input-list .monaco-list-row[aria-label^="{title}"]')
        self.page.keyboard.press("Enter")

    def offered(self) -> list[str]:
        """The titles in the menu of quick fixes at the cursor, which stays open."""
        self.page.keyboard.press("Control+.")
        self.page.wait_for_selector(".action-widget .monaco-list-row.action.focused", timeout=30_000)
        return [
            each.inner_text().strip() for each in self.page.query_selector_all(".action-widget .monaco-list-row.action")
        ]

    def choose(self, words: str) -> None:
        """Take the quick fix at the cursor with these words in its title."""
        offered = self.offered()
        (at,) = (number for number, title in enumerate(offered) if words in title)
        for _ in range(at):
            self.page.keyboard.press("ArrowDown")
        self.page.wait_for_selector(f'.action-widget .monaco-list-row.focused[aria-label*="{words}"]')
        self.page.keyboard.press("Enter")

    def shown_page(self) -> str:
        """What the preview of Markdown shows."""
        read = "document.querySelector('.markdown-body')?.innerText ?? ''"
        for _ in range(300):
            for frame in self.page.frames[1:]:
                try:
                    text = frame.evaluate(read)
                except Exception:  # a frame that is being replaced
                    continue
                if text.strip():
                    return str(text)
            time.sleep(0.1)
        raise AssertionError("no page is shown")

    def saved(self, file: str) -> str:
        """What a file with changes holds after it was saved."""
        path = self.folder / file
        before = path.stat().st_mtime_ns
        self.page.keyboard.press("Control+s")
        for _ in range(200):
            if path.stat().st_mtime_ns != before:
                time.sleep(0.2)  # until it is written whole
                return path.read_text()
            time.sleep(0.1)
        raise AssertionError(f"{file} is not saved")

    def status(self) -> str:
        """What the status item of the language says."""
        self.page.locator('.statusbar-item[id="status.languageStatus"]').click()
        return str(self.page.locator(".hover-language-status").last.inner_text(timeout=10_000))

    def notification(self, words: str) -> str:
        return str(self.page.locator(".notification-list-item", has_text=words).inner_text(timeout=60_000))


# --- scenarios -----------------------------------------------------------------------------------

Open = Callable[..., Window]


def findings_and_a_quick_fix(machine: Machine, window: Open) -> None:
    """The server is that of the selected interpreter; a finding is underlined, listed, linked and mended."""
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    opened.command("Problems: Focus on Problems View")
    row = opened.page.locator(".markers-panel .monaco-list-row", has_text="JAX208")
    assert "indexed by list" in row.inner_text()
    assert row.locator("a", has_text="JAX208").count() == 1
    opened.command("View: Focus Active Editor Group")
    opened.go_to(8, 14)
    offered = opened.offered()
    for words in ("Silence it on this line", "Silence it in this file", "Explain the rule", "Open its reference"):
        assert any(words in title for title in offered), offered
    opened.photograph("menu")
    opened.page.keyboard.press("Escape")
    opened.choose("jnp.array")
    opened.no_squiggle()
    assert opened.saved("model.py") == FIXED


def a_helper_alone(machine: Machine, window: Open) -> None:
    """Only the helper is open; what fails in it, fails because of a file in another source folder."""
    helper = "def positive(x):\n    if x > 0:\n        return x\n    return -x\n"
    train = "import jax\nfrom lib import positive\n\nstep = jax.jit(positive)\nstep(1.0)\n"
    opened = window(machine.project(lib_py=helper, b__src__train_py=train, pyproject_toml="[tool.jaxlint]\n"), "lib.py")
    opened.squiggle()
    opened.command("Problems: Focus on Problems View")
    row = opened.page.locator(".markers-panel .monaco-list-row", has_text="JAX103")
    assert "Python `if` on traced value `x > 0`" in row.inner_text()


def silenced_in_the_file(machine: Machine, window: Open) -> None:
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    opened.go_to(8, 14)
    opened.choose("Silence it in this file")
    opened.no_squiggle()
    assert opened.saved("model.py").startswith("# jaxlint: disable-file=")


def the_page_of_a_rule(machine: Machine, window: Open) -> None:
    """From the menu of quick fixes, and as a command."""
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    opened.go_to(8, 14)
    opened.choose("Explain the rule")
    assert opened.shown_page().startswith("JAX208")
    other = window(machine.project(model_py=CODE), "model.py")
    other.squiggle()
    other.go_to(8, 14)
    other.command("jaxlint: Explain This Rule")
    assert "Why is this bad" in other.shown_page()


def why_it_is_traced(machine: Machine, window: Open) -> None:
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    opened.go_to(8, 24)
    opened.command("jaxlint: Why Is This Traced?")
    text = opened.shown_page()
    assert "traced" in text and "transformed by jit" in text, text


def fixes_on_saving(machine: Machine, window: Open) -> None:
    """All safe ones, where the editor is set up so, unless the extension is told to keep out of it."""
    on_saving = {"editor.codeActionsOnSave": {"source.fixAll": "explicit"}}
    out = {**on_saving, "jaxlint.fixAll": False}
    for settings, expected in ((on_saving, FIXED), (out, CODE)):
        opened = window(machine.project(model_py=CODE, _vscode__settings_json=json.dumps(settings)), "model.py")
        opened.squiggle()
        opened.go_to(1, 1)
        opened.page.keyboard.type(" ")
        opened.page.keyboard.press("Backspace")
        assert opened.saved("model.py") == expected


def fix_all_as_a_command(machine: Machine, window: Open) -> None:
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    opened.command("jaxlint: Fix All Safely")
    opened.no_squiggle()
    assert opened.saved("model.py") == FIXED


def settings_reach_the_server(machine: Machine, window: Open) -> None:
    """Also those that are changed while it runs."""
    folder = machine.project(model_py=CODE)
    opened = window(folder, "model.py")
    opened.squiggle()
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text('{"jaxlint.ignore": ["JAX208"]}')
    opened.no_squiggle()


def notebook() -> str:
    """The code as a notebook of two cells."""
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    content = {
        "cells": [{**cell, "source": part.splitlines(True)} for part in CODE.split("\n\n\n")],
        "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    return json.dumps(content)


def cells(text: str) -> list[str]:
    return ["".join(each["source"]) for each in json.loads(text)["cells"]]


def a_notebook(machine: Machine, window: Open) -> None:
    opened = window(machine.project(demo_ipynb=notebook()), "demo.ipynb")
    opened.squiggle()
    opened.page.locator(".view-line", has_text="return").click()
    opened.page.keyboard.press("F8")
    opened.page.keyboard.press("Escape")
    opened.choose("jnp.array")
    opened.no_squiggle()
    assert cells(opened.saved("demo.ipynb"))[1] == FIXED.split("\n\n\n")[1]


def fixes_on_saving_a_notebook(machine: Machine, window: Open) -> None:
    settings = {"notebook.codeActionsOnSave": {"source.fixAll": "explicit"}}
    folder = machine.project(demo_ipynb=notebook(), _vscode__settings_json=json.dumps(settings))
    opened = window(folder, "demo.ipynb")
    opened.squiggle()
    opened.page.locator(".view-line", has_text="import jax").first.click()
    opened.page.keyboard.type(" ")
    assert cells(opened.saved("demo.ipynb"))[1] == FIXED.split("\n\n\n")[1]


def the_reference_of_a_rule(machine: Machine, window: Open) -> None:
    """Is opened outside, after the editor has asked."""
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    opened.go_to(8, 14)
    opened.choose("Open its reference")
    dialog = opened.page.locator(".monaco-dialog-box")
    assert "https://docs.jax.dev/" in dialog.inner_text(timeout=30_000)
    dialog.get_by_role("button", name="Cancel").click()


def the_log_and_a_restart(machine: Machine, window: Open) -> None:
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    opened.command("jaxlint: Show the Log")
    opened.page.locator(".output-view .view-line", has_text="The server is that of").first.wait_for(timeout=30_000)
    opened.command("View: Focus Active Editor Group")
    opened.command("jaxlint: Restart the Server")
    opened.page.locator(".output-view .view-line", has_text="The server is that of").nth(1).wait_for(timeout=30_000)
    opened.squiggle()


def server_of(folder: Path, other_than: int = 0) -> int:
    """The process of the server that works in a folder, by what Linux says of processes."""
    for _ in range(200):
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                works_here = (process / "cwd").readlink() == folder and int(process.name) != other_than
                if works_here and b"jaxlint.cli" in (process / "cmdline").read_bytes():
                    return int(process.name)
        time.sleep(0.1)
    raise AssertionError("there is no server")


def a_server_that_dies(machine: Machine, window: Open) -> None:
    """Is started anew, and told of what is open."""
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    first = server_of(opened.folder)
    os.kill(first, signal.SIGKILL)
    server_of(opened.folder, first)
    opened.squiggle()
    opened.go_to(8, 14)
    opened.choose("jnp.array")
    opened.no_squiggle()


def another_interpreter(machine: Machine, window: Open) -> None:
    """The status names the interpreter; one without jaxlint is told with the command that installs it."""
    opened = window(machine.project(model_py=CODE), "model.py")
    opened.squiggle()
    said = opened.status()
    assert re.search(r"jaxlint \d+\.\d+", said) and sys.executable in said, said
    opened.page.keyboard.press("Escape")
    bare = machine.folder / "bare"
    bare.write_text("#!/bin/sh\necho lacks jaxlint\n")
    bare.chmod(0o755)
    select(opened.folder, bare)
    told = opened.notification("is not installed")
    assert f'{bare} -m pip install "flake8-jaxlint[server]"' in told and "Copy Command" in told, told
    opened.no_squiggle()
    select(opened.folder, sys.executable)
    opened.squiggle()


def a_workspace_that_is_not_trusted(machine: Machine, window: Open) -> None:
    """Nothing that it names is run, neither by its settings nor as its selected interpreter, until it is trusted."""
    ran = machine.folder / "ran"
    for name in ("jaxlint", "interpreter", "selected"):
        program = machine.folder / f"evil-{name}"
        program.write_text(f"#!/bin/sh\necho {name} >> {ran}\n")
        program.chmod(0o755)
    settings = {
        "jaxlint.path": str(machine.folder / "evil-jaxlint"),
        "jaxlint.interpreter": str(machine.folder / "evil-interpreter"),
    }
    folder = machine.project(model_py=CODE, _vscode__settings_json=json.dumps(settings))
    select(folder, machine.folder / "evil-selected")
    machine.settings(security__workspace__trust__enabled=True, security__workspace__trust__startupPrompt="never")
    try:
        opened = window(folder, "model.py")
        assert "Manage Trust" in opened.notification("not trusted")
        assert not ran.exists(), ran.read_text()
    finally:
        machine.settings()
    opened = window(folder, "model.py")
    opened.notification("did not start")
    opened.page.wait_for_timeout(1_000)
    assert opened.page.locator(".notification-list-item").count() == 1, "it is said once"
    assert ran.read_text() == "jaxlint\n", "a workspace that is trusted has its say"


SCENARIOS = (
    findings_and_a_quick_fix, a_helper_alone, silenced_in_the_file, the_page_of_a_rule, why_it_is_traced, fixes_on_saving,
    fix_all_as_a_command, settings_reach_the_server, a_notebook, fixes_on_saving_a_notebook, the_reference_of_a_rule,
    the_log_and_a_restart, a_server_that_dies, another_interpreter, a_workspace_that_is_not_trusted,
)  # fmt: skip


# --- the run -------------------------------------------------------------------------------------


def chromium() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        raise Missing("there is no Chromium on this machine")
    return found


def drive(machine: Machine, names: list[str], pictures: Path) -> int:
    """How many scenarios fail."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Missing("playwright is not installed") from None
    failed = 0
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with machine.running(), sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(), args=arguments)
        for scenario in SCENARIOS:
            name = scenario.__name__
            if names and not any(each in name for each in names):
                continue
            windows: list[Window] = []

            def window(folder: Path, file: str) -> Window:
                context = browser.new_context(viewport={"width": 1400, "height": 900})
                opened = Window(context.new_page(), machine, folder, file, pictures / name)
                windows.append(opened)
                return opened

            begun = time.monotonic()
            try:
                scenario(machine, window)
                print(f"ok      {name} ({time.monotonic() - begun:.0f} s)", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {name}\n{traceback.format_exc()}", flush=True)
            for number, opened in enumerate(windows):
                opened.photograph(str(number))
                opened.page.context.close()
        browser.close()
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description="Drive the extension for VS Code in code-server.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios to run (default: all)")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="where to put pictures of the windows")
    parser.add_argument("--installed", type=Path, metavar="FOLDER", help="where code-server is installed, and stays")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="code-server-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        pictures = args.screenshots or folder / "pictures"
        pictures.mkdir(parents=True, exist_ok=True)
        try:
            chromium()
            entry = install((args.installed or folder / "installed").absolute())
            machine = Machine(entry, folder)
            machine.settings()
            machine.install(python_extension(folder), package())
            failed = drive(machine, args.names, pictures.absolute())
        except Missing as reason:
            print(f"skipped: {reason}")
            return 0
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
