"""`jaxlint reveal`: what the model knows of each expression, and why."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from jaxlint.cli import main
from jaxlint.ir import lowering
from jaxlint.project.custom_names import NOTHING
from jaxlint.project.sources import HERE
from jaxlint.run import reveal_files
from jaxlint.run.reveal import CLASSES, KINDS
from jaxlint.run.reveal_files import claims_on

ROOT = Path(__file__).parents[1]

PROGRAM = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x, n):
    rows = x.shape[0]
    y = x + rows
    return y if n is None else jnp.sum(y)


def helper(value):
    return value * 2


eager = helper(3) + 1
compiled = jax.jit(lambda é: helper(é + 1.0))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def entries(capsys, *arguments: str) -> list[dict]:
    assert main(["reveal", "--output-format", "json", *map(str, arguments)]) == 0
    return json.loads(capsys.readouterr().out)


def texts(found: list[dict]) -> dict[str, set[tuple]]:
    """Value and class of each expression by its code, the locations resolved against the program."""
    lines = PROGRAM.split("\n")
    result: dict[str, set[tuple]] = {}
    for each in found:
        start, end = each["location"], each["end_location"]
        assert start["row"] == end["row"]
        code = lines[start["row"] - 1][start["column"] - 1 : end["column"] - 1]
        result.setdefault(code, set()).add((each["value"], each["class"]))
    return result


def test_every_expression_has_an_entry_with_all_keys(program, capsys):
    found = entries(capsys, program)
    assert {tuple(each) for each in found} == {
        (
            "filename", "cell", "location", "end_location", "expression", "value", "class", "dtype", "shape", "basis",
            "convention", "activation", "why",
        )
    }  # fmt: skip
    assert {each["expression"] for each in found} == set(texts(found))
    assert {each["filename"] for each in found} == {str(program)}
    by_code = texts(found)
    assert by_code["x + rows"] == {("traced", "staged")}
    assert by_code["x.shape[0]"] == {("static", None)}
    assert by_code["3"] == {("const", None)}


def test_one_line_of_a_file(program, capsys):
    found = entries(capsys, f"{program}:8")
    assert {each["location"]["row"] for each in found} == {8}
    assert {"x", "rows", "x + rows"} <= set(texts(found))


def test_activations_are_told_apart(program, capsys):
    found = list(entries(capsys, f"{program}:13"))
    values = texts(found)["value * 2"]
    assert ("traced", "staged") in values
    assert values & {("const", None), ("static", None)}


def test_where_a_claim_holds_is_said_in_words(program, capsys):
    assert main(["reveal", f"{program}:8", f"{program}:16"]) == 0
    out = capsys.readouterr().out
    assert "in `step`" in out and "in the module" in out
    assert main(["reveal", f"{program}:13"]) == 0
    assert "in `helper`, as it is called" in capsys.readouterr().out


def test_the_reasons_lead_to_the_transform(program, capsys):
    (entry,) = (
        each
        for each in entries(capsys, f"{program}:8")
        if each["location"]["column"] == 9 and each["end_location"]["column"] == 17
    )
    parameter, transform = entry["why"]
    assert "`x`" in parameter and "`step`" in parameter and parameter.endswith("(line 6)")
    assert "`jit`" in transform and transform.endswith("(line 5)")


def test_columns_count_code_points(program, capsys):
    assert ("traced", "staged") in texts(entries(capsys, f"{program}:17"))["é + 1.0"]


def test_the_report_for_people_shows_code_value_and_reason(program, capsys):
    assert main(["reveal", f"{program}:8"]) == 0
    output = capsys.readouterr().out
    assert "x + rows" in output and "traced staged" in output and "parameter of `step`" in output
    assert (
        "\nstaged     recorded by `jit`" in output
        and "\nundecided  a parameter of transformed code: a tracer" in output
    )
    assert "\nhost" not in output


def test_every_value_has_a_meaning(capsys):
    """The legend knows every kind and class that claims have."""
    assert main(["reveal", "--output-format", "json-lines", str(ROOT / "fixtures" / "model")]) in (0, 2)
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(found) > 1000
    assert {each["value"] for each in found} <= set(KINDS)
    assert {each["class"] for each in found} - {None} == set(CLASSES)


def test_a_file_whose_name_ends_like_a_line_is_a_file(tmp_path, capsys):
    odd = tmp_path / "odd.py:3"
    odd.write_text("x = 1\n")
    assert {each["filename"] for each in entries(capsys, odd)} == {str(odd)}


IMPORTS = {
    "from": "from model import forward\nstep = jax.jit(forward)",
    "alias": "import model as m\nstep = jax.jit(m.forward)",
    "plain": "import model\nstep = jax.jit(model.forward)",
    "package": "from project import model\nstep = jax.jit(model.forward)",
    "relative": "from .model import forward\nstep = jax.jit(forward)",
    "star": "from project.model import *\nstep = jax.jit(forward)",
}


@pytest.mark.parametrize("form", IMPORTS)
def test_the_calls_of_a_root_give_activations(tmp_path, capsys, form):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "model.py").write_text("def forward(x):\n    y = x + 1\n    return y\n")
    (folder / "train.py").write_text(f"import jax\nimport jax.numpy as jnp\n{IMPORTS[form]}\nstep(jnp.ones(3))\n")
    arguments = ["reveal", str(folder / "model.py"), "--output-format", "json"]
    main(arguments)
    alone = json.loads(capsys.readouterr().out)
    assert {entry["value"] for entry in alone if entry["location"]["row"] == 2} == {"unknown", "const"}
    main([*arguments, "--root", str(folder / "train.py")])
    rooted = json.loads(capsys.readouterr().out)
    at_sum = {"location": {"row": 2, "column": 9}, "end_location": {"row": 2, "column": 14}}
    sums = [entry for entry in rooted if {name: entry[name] for name in at_sum} == at_sum]
    assert {(entry["value"], entry["class"]) for entry in sums} == {("traced", "staged")}
    assert all(any("train.py line" in step for step in entry["why"]) for entry in sums)
    assert ("float32", [3]) in [(entry["dtype"], entry["shape"]) for entry in sums]
    assert {entry["filename"] for entry in rooted} == {str(folder / "model.py")}


# --- dtype, shape and basis -------------------------------------------------------------------------------------------

FORMS = """\
import flax.linen as nn
import jax
import jax.numpy as jnp


