"""Private names of JAX's random keys rewritten with the public functions."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import TYPED_KEY
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.moves import is_annotation, is_named_in_strings, uses, without
from jaxlint.rewrite.requirements import known, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Edit, Fix

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


class _Draft(Draft):
    """Uses of private names written anew, and whether all of them stand in annotations."""

    annotations = True

    def call_in_place(self, node: ir.Node, function: str, *arguments: str) -> None:
        """A call of a public function in the place of a node."""
        self.annotations = False
        self.replace(node.site, self.call(function, *arguments))

    def written(self, name: str) -> Fix:
        # An argument that is rewritten together with its call needs no edit of its own.
        self.edits = [edit for edit in self.edits if not any(_is_inside(edit, other) for other in self.edits)]
        if self.annotations:
            return self.fix("Annotate with `jax.Array`", level=Applicability.SAFE)
        return self.fix(f"Write `{name}` with the public names of `jax.random`", TYPED_KEY)


@or_none
def use_fix(file: File, node: ir.Node, api: str) -> Fix:
    """The fix for one use of a private name."""
    draft = _Draft(file)
    _rewrite(draft, node, api)
    return draft.written(file.code(node.site, 40))


@or_none
def import_fix(file: File, statement: ir.Import | ir.ImportFrom, names: list[str]) -> Fix:
    """The fix for an import of private names: every use of them is rewritten, and they are imported no more."""
    draft, gone = _Draft(file), []
    for alias in statement.aliases:
        dotted = f"{statement.module}.{alias.name}" if isinstance(statement, ir.ImportFrom) else alias.name
        if dotted not in names:
            continue
        require(alias.asname or isinstance(statement, ir.ImportFrom))  # `import jax._src.prng` binds `jax`
        bound = alias.asname or alias.name
        found = known(uses(file, statement, bound))
        require(found and not is_named_in_strings(file, bound))  # else imported for others, perhaps
        gone.append(alias)
        for use in found:
            _rewrite(draft, *_widest(file, use, dotted))
    draft.edits += without(file, statement, gone)
    return draft.written(", ".join(name.rpartition(".")[2] for name in names))


def _is_inside(edit: Edit, other: Edit) -> bool:
    return other.start <= edit.start and edit.end <= other.end and other.end - other.start > edit.end - edit.start


def _rewrite(draft: _Draft, node: ir.Node, api: str) -> None:
    """Writes a use of ``api`` that stands at ``node`` with public names."""
    name, file = api.rpartition(".")[2], draft.file
    above = file.unit.parent(node.site)
    called = above if isinstance(above, ir.Call) and above.func is node else None
    if "." not in api and isinstance(node, ir.Attribute):
        whole: ir.Node = node
        if name == "unsafe_raw_array":
            whole = known(called)
            require(not whole.children()[1:])
        function = "key_data" if name == "unsafe_raw_array" else known(_ATTRIBUTES.get(name))
        draft.call_in_place(whole, f"jax.random.{function}", operands.argument(file, node.value.site))
    elif name in _KEY_CLASSES and called is None:
        _of_class(draft, node, above)
    elif name in _KEY_CLASSES:
        impl, data = plain_call(called, 2).args  # `PRNGKeyArray(impl, data)`
        public = _IMPLEMENTATIONS.get(file.api_name(impl.site).rpartition(".")[2])
        given = f'impl="{public}"' if public else f"impl={file.code(impl.site)}"
        draft.call_in_place(known(called), "jax.random.wrap_key_data", operands.argument(file, data.site), given)
    elif name in _FUNCTIONS and called is not None:
        draft.annotations = False
        draft.use(node.site, f"jax.random.{_FUNCTIONS[name]}")
    else:
        require(name in _IMPLEMENTATIONS and isinstance(above, (ir.Call, ir.Keyword)) and called is None)
        draft.annotations = False
        draft.replace(node.site, f'"{_IMPLEMENTATIONS[name]}"')


def _of_class(draft: _Draft, node: ir.Node, above: ir.Node | None) -> None:
    file = draft.file
    require(not isinstance(above, (ir.Attribute, ir.ClassDefinition)))
    if isinstance(above, ir.Call):
        require(file.is_api(above.func.site, "builtins.isinstance") and above.args[1:] == (node,))
        dtype = f"{operands.operand(file, above.args[0].site)}.dtype"
        draft.call_in_place(above, "jax.numpy.issubdtype", dtype, draft.api("jax.dtypes.prng_key"))
    else:
        draft.annotations &= is_annotation(file, node)
        draft.use(node.site, "jax.Array")


def _widest(file: File, use: ir.Node, dotted: str) -> tuple[ir.Node, str]:
    """The attribute reached through a module, with its full name: what is used of it."""
    above = file.unit.parent(use.site)
    if isinstance(above, ir.Attribute) and dotted.rpartition(".")[2] == "prng":
        return above, f"{dotted}.{above.attr}"
    return use, dotted
