"""Every text that a rule can say is said of some fixture, and stands in its golden file of messages.

A text is a string of the source with at least two words. What is matched is the whole template: its fixed
parts in order, on one line of a golden file. A text may also be code that a fix writes; then its fixed parts
stand in a `fixed.py`.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from jaxlint.configuration.config import Config
from jaxlint.hazards.resources import fixtures_root
from jaxlint.project.resolver import Loader
from jaxlint.project.sources import Project
from jaxlint.run.pipeline import check_root, check_source
from jaxlint.source.text import Source

PACKAGE = Path(__file__).parent.parent / "jaxlint"
MODULES = sorted(
    [
        *(PACKAGE / "hazards").glob("*/*.py"),
        *(PACKAGE / "rewrite").glob("*/*.py"),
        *(PACKAGE / "analysis").rglob("*.py"),
    ]
)
assert len(MODULES) > 300
_WORDS = re.compile(r"\b[A-Za-z]{2,}\b[^\n]* [a-z]{2,}\b|\b[a-z]{2,}\b[^\n]* [A-Za-z]{2,}\b|\b[a-z]{3,} | [a-z]{3,}\b")

_MARK = "marks a value or a reason inside the analysis, and is never shown"
_LIMIT = "names a limit of the analysis, which no fixture of a readable length reaches"
_TARGET = "depends on the releases that the project aims at: test_what_depends_on_the_target has it"

# Texts that no golden file holds, and why.
UNSAID = {
    **dict.fromkeys(
        [
            "Axis of size {} of `{}` divided among {} devices",
            "Pad the array to a multiple, or leave out the rest: a last batch may be smaller.",
        ],
        "a fixture runs on one device; tests/test_shardings.py has four",
    ),
    **dict.fromkeys(
        [
            "asked for init", "captured array", "chex.variant of", "compiled at ", "drawn without", "empty list", "haiku layer",
            "has a key of its own", "none drawn", "haiku parameters",
            "key drawn in a trace", "key dtype", "leaf of a pytree", "lifted module", "like state", "linen module", "made parameters", "memory ref", "minus one",
            "no state", "no text", "print style", "structure of a pytree", "unary ", "not positive", "unknown method", "without rng",
            "(site={}, api={}, parameter={})", "options that were not measured", "like updates", "operator /",
        ],
        _MARK,
    ),
    **dict.fromkeys(
        [
            "more than {} calling contexts of ", "more than {} calls in one another", "more than {} runs of a loop", "more than {} runs of ",
            "more than {} clauses of comprehensions in one another", "more than {} steps in imported modules",
            "more than {} steps, and no further", "more than {} transforms around one another",
        ],
        _LIMIT,
    ),
    **dict.fromkeys(
        [
            ", removed in ", "; the target starts at {}.",
            "Use `{}`, its name from {} {}; the target starts at {}.", "Use `{}`, available from {} ",
        ],
        _TARGET,
    ),
    **dict.fromkeys(
        [
            "modules of {} do in a compiled training step",
            "`{}` is presumed to run under `jit`: ", "functions of `hk.transform` do in a compiled training step",
            "environments that are given their state do in a compiled rollout", "functions that are given to `{}` do",
            "functions of arrays that call `{}` do", "`{}` is taken to be traced: it is given to `{}`",
        ],
        "no transform is in a file of which this is said: tests/test_presumption.py has it",
    ),
    "`{}` renamed to `{}` in `migrations` of this project": "of a name in the configuration: tests/test_migration.py has it",
}  # fmt: skip


@cache
def goldens() -> tuple[str, str]:
    """All golden messages, and all fixed code without its line breaks."""
    root = fixtures_root()
    said = "\n".join(path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.txt")))
    fixed = "\n".join(path.read_text(encoding="utf-8") for path in sorted(root.rglob("fixed*.py")))
    return said, " ".join(fixed.split())


def texts(tree: ast.Module) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Row and fixed parts of every text of a module that people may come to see."""
    hidden: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # docstrings
            hidden.add(node.value)
        elif isinstance(node, ast.Raise):  # what goes wrong inside
            hidden.update(ast.walk(node))
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name == "Rule" or name.startswith("re."):
                hidden.update(ast.walk(node))
            elif name.endswith(".split") and isinstance(node.func, ast.Attribute):  # a list of words
                hidden.update(ast.walk(node.func.value))
    for node in ast.walk(tree):
        if node in hidden:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = tuple(part.value if isinstance(part, ast.Constant) else "" for part in node.values)
            hidden.update(part for part in node.values if isinstance(part, ast.Constant))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = _fields(node.value)
        else:
            continue
        if any(_WORDS.search(part) for part in parts):
            yield node.lineno, parts