def known(count, anything):
    a = jnp.zeros((count, 3), jnp.int32)
    b = jnp.sum(anything)
    return a, b, 1.5


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        return jnp.sin(x)


mapped = jax.vmap(lambda v: jnp.cos(v))
"""


@pytest.fixture
def forms(tmp_path: Path) -> Path:
    path = tmp_path / "forms.py"
    path.write_text(FORMS)
    return path


@pytest.mark.parametrize(
    ("code", "dtype", "shape"),
    [
        ("jnp.zeros((count, 3), jnp.int32)", "int32", [None, 3]),
        ("jnp.sum(anything)", None, []),
        ("jnp.sin(x)", None, None),
        ("1.5", None, None),
    ],
)
def test_a_claim_has_dtype_and_shape(forms, capsys, code, dtype, shape):
    claims = [each for each in entries(capsys, forms) if each["expression"] == code]
    assert claims and all((each["dtype"], each["shape"]) == (dtype, shape) for each in claims)


def test_a_claim_on_a_presumed_activation_names_the_convention(forms, capsys):
    found = {each["expression"]: (each["basis"], each["convention"]) for each in entries(capsys, forms)}
    assert found["jnp.sin(x)"] == found["jnp.sin"] == ("presumed", "modules")
    assert found["jnp.cos(v)"] == found["jnp.sum(anything)"] == ("certain", None)


def test_the_report_for_people_shows_form_and_basis(forms, capsys):
    assert main(["reveal", f"{forms}:7", f"{forms}:15", f"{forms}:18"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("int32[?, 3]" in line for line in lines)
    output = " ".join(" ".join(lines).split())
    assert output.count("presumed by the convention `modules`") >= 2
    assert "presumed" not in output[output.index(":18 ") :]


# --- many files -------------------------------------------------------------------------------------------------------

PROJECT = {
    "pyproject.toml": '[tool.jaxlint]\nextend-exclude = ["left_out"]\n',
    "lib/__init__.py": "",
    "lib/model.py": "from .helper import scale\n\n\ndef forward(x):\n    return scale(x) + 1\n",
    "lib/helper.py": "def scale(value):\n    return value * 2\n",
    "lib/left_out/other.py": "x = 1\n",
    "tests/test_model.py": (
        "import jax\nimport jax.numpy as jnp\nfrom lib.model import forward\n\n\n"
        "def test_forward():\n    jax.jit(forward)(jnp.ones(3))\n"
    ),
    "tests/test_helper.py": (
        "import jax.numpy as jnp\nfrom lib.helper import scale\n\n\n"
        "def test_scale():\n    scale(jnp.zeros((2, 2), jnp.int32))\n"
    ),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch) -> Path:
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(capsys, *arguments: str, code: int = 0) -> list[dict]:
    assert main(["reveal", "--output-format", "json-lines", *arguments]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def names(found: list[dict]) -> list[str]:
    """The files of claims, each once, in the order in which they come."""
    return [name.replace(os.sep, "/") for name in dict.fromkeys(each["filename"] for each in found)]


def test_a_folder_stands_for_its_files_as_it_does_for_check(project, capsys):
    assert names(lines(capsys, "lib", "tests/test_helper.py")) == [
        "lib/helper.py",
        "lib/model.py",
        "tests/test_helper.py",
    ]


def test_json_lines_say_what_json_says(project, capsys):
    found = lines(capsys, "lib", "--root", "tests")
    assert found and found == entries(capsys, "lib", "--root", "tests")
    assert entries(capsys, "lib/__init__.py") == lines(capsys, "lib/__init__.py") == []


def test_lines_of_several_files(project, capsys):
    found = lines(capsys, "lib/model.py:5", "lib/helper.py:1", "lib/helper.py:2")
    places = {(each["filename"], each["location"]["row"]) for each in found}
    assert places == {("lib/model.py", 5), ("lib/helper.py", 2)}


@pytest.mark.parametrize("arguments", [("lib/model.py:1", "lib"), ("lib", "lib/model.py:1")])
def test_a_line_of_a_file_that_is_asked_about_as_a_whole(project, capsys, arguments):
    rows = {each["location"]["row"] for each in lines(capsys, *arguments) if each["filename"].endswith("model.py")}
    assert 5 in rows


def test_the_calls_of_all_files_of_a_root_folder_count(project, capsys):
    found = lines(capsys, "lib", "--root", "tests")
    products = {
        (each["value"], each["dtype"], str(each["shape"])) for each in found if each["expression"] == "value * 2"
    }
    assert ("traced", "float32", "[3]") in products
    assert ("concrete", "int32", "[2, 2]") in products
    assert "unknown" not in {kind for kind, _, _ in products}  # the caller of the function is no longer unknown
    assert {each["filename"].split(os.sep)[0] for each in found} == {"lib"}


def test_claims_do_not_depend_on_what_else_is_asked(project, capsys):
    together = lines(capsys, "lib", "tests", "--root", "tests")
    alone = []
    for name in names(together):
        alone += lines(capsys, name, "--root", "tests")
    assert together == alone


def test_a_file_is_lowered_once_and_a_root_analysed_once(project, monkeypatch):
    lowered: Counter[str] = Counter()
    analysed: Counter[str] = Counter()
    lower, analysis = lowering.lower, reveal_files.Analysis

    def counting_lower(source):
        lowered[os.path.basename(source.filename)] += 1
        return lower(source)

    def counting_analysis(source, *rest, **options):
        analysed[os.path.basename(source.filename)] += 1
        return analysis(source, *rest, **options)

    monkeypatch.setattr(lowering, "lower", counting_lower)
    monkeypatch.setattr(reveal_files, "Analysis", counting_analysis)
    files = ["lib/helper.py", "lib/model.py", "tests/test_model.py"]
    roots = ["tests/test_helper.py", "tests/test_model.py"]
    answers = list(claims_on(dict.fromkeys(files), roots, dict.fromkeys(files + roots, (HERE, NOTHING))))
    assert len(answers) == 3
    assert analysed == {"helper.py": 1, "model.py": 1, "test_model.py": 1, "test_helper.py": 1}
    assert {name: count for name, count in lowered.items() if name in analysed} == analysed


def test_claims_come_before_the_next_file_is_analysed(project, monkeypatch):
    analysed = []
    analysis = reveal_files.Analysis
    monkeypatch.setattr(
        reveal_files, "Analysis", lambda source, *rest, **options: (
            analysed.append(source.filename) or analysis(source, *rest, **options)
        )
    )  # fmt: skip
    files = ["lib/helper.py", "lib/model.py"]
    answers = claims_on(dict.fromkeys(files), [], dict.fromkeys(files, (HERE, NOTHING)))
    assert next(answers).source.filename == "lib/helper.py"
    assert analysed == ["lib/helper.py"]
    answers.close()


def test_what_cannot_be_read_is_named_and_the_other_files_go_on(project, capsys):
    Path("lib/broken.py").write_text("def f(:\n")
    Path("lib/encoded.py").write_bytes(b"x = '\xff'\n")
    assert main(["reveal", "missing.py", "lib", "--root", "tests", "--root", "nowhere", "--output-format", "json"]) == 2
    output = capsys.readouterr()
    assert "missing.py: no such file or folder; check the spelling" in output.err
    assert "nowhere: no such file or folder; check the spelling" in output.err
    assert "broken.py:1:7: syntax error" in output.err and "encoded.py:1" in output.err
    assert names(json.loads(output.out)) == ["lib/helper.py", "lib/model.py"]


def test_a_root_that_cannot_be_parsed_is_named_once(project, capsys):
    Path("tests/test_broken.py").write_text("def f(:\n")
    assert main(["reveal", "lib", "tests", "--root", "tests", "--output-format", "json"]) == 2
    output = capsys.readouterr()
    assert output.err.count("test_broken.py:1:7: syntax error") == 1
    assert any("test_model.py line" in step for each in json.loads(output.out) for step in each["why"])


def test_a_failure_of_the_analysis_costs_its_file_alone(project, capsys, monkeypatch):
    analysis = reveal_files.Analysis

    def failing(source, *rest, **options):
        if source.filename.endswith("helper.py"):
            raise ZeroDivisionError("no")
        return analysis(source, *rest, **options)

    monkeypatch.setattr(reveal_files, "Analysis", failing)
    assert main(["reveal", "lib", "--output-format", "json"]) == 2
    output = capsys.readouterr()
    assert "helper.py:1:1: Internal error in the analysis: ZeroDivisionError" in output.err
    assert names(json.loads(output.out)) == ["lib/model.py"]


def test_a_place_without_expressions_says_so(project, capsys):
    Path("lib/comment.py").write_text("# nothing\n")
    assert main(["reveal", "lib/comment.py", "lib/model.py:2", "lib/model.py:5", "lib"]) == 0
    output = capsys.readouterr()
    assert output.err == "jaxlint reveal: lib/comment.py has no expression that is evaluated\n"
    assert main(["reveal", "lib/model.py:2"]) == 0
    assert capsys.readouterr().err == "jaxlint reveal: lib/model.py:2 has no expression that is evaluated\n"
    Path("empty").mkdir()
    assert main(["reveal", "empty"]) == 0
    assert "no Python file to read in empty" in capsys.readouterr().err


def test_a_claim_on_a_notebook_stands_in_its_cell(project, capsys):
    cells = ["x = 1\n", "y = 2\nz = x + y\n", "w = (x +\n"]
    Path("book.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": text} for text in cells]}))
    assert main(["reveal", "book.ipynb", "--output-format", "json-lines"]) == 2
    output = capsys.readouterr()
    (claim,) = [each for each in map(json.loads, output.out.splitlines()) if each["expression"] == "x + y"]
    assert (claim["cell"], claim["location"]) == (2, {"row": 2, "column": 5})
    assert "book.ipynb:cell 3:1:5: " in output.err


def test_claims_that_cannot_be_kept_are_missed(project, capsys, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reveal_files.tempfile, "TemporaryFile", full)
    assert main(["reveal", "lib", "--root", "tests/test_model.py", "--output-format", "json"]) == 2
    assert "test_model.py:1:1: cannot keep its claims in a temporary file: No space left" in capsys.readouterr().err
