"""The names that `import jaxlint` gives."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import jaxlint

ROOT = Path(__file__).parent.parent
CODE = "import jax\n\n\n@jax.jit\ndef step(x):\n    return float(x) * 2\n"


def test_check_gives_diagnostics():
    (found,) = jaxlint.check(CODE, "model.py")
    assert isinstance(found, jaxlint.Diagnostic)
    assert (found.code, found.filename, found.start) == ("JAX102", "model.py", jaxlint.Position(6, 12))
    (edit,) = found.fix.edits
    assert CODE[edit.start : edit.end] == "float(x)" and found.fix.applicability is jaxlint.Applicability.UNSAFE
    assert found.category is jaxlint.Category.FAILS and all(isinstance(step, jaxlint.Related) for step in found.related)


def test_options_are_those_of_the_configuration(tmp_path):
    assert jaxlint.check(CODE, ignore=["JAX102"]) == [] == jaxlint.check(CODE, select=("JAX4",))
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX102"]\n')
    assert jaxlint.check(CODE, str(tmp_path / "model.py")) == []
    with pytest.raises(jaxlint.ConfigError, match="JAX999"):
        jaxlint.check(CODE, select=["JAX999"])
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\nignor = []\n")
    with pytest.raises(jaxlint.ConfigError, match="ignore"):
        jaxlint.check(CODE, str(tmp_path / "model.py"))


def test_all_that_is_wrong_with_the_configuration_is_raised_at_once(tmp_path):
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.jaxlint]\nignor = []\npreview = 1\nselect = ["JAX1O3", "JAX1"]\n')
    (tmp_path / "model.py").write_text(CODE)
    for call in (
        jaxlint.check_paths,
        lambda path: jaxlint.check(CODE, str(path)),
        lambda path: jaxlint.fix(CODE, str(path)),
    ):
        with pytest.raises(jaxlint.ConfigError) as caught:
            call(tmp_path / "model.py")
        assert str(caught.value).splitlines() == [
            f"{settings}:2:1: unknown option `ignor` in [tool.jaxlint]; did you mean `ignore`?",
            f"{settings}:3:1: `preview` in [tool.jaxlint] must be true or false, not the number 1",
            f"{settings}:4:11: `select` in [tool.jaxlint] is wrong: no rule is called `JAX1O3`; did you mean `JAX103`?",
        ]
        assert [(each.filename, each.row, each.column) for each in caught.value.problems] == [
            (str(settings), 2, 1), (str(settings), 3, 1), (str(settings), 4, 11),
        ]  # fmt: skip
        copied = pickle.loads(pickle.dumps(caught.value))
        assert str(copied) == str(caught.value) and len(copied.problems) == 3
    with pytest.raises(jaxlint.ConfigError) as caught:
        jaxlint.check(CODE, select=["JAX999", "JAX998"], line_length=3)
    assert [each.message.partition(" ")[0] for each in caught.value.problems] == [
        "--select",
        "--select",
        "--line-length",
    ]


def test_fix_mends_what_it_may():
    assert jaxlint.fix(CODE) == CODE
    assert ".astype(float) * 2" in jaxlint.fix(CODE, unsafe=True)
    assert jaxlint.fix("def broken(:\n") == "def broken(:\n"
    assert [found.code for found in jaxlint.check("def broken(:\n")] == ["JAX900"]


def test_paths(tmp_path):
    (tmp_path / "a.py").write_text(CODE)
    (tmp_path / "b.py").write_text(CODE.replace("float", "int"))
    found = jaxlint.check_paths(tmp_path, jobs=2)
    assert [(Path(each.filename).name, each.code) for each in found] == [("a.py", "JAX102"), ("b.py", "JAX102")]
    with pytest.raises(jaxlint.SourceError, match="no such file"):
        jaxlint.check_paths(tmp_path / "c.py")


def test_nothing_is_loaded_before_it_is_asked_for():
    code = "import jaxlint, sys; print('libcst' in sys.modules, 'jaxlint.run.pipeline' in sys.modules); jaxlint.nothing"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "False False\n" and "has no attribute 'nothing'" in run.stderr


def test_the_type_of_options_has_every_option():
    from jaxlint.api import Options
    from jaxlint.configuration.options import OPTIONS

    assert set(Options.__annotations__) == {option.field for option in OPTIONS.values()}


def test_the_page_lists_every_name_and_its_example_runs():
    page = (ROOT / "docs" / "automation.md").read_text()
    programs, _, _ = page.partition("\n## From a shell")
    listed = {
        name for row in re.findall(r"^\| (`.*?`) \|", programs, re.MULTILINE) for name in re.findall(r"`(\w+)", row)
    }
    from jaxlint import api

    assert listed == set(api.__all__) == jaxlint._EXPORTED
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    run = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout.startswith("6 JAX102 ") and ".astype(float)" in run.stdout, run.stderr
