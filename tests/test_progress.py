"""The bar of a long run: on a terminal, for people, and nowhere else."""

import os
import pty
import re
import sys

import pytest

from jaxlint.cli import main
from jaxlint.commands import progress

CLEAN = "import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n"
BRANCH = CLEAN.replace("return x + 1", "if x.sum() > 2:\n        return x\n    return -x")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(30):
        (tmp_path / f"m{number:02}.py").write_text(BRANCH if number == 7 else CLEAN)
    return tmp_path


def on_a_terminal(*arguments, delay=0.0, piped=None):
    """What a terminal is sent by a run in a process of its own; ``piped`` is a stream that goes elsewhere."""
    process, terminal = pty.fork()
    if not process:
        code = 99
        try:
            os.environ.update(TERM="xterm", COLUMNS="80")
            progress.DELAY = delay
            if piped is not None:
                os.dup2(os.open(os.devnull, os.O_WRONLY), piped)
            sys.stdout, sys.stderr = (open(number, "w", closefd=False) for number in (1, 2))
            code = main(["check", "--no-cache", *arguments])
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    shown = b""
    while True:
        try:
            read = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not read:
            break
        shown += read
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 1
    return shown.decode()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_long_run_on_a_terminal_has_one(tree, jobs):
    shown = on_a_terminal("--jobs", jobs)
    counts = [int(count) for count in re.findall(r"(\d+)/30", shown)]
    assert "checking" in shown and counts and counts == sorted(counts) and counts[-1] == 30
    assert len(set(counts)) >= 3
    bar, report = shown.split("JAX103", 1)
    assert "\x1b[2K" in bar, "the line is wiped before the report"
    assert "checking" not in report and "Found 1 error" in report


@pytest.mark.parametrize(
    "arguments, delay, piped",
    [
        ((), 60.0, None),  # a short run
        (("m07.py",), 0.0, None),  # few files
        ((), 0.0, 2),  # standard error is not the terminal
        (("--output-format", "json"), 0.0, None),
        (("--output-format", "github"), 0.0, None),
    ],
)
def test_others_have_none(tree, arguments, delay, piped):
    shown = on_a_terminal("--jobs", "1", *arguments, delay=delay, piped=piped)
    assert "checking" not in shown and "/30" not in shown and "JAX103" in shown


def test_the_report_may_go_elsewhere(tree):
    shown = on_a_terminal("--jobs", "1", piped=1)
    assert "30/30" in shown and "JAX103" not in shown
