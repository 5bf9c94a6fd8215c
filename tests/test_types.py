"""mypy checks every module, the interpreter's mixins know their `self`."""

import inspect
import sys
from pathlib import Path
from typing import Any

from jaxlint.analysis.analyser import Interpreter

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
MIXINS = [cls for cls in Interpreter.__mro__ if cls not in (Interpreter, object)]


def settings() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    return table


def test_no_module_is_exempt() -> None:
    table = settings()
    assert table["strict"] is True and table["files"] == ["jaxlint", "tests/typed_use.py"]
    assert table.keys().isdisjoint({"exclude", "ignore_errors", "disable_error_code"})
    assert [override.keys() - {"module", "disable_error_code"} for override in table["overrides"]] == [set()]


def test_only_the_mixins_lack_a_check() -> None:
    """The class of `self` in a mixin is the interpreter; mypy reports that under `misc`."""
    [override] = settings()["overrides"]
    assert override["disable_error_code"] == ["misc"]
    assert override["module"] == sorted({cls.__module__ for cls in MIXINS})


def test_self_of_a_mixin_is_the_interpreter() -> None:
    annotated = {
        f"{cls.__name__}.{name}": function.__annotations__.get("self")
        for cls in MIXINS
        for name, function in vars(cls).items()
        if inspect.isfunction(function)
    }
    assert len(annotated) > 100
    assert {name: annotation for name, annotation in annotated.items() if annotation != "Interpreter"} == {}
