"""Input that is broken, hostile or just odd: it is named with file and line, the rest is linted, no byte is lost.

Each case puts files beside two good ones, one with a finding and one with a safe fix, runs the
command, and compares what is on the disk.
"""

import json
import os
import subprocess
import sys

import pytest

from jaxlint.cli import main

# JAX103 at 6:8, whose fix is unsafe and so is not applied here.
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"
STORE = "import jax.numpy as jnp\n\n\ndef f():\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n"  # JAX308 at 6:5
STORED = STORE.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")


@pytest.fixture
def lint(tmp_path, monkeypatch, capfd):
    """Runs the command over a folder in this process. Returns the exit code, the findings and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["check", "--no-cache", "--jobs", "1", "--output-format", "json", *map(str, arguments)])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return code, json.loads(out), err

    return run


def places(findings):
    return [
        (os.path.basename(each["filename"]), each["code"], each["location"]["row"], each["location"]["column"])
        for each in findings
    ]


def contents(folder):
    """What every path below a folder holds: bytes, or where a link leads."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[path.name] = os.readlink(path)
        elif path.is_file():
            found[path.name] = path.read_bytes()
    return found


HEAD = b"import jax\n"

REFUSED = {
    "colon": (HEAD + b"def f(:\n    pass\n", 2, 7, "syntax error"),
    "bracket": (HEAD + b"x = f(1,\ny = 2\n", 2, 6, "never closed"),
    "string": (HEAD + b"x = 'abc\ny = 2\n", 2, 5, ""),
    "indentation": (HEAD + b"if x:\n    y = 1\n  z = 2\n", 4, None, ""),
    "old Python": (HEAD + b"print 'x'\n", 2, None, ""),
    "notebook magic": (HEAD + b"%matplotlib inline\n", 2, None, ""),
    "merge conflict": (HEAD + b"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n", 2, None, ""),
    "parentheses": (HEAD + b"x = " + b"(" * 1500 + b"1" + b")" * 1500 + b"\n", 2, None, "brackets are open"),
    "sum": (HEAD + b"x = " + b" + ".join([b"1"] * 8000) + b"\n", 2, None, ""),
    "else if": (HEAD + b"if x:\n    pass\n" + b"elif x:\n    pass\n" * 5000, None, None, ""),
    "attributes": (HEAD + b"x = a" + b".b" * 9000 + b"\n", 2, None, ""),
    "number": (HEAD + b"x = " + b"1" * 5000 + b"\n", 2, 5, "more than 4300 digits"),
    "NUL": (HEAD + b"x = '\x00'\n", 2, 6, "NUL"),
    "binary": (bytes(range(256)) * 20, 3, None, "byte 0x80"),
    "UTF-16": ("import jax\nx = 1\n".encode("utf-16"), 1, None, ""),
    "Latin-1 without a declaration": (HEAD + "x = 'é'\n".encode("latin-1"), 2, 6, "byte 0xe9 is not valid in utf-8"),
    "unknown encoding": (b"# -*- coding: klingon -*-\nimport jax\n", 1, None, "unknown encoding"),
    "BOM and another encoding": (b"\xef\xbb\xbf# -*- coding: latin-1 -*-\nimport jax\n", 1, None, ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_named_and_the_rest_is_linted(tmp_path, lint, name):
    raw, row, column, says = REFUSED[name]
    (tmp_path / "bad.py").write_bytes(raw)
    (tmp_path / "branch.py").write_text(BRANCH)
    (tmp_path / "store.py").write_text(STORE)
    before = contents(tmp_path)
    code, findings, err = lint("--fix", "--select", "JAX103,JAX308")
    assert code == 1 and "Traceback" not in err
    [bad, good] = findings
    assert places([good]) == [("branch.py", "JAX103", 6, 8)]
    assert (os.path.basename(bad["filename"]), bad["code"]) == ("bad.py", "JAX900")
    assert row in (None, bad["location"]["row"]) and column in (None, bad["location"]["column"]), bad
    assert says.lower() in bad["message"].lower()
    assert contents(tmp_path) == {**before, "store.py": STORED.encode()}


ODD = {
    "empty": b"",
    "blank": b"\n \n\t\n",
    "BOM alone": b"\xef\xbb\xbf",
    "comment without line break": b"# jax",
    "form feed": b"\x0cimport jax\n\x0c\n",
    "lone returns": b"import jax\rx = 1\r",
    "backslash at the end": b"import jax\nx = 1 + \\\n    2\n",
    "parentheses that are many but flat": b"import jax\nx = [" + b"(1), " * 2000 + b"]\n",
    "many lines": b"import jax\n" + b"x = 1\n" * 1000,
    "numbers that are long but short enough": (
        HEAD
        + b"x = 0x"
        + b"f" * 9000
        + b"\ny = "
        + b"1" * 4300
        + b"\nz = 0."
        + b"3" * 9000
        + b"\n# "
        + b"1" * 9000
        + b"\n"
    ),
    "a long line": b"import jax\nx = '" + b"jax " * 50_000 + b"'\n",
    "stars": "import jax\nx = '\U0001f31f é ∑'\n".encode(),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_only_odd_has_no_finding_and_is_left_alone(tmp_path, lint, name):
    (tmp_path / "odd.py").write_bytes(ODD[name])
    (tmp_path / "branch.py").write_text(BRANCH)
    before = contents(tmp_path)
    code, findings, err = lint("--fix", "--select", "JAX103")
    assert (code, places(findings), err) == (1, [("branch.py", "JAX103", 6, 8)], "")
    assert contents(tmp_path) == before


BLOCKS = {
    "tabs after spaces": ("  ", "  \t", "  \t"),
    "a space before tabs": (" \t", " \t\t", " \t\t"),
    "a form feed first": ("\x0c    ", "        ", "        "),
    "a form feed within": ("    \x0c    ", "        ", "        "),
    "a block deeper by spaces in place of its tab": ("\t", "         ", "         "),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_indentation_is_read_as_python_reads_it(tmp_path, lint, name):
    outer, first, second = BLOCKS[name]
    text = f"import jax\n\n\n@jax.jit\ndef f(x):\n{outer}if x.sum() > 2:\n{first}x = x + 1\n{second}x = x + 2\n{outer}return x\n"
    compile(text, "a.py", "exec")
    (tmp_path / "a.py").write_text(text)
    code, findings, err = lint("--select", "JAX1")
    assert (code, places(findings), err) == (1, [("a.py", "JAX103", 6, len(outer) + 4)], "")


def test_huge_file(tmp_path, lint):
    text = f"import jax\nnotes = '{'jax ' * 100_000}'\n" + "# jax\n" * 2000 + f"table = [{'0, ' * 2000}]\n" + STORE
    (tmp_path / "huge.py").write_text(text)
    code, findings, err = lint("--fix")
    assert (code, findings, err) == (0, [], "")
    assert (tmp_path / "huge.py").read_text() == text.replace(STORE, STORED)


def test_data_that_is_too_long_to_be_parsed(tmp_path, lint):
    table = "TABLE = (\n" + "    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,\n" * 170_000 + ")\n"
    (tmp_path / "data.py").write_text(table)
    (tmp_path / "named.py").write_text("import jax\n" + table)
    (tmp_path / "store.py").write_text("from data import TABLE\n" + STORE)
    code, findings, err = lint("--fix")
    assert (code, places(findings), err) == (1, [("named.py", "JAX904", 1, 1)], "")
    assert "more than 5,000,000 characters; move its data to another file" in findings[0]["message"]
    assert (tmp_path / "store.py").read_text() == "from data import TABLE\n" + STORED


@pytest.mark.parametrize(
    ("encoding", "newline", "bom"),
    [
        ("utf-8", "\r\n", b"\xef\xbb\xbf"),
        ("utf-8", "\n", b"\xef\xbb\xbf"),
        ("utf-8", "\r\n", b""),
        ("latin-1", "\r\n", b""),
        ("utf-8", "\r", b""),
    ],
)
def test_fix_changes_nothing_but_the_line_it_fixes(tmp_path, lint, encoding, newline, bom):
    head = f"# -*- coding: {encoding} -*-\n# caf\xe9\n"
    path = tmp_path / "a.py"
    path.write_bytes(bom + (head + STORE).replace("\n", newline).encode(encoding))
    code, findings, _ = lint("a.py")
    assert (code, places(findings)) == (1, [("a.py", "JAX308", 8, 5)])
    assert lint("--fix")[0] == 0
    assert path.read_bytes() == bom + (head + STORED).replace("\n", newline).encode(encoding)


def test_line_endings_that_are_mixed_stay_mixed(tmp_path, lint):
    raw = STORE.encode().replace(b"\n", b"\r\n", 4)
    (tmp_path / "a.py").write_bytes(raw)
    assert lint("--fix")[0] == 0
    assert (tmp_path / "a.py").read_bytes() == raw.replace(b"y[0] = 1.0", b"y = y.at[0].set(1.0)")


def test_what_is_no_file(tmp_path, lint):
    (tmp_path / "dangling.py").symlink_to("nowhere.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "around").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "folder.py" / "inner.py").write_text(BRANCH)
    os.mkfifo(tmp_path / "pipe.py")
    before = contents(tmp_path)
    code, findings, err = lint("--fix", "--select", "JAX103")
    assert (code, places(findings), err) == (1, [("inner.py", "JAX103", 6, 8)], "")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name, says", [("dangling.py", "No such file"), ("loop.py", "symbolic links")])
def test_what_is_no_file_is_reported_where_it_is_named(tmp_path, lint, name, says):
    (tmp_path / "dangling.py").symlink_to("nowhere.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "branch.py").write_text(BRANCH)
    code, findings, _err = lint(name, "branch.py")
    assert (code, places(findings)) == (1, [("branch.py", "JAX103", 6, 8), (name, "JAX904", 1, 1)])
    assert says in findings[1]["message"]


def test_link_to_a_file_is_fixed_where_it_leads(tmp_path, lint):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "store.txt").write_text(STORE)
    (tmp_path / "store.py").symlink_to("elsewhere/store.txt")
    assert lint("--fix")[0] == 0
    assert (tmp_path / "store.py").is_symlink()
    assert (tmp_path / "elsewhere" / "store.txt").read_text() == STORED


BROKEN_SETTINGS = {
    "not TOML": ("[tool.jaxlint]\nselect = [\n", 3, "not valid TOML"),
    "unknown option": ("[tool.jaxlint]\npreview = true\nselekt = []\n", 3, "did you mean `select`?"),
    "unknown rule": ('[tool.jaxlint]\nignore = ["JAX193"]\n', 2, "no rule is called `JAX193`"),
    "wrong kind": ("[tool.jaxlint]\n\nexclude = 3\n", 3, "must be a list of strings"),
    "arrays nested deep": ("[tool.jaxlint]\nexclude = " + "[" * 50_000 + "]" * 50_000 + "\n", 2, "nested too deeply"),
    "tables nested deep": (
        "[tool.jaxlint]\nexclude = " + "{a = " * 50_000 + "1" + "}" * 50_000 + "\n",
        2,
        "nested too deeply",
    ),
    "a table with many parts": ("[tool.jaxlint]\n[" + "a." * 50_000 + "a]\n", 2, "more than 64 parts"),
    "a number of many digits": ("[tool.jaxlint]\nline-length = " + "9" * 100_000 + "\n", 2, "too many digits"),
    "a hexadecimal number of many digits": ("[tool.jaxlint]\nline-length = 0x" + "f" * 100_000 + "\n", 2, "too large"),
}


@pytest.mark.parametrize("name", BROKEN_SETTINGS)
def test_broken_configuration_is_named_and_the_files_are_linted(tmp_path, lint, name):
    text, row, says = BROKEN_SETTINGS[name]
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "a.py").write_text(BRANCH)
    before = contents(tmp_path)
    code, findings, err = lint()
    assert code == 2 and "Traceback" not in err
    assert [place[:3] for place in places(findings)] == [("pyproject.toml", "JAX903", row), ("a.py", "JAX103", 6)]
    assert says in findings[0]["message"]
    assert contents(tmp_path) == before


def test_a_setting_that_is_no_file_is_not_waited_for(tmp_path, lint):
    (tmp_path / "a.py").write_text(BRANCH)
    for name in ("pyproject.toml", "setup.cfg", "requirements.txt", ".gitignore"):
        os.mkfifo(tmp_path / name)
    code, findings, err = lint()
    assert (code, places(findings), err) == (1, [("a.py", "JAX103", 6, 8)], "")


def test_process_survives_what_would_crash_the_parser(tmp_path):
    # In a process of its own: a crash here would end the tests, not fail one.
    (tmp_path / "a.py").write_bytes(REFUSED["parentheses"][0])
    (tmp_path / "b.py").write_bytes(REFUSED["sum"][0])
    (tmp_path / "c.py").write_bytes(HEAD + b"x = " + b"[" * 100_000)
    (tmp_path / "d.py").write_bytes(HEAD + b"x = " + b"-" * 100_000 + b"1\n")
    (tmp_path / "e.py").write_bytes(HEAD + b"x = " + b"not " * 50_000 + b"1\n")
    (tmp_path / "f.py").write_bytes(HEAD + b"x = " + b"lambda: " * 50_000 + b"1\n")
    (tmp_path / "z.py").write_text(BRANCH)
    command = [sys.executable, "-m", "jaxlint", "check", "--output-format", "json", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1 and run.stderr == ""
    codes = {os.path.basename(each["filename"]): each["code"] for each in json.loads(run.stdout)}
    assert codes == {**dict.fromkeys(["a.py", "b.py", "c.py", "d.py", "e.py", "f.py"], "JAX900"), "z.py": "JAX103"}
