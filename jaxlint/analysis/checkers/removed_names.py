"""Names and parameters of libraries that are gone, deprecated, private or unknown in the releases aimed at.

A name is noted where it is imported, or, for an attribute, where it is used; of what is below a name that is
noted, nothing more is said. A package may use what is its own.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.checkers.unknown_names import is_known, names_set_by, unknown_name
from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.library_names import MOVED, moved_name, name_use, status_in
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import History, Parameter, release
from jaxlint.project.target import Releases

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter


class RemovedNames(Checker):
    """Names and parameters that the releases aimed at do not have, or warn of."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.unremarkable: set[str] = set()  # names of libraries of which nothing is to be said
        self._names_set: frozenset[str] | None = None
        self._modules_starred: frozenset[str] | None = None
        self._modules_imported: frozenset[str] | None = None

    def subscribe(self, events: Events) -> None:
        events.library_imported.append(self.imported)
        events.library_name_read.append(self.attribute)
        events.unbound_name_read.append(self.unbound)
        events.project_name_read.append(self.moved)
        events.option_named.append(self.option)
        events.array_member_read.append(self.member)
        events.called.append(self.call, (v.Api, v.Member))
        events.partial_made.append(self.keywords)

    # --- names --------------------------------------------------------------------------------

    def imported(self, statement: ir.Node, alias: ir.Node, dotted: str) -> None:
        """A name of a library is imported: ``alias`` is where it stands in the statement."""
        if knowledge.private_prng(dotted) is not None:
            self.note(statement, dotted, None)
        use = self.use_of(dotted)
        if use is not None:
            self.note(alias, dotted, use)
        elif type(statement) is ir.ImportFrom and type(alias) is ir.Alias and alias.name != "*":
            self.unknown(alias, statement.module, dotted)

    def use_of(self, dotted: str) -> hazards.NameUse | None:
        """What is to be said of a name, by the project or in the releases aimed at."""
        return moved_name(self.i.conventions, dotted) or name_use(self.i.target, dotted)

    def moved(self, node: ir.Node, dotted: str) -> None:
        """A name of a module of the project is imported, or read as an attribute."""
        use = moved_name(self.i.conventions, dotted)
        if use is None or (type(node) is ir.Attribute and self.is_said_above(dotted)):
            return
        self.note(node, dotted, use)

    def is_said_above(self, dotted: str) -> bool:
        """Whether what holds a name has moved as well, which is reported where that is read."""
        above = dotted.rpartition(".")[0]
        return dotted in self.modules_imported() or self.i.conventions.moved(above) is not None

    def unknown(self, node: ir.Node, module: str, dotted: str) -> None:
        """A name that a module of JAX has in no release."""
        found = unknown_name(self.i, node, module, dotted.rpartition(".")[2], self.names_set)
        if found is not None:
            self.i.report(found, node, node, v.UNKNOWN, api=dotted)

    def attribute(self, node: ir.Node, base: str, dotted: str) -> None:
        """A name of a library is reached as an attribute of ``base``, which is a library's too."""
        if node.site not in self.i.unit or dotted in self.unremarkable:
            return  # the root of its own module reports that, or nothing does
        use = self.use_of(dotted)
        if knowledge.private_prng(dotted) is not None:
            self.note(node, dotted, use)
            return
        if use is None:
            if is_known(base, dotted):
                self.unremarkable.add(dotted)
            else:
                self.unknown(node, base, dotted)
            return
        if dotted in self.modules_imported():
            return  # said where `import jax.experimental.stax` stands
        above = self.use_of(base)
        if above is None or (above.status == "deprecated" and use.status == "gone"):
            self.note(node, dotted, use)

    def unbound(self, node: ir.Name) -> None:
        """A name that nothing binds: what `from module import *` would have brought once."""
        for module in self.modules_starred():
            if node.id not in self.i.unit.module.locals:
                self.attribute(node, module, f"{module}.{node.id}")

    def names_set(self) -> frozenset[str]:
        """Names that the file may put into modules."""
        if self._names_set is None:
            self._names_set = names_set_by(self.i.unit)
        return self._names_set

    def modules_starred(self) -> frozenset[str]:
        if self._modules_starred is None:
            own = self.i.unit.own
            self._modules_starred = frozenset(
                node.module for node in own if type(node) is ir.ImportFrom and node.names[0][0] == "*"
            )
        return self._modules_starred

    def member(self, node: ir.Node, base: v.Array, attr: str) -> None:
        """An attribute of what is certainly a jax array."""
        use = self.use_of(f"Array.{attr}")
        if use is not None:
            self.note(node, f"Array.{attr}", use)
        if base.aval.dtype in v.KEYS and knowledge.private_prng(attr) is not None:
            self.note(node, attr, None)

    def modules_imported(self) -> frozenset[str]:
        """Dotted names that `import` without `as` makes reachable, and what holds them."""
        if self._modules_imported is not None:
            return self._modules_imported
        found: set[str] = set()
        for node in self.i.unit.own:
            if type(node) is ir.Import:
                for dotted, asname in node.names:
                    while asname is None and dotted:
                        found.add(dotted)
                        dotted = dotted.rpartition(".")[0]
        self._modules_imported = frozenset(found)
        return self._modules_imported

    def option(self, node: ir.Node, option: str) -> None:
        """An option of `jax.config` is set or read."""
        if knowledge.private_prng(option) is not None:
            self.note(node, option, None)
            return
        releases = self.i.target.of("jax")
        meant = f"jax_{option.lower().removeprefix('jax_')}"
        if type(node) is ir.Constant and meant != option and meant in knowledge.options() and releases is not None:
            self.note(node, option, hazards.NameUse("unknown", History(option, "jax", "option"), releases))
        elif option.startswith("jax_") and releases is not None:
            history = knowledge.option(option)
            if history is None and knowledge.options():
                self.note(node, option, hazards.NameUse("unknown", History(option, "jax", "option"), releases))
            elif history is not None:
                status = status_in(history, releases)
                if status is not None:
                    self.note(node, option, hazards.NameUse(status, history, releases))

    def note(self, node: ir.Node, dotted: str, use: hazards.NameUse | None) -> None:
        """Note one use, unless the package is the file's own or a guard stands around it."""
        if self.i.model.part(node.site) is not None or (hazards.NameUsed, node.site) in self.i.found:
            return
        package = use.history.package if use is not None else "jax"
        if self.i.api.owns(package) and (use is None or use.status != MOVED):
            return
        releases = use.releases if use is not None else self.i.target.of(package)
        admitted = self.i.releases.at(node, releases) if releases is not None else None
        if admitted is None:
            return
        if use is not None and admitted is not releases:
            status = use.status if use.status in ("private", "unknown", MOVED) else status_in(use.history, admitted)
            if status is None:
                return
            use = hazards.NameUse(status, use.history, admitted)
        self.i.report(hazards.NameUsed(use), node, node, v.UNKNOWN, api=dotted)

    # --- parameters ---------------------------------------------------------------------------

    def call(self, func: v.Value, call: Call) -> None:
        if type(func) is v.Api:
            self.arguments(func.written, call)
        elif type(func) is v.Member and type(func.receiver) is v.Array:
            self.arguments(f"Array.{func.name}", call)
        elif type(func) is v.Member and type(func.receiver) is v.At and type(func.receiver.array) is v.Array:
            self.arguments(f"Array.at[].{func.name}", call)

    def arguments(self, name: str, call: Call) -> None:
        """Keywords of a call, and positions in it, that the function does not take as they are passed."""
        node = call.node
        releases = self.i.releases.of(name, node)
        if releases is None or type(node) is not ir.Call:
            return
        admitted = self.keywords(name, call)
        if not call.star and len(node.args) == len(call.args):
            for position, use in _surplus(name, len(node.args), releases):
                admitted = admitted or self.i.releases.at(node, releases)
                self.argument(node.args[position], name, use.history.parameter, use, admitted)

    def keywords(self, name: str, call: Call) -> Releases | None:
        """Keywords that ``name`` is given, in a call of it or by `functools.partial`."""
        node = call.node
        releases = self.i.releases.of(name, node)
        if releases is None or type(node) is not ir.Call:
            return None
        admitted: Releases | None = None
        for keyword in node.keywords:
            if keyword.name is not None:
                use = _keyword_use(name, keyword.name, releases)
                if use is not None and use.how == "deprecated" and keyword.name in _WARNS_UNLESS_NONE.get(name, ()):
                    if _may_be_none(call.keywords.get(keyword.name), keyword.value):
                        continue
                if use is not None:
                    admitted = admitted or self.i.releases.at(node, releases)
                    self.argument(keyword, name, keyword.name, use, admitted)
        return admitted

    def argument(
        self, node: ir.Node, name: str, parameter: str, use: hazards.ParameterUse, admitted: Releases | None
    ) -> None:
        if admitted is None:
            return
        if admitted != use.releases and use.how != "unknown":
            again = _keyword_use(name, parameter, admitted) if isinstance(node, ir.Keyword) else None
            if again is None:
                return
            use = again
        self.i.report(hazards.ParameterUsed(use), node, node, v.UNKNOWN, api=name, parameter=parameter)


