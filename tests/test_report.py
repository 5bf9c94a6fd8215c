"""Reports: what each format says of a diagnostic, and that nothing a file holds can escape from it."""

import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from dataclasses import replace

import pytest
from rich.cells import cell_len

from jaxlint.configuration.options import OUTPUT_FORMATS
from jaxlint.diagnostics.fingerprint import fingerprint, fingerprints, line_hash
from jaxlint.report import Report, full, summary, write
from jaxlint.report.text import visible
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic, Edit, Fix, Position, Related
from jaxlint.source.reading import decoded
from jaxlint.source.text import Source

TEXT = """\
import jax

@jax.jit
def step(x):
    if x > 2:
        return x
    return -x
"""


def a_diagnostic(text=TEXT, filename="model.py", needle="x > 2", level=Applicability.UNSAFE, **changes):
    source = Source.from_text(text, filename)
    start = text.index(needle)
    end = start + len(needle)
    values = {
        "code": "JAX103",
        "name": "branch-on-tracer",
        "message": f"Python `if` on traced value `{needle}`",
        "filename": filename,
        "start": source.position(start),
        "end": source.position(end),
        "help": "select with `jnp.where`",
        "fix": Fix("Use `jnp.where`", (Edit(start, end, "True"),), level, changes="both sides are computed"),
        "related": (Related("`x` is a parameter of `step`", filename, Position(4, 10), Position(4, 11)),),
        "noqa_row": 5,
    }
    return Diagnostic(**{**values, **changes}), source


def render(format, *diagnostics_and_sources, **options):
    diagnostics = [diagnostic for diagnostic, _ in diagnostics_and_sources]
    sources = {diagnostic.filename: source for diagnostic, source in diagnostics_and_sources}
    stream = io.StringIO()
    write(format, Report(diagnostics, sources, **options), stream)
    return stream.getvalue()


def test_links_lead_to_the_site_that_the_distribution_names(tmp_path):
    """A distribution is what its metadata says, here with an address and without one."""
    (tmp_path / "a.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return float(x)\n")
    for urls in ("", "Project-URL: Documentation, https://docs.example.org/jaxlint/\n"):
        information = tmp_path / "site" / "flake8_jaxlint-9.dist-info"
        information.mkdir(parents=True, exist_ok=True)
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: flake8-jaxlint\nVersion: 9\n{urls}")

        def reported(format):
            command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--output-format", format, "a.py"]
            path = os.pathsep.join([str(tmp_path / "site"), *sys.path])
            run = subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True)
            return json.loads(run.stdout)

        page = "https://docs.example.org/jaxlint/rules/JAX102-python-cast-on-tracer/"
        found = reported("json")[0]["url"], reported("sarif")["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"]
        assert found == (page, page) if urls else all(each.startswith("https://docs.jax.dev/") for each in found)


def test_full_shows_the_code_the_reason_and_the_fix():
    assert (
        render("full", a_diagnostic())
        == """\
JAX103 branch-on-tracer: Python `if` on traced value `x > 2`
 --> model.py:5:8
  |
4 | def step(x):
  |          - `x` is a parameter of `step`
5 |     if x > 2:
  |        ^^^^^
6 |         return x
  |
  = help: select with `jnp.where`
  = fix (unsafe): Use `jnp.where`; both sides are computed [--fix --unsafe-fixes]
5 -     if x > 2:
5 +     if True:

For more about a finding: `jaxlint explain JAX103`.
Found 1 error. 1 fix available with --fix --unsafe-fixes.
"""
    )


def frame_of(diagnostic, source, width=None, **others):
    """What is drawn of a diagnostic, between its address and what to do."""
    report = Report([diagnostic], {diagnostic.filename: source, **others})
    lines = [line.plain for line in full.render(diagnostic, report, width)]
    return lines[2:-3] if diagnostic.fix else lines[2:]


