"""`--add-noqa` and `--watch`, as a user meets them."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from jaxlint.cli import main

BRANCH = """\
import jax


@jax.jit
def f(x, y):
    if x.sum() > 2 and float(y) > 1:  # a reason
        return int(x) + \\
            1
    if x.min() > 2:  # noqa: E501
        print(f'''{float(x)}
        ''')
    return -x
"""


@pytest.fixture
def jaxlint(tmp_path, monkeypatch, capfd):
    """Runs `jaxlint check` in the folder. Returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["check", *arguments])
        sys.stdout.flush()
        return code, *capfd.readouterr()

    return run


def count(report):
    return len(json.loads(report))


def test_every_finding_gets_its_comment_and_the_next_run_is_silent(tmp_path, jaxlint):
    (tmp_path / "a.py").write_text(BRANCH)
    found = count(jaxlint("--output-format", "json", "a.py")[1])
    assert found >= 4
    code, out, err = jaxlint("--add-noqa", ".")
    assert (code, err) == (0, f"jaxlint: {found} findings silenced in 1 file\n"), out
    text = (tmp_path / "a.py").read_text()
    assert "  # noqa: E501, JAX103\n" in text and "\n            1  # noqa: JAX" in text and "''')  # noqa: JAX" in text
    assert [line.partition("  # noqa")[0] for line in text.splitlines()] == [
        line.partition("  # noqa")[0] for line in BRANCH.splitlines()
    ]
    assert jaxlint("--no-cache", ".")[0] == 0
    assert jaxlint("--add-noqa", ".")[2] == "jaxlint: 0 findings silenced in 0 files\n"
    assert (tmp_path / "a.py").read_text() == text


def test_cells_of_a_notebook_get_theirs(tmp_path, jaxlint):
    cells = ["%matplotlib inline\nimport jax", "@jax.jit\ndef f(x):\n    if x > 2:\n        return x\n    return -x"]
    form = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    content = {
        "cells": [{**form, "source": cell.splitlines(True)} for cell in cells],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(content, indent=1))
    assert jaxlint("--add-noqa", ".")[::2] == (0, "jaxlint: 1 finding silenced in 1 file\n")
    sources = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]
    assert sources == [cells[0], cells[1].replace("> 2:", "> 2:  # noqa: JAX103")]
    assert jaxlint(".")[0] == 0


def test_the_difference_of_a_notebook_is_told_by_cell(tmp_path, jaxlint):
    cells = ["import jax.numpy as jnp", "!ls\ny = jnp.zeros(3)\ny[0] = 1.0"]
    form = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    content = {
        "cells": [{**form, "source": cell.splitlines(True)} for cell in cells],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "a.ipynb").write_text(json.dumps(content, indent=1))
    code, out, _ = jaxlint("--diff", "--unsafe-fixes", "a.ipynb")
    assert code == 1
    assert out.startswith("--- a/a.ipynb:cell 2\n+++ b/a.ipynb:cell 2\n@@ -1,3 +1,3 @@\n !ls\n"), out
    assert "+y = y.at[0].set(1.0)" in out and "\ue000" not in out and "cell 1" not in out


def test_what_no_comment_can_silence_is_reported(tmp_path, jaxlint):
    (tmp_path / "a.py").write_text("import jax\nx = (\n")
    code, out, err = jaxlint("--add-noqa", "a.py")
    assert code == 1 and "JAX900" in out and "0 findings silenced" in err
    assert (tmp_path / "a.py").read_text() == "import jax\nx = (\n"


@pytest.mark.parametrize("more", [["--fix"], ["--diff"], ["-"]])
def test_what_does_not_go_together_is_refused(jaxlint, more):
    assert jaxlint("--add-noqa", *more)[0] == 2
    code, _, err = jaxlint("--watch", *more)
    assert code == 2 and f"leave out {'`-`' if more == ['-'] else more[0]}" in err


HELPER = "def helper(x):\n    return x\n"
CALLER = "import jax\nfrom helper import helper\n\n\n@jax.jit\ndef f(x):\n    return helper(x)\n"


def test_a_change_is_looked_at(tmp_path):
    """A real process, whose files change: the file itself, what it imports, and the configuration."""
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\n")
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "a.py").write_text(CALLER)
    log = tmp_path.parent / f"{tmp_path.name}.log"
    command = [sys.executable, "-m", "jaxlint", "check", "--watch", "--output-format", "concise", "a.py"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which may be turned off here
        )  # fmt: skip
    looks = 0

    def after(change):
        """What the next look prints."""
        nonlocal looks
        start = log.stat().st_size
        change()
        looks += 1
        end = time.monotonic() + 60
        while log.read_text().count("jaxlint: looked at ") < looks:
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        return log.read_bytes()[start:].decode()

    try:
        assert "All checks passed" in after(lambda: None)
        branch = HELPER.replace("return x", "return x if x > 0 else -x")
        assert "helper.py:2:17: JAX103" in after(lambda: (tmp_path / "helper.py").write_text(branch))
        assert "All checks passed" in after(
            lambda: (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX103"]\n')
        )
        assert "JAX900" in after(lambda: (tmp_path / "a.py").write_text("import jax\nx = (\n"))
        assert "cannot read" in after(lambda: os.unlink(tmp_path / "a.py")) or "no such file" in log.read_text()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert "Traceback" not in log.read_text() and "\x1b" not in log.read_text()
    finally:
        process.kill()
        process.wait()
