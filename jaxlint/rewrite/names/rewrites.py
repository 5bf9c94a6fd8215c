"""Rewrites of uses whose replacement is not simply another name; `knowledge` says which belongs to what.

Each takes the node that names the old API and a function that says how to write a name in this file. They raise NoFix where the use has a form they do not know.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from jaxlint.analysis.domain.values import Const, Host, Ref, Static, Tuple, Value
from jaxlint.analysis.transforms.axis_names import SHARDINGS
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, plain_call, require

Spell = Callable[[Draft, str], str]  # how to write a canonical name
Rewrite = Callable[[Draft, ir.Node, str, Spell], None]
_NO_AT: tuple[type[Value], ...] = (Host, Const, Static, Ref, Tuple)  # arrays of NumPy, numbers and containers


def called(file: File, node: ir.Node) -> ir.Call | None:
    """The call of which ``node`` is the function."""
    above = file.unit.parent(node.site)
    return above if isinstance(above, ir.Call) and above.func is node else None


def _plain_call(file: File, node: ir.Node, counts: Container[int], keywords: tuple[str, ...] = ()) -> ir.Call:
    """The call of ``node`` with so many arguments by position, and no keyword but these."""
    call = plain_call(called(file, node))
    require(len(call.args) in counts and all(keyword.name in keywords for keyword in call.keywords))
    return call


def alias(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """Another name."""
    draft.replace(node.site, spell(draft, name))


def renamed_call(*counts: int, keywords: tuple[str, ...] = (), added: str = "", behind: str = "") -> Rewrite:
    """Another name in a call of a plain form, with one more argument, or more code behind it."""

    def rewrite(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
        call = _plain_call(draft.file, node, counts, keywords)
        alias(draft, node, name, spell)
        if added:
            draft.append_argument(call, added)
        if behind:
            draft.insert(draft.file.span(call.site)[1], behind)

    return rewrite


def positional(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """Another name for a function whose parameters have other names."""
    require(not known(called(draft.file, node)).keywords)
    alias(draft, node, name, spell)


def swap_sph_harm(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """`sph_harm(m, n, theta, phi)` as `sph_harm_y(n, m, phi, theta)`: both pairs change places."""
    m, n, theta, phi = _plain_call(draft.file, node, (4,), ("n_max",)).args
    alias(draft, node, name, spell)
    for old, new in ((m, n), (n, m), (theta, phi), (phi, theta)):
        draft.replace(old.site, operands.argument(draft.file, new.site))


def negative(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """`NINF` as `-inf`, in parentheses where `**` would bind closer than the sign."""
    above = draft.file.unit.parent(node.site)
    binds = isinstance(above, (ir.Attribute, ir.Subscript)) or (isinstance(above, ir.Binary) and above.op == "**")
    draft.replace(node.site, f"(-{spell(draft, name)})" if binds else f"-{spell(draft, name)}")


def call_true(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """`enable_x64()` as `enable_x64(True)`."""
    call = _plain_call(draft.file, node, (0, 1))
    renamed_call(len(call.args), added="" if call.args else "True")(draft, node, name, spell)


def second(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """`tie_in(x, y)` as `y`."""
    call = _plain_call(draft.file, node, (2,))
    draft.replace(call.site, operands.operand(draft.file, call.args[1].site))


def _at(method: str) -> Rewrite:
    def index_update(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
        """`index_update(x, i, y)` as `x.at[i].set(y)`."""
        file = draft.file
        call = _plain_call(file, node, (3,), ("indices_are_sorted", "unique_indices"))
        x, index, y = call.args
        given = "".join(f", {file.code(keyword.site)}" for keyword in call.keywords)
        array = operands.operand(file, x.site)
        if _has_no_at(file, x):
            array = f"{spell(draft, 'jax.numpy.asarray')}({operands.argument(file, x.site)})"
        text = f"{array}.at[{_index(file, index)}].{method}({operands.argument(file, y.site)}{given})"
        draft.replace(call.site, text)

    return index_update


def _has_no_at(file: File, node: ir.Expression) -> bool:
    """Whether a value is, or begins as, a list, a number or an array of NumPy."""
    made = [node]
    if isinstance(node, ir.Name):
        found = bindings(file.unit.scope(node.site), node.id)
        made += [each.value for each in found if isinstance(each, ir.Assign)]
        function = file.unit.scope(node.site)
        taken = function.parameters if isinstance(function, ir.Function) else ()
        declared = [each.annotation for each in taken if each.name == node.id and each.annotation is not None]
        if any(file.code(each.site) == file.api("numpy.ndarray")[0] for each in declared):
            return True
    for each in made:
        if isinstance(each, ir.Sequence) or any(isinstance(value, _NO_AT) for value in file.values(each.site)):
            return True
        called = file.api_names(each.func.site) if isinstance(each, ir.Call) else set()
        if any(name.startswith("numpy.") for name in called):
            return True
    return False


def _index(file: File, index: ir.Node) -> str:
    """The index as it stands in a subscript: of `jax.ops.index[1, :]` what is in the brackets."""
    if isinstance(index, ir.Subscript) and ir.last_name(index.value) in ("index", "index_exp", "s_"):
        return file.code(index.index.site)
    return operands.argument(file, index.site)


def keywords_pjit(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """`pjit(f, in_axis_resources=a)` as `jax.jit(f, in_shardings=a)`."""
    names = ("in_shardings", "out_shardings", "static_argnums", "static_argnames", "donate_argnums")
    renamed = {"in_axis_resources": "in_shardings", "out_axis_resources": "out_shardings"}
    call = draft.file.unit.parent(node.site)  # or of `partial`
    # `with mesh:` gives specifications of a `pjit` their mesh, and not those of a `jit`.
    if isinstance(call, ir.Call):
        given = [*call.args[1:3], *(each.value for each in call.keywords if each.name in (*renamed, *names[:2]))]
        require(all(_has_mesh(draft.file, each) for each in given))
    named_arguments(names, renamed)(draft, node, name, spell)


def _has_mesh(file: File, node: ir.Node, by_name: bool = True) -> bool:
    """Whether shardings are known to be none, or to have their mesh."""
    if isinstance(node, ir.Call):
        return not file.api_names(node.func.site).isdisjoint(SHARDINGS)
    if isinstance(node, ir.Name) and by_name:
        made = bindings(file.unit.scope(node.site), node.id) or bindings(file.unit.module, node.id)
        return bool(made) and all(isinstance(x, ir.Assign) and _has_mesh(file, x.value, by_name=False) for x in made)
    return isinstance(node, (ir.Constant, ir.Sequence)) and all(_has_mesh(file, each) for each in node.children())


def named_arguments(positions: tuple[str, ...], renamed: dict[str, str], refused: tuple[str, ...] = ()) -> Rewrite:
    """A call whose arguments after the first are named, under the names that the new function has for them."""

    def rewrite(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
        file, above = draft.file, draft.file.unit.parent(node.site)
        alias(draft, node, name, spell)
        if isinstance(above, ir.Function):  # a bare decorator: the function is what its callers make of it
            return
        call = plain_call(above)
        require(call.func is node or call.args == (node,))  # `partial(shard_map, mesh=m)`
        require(len(call.args) - 1 <= len(positions) and all(each.name not in refused for each in call.keywords))
        for argument, parameter in zip(call.args[1:], positions):
            draft.insert(file.outer_span(argument.site)[0], f"{parameter}=")
        for keyword in call.keywords:
            if keyword.name in renamed:
                draft.rename(keyword, renamed[keyword.name])

    return rewrite


def addressable(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """`x.device_buffer` as `x.addressable_data(0)`."""
    array = operands.operand(draft.file, expect(ir.Attribute, node).value.site)
    draft.replace(node.site, f"{array}.addressable_data(0)")


def seed_impl(draft: Draft, node: ir.Node, name: str, spell: Spell) -> None:
    """`rbg_key(seed)` as `PRNGKey(seed, impl="rbg")`."""
    added = f'impl="{ir.last_name(node).removesuffix("_key")}"'
    renamed_call(1, added=added)(draft, node, name, spell)


REWRITES: dict[str, Rewrite] = {
    "alias": alias,
    "positional": positional,
    "without-out": renamed_call(1),
    # `in1d(a, b)` as `isin(a, b).ravel()`: it flattens, whatever the shape of `a`.
    "ravel": renamed_call(2, keywords=("assume_unique", "invert"), behind=".ravel()"),
    "swap-sph-harm": swap_sph_harm,
    "negative": negative,
    "call-true": call_true,
    "call-false": renamed_call(0, added="False"),  # `disable_x64()` as `enable_x64(False)`
    "second": second,
    # `shuffle(key, x, axis)` as `permutation(key, x, axis, independent=True)`.
    "shuffle": renamed_call(2, 3, keywords=("axis",), added="independent=True"),
    "sort-first-axis": renamed_call(1, added="axis=0"),  # `msort(a)` as `sort(a, axis=0)`
    "seed-impl": seed_impl,
    "addressable": addressable,
    "pcast": renamed_call(2, added='to="varying"'),  # `pvary(x, axes)` as `pcast(x, axes, to="varying")`
    # `shard_map(f, mesh, i, o, check_rep=False)` as `jax.shard_map(f, mesh=mesh, …, check_vma=False)`.
    "keywords-shard-map": named_arguments(("mesh", "in_specs", "out_specs"), {"check_rep": "check_vma"}, ("auto",)),
    "keywords-pjit": keywords_pjit,
    **{f"at-{method}": _at(method) for method in ("set", "add", "multiply", "min", "max")},
}
