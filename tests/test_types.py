"""mypy checks every module, the interpreter's mixins know their `self`."""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreted import interpreted

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
    assert table["strict"] is True and table["files"] == [
        "jaxlint",
        "tests/ecosystem/activations.py",
        "tests/typed_use.py",
    ]
    assert table.keys().isdisjoint({"exclude", "ignore_errors", "disable_error_code"})
    assert [override.keys() - {"module", "disable_error_code"} for override in table["overrides"]] == [set()]


def test_only_the_mixins_lack_a_check() -> None:
    """The class of `self` in a mixin is the interpreter; mypy reports that under `misc`."""
    [override] = settings()["overrides"]
    assert override["disable_error_code"] == ["misc"]
    assert override["module"] == sorted({cls.__module__ for cls in MIXINS})


@interpreted
def test_self_of_a_mixin_is_the_interpreter() -> None:
    annotated = {
        f"{cls.__name__}.{name}": function.__annotations__.get("self")
        for cls in MIXINS
        for name, function in vars(cls).items()
        if inspect.isfunction(function)
    }
    assert len(annotated) > 100
    assert {name: annotation for name, annotation in annotated.items() if annotation != "Interpreter"} == {}


# Signatures of the analysis that say `Any`: parts of identities, keys of dicts and constants of the linted code. It only shrinks.
MOST_WITH_ANY = 16


def signatures(folder: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def says_any(annotation: ast.expr | None) -> bool:
    return annotation is not None and any(
        isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(annotation)
    )


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    given = function.args
    star = [each for each in (given.vararg, given.kwarg) if each is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *star]


def test_the_interpreter_has_its_class_everywhere() -> None:
    names = {"self", "i", "interpreter", "ctx"}
    assert [
        f"{place} {parameter.arg}"
        for place, function in signatures(ROOT / "jaxlint")
        for parameter in parameters(function)
        if parameter.arg in names and says_any(parameter.annotation)
    ] == []


def test_fewer_and_fewer_signatures_of_the_analysis_say_any() -> None:
    found = [
        place
        for place, function in signatures(ROOT / "jaxlint" / "analysis")
        if says_any(function.returns) or any(says_any(each.annotation) for each in parameters(function))
    ]
    assert len(found) <= MOST_WITH_ANY, found
