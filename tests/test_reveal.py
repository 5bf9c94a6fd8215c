"""`jaxlint reveal`: what the model knows of each expression, and why."""

import json
from pathlib import Path

import pytest

from jaxlint.cli import main

PROGRAM = '''\
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
'''


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
    found = [each for each in entries(capsys, f"{program}:13")]
    values = texts(found)["value * 2"]
    assert ("traced", "staged") in values
    assert values & {("const", None), ("static", None)}


def test_the_reasons_lead_to_the_transform(program, capsys):
    (entry,) = (each for each in entries(capsys, f"{program}:8") if each["location"]["column"] == 9
                and each["end_location"]["column"] == 17)
    parameter, transform = entry["why"]
    assert "`x`" in parameter and "`step`" in parameter and parameter.endswith("(line 6)")
    assert "`jit`" in transform and transform.endswith("(line 5)")


def test_columns_count_code_points(program, capsys):
    assert ("traced", "staged") in texts(entries(capsys, f"{program}:17"))["é + 1.0"]


def test_a_root_adds_its_own_expressions(program, tmp_path, capsys):
    root = tmp_path / "train.py"
    root.write_text("from program import step\n\nstep(1.0, 2)\n")
    assert {each["filename"] for each in entries(capsys, program, "--root", root)} == {str(program), str(root)}


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