def test_full_draws_the_chain_of_reasons_along_the_code():
    text = TEXT.replace("    if x > 2:", "    y = 1\n    z = 2\n    if x > 2:")
    chain = (
        Related("`x` is a parameter of `step`", "model.py", Position(4, 10), Position(4, 11)),
        Related("`step` is transformed by `jit`", "model.py", Position(3, 2), Position(3, 9)),
    )
    diagnostic, source = a_diagnostic(text=text, related=chain, fix=None, help=None)
    assert frame_of(diagnostic, source) == [
        "  |",
        "3 | @jax.jit",
        "  |  ------- `step` is transformed by `jit`",
        "4 | def step(x):",
        "  |          - `x` is a parameter of `step`",
        "5 |     y = 1",
        "6 |     z = 2",
        "7 |     if x > 2:",
        "  |        ^^^^^",
        "8 |         return x",
    ]
    longer, source = a_diagnostic(text=text.replace("    y = 1\n", "    y = 1\n\n"), related=chain, fix=None, help=None)
    assert "..." in frame_of(longer, source)


def test_full_numbers_steps_that_lead_back_and_forth_and_to_other_files():
    text = "def choose(x):\n    return x if x > 2 else -x\n"
    train = Source.from_text("import jax\n\n@jax.jit\ndef step(x):\n    return choose(x)\n", "train.py")
    chain = (
        Related("passed to `choose` as `x`", "train.py", Position(5, 19), Position(5, 20)),
        Related("`step` is transformed by `jit`", "train.py", Position(3, 2), Position(3, 9)),
    )
    diagnostic, source = a_diagnostic(text=text, related=chain, fix=None, help=None)
    assert frame_of(diagnostic, source, **{"train.py": train}) == [
        "  |",
        "1 | def choose(x):",
        "2 |     return x if x > 2 else -x",
        "  |                 ^^^^^",
        " ::: train.py:3:2",
        "  |",
        "3 | @jax.jit",
        "  |  ------- 1. `step` is transformed by `jit`",
        "4 | def step(x):",
        "5 |     return choose(x)",
        "  |                   - 2. passed to `choose` as `x`",
    ]
    # A file that is gone meanwhile is still named.
    assert [line for line in frame_of(diagnostic, source) if ":::" in line or "why" in line] == [
        " ::: train.py:3:2", "  = why: 1. `step` is transformed by `jit` (line 3)", "  = why: 2. passed to `choose` as `x` (line 5)",
    ]  # fmt: skip


def test_full_names_the_cells_of_a_notebook():
    cells = ["@jax.jit\ndef step(x):\n    return choose(x)", "def choose(x):\n    return x if x > 2 else -x"]
    raw = json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}).encode()
    source = decoded(raw, "t.ipynb")
    place = [source.position(source.text.index(needle)) for needle in ("jax.jit", "x > 2")]
    ends = [source.position(source.text.index(needle) + len(needle)) for needle in ("jax.jit", "x > 2")]
    chain = (Related("`step` is transformed by `jit`", "t.ipynb", place[0], ends[0]),)
    values = {"filename": "t.ipynb", "related": chain, "fix": None, "help": None, "start": place[1], "end": ends[1]}
    assert frame_of(a_diagnostic(**values)[0], source) == [
        "  |",
        " ::: cell 1",
        "1 | @jax.jit",
        "  |  ------- `step` is transformed by `jit`",
        " ::: cell 2",
        "1 | def choose(x):",
        "2 |     return x if x > 2 else -x",
        "  |                 ^^^^^",
    ]


def test_full_breaks_lines_that_a_narrow_terminal_has_no_room_for():
    text = TEXT.replace("if x > 2:", "if x > 2:" + " " * 20 + "# with a comment that goes on and on and on")
    diagnostic, source = a_diagnostic(text=text, help="select with `jnp.where`, which computes both sides and chooses")
    report = Report([diagnostic], {"model.py": source})
    lines = [line.plain for line in full.render(diagnostic, report, 40)]
    assert [line for line in lines if len(line) > 40 and not re.match(r"5 [-+]", line)] == []
    assert lines[:2] == ["JAX103 branch-on-tracer: Python `if` on", "  traced value `x > 2`"]
    at = lines.index("  |          -")
    assert lines[at + 1] == "  |         `x` is a parameter of `step`"
    assert lines[at + 2].endswith("…") and lines[at + 2].startswith("5 |     if x > 2:")


def test_full_underlines_below_the_code_whatever_stands_before_it():
    # A tab takes four columns, a wide character two.
    report = render("full", a_diagnostic(text='\tname = "日本"; if_ = x > 2\n'))
    frame = [line for line in report.splitlines() if "|" in line and ("日本" in line or "^" in line)]
    assert frame == [
        '1 |     name = "日本"; if_ = x > 2',
        "  | " + " " * 4 + " " * len('name = "日本"; if_ = ') + "  ^^^^^",
    ]


