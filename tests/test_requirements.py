"""What a rewrite requires ends the rewrite, and never the report: `NoFix` is caught wherever a rule asks for a fix."""

import ast
from pathlib import Path

import pytest

from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require

PACKAGE = Path(__file__).parents[1] / "jaxlint"
RAISING = frozenset({"require", "known", "expect", "only", "parts_of"})
Function = tuple[str, str]  # module, and name in it; a method with the name of its class


def _module(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def _functions(path: Path):
    """Every function of a file with what it may call: names of functions that the file imports or has, and of its own methods."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = _module(path)
    imported = {
        (alias.asname or alias.name): (node.module, alias.name)
        for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }  # fmt: skip
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    places = [(node, "") for node in tree.body if isinstance(node, ast.FunctionDef)]
    places += [
        (each, f"{name}.") for name, node in classes.items() for each in node.body if isinstance(each, ast.FunctionDef)
    ]
    for node, prefix in places:
        calls: set[Function] = set()
        for call in (each for each in ast.walk(node) if isinstance(each, ast.Call)):
            match call.func:
                case ast.Name(id=name) if name in own:
                    calls.add((module, name))
                case ast.Name(id=name) if name in classes:
                    calls.add((module, f"{name}.__init__"))
                case ast.Name(id=name) if name in imported:
                    calls.add(imported[name])
                case ast.Attribute(value=ast.Name(id="self"), attr=name) if prefix:
                    calls.add((module, prefix + name))
                case ast.Attribute(value=ast.Call(func=ast.Name(id=name)), attr=method) if name in classes:
                    calls.add((module, f"{name}.{method}"))
                case ast.Attribute(value=ast.Name(id=name), attr=function) if name in imported:
                    parent, last = imported[name]
                    calls.add((f"{parent}.{last}", function))
        caught = any(isinstance(each, ast.Name) and each.id == "or_none" for each in node.decorator_list)
        yield (module, prefix + node.name), calls, caught


def _raising() -> dict[Function, Function]:
    """Functions from which `NoFix` may escape, each with the function that it comes from."""
    found = [
        each for folder in ("rewrite", "hazards") for path in sorted((PACKAGE / folder).rglob("*.py"))
        if path.name != "requirements.py" for each in _functions(path)
    ]  # fmt: skip
    home = "jaxlint.rewrite.requirements"
    raising: dict[Function, Function] = {(home, name): (home, name) for name in RAISING}
    changed = True
    while changed:
        changed = False
        for function, calls, caught in found:
            source = next((each for each in sorted(calls) if each in raising), None)
            if source is not None and not caught and function not in raising:
                raising[function] = source
                changed = True
    return raising


@pytest.fixture(scope="module")
def raising():
    return _raising()


def test_functions_that_require_something_are_found(raising):
    assert len(raising) > 100


def test_no_rule_lets_a_requirement_escape(raising):
    escaping = {
        module: source for (module, name), source in raising.items() if name == "check" and ".hazards." in module
    }
    assert not escaping


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: require(""),
        lambda: known(None),
        lambda: expect(int, "1"),
        lambda: only([1, 2]),
        lambda: only([]),
    ],
)
def test_what_is_not_as_required_gives_no_fix(attempt):
    with pytest.raises(NoFix):
        attempt()
    assert or_none(attempt)() is None


def test_what_is_as_required_is_handed_on():
    assert (known(0), expect(int, 1), only([2])) == (0, 1, 2)
