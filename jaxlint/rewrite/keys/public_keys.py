"""Private names of JAX's random keys rewritten with the public functions."""

from __future__ import annotations

from jaxlint.analysis.domain.values import Api
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import TYPED_KEY
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.imported_names import is_annotation, is_named_in_strings, uses, without
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE

_KEY_CLASSES = ("KeyArray", "PRNGKeyArray", "PRNGKeyArrayImpl")
# Functions that take the same arguments under their public name.
_FUNCTIONS = {
    "random_wrap": "wrap_key_data",
    "random_unwrap": "key_data",
    "random_fold_in": "fold_in",
    "random_split": "split",
}
_IMPLEMENTATIONS = {
    "threefry_prng_impl": "threefry2x32",
    "rbg_prng_impl": "rbg",
    "unsafe_rbg_prng_impl": "unsafe_rbg",
}
_ATTRIBUTES = {"impl": "key_impl", "_impl": "key_impl", "_base_array": "key_data"}

# Edits, the imports they take, and whether all of them stand in annotations.
_Rewrite = tuple[list[Edit], frozenset[ImportRequest], bool]


def use_fix(file: File, node: ir.Node, api: str) -> Fix | None:
    """The fix for one use of a private name."""
    found = _rewrite(file, node, api)
    return None if found is None else _fix(found, file.code(node.site, 40))


def import_fix(file: File, statement: ir.Import | ir.ImportFrom, names: list[str]) -> Fix | None:
    """The fix for an import of private names: every use of them is rewritten, and they are imported no more."""
    edits: list[Edit] = []
    imports: frozenset[ImportRequest] = frozenset()
    annotations = True
    gone = []
    for alias in statement.aliases:
        dotted = f"{statement.module}.{alias.name}" if isinstance(statement, ir.ImportFrom) else alias.name
        if dotted not in names:
            continue
        if isinstance(statement, ir.Import) and alias.asname is None:
            return None  # `import jax._src.prng` binds `jax`
        bound = alias.asname or alias.name
        found_uses = uses(file, statement, bound)
        if not found_uses or is_named_in_strings(file, bound):
            return None  # imported for others, perhaps
        gone.append(alias)
        for use in found_uses:
            node, api = _widest(file, use, dotted)
            found = _rewrite(file, node, api)
            if found is None:
                return None
            edits += found[0]
            imports |= found[1]
            annotations &= found[2]
    edits += without(file, statement, gone)
    return _fix((edits, imports, annotations), ", ".join(name.rpartition(".")[2] for name in names))


def _fix(found: _Rewrite, name: str) -> Fix:
    edits, imports, annotations = found
    # An argument that is rewritten together with its call needs no edit of its own.
    kept = {edit for edit in edits if not any(_is_inside(edit, other) for other in edits)}
    ordered = tuple(sorted(kept, key=lambda edit: (edit.start, edit.end)))
    title = f"Write `{name}` with the public names of `jax.random`"
    if annotations:
        return Fix("Annotate with `jax.Array`", ordered, SAFE, imports)
    return Fix(title, ordered, imports=imports, changes=TYPED_KEY)


def _is_inside(edit: Edit, other: Edit) -> bool:
    return other.start <= edit.start and edit.end <= other.end and other.end - other.start > edit.end - edit.start


def _rewrite(file: File, node: ir.Node, api: str) -> _Rewrite | None:
    """How to write a use of ``api`` that stands at ``node`` with public names."""
    name = api.rpartition(".")[2]
    above = file.unit.parent(node.site)
    if "." not in api and isinstance(node, ir.Attribute):
        return _of_attribute(file, node, name, above)
    called = above if isinstance(above, ir.Call) and above.func is node else None
    if name in _KEY_CLASSES:
        if called is not None:
            return _of_class_call(file, called)
        return _of_class(file, node, above)
    if name in _FUNCTIONS and called is not None:
        spelled, imports = file.api(f"jax.random.{_FUNCTIONS[name]}")
        return [file.replace(node.site, spelled)], imports, False
    if name in _IMPLEMENTATIONS and isinstance(above, (ir.Call, ir.Keyword)) and called is None:
        return [file.replace(node.site, f'"{_IMPLEMENTATIONS[name]}"')], frozenset(), False
    return None


def _of_attribute(file: File, node: ir.Attribute, name: str, above: ir.Node | None) -> _Rewrite | None:
    whole: ir.Node = node
    if name == "unsafe_raw_array":
        if not isinstance(above, ir.Call) or above.func is not node or above.args or above.keywords:
            return None
        whole, function = above, "key_data"
    else:
        function = _ATTRIBUTES.get(name, "")
    if not function:
        return None
    spelled, imports = file.api(f"jax.random.{function}")
    key = operands.argument(file, node.value.site)
    return [file.replace(whole.site, f"{spelled}({key})")], imports, False


def _of_class(file: File, node: ir.Node, above: ir.Node | None) -> _Rewrite | None:
    if isinstance(above, (ir.Attribute, ir.ClassDefinition)):
        return None
    if isinstance(above, ir.Call):
        test = [value.name for value in file.values(above.func.site) if type(value) is Api]
        if test[:1] != ["builtins.isinstance"] or len(above.args) != 2 or above.args[1] is not node:
            return None
        issubdtype, imports = file.api("jax.numpy.issubdtype")
        prng_key, more = file.api("jax.dtypes.prng_key")
        array = operands.operand(file, above.args[0].site)
        text = f"{issubdtype}({array}.dtype, {prng_key})"
        return [file.replace(above.site, text)], imports | more, False
    spelled, imports = file.api("jax.Array")
    return [file.replace(node.site, spelled)], imports, is_annotation(file, node)


def _of_class_call(file: File, call: ir.Call) -> _Rewrite | None:
    """`PRNGKeyArray(impl, data)`"""
    if call.keywords or len(call.args) != 2 or any(isinstance(arg, ir.Starred) for arg in call.args):
        return None
    impl, data = call.args
    named = {value.name.rpartition(".")[2] for value in file.values(impl.site) if type(value) is Api}
    known = _IMPLEMENTATIONS.get(named.pop()) if len(named) == 1 else None
    code = f'"{known}"' if known else file.code(impl.site)
    spelled, imports = file.api("jax.random.wrap_key_data")
    text = f"{spelled}({operands.argument(file, data.site)}, impl={code})"
    return [file.replace(call.site, text)], imports, False


def _widest(file: File, use: ir.Node, dotted: str) -> tuple[ir.Node, str]:
    """The attribute reached through a module, with its full name: what is used of it."""
    above = file.unit.parent(use.site)
    if isinstance(above, ir.Attribute) and dotted.rpartition(".")[2] == "prng":
        return above, f"{dotted}.{above.attr}"
    return use, dotted
