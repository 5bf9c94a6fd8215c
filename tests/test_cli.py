"""`jaxlint check` and its neighbours, as a user meets them: arguments in; text, files and exit codes out."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint.cli import main
from jaxlint.run import runner

CLEAN = "import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n"
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"  # JAX103 at 6:8
# JAX308, and its fix is safe: the array is made here and can be nothing else.
STORE = "import jax.numpy as jnp\n\n\ndef f():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"
STORED = STORE.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")
BROKEN = "import jax\ndef f(:\n    pass\n"  # JAX900 at 2:7


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder to work in, with nothing above it that could configure anything."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def jaxlint(project, capfd, monkeypatch):
    """Runs the command in this process. Returns exit code, standard output and standard error."""

    def run(*arguments, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(list(map(str, arguments)))
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return code, out, err

    return run


def findings(report):
    """Of a JSON report: file name, code, row and column of each finding."""
    return [
        (os.path.basename(entry["filename"]), entry["code"], entry["location"]["row"], entry["location"]["column"])
        for entry in json.loads(report)
    ]


# --- exit codes ------------------------------------------------------------------------------


def test_clean_file(jaxlint, project):
    (project / "a.py").write_text(CLEAN)
    assert jaxlint("check", "a.py") == (0, "All checks passed.\n", "")


def test_finding(jaxlint, project):
    (project / "a.py").write_text(BRANCH)
    code, out, err = jaxlint("check", "a.py", "--output-format", "concise")
    assert (code, err) == (1, "")
    assert out.startswith("a.py:6:8: JAX103 ")


def test_full_report_tells_the_reason(jaxlint, project):
    (project / "a.py").write_text(BRANCH)
    code, out, _ = jaxlint("check")
    assert code == 1
    assert "6 |     if x.sum() > 2:" in out
    assert "- `x` is a parameter of" in out and "------- `f` is transformed by `jit`" in out
    assert "\x1b" not in out


def test_check_is_the_default_command_and_the_folder_the_default_path(jaxlint, project):
    (project / "a.py").write_text(BRANCH)
    assert jaxlint()[0] == jaxlint("a.py")[0] == jaxlint("check")[0] == jaxlint("--output-format", "json")[0] == 1


def test_syntax_error_is_a_finding_and_the_rest_is_linted(jaxlint, project):
    (project / "a.py").write_text(BROKEN)
    (project / "b.py").write_text(BRANCH)
    code, out, _ = jaxlint("check", "--output-format", "json")
    assert code == 1
    assert findings(out) == [("a.py", "JAX900", 2, 7), ("b.py", "JAX103", 6, 8)]


def test_syntax_error_is_found_without_any_jax(jaxlint, project):
    (project / "a.py").write_text("def f(:\n    pass\n")
    code, out, _ = jaxlint("check", "--select", "JAX1", "--output-format", "json")
    assert (code, findings(out)) == (1, [("a.py", "JAX900", 1, 7)])


def test_exit_zero(jaxlint, project):
    (project / "a.py").write_text(BRANCH)
    code, out, _ = jaxlint("check", "--exit-zero", "--output-format", "concise")
    assert code == 0 and "JAX103" in out


def test_exit_zero_does_not_hide_a_broken_configuration(jaxlint, project):
    (project / "pyproject.toml").write_text("[tool.jaxlint]\nselekt = []\n")
    assert jaxlint("check", "--exit-zero")[0] == 2


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--selekt", "JAX1"], "unknown argument `--selekt`; did you mean `--select`?"),
        (["--select", "JAX193"], "no rule is called `JAX193`; did you mean `JAX"),
        (["--ignore", "branch-on-tracr"], "did you mean `branch-on-tracer`?"),
        (["--output-format", "jsn"], "did you mean `json`?"),
        (["--output-format", "xml"], "jaxlint check: --output-format: `xml` is none of full, concise, "),
        (["--select", "JAX99Z"], "jaxlint check: --select is wrong: no rule is called `JAX99Z`; `jaxlint rules` lists"),
        (["--diff-base"], "jaxlint check: --diff-base: takes a value, and none is given; `jaxlint check --help`"),
        (["--fix=3"], "jaxlint check: --fix: takes no value, and is given '3'; `jaxlint check --help`"),
        (
            ["--target-jax", ">=99"],
            "jaxlint check: --target-jax admits no release of jax that is known: '>=99'; the newest",
        ),
        (["--extend-exclude", "../a"], "jaxlint check: --extend-exclude is wrong: '../a' matches nothing: "),
        (["--target-jax", "new"], "--target-jax must be a release of jax such as"),
        (["--jobs", "0"], "`0` is not a whole number from 1 up"),
        (["-", "a.py"], "cannot be read together with files"),
        (["--stdin-filename", "a.py"], "add the path `-`"),
        (["missing.py"], "missing.py: no such file or folder"),
    ],
)
def test_wrong_usage(jaxlint, project, arguments, message):
    (project / "a.py").write_text(CLEAN)
    code, _out, err = jaxlint("check", *arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1, "the mistake, and not the usage of the command"


@pytest.mark.parametrize(
    ("text", "arguments", "code", "said"),
    [
        (CLEAN, [], 0, "All checks passed."),
        (BRANCH, [], 1, "Found 1 error. 1 fix available with --fix --unsafe-fixes."),
        (BRANCH, ["--unfixable", "JAX103"], 1, "Found 1 error."),
        (BRANCH, ["--exit-zero"], 0, "Found 1 error. 1 fix available with --fix --unsafe-fixes."),
        (BRANCH, ["--ignore", "JAX103"], 0, "All checks passed."),
        (STORE, [], 1, "Found 1 error. 1 fix available with --fix."),
        (STORE, ["--fix"], 0, "Found 1 error (1 fixed, 0 left)."),
        (STORE, ["--fix", "--exit-non-zero-on-fix"], 1, "Found 1 error (1 fixed, 0 left)."),
        (STORE + BRANCH, ["--fix"], 1, "Found 2 errors (1 fixed, 1 left). 1 fix available with --fix --unsafe-fixes."),
        (STORE + BRANCH, ["--fix-only"], 0, "Fixed 1 error; 1 left, which --fix-only does not report."),
        (STORE + BRANCH, ["--fix-only", "--diff"], 1, "Would fix 1 error; 1 left, which --fix-only does not report."),
        (BRANCH, ["--fix-only"], 0, "No fixes to apply; 1 left, which --fix-only does not report."),
        (CLEAN, ["--fix-only"], 0, "No fixes to apply."),
        (STORE, ["--diff"], 1, "Would fix 1 error."),
        (STORE + BRANCH, ["--diff"], 1, "Would fix 1 error of 2."),
        (
            BRANCH,
            ["--diff"],
            0,
            "No fixes to show. Found 1 error. 1 fix available with --fix --unsafe-fixes. Without a change, --diff exits with 0.",
        ),
        (CLEAN, ["--diff"], 0, "No fixes to show."),
    ],
)
def test_counts_agree_with_the_exit_code(jaxlint, project, text, arguments, code, said):
    (project / "a.py").write_text(text)
    found, out, err = jaxlint("check", "a.py", "--output-format", "concise", *arguments)
    assert (found, (err if "--diff" in arguments else out).splitlines()[-1]) == (code, said)
    (project / "a.py").write_text(text)
    found, out, err = jaxlint("check", "a.py", "--quiet", "--output-format", "concise", *arguments)
    assert found == code and said not in out + err


def test_quiet_prints_findings_and_errors_alone(jaxlint, project):
    (project / "a.py").write_text(BRANCH)
    (project / "empty").mkdir()
    for output_format in ("full", "concise", "grouped"):
        code, out, err = jaxlint("check", "-q", "a.py", "--output-format", output_format)
        assert (code, err) == (1, "") and "JAX103" in out and "Found" not in out and "jaxlint explain" not in out
    assert jaxlint("check", "-q", "empty") == (0, "", "")
    code, out, err = jaxlint("check", "-q", "missing.py")
    assert (code, out) == (2, "") and "missing.py: no such file" in err
    assert json.loads(jaxlint("check", "-q", "a.py", "--output-format", "json")[1])


def test_verbose_names_the_configuration_the_files_and_the_time(jaxlint, project):
    (project / "inner").mkdir()
    (project / "inner" / "pyproject.toml").write_text("[tool.jaxlint]\n")
    for name in ("a.py", "b.py", "inner/c.py"):
        (project / name).write_text(BRANCH)
    code, out, err = jaxlint("check", "--verbose", "--output-format", "json")
    assert code == 1 and len(json.loads(out)) == 3
    governed, inner, total = err.splitlines()
    assert governed == "jaxlint: the defaults govern 2 files"
    assert inner == f"jaxlint: {os.path.join('inner', 'pyproject.toml')} governs 1 file"
    assert re.fullmatch(r"jaxlint: 3 files, in \d+\.\d\d s", total)
    (project / "b.py").write_text(STORE)
    assert "jaxlint: 3 files, 2 of them from the cache, in " in jaxlint("check", "-v", "--output-format", "json")[2]
    assert "jaxlint: 1 file, in " in jaxlint("check", "-", "-v", stdin=BRANCH.encode())[2]


def test_misspelt_command(jaxlint):
    code, _, err = jaxlint("chekc")
    assert code == 2 and "did you mean `check`?" in err


def test_missing_path_does_not_keep_the_others_from_being_read(jaxlint, project):
    (project / "a.py").write_text(BRANCH)
    code, out, err = jaxlint("check", "missing", "a.py", "--output-format", "json")
    assert (code, findings(out)) == (2, [("a.py", "JAX103", 6, 8)])
    assert "missing: no such file or folder" in err


def test_nothing_passes_where_nothing_was_read(jaxlint, project):
    (project / "clean.py").write_text(CLEAN)
    for arguments in (["missing.py"], ["missing.py", "clean.py"], ["missing.py", "--statistics"]):
        code, out, err = jaxlint("check", *arguments)
        assert (code, out) == (
            2,
            "No findings, but not everything could be done.\n",
        ) and "missing.py: no such file" in err


def test_a_pipe_is_not_waited_for(project):
    os.mkfifo("pipe.py")
    command = [sys.executable, "-m", "jaxlint", "check", "pipe.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (
        done.returncode == 2
        and done.stderr == "jaxlint: pipe.py: a pipe, which may never end; lint what it gives as `-`, standard input\n"
    )


# --- which files -----------------------------------------------------------------------------


def test_no_file_is_success_with_a_warning(jaxlint, project):
    (project / "empty").mkdir()
    code, _out, err = jaxlint("check", "empty")
    assert code == 0
    assert "warning: no Python file to read in empty" in err


def test_named_file_is_read_though_ignored(jaxlint, project):
    subprocess.run(["git", "init", "-q"], check=True)
    (project / ".gitignore").write_text("a.py\n")
    (project / "a.py").write_text(BRANCH)
    assert jaxlint("check", ".")[0] == 0
    assert jaxlint("check", "a.py")[0] == 1
    assert jaxlint("check", "--force-exclude", "a.py")[0] == 0


def test_exclude(jaxlint, project):
    for name in ("a.py", "b.py", "c.py"):
        (project / name).write_text(BRANCH)
    _code, out, _ = jaxlint("check", "--extend-exclude", "a.py,b.py", "--output-format", "json")
    assert [entry[0] for entry in findings(out)] == ["c.py"]


@pytest.mark.parametrize(
    "raw, says",
    [
        (b"import jax\nx = '\x00'\n", "NUL"),
        (b"# jax\nx = '\xff'\n", "byte 0xff is not valid in utf-8"),
        (b"# -*- coding: klingon -*-\nimport jax\n", "unknown encoding"),
        (b"import jax\nx = " + b"(" * 2000 + b")" * 2000, "brackets are open"),
    ],
    ids=["nul", "bytes", "encoding", "nesting"],
)
def test_what_cannot_be_read_is_said_and_left_alone(jaxlint, project, raw, says):
    (project / "a.py").write_bytes(raw)
    (project / "b.py").write_text(BRANCH)
    code, out, _ = jaxlint("check", "--fix", "--unsafe-fixes", "--select", "JAX103", "--output-format", "concise")
    assert code == 1
    assert any(
        line.startswith("a.py:") and "JAX900" in line and says.lower() in line.lower() for line in out.splitlines()
    ), out
    assert (project / "a.py").read_bytes() == raw


def test_file_that_cannot_be_opened(jaxlint, project):
    (project / "a.py").symlink_to("nowhere.py")  # permissions would not stop a privileged user
    (project / "b.py").write_text(BRANCH)
    code, out, _ = jaxlint("check", "a.py", "b.py", "--output-format", "concise")
    assert code == 1
    assert (
        out.startswith("a.py:1:1: JAX904 unreadable-file: cannot read the file: No such file")
        and "b.py:6:8: JAX103" in out
    )


def test_link_that_leads_to_itself(jaxlint, project):
    (project / "loop").symlink_to(project, target_is_directory=True)
    (project / "loop.py").symlink_to("loop.py")
    (project / "a.py").write_text(BRANCH)
    code, out, _ = jaxlint("check", "--output-format", "json")
    assert (code, findings(out)) == (1, [("a.py", "JAX103", 6, 8)])


def test_empty_files(jaxlint, project):
    (project / "empty.py").write_bytes(b"")
    (project / "mark.py").write_bytes(b"\xef\xbb\xbf")
    (project / "blank.py").write_bytes(b"\n\n\n")
    assert jaxlint("check")[0] == 0


# --- configuration ---------------------------------------------------------------------------


def test_configuration_of_the_nearest_folder(jaxlint, project):
    (project / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["branch-on-tracer"]\n')
    (project / "inner").mkdir()
    (project / "inner" / "pyproject.toml").write_text("[tool.jaxlint]\n")
    for folder in (project, project / "inner"):
        (folder / "a.py").write_text(BRANCH)
    _code, out, _ = jaxlint("check", "--output-format", "json")
    assert [Path(entry["filename"]).parent.name for entry in json.loads(out)] == ["inner"]


def test_broken_configuration_is_reported_and_the_files_are_linted(jaxlint, project):
    (project / "pyproject.toml").write_text('[tool.jaxlint]\nselect = ["JAX1"]\nignorr = ["JAX103"]\n')
    (project / "a.py").write_text(BRANCH)
    code, out, _ = jaxlint("check", "--output-format", "json")
    assert code == 2
    assert findings(out) == [("pyproject.toml", "JAX903", 3, 1), ("a.py", "JAX103", 6, 8)]
    assert "did you mean `ignore`?" in out


def test_toml_error_names_its_line(jaxlint, project):
    (project / "pyproject.toml").write_text("[tool.jaxlint]\nselect = [\n")
    code, out, _ = jaxlint("check", "--output-format", "concise")
    assert code == 2 and out.startswith("pyproject.toml:3:1: JAX903 invalid-configuration: not valid TOML")


def test_per_file_ignores(jaxlint, project):
    (project / "pyproject.toml").write_text('[tool.jaxlint.per-file-ignores]\n"old/" = ["JAX1"]\n')
    (project / "old").mkdir()
    (project / "old" / "a.py").write_text(BRANCH)
    (project / "b.py").write_text(BRANCH)
    assert findings(jaxlint("check", "--output-format", "json")[1]) == [("b.py", "JAX103", 6, 8)]


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([], ["JAX103", "JAX308"]),
        (["--select", "JAX1"], ["JAX103"]),
        (["--select", "item-assignment"], ["JAX308"]),
        (["--select", "JAX103,JAX308"], ["JAX103", "JAX308"]),
        (["--ignore", "JAX3"], ["JAX103"]),
        (["--select", "JAX3", "--extend-select", "JAX103"], ["JAX103", "JAX308"]),
        (["--select", "JAX103", "--ignore", "JAX1"], ["JAX103"]),
        (["--select", "JAX1", "--ignore", "JAX103"], []),
    ],
)
def test_selection(jaxlint, project, arguments, expected):
    (project / "a.py").write_text(BRANCH)
    (project / "b.py").write_text(STORE)
    _, out, _ = jaxlint("check", "--output-format", "json", *arguments)
    assert sorted(entry[1] for entry in findings(out)) == expected


@pytest.mark.parametrize("comment", ["# noqa: JAX103", "# noqa", "# jaxlint: disable=branch-on-tracer"])
def test_comment_silences(jaxlint, project, comment):
    (project / "a.py").write_text(BRANCH.replace("> 2:", f"> 2:  {comment}"))
    assert jaxlint("check")[0] == 0
    (project / "a.py").write_text(BRANCH.replace("return x\n", f"return x  {comment}\n", 1))
    assert jaxlint("check")[0] == 1


# --- fixes -----------------------------------------------------------------------------------


def test_fix_writes_and_counts(jaxlint, project):
    (project / "a.py").write_text(STORE)
    code, out, _ = jaxlint("check", "--fix")
    assert (code, out) == (0, "Found 1 error (1 fixed, 0 left).\n")
    assert (project / "a.py").read_text() == STORED


def test_fix_keeps_line_endings_encoding_and_permissions(jaxlint, project):
    text = "# -*- coding: latin-1 -*-\n# caf\xe9\n" + STORE
    path = project / "a.py"
    path.write_bytes(text.replace("\n", "\r\n").encode("latin-1"))
    path.chmod(0o755)
    assert jaxlint("check", "--fix")[0] == 0
    fixed = "# -*- coding: latin-1 -*-\n# caf\xe9\n" + STORED
    assert path.read_bytes() == fixed.replace("\n", "\r\n").encode("latin-1")
    assert path.stat().st_mode & 0o777 == 0o755


def test_findings_left_after_fixing_are_an_error(jaxlint, project):
    (project / "a.py").write_text(STORE + BRANCH.replace("def f", "def g"))
    code, out, _ = jaxlint("check", "--fix", "--output-format", "json")
    assert code == 1
    assert [entry[1] for entry in findings(out)] == ["JAX103"]


def test_unsafe_fixes_are_asked_for(jaxlint, project):
    text = "from jax import jit\n\n\n@jit\ndef f(x):\n    return 1.0 if x > 2 else 2.0\n"
    (project / "a.py").write_text(text)
    code, out, _ = jaxlint("check", "--fix", "--output-format", "concise")
    assert code == 1 and "1 fix available with --fix --unsafe-fixes." in out
    assert (project / "a.py").read_text() == text
    code, _, _ = jaxlint("check", "--fix", "--unsafe-fixes")
    assert code == 0
    fixed = "import jax.numpy as jnp\n" + text.replace("1.0 if x > 2 else 2.0", "jnp.where(x > 2, 1.0, 2.0)")
    assert (project / "a.py").read_text() == fixed


def test_unsafe_fixes_can_be_configured(jaxlint, project):
    (project / "pyproject.toml").write_text("[tool.jaxlint]\nunsafe-fixes = true\n")
    (project / "a.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return 1.0 if x > 2 else 2.0\n")
    assert jaxlint("check", "--fix")[0] == 0


def test_fix_only(jaxlint, project):
    (project / "a.py").write_text(STORE + BRANCH.replace("def f", "def g"))
    code, out, _ = jaxlint("check", "--fix-only", "--output-format", "json")
    assert (code, json.loads(out)) == (0, [])
    assert (project / "a.py").read_text().startswith(STORED)


def test_diff_changes_nothing(jaxlint, project):
    (project / "a.py").write_text(STORE)
    (project / "b.py").write_text(BRANCH)
    code, out, err = jaxlint("check", "--diff", "--output-format", "concise")
    assert code == 1
    assert out == (
        "--- a/a.py\n+++ b/a.py\n@@ -3,5 +3,5 @@\n \n def f():\n     y = jnp.zeros(3)\n-    y[0] = 1.0\n"
        "+    y = y.at[0].set(1.0)\n     return y\n"
    )
    assert "b.py:6:8: JAX103" in err
    assert (project / "a.py").read_text() == STORE


def test_diff_is_a_patch(jaxlint, project):
    (project / "a.py").write_text(STORE.rstrip("\n"))  # no line break at the end
    _, out, _ = jaxlint("check", "--diff")
    subprocess.run(["git", "apply", "-"], input=out, text=True, check=True)
    assert (project / "a.py").read_text() == STORED.rstrip("\n")


def test_diff_without_changes_is_success(jaxlint, project):
    (project / "a.py").write_text(BRANCH)
    code, out, _ = jaxlint("check", "--diff")
    assert (code, out) == (0, "")


# --- standard input --------------------------------------------------------------------------


def test_standard_input(jaxlint):
    code, out, err = jaxlint("check", "-", "--output-format", "json", stdin=BRANCH.encode())
    assert (code, findings(out), err) == (1, [("-", "JAX103", 6, 8)], "")


def test_standard_input_has_the_name_and_the_configuration_it_is_given(jaxlint, project):
    (project / "pyproject.toml").write_text('[tool.jaxlint.per-file-ignores]\n"old.py" = ["JAX103"]\n')
    assert jaxlint("check", "-", "--stdin-filename", "old.py", stdin=BRANCH.encode())[0] == 0
    code, out, _ = jaxlint("check", "-", "--stdin-filename", "new.py", "--output-format", "json", stdin=BRANCH.encode())
    assert (code, json.loads(out)[0]["filename"]) == (1, str(project / "new.py"))


def test_standard_input_is_fixed_to_standard_output(jaxlint, project):
    raw = b"\xef\xbb\xbf" + (STORE + BRANCH.replace("def f", "def g")).replace("\n", "\r\n").encode()
    code = subprocess.run(
        [sys.executable, "-m", "jaxlint", "check", "-", "--fix", "--output-format", "json"],
        input=raw,
        capture_output=True,
    )
    fixed = b"\xef\xbb\xbf" + (STORED + BRANCH.replace("def f", "def g")).replace("\n", "\r\n").encode()
    assert (code.returncode, code.stdout) == (1, fixed)
    assert [entry[1] for entry in findings(code.stderr)] == ["JAX103"]


@pytest.mark.parametrize("raw", [BROKEN.encode(), b"import jax\nx = '\xff'\n", CLEAN.replace("\n", "\r\n").encode()])
def test_standard_input_that_is_not_fixed_comes_out_unchanged(raw, project):
    run = subprocess.run([sys.executable, "-m", "jaxlint", "check", "-", "--fix"], input=raw, capture_output=True)
    assert run.stdout == raw


def test_diff_of_standard_input(jaxlint):
    code, out, _err = jaxlint("check", "-", "--diff", "--stdin-filename", "a.py", stdin=STORE.encode())
    assert code == 1
    assert out.startswith("--- a/a.py\n+++ b/a.py\n")


# --- output ----------------------------------------------------------------------------------


def test_statistics(jaxlint, project):
    for name in ("a.py", "b.py"):
        (project / name).write_text(BRANCH)
    (project / "c.py").write_text(STORE)
    code, out, _ = jaxlint("check", "--statistics")
    assert code == 1
    assert out.splitlines()[:2] == [
        "     2  JAX103  branch-on-tracer",
        "     1  JAX308  item-assignment  [*] 1 fixable",
    ]
    entries = json.loads(jaxlint("check", "--statistics", "--output-format", "json")[1])
    assert entries[0] == {"code": "JAX103", "name": "branch-on-tracer", "count": 2, "fixable": 0}


def test_output_does_not_depend_on_the_number_of_workers(jaxlint, project, monkeypatch):
    monkeypatch.setattr(runner, "LARGE_RUN", 0)  # else so few bytes start no processes
    for number in range(30):
        (project / f"m{number:02}.py").write_text([BRANCH, STORE, CLEAN, BROKEN][number % 4])
    alone = jaxlint("check", "--jobs", "1", "--output-format", "json")
    shared = jaxlint("check", "--jobs", "3", "--output-format", "json", "--no-cache")
    assert alone == shared
    assert len(json.loads(alone[1])) == 23


def test_reader_may_leave_early(project):
    for number in range(40):
        (project / f"m{number:02}.py").write_text(BROKEN * 50)
    command = f"{sys.executable} -m jaxlint check --output-format full | head -n 1"
    run = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert run.stdout.startswith("JAX900") and run.stderr == ""


def test_exit_code_needs_no_output(project):
    (project / "a.py").write_text(BRANCH)
    run = subprocess.run(f"{sys.executable} -m jaxlint check >&- 2>&-", shell=True)
    assert run.returncode == 1


def test_working_directory_that_is_gone(jaxlint, project, monkeypatch):
    (project / "gone").mkdir()
    monkeypatch.chdir("gone")
    (project / "gone").rmdir()
    code, _, err = jaxlint("check")
    assert code == 2 and "the working directory is gone" in err


def test_a_terminal_gets_colours_and_a_pipe_does_not(project):
    (project / "a.py").write_text(BRANCH)
    command = [sys.executable, "-m", "jaxlint", "check", "a.py"]
    plain = subprocess.run(command, capture_output=True, text=True)
    forced = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "FORCE_COLOR": "1", "TERM": "xterm"}
    )
    assert "\x1b[" not in plain.stdout and "\x1b[" in forced.stdout


def test_output_file_holds_the_report_and_the_terminal_the_messages(jaxlint, project):
    (project / "a.py").write_text(BRANCH)
    code, out, err = jaxlint("check", "missing", "a.py", "--output-format", "json", "--output-file", "report.json")
    assert (code, out) == (2, "") and "missing: no such file or folder" in err
    assert findings((project / "report.json").read_text()) == [("a.py", "JAX103", 6, 8)]
    assert jaxlint("check", "a.py", "--exit-zero", "--statistics", "--output-file", "report.json") == (0, "", "")
    assert "1  JAX103" in (project / "report.json").read_text()
    assert sorted(os.listdir()) == [".jaxlint_cache", "a.py", "report.json"]


def test_output_file_is_made_like_any_other_and_keeps_what_it_has(jaxlint, project):
    (project / "a.py").write_text(CLEAN)
    plain = project / "plain"
    plain.touch()
    (project / "there.txt").touch(0o600)
    (project / "link.txt").symlink_to("there.txt")
    assert jaxlint("check", "a.py", "--output-file", "new.txt")[0] == 0
    assert jaxlint("check", "a.py", "--output-file", "link.txt")[0] == 0
    assert (project / "new.txt").stat().st_mode == plain.stat().st_mode
    assert (project / "there.txt").stat().st_mode & 0o777 == 0o600 and (project / "link.txt").is_symlink()
    assert (project / "new.txt").read_text() == (project / "there.txt").read_text() == "All checks passed.\n"


def test_output_file_may_be_a_device(project):
    (project / "a.py").write_text(BRANCH)
    command = [
        sys.executable,
        "-m",
        "jaxlint",
        "check",
        "a.py",
        "--output-file",
        "/dev/stdout",
        "--output-format",
        "concise",
    ]
    run = subprocess.run(command, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (1, "") and run.stdout.startswith("a.py:6:8: JAX103")


@pytest.mark.parametrize("name, message", [(".", "is a folder; add a name"), ("no/where.txt", "make it first")])
def test_output_file_that_cannot_be(jaxlint, project, name, message):
    (project / "a.py").write_text(BRANCH)
    code, out, err = jaxlint("check", "a.py", "--output-file", name)
    assert (code, out) == (2, "") and message in err and "--output-file" in err


def test_output_file_beside_what_goes_to_standard_output(jaxlint, project):
    (project / "a.py").write_text(STORE + BRANCH.replace("def f", "def g"))
    code, out, err = jaxlint("check", "--diff", "--output-format", "json", "--output-file", "report.json")
    assert (code, err) == (1, "") and out.startswith("--- a/a.py")
    assert [entry[1] for entry in findings((project / "report.json").read_text())] == ["JAX103"]


# --- what goes wrong inside ------------------------------------------------------------------


RULE_THAT_RAISES = '''\
"""A rule with a mistake in it."""
from jaxlint.source.diagnostic import Category
from jaxlint.hazards.rule import Rule
from jaxlint.plugins import hazards

RULE = Rule("JAX199", "mistaken", "Raises.", Category.FAILS, hazards=(hazards.BranchOnTracer,))


def check(hazard, file):
    raise IndexError("of the rule")
    yield
'''


def test_mistake_in_a_rule_costs_that_rule_alone(project):
    shutil.copytree(Path(__file__).parent.parent / "jaxlint", project / "lib" / "jaxlint")
    (project / "lib" / "jaxlint" / "hazards" / "concretization" / "mistaken.py").write_text(RULE_THAT_RAISES)
    (project / "a.py").write_text(BRANCH)
    (project / "b.py").write_text(STORE)
    code = "import sys; sys.path.insert(0, 'lib'); from jaxlint.cli import main; sys.exit(main(sys.argv[1:]))"
    run = subprocess.run(
        [sys.executable, "-c", code, "check", "a.py", "b.py", "--output-format", "json"], capture_output=True, text=True
    )
    assert run.returncode == 2, run.stderr
    assert [entry[:2] for entry in findings(run.stdout)] == [("a.py", "JAX103"), ("a.py", "JAX902"), ("b.py", "JAX308")]
    assert "Internal error in mistaken: IndexError: of the rule" in run.stdout


def die_over_some(jobs):
    """Work that ends the process over files called `deadly.py`, as a crash in native code would."""
    from jaxlint.run.runner import process

    if any(os.path.basename(job.filename) == "deadly.py" for job in jobs):
        os._exit(139)
    return [process(job) for job in jobs]


def test_worker_that_dies_costs_its_file_alone(project):
    from jaxlint.configuration.config import Configs
    from jaxlint.run import executors
    from jaxlint.run.job import Job

    names = [f"m{number:02}.py" for number in range(20)]
    names[3] = names[17] = "deadly.py"
    configs = Configs()
    for name in names:
        (project / name).write_text(BRANCH)
    jobs = [Job(name, configs.for_file(name)) for name in names]
    outcomes = {}
    executors.run(
        executors.Processes, jobs, 2, die_over_some, lambda places, found: outcomes.update(zip(places, found))
    )
    assert [outcomes[at].filename for at in range(20)] == names
    assert [outcomes[at].diagnostics[0].code for at in range(20)] == [
        "JAX902" if name == "deadly.py" else "JAX103" for name in names
    ]


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_partition_of_the_work(project, workers):
    """Each job is in one chunk, neighbours are in one share; the last chunks are small, so that no worker is busy long after the others."""
    from jaxlint.configuration.config import Config
    from jaxlint.run.job import Job
    from jaxlint.run.partition import MAX_BYTES, MAX_FILES, partition
    from jaxlint.source.text import Source

    sizes = [(number * 7919) % 30_011 for number in range(300)] + [0, 0, 500_000]
    sources = [Source.from_text("#" * size, f"p{at % 10}/{at:03}.py") for at, size in enumerate(sizes)]
    divided = partition([Job(source.filename, Config(), source=source) for source in sources], workers)
    chunks = [chunk for share in divided.chunks for chunk in share]
    assert sorted(at for chunk in chunks for at in chunk) == list(range(len(sizes))) and len(divided) == len(chunks)
    assert [302] in chunks and max(map(len, chunks)) <= MAX_FILES
    assert max(sum(sizes[at] for at in chunk) for chunk in chunks if chunk != [302]) <= MAX_BYTES
    folders = [{at % 10 for chunk in share for at in chunk} for share in divided.chunks]
    assert sum(map(len, folders)) < 10 + workers  # a folder is parted where one share ends and the next begins
    for share in divided.chunks:
        assert sum(sizes[at] for at in share[-1]) <= sum(sizes) / workers / 20
    assert len(partition([], workers)) == 0


# --- the other commands ----------------------------------------------------------------------


def test_version_and_help(jaxlint):
    from jaxlint import __version__

    assert jaxlint("--version") == (0, f"jaxlint {__version__}\n", "")
    code, out, _ = jaxlint("--help")
    assert code == 0 and all(name in out for name in ("check", "explain", "rules", "reveal", "verify"))
    assert jaxlint("help") == (0, out, "")
    code, out, _ = jaxlint("check", "--help")
    assert code == 0 and jaxlint("help", "check") == (0, out, "") and "--quiet" in out
    code, out, err = jaxlint("help", "explan")
    assert (code, out) == (2, "") and "no command is called `explan`; did you mean `explain`?" in err


@pytest.mark.parametrize("selector", ["JAX103", "jax103", "branch-on-tracer"])
def test_explain(jaxlint, selector):
    code, out, _ = jaxlint("explain", selector)
    assert code == 0
    assert "JAX103 branch-on-tracer" in out and "Why is this bad" in out


def test_explain_shows_the_fixture(jaxlint):
    page = json.loads(jaxlint("explain", "JAX103", "--output-format", "json")[1])
    assert page["name"] == "branch-on-tracer" and "## What it does" in page["docs"]
    assert "# run:" in page["example"]["bad"] and "# run:" in page["example"]["fixed"]


def test_explain_knows_what_it_does_not_know(jaxlint):
    code, _, err = jaxlint("explain", "branch-on-trace")
    assert code == 2 and "did you mean `branch-on-tracer`?" in err


def test_rules(jaxlint):
    code, out, _ = jaxlint("rules")
    assert code == 0 and "JAX103" in out and "branch-on-tracer" in out
    listed = json.loads(jaxlint("rules", "--output-format", "json")[1])
    codes = [rule["code"] for rule in listed]
    assert codes == sorted(set(codes)) and {"JAX103", "JAX900", "JAX902", "JAX903"} <= set(codes)
    assert all(rule["prevents"] for rule in listed)


def test_rules_by_family_with_what_each_prevents(jaxlint):
    code, out, _ = jaxlint("rules")
    lines = out.splitlines()
    assert code == 0 and lines[0] == "A tracer where Python needs a value"
    assert lines.index("Random keys") < next(at for at, line in enumerate(lines) if line.startswith("JAX401"))
    assert any(line.startswith("JAX103") and "TracerBoolConversionError" in line for line in lines)
    for code in ("JAX401", "JAX404"):  # the error of the first is raised only where it is asked for
        assert any(line.startswith(code) and "a wrong result" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "among", "not_among"),
    [
        (["key"], {"JAX401", "JAX604"}, {"JAX103"}),
        (["keys"], {"JAX401", "JAX405"}, {"JAX103"}),
        (["jax4"], {"JAX401"}, {"JAX103"}),
        (["TracerBool"], {"JAX103", "JAX104"}, {"JAX401"}),
        (["KeyReuseError"], {"JAX401"}, {"JAX404"}),
        (["slow"], {"JAX514"}, {"JAX401"}),
        (["haiku", "key"], {"JAX604"}, {"JAX401", "JAX605"}),
    ],
)
def test_rules_that_a_word_is_about(jaxlint, words, among, not_among):
    code, out, _ = jaxlint("rules", *words, "--output-format", "json")
    listed = {rule["code"] for rule in json.loads(out)}
    assert code == 0 and among <= listed and not not_among & listed
    assert all(each in jaxlint("rules", *words)[1] for each in among)


def test_rules_without_the_word(jaxlint):
    code, out, err = jaxlint("rules", "zzz")
    assert (code, out) == (
        2,
        "",
    ) and err == "jaxlint rules: no rule is about `zzz`; `jaxlint explain zzz` searches the pages\n"
