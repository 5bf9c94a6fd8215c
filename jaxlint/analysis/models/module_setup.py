"""`setup` of Linen modules: it names the layers of a module when the module is first called.

Two modules of one class with the same fields get the same layers. `setup` is run for the first of them; the others get copies, each
with objects of its own, so that a model of many modules costs little.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.state import Instance, values_in
from jaxlint.analysis.interpreter.escape_analysis import DATA
from jaxlint.analysis.interpreter.summaries import CallSummary, Instantiation, Marks, are_named, renamed

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.state import Contents

# An attribute that each module has which is set up: where it is missing, code that is not known may have set any.
_SCOPE = v.Static()


class ModuleSetup(Component):
    """Component of the interpreter: what `setup` leaves in a module."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._known: dict[Hashable, tuple[tuple[str, ...], CallSummary]] = {}

    def run(self, module: v.Ref, contents: Instance) -> None:
        """Give a module the attributes that its ``setup`` sets."""
        i, setup = self.i, contents.cls.lookup("setup")
        if type(setup) is not v.FunctionValue:
            return
        contents = Instance(contents.cls, {**contents.fields, "scope": _SCOPE}, contents.called)
        i.write(module, contents)
        keys = {name: i.deep_key(value, 0) for name, value in contents.fields.items()}
        key = None if None in keys.values() else (contents.cls, tuple(keys.items()), i.context.key, i.silent > 0)
        if key in self._known:
            names, known = self._known[key]
            copy = Instantiation(i, known, renamed(known.given, contents.fields))
            if len(copy.given) == known.named or not known.effects:
                self.repeat(module, contents, names, copy)
                return
        since, entry, refusals = i.marks(), v.fresh()[0], i.refusals
        i.call(setup, i.simple_call(i.unit.nodes[setup.function.site], [module]))
        after = i.contents(module)
        if (
            key is None
            or i.refusals > refusals
            or type(after) is not Instance
            or not self.changes_nothing_else(module, since, entry)
        ):
            return
        result = v.Tuple(tuple(after.fields.values()))
        made = i.snapshot(result, entry)
        if _can_be_copied(result, made, entry, module.location):
            given, effects = dict(contents.fields), i.effects_since(since, entry)
            named = renamed(given, given)
            if are_named(effects, named):
                summary = CallSummary(
                    result, made, [], given, len(named), i.frame, entry, left=None, is_bound=False, effects=effects
                )
                self._known[key] = tuple(after.fields), summary

    def repeat(self, module: v.Ref, contents: Instance, names: tuple[str, ...], copy: Instantiation) -> None:
        """Give a module what ``setup`` gave another one."""
        known = copy.known
        assert type(known.result) is v.Tuple and known.result.items is not None
        fields = dict(zip(names, map(copy.of, known.result.items)))
        before = self.i.contents(module)
        self.i.write(module, Instance(contents.cls, fields, type(before) is Instance and before.called))
        for effect, ident in known.effects:
            effect(copy.identity(ident) or ident)
        frozen = self.i.linen_scope.frozen
        frozen.update(ref.location for location, ref in copy.made.items() if location in frozen)

    def changes_nothing_else(self, module: v.Ref, since: Marks, entry: int) -> bool:
        """Whether nothing but the module and what is younger than ``entry`` was changed, and the code goes on."""
        i = self.i
        if i.state is None:
            return False
        written = set(i.written[since.written :]) - {module.location}
        changed = [*written, *i.touched[since.touched :]]
        return min(changed, default=entry) >= entry


def _can_be_copied(result: v.Value, made: dict[int, Contents], entry: int, module: int) -> bool:
    """Whether all that a result leads to is either copied or older than ``entry``, and none of it is the module itself."""
    parts = [result, *(value for contents in made.values() for value in values_in(contents))]
    while parts:
        part = parts.pop()
        if type(part) is v.Tuple:
            parts += (part.element,) if part.items is None else part.items
        elif type(part) is v.Ref:
            if part.location == module or (part.location > entry and part.location not in made):
                return False
        elif type(part) is v.Unknown:
            parts += part.options
        elif type(part) is v.Partial:
            parts.append(part.function)
            if any(type(each) not in DATA or type(each) is v.Unknown for each in (*part.args, *part.keywords.values())):
                return False
        elif type(part) in (v.FunctionValue, v.ClassValue):
            if part.frame.serial > entry:  # type: ignore[attr-defined]
                return False
        elif type(part) not in DATA and not (type(part) is v.OpaqueInstance and part.name in v.LAYERS):
            return False
    return True
