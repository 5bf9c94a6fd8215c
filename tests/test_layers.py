"""The import order: each module imports only what stands before it, so that data flows one way."""

import ast
import functools
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "jaxlint"

# A folder is a layer, and knows nothing of those after it.
LAYERS = (
    "source knowledge ir project analysis rewrite hazards configuration diagnostics fixing run report verify explain commands"
    " server integrations"
).split()
TOP = {"__init__": 0, "plugins": LAYERS.index("hazards"), "api": 100, "cli": 101, "__main__": 102}
MODULES = sorted(PACKAGE.rglob("*.py"))


def dotted(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module):
    """Index of the layer that a module belongs to."""
    _, _, inner = module.partition(".")
    first = inner.split(".")[0] or "__init__"
    assert first in TOP or first in LAYERS, f"{module} is in no layer; say in tests/test_layers.py where it belongs"
    return TOP[first] if first in TOP else LAYERS.index(first)


@functools.cache
def imports(path):
    """Modules of the package that a module imports at run time; what is under TYPE_CHECKING does not count."""
    return list(_imports(ast.parse(path.read_text(encoding="utf-8")), path))


def _imports(tree, path):
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            skipped.update(id(child) for statement in node.body for child in ast.walk(statement))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "jaxlint")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports inside the package are absolute"
            if node.module and node.module.split(".")[0] == "jaxlint":
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    is_module = (PACKAGE.parent / Path(*inner.split("."))).with_suffix(".py").exists() or (
                        PACKAGE.parent / Path(*inner.split("."))
                    ).is_dir()
                    yield inner if is_module else node.module


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_imports_go_one_way(path):
    module = dotted(path)
    for imported in imports(path):
        assert layer(imported) <= layer(module), f"{module} imports {imported}, which stands above it"


def test_the_abstract_domain_knows_nothing_of_what_uses_it():
    allowed = {"domain": {"component", "domain", "model"}, "shapes": {"domain", "shapes"}}
    for path in MODULES:
        _, folder, name, *_ = [*dotted(path).split("."), "", ""]
        if folder == "analysis" and name in allowed:
            inner = {imported.split(".")[2] for imported in imports(path) if imported.startswith("jaxlint.analysis.")}
            assert inner <= allowed[name], path


def test_only_the_composition_root_knows_the_checkers():
    """The interpreter publishes events; what listens to them is put together in one place."""
    knows = {"jaxlint.analysis.analyser", "jaxlint.analysis.hazards"}  # the second lists all hazards, for plugins
    checkers = ("jaxlint.analysis.checkers", "jaxlint.analysis.training")
    for path in MODULES:
        module = dotted(path)
        if module.startswith("jaxlint.analysis.") and not module.startswith(checkers):
            if any(imported.startswith(checkers) for imported in imports(path)):
                assert module in knows, f"{module} imports a checker; publish an event in its place"


def test_no_module_leads_back_to_itself():
    leads = {dotted(path): {name for name in imports(path) if name != dotted(path)} for path in MODULES}
    while ends := {module for module, others in leads.items() if not others & leads.keys()}:
        for module in ends:
            del leads[module]
    assert sorted(leads) == []


def test_a_folder_holds_what_one_can_look_through():
    folders = Counter(path.parent for path in MODULES if path.name != "__init__.py")
    assert folders[PACKAGE] < 10
    assert {str(folder): count for folder, count in folders.items() if count > 45} == {}


def test_the_probe_alone_imports_jax():
    """Linting needs neither JAX nor NumPy; only what runs JAX may import them."""
    runs_jax = ("jaxlint.verify", "jaxlint.knowledge.probe", "jaxlint.knowledge.harnesses")
    for path in MODULES:
        if dotted(path).startswith(runs_jax):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & {"jax", "jaxlib", "numpy"}, path


# Modules of more than 425 lines of code, and why each is one module.
LONG = {
    "jaxlint.analysis.interpreter.calls": "arguments, contexts and summaries of a call share one protocol",
    "jaxlint.analysis.interpreter.expressions": "one method for each kind of expression",
    "jaxlint.ir.from_libcst": "one method for each kind of libCST node",
    "jaxlint.analysis.interpreter.members": "one method for each kind of value that has members",
    "jaxlint.analysis.interpreter.statements": "one method for each kind of statement",
    "jaxlint.analysis.transforms.wrap_and_call": "one method for each transform",
    "jaxlint.analysis.domain.values": "one small class for each kind of value",
    "jaxlint.knowledge.probe.library_calls": "one call for each function of a library that cannot be tried by itself",
    "jaxlint.ir.nodes": "one small class for each kind of node",
}