def test_full_cuts_wide_characters_and_tabs_by_the_columns_they_take():
    text = '\tname = "' + "日本語" * 8 + '"; if_ = x > 2  # ' + "日本" * 30 + "\n"
    diagnostic, source = a_diagnostic(text=text, related=(), fix=None, help=None)
    lines = frame_of(diagnostic, source, 60)
    code, carets = lines[lines.index("  |") + 1 :][:2]
    assert cell_len(code) <= 60 and code.endswith("…")
    before = code[: code.index("x > 2")]
    assert carets == "  | " + " " * (cell_len(before) - 4) + "^^^^^"


def test_full_cuts_a_long_line_around_the_place():
    report = render("full", a_diagnostic(text="a = " + "1 + " * 500 + "(x > 2)" + " + 1" * 500 + "\n"))
    code, carets = [line for line in report.splitlines() if re.match(r"(1| ) \| ", line)][:2]
    assert len(code) < 140
    assert code[carets.index("^") :].startswith("x > 2")


def test_full_shows_a_fix_in_two_places_as_two_hunks():
    fix = Fix("two", (Edit(0, 0, "import numpy\n"), Edit(TEXT.index("x > 2"), TEXT.index("x > 2") + 1, "y")))
    report = render("full", a_diagnostic(fix=fix))
    assert [line for line in report.splitlines() if re.match(r"\d [-+] ", line)] == [
        "1 + import numpy",
        "5 -     if x > 2:",
        "5 +     if y > 2:",
    ]


def test_full_reports_a_file_that_could_not_be_read():
    diagnostic, _ = a_diagnostic(fix=None, related=(), help=None)
    stream = io.StringIO()
    write("full", Report([diagnostic]), stream)
    assert stream.getvalue().splitlines()[1] == " --> model.py:5:8"


def test_concise_is_a_line_each():
    safe = a_diagnostic(level=Applicability.SAFE)
    assert render("concise", a_diagnostic(), safe).splitlines() == [
        "model.py:5:8: JAX103 branch-on-tracer: Python `if` on traced value `x > 2`",
        "model.py:5:8: JAX103 branch-on-tracer: [*] Python `if` on traced value `x > 2`",
        "Found 2 errors. 1 fix available with --fix, 1 more with --unsafe-fixes.",
    ]


