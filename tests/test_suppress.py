"""Comments that silence findings."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from small_registry import some_rules  # noqa: F401

from jaxlint.diagnostics.suppressions import Suppressions, file_silencing_edit
from jaxlint.fixing.apply import apply_edits
from jaxlint.source.diagnostic import Diagnostic, KeyUse, Position
from jaxlint.source.reading import decoded
from jaxlint.source.text import Source

pytestmark = pytest.mark.usefixtures("some_rules")


def at(row, code="JAX103", column=1):
    start = Position(row, column)
    return Diagnostic(code, "any", "message", "a.py", start, start, noqa_row=row)


def silenced(text, code="JAX103"):
    """Rows on which ``code`` is silenced."""
    source = Source.from_text(text, "a.py")
    suppressions = Suppressions.parse(source)
    return [row for row in range(1, text.count("\n") + 1) if suppressions.covers(at(row, code))]


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("# noqa", "JAX101 JAX103 JAX301"),
        ("# NoQA", "JAX101 JAX103 JAX301"),
        ("# noqa: JAX103", "JAX103"),
        ("# noqa:JAX103,JAX301", "JAX103 JAX301"),
        ("# noqa: E501, JAX103 JAX301", "JAX103 JAX301"),
        ("# noqa: jax103", "JAX103"),
        ("# noqa: JAX1", "JAX101 JAX103"),
        ("# noqa: E501", ""),
        ("# noqa: F401,W6", ""),
        ("# a reason # noqa: JAX103", "JAX103"),
        ("# type: ignore  # noqa: JAX103  because of this", "JAX103"),
        ("# noqa: branch", "JAX101 JAX103 JAX301"),  # flake8 takes a name for a bare noqa
        ("# nope", ""),
        ("# flake8: noqa", ""),  # on a line with code it means nothing
        ("# jaxlint: disable=branch", "JAX103"),
        ("# jaxlint: disable=branch,numpy", "JAX103 JAX301"),
        ("# jaxlint: disable = branch , JAX301 as measured", "JAX103 JAX301"),
        ("#jaxlint:disable=JAX1", "JAX101 JAX103"),
        ("# pylint: disable=x  # jaxlint: disable=branch", "JAX103"),
    ],
)
def test_comment_at_the_end_of_a_line(comment, codes):
    suppressions = Suppressions.parse(Source.from_text(f"x = 1\ny = 2  {comment}\nz = 3\n", "a.py"))
    for row in (1, 2, 3):
        on_row = [code for code in ("JAX101", "JAX103", "JAX301") if suppressions.covers(at(row, code))]
        assert on_row == (codes.split() if row == 2 else [])
    assert suppressions.problems == []


def test_strings_hold_no_comments():
    assert (
        silenced("x = '# noqa'\ny = f'# noqa {x} # noqa'\nz = '''\n# noqa\n# jaxlint: disable-file=branch\n'''\n") == []
    )


def test_comment_inside_brackets_governs_its_own_row():
    assert silenced("x = f(\n    a,  # noqa\n    b,\n)\n") == [2]


def test_rows_of_one_string_or_continued_line_are_one_line():
    assert silenced('x = 1\ny = """a\nb\nc"""  # noqa\nz = 1\n') == [2, 3, 4]
    assert silenced("x = 1 + \\\n    2 + \\\n    3  # noqa\ny = 1\n") == [1, 2, 3]
    assert silenced('x = """a\n""" + f("""b\n""")  # noqa\ny = 1\n') == [1, 2, 3]


def test_whole_file():
    assert silenced("x = 1\n  # flake8: noqa\ny = 2\n") == [1, 2, 3]
    assert silenced("# flake8: noqa: E501,JAX1\nx = 1\n") == [1, 2]
    assert silenced("# flake8: noqa: E501\nx = 1\n") == []
    assert silenced("x = 1\n# jaxlint: disable-file=numpy,branch\n") == [1, 2]


def test_next_line_is_the_next_one_with_code():
    assert silenced("# jaxlint: disable-next=branch\nx = 1\ny = 2\n") == [2]
    assert silenced("# jaxlint: disable-next=branch\n\n# reason\nx = 1\ny = 2\n") == [4]
    assert silenced("# jaxlint: disable-next=branch\n# jaxlint: disable-next=numpy\nx = '''\n'''\ny = 2\n") == [3, 4]


def test_block_lasts_until_it_is_enabled_or_the_file_ends():
    text = "a = 1\n# jaxlint: disable=branch,numpy\nb = 2\n{}\nc = 3\n"
    assert silenced(text.format("# jaxlint: enable=branch")) == [2, 3, 4]
    assert silenced(text.format("# jaxlint: enable=branch"), "JAX301") == [2, 3, 4, 5]
    assert silenced(text.format("# jaxlint: enable"), "JAX301") == [2, 3, 4]
    assert silenced(text.format("# c")) == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# jaxlint: disable=brnch", "no rule is called `brnch`; did you mean `branch`?"),
        ("# jaxlint: disable", "`jaxlint: disable` must say which rules: write `# jaxlint: disable=NAME`"),
        ("# jaxlint: disable-next=", "`# jaxlint: disable-next=NAME`"),
        ("# jaxlint: ignore=branch", "`jaxlint: ignore=branch` is no directive; the directives are disable, "),
        ("# jaxlint: enable=numpy", "no comment above disables `numpy`"),
        ("# jaxlint: shared-key", "`jaxlint: shared-key` must say which keys: write `# jaxlint: shared-key=NAME`"),
        ("# jaxlint: shared-key=a-b", "`a-b` is not the name of a variable or an attribute"),
    ],
)
def test_comment_that_cannot_be_obeyed_is_a_problem(comment, message):
    suppressions = Suppressions.parse(Source.from_text(f"x = 1\n{comment}\n", "a.py"))
    [problem] = suppressions.problems
    assert message in problem.message
    assert (problem.start, problem.end) == (Position(2, 1), Position(2, len(comment) + 1))


def test_unknown_name_leaves_the_known_ones_in_force():
    source = Source.from_text("x = 1  # jaxlint: disable=brnch,numpy\n", "a.py")
    suppressions = Suppressions.parse(source)
    assert suppressions.covers(at(1, "JAX301")) and len(suppressions.problems) == 1


def test_comments_know_what_they_silenced():
    suppressions = Suppressions.parse(Source.from_text("x = 1  # noqa: JAX103,JAX301\ny = 2  # noqa\n", "a.py"))
    suppressions.covers(at(1, "JAX103"))
    assert [directive.used for directive in suppressions.directives] == [{"JAX103"}, set()]


def test_errors_of_the_tool_are_never_silenced():
    assert silenced("# flake8: noqa\n", "JAX902") == []


def test_row_to_look_at_may_differ_from_the_row_of_the_finding():
    suppressions = Suppressions.parse(Source.from_text("x = f(\n    1)  # noqa\n", "a.py"))
    start = Position(1, 1)
    assert suppressions.covers(Diagnostic("JAX103", "branch", "", "a.py", start, start, noqa_row=2))
    assert not suppressions.covers(Diagnostic("JAX103", "branch", "", "a.py", start, start))


def test_text_that_does_not_parse_is_read_as_well():
    assert silenced("x = (1  # noqa\n'unterminated\ny = 2  # noqa\n") == [1, 3]


def test_lone_carriage_returns_and_crlf_are_counted():
    assert silenced("x = 1\r\ny = '''\r\n'''  # noqa\r\n".replace("\r\n", "\r\n")) == [2, 3]


def test_same_rows_as_flake8(tmp_path):
    """flake8 itself says which of its findings (one unused import or unknown name a row) remain."""
    text = (
        "a = w1  # noqa\n"
        "b = w2 + \\\n    w3  # noqa: F821\n"
        "c = (w4,  # noqa: JAX103\n     w5,  # NOQA:F8\n     w6)\n"
        'd = w7 + """\n# noqa\n"""\n'
        'e = (w8, """\n""", w9)  # noqa : F821\n'
        "f = w10  # noqa: E501 F821\n"
        "g = w11  # noqa:F821,E501\n"
        "h = w12  #noqa\n"
        "i = w13  # noqa:  F821\n"
        "j = [\n    w14,\n    w15]  # noqa\n"
    )
    (tmp_path / "a.py").write_text(text)
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "F821", "--format", "%(row)d", "a.py"]
    output = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    left = [int(row) for row in output.stdout.split()]
    suppressions = Suppressions.parse(Source.from_text(text, "a.py"))
    used = [row for row, line in enumerate(text.split("\n"), 1) for part in line.split("w")[1:] if part[:1].isdigit()]
    # The one string that holds a suppression is where the two differ on purpose.
    assert [row for row in used if not suppressions.covers(at(row, "F821"))] == sorted([*left, 7])