def code_lines(path):
    """How many lines of a module are neither blank nor documentation."""
    text = path.read_text(encoding="utf-8")
    documentation: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            documentation.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return sum(1 for row, line in enumerate(text.splitlines(), 1) if line.strip() and row not in documentation)


def test_no_module_is_too_long_to_read():
    lengths = {dotted(path): code_lines(path) for path in MODULES}
    assert {module: length for module, length in lengths.items() if length > 425 and module not in LONG} == {}


def loaded_by(*arguments, folder=None):
    """Modules loaded by a run of the command in a process of its own, which works in ``folder``."""
    code = (
        "import sys\nfrom jaxlint.cli import main\n"
        f"code = main({list(arguments)!r})\n"
        "print(code, *sorted(sys.modules), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
    code, *loaded = run.stderr.splitlines()[-1].split()
    return int(code), set(loaded)


def imported_by(*arguments):
    """Top-level packages loaded by a run of the command in a process of its own."""
    code, loaded = loaded_by(*arguments)
    return code, {name.split(".")[0] for name in loaded}


# What a run loads of ours before a file concerns it: each of them costs every commit of everybody.
FIRST = {
    "jaxlint", "jaxlint.cli", "jaxlint.commands", "jaxlint.commands.check", "jaxlint.commands.configs",
    "jaxlint.commands.progress", "jaxlint.commands.results", "jaxlint.configuration", "jaxlint.configuration.config",
    "jaxlint.configuration.discovery", "jaxlint.configuration.formatters", "jaxlint.configuration.lookup", "jaxlint.configuration.options", "jaxlint.configuration.requirements", "jaxlint.configuration.table", "jaxlint.source.limits", "jaxlint.source.reading",
    "jaxlint.configuration.trust", "jaxlint.hazards", "jaxlint.hazards.selectors", "jaxlint.project",
    "jaxlint.project.custom_names", "jaxlint.project.resolver", "jaxlint.project.sources", "jaxlint.report", "jaxlint.report.text", "jaxlint.run",
    "jaxlint.run.importers", "jaxlint.run.job", "jaxlint.run.runner", "jaxlint.source", "jaxlint.source.files", "jaxlint.source.libraries",
    "jaxlint.source.patterns", "jaxlint.source.relevance", "jaxlint.source.text", "jaxlint.source.toml",
}  # fmt: skip
# What takes longer to load than to read the files. `shutil` is what argparse asks for the width of the terminal.
SLOW = {
    "ast", "concurrent.futures", "configparser", "copy", "dataclasses", "difflib", "enum", "hashlib", "importlib.metadata", "inspect",
    "json", "logging", "multiprocessing", "packaging", "pathlib", "pickle", "pkgutil", "shutil", "subprocess",
    "tempfile", "textwrap", "tomllib", "traceback", "urllib.parse", "libcst", "rich", "jax", "numpy",
}  # fmt: skip


def ours(loaded):
    return {name for name in loaded if name.split(".")[0] == "jaxlint"}


def loaded_by_python():
    """What a bare Python with argparse loads here, which is nothing that we could leave out."""
    code = "import argparse, re, sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize(
    "path",
    [each for each in MODULES if layer(dotted(each)) in (LAYERS.index("ir"), LAYERS.index("analysis"))],
    ids=dotted,
)
def test_no_nested_function_holds_itself(path):
    """It would keep what it closes over, the interpreter, until the collector looks: compiled code has one object for all
    variables of a function that functions within it read."""
    for outer in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(outer, ast.FunctionDef):
            inside = [node for statement in outer.body for node in ast.walk(statement)]
            names = {node.name for node in inside if isinstance(node, ast.FunctionDef)}
            closures = [node for node in inside if isinstance(node, ast.FunctionDef | ast.Lambda | ast.GeneratorExp)]
            read = {node.id for each in closures for node in ast.walk(each) if isinstance(node, ast.Name)}
            assert not names & read, f"{outer.name} in line {outer.lineno}"


COMPILED = [path for folder in ("ir", "analysis") for path in sorted((PACKAGE / folder).rglob("*.py"))]


