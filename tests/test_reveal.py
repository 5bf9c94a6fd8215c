"""`jaxlint reveal`: what the model knows of each expression, and why."""

import json
from pathlib import Path

import pytest

from jaxlint.cli import main

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
    assert all(
        set(each) == {"filename", "location", "end_location", "value", "class", "activation", "why"} for each in found
    )
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


def test_a_file_that_cannot_be_read_names_itself(tmp_path, capsys):
    assert main(["reveal", str(tmp_path / "missing.py")]) == 2
    assert "missing.py" in capsys.readouterr().err
    broken = tmp_path / "broken.py"
    broken.write_text("def f(:\n")
    assert main(["reveal", str(broken)]) == 2
    assert "broken.py:1" in capsys.readouterr().err


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
    (sums,) = [entry for entry in rooted if {name: entry[name] for name in at_sum} == at_sum]
    assert (sums["value"], sums["class"]) == ("traced", "staged")
    assert any("train.py line" in step for step in sums["why"])
    assert {entry["filename"] for entry in rooted} == {str(folder / "model.py")}