def test_noqa_can_be_left_to_flake8():
    text = "x = 1  # noqa\ny = 2  # jaxlint: disable=branch\n# flake8: noqa\n"
    suppressions = Suppressions.parse(Source.from_text(text, "a.py"), noqa=False)
    assert [row for row in (1, 2, 3) if suppressions.covers(at(row))] == [2]


@pytest.mark.parametrize(
    ("comment", "keys"),
    [
        ("# jaxlint: shared-key=key", "key"),
        ("# jaxlint: shared-key=key,self.rng both views", "key self.rng"),
        ("#jaxlint:SHARED-KEY = key , Key", "key Key"),
        ("# jaxlint: shared-key=a-b,key", "key"),
        ("# shared-key=key", ""),
    ],
)
def test_comment_that_declares_keys_as_shared(comment, keys):
    suppressions = Suppressions.parse(Source.from_text(f"x = 1\n# a\ny = 2  {comment}\n{comment}\n\nz = 3\n", "a.py"))
    assert [(each.key, each.first, each.last) for each in suppressions.directives] == [
        (key, row, row) for row in (3, 6) for key in keys.split()
    ]
    assert len(suppressions.problems) == 2 * ("a-b" in comment)


def test_declared_key_is_looked_for_at_the_statements_that_use_it():
    suppressions = Suppressions.parse(Source.from_text("x = f(\n    key,  # jaxlint: shared-key=key\n)\n", "a.py"))
    for uses, silent in (
        ((KeyUse("key", 1, 3),), True), ((KeyUse("rng", 1, 3), KeyUse("key", 2, 2)), True),
        ((KeyUse("rng", 1, 3),), False), ((KeyUse("key", 1, 1), KeyUse("key", 3, 9)), False), ((), False),
    ):  # fmt: skip
        assert suppressions.covers(replace(at(2), key_uses=uses)) is silent


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        ("x = 1\n", "# jaxlint: disable-file=branch\nx = 1\n"),
        ("x = 1\r\ny = 2\r\n", "# jaxlint: disable-file=branch\r\nx = 1\r\ny = 2\r\n"),
        ("#!/usr/bin/env python\nx = 1\n", "#!/usr/bin/env python\n# jaxlint: disable-file=branch\nx = 1\n"),
        ("# -*- coding: utf-8 -*-\nx = 1\n", "# -*- coding: utf-8 -*-\n# jaxlint: disable-file=branch\nx = 1\n"),
        ("# a\n# coding: utf-8\nx = 1\n", "# a\n# coding: utf-8\n# jaxlint: disable-file=branch\nx = 1\n"),
        ("x = 1\n# jaxlint: disable-file=numpy  why\n", "x = 1\n# jaxlint: disable-file=numpy,branch  why\n"),
        (
            "x = 1  # noqa\n# flake8: noqa: E501\n",
            "# jaxlint: disable-file=branch\nx = 1  # noqa\n# flake8: noqa: E501\n",
        ),
    ],
)
def test_a_rule_is_silenced_in_a_whole_file(text, edited):
    found = replace(at(1), name="branch")
    edit = file_silencing_edit(Source.from_text(text, "a.py"), found)
    assert apply_edits(text, (edit,)) == edited
    assert silenced(edited) == list(range(1, edited.count("\n") + 1))


def test_a_rule_is_silenced_in_a_whole_notebook():
    def notebook(*cells):
        content = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
        return decoded(json.dumps(content).encode(), "a.ipynb")

    def sources(source, text):
        return [cell["source"] for cell in json.loads(source.encode(text))["cells"]]

    found = replace(at(1), name="branch")
    source = notebook("%%time\nx = 1", "y = 2")
    edit = file_silencing_edit(source, found)
    assert sources(source, apply_edits(source.text, (edit,))) == [
        "%%time\nx = 1",
        "# jaxlint: disable-file=branch\ny = 2",
    ]
    assert file_silencing_edit(notebook("%%time\nx = 1"), found) is None


def test_what_the_tool_says_of_itself_is_not_silenced_in_a_file():
    assert file_silencing_edit(Source.from_text("x = 1\n", "a.py"), at(1, "JAX902")) is None