def test_no_generator_is_asked_what_is_in_it():
    """mypyc compiles `x in f()` to a call of `__contains__`, which a generator does not have."""
    generators, others, asked = set(), set(), []
    for path in COMPILED:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                own = [node]
                for inner in own:  # grows: what the function itself does, without the functions in it
                    own += [
                        each
                        for each in ast.iter_child_nodes(inner)
                        if not isinstance(each, (ast.FunctionDef, ast.Lambda))
                    ]
                yields = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in own)
                (generators if yields else others).add(node.name)
            elif isinstance(node, ast.Compare):
                for operator, right in zip(node.ops, node.comparators):
                    if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(right, ast.Call):
                        asked.append((path, node.lineno, ast.unparse(right.func).split(".")[-1]))
    wrong = [f"{path}:{row}: {name}" for path, row, name in asked if name in generators - others]
    assert wrong == []


def test_version_loads_nothing_heavy():
    code, loaded = loaded_by("--version")
    assert code == 0
    assert ours(loaded) == {"jaxlint", "jaxlint.cli"}
    assert loaded & SLOW <= loaded_by_python()


CONFIGURED = """
[project]
dependencies = ["jax>=0.6"]

[tool.jaxlint]
select = ["JAX1", "JAX401", "key-reuse"]
ignore = ["JAX70"]
extend-exclude = ["build/", "*_generated.py"]
per-file-ignores = {"examples/" = ["JAX4"]}
"""


@pytest.mark.parametrize(
    "arguments", [(), ("--no-cache",), ("--select", "JAX1", "--output-format", "concise")], ids=" ".join
)
@pytest.mark.parametrize("configuration", ["", CONFIGURED], ids=["plain", "configured"])
def test_a_run_that_skips_every_file_loads_nothing_that_knows_jax(tmp_path, configuration, arguments):
    if configuration:
        (tmp_path / "pyproject.toml").write_text(configuration)
    files = [tmp_path / name for name in ("plain.py", "other.py")]
    files[0].write_text("import os\nimport other\n\n\ndef f(x):\n    return os.path.join(x, other.NAME)\n")
    files[1].write_text("NAME = 'a'\n")
    code, loaded = loaded_by("check", *arguments, *map(str, files), folder=tmp_path)
    assert code == 0
    assert ours(loaded) <= FIRST
    needed = {"tomllib"} if configuration else set()
    assert loaded & SLOW <= loaded_by_python() | needed


def test_a_configured_run_that_skips_every_file_loads_no_parser(tmp_path):
    (tmp_path / "plain.py").write_text("def f(x):\n    return x\n")
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\nextend-exclude = ['build']\ntarget-jax = '>=0.6'\n")
    code, loaded = loaded_by("check", str(tmp_path), folder=tmp_path)
    assert code == 0
    assert not loaded & {
        "libcst",
        "rich",
        "jax",
        "numpy",
        "jaxlint.hazards.registry",
        "jaxlint.run.pipeline",
        "jaxlint.analysis",
    }


def test_linting_needs_no_jax(tmp_path):
    (tmp_path / "model.py").write_text(
        "import jax\n\n@jax.jit\ndef f(x):\n    if x.sum() > 1:\n        return x\n    return -x\n"
    )
    code, loaded = imported_by("check", str(tmp_path))
    assert code == 1
    assert not loaded & {"jax", "jaxlib", "numpy", "flax", "haiku", "libcst"}


def test_a_run_loads_no_format_but_its_own(tmp_path):
    (tmp_path / "model.py").write_text(
        "import jax\n\n@jax.jit\ndef f(x):\n    if x.sum() > 1:\n        return x\n    return -x\n"
    )
    code = (
        "import sys\nfrom jaxlint.cli import main\n"
        f"main(['check', '--output-format', 'concise', {str(tmp_path)!r}])\n"
        "print(*sorted(name for name in sys.modules if name.startswith(('jaxlint', 'xml'))), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    assert {name for name in loaded if name.startswith("jaxlint.report.")} == {
        "jaxlint.report.concise",
        "jaxlint.report.text",
    }
    assert not loaded & {
        "jaxlint.diagnostics.fingerprint",
        "jaxlint.diagnostics.baseline",
        "jaxlint.diagnostics.git_changes",
        "xml.etree.ElementTree",
    }
