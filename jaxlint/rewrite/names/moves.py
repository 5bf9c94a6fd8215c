"""A gone or deprecated name written by its replacement: where it is imported, and where it is used."""

from __future__ import annotations

import builtins
import functools
import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import NameUse, NameUsed
from jaxlint.analysis.models.library_names import MOVED, moved_name
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, names_of, targets_of
from jaxlint.knowledge import History, Replacement
from jaxlint.project.custom_names import is_below
from jaxlint.project.target import Releases
from jaxlint.rewrite import statements
from jaxlint.rewrite.changes import DIFFERS
from jaxlint.rewrite.control_flow.dataflow import after
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.rewrites import REWRITES, Spell, called
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

_CERTAIN = ("gone", MOVED)
_NOT_CALLED = frozenset({"jax.numpy.s_", "jax.numpy.index_exp"})  # they take an index between brackets
_NO_IMPORTS: frozenset[ImportRequest] = frozenset()


class Change(NamedTuple):
    """What becomes of the uses of a name, or of one."""

    edits: tuple[Edit, ...]
    imports: frozenset[ImportRequest]
    level: Applicability
    bound: ImportRequest | None = None  # what is imported in the place of a name


def offered(use: NameUse) -> Replacement | None:
    """The replacement that all releases have which the code must run on."""
    return next(_available(use.history, use.releases), None)


def _available(history: History | None, releases: Releases) -> Iterator[Replacement]:
    """The replacements that all releases have; a deprecated name is not replaced by another one."""
    replacement = history.replacement if history is not None else None
    for each in (replacement, *(replacement.also if replacement is not None else ())):
        if each is None or not releases.have(each.since):
            continue
        found = knowledge.history(each.name) if each.name is not None else None
        if found is None or not releases.warn(found) or (history is not None and releases.lack(history)):
            yield each


@or_none
def name_fix(file: File, hazard: NameUsed) -> Fix:
    """The fix for a name where the report stands."""
    node, use = file.unit.nodes[hazard.site], known(hazard.use)
    if isinstance(node, ir.Alias):
        return _imported_fix(file, node, use)
    if isinstance(node, (ir.Attribute, ir.Name)):
        path = hazard.api or ""
        return _fix(file, _of_chain(file, node, path, use.releases), path)
    choice = known(offered(use))
    name = known(choice.name)
    require(isinstance(node, ir.Constant))
    edit = file.replace(node.site, file.code(node.site).replace(use.history.name, name))
    return Fix(f"Write `{name}`", (edit,), Applicability(choice.level), changes=DIFFERS)


# --- uses ------------------------------------------------------------------------------------


def _of_chain(file: File, node: ir.Node, path: str, releases: Releases) -> Change:
    """The change of one use: of what is reached through ``node`` as much as has a replacement."""
    chain = [(node, path)]
    above = file.unit.parent(node.site)
    while isinstance(above, ir.Attribute):
        path = f"{path}.{above.attr}"
        chain.append((above, path))
        above = file.unit.parent(above.site)
    moved = next((pair for pair in chain if moved_name(file.model.conventions, pair[1]) is not None), None)
    for each, whole in reversed(chain) if moved is None else [moved]:
        use = moved_name(file.model.conventions, whole)
        history = knowledge.history(whole) if use is None else use.history
        for choice in _available(history, releases):
            change = _of_use(file, each, choice, _speller(each, whole))
            if change is not None:
                return change
    raise NoFix


@or_none
def _of_use(file: File, node: ir.Node, choice: Replacement, spell: Spell) -> Change:
    draft = Draft(file)
    require(choice.name is not None or choice.rewrite != "alias")
    require(choice.name not in _NOT_CALLED or called(file, node) is None)
    known(REWRITES.get(choice.rewrite))(draft, node, choice.name or "", spell)
    return Change(tuple(draft.edits), draft.imports, _level(file, choice, [node]))


def _level(file: File, choice: Replacement, nodes: Sequence[ir.Node]) -> Applicability:
    """The level of a choice; what an annotation names decides nothing."""
    if nodes and all(is_annotation(file, node) for node in nodes):
        return Applicability.SAFE
    return Applicability(choice.level)


