"""Private names of JAX's random keys rewritten with the public functions."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import TYPED_KEY
from jaxlint.rewrite.draft import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.moves import is_annotation, is_named_in_strings, uses, without
from jaxlint.rewrite.requirements import is_plain, known, or_none, require
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


@or_none
def use_fix(file: File, node: ir.Node, api: str) -> Fix:
    """The fix for one use of a private name."""
    return _fix(_rewrite(file, node, api), file.code(node.site, 40))


@or_none
def import_fix(file: File, statement: ir.Import | ir.ImportFrom, names: list[str]) -> Fix:
    """The fix for an import of private names: every use of them is rewritten, and they are imported no more."""
    edits: list[Edit] = []
    imports: frozenset[ImportRequest] = frozenset()
    annotations = True
    gone = []
    for alias in statement.aliases:
        dotted = f"{statement.module}.{alias.name}" if isinstance(statement, ir.ImportFrom) else alias.name
        if dotted not in names:
            continue
        require(alias.asname or isinstance(statement, ir.ImportFrom))  # `import jax._src.prng` binds `jax`
        bound = alias.asname or alias.name
        found_uses = uses(file, statement, bound)
        require(found_uses and not is_named_in_strings(file, bound))  # else imported for others, perhaps
        gone.append(alias)
        for use in found_uses or ():
            found = _rewrite(file, *_widest(file, use, dotted))
            edits += found[0]
            imports |= found[1]
            annotations &= found[2]
    edits += without(file, statement, gone)
    return _fix((edits, imports, annotations), ", ".join(name.rpartition(".")[2] for name in names))


def _fix(found: _Rewrite, name: str) -> Fix:
    edits, imports, annotations = found
    # An argument that is rewritten together with its call needs no edit of its own.
    kept = in_order(edit for edit in edits if not any(_is_inside(edit, other) for other in edits))
    if annotations:
        return Fix("Annotate with `jax.Array`", kept, SAFE, imports)
    return Fix(f"Write `{name}` with the public names of `jax.random`", kept, imports=imports, changes=TYPED_KEY)


def _is_inside(edit: Edit, other: Edit) -> bool:
    return other.start <= edit.start and edit.end <= other.end and other.end - other.start > edit.end - edit.start


def _rewrite(file: File, node: ir.Node, api: str) -> _Rewrite:
    """How to write a use of ``api`` that stands at ``node`` with public names."""
    name = api.rpartition(".")[2]
    above = file.unit.parent(node.site)
    called = above if isinstance(above, ir.Call) and above.func is node else None
    if "." not in api and isinstance(node, ir.Attribute):
        whole: ir.Node = node
        if name == "unsafe_raw_array":
            whole = known(called)
            require(not whole.children()[1:])
        function = "key_data" if name == "unsafe_raw_array" else known(_ATTRIBUTES.get(name))
        key = operands.argument(file, node.value.site)
        return _call(file, whole, f"jax.random.{function}", key)
    if name in _KEY_CLASSES:
        return _of_class(file, node, above) if called is None else _of_class_call(file, called)
    if name in _FUNCTIONS and called is not None:
        spelled, imports = file.api(f"jax.random.{_FUNCTIONS[name]}")
        return [file.replace(node.site, spelled)], imports, False
    require(name in _IMPLEMENTATIONS and isinstance(above, (ir.Call, ir.Keyword)) and called is None)
    return [file.replace(node.site, f'"{_IMPLEMENTATIONS[name]}"')], frozenset(), False


def _call(file: File, node: ir.Node, function: str, arguments: str) -> _Rewrite:
    """A call of a public function in the place of a node."""
    spelled, imports = file.api(function)
    return [file.replace(node.site, f"{spelled}({arguments})")], imports, False


def _of_class(file: File, node: ir.Node, above: ir.Node | None) -> _Rewrite:
    require(not isinstance(above, (ir.Attribute, ir.ClassDefinition)))
    if isinstance(above, ir.Call):
        require(file.is_api(above.func.site, "builtins.isinstance") and above.args[1:] == (node,))
        prng_key, imports = file.api("jax.dtypes.prng_key")
        array = operands.operand(file, above.args[0].site)
        edits, more, _ = _call(file, above, "jax.numpy.issubdtype", f"{array}.dtype, {prng_key}")
        return edits, imports | more, False
    spelled, imports = file.api("jax.Array")
    return [file.replace(node.site, spelled)], imports, is_annotation(file, node)


def _of_class_call(file: File, call: ir.Call) -> _Rewrite:
    """`PRNGKeyArray(impl, data)`"""
    require(not call.keywords and len(call.args) == 2 and is_plain(call.args))
    impl, data = call.args
    name = _IMPLEMENTATIONS.get(file.api_name(impl.site).rpartition(".")[2])
    code = f'"{name}"' if name else file.code(impl.site)
    return _call(file, call, "jax.random.wrap_key_data", f"{operands.argument(file, data.site)}, impl={code}")


def _widest(file: File, use: ir.Node, dotted: str) -> tuple[ir.Node, str]:
    """The attribute reached through a module, with its full name: what is used of it."""
    above = file.unit.parent(use.site)
    if isinstance(above, ir.Attribute) and dotted.rpartition(".")[2] == "prng":
        return above, f"{dotted}.{above.attr}"
    return use, dotted
