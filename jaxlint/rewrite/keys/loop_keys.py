"""Rewrites that give each pass of a Python loop or comprehension a key of its own."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, only_target
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.missing_keys import may_be_none
from jaxlint.rewrite.keys.rebindable_names import may_be_read
from jaxlint.rewrite.keys.splitting import is_single, statement_above
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import begins_line, free_name, line_above, unused
from jaxlint.source.diagnostic import Edit, Fix


@or_none
def carried_beside(file: File, loop: ir.Node, operand: int) -> Fix:
    """`carry_key = self.key` above the loop, and `carry_key, subkey = split(carry_key)` in it.

    For a key that the scope may not bind anew. None where the loop changes what the key is read from.
    """
    key, code = file.unit.nodes[operand], file.code(operand)
    require(is_single(file, operand) and not may_be_none(file, key))
    statement = _inside(file, loop, operand)
    carried, subkey = free_name(file, operand, "carry_key"), free_name(file, operand, "subkey")
    split, imports = file.api("jax.random.split")
    edits = [file.replace(operand, subkey)]
    if _is_item_of_list(file, key):
        edits.insert(0, line_above(file, statement, f"{code}, {subkey} = {split}({code})"))
        title = f"Split `{file.code(operand, 40)}` in each pass"
    else:
        edits.insert(0, line_above(file, loop, f"{carried} = {code}"))
        edits.insert(1, line_above(file, statement, f"{carried}, {subkey} = {split}({carried})"))
        title = f"Split a copy of `{file.code(operand, 40)}` in each pass"
    return Fix(title, tuple(edits), imports=imports, changes=NUMBERS_DRAWN)


@or_none
def folded_above(file: File, operand: int) -> Fix:
    """The key that each pass has just made of this one by `fold_in`, and that nothing reads."""
    statement, key = known(statement_above(file, operand)), file.code(operand)
    block = file.unit.block(statement.site)
    for above in block[: block.index(statement)]:
        match above:
            case ir.Assign(targets=[ir.Name(id=name)], value=ir.Call(func=made, args=[folded, _])):
                is_made = file.is_api(made.site, "jax.random.fold_in") and file.code(folded.site) == key
                if is_made and not may_be_read(file, name, above):
                    edits = (file.replace(operand, name),)
                    return Fix(f"Use `{name}`, which nothing uses yet", edits, changes=NUMBERS_DRAWN)
    raise NoFix


def _inside(file: File, loop: ir.Node, site: int) -> ir.Statement:
    """The statement of a loop that holds an expression, which is the same in each pass."""
    statement = known(statement_above(file, site))
    require(statement is not loop and begins_line(file, loop) and _is_steady(loop, file.unit.nodes[site]))
    return statement


def _is_item_of_list(file: File, key: ir.Node) -> bool:
    """Whether a key is an item of a list that its scope unpacks, and that holds another key then: `key, *keys = split(key, 3)`."""
    match key:
        case ir.Subscript(value=ir.Name(id=name), index=ir.Constant()):
            bound = bindings(file.unit.scope(key.site), name)
            targets = [target for each in bound for target in getattr(each, "targets", ())]
            starred = [getattr(each.value, "id", "") for each in ir.walk(targets) if isinstance(each, ir.Starred)]
            return bool(bound) and starred == [name] * len(bound)
    return False


@or_none
def made_beside(file: File, loop: ir.Node, made: int) -> Fix:
    """The key that is made at ``made`` in each pass is made once, above the loop, and split in it."""
    statement = _inside(file, loop, made)
    split, imports = file.api("jax.random.split")
    carried = free_name(file, made, "carry_key")
    edits = [line_above(file, loop, f"{carried} = {file.code(made)}")]
    target = only_target(statement)
    if isinstance(target, ir.Name) and getattr(statement, "value", None) is file.unit.nodes[made]:
        edits.append(file.insert(file.span(target.site)[0], f"{carried}, "))
        edits.append(file.replace(made, f"{split}({carried})"))
    else:
        subkey = free_name(file, made, "subkey")
        edits.append(line_above(file, statement, f"{carried}, {subkey} = {split}({carried})"))
        edits.append(file.replace(made, subkey))
    title = "Make the key once, above the loop, and split it in each pass"
    return Fix(title, tuple(edits), imports=imports, changes=NUMBERS_DRAWN)


@or_none
def drawn_for_each(file: File, loop: ir.Node, operand: int) -> Fix:
    """A comprehension over the keys of one split, or with its counter folded into the key."""
    loop, key = expect(ir.Comprehension, loop), file.unit.nodes[operand]
    require(len(loop.clauses) == 1 and is_single(file, operand) and not may_be_none(file, key))
    clause = loop.clauses[0]
    inside = list(file.unit.ancestors(operand))
    require(loop in inside and not clause.is_async)
    inside = inside[: inside.index(loop)]
    require(not any(isinstance(node, (ir.Scope, ir.Comprehension, ir.Clause)) for node in inside))
    bound = ir.names_below([clause.target]).keys()
    require(bound.isdisjoint(ir.names_below([key])))
    counted, target = clause.iterable, clause.target
    match _called(file, counted), target:
        case "builtins.range", ir.Name():
            read = ir.names_below(part for part in (loop.element, loop.value, *clause.conditions) if part)
            return _over_keys(file, clause, operand) if bound.isdisjoint(read) else _folded(file, operand, target.id)
        case "builtins.enumerate", ir.Sequence(elements=[number, *_]):
            return _folded(file, operand, expect(ir.Name, number).id)
    require(isinstance(target, (ir.Name, ir.Sequence)))
    name = _free(file, operand, "number" if "i" in ir.names_below([loop]) else "i")
    code = file.code(target.site)
    code = f"({code})" if isinstance(target, ir.Sequence) and target.kind == "tuple" else code
    numbered = f"enumerate({operands.argument(file, counted.site)})"
    more = Edit(*file.outer_span(target.site), f"{name}, {code}"), Edit(*file.outer_span(counted.site), numbered)
    return _folded(file, operand, name, *more)


def _over_keys(file: File, clause: ir.Clause, operand: int) -> Fix:
    split, imports = file.api("jax.random.split")
    subkey = _free(file, operand, "subkey")
    number = operands.argument(file, expect(ir.Call, clause.iterable).args[0].site)
    edits = (
        file.replace(operand, subkey),
        file.replace(clause.target.site, subkey),
        file.replace(clause.iterable.site, f"{split}({operands.argument(file, operand)}, {number})"),
    )
    return Fix("Go over the keys of one split", edits, imports=imports, changes=NUMBERS_DRAWN)


def _folded(file: File, operand: int, number: str, *more: Edit) -> Fix:
    require(number != "_")
    fold_in, imports = file.api("jax.random.fold_in")
    edit = file.replace(operand, f"{fold_in}({operands.argument(file, operand)}, {number})")
    return Fix(f"Fold `{number}` into the key", (edit, *more), imports=imports, changes=NUMBERS_DRAWN)


def _called(file: File, node: ir.Node) -> str:
    """Canonical name of the function that is called, if the call passes one plain argument."""
    match node:
        case ir.Call(args=[argument], keywords=[]) if not isinstance(argument, ir.Starred):
            return file.api_name(node.func.site)
    return ""


def _free(file: File, operand: int, wanted: str) -> str:
    """A name that neither the scope nor a comprehension around has."""
    around = [above for above in file.unit.ancestors(operand) if isinstance(above, ir.Comprehension)]
    scope, taken = file.unit.scope(operand), ir.names_below(around).keys()
    return unused(taken | scope.locals | scope.free, wanted, f"{wanted}_")


def _is_steady(loop: ir.Node, expression: ir.Node) -> bool:
    """Whether a loop binds none of the names, and stores to none of the attributes, that an expression reads."""
    names = ir.names_below([expression]).keys()
    attributes = {node.attr for node in ir.walk([expression]) if isinstance(node, ir.Attribute)}
    below = list(ir.walk([loop]))
    targets = [each for node in below if isinstance(node, ir.Assign) for each in node.targets]
    targets += [node.target for node in below if isinstance(node, (ir.Augment, ir.Annotate))]
    stored = {node.attr for node in ir.walk(targets) if isinstance(node, ir.Attribute)}
    return attributes.isdisjoint(stored) and not any(bound_by(node) & names for node in below)