def _speller(node: ir.Node, path: str) -> Spell:
    """Writes a name of the same module as the code does: `jnp.trapz` becomes `jnp.trapezoid`."""

    def spell(draft: Draft, name: str) -> str:
        module, _, last = name.rpartition(".")
        if isinstance(node, ir.Attribute) and module == path.rpartition(".")[0]:
            return f"{draft.file.code(node.value.site)}.{last}"
        text, imports = draft.file.api(name)
        if text == name and module and name.partition(".")[0] not in knowledge.packages():
            imports = frozenset({ImportRequest(module)})  # a package need not import its modules
        draft.imports |= imports
        return text

    return spell


# --- imports ---------------------------------------------------------------------------------


def _imported_fix(file: File, alias: ir.Alias, use: NameUse) -> Fix:
    statement = file.unit.parent(alias.site)
    if isinstance(statement, ir.Import):
        return _fix(file, _of_import(file, statement, alias, use), alias.name)
    statement = expect(ir.ImportFrom, statement)
    require(alias.name != "*")
    own = _of_name(file, statement, alias, use)
    if own is None:
        # All releases refuse the import, so that no other module can have the name from here.
        require(use.status == "gone" and _is_idle(file, statement, alias))
        edits = tuple(without(file, statement, [alias]))
        return Fix(f"Leave out `{alias.name}`, which nothing uses", edits, Applicability.SAFE)
    # Names of one statement that go the same way go together.
    together = {alias.site: own}
    for hazard in file.model.of(NameUsed):
        other = file.unit.nodes[hazard.site]
        if other is not alias and other in statement.aliases and hazard.use is not None:
            change = _of_name(file, statement, other, hazard.use) if hazard.use.status != "private" else None
            if change is not None and change.level is own.level:
                together[other.site] = change
    aliases = [each for each in statement.aliases if each.site in together]
    written = _statement_edits(file, statement, aliases, [together[each.site].bound for each in aliases])
    joined = _joined([together[each.site] for each in aliases])
    if written == [removed(file, statement)]:
        joined = _with_import_replaced(file, statement, joined)
    else:
        joined = joined._replace(edits=(*joined.edits, *written))
    return _fix(file, joined, ", ".join(each.name for each in aliases))


@or_none
def _of_name(file: File, statement: ir.ImportFrom, alias: ir.Alias, use: NameUse) -> Change:
    """The change of one name of a `from … import`: what is imported instead, and the edits of its uses."""
    path = f"{statement.module}.{alias.name}"
    local = alias.asname or alias.name
    found = uses(file, statement, local)
    exported = is_exported(file, statement, local) or (
        found == [] and isinstance(file.unit.scope(statement.site), ir.Module)
    )
    # Where all releases refuse the import, or the project says what it becomes, what others may import from here is no
    # reason for caution.
    kept = Applicability.SAFE if use.status in _CERTAIN else Applicability.UNSAFE
    worst = kept if exported else Applicability.SAFE
    choices = list(_available(use.history, use.releases))
    named = [(each, *str(each.name).rpartition(".")[::2]) for each in choices]  # with its module and the last part
    names = [each for each in named if each[0].rewrite == "alias" and each[1]]
    names.sort(key=lambda each: each[2] != alias.name)
    for choice, module, last in names:  # uses can stay as they are
        if last == local or alias.asname is not None:
            request = ImportRequest(module, last, alias.asname if alias.asname != last else None)
            return Change((), _NO_IMPORTS, Applicability(choice.level).at_most(worst), request)
    if found is None or exported or is_named_in_strings(file, local):  # the name must stay
        require(names)
        choice, module, last = names[0]
        return Change((), _NO_IMPORTS, Applicability(choice.level).at_most(kept), ImportRequest(module, last, local))
    taken = {*ir.names_below(file.unit.module.body), *file.unit.module.locals, *dir(builtins)}
    for choice, module, last in names:
        if last not in taken:
            edits = tuple(file.replace(each.site, last) for each in found)
            return Change(edits, _NO_IMPORTS, _level(file, choice, found), ImportRequest(module, last))
    for choice, module, last in named:  # uses are rewritten, with a name that is imported as the old one was
        if choice.rewrite == "alias" or not module or (last != local and last in taken):
            continue
        rewritten = [_of_use(file, each, choice, lambda draft, name: last) for each in found]  # noqa: B023  called at once
        if rewritten and None not in rewritten:
            return _joined([each for each in rewritten if each])._replace(bound=ImportRequest(module, last))
    require(found)
    return _joined([_of_chain(file, each, path, use.releases) for each in found])


