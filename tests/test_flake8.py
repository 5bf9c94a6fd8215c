"""The flake8 plugin, run by flake8 itself in a process of its own."""

import argparse
import itertools
import subprocess
import sys

import pytest
from flake8.style_guide import Decision, DecisionEngine

from jaxlint.hazards.registry import all_rules
from jaxlint.integrations.flake8 import may_be_selected

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"


@pytest.fixture
def flake8(tmp_path):
    """Runs flake8 with our findings alone selected; returns exit code and the lines it prints."""

    def run(*arguments, stdin=None, options=("--select=JAX",)):
        command = [sys.executable, "-m", "flake8", "--isolated", *options, *arguments]
        done = subprocess.run(command, cwd=tmp_path, input=stdin, capture_output=True, text=True)
        assert done.stderr == ""
        return done.returncode, done.stdout.splitlines()

    return run


def places(lines):
    return [line.split(" ")[:2] for line in lines]


def test_finding_stands_where_jaxlint_puts_it(flake8, tmp_path):
    (tmp_path / "a.py").write_text(BRANCH)
    code, lines = flake8("a.py")
    assert (code, places(lines)) == (1, [["a.py:6:8:", "JAX103"]])


def test_plugin_is_on_by_default(flake8, tmp_path):
    (tmp_path / "a.py").write_text(BRANCH)
    assert places(flake8("a.py", options=())[1]) == [["a.py:6:8:", "JAX103"]]


def test_flake8_selects(flake8, tmp_path):
    (tmp_path / "a.py").write_text(BRANCH)
    assert flake8("a.py", options=("--select=JAX1",))[0] == 1
    assert flake8("a.py", options=("--extend-ignore=JAX103",)) == (0, [])


def test_flake8_owns_noqa(flake8, tmp_path):
    (tmp_path / "a.py").write_text(BRANCH.replace("> 2:", "> 2:  # noqa: JAX103"))
    assert flake8("a.py") == (0, [])
    assert places(flake8("--disable-noqa", "a.py")[1]) == [["a.py:6:8:", "JAX103"]]


def test_own_comments_count(flake8, tmp_path):
    (tmp_path / "a.py").write_text(BRANCH.replace("> 2:", "> 2:  # jaxlint: disable=branch-on-tracer"))
    assert flake8("a.py") == (0, [])


def test_own_configuration_counts(flake8, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint.per-file-ignores]\n"a.py" = ["branch-on-tracer"]\n')
    (tmp_path / "a.py").write_text(BRANCH)
    (tmp_path / "b.py").write_text(BRANCH)
    assert places(flake8(".")[1]) == [["./b.py:6:8:", "JAX103"]]


def test_broken_configuration_is_said_in_every_file_it_governs(flake8, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\nselekt = []\n")
    (tmp_path / "a.py").write_text(BRANCH)
    (tmp_path / "plain.py").write_text("x = 1\n")
    assert places(flake8(".")[1]) == [["./a.py:1:1:", "JAX903"], ["./a.py:6:8:", "JAX103"]]


def test_configurations_of_the_tree_can_be_left_out(flake8, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nplugins = ["nobody-has-this"]\nignore = ["JAX103"]\n')
    (tmp_path / "a.py").write_text(BRANCH)
    (tmp_path / ".flake8").write_text("[flake8]\njaxlint-isolated = true\njaxlint-no-plugins = true\n")
    assert places(flake8("a.py")[1]) == [["a.py:1:1:", "JAX903"]]
    assert places(flake8("--jaxlint-no-plugins", "a.py")[1]) == []
    (tmp_path / "b.py").write_text(BRANCH)
    isolated = flake8("--jaxlint-isolated", "-j", "2", "a.py", "b.py")[1]
    assert places(isolated) == [["a.py:6:8:", "JAX103"], ["b.py:6:8:", "JAX103"]]


def test_processes_and_standard_input(flake8, tmp_path):
    for number in range(6):
        (tmp_path / f"m{number}.py").write_text(BRANCH)
    assert places(flake8("-j", "2", ".")[1]) == [[f"./m{number}.py:6:8:", "JAX103"] for number in range(6)]
    assert places(flake8("-", stdin=BRANCH)[1]) == [["stdin:6:8:", "JAX103"]]
    _code, lines = flake8("--stdin-display-name", "shown.py", "-", stdin=BRANCH)
    assert places(lines) == [["shown.py:6:8:", "JAX103"]]


@pytest.mark.parametrize(
    "raw", [b"\xef\xbb\xbf" + BRANCH.encode(), BRANCH.replace("\n", "\r\n").encode()], ids=["bom", "crlf"]
)
def test_bytes_that_are_not_plain(flake8, tmp_path, raw):
    (tmp_path / "a.py").write_bytes(raw)
    assert places(flake8("a.py")[1]) == [["a.py:6:8:", "JAX103"]]


def test_control_characters_of_the_code_do_not_reach_the_terminal(flake8, tmp_path):
    (tmp_path / "a.py").write_text(BRANCH.replace("x.sum()", 'x["\x1b[31m\u202e"]'))
    assert '`x["\u241b[31m\ufffd"] > 2`' in flake8("a.py")[1][0]


def test_column_counts_characters(flake8, tmp_path):
    (tmp_path / "a.py").write_text(BRANCH.replace("    if x", "    名 = 1; x = x + 名\n    if x"), encoding="utf-8")
    assert places(flake8("a.py")[1]) == [["a.py:7:8:", "JAX103"]]


def test_syntax_error_is_flake8s_to_report(flake8, tmp_path):
    (tmp_path / "a.py").write_text("import jax\ndef f(:\n")
    assert flake8("a.py") == (0, [])


def test_file_without_jax_is_not_analysed():
    code = (
        "import sys\nfrom jaxlint.integrations.flake8 import Plugin\n"
        "assert list(Plugin(None, 'a.py', ['x = 1\\n'] * 1000).run()) == []\n"
        "print(*[name for name in ('libcst', 'rich', 'jaxlint.run.pipeline', 'jaxlint.analysis') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_version_is_shown(flake8):
    from jaxlint import __version__

    _, (line, *_) = flake8("--version", options=())
    assert f"flake8-jaxlint: {__version__}" in line


LISTS = [None, [], ["E", "W"], ["J"], ["JAX"], ["JAX1"], ["JAX103"], ["J", "JAX4"], [""], ["LAB"]]


@pytest.mark.parametrize("select", LISTS)
@pytest.mark.parametrize("ignore", LISTS)
def test_nothing_is_left_out_that_flake8_would_report(select, ignore):
    codes = [rule.code for rule in all_rules()]
    for extend_select, extend_ignore in itertools.product((None, ["JAX"], ["JAX4"]), repeat=2):
        options = argparse.Namespace(
            select=select, extend_select=extend_select, ignore=ignore, extend_ignore=extend_ignore,
            extended_default_select=["JAX"], extended_default_ignore=[],
        )  # fmt: skip
        engine = DecisionEngine(options)
        reported = [code for code in codes if engine.decision_for(code) is Decision.Selected]
        assert may_be_selected("JAX", options) or not reported
        if extend_select is extend_ignore is None and not {*(select or ())} & {*(ignore or ())}:
            assert reported or not may_be_selected("JAX", options)


def test_files_are_not_analysed_where_no_finding_is_selected(tmp_path):
    (tmp_path / "a.py").write_text(BRANCH)
    command = [sys.executable, "-X", "importtime", "-m", "flake8", "--isolated", "--select=E,W", "a.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0
    assert "jaxlint.configuration.config" in done.stderr and "jaxlint.analysis" not in done.stderr
