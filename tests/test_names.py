"""No rule is decided by letters in a name that a user has chosen, nor by words of a comment."""

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "jaxlint"
MODULES = sorted(path for folder in ("analysis", "hazards", "rewrite") for path in (PACKAGE / folder).rglob("*.py"))
OF_JAXLINT = {
    PACKAGE / "hazards" / "rule.py",
    PACKAGE / "hazards" / "selectors.py",
}  # their patterns are for texts of jaxlint
# A name in the linted code: of a variable, an attribute, a function, a class, a parameter.
_WRITTEN = re.compile(
    r"\.(id|attr)\b|'(id|attr)'|\b(function|definition|parameter|method|scope|named|each|outer)\.(qual)?name\b|\]\.name\b|^attr$"
    r"|\bfilename\b|\bstem\b"
)
_PARTS = {"startswith", "endswith", "search", "match", "fullmatch", "findall", "find", "partition", "rpartition"}

# Decisions by a part of such a name, by module and the text of the test, and the convention each of them is.
CONVENTIONS = {
    ("rewrite/calls.py", "each.name.startswith('_')"): "private, as PEP 8 has it",
    ("rewrite/calls.py", "each.name.startswith('__')"): "private, as PEP 8 has it",
    ("analysis/interpreter/calls.py", "function.name.startswith('_')"): "private, as PEP 8 has it",
    ("analysis/transforms/changing_attributes.py", "method.name.startswith('_')"): "private, as PEP 8 has it",
    ("analysis/transforms/changing_attributes.py", "method.name.startswith('__')"): "called by Python itself",
    ("analysis/transforms/changing_attributes.py", "outer.name.startswith('_')"): "private, as PEP 8 has it",
    (
        "analysis/transforms/custom_rules.py",
        "ordinary[-1].name.startswith('_')",
    ): "a parameter that is not read on purpose",
    ("analysis/interpreter/members.py", "attr.startswith('_')"): "no field of a named tuple, as Python has it",
    ("analysis/checkers/library_attributes.py", "attr.startswith('_')"): "private, as PEP 8 has it",
    ("analysis/checkers/numpy_only.py", "attr.startswith('_')"): "private, as PEP 8 has it",
    ("analysis/models/equinox.py", "function.name.startswith('_')"): "private, as PEP 8 has it",
    (
        "analysis/models/linen.py",
        "(each.name or '').endswith('_init')",
    ): "an argument for an initialiser, as Flax has it",
    ("analysis/models/test_discovery.py", "function.name.startswith('test')"): "pytest, unittest",
    ("analysis/models/test_discovery.py", "stem.startswith('test_')"): "pytest",
    ("analysis/models/test_discovery.py", "stem.endswith('_test')"): "pytest",
    ("analysis/models/test_discovery.py", "owner.definition.name.startswith('Test')"): "pytest",
    (
        "analysis/models/project_names.py",
        "_KEY.fullmatch(node.id)",
    ): "`key-consumers`: the argument that is called `key` or `rng`, where none is known to be one",
}
# Tests that look where a name stands, what module it is in, or at a name of a library; letters of a user decide nothing.
LOOKED_UP = {
    ("analysis/keys/placeholders.py", "function.name.endswith(_ABSTRACT)"),
    ("rewrite/names/moves.py", "str(each.name).rpartition('.')"),
    ("analysis/checkers/discards.py", "function.name.startswith(PURE_MODULES)"),
    ("analysis/checkers/discards.py", "function.name.rpartition('.')"),
    ("hazards/concretization/boolean_operator_on_tracer.py", "each.name.startswith('jax.')"),
    ("analysis/interpreter/members.py", "attr.startswith('jax_')"),
    ("analysis/checkers/discards.py", "function.name.rpartition('.')"),
    ("analysis/checkers/discards.py", "function.name.startswith(PURE_MODULES)"),
    ("analysis/models/linen.py", "(each.name or '').endswith('_init')"),
    (
        "analysis/checkers/missing_arguments.py",
        "'ModelAndOptimizer' in (getattr(each, 'attr', ''), getattr(each, 'name', ''))",
    ),
    (
        "analysis/models/dataclass_fields.py",
        "'KW_ONLY' in (getattr(annotation, 'id', ''), getattr(annotation, 'attr', ''))",
    ),
    ("analysis/checkers/discards.py", "target.id.startswith('_')"),
    ("analysis/interpreter/version_guards.py", "each.name.partition('.')"),
    ("analysis/models/parameter_uses.py", "named.name.partition('.')"),
    (
        "rewrite/wrapper.py",
        "re.compile(f'\\\\bdef\\\\s+({re.escape(function.name)})\\\\s*\\\\(').search(text, file.span(function.site)[0])",
    ),
    ("rewrite/names/moves.py", "file.source.filename.replace('\\\\', '/').endswith('__init__.py')"),
    ("rewrite/keys/own_keys.py", "file.source.text.find(f'def {function.name}', start)"),
}
# Words in regular expressions, by what they are of.
WORDS = {
    "Python": "async def import from bool int uint float complex tuple list",
    "NumPy and JAX, names of classes and functions": "Array ndarray ArrayLike PyTree register_ pytree dataclass static keypaths bfloat",
    "Haiku and Flax, questions of modules": "running_init is_initializing is_mutable_collection has_variable",
    "the option of JAX": "jax_ enable disable _x",
    "libraries with `.at` of their own": "pallas pandas polars cudf dask modin",
    "unittest and absl, methods of test cases": "assert fail skip subTest add Class Cleanup enter_context create_temp log id",
    "`key-consumers`": "key rng prng",
    "messages of jaxlint": "an instance of mod",
    "letters of formats": "fr rf",
    "codes and names of rules": "JAX",
}


def decisions(path):
    """The text of each test of a part of a name in the linted code."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        text = ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PARTS:
            literal = any(isinstance(each, (ast.Constant, ast.Name, ast.Tuple)) for each in node.args)
            looked_at = [node.func.value, *node.args]
            text = ast.unparse(node) if literal or len(node.args) == 1 else ""
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            looked_at = node.comparators if isinstance(node.ops[0], (ast.In, ast.NotIn)) else []
            text = ast.unparse(node)
        else:
            continue
        if text and any(_WRITTEN.search(ast.unparse(each)) for each in looked_at):
            yield text


def patterns(path):
    """The text of each regular expression in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            yield from (
                each.value
                for each in ast.walk(node.args[0])
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            )


def test_parts_of_names_decide_by_conventions_alone():
    found = {(path.relative_to(PACKAGE).as_posix(), text) for path in MODULES for text in decisions(path)}
    assert found == {*CONVENTIONS, *LOOKED_UP}


def test_regular_expressions_have_no_words_of_one_repository():
    known = {word for words in WORDS.values() for word in words.split()}
    used, found = set(), {}
    for path in MODULES:
        for pattern in () if path in OF_JAXLINT else patterns(path):
            bare = re.sub(r"\\[a-zA-Z]|\[[^\]]*\]|\(\?P<\w+>|\(\?(?:[aiLmsux-]*:|<?[=!])", " ", pattern)
            for word in re.findall(r"[A-Za-z_]{2,}", bare):
                used.add(word)
                if word.strip("_") and word not in known:
                    found.setdefault(word, []).append(f"{path.relative_to(PACKAGE)}: {pattern}")
    assert found == {} and known <= used


def test_a_substring_of_a_name_is_found(tmp_path):
    (tmp_path / "a.py").write_text(
        'if "trac" in node.id or _WORDS.search(node.attr) or function.name.endswith("_key"):\n    pass\n'
    )
    assert len(list(decisions(tmp_path / "a.py"))) == 3