def _is_idle(file: File, statement: ir.ImportFrom, alias: ir.Alias) -> bool:
    """Whether nothing in the file uses the name that an import binds, and it does not offer it to others."""
    local = alias.asname or alias.name
    unused = uses(file, statement, local) == [] and not is_named_in_strings(file, local)
    return unused and alias.asname != alias.name and not is_exported(file, statement, local)


def _of_import(file: File, statement: ir.Import, alias: ir.Alias, use: NameUse) -> Change:
    """The change of a module imported by `import`."""
    choice = next((each for each in _available(use.history, use.releases) if each.rewrite == "alias"), None)
    level = Applicability(choice.level) if choice is not None else Applicability.SAFE
    name = choice.name if choice is not None else None
    if alias.asname is not None:
        if name is not None:
            return Change((file.replace(alias.site, f"{name} as {alias.asname}"),), _NO_IMPORTS, level)
        found = known(uses(file, statement, alias.asname))
        require(found and not is_exported(file, statement, alias.asname))
        require(not is_named_in_strings(file, alias.asname))
        changes = [_of_chain(file, each, alias.name, use.releases) for each in found]
        edits = without(file, statement, [alias])
    else:
        top = alias.name.partition(".")[0]
        kept = name or top
        reached = [_reached(file, each, alias.name) for each in _names(file, statement, top)]
        changes = [_of_chain(file, each, alias.name, use.releases) for each in reached if each is not None]
        require(changes or choice is not None)
        # What is imported in this place need not be imported once more.
        for number, change in enumerate(changes):
            more = {each for each in change.imports if not any(is_below(at, each.module) for at in (kept, alias.name))}
            changes[number] = change._replace(imports=frozenset(more))
        edits = [file.replace(alias.site, kept)]
        if kept == top and _is_imported(file, top, statement):
            edits = without(file, statement, [alias])
    return _joined([*changes, Change(tuple(edits), _NO_IMPORTS, level)])


def _names(file: File, statement: ir.Node, top: str) -> list[ir.Name]:
    """Where the package is read; it may be imported several times, and each time it is the same."""
    scope = file.unit.scope(statement.site)
    require(all(isinstance(each, ir.Import) for each in bindings(scope, top)))
    return [each for each in file.unit.own if isinstance(each, ir.Name) and each.id == top]


def _reached(file: File, name: ir.Name, path: str) -> ir.Node | None:
    """The attribute that leads from ``name`` to ``path``, if it goes there."""
    node: ir.Node = name
    for part in path.split(".")[1:]:
        above = file.unit.parent(node.site)
        if not isinstance(above, ir.Attribute) or above.attr != part or above.value is not node:
            return None
        node = above
    return node


def _is_imported(file: File, module: str, but: ir.Node) -> bool:
    return any(
        isinstance(each, ir.Import) and each is not but and (module, None) in each.names
        for each in file.unit.module.body
    )


