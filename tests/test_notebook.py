"""Notebooks are read, linted and written back cell by cell, and nothing else in the file moves."""

import ast
import json
import random
import re
import subprocess
import sys

import pytest

from jaxlint.cli import main
from jaxlint.source.diagnostic import Position
from jaxlint.source.notebook import Notebook
from jaxlint.source.reading import decoded
from jaxlint.source.text import SourceError, parse

STEP = """\
@jax.jit
def step(x):
    if x > 2:
        return x * 2
    return x"""


def code(source, **fields):
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source, **fields}


def lines(text):
    return text.splitlines(keepends=True)


def notebook(*cells, metadata=None, **style):
    """The bytes of a notebook as Jupyter writes it, unless ``style`` says otherwise."""
    content = {"cells": list(cells), "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, **{"indent": 1, "ensure_ascii": False, **style}).encode() + b"\n"


PLOT = {
    "output_type": "display_data",
    "data": {"image/png": "iVBORw0KGgo=", "text/plain": ["<Figure>"]},
    "metadata": {},
}
RAW = notebook(
    {"cell_type": "markdown", "metadata": {}, "source": ["# Größe\n", "`if x > 2`"]},
    code(["%matplotlib inline\n", "import jax\n", "files = !ls *.csv"], outputs=[PLOT]),
    code(lines(STEP)),
    code("%%bash\nif (\n"),
    code("%%time\nprint('é', step(3.0))", outputs=[{"output_type": "stream", "name": "stdout", "text": ["é 6.0\n"]}]),
)


def test_a_notebook_that_is_not_changed_is_written_as_it_was():
    source = decoded(RAW, "demo.ipynb")
    assert source.encode(source.text) == RAW
    parse(source)


@pytest.mark.parametrize(
    "style", [{}, {"indent": None}, {"indent": 4}, {"ensure_ascii": True}, {"separators": (",", ":")}]
)
@pytest.mark.parametrize("whole", [False, True])
def test_only_the_source_of_a_changed_cell_changes(style, whole):
    text = "x = 'ü'\ny = 2\n"
    raw = notebook(code(text if whole else lines(text)), code(["z = 3"]), **style)
    source = decoded(raw, "demo.ipynb")
    new = source.encode(source.text.replace("y = 2", "y = 'ä'"))
    changed = json.loads(new)
    assert "".join(changed["cells"][0]["source"]) == "x = 'ü'\ny = 'ä'\n"
    assert type(changed["cells"][0]["source"]) is (str if whole else list)
    changed["cells"][0]["source"] = text if whole else lines(text)
    assert (json.dumps(changed, **{"indent": 1, "ensure_ascii": False, **style}) + "\n").encode() == raw
    # The form is that of the file: what the writer gives for the new content is what stands there.
    expected = json.loads(raw)
    expected["cells"][0]["source"] = "x = 'ü'\ny = 'ä'\n" if whole else ["x = 'ü'\n", "y = 'ä'\n"]
    assert new == (json.dumps(expected, **{"indent": 1, "ensure_ascii": False, **style}) + "\n").encode()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
@pytest.mark.parametrize("indent", ["\t", "   ", 2])
def test_a_fix_leaves_indentation_newlines_and_the_end_of_the_file(newline, last, indent, tmp_path, capsys):
    """Also where keys are in another order, and numbers are written as no writer of ours would."""
    content = {"metadata": {"k": [1.50, {}]}, "nbformat_minor": 5, "nbformat": 4, "cells": [
        code(["import jax\n", "import jax.numpy as jnp"], outputs=[PLOT], id="a b"),
        code(["@jax.jit\n", "def step(x):\n", "    y = jnp.zeros(3)\n", "    return y[[0, 1]] + x"]),
    ]}  # fmt: skip
    text = json.dumps(content, indent=indent).replace("1.5,", "1.50,").replace("\n", newline) + last.replace(
        "\n", newline
    )
    path = tmp_path / "demo.ipynb"
    path.write_bytes(text.encode())
    assert main(["check", "--no-cache", "--fix", str(path)]) == 0, capsys.readouterr().out
    assert path.read_bytes() == text.replace("y[[0, 1]]", "y[jnp.array([0, 1])]").encode()


FOREIGN = [
    "%matplotlib inline", "!pip install jax", "?jax.jit", "jax.jit?", "jax.jit??", "x = !ls", "a.b = %sql select 1",
    "if x:\n    !ls\n", "!ls \\\n  -l", "%%bash\nif (", "%%html\n<p>", "%time f(x)", "  %cd ..", "/f 1", ";f a", ",f a b",
]  # fmt: skip
PYTHON = [
    "x = (a\n     % b)", "x = '''\n%magic\n!ls\n'''", "y = a \\\n  % b", "x = y  # what?", "d = {\n  'a': 1,\n}", "f(\n'?'\n)",
    "x: int = 3", "s = 'a%b'\nt = a % b", "x != y", "'''a''' ; \"\"\"b\n%x\n\"\"\"", "f'''{\n1}'''", "a = '\\''\nb = \"# (\"", "@d\ndef f(): ...",
]  # fmt: skip


@pytest.mark.parametrize("cell", FOREIGN + PYTHON)
def test_what_is_not_python_is_what_ipython_rewrites(cell):
    transformer = pytest.importorskip(
        "IPython.core.inputtransformer2", reason="IPython is not installed"
    ).TransformerManager()
    source = decoded(notebook(code(cell)), "demo.ipynb")
    ast.parse(source.text)
    _marker, rest = source.text.split("\n", 1)
    is_python = rest == cell + "\n"
    ending = "" if cell.endswith("\n") else "\n"
    assert is_python == (transformer.transform_cell(cell) == cell + ending) == (cell in PYTHON)
    assert source.encode(source.text) == source.raw


@pytest.mark.parametrize(
    "cell", ["cd ..", "run train.py --lr 1", "pip install jax\n", "load_ext autoreload", "  cd ..", "time f(x)"]
)
def test_a_magic_without_its_sign_is_all_of_a_cell(cell):
    shell = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed").InteractiveShell()
    assert "run_line_magic" in shell.transform_cell(cell)
    source = decoded(notebook(code(cell)), "demo.ipynb")
    parse(source)
    assert not source.errors
    assert source.encode(source.text) == source.raw
    for other in (f"x = 1\n{cell}", f"if x:\n    {cell}", cell.strip().replace(" ", "", 1) + " 1"):
        assert "run_line_magic" not in shell.transform_cell(other)
        other = decoded(notebook(code(other)), "demo.ipynb")
        parse(other)
        assert other.errors


PIECES = [
    "x = 1", "y = f(x)", "if x:", "for i in y:", "def g(a):", "    return a", "    x = 2", "  y = 3", "else:", "# c", "#@title T", "", "  ", "x = (1,", "2)",
    "x = '''a", "b'''", 's = "a#b"', "x = 1 \\", "+ 2", "%matplotlib inline", "    %ls -l", "!ls {x}", "    !cd ..", "!pip install a \\", "  b c",
    "%run a.py \\", "x = !ls", "x, = !ls", "a, *b = %sql select", "d['k'] = !ls \\", "x: int = !ls", "f?", "?f", "x.y??", "f(x).z?", "*foo*?", "a[0]?", "x = y?",
    "%time x = f(1)", "%timeit f(x)", "%timeit f(x, m=None, c=(1, 2))", "%%time", "%%bash", "%%capture out", "%%writefile f", "%%html", ",f a b", ";f a b", "/f a", "await g(1)", "x;", "print(x);",
    "@d", "f(a=1,", "b=2)", "x != y", "x %y", "a = b = !ls", "try:", "except E:", "    pass", "with x as y:", "class A:", "lambda: 0", "x == 1", "in x",
    ">>> x = 1", "... y", "In [1]: x", "   ...: y", "return 1", "f'{x}?'", "x = {'a': 1}  # ?", "!!ls", "??", "?", "%", "x = [", "]", "'a'? ", "f(", "%ls", ")",
]  # fmt: skip


def synthetic(rng):
    """A cell of lines that are put together at random."""
    chosen = [rng.choice(PIECES) for _ in range(rng.choice([1, 2, 3, 4, 6]))]
    chosen = [(rng.choice(["  ", "    ", "\t", " "]) if rng.random() < 0.15 else "") + line for line in chosen]
    chosen = [line + (rng.choice([" ", ";", "?", " # c", "\\"]) if rng.random() < 0.05 else "") for line in chosen]
    indent = rng.choice(["", "", "", "  ", "\t"])
    return rng.choice(["", "", "\n", " \n"]) + "\n".join(indent + line for line in chosen) + rng.choice(["", "\n"])


def accepted(cell, transform):
    """The Python that IPython makes of a cell, the body of a magic that runs Python included; None where that is no Python."""
    try:
        text = transform(cell)
    except SyntaxError:
        return None
    body = re.fullmatch(r"get_ipython\(\)\.run_cell_magic\('(?:time|capture)', '.*?', (.*)\)\n", text, re.DOTALL)
    if body is not None:
        return accepted(ast.literal_eval(body[1]), transform)
    try:
        ast.parse(text)
    except SyntaxError:
        return None
    return text


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_cells_that_ipython_accepts_are_read():
    """And of those it refuses only what Colab accepts, what another release does, and prompts, whose code nobody looks at."""
    inputtransformer2 = pytest.importorskip("IPython.core.inputtransformer2", reason="IPython is not installed")
    good = bad = 0
    for seed in range(2500):
        cell = synthetic(random.Random(seed))
        expected = accepted(cell, lambda text: inputtransformer2.TransformerManager().transform_cell(text))
        source = decoded(notebook(code(cell)), "demo.ipynb")
        assert source.encode(source.text) == source.raw, cell
        parse(source)
        if expected is not None:
            assert not source.errors, (cell, expected)
            good += 1
        elif not source.errors:
            assert re.search(
                r">>>|In \[1|\.\.\.:|\? +$|#.*\n(.*#.*\n|\s*\n)*[ \t]*%%|\\\s*\Z|;\Z|/f|\?\s*\Z", cell, re.MULTILINE
            ), cell
        else:
            bad += 1
        if expected is not None and expected.rstrip("\n") == cell.rstrip("\n"):
            assert source.text.split("\n", 1)[1].rstrip("\n") == cell.rstrip("\n")
    assert good > 500 and bad > 500


LOST = ["y = (", "if x:\n", "a = 1\n  b = 2", "x = jnp.zeros(3", "!!!\nfoo bar", "print 'x'"]


@pytest.mark.parametrize("cell", LOST)
def test_a_cell_that_cannot_be_read_does_not_lose_the_notebook(cell, tmp_path):
    path = tmp_path / "demo.ipynb"
    store = "def f():\n    z = jnp.zeros(3)\n    z[0] = 1.0\n    return z"
    path.write_bytes(notebook(code("import jax\nimport jax.numpy as jnp"), code(cell), code(lines(STEP)), code(store)))
    run = jaxlint(tmp_path, "check", "--output-format", "concise", "demo.ipynb")
    found = [line.split(" ")[1:3] for line in run.stdout.splitlines()[:-1]]
    assert [(place.split(":")[0], what) for place, what in found] == [
        ("2", "JAX900"),
        ("3", "JAX103"),
        ("4", "JAX308"),
    ], run.stdout
    before = json.loads(path.read_bytes())
    assert jaxlint(tmp_path, "check", "--fix", "demo.ipynb").returncode == 1
    after = json.loads(path.read_bytes())
    assert after["cells"].pop()["source"] == store.replace("z[0] = 1.0", "z = z.at[0].set(1.0)")
    assert after["cells"] == before["cells"][:-1]


def codes(*cells):
    from jaxlint.configuration.config import Config
    from jaxlint.run.pipeline import check_source

    found = check_source(decoded(notebook(*map(code, cells)), "demo.ipynb"), Config())
    return [each.code for each in found.diagnostics]


HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nx = jnp.zeros(3)\nkey = jax.random.key(0)"


@pytest.mark.parametrize(
    "lost", ["x = np.zeros(3\n", "x, y = g(\n", "for x in (\n", "x = np.zeros(3)\n1 +\n", "del x; def"]
)
def test_what_a_lost_cell_assigns_is_unknown(lost):
    assert codes(HEAD, "x[0] = 1.0") == ["JAX308"]
    assert codes(HEAD, lost, "x[0] = 1.0") == ["JAX900"]
    assert codes(HEAD, lost, "y = jnp.zeros(3)\ny[0] = 1.0") == ["JAX900", "JAX308"]  # modules are what they were


def test_imports_of_a_lost_cell_hold():
    assert codes("import jax.numpy as jnp\nx = (", "y = jnp.zeros(3)\ny[0] = 1.0") == ["JAX900", "JAX308"]
    assert codes("import jax.numpy as jnp\nx = (", "x = jnp.zeros(3)", "x[0] = 1.0") == ["JAX900", "JAX308"]


def test_what_a_line_magic_assigns_is_unknown():
    assert codes(HEAD, "%time x = np.zeros(3)", "x[0] = 1.0") == []
    assert codes(HEAD, "%%capture x\nprint(1)", "x[0] = 1.0") == []
    assert codes(HEAD, "%timeit f(x)", "x[0] = 1.0") == ["JAX308"]
    assert codes(HEAD, "%time print(x := np.zeros(3))", "x[0] = 1.0") == []
    assert codes(HEAD, "%%time\n  x[0] = 1.0") == ["JAX308"]


def test_arguments_of_a_timed_call_are_no_variables():
    assert codes(HEAD, "%timeit f(x, mask=None, causal=True)", "x[0] = 1.0") == ["JAX308"]
    assert codes(HEAD, "%timeit f(y, x=None)", "x[0] = 1.0") == ["JAX308"]
    assert codes(HEAD, "%timeit f(y, 'x = (', x=1)", "x[0] = 1.0") == ["JAX308"]


def test_keys_that_a_lost_cell_may_have_replaced_are_no_reuse():
    draw = "a = jax.random.normal(key)"
    assert codes(HEAD + "\n" + draw, "key, sub = jax.random.split(key", draw + "\nb = jax.random.normal(sub)") == [
        "JAX900"
    ]


HUGE = "1" * 5000
ODD_JSON = {
    "huge nbformat": lambda text: text.replace('"nbformat": 4', f'"nbformat": {HUGE}'),
    "huge execution count": lambda text: text.replace('"execution_count": 1', f'"execution_count": {HUGE}'),
    "huge float": lambda text: text.replace('"execution_count": 1', f'"execution_count": 1e{HUGE}'),
    "NaN": lambda text: text.replace('"execution_count": 1', '"execution_count": -Infinity'),
    "duplicate cells": lambda text: text.replace('{"cells"', '{"cells": [1, {"source": []}], "cells"', 1),
    "duplicate source": lambda text: text.replace('"source": [', '"source": "(((", "source": [', 1),
    "cells that are none": lambda text: text.replace('"cells": [', '"cells": [null, 3, "x", [], {}, {"cell_type": [1]}, {"cell_type": "code", "source": {"a": 1}}, {"cell_type": "code", "source": [1]}, {"cell_type": "code", "source": null}, ', 1),
    "odd metadata": lambda text: text.replace('"metadata": {}, "nbformat"', '"metadata": [7], "nbformat"'),
    "odd kernel": lambda text: text.replace('"metadata": {}, "nbformat"', '"metadata": {"kernelspec": 1, "language_info": {"name": 3}}, "nbformat"'),
    "lone surrogate elsewhere": lambda text: text.replace('"metadata": {}, "nbformat"', '"metadata": {"a": "\\ud800"}, "nbformat"'),
    "surrogate in a changed cell": lambda text: text.replace("x[0] = 1.0", "x[0] = 1.0  # \\ud800 \\u00e9"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD_JSON)
def test_odd_json_is_read_and_written_back(name, tmp_path):
    text = notebook(code(lines(HEAD)), code("x[0] = 1.0"), indent=None).decode()
    odd = ODD_JSON[name](text)
    assert odd != text
    path = tmp_path / "demo.ipynb"
    path.write_text(odd)
    run = jaxlint(tmp_path, "check", "--output-format", "json", "demo.ipynb")
    found = [each["code"] for each in json.loads(run.stdout)]
    assert (run.returncode, run.stderr) == (1, "")
    assert found == ["JAX308"], run.stdout
    assert jaxlint(tmp_path, "check", "--fix", "demo.ipynb").stderr == ""
    assert path.read_text() in (odd, odd.replace("x[0] = 1.0", "x = x.at[0].set(1.0)"))


def test_nesting_of_json_is_refused(tmp_path):
    for opened, closed in (("[", "]"), ('{"a":', "}")):
        inner = opened * 100_000 + "1" + closed * 100_000
        (tmp_path / "demo.ipynb").write_text('{"cells": [], "metadata": ' + inner + "}")
        run = jaxlint(tmp_path, "check", "--output-format", "concise", "demo.ipynb")
        assert run.stdout.startswith("demo.ipynb:1:1: JAX900 syntax-error: the notebook nests too deeply"), (
            run.stdout + run.stderr
        )


def test_the_cell_of_a_magic_that_runs_python_is_python():
    source = decoded(notebook(code("%%time\nx = 1"), code("%%writefile a.py\nx = 2")), "demo.ipynb")
    assert "\nx = 1" in source.text and "\nx = 2" not in source.text


def test_a_position_is_told_in_its_cell_and_found_in_the_file():
    source = decoded(RAW, "demo.ipynb")
    row = 1 + source.text[: source.text.index("if x > 2")].count("\n")
    place = source.place(Position(row, 8))
    assert place == (3, Position(3, 8))
    assert b"if x > 2" in RAW.splitlines()[source.file_row(row) - 1]
    last = 1 + source.text[: source.text.index("print(")].count("\n")
    assert source.place(Position(last, 1)) == (5, Position(2, 1))
    assert b"print(" in RAW.splitlines()[source.file_row(last) - 1]  # one string: the line that holds it all


def test_rows_of_the_file_where_an_item_holds_several_lines():
    raw = notebook(code(["a = 1\nb = 2\n", "c = 3"]))
    source = decoded(raw, "demo.ipynb")
    rows = [source.file_row(row) for row in (2, 3, 4)]
    assert [b"a = 1" in raw.splitlines()[rows[0] - 1], b"b = 2" in raw.splitlines()[rows[1] - 1]] == [True, True]
    assert b"c = 3" in raw.splitlines()[rows[2] - 1]


@pytest.mark.parametrize(
    "raw, reason",
    [
        (b'{"cells": [', "not JSON"), (b"[]", "holds no cells"), (b'{"worksheets": []}', "nbformat 3"),
        (b'{"cells": [], "x": "\xff"}', "not UTF-8"), (b"[" * 100_000, "nests too deeply"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_notebook_is_refused(raw, reason):
    with pytest.raises(SourceError, match=reason):
        decoded(raw, "demo.ipynb")


def test_other_languages_and_odd_cells_are_left_alone():
    julia = notebook(code("f(x) = ("), metadata={"kernelspec": {"language": "julia", "name": "julia-1.9"}})
    assert decoded(julia, "demo.ipynb").text == ""
    odd = notebook(code("x = '\ue000'"), code([1]), {"cell_type": "code"}, code(""), code("y = 1\n"))
    source = decoded(odd, "demo.ipynb")
    assert isinstance(source, Notebook) and [cell.source for cell in source.cells] == ["", "y = 1\n"]
    assert source.encode(source.text) == odd


def jaxlint(folder, *arguments):
    command = [sys.executable, "-m", "jaxlint", *arguments, "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_finding_names_its_cell(tmp_path):
    (tmp_path / "demo.ipynb").write_bytes(RAW)
    run = jaxlint(tmp_path, "check", "--output-format", "concise", "demo.ipynb")
    assert (
        run.stdout.splitlines()[0]
        == "demo.ipynb:cell 3:3:8: JAX103 branch-on-tracer: Python `if` on traced value `x > 2`"
    )
    full = jaxlint(tmp_path, "check", "demo.ipynb").stdout
    assert "--> demo.ipynb:cell 3:3:8" in full and "3 |     if x > 2:" in full and "1 | @jax.jit" in full
    (entry,) = json.loads(jaxlint(tmp_path, "check", "--output-format", "json", "demo.ipynb").stdout)
    assert (entry["cell"], entry["location"], entry["noqa_row"]) == (3, {"row": 3, "column": 8}, 3)
    assert {step["cell"] for step in entry["related"]} == {3}
    assert {edit["cell"] for edit in entry["fix"]["edits"]} == {3}
    row = next(number for number, line in enumerate(RAW.splitlines(), 1) if b"if x > 2:" in line)
    assert f"line={row}," in jaxlint(tmp_path, "check", "--output-format", "github", "demo.ipynb").stdout
    (issue,) = json.loads(jaxlint(tmp_path, "check", "--output-format", "gitlab", "demo.ipynb").stdout)
    assert issue["location"]["lines"]["begin"] == row
    (result,) = json.loads(jaxlint(tmp_path, "check", "--output-format", "sarif", "demo.ipynb").stdout)["runs"][0][
        "results"
    ]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": row, "endLine": row}
    assert result["locations"][0]["logicalLocations"][0]["name"] == "cell 3"


ERROR = {"output_type": "error", "ename": "TracerBoolConversionError", "evalue": "", "traceback": []}
TEXT = {"output_type": "stream", "name": "stdout", "text": ["1.0\n"]}


@pytest.mark.parametrize(
    "cells, reported",
    [
        ([code(STEP), code("step(1.0)", outputs=[ERROR]), code("1 + 1")], False),
        ([code(STEP + "\nstep(1.0)", outputs=[ERROR]), code("1 + 1")], False),
        ([code(STEP), code("step(1.0)", outputs=[ERROR])], True),  # where the work stopped
        ([code(STEP), code("step(1.0)", outputs=[ERROR]), code("1 + 1", execution_count=None)], True),
        ([code(STEP, outputs=[TEXT]), code("fail()", outputs=[ERROR]), code("1 + 1")], True),
    ],
)
def test_an_error_that_a_notebook_shows_on_purpose_is_not_reported(cells, reported, tmp_path, capsys):
    (tmp_path / "demo.ipynb").write_bytes(notebook(code("import jax"), *cells))
    assert main(["check", "--no-cache", "--output-format", "json", str(tmp_path / "demo.ipynb")]) == reported
    assert [each["code"] for each in json.loads(capsys.readouterr().out)] == ["JAX103"] * reported


def test_a_cell_that_does_not_parse_is_named(tmp_path):
    (tmp_path / "demo.ipynb").write_bytes(notebook(code("import jax"), code(["x = 1\n", "y = ("])))
    run = jaxlint(tmp_path, "check", "--output-format", "concise", "demo.ipynb")
    assert run.stdout.startswith("demo.ipynb:cell 2:2:5: JAX900 ")


def test_fixing_leaves_outputs_and_metadata_alone(tmp_path):
    path = tmp_path / "demo.ipynb"
    path.write_bytes(RAW)
    run = jaxlint(tmp_path, "check", "--fix", "--unsafe-fixes", "demo.ipynb")
    assert "(1 fixed, 0 left)" in run.stdout, run.stdout + run.stderr
    before, after = json.loads(RAW), json.loads(path.read_bytes())
    assert "jax.numpy.where(x > 2, x * 2, x)" in "".join(after["cells"][2]["source"])
    after["cells"][2]["source"] = before["cells"][2]["source"]
    assert after == before
    old, new = RAW.splitlines(), path.read_bytes().splitlines()
    assert [line for line in old if line not in new] == [
        b'    "    if x > 2:\\n",',
        b'    "        return x * 2\\n",',
        b'    "    return x"',
    ]
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbformat.validate(nbformat.read(path, as_version=4))


def test_nbqa_runs_the_flake8_plugin(tmp_path):
    (tmp_path / "demo.ipynb").write_bytes(RAW)
    command = [sys.executable, "-m", "nbqa", "flake8", "demo.ipynb", "--select=JAX", "--isolated"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout.startswith("demo.ipynb:cell_2:3:8: JAX103 "), run.stdout + run.stderr


def test_an_import_stays_in_its_cell(tmp_path):
    plots = "import numpy as np\n%matplotlib inline"
    step = lines("from jax import jit\n" + STEP.replace("@jax.jit", "@jit"))
    path = tmp_path / "demo.ipynb"
    path.write_bytes(notebook(code(plots), code(step)))
    assert jaxlint(tmp_path, "check", "--fix", "--unsafe-fixes", "demo.ipynb").returncode == 0
    first, second = json.loads(path.read_bytes())["cells"]
    assert "".join(first["source"]) == plots
    assert "where" in "".join(second["source"]) and "import jax" in "".join(second["source"])