# Parameters of which JAX warns when they are given, and not None.
_WARNS_UNLESS_NONE = {"jax.jit": ("backend", "device")}


def _may_be_none(value: v.Value | None, node: ir.Node) -> bool:
    """Whether an argument that is handed on by its name may be None."""
    if type(value) is v.Const:
        return value.value is None
    return type(node) in (ir.Name, ir.Attribute)


@functools.cache
def _signature(name: str, version: str) -> tuple[Parameter, ...] | None:
    return knowledge.signature(name, version)


@functools.cache
def _keyword_use(name: str, parameter: str, releases: Releases) -> hazards.ParameterUse | None:
    newest = _signature(name, releases.newest)
    oldest = _signature(name, releases.lowest)
    if newest is None:
        return None
    history = knowledge.parameter_history(name, parameter)
    now = next((each for each in newest if each.name == parameter and "star" not in each.kind), None)
    if any(each.kind == "double-star" for each in (*newest, *(oldest or ()))):
        # What takes any keyword hands on what it does not know: only a renamed one was meant for itself.
        renamed = now is None and history is not None and history.renamed_to is not None
        return hazards.ParameterUse("gone", history, releases) if renamed and history is not None else None
    if now is None:
        if history is None:
            return hazards.ParameterUse("unknown", knowledge.ParameterHistory(name, parameter), releases)
        gone = history.removed is not None and release(releases.newest) >= release(history.removed)
        return hazards.ParameterUse("gone", history, releases) if gone else None
    if now.kind == "positional-only":
        return hazards.ParameterUse("positional-only", history or knowledge.ParameterHistory(name, parameter), releases)
    if history is not None and history.deprecated is not None:
        if release(releases.newest) >= release(history.deprecated):
            return hazards.ParameterUse("deprecated", history, releases)
    return None