def _statement_edits(
    file: File, statement: ir.ImportFrom, aliases: list[ir.Alias], requests: list[ImportRequest | None]
) -> list[Edit]:
    """Edits that import what is requested in the place of some names of a statement."""
    edits: list[Edit] = []
    moved: dict[str, list[str]] = {}
    leaving = []
    for alias, request in zip(aliases, requests):
        if request is not None and request.module == statement.module and request.name not in bound_by(statement):
            edits.append(file.replace(alias.site, request.spelled))
        else:
            leaving.append(alias)
            there = _statement_of(file, statement, request.module) if request is not None else None
            if request is not None and (there is None or (request.name, request.alias) not in there.names):
                moved.setdefault(request.module, []).append(request.spelled)
    if not leaving:
        return edits
    lines = []
    for module, names in moved.items():
        there = _statement_of(file, statement, module)
        if there is not None:
            edits += _among_names(file, there, sorted(names))
        else:
            lines.append(f"from {module} import {', '.join(names)}")
    start, end = file.span(statement.site)
    text = file.source.text
    starts_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    break_ = file.source.newline + file.indentation(statement.site) if starts_line else "; "
    if len(leaving) == len(statement.aliases):
        if lines:
            edits.append(Edit(start, end, break_.join(lines)))
        else:
            edits.append(removed(file, statement))
        return edits
    edits += without(file, statement, leaving)
    ends_line = re.match(r"[ \t]*(?:[\r\n]|\Z)", text[end:]) is not None
    if lines and ends_line:
        end = file.span(_last_before(file, statement, max(moved)).site)[1]
        edits.append(Edit(end, end, "".join(break_ + line for line in lines)))
    elif lines:
        edits.append(Edit(start, start, "".join(line + break_ for line in lines)))
    return edits


def _among_names(file: File, statement: ir.ImportFrom, names: list[str]) -> Iterator[Edit]:
    """Edits that import more names, each in its place where the names are in order."""
    there = statement.aliases
    in_order = [each.name for each in there] == sorted(each.name for each in there)
    last: list[str] = []
    for name in names:
        before = next((each for each in there if each.name > name), None) if in_order else None
        if before is None:
            last.append(name)
        else:
            start = file.span(before.site)[0]
            yield Edit(start, start, f"{name}, ")
    if last:
        end = file.span(there[-1].site)[1]
        yield Edit(end, end, "".join(f", {name}" for name in last))


def _last_before(file: File, statement: ir.ImportFrom, module: str) -> ir.ImportFrom:
    """The last of the statements right below that import from modules in front of ``module``, in order."""
    for each in after(file.unit, statement):
        between = file.source.text[file.span(statement.site)[1] : file.span(each.site)[0]]
        if not isinstance(each, ir.ImportFrom) or each.level or not re.fullmatch(r"[ \t]*(?:\r\n?|\n)[ \t]*", between):
            break
        last_line = file.source.line(file.source.position(file.span(each.site)[1]).row)
        if not (statement.module or "") <= (each.module or "") < module or "#" in last_line:
            break
        statement = each
    return statement


def _with_import_replaced(file: File, statement: ir.Node, change: Change) -> Change:
    """A change that takes an import out: what it imports itself stands in its place, at the top of a module."""
    if not change.imports or statement not in file.unit.module.body:
        return change._replace(edits=(*change.edits, removed(file, statement)))
    lines = sorted(
        f"import {each.spelled}" if each.name is None else f"from {each.module} import {each.spelled}"
        for each in change.imports
    )
    edit = file.replace(statement.site, file.source.newline.join(lines))
    return change._replace(edits=(*change.edits, edit), imports=_NO_IMPORTS)


def _statement_of(file: File, statement: ir.Node, module: str) -> ir.ImportFrom | None:
    """Another import from ``module`` in the same block, with nothing but imports between the two."""
    block = file.unit.block(statement.site)
    at = block.index(statement) if isinstance(statement, ir.Statement) and block else 0
    for nearby in (block[:at][::-1], block[at + 1 :]):
        for each in nearby:
            if not isinstance(each, (ir.Import, ir.ImportFrom)):
                break
            if isinstance(each, ir.ImportFrom) and each.module == module and not each.level and each.names[0][0] != "*":
                return each
    return None


# --- the fix ---------------------------------------------------------------------------------


def _joined(changes: list[Change]) -> Change:
    edits = tuple(
        sorted({edit for change in changes for edit in change.edits}, key=lambda each: (each.start, each.end))
    )
    imports = _NO_IMPORTS.union(*(change.imports for change in changes))
    levels = (change.level for change in changes)
    return Change(edits, imports, functools.reduce(Applicability.at_most, levels, Applicability.SAFE))