def _fields(text: str) -> tuple[str, ...]:
    """The fixed parts of a string that may be the template of a `format`."""
    try:
        return tuple(
            part
            for literal, field, _, _ in string.Formatter().parse(text)
            for part in (literal, "" if field is not None else None)
            if part is not None
        )
    except ValueError:
        return (text,)


def is_golden(parts: tuple[str, ...]) -> bool:
    said, fixed = goldens()
    if any(in_order([part.strip("\n") for part in parts], line) for line in lines_with(said, parts)):
        return True
    return all(" ".join(part.split()) in fixed for part in parts)


def fixes() -> Iterator[tuple[str, str]]:
    """Level and text of each fix in the golden files, its code shortened."""
    for level, text in set(re.findall(r"^  fix \((\w+)\): (.*)", goldens()[0], re.MULTILINE)):
        yield level, re.sub(r"`[^`]*`", "`x`", text)


def test_each_unsafe_fix_says_what_may_change() -> None:
    assert [text for level, text in fixes() if level == "unsafe" and not re.fullmatch(r"[^;]+; [^;]+", text)] == []


def test_fixes_are_short_imperatives() -> None:
    written = re.compile(r"[A-Z][^;]{,59}(; ([a-z`\-\d]|JAX|NumPy|None|False)[^;]{,59})?(?<![.;:])")
    assert [text for _, text in fixes() if not written.fullmatch(text)] == []


def lines_with(text: str, parts: tuple[str, ...]) -> Iterator[str]:
    """The lines that hold the longest of the parts."""
    longest = max((part.strip("\n") for part in parts), key=len)
    at = text.find(longest)
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at + len(longest))
        yield text[start : end if end >= 0 else len(text)]
        at = text.find(longest, end) if end >= 0 else -1


def in_order(parts: list[str], line: str) -> bool:
    at = 0
    for part in parts:
        at = line.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_every_text_is_said_of_a_fixture(path: Path) -> None:
    unsaid = {
        row: "{}".join(part for part in parts if part)
        for row, parts in texts(ast.parse(path.read_text(encoding="utf-8")))
        if not is_golden(parts)
    }
    assert {row: text for row, text in unsaid.items() if text not in UNSAID} == {}


def test_no_text_is_excused_that_is_said() -> None:
    present = {
        "{}".join(filter(None, parts))
        for path in MODULES
        for _, parts in texts(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert set(UNSAID) <= present, "not in the source"
    assert [text for text in UNSAID if is_golden(tuple(re.split("({})", text)))] == [], "a golden file holds it"


@pytest.mark.parametrize(
    "target, code, message, help",
    [
        (
            ">=0.4.20,<0.5", "jax.tree_map(str, 1)",
            "JAX802 `jax.tree_map` is deprecated since jax 0.4.26, removed in 0.6.0", "Use `jax.tree_util.tree_map`.",
        ),
        (
            ">=0.4.20", "jax.tree_map(str, 1)",
            "JAX801 `jax.tree_map` was removed in jax 0.6.0 (target: jax 0.4.20 to {newest})", "Use `jax.tree_util.tree_map`.",
        ),
        (
            ">=0.4.20", "jax.core.Jaxpr",
            "JAX801 `jax.core.Jaxpr` was removed in jax 0.6.0 (target: jax 0.4.20 to {newest})",
            "Use `jax.extend.core.Jaxpr`, available from jax 0.4.28; the target starts at 0.4.20.",
        ),
        (
            ">=0.4.20,<0.5", "jax.numpy.reshape(1, newshape=1)",
            "JAX802 Parameter `newshape` of `jax.numpy.reshape` is deprecated since jax 0.4.28",
            "Use `shape`, its name from jax 0.4.28; the target starts at 0.4.20.",
        ),
    ],
)  # fmt: skip
def test_what_depends_on_the_target(target: str, code: str, message: str, help: str) -> None:
    config = Config(root="project", target_jax=target)
    (found,) = check_source(Source.from_text(f"import jax\n{code}\n", "project/a.py"), config).diagnostics
    newest = config.target.of("jax").newest
    assert (f"{found.code} {found.message}", found.help) == (message.format(newest=newest), help)


def test_what_is_said_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("import numpy as np\n\n\ndef root(x):\n    return np.sqrt(x)\n")
    text = "import jax\nfrom helper import root\n\nrooted = jax.jit(root)(1.0)\n"
    root = Source.from_text(text, str(tmp_path / "main.py"))
    ((there, call),) = check_root(root, Config(root=str(tmp_path)), Loader(Project(str(tmp_path)))).elsewhere
    assert there.message == "`np.sqrt` on traced value `x`"
    assert call.message == f"{there.message} (helper.py:5, called here)"
    assert there.help == call.help == "Use `jnp.sqrt`, which works on tracers."
    assert there.fix is not None and call.fix is None
    assert there.fix.message == "Use `jnp.sqrt`; NumPy arrays become 32-bit JAX arrays"