def test_json_has_the_shape_of_ruff(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (entry,) = json.loads(render("json", a_diagnostic()))
    assert entry == {
        "cell": None,
        "code": "JAX103",
        "name": "branch-on-tracer",
        "message": "Python `if` on traced value `x > 2`",
        "filename": str(tmp_path / "model.py"),
        "location": {"row": 5, "column": 8},
        "end_location": {"row": 5, "column": 13},
        "noqa_row": 5,
        "fix": {
            "applicability": "unsafe",
            "message": "Use `jnp.where`; both sides are computed",
            "changes": "both sides are computed",
            "edits": [
                {
                    "content": "True",
                    "filename": str(tmp_path / "model.py"),
                    "cell": None,
                    "location": {"row": 5, "column": 8},
                    "end_location": {"row": 5, "column": 13},
                }
            ],
        },
        "related": [
            {
                "message": "`x` is a parameter of `step`",
                "filename": str(tmp_path / "model.py"),
                "cell": None,
                "location": {"row": 4, "column": 10},
                "end_location": {"row": 4, "column": 11},
            }
        ],
        "url": None,
        "basis": "certain",
        "convention": None,
    }


def test_json_without_findings_is_an_empty_list():
    assert json.loads(render("json")) == []


def test_github_writes_workflow_commands():
    assert render("github", a_diagnostic(help=None)) == (
        "::error title=jaxlint (JAX103 branch-on-tracer),file=model.py,line=5,col=8,endLine=5,endColumn=13"
        "::model.py:5:8: JAX103 branch-on-tracer: Python `if` on traced value `x > 2`\n"
    )


@pytest.mark.parametrize(
    "category, level", [("fails", "error"), ("wrong", "error"), ("slow", "warning"), ("style", "notice")]
)
def test_github_level_follows_the_category(category, level):
    assert render("github", a_diagnostic(category=Category(category))).startswith(f"::{level} ")


HOSTILE = "x\x1b[31m\r::error::owned\x9b2J\u202e%0A"


@pytest.mark.parametrize("format", OUTPUT_FORMATS)
def test_control_characters_reach_no_terminal(format):
    text = f'y = "{HOSTILE}" + x > 2\n'
    report = render(format, a_diagnostic(text=text, message=HOSTILE, help=HOSTILE, filename=f"a{HOSTILE}.py"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", report)


def test_github_command_cannot_be_ended_from_inside():
    name = "a\n::stop-commands::x\n,title=b:c.py"
    report = render("github", a_diagnostic(filename=name, message="one\n::error::two", help="three\n::error::four"))
    assert report.count("\n") == 1
    assert "%252C" not in report and report.split("file=")[1].split(",")[0].count("%3A") >= 4


def test_visible_leaves_ordinary_text_alone():
    assert visible("naïve 日本 `x`") == "naïve 日本 `x`"
    assert visible("a\tb\x00\x7f") == "a    b␀␡"


@pytest.mark.parametrize(
    "levels, fixed, unsafe, expected",
    [
        ([], 0, False, "All checks passed."),
        ([], 2, False, "Found 2 errors (2 fixed, 0 left)."),
        (["safe"], 0, False, "Found 1 error. 1 fix available with --fix."),
        (
            ["safe", "unsafe", "unsafe"],
            0,
            False,
            "Found 3 errors. 1 fix available with --fix, 2 more with --unsafe-fixes.",
        ),
        (["safe", "unsafe"], 0, True, "Found 2 errors. 2 fixes available with --fix --unsafe-fixes."),
        (["display"], 1, False, "Found 2 errors (1 fixed, 1 left)."),
    ],
)
def test_summary(levels, fixed, unsafe, expected):
    diagnostics = [a_diagnostic(level=Applicability(level))[0] for level in levels]
    assert summary(Report(diagnostics, fixed=fixed, unsafe_fixes=unsafe)) == expected


# --- what other tools read -------------------------------------------------------------------


def test_json_lines_are_the_entries_of_json():
    found = [a_diagnostic(), a_diagnostic(message="one\ntwo\u2028three")]
    lines = render("json-lines", *found).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(render("json", *found))
    assert render("json-lines") == ""


def test_grouped_has_the_file_once():
    second, _ = a_diagnostic(start=Position(12, 1), end=Position(12, 2), level=Applicability.SAFE)
    stream = io.StringIO()
    write("grouped", Report([a_diagnostic()[0], second, a_diagnostic(filename="b.py", fix=None)[0]]), stream)
    assert (
        stream.getvalue()
        == """\
model.py:
  5:8   JAX103 branch-on-tracer: Python `if` on traced value `x > 2`
  12:1  JAX103 branch-on-tracer: [*] Python `if` on traced value `x > 2`

b.py:
  5:8  JAX103 branch-on-tracer: Python `if` on traced value `x > 2`

Found 3 errors. 1 fix available with --fix, 1 more with --unsafe-fixes.
"""
    )


def test_gitlab_code_quality(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    monkeypatch.delenv("CI_PROJECT_DIR", raising=False)
    (entry,) = json.loads(render("gitlab", a_diagnostic()))
    assert re.fullmatch("[0-9a-f]{32}", entry.pop("fingerprint"))
    assert entry == {
        "description": "JAX103 branch-on-tracer: Python `if` on traced value `x > 2`",
        "check_name": "branch-on-tracer",
        "severity": "critical",
        "location": {"path": "model.py", "lines": {"begin": 5, "end": 5}},
    }
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))  # GitLab counts paths from the root of the repository
    assert json.loads(render("gitlab", a_diagnostic()))[0]["location"]["path"] == "inner/model.py"
    assert json.loads(render("gitlab")) == []


def test_gitlab_fingerprints_outlive_moved_lines_and_differ_from_each_other():
    def marks(text):
        rows = [row for row, line in enumerate(text.splitlines(), 1) if "x > 2" in line]
        found = [a_diagnostic(text=text, start=Position(row, 1)) for row in rows]
        return [entry["fingerprint"] for entry in json.loads(render("gitlab", *found))]

    before = marks("if x > 2:\n    pass\nif x > 2:\n    pass\n")
    assert before == marks("\n\nif x > 2:\n    pass\nelse:\n  if x > 2:\n    pass\n")
    assert len(set(before)) == 2
    assert set(marks("if x > 2 and y:\n")).isdisjoint(before)


def test_gitlab_fingerprints_outlive_a_renamed_file_and_differ_from_file_to_file():
    def marks(*names):
        found = [a_diagnostic(filename=name) for name in names]
        return [entry["fingerprint"] for entry in json.loads(render("gitlab", *found))]

    assert marks("model.py") == marks("models/model.py")
    both = marks("a.py", "model.py", "z.py")
    assert len(set(both)) == 3 and both[0] == marks("model.py")[0]
    assert marks("a.py", "model.py", "other.py")[:2] == both[:2] and marks("b.py", "model.py", "z.py") == both


def test_junit_is_a_case_for_each_finding():
    found = [
        a_diagnostic(filename="b.py", code=code, message='a < b & "c" ]]> \uffff') for code in ("JAX103", "JAX900")
    ]
    root = xml.fromstring(render("junit", a_diagnostic(), *found))
    assert {name: root.get(name) for name in ("name", "tests", "failures", "errors")} == {
        "name": "jaxlint", "tests": "3", "failures": "2", "errors": "1",
    }  # fmt: skip
    first, second = root
    assert (first.get("name"), second.get("name"), second.get("tests")) == ("model.py", "b.py", "2")
    case = first[0]
    assert case.attrib == {
        "name": "JAX103 branch-on-tracer (5:8)", "classname": "model.py", "file": "model.py", "line": "5",
    }  # fmt: skip
    assert case[0].tag == "failure" and case[0].get("type") == "JAX103"
    assert case[0].text.splitlines() == [
        "model.py:5:8: JAX103 branch-on-tracer: Python `if` on traced value `x > 2`",
        "why: `x` is a parameter of `step` (model.py:4)",
        "help: select with `jnp.where`",
    ]
    assert [case[0].tag for case in second] == ["failure", "error"]
    assert second[0][0].get("message") == 'a < b & "c" ]]> \ufffd'


def test_junit_without_findings_is_a_case_that_passes():
    root = xml.fromstring(render("junit"))
    assert (root.get("tests"), root.get("failures"), len(root[0]), len(root[0][0])) == ("1", "0", 1, 0)


@pytest.mark.parametrize("format", ["json", "json-lines", "sarif", "gitlab", "junit"])
def test_what_machines_read_can_be_written_in_any_encoding(format):
    assert render(format, a_diagnostic(message="naïve 日本", filename="日本.py")).isascii()


def test_lines_that_stay_between_changes_are_shown():
    """What is read as one piece of code has no line missing."""
    from jaxlint.report.full import changes
    from jaxlint.source.diagnostic import Edit

    text = "for _ in a:\n    x = 1\n    y = 2\n"
    edit = Edit(0, len(text) - 1, "def f():\n    x = 1\n    return x")
    assert list(changes(text, [edit])) == [
        (1, "-", "for _ in a:"), (1, "+", "def f():"), (2, " ", "    x = 1"), (3, "-", "    y = 2"), (3, "+", "    return x"),
    ]  # fmt: skip


def test_a_finding_is_known_by_its_line_and_by_how_many_equal_ones_stand_before_it():
    text = TEXT + TEXT.replace("def step", "def other") + "y = x > 2\n"
    source = Source.from_text(text, "model.py")
    one, _ = a_diagnostic()
    rows = [5, 12, 15, 5, 12]
    codes = ["JAX103", "JAX103", "JAX103", "JAX104", "JAX103"]
    found = [replace(one, code=code, start=Position(row, 8), end=Position(row, 13)) for row, code in zip(rows, codes)]
    line, last = (line_hash(row, source) for row in (5, 15))
    assert line == line_hash(12, source) != last
    assert fingerprints(found, {"model.py": source}) == [
        fingerprint("JAX103", line, 0),
        fingerprint("JAX103", line, 1),
        fingerprint("JAX103", last, 0),
        fingerprint("JAX104", line, 0),
        fingerprint("JAX103", line, 2),
    ]