def _outermost(file: File, edits: tuple[Edit, ...]) -> list[Edit]:
    """The edits, less those of what stands in a text that another one writes anew without it: the `index` in an `index_update`."""
    ordered = sorted(set(edits), key=lambda edit: (edit.start, -edit.end))
    kept: list[Edit] = []
    for edit in ordered:
        if not kept or edit.end > kept[-1].end or file.source.text[edit.start : edit.end] in kept[-1].content:
            kept.append(edit)
    return kept


def _fix(file: File, change: Change, what: str) -> Fix:
    ordered = _outermost(file, change.edits)
    require(ordered and all(first.end <= second.start for first, second in itertools.pairwise(ordered)))
    short = ", ".join(name.rpartition(".")[2] for name in what.split(", "))
    return Fix(f"Replace `{short}`", tuple(ordered), change.level, change.imports, DIFFERS)


_SEMICOLON = re.compile(r"[ \t]*;[ \t]*(?=[^\s#;])")  # with a statement behind it


def uses(file: File, statement: ir.Node, name: str) -> list[ir.Name] | None:
    """The places that read what an import binds to ``name``; None where it may be something else there."""
    scope = file.unit.scope(statement.site)
    if bindings(scope, name) != [statement] or any(name in _declared(each) for each in file.unit.own):
        return None
    return names_of(file.unit, scope, name)


def _declared(node: ir.Node) -> Collection[str]:
    return node.names if isinstance(node, (ir.Global, ir.Nonlocal)) else ()


def is_named_in_strings(file: File, name: str) -> bool:
    """Whether a string may mean the name: in `__all__`, `getattr`, `mock.patch("module.name")`, an annotation."""
    return any(
        isinstance(node, ir.Constant)
        and isinstance(node.value, str)
        and (
            node.value == name or node.value.endswith(f".{name}") or (name in node.value and is_annotation(file, node))
        )
        for node in file.unit.own
    )


def is_annotation(file: File, node: ir.Node) -> bool:
    """Whether a node stands in an annotation."""
    inner = node
    for above in file.unit.ancestors(node.site):
        if isinstance(above, (ir.Parameter, ir.Annotate)):
            return above.annotation is inner
        if isinstance(above, ir.Function):
            return above.returns is inner
        if isinstance(above, (ir.Statement, ir.Call)):
            return False
        inner = above
    return False


def is_exported(file: File, statement: ir.Node, name: str) -> bool:
    """Whether other modules may import ``name`` from this one."""
    if not isinstance(file.unit.scope(statement.site), ir.Module):
        return False
    if file.source.filename.replace("\\", "/").endswith("__init__.py"):
        return True
    return any(name in _listed(node) for node in file.unit.module.body)


def _listed(node: ir.Node) -> Iterator[str]:
    """Names in an assignment to `__all__`."""
    if any(isinstance(target, ir.Name) and target.id == "__all__" for target in targets_of(node)):
        for element in getattr(getattr(node, "value", None), "elements", ()):
            if isinstance(element, ir.Constant) and isinstance(element.value, str):
                yield element.value


def without(file: File, statement: ir.Import | ir.ImportFrom, aliases: Collection[ir.Node]) -> list[Edit]:
    """The import without some of its names; nothing, or `pass`, where it has no others."""
    gone = {alias.site for alias in aliases}
    kept = [alias for alias in statement.aliases if alias.site not in gone]
    if not kept:
        return [removed(file, statement)]
    edits = []
    for at, alias in enumerate(statement.aliases):
        if alias.site not in gone:
            continue
        if any(later.site not in gone for later in statement.aliases[at + 1 :]):
            edits.append(Edit(file.span(alias.site)[0], file.span(statement.aliases[at + 1].site)[0], ""))
        else:  # the last ones go with the comma before them
            edits.append(Edit(file.span(statement.aliases[at - 1].site)[1], file.span(alias.site)[1], ""))
    return edits


def removed(file: File, statement: ir.Node) -> Edit:
    """A statement taken out with its line, or `pass` where something must stand there."""
    gone = statements.removed(file, statement)
    if gone is not None:
        return gone
    start, end = file.span(statement.site)
    following = _SEMICOLON.match(file.source.text, end)
    return Edit(start, following.end(), "") if following else Edit(start, end, "pass")
