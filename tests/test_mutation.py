"""The tool for mutation testing: its mutants are what they say, and a test that bites kills one."""

import ast
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

MUTATION = Path(__file__).parent / "mutation"
sys.path.insert(0, str(MUTATION))

import judging
import operators
import sample

CODE = '''\
"""A module."""

WORDS = "one two".split()


def sign(x: int) -> int:
    """Of a number."""
    if x < 0:
        return -1
    return 1 if x > 0 else 0


class Table:
    def has(self, word: str) -> bool:
        return word in WORDS and len(word) != 0
'''


def changed(operator, text=CODE):
    return {(place.mutant.function, place.mutant.before, place.mutant.after) for place in operators.mutants(text, "m.py")
            if place.mutant.operator == operator}  # fmt: skip


def test_operators():
    assert changed("comparison") >= {
        ("sign", "x < 0", "(x <= 0)"),
        ("sign", "x < 0", "(x >= 0)"),
        ("Table.has", "word in WORDS", "(word not in WORDS)"),
    }
    assert changed("condition true") == {("sign", "x < 0", "True")}
    assert changed("arms swapped") == {("sign", "1 if x > 0 else 0", "(0 if x > 0 else 1)")}
    assert changed("element removed") == {("<module>", '"one two"', "'two'"), ("<module>", '"one two"', "'one'")}
    assert changed("and, or") == {
        ("Table.has", "word in WORDS and len(word) != 0", "(word in WORDS or len(word) != 0)")
    }
    assert ("sign", "return -1", "pass") in changed("statement removed")
    assert changed("result negated") == {
        ("Table.has", "word in WORDS and len(word) != 0", "(not (word in WORDS and len(word) != 0))")
    }


def test_documentation_and_annotations_are_left_alone():
    text = (
        CODE
        + '\n\ndef f(x: "str" = None) -> "Optional[int]":\n    """Said."""\n    assert x, "never"\n    import os\n    return None\n'
    )
    places = [place for place in operators.mutants(text, "m.py") if place.mutant.function == "f"]
    assert places == []


@pytest.mark.parametrize(
    "module",
    [
        "fixing/power_spacing",
        "diagnostics/shared_keys",
        "source/spelling",
        "diagnostics/fingerprint",
        "source/relevance",
    ],
)
def test_every_mutant_is_another_module(module):
    text = (sample.ROOT / "jaxlint" / f"{module}.py").read_text(encoding="utf-8")
    places = operators.mutants(text, "m.py")
    assert len(places) >= 30 and [place for place in places if not operators.compiles(place, text)] == []


def test_places_are_found_in_text_that_is_not_ascii():
    text = 'x = "é"; y = 1 < 2; z = "ü" if y else "ö"\n'
    for place in operators.mutants(text, "m.py"):
        assert text[place.start : place.end] == place.mutant.before
        ast.parse(place.applied(text))


def test_a_mutant_is_found_again_below_other_lines(tmp_path):
    (tmp_path / "m.py").write_text(CODE)
    before = operators.mutants(CODE, "m.py")
    (tmp_path / "m.py").write_text(CODE.replace('"""A module."""\n', '"""A module."""\n\nimport re\n'))
    for place in before:
        found = sample.find(place.mutant, tmp_path)
        assert found is not None and found.start == place.start + len("\nimport re\n")
    (tmp_path / "m.py").write_text(CODE.replace("x < 0", "x < 10"))
    assert sum(sample.find(place.mutant, tmp_path) is None for place in before) > 0


def test_a_sample_is_that_of_its_seed(tmp_path):
    (tmp_path / "m.py").write_text(CODE)
    areas = {"all": (5, ["m.py"])}
    assert sample.draw(1, tmp_path, areas) == sample.draw(1, tmp_path, areas)
    assert len(sample.draw(1, tmp_path, areas)) == 5
    assert any(sample.draw(seed, tmp_path, areas) != sample.draw(1, tmp_path, areas) for seed in (2, 3, 4))


