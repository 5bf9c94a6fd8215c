"""One table says which libraries there are, and nothing else lists them."""

import ast
import re
from pathlib import Path

import pytest

from jaxlint import knowledge
from jaxlint.analysis.checkers.backend_initialisation import _BRING_JAX
from jaxlint.knowledge.probe.history import READ, WALKED
from jaxlint.source.libraries import LIBRARIES, MEASURED, MODELLED, OF_JAX
from jaxlint.source.relevance import touches_jax

PACKAGE = Path(__file__).parent.parent / "jaxlint"
NAMES = {name for each in LIBRARIES for name in (each.name, each.distributed_as)}
# How many libraries a collection, or the text of a pattern, names before it is a list of them.
LIST = 3
# Others that name several, by module and the variable, and why they are no list of libraries.
ALLOWED = {
    ("jaxlint.source.libraries", "LIBRARIES"): "the table",
    (
        "jaxlint.knowledge.probe.history",
        "WALKED",
    ): "the releases that are measured; a test holds their libraries to the table",
    (
        "jaxlint.knowledge.probe.history",
        "READ",
    ): "the releases that are read; a test holds their libraries to the table",
    ("jaxlint.knowledge.probe.history", "EXTRAS"): "what a library needs beside its requirements, to be imported",
    ("jaxlint.knowledge.probe.library_calls", "MODULES"): "the public modules of each that are called",
    ("jaxlint.knowledge.probe.library_calls", "CALLS"): "calls of each, by hand",
    ("jaxlint.verify.raised", "_PACKAGES"): "the packages whose versions messages of errors depend on",
    ("jaxlint.knowledge.probe.run", ""): "the versions that a measurement was made with",
    ("jaxlint.knowledge.probe.walk", "FOREIGN"): "what modules of JAX and its libraries re-export",
}


def dotted(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def named(node):
    """The libraries that a collection or text names, each as a whole."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        texts = [each.value for each in node.elts if isinstance(each, ast.Constant)]
    elif isinstance(node, ast.Dict):
        texts = [each.value for each in node.keys if isinstance(each, ast.Constant)]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[^\n]*", node.value):
        texts = re.findall(r"(?<![\w./-])[\w-]+(?![\w./-])", node.value)
        texts = texts if " " not in node.value or "|" in node.value or set(texts) <= NAMES else []
    else:
        return set()
    return {text.rstrip(".") for text in texts if isinstance(text, str)} & NAMES


def lists(path):
    """Variable, line and libraries of each collection in a module that names several."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for statement in tree.body:
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        variable = next((each.id for each in targets if isinstance(each, ast.Name)), "")
        if variable == "LIBRARIES":
            yield variable, statement.lineno, NAMES
        for node in ast.walk(statement):
            found = named(node) if id(node) not in documentation else set()
            if len(found) >= LIST:
                yield variable, node.lineno, found


def test_no_other_list_exists():
    found = {
        (dotted(path), variable): (line, names)
        for path in sorted(PACKAGE.rglob("*.py"))
        for variable, line, names in lists(path)
    }
    assert {place: found[place] for place in found if place not in ALLOWED} == {}
    assert set(ALLOWED) <= set(found), "allowed, and not there"


@pytest.mark.parametrize("text", [
    'A = ("jax", "flax", "haiku")', 'A = {"jax": 1, "optax": 2, "dm-haiku": 3}', 'A = "(?i)jax|flax|haiku"',
    'def f(x):\n    return x in {"equinox.", "flax.", "haiku."}', 'A = set("jax flax optax".split())',
])  # fmt: skip
def test_a_list_is_found(tmp_path, text):
    (tmp_path / "a.py").write_text(text)
    assert [len(names) for _, _, names in lists(tmp_path / "a.py")] == [3]


@pytest.mark.parametrize(
    "text", ['A = ("jax.jit", "flax.nnx.jit", "haiku.remat")', 'A = ("jax", "numpy")', '"""For jax|flax|haiku."""']
)
def test_names_of_functions_are_no_list(tmp_path, text):
    (tmp_path / "a.py").write_text(text)
    assert list(lists(tmp_path / "a.py")) == []


def test_the_data_are_of_the_measured_libraries():
    assert set(WALKED) == set(READ) == set(MEASURED) == set(knowledge.packages())


def test_the_rows_agree_with_each_other():
    assert len({each.name for each in LIBRARIES}) == len(LIBRARIES)
    for each in LIBRARIES:
        assert each.of_jax or not (each.imports_jax or each.measured or each.layers), each
        assert each.modelled or each.read_at_home is None and not each.layers, each
        assert all(package.split(".")[0] == each.name for package in each.layers), each


@pytest.mark.parametrize("name", [each.name for each in LIBRARIES if each.of_jax])
def test_a_file_that_names_it_is_of_interest(name):
    assert touches_jax(f"import {name}\n")


@pytest.mark.parametrize("name", sorted(_BRING_JAX & MODELLED))
def test_importing_it_imports_jax(name):
    import subprocess
    import sys

    pytest.importorskip(name, reason=f"{name} is not installed")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {name}; print('jax' in sys.modules)"], capture_output=True, text=True
    )
    assert done.stdout == "True\n", done.stderr


def test_their_distributions_are_what_is_installed():
    from importlib.metadata import packages_distributions

    installed = packages_distributions()
    checked = [each for each in LIBRARIES if each.name in installed]
    assert len(checked) >= 6
    for each in checked:
        assert each.distributed_as in {name.lower().replace("_", "-") for name in installed[each.name]}, each
    assert set(OF_JAX) > set(MEASURED)
