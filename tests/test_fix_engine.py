"""Fixes over all fixtures: they come to rest, keep comments and what is around them, and are formatted as before."""

import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

import pytest

from jaxlint.configuration.config import Config
from jaxlint.fixing.alignment import realigned
from jaxlint.fixing.apply import apply_edits, fix_source
from jaxlint.fixing.argument_lines import on_own_lines
from jaxlint.fixing.line_breaking import wrapped
from jaxlint.fixing.power_spacing import spaced
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Applicability, Edit
from jaxlint.source.reading import read_source
from jaxlint.source.text import Source

FIXTURES = Path(__file__).parent.parent / "fixtures"
APPLIED = {Applicability.SAFE, Applicability.UNSAFE}

# Fixtures whose fixes write what a formatter would write otherwise: how many lines, and why.
FORMATTED_OTHERWISE = {
    "host/item-assignment/bad.py": (
        6,
        "statements share a line before and after; a value of several lines is put into parentheses",
    ),
    "keys/batch-of-keys-to-sampler/bad.py": (10, "a call of several lines becomes the body of a lambda"),
    "shapes/missing-argument/bad.py": (
        5,
        "a lambda takes the place of a layer, and the line of its list grows past the limit",
    ),
    "keys/private-prng/bad_module.py": (2, "`pass` takes the place of an import in the head of the file"),
}


def check(folder, *arguments):
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--jobs", "2", "--select", "JAX", "--preview"]
    run = subprocess.run(
        [*command, *arguments, "."],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(FIXTURES.parent)},
    )
    assert run.returncode in (0, 1) and "taken back" not in run.stderr and "Traceback" not in run.stderr, run.stderr[
        -2000:
    ]
    return run


