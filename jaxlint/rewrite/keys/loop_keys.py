"""Rewrites that give each pass of a Python loop or comprehension a key of its own."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.missing_keys import may_be_none
from jaxlint.rewrite.keys.splitting import begins_line, is_single, line_above, statement_above
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Edit, Fix


def carried_beside(file: File, loop: ir.Node, operand: int) -> Fix | None:
    """`carry_key = self.key` above the loop, and `carry_key, subkey = split(carry_key)` in it.

    For a key that the scope may not bind anew. None where the loop changes what the key is read from.
    """
    statement = statement_above(file, operand)
    if statement is None or not is_single(file, operand) or not begins_line(file, loop):
        return None
    key = file.unit.nodes[operand]
    if statement is loop or not _is_steady(loop, key) or (isinstance(key, ir.Name) and may_be_none(file, key)):
        return None
    carried, subkey = free_name(file, operand, "carry_key"), free_name(file, operand, "subkey")
    split, imports = file.api("jax.random.split")
    if _is_item_of_list(file, key):
        code = file.code(operand)
        anew = line_above(file, statement, f"{code}, {subkey} = {split}({code})")
        title = f"Split `{file.code(operand, 40)}` in each pass"
        return Fix(title, (anew, file.replace(operand, subkey)), imports=imports, changes=NUMBERS_DRAWN)
    edits = (
        line_above(file, loop, f"{carried} = {file.code(operand)}"),
        line_above(file, statement, f"{carried}, {subkey} = {split}({carried})"),
        file.replace(operand, subkey),
    )
    title = f"Split a copy of `{file.code(operand, 40)}` in each pass"
    return Fix(title, edits, imports=imports, changes=NUMBERS_DRAWN)


def _is_item_of_list(file: File, key: ir.Node) -> bool:
    """Whether a key is an item of a list that its scope unpacks, and that holds another key then: `key, *keys = split(key, 3)`."""
    if (
        not isinstance(key, ir.Subscript)
        or not isinstance(key.index, ir.Constant)
        or not isinstance(key.value, ir.Name)
    ):
        return False
    name = key.value.id
    bound = bindings(file.unit.scope(key.site), name)
    starred = [node for each in bound for node in ir.walk(getattr(each, "targets", ())) if isinstance(node, ir.Starred)]
    return bool(bound) and [getattr(each.value, "id", "") for each in starred] == [name] * len(bound)


def made_beside(file: File, loop: ir.Node, made: int) -> Fix | None:
    """The key that is made at ``made`` in each pass is made once, above the loop, and split in it."""
    statement = statement_above(file, made)
    if statement is None or statement is loop or not begins_line(file, loop):
        return None
    if not _is_steady(loop, file.unit.nodes[made]):
        return None
    split, imports = file.api("jax.random.split")
    carried = free_name(file, made, "carry_key")
    above = line_above(file, loop, f"{carried} = {file.code(made)}")
    title = "Make the key once, above the loop, and split it in each pass"
    assign = statement if isinstance(statement, ir.Assign) and len(statement.targets) == 1 else None
    target = assign.targets[0] if assign is not None and assign.value is file.unit.nodes[made] else None
    if isinstance(target, ir.Name):
        start = file.span(target.site)[0]
        edits = (above, Edit(start, start, f"{carried}, "), file.replace(made, f"{split}({carried})"))
    else:
        subkey = free_name(file, made, "subkey")
        inside = line_above(file, statement, f"{carried}, {subkey} = {split}({carried})")
        edits = (above, inside, file.replace(made, subkey))
    return Fix(title, edits, imports=imports, changes=NUMBERS_DRAWN)


def drawn_for_each(file: File, loop: ir.Node, operand: int) -> Fix | None:
    """A comprehension over the keys of one split, or with its counter folded into the key."""
    if not isinstance(loop, ir.Comprehension) or len(loop.clauses) != 1 or not is_single(file, operand):
        return None
    clause = loop.clauses[0]
    key = file.unit.nodes[operand]
    if isinstance(key, ir.Name) and may_be_none(file, key):
        return None
    inside = list(file.unit.ancestors(operand))
    inside = inside[: inside.index(loop)] if loop in inside else []
    if not inside and file.unit.parent(operand) is not loop or clause in inside or clause.is_async:
        return None
    if any(isinstance(node, (ir.Scope, ir.Comprehension)) for node in inside):
        return None
    bound = {node.id for node in ir.walk([clause.target]) if isinstance(node, ir.Name)}
    if any(isinstance(node, ir.Name) and node.id in bound for node in ir.walk([key])):
        return None
    read = [n for part in (loop.element, loop.value, *clause.conditions) if part for n in ir.walk([part])]
    used = any(isinstance(node, ir.Name) and node.id in bound for node in read)
    call = clause.iterable
    called = _called(file, call)
    argument = operands.argument(file, operand)
    single = call if isinstance(call, ir.Call) and len(call.args) == 1 else None
    if called == "builtins.range" and single is not None and isinstance(clause.target, ir.Name):
        if not used:
            return _over_keys(file, clause, single, operand, argument)
        return _folded(file, operand, argument, clause.target.id, ())
    if called == "builtins.enumerate" and single is not None and isinstance(clause.target, ir.Sequence):
        number = clause.target.elements[0]
        return (
            _folded(file, operand, argument, number.id, ())
            if isinstance(number, ir.Name) and number.id != "_"
            else None
        )
    if not isinstance(clause.target, ir.Name) and not isinstance(clause.target, ir.Sequence):
        return None
    number_name = _counter(file, loop, operand)
    target = file.code(clause.target.site)
    target = f"({target})" if isinstance(clause.target, ir.Sequence) and clause.target.kind == "tuple" else target
    edits = (
        Edit(*file.outer_span(clause.target.site), f"{number_name}, {target}"),
        Edit(*file.outer_span(call.site), f"enumerate({operands.argument(file, call.site)})"),
    )
    return None if "enumerate" in file.unit.module.locals else _folded(file, operand, argument, number_name, edits)


def _over_keys(file: File, clause: ir.Clause, call: ir.Call, operand: int, key: str) -> Fix:
    split, imports = file.api("jax.random.split")
    subkey = _free(file, operand, "subkey")
    edits = (
        file.replace(operand, subkey),
        file.replace(clause.target.site, subkey),
        file.replace(call.site, f"{split}({key}, {operands.argument(file, call.args[0].site)})"),
    )
    return Fix("Go over the keys of one split", edits, imports=imports, changes=NUMBERS_DRAWN)


def _folded(file: File, operand: int, key: str, number: str, more: tuple[Edit, ...]) -> Fix:
    fold_in, imports = file.api("jax.random.fold_in")
    edits = (file.replace(operand, f"{fold_in}({key}, {number})"), *more)
    return Fix(f"Fold `{number}` into the key", edits, imports=imports, changes=NUMBERS_DRAWN)


def _called(file: File, node: ir.Node) -> str:
    """Canonical name of the function that is called, if the call passes plain arguments only."""
    if not isinstance(node, ir.Call) or node.keywords or any(isinstance(each, ir.Starred) for each in node.args):
        return ""
    return file.api_name(node.func.site)


def _counter(file: File, loop: ir.Node, operand: int) -> str:
    return _free(
        file, operand, "i" if not any(isinstance(n, ir.Name) and n.id == "i" for n in ir.walk([loop])) else "number"
    )


def _free(file: File, operand: int, wanted: str) -> str:
    """A name that neither the scope nor a comprehension around has."""
    taken = {node.id for above in file.unit.ancestors(operand) if isinstance(above, ir.Comprehension)
             for node in ir.walk([above]) if isinstance(node, ir.Name)}  # fmt: skip
    name = free_name(file, operand, wanted)
    while name in taken:
        name += "_"
    return name


def _is_steady(loop: ir.Node, expression: ir.Node) -> bool:
    """Whether a loop binds none of the names, and stores to none of the attributes, that an expression reads."""
    names = {node.id for node in ir.walk([expression]) if isinstance(node, ir.Name)}
    attributes = {node.attr for node in ir.walk([expression]) if isinstance(node, ir.Attribute)}
    below = list(ir.walk([loop]))
    targets = [each for node in below if isinstance(node, ir.Assign) for each in node.targets]
    targets += [node.target for node in below if isinstance(node, (ir.Augment, ir.Annotate))]
    stored = {node.attr for node in ir.walk(targets) if isinstance(node, ir.Attribute)}
    return not attributes & stored and not any(bound_by(node) & names for node in below)
