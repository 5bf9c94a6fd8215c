"""Rewrites of uses whose replacement is not simply another name; `knowledge` says which belongs to what.

Each takes the node that names the old API and gives edits, with a function that says how to write a name
in this file; None where the use has a form it does not know.
"""

from __future__ import annotations

from collections.abc import Callable

from jaxlint.analysis.domain.values import Const, Host, Ref, Static, Tuple, Value
from jaxlint.analysis.transforms.axis_names import SPECIFICATIONS
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.rewrite import operands
from jaxlint.rewrite.file import File
from jaxlint.rewrite.parameters import append_argument
from jaxlint.source.diagnostic import Edit, ImportRequest

# Canonical name -> text, and the imports it takes.
Spell = Callable[[str], tuple[str, frozenset[ImportRequest]]]
Rewritten = tuple[list[Edit], frozenset[ImportRequest]]
_NO_IMPORTS: frozenset[ImportRequest] = frozenset()
_NO_AT: tuple[type[Value], ...] = (Host, Const, Static, Ref, Tuple)  # arrays of NumPy, numbers and containers


def called(file: File, node: ir.Node) -> ir.Call | None:
    """The call of which ``node`` is the function."""
    above = file.unit.parent(node.site)
    return above if isinstance(above, ir.Call) and above.func is node else None


def _plain_call(file: File, node: ir.Node, count: int, keywords: tuple[str, ...] = ()) -> ir.Call | None:
    """The call of ``node`` with ``count`` arguments by position, and no keyword but these."""
    call = called(file, node)
    if call is None or len(call.args) != count or any(isinstance(arg, ir.Starred) for arg in call.args):
        return None
    return call if all(keyword.name in keywords for keyword in call.keywords) else None


def alias(file: File, node: ir.Node, name: str, spell: Spell, *more: Edit) -> Rewritten:
    """Another name, and more edits of the call."""
    text, imports = spell(name)
    return [file.replace(node.site, text), *more], imports