TESTS = """\
import sys
sys.path.insert(0, {folder!r})
from jaxlint_example import module


def test_sign():
    assert [module.sign(x) for x in (-2, 3)] == [-1, 1]


def test_table():
    assert module.Table().has("one") and not module.Table().has("three")
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "jaxlint_example").mkdir()
    (tmp_path / "jaxlint_example" / "__init__.py").write_text("")
    (tmp_path / "jaxlint_example" / "module.py").write_text(CODE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_module.py").write_text(TESTS.format(folder=str(tmp_path)))
    return tmp_path


def judged(tasks, coverage, root):
    """In a process of its own: those of the mutants are its copies, and must not have imported what is changed."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(judging.verdicts, tasks, coverage, root).result()


def test_killed_and_survived(project):
    text = CODE
    path = "jaxlint_example/module.py"
    coverage = judging.covered(["tests"], project / "covered.json", project, [path])
    chosen = {
        ("sign", "x < 0", "False"): "killed",
        ("sign", "x < 0", "(x <= 0)"): "survived",  # no test asks about zero
        ("sign", "return -1", "pass"): "killed",
        ("Table.has", "len(word) != 0", "(len(word) == 0)"): "killed",
        ("Table.has", "word in WORDS and len(word) != 0", "word in WORDS"): "survived",  # equivalent: no word is empty
        ("<module>", '"one two"', "'two'"): "killed",
        ("<module>", '"one two"', "'one'"): "survived",
    }
    tasks = [coverage.task(place, text) for place in operators.mutants(text, path)
             if (place.mutant.function, place.mutant.before, place.mutant.after.strip("()")) in
             {(function, before, after.strip("()")) for function, before, after in chosen}]  # fmt: skip
    assert {task.imported for task in tasks if task.place.mutant.function == "<module>"} == {True}
    assert {task.imported for task in tasks if task.place.mutant.function != "<module>"} == {False}
    verdicts = judged(tasks, coverage, project)
    found = {(task.place.mutant.function, task.place.mutant.before, task.place.mutant.after.strip("()")): verdict.status
             for task, verdict in verdicts}  # fmt: skip
    assert found == {
        (function, before, after.strip("()")): status for (function, before, after), status in chosen.items()
    }


def test_slower_tests_import_the_mutant_whatever_its_module_is_called(project):
    (project / "jaxlint_example" / "module.py").rename(project / "jaxlint_example" / "test_module.py")
    tests = project / "tests" / "test_module.py"
    tests.write_text(tests.read_text().replace("import module", "import test_module as module"))
    path = "jaxlint_example/test_module.py"
    coverage = judging.covered(["tests"], project / "covered.json", project, [path], complete=False)
    tasks = [coverage.task(place, CODE) for place in operators.mutants(CODE, path)
             if (place.mutant.before, place.mutant.after) in (("return -1", "pass"), ("x < 0", "(x <= 0)"))]  # fmt: skip
    assert all(task.imported for task in tasks)
    assert sorted(verdict.status for _, verdict in judged(tasks, coverage, project)) == ["killed", "survived"]


def test_lines_that_nothing_executes_are_not_covered(project):
    (project / "tests" / "test_module.py").write_text(TESTS.format(folder=str(project)).partition("def test_table")[0])
    path = "jaxlint_example/module.py"
    coverage = judging.covered(["tests"], project / "covered.json", project, [path])
    tasks = [
        coverage.task(place, CODE) for place in operators.mutants(CODE, path) if place.mutant.function == "Table.has"
    ]
    assert {verdict.status for _, verdict in judged(tasks, coverage, project)} == {"not covered"}


@pytest.mark.parametrize("path", sorted((MUTATION / "results").glob("*.json")), ids=lambda path: path.stem)
def test_records_hold_what_was_drawn_and_why_survivors_are_equivalent(path):
    record = sample.read(path)
    assert len(record["mutants"]) >= 300
    assert len({sample.mutant_of(row).key for row in record["mutants"]}) == len(record["mutants"])
    assert {sample.area_of(row["path"]) for row in record["mutants"]} == set(sample.AREAS)
    for row in record["mutants"]:
        assert row.get("status") in (None, "killed", "survived", "not covered", "gone")
        assert "equivalent" not in row or (row["status"] in ("survived", "not covered") and len(row["equivalent"]) > 20)