@functools.cache
def _surplus(name: str, count: int, releases: Releases) -> list[tuple[int, hazards.ParameterUse]]:
    """(position, use) of arguments that are passed by position and must be named, or of the first that is one too many."""
    newest = _signature(name, releases.newest)
    if newest is None or any(each.kind == "star" for each in newest):
        return []
    places = _places(newest)
    if count <= len(places):
        return []
    older = (_signature(name, version) for version in reversed(knowledge.releases(releases.package)))
    before = next(
        (taken for taken in (_places(each) for each in older if each is not None) if len(taken) >= count), None
    )
    named = {each.name for each in newest if each.kind == "keyword-only"}
    if before is None:
        # Those of random functions are reported with their other arguments (`SamplerArguments`).
        if named or name.startswith("jax.random."):
            return []
        return [(len(places), hazards.ParameterUse("surplus", knowledge.ParameterHistory(name, ""), releases))]
    found = []
    for position in range(len(places), count):
        if before[position].name not in named:
            return []
        parameter = before[position].name
        history = knowledge.parameter_history(name, parameter) or knowledge.ParameterHistory(name, parameter)
        found.append((position, hazards.ParameterUse("keyword-only", history, releases)))
    return found


def _places(signature: tuple[Parameter, ...]) -> list[Parameter]:
    """The parameters that are passed by position, without the `parent` and `name` of a module of Linen."""
    places = [each for each in signature if each.kind in ("positional-only", "ordinary")]
    return places[:-2] if [each.name for each in places[-2:]] == ["parent", "name"] else places