def texts(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.py"))}


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """The fixtures as they are, and as the command leaves them."""
    before = tmp_path_factory.mktemp("before") / "fixtures"
    after = tmp_path_factory.mktemp("after") / "fixtures"
    for folder in (before, after):
        shutil.copytree(FIXTURES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (after / "ruff.toml").write_text("line-length = 120\n")
    check(after, "--fix", "--unsafe-fixes", "--statistics")
    return before, after


def comments(raw):
    return Counter(
        token.string for token in tokenize.tokenize(io.BytesIO(raw).readline) if token.type == tokenize.COMMENT
    )


def test_fixes_come_to_rest(trees):
    _, after = trees
    fixed = texts(after)
    check(after, "--fix", "--unsafe-fixes", "--statistics")
    assert texts(after) == fixed


def test_fixed_files_compile_and_keep_their_comments(trees):
    before, after = map(texts, trees)
    assert before.keys() == after.keys()
    changed = {name for name in before if before[name] != after[name]}
    assert len(changed) > 90
    for name in sorted(changed):
        compile(after[name], name, "exec")
        assert comments(before[name]) - comments(after[name]) == Counter(), name


def reformatted(folder):
    """How many lines of each file Ruff would change."""
    ruff = shutil.which("ruff", path=os.path.dirname(sys.executable)) or shutil.which("ruff")
    assert ruff is not None, "install the development dependencies"
    run = subprocess.run(
        [ruff, "format", "--diff", "--isolated", "--line-length", "120", "."],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert run.returncode in (0, 1), run.stderr
    lines = Counter()
    name = ""
    for line in run.stdout.splitlines():
        if line.startswith("--- "):
            name = os.path.normpath(line[4:].split("\t")[0])
        elif line[:1] in ("+", "-") and not line.startswith("+++ "):
            lines[name] += 1
    return lines


def test_fixed_files_are_formatted_no_worse_than_before(trees):
    before, after = map(reformatted, trees)
    worse = {name: count - before[name] for name, count in after.items() if count > before[name]}
    unexpected = {name: count for name, count in worse.items() if count > FORMATTED_OTHERWISE.get(name, (0,))[0]}
    assert unexpected == {}, "lines that a formatter would change, more than before the fixes"
    mended = {name for name in FORMATTED_OTHERWISE if name not in worse}
    assert mended == set(), "formatted well by now: take them out of FORMATTED_OTHERWISE"


# --- what is around a fix --------------------------------------------------------------------

FOLDERS = sorted({path.parent for path in FIXTURES.glob("*/*/bad*.py")})


# Lines of an import, and blank ones.
GOES_WITH_IMPORTS = re.compile(r"\s*((import|from)\b.*|[\w ]+,|\))?\s*\Z")


def touched(source, found):
    """Rows that the edits of the fixes on offer touch."""
    rows = set()
    for each in found:
        if each.fix is not None and each.fix.applicability in APPLIED:
            for edit in each.fix.edits:
                rows |= set(range(source.position(edit.start).row, source.position(edit.end).row + 1))
    return rows


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_lines_that_no_edit_touches_stay(folder):
    for path in sorted(folder.glob("bad*.py")):
        config = Config(root=str(folder), select=("JAX",), preview=True)
        seen = []

        def offered(source):
            seen.append((source, check_source(source, config).diagnostics))
            return seen[-1][1]

        outcome = fix_source(read_source(str(path)), offered, APPLIED, judge=lambda *_: "")
        assert outcome.error is None
        for (old, found), (new, _) in itertools.pairwise(seen):
            rows = touched(old, found)
            left = iter(new.text.splitlines(keepends=True))
            for row, line in enumerate(old.text.splitlines(keepends=True), 1):
                if row in rows or (outcome.removed and GOES_WITH_IMPORTS.match(line)):
                    continue
                assert line in left, f"{path}:{row}: {line!r}"  # searches on from the line before


# --- lines that fixes make too long ----------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    y = where(condition, first, second_1)", "    y = where(\n        condition, first, second_1\n    )"),
        ("    y = where(condition(a), first)  # why", "    y = where(\n        condition(a), first\n    )  # why"),
        ("return where(first_long_name, second_long_name, third)",
         "return where(\n    first_long_name,\n    second_long_name,\n    third,\n)"),
        ("return one_long_name(x) * (another + and_third)", "return one_long_name(x) * (\n    another + and_third\n)"),
        ("return one_long_name(x) + another + third", "return (\n    one_long_name(x) + another + third\n)"),
        ("return one_long_name + another_one(third, x)", "return one_long_name + another_one(\n    third, x\n)"),
        ("return vmap(lambda x: x + 1)(split(key), x)", "return vmap(lambda x: x + 1)(\n    split(key), x\n)"),
        ("return first_long_name, second_long, third_one", "return (\n    first_long_name,\n    second_long,\n    third_one,\n)"),
        ("x = ((first_long_name), *second_long, **third)", None),
        ("x = f((first_long_name), *second_l, **third)", "x = f(\n    (first_long_name),\n    *second_l,\n    **third,\n)"),
        (f"y = {'a' * 36}, b", None),
        (f"y = {'a' * 35}, b", f"y = (\n    {'a' * 35},\n    b,\n)"),
        ("if condition(first_long_name, second_long_name): pass", None),
        ("x = 'a string that is too long to be broken at all'", None),
        ("x = f(); y = g(first_long_name, second_long_name)", None),
    ],
)  # fmt: skip
def test_line_that_is_too_long_is_broken(line, expected):
    before = Source.from_text("a\nz\n", "a.py")
    after = wrapped(before, f"{line}\nz\n", [Edit(0, 1, line)], 40)
    assert after == f"{expected or line}\nz\n"


def test_line_that_was_too_long_before_stays(tmp_path):
    before = Source.from_text("x = where(first_long_name, second_long_name, 1)\n", "a.py")
    after = before.text.replace("1)", "2)")
    assert wrapped(before, after, [Edit(45, 46, "2")], 40) == after


@pytest.mark.parametrize("content", ["", "b = 1\n"])
def test_line_behind_whole_lines_that_come_or_go_stays(content):
    before = Source.from_text("a = 1\nx = where(one_name, 2.0)  # and a long comment\n", "a.py")
    after = before.text.replace("a = 1\n", content)
    assert wrapped(before, after, [Edit(0, 6, content)], 40) == after


@pytest.mark.parametrize(
    "before, after, expected",
    [
        ("y = x**2", "y = f(x)**2", "y = f(x) ** 2"),
        ("    return g(f(x) ** 2)  # why", "    return g(x ** 2)  # why", "    return g(x**2)  # why"),
        ("y = x[m] ** -2 + a.b**2", "y = x ** -2 + a.b**2", "y = x**-2 + a.b**2"),
        ("y = (x) ** 2", "y = (x + 1)**2", "y = (x + 1) ** 2"),
        ("y = f(x)**2", "y = g(x)**2", "y = g(x)**2"),  # not as formatters write it
        ("y = x**2", "y = f(x)**2; '**'", "y = f(x) ** 2; '**'"),
        ("y = 'ä' + x**2", "y = 'ä' + f(x)**2", "y = 'ä' + f(x)**2"),
        ("if x**2 > 1:", "if f(x)**2 > 1:", "if f(x)**2 > 1:"),
    ],
)
def test_powers_get_the_spaces_that_formatters_put(before, after, expected):
    assert spaced(before, after) == expected


@pytest.mark.parametrize(
    "text, added, expected",
    [
        ("f(\n    x,\n    y,\n)", "z=(1, 2)", "f(\n    x,\n    y,\n    z=(1, 2),\n)"),
        (
            "f(\n    x,\n    y,  # why\n    k=1,\n)",
            "a, g(b)",
            "f(\n    x,\n    y,\n    a,\n    g(b),  # why\n    k=1,\n)",
        ),
        ("f(\r\n    y,\r\n)", "z", "f(\r\n    y,\r\n    z,\r\n)"),
        ("f(\n    x, y,\n)", "z", "f(\n    x, y, z,\n)"),  # others share the line
        ("f(\n    x, y\n)", "z", "f(\n    x, y, z\n)"),
        ("f(x, y,\n  k=1)", "z", "f(x, y, z,\n  k=1)"),
        ("f(\n    g(\n        1),\n    y,\n)", "for z in y", "f(\n    g(\n        1),\n    y, for z in y,\n)"),
    ],
)
def test_arguments_get_lines_of_their_own_where_the_others_have_them(text, added, expected):
    source = Source.from_text(text, "a.py")
    at = text.index("y") + 1
    assert apply_edits(text, on_own_lines(source, [Edit(at, at, f", {added}")])) == expected


@pytest.mark.parametrize(
    "table", ["[tool.jaxlint]\nline-length = 50\n", "[tool.ruff]\nline-length = 50\n\n[tool.jaxlint]\n"]
)
def test_length_of_lines_is_that_of_the_project(tmp_path, table):
    (tmp_path / "pyproject.toml").write_text(table)
    text = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(argument):\n    return 'a long name' if argument.sum() > 2 else 1\n"
    text = text.replace("'a long name'", "1000000.0")
    (tmp_path / "a.py").write_text(text)
    check(tmp_path, "--fix", "--unsafe-fixes")
    assert (tmp_path / "a.py").read_text() == text.replace(
        "    return 1000000.0 if argument.sum() > 2 else 1\n",
        "    return jnp.where(\n        argument.sum() > 2, 1000000.0, 1\n    )\n",
    )


@pytest.mark.parametrize(
    "before, old, new, after",
    [
        ("f_old(a,\n      b)\n", "f_old", "f", "f(a,\n  b)\n"),
        ("f(a,\n  b)\n", "f", "f_new", "f_new(a,\n      b)\n"),
        ("old(g(a,\n      b),\n    c)\n", "old", "h", "h(g(a,\n    b),\n  c)\n"),
        ("old(\n    a,\n    b)\n", "old", "h", "h(\n    a,\n    b)\n"),
        ('old(a,\n    """b\n    c""")\n', "old", "h", 'h(a,\n  """b\n    c""")\n'),
        ("f(a, old,\n  b)\n", "old", "h", "f(a, h,\n  b)\n"),
        ("old(a,\n\tb)\n", "old", "h", "h(a,\n\tb)\n"),
    ],
)
def test_lines_below_a_bracket_move_with_it(before, old, new, after):
    start = before.index(old)
    edits = realigned(Source.from_text(before, "a.py"), [Edit(start, start + len(old), new)], 40)
    assert apply_edits(before, edits) == after


def test_lines_that_would_be_too_long_stay_where_they_are():
    text = f"f(a,\n  {'b' * 36})\n"
    assert apply_edits(text, realigned(Source.from_text(text, "a.py"), [Edit(0, 1, "longer")], 40)) == text.replace(
        "f(", "longer(", 1
    )