def without_out(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """Another name for the same function, but for `out=`."""
    call = _plain_call(file, node, 1)
    return None if call is None else alias(file, node, name, spell)


def positional(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """Another name for a function whose parameters have other names."""
    call = called(file, node)
    return None if call is None or call.keywords else alias(file, node, name, spell)


def ravel(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`in1d(a, b)` as `isin(a, b).ravel()`: it flattens, whatever the shape of `a`."""
    call = _plain_call(file, node, 2, ("assume_unique", "invert"))
    return None if call is None else alias(file, node, name, spell, file.insert(file.span(call.site)[1], ".ravel()"))


def swap_sph_harm(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`sph_harm(m, n, theta, phi)` as `sph_harm_y(n, m, phi, theta)`: both pairs change places."""
    call = _plain_call(file, node, 4, ("n_max",))
    if call is None:
        return None
    m, n, theta, phi = call.args
    pairs = ((m, n), (n, m), (theta, phi), (phi, theta))
    swapped = (file.replace(old.site, operands.argument(file, new.site)) for old, new in pairs)
    return alias(file, node, name, spell, *swapped)


def negative(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`NINF` as `-inf`, in parentheses where `**` would bind closer than the sign."""
    text, imports = spell(name)
    above = file.unit.parent(node.site)
    binds = isinstance(above, (ir.Attribute, ir.Subscript)) or (isinstance(above, ir.Binary) and above.op == "**")
    return [file.replace(node.site, f"(-{text})" if binds else f"-{text}")], imports


def call_true(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`enable_x64()` as `enable_x64(True)`."""
    call = called(file, node)
    if call is None or call.keywords or len(call.args) > 1:
        return None
    if call.args:
        return alias(file, node, name, spell)
    text, imports = spell(name)
    return [file.replace(call.site, f"{text}(True)")], imports


def call_false(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`disable_x64()` as `enable_x64(False)`."""
    call = _plain_call(file, node, 0)
    if call is None:
        return None
    text, imports = spell(name)
    return [file.replace(call.site, f"{text}(False)")], imports


def second(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`tie_in(x, y)` as `y`."""
    call = _plain_call(file, node, 2)
    return None if call is None else ([file.replace(call.site, operands.operand(file, call.args[1].site))], frozenset())


def shuffle(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`shuffle(key, x, axis)` as `permutation(key, x, axis, independent=True)`."""
    call = called(file, node)
    if call is None or not 2 <= len(call.args) <= 3 or any(keyword.name != "axis" for keyword in call.keywords):
        return None
    return _with_argument(file, node, name, spell, call, "independent=True")


def _at(method: str) -> Callable[..., Rewritten | None]:
    def index_update(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
        """`index_update(x, i, y)` as `x.at[i].set(y)`."""
        call = _plain_call(file, node, 3, ("indices_are_sorted", "unique_indices"))
        if call is None:
            return None
        x, index, y = call.args
        where = _index(file, index)
        given = "".join(f", {file.code(keyword.site)}" for keyword in call.keywords)
        array, imports = operands.operand(file, x.site), _NO_IMPORTS
        if _has_no_at(file, x):
            asarray, imports = spell("jax.numpy.asarray")
            array = f"{asarray}({operands.argument(file, x.site)})"
        text = f"{array}.at[{where}].{method}({operands.argument(file, y.site)}{given})"
        return [file.replace(call.site, text)], imports

    return index_update


def _has_no_at(file: File, node: ir.Expression) -> bool:
    """Whether a value is, or begins as, a list, a number or an array of NumPy."""
    made = [node]
    if isinstance(node, ir.Name):
        found = bindings(file.unit.scope(node.site), node.id)
        made += [each.value for each in found if isinstance(each, ir.Assign)]
    for each in made:
        if isinstance(each, ir.Sequence) or any(isinstance(value, _NO_AT) for value in file.values(each.site)):
            return True
        called = file.api_names(each.func.site) if isinstance(each, ir.Call) else set()
        if any(name.startswith("numpy.") for name in called):
            return True
    return False


def _index(file: File, index: ir.Node) -> str:
    """The index as it stands in a subscript: of `jax.ops.index[1, :]` what is in the brackets."""
    if isinstance(index, ir.Subscript):
        holder = index.value
        name = holder.attr if isinstance(holder, ir.Attribute) else getattr(holder, "id", "")
        if name in ("index", "index_exp", "s_"):
            return file.code(index.index.site)
    return operands.argument(file, index.site)


_SHARD_MAP = ("mesh", "in_specs", "out_specs")
_RENAMED_IN_SHARD_MAP = {"check_rep": "check_vma"}
_RENAMED_IN_PJIT = {"in_axis_resources": "in_shardings", "out_axis_resources": "out_shardings"}


def keywords_shard_map(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`shard_map(f, mesh, i, o, check_rep=False)` as `jax.shard_map(f, mesh=mesh, …, check_vma=False)`."""
    return _with_keywords(file, node, name, spell, _SHARD_MAP, _RENAMED_IN_SHARD_MAP, ("auto",))


def keywords_pjit(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`pjit(f, in_axis_resources=a)` as `jax.jit(f, in_shardings=a)`."""
    names = ("in_shardings", "out_shardings", "static_argnums", "static_argnames", "donate_argnums")
    call = called(file, node)
    given = [*call.args[1:], *(keyword.value for keyword in call.keywords)] if call is not None else []
    if any(_has_specs(file, each) for each in given):
        return None  # `with mesh:` gives specifications of a `pjit` their mesh, and not those of a `jit`
    return _with_keywords(file, node, name, spell, names, _RENAMED_IN_PJIT, ())


def _has_specs(file: File, node: ir.Node, by_name: bool = True) -> bool:
    """Whether an argument is made of `PartitionSpec`s, outside of a sharding that has its mesh."""
    if isinstance(node, ir.Call):
        return not file.api_names(node.func.site).isdisjoint(SPECIFICATIONS)
    if isinstance(node, ir.Name) and by_name:
        made = bindings(file.unit.scope(node.site), node.id) or bindings(file.unit.module, node.id)
        return any(isinstance(each, ir.Assign) and _has_specs(file, each.value, by_name=False) for each in made)
    return any(isinstance(each, ir.Expression) and _has_specs(file, each, by_name) for each in node.children())


def _with_keywords(
    file: File,
    node: ir.Node,
    name: str,
    spell: Spell,
    positions: tuple[str, ...],
    renamed: dict[str, str],
    refused: tuple[str, ...],
) -> Rewritten | None:
    """A call whose arguments after the first are named, under the names that the new function has for them."""
    call = called(file, node)
    above = file.unit.parent(node.site)
    if call is not None:
        arguments, keywords = call.args, call.keywords
    elif isinstance(above, ir.Call) and len(above.args) == 1 and above.args[0] is node:
        arguments, keywords = above.args, above.keywords  # `partial(shard_map, mesh=m)`
    else:  # a bare decorator, or handed on: the function is what its callers make of it
        return alias(file, node, name, spell) if isinstance(above, ir.Function) else None
    if any(isinstance(each, ir.Starred) for each in arguments) or len(arguments) - 1 > len(positions):
        return None
    if any(keyword.name is None or keyword.name in refused for keyword in keywords):
        return None
    edits = [
        file.insert(file.outer_span(argument.site)[0], f"{parameter}=")
        for argument, parameter in zip(arguments[1:], positions)
    ]
    for keyword in keywords:
        if keyword.name in renamed:
            start = file.span(keyword.site)[0]
            edits.append(Edit(start, start + len(keyword.name), renamed[keyword.name]))
    return alias(file, node, name, spell, *edits)


def addressable(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`x.device_buffer` as `x.addressable_data(0)`."""
    if not isinstance(node, ir.Attribute):
        return None
    return [file.replace(node.site, f"{operands.operand(file, node.value.site)}.addressable_data(0)")], frozenset()


def sort_first_axis(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`msort(a)` as `sort(a, axis=0)`."""
    return _with_argument(file, node, name, spell, _plain_call(file, node, 1), "axis=0")


def seed_impl(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`rbg_key(seed)` as `PRNGKey(seed, impl="rbg")`."""
    old = node.attr if isinstance(node, ir.Attribute) else getattr(node, "id", "")
    added = f'impl="{old.removesuffix("_key")}"'
    return _with_argument(file, node, name, spell, _plain_call(file, node, 1), added) if old else None


def pcast(file: File, node: ir.Node, name: str, spell: Spell) -> Rewritten | None:
    """`pvary(x, axes)` as `pcast(x, axes, to="varying")`."""
    return _with_argument(file, node, name, spell, _plain_call(file, node, 2), 'to="varying"')


def _with_argument(
    file: File, node: ir.Node, name: str, spell: Spell, call: ir.Call | None, added: str
) -> Rewritten | None:
    """A call with one more argument."""
    edit = append_argument(file, call, added) if call is not None else None
    return None if edit is None else alias(file, node, name, spell, edit)


REWRITES: dict[str, Callable[..., Rewritten | None]] = {
    "alias": alias,
    "positional": positional,
    "without-out": without_out,
    "ravel": ravel,
    "swap-sph-harm": swap_sph_harm,
    "negative": negative,
    "call-true": call_true,
    "call-false": call_false,
    "second": second,
    "shuffle": shuffle,
    "sort-first-axis": sort_first_axis,
    "seed-impl": seed_impl,
    "addressable": addressable,
    "pcast": pcast,
    "keywords-shard-map": keywords_shard_map,
    "keywords-pjit": keywords_pjit,
    **{f"at-{method}": _at(method) for method in ("set", "add", "multiply", "min", "max")},
}
