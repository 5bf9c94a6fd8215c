"""What is remembered of calls: a function that is called with the same again is not run again.

What is the same is said by a key; what a call gave is given once more, with objects and identities of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

from mypy_extensions import trait

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.state import DictObject, Instance, Left, ListObject, base, values_in
from jaxlint.analysis.interpreter.escape_analysis import DATA
from jaxlint.analysis.interpreter.evaluation_state import EvaluationState

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Context
    from jaxlint.analysis.domain.state import Contents
    from jaxlint.analysis.transforms.recompilation import Use

Effects = tuple[tuple[Callable[[v.Ident], None], v.Ident], ...]
# What a call can see: its arguments by their names, and what its function reads from around it, by `("free", name)`.
Given = dict[Any, v.Value]

_LEADING = frozenset({v.Ref, v.Tuple, v.BoundMethod, v.Partial})  # to objects
# So many objects may an argument lead to: a call with more is not remembered.
MAX_OBJECTS = 200
# What a name of a module is taken to go on standing for, once it stands for it.
_FIXED = (v.FunctionValue, v.ClassValue, v.Api, v.Transformed, v.Imported, v.ModuleValue)
_COPIED = DATA | {v.Ref}


class Marks(NamedTuple):
    """How much had been changed when a call began."""

    written: int
    touched: int
    effects: int
    stores: int  # where it may be reached from what is older


class CallSummary(NamedTuple):
    """A call that may be taken for another of the same key."""

    result: v.Value
    made: dict[int, Contents]  # objects that it made and its result leads to
    calls: list[Use]  # of what was made anew, for `fresh`
    given: Given
    named: int  # objects among that, where it does something to some of them
    frame: Frame  # in which its function was made
    entry: int  # what is younger is of the call
    left: Left | None  # what the functions read that it gives
    is_bound: bool  # whether another can only be taken for it that has the very same values
    effects: Effects  # what it does to objects that are older than itself

    @classmethod
    def of(
        cls,
        result: v.Value,
        made: dict[int, Contents],
        calls: list[Use],
        given: Given,
        frame: Frame,
        entry: int,
        left: Left | None,
        effects: Effects,
    ) -> CallSummary:
        names = renamed(given, given) if effects else {}
        is_bound = left is not None or not are_named(effects, names) or refers(result, made)
        return cls(result, made, calls, given, len(names), frame, entry, left, is_bound, effects)


@trait
class Memory(EvaluationState):
    """Mixin of the interpreter: by what a call is known again, and what it has left."""

    def memo_key(
        self: Interpreter, func: v.FunctionValue, variables: dict[str, v.Value], context: Context
    ) -> tuple[Hashable, Given] | None:
        """By what a call is known again, and the values it can see; None where that cannot be told."""
        given: Given = dict(variables)
        for name in func.function.free:
            value = self.free_value(name, func.frame)
            if value is not None:
                given["free", name] = value
        keys = {name: self.deep_key(value, 0) for name, value in given.items()}
        if None in keys.values():
            return None
        return (func.function.site, tuple(keys.items()), context.key, self.path_conditions.mentioned(variables)), given

    def free_value(self: Interpreter, name: str, frame: Frame | None) -> v.Value | None:
        """What a function reads from around it; None where that is not bound, or is not taken to change."""
        while frame is not None:
            variables = self.variables(frame)
            if name in variables:
                value: v.Value = variables[name]
                return None if frame.parent is None and type(value) in _FIXED else value
            frame = frame.parent
        return None

    def deep_key(self: Interpreter, value: v.Value, depth: int) -> Hashable:
        kind = type(value)
        if type(value) is v.Tuple:
            if depth > 5:
                return None
            items = value.items if value.items is not None else (value.element,)
            keys = tuple(self.deep_key(item, depth + 1) for item in items)
            return None if None in keys else ("tuple", value.class_key, value.items is None, keys)
        if type(value) is v.Ref:
            return self.object_key(value)
        if type(value) is v.FunctionValue:
            if depth > 4:
                return None
            free = (
                [self.free_value(name, value.frame) for name in value.function.free]
                if value.frame.parent is not None
                else ()
            )
            keys = tuple(None if read is None else (self.deep_key(read, depth + 1),) for read in free)
            truths = tuple(truth.value for truth in value.truths.values())
            return None if (None,) in keys else ("function", value.function.site, keys, truths)
        if type(value) is v.Partial or type(value) is v.BoundMethod or type(value) is v.Transformed:
            inner = self.deep_key(value.function, depth + 1)
            if inner is None:
                return None
            if type(value) is v.BoundMethod:
                receiver = self.deep_key(value.receiver, depth + 1)
                return None if receiver is None else ("bound", inner, receiver)
            if type(value) is v.Partial:
                given = (*value.args, *value.keywords.values())
                parts = tuple(self.deep_key(each, depth + 1) for each in given if type(each) in _LEADING)
                return None if None in parts else (value.key, inner, parts)
            return (value.key, inner)
        if type(value) is v.Unknown and value.options:
            options = tuple(self.deep_key(option, depth + 1) for option in value.options) if depth < 5 else (None,)
            return None if None in options else ("one of", options, value.open)
        if kind in (v.Unknown, v.MaybeDefault, v.Static, v.Undecided) and self.state is not None and self.state.fields:
            stored = self.state.stored_on(value.ident)
            return (value.key, stored) if stored else value.key
        return value.key

    def object_key(self: Interpreter, ref: v.Ref) -> Hashable:
        """The object and all that it leads to, as they are now."""
        found: dict[int, Contents | None] = {}
        todo: list[v.Value] = [ref]
        while todo:
            part = todo.pop()
            if type(part) is v.Tuple:
                todo.extend(part.items or (part.element,))
            elif type(part) is v.BoundMethod:
                todo.append(part.receiver)
            elif type(part) is v.Partial:
                todo.extend((part.function, *part.args, *part.keywords.values()))
            elif type(part) is v.Unknown:
                todo.extend(part.options)
            elif type(part) is v.Ref and part.location not in found:
                contents = found[part.location] = self.contents(part)
                if len(found) > MAX_OBJECTS or (contents is None and part is ref):
                    return None
                todo.extend(
                    value for value in values_in(contents) if type(value) in _LEADING or type(value) is v.Unknown
                )
        return tuple(found.items())

    def snapshot(self: Interpreter, value: v.Value, entry: int) -> dict[int, Contents]:
        """Heap objects made during the call and reachable from its result."""
        found: dict[int, Contents] = {}
        stack = [value]
        while stack and len(found) < 200:
            part = stack.pop()
            if type(part) is v.Tuple:
                stack.extend(part.items or (part.element,))
            elif type(part) is v.Unknown:
                stack.extend(part.options)
            elif type(part) is v.Ref and part.location > entry and part.location not in found:
                contents = self.contents(part)
                if contents is not None:
                    found[part.location] = contents
                    stack.extend(values_in(contents))
        return found

    def shows(self: Interpreter, result: v.Value, made: dict[int, Contents], entry: int, since: Marks) -> bool:
        """Whether a call has changed what is older than itself, or what its result leads to, and cannot do it again."""
        written, touched = self.written[since.written :], self.touched[since.touched :]
        entered, measured = self.entered_idents, self.key_arrays.measured
        effects = [base(each) for _, each in self.effects[since.effects :] if each in entered or each in measured]
        if self.detailed and (written or touched or effects):
            return True  # each expression is to be recorded with the objects at hand
        if min(written, default=entry) < entry or min(touched, default=entry) < entry:
            return True
        touched += [serial for serial in effects if serial >= entry]
        if not touched:
            return False
        return self.last_captured or not self.serials_of(result, made).isdisjoint(touched)

    def effects_since(self: Interpreter, since: Marks, entry: int) -> Effects:
        """What was done to objects that are older than a call, each once."""
        return tuple(dict.fromkeys(each for each in self.effects[since.effects :] if base(each[1]) < entry))

    def marks(self: Interpreter) -> Marks:
        return Marks(len(self.written), len(self.touched), len(self.effects), self.stores)

    def find_summary(
        self: Interpreter, key: Hashable, func: v.FunctionValue, given: Given, silent: bool
    ) -> Instantiation | None:
        """The call that this one can be taken for, to be given again; ``silent``: what runs is not said."""
        known: CallSummary | None = self.memo.get(key) or (self.muted_memo.get(key) if silent else None)
        if known is None or (known.is_bound and not (known.frame is func.frame and are_the_same(known.given, given))):
            return None
        names = renamed(known.given, given)
        # What was done to one object then is not known of two.
        return Instantiation(self, known, names) if len(names) == known.named or not known.effects else None

    def repeat(self: Interpreter, copy: Instantiation, variables: dict[str, v.Value], site: int) -> v.Value:
        """The result of a remembered call, and what it does once more, where ``site`` calls it."""
        known = copy.known
        self.transforms.fresh.again(known.calls, known.made, site)
        self.transforms.fresh.not_run_again(known.result, variables)
        self.transforms.fresh.given_again(known.result)
        assert self.state is not None
        self.state.reopen(known.left)
        result = copy.of(known.result)
        for effect, ident in known.effects:
            effect(copy.identity(ident) or ident)
        return result

    def serials_of(self: Interpreter, value: v.Value, made: dict[int, Contents]) -> set[int]:
        """Serial numbers of the objects that a result, or an object reachable from it, names."""
        found = set(made)
        for part in self.leaves([value, *(v.Ref(location) for location in made)]):
            if part.ident is not None:
                found.add(base(part.ident))
        for contents in made.values():
            if type(contents) is Instance:
                found.update(base(field.ident) for field in contents.fields.values() if field.ident is not None)
        return found


class Instantiation:
    """A remembered result with objects and identities of its own, and those of what is ``given`` now.

    What is no key keeps the identity that it had before the remembered call. Objects are written into the state at hand.
    """

    __slots__ = ("i", "state", "known", "given", "made", "idents")

    def __init__(self, interpreter: Interpreter, known: CallSummary, given: dict[v.Ident, v.Ident]) -> None:
        self.i = interpreter
        assert interpreter.state is not None
        self.state = interpreter.state
        self.known = known
        self.given = given
        self.made: dict[int, v.Ref] = {}
        self.idents: dict[v.Ident, v.Ident] = {}

    def identity(self, ident: v.Ident) -> v.Ident | None:
        """What an argument, or a part of one, is called now; None for anything else."""
        if self.given:
            for length in range(len(ident), 0, -1):
                if ident[:length] in self.given:
                    return self.part(self.given[ident[:length]], ident, length)
        return None

    def held(self, ident: v.Ident) -> v.Ident | None:
        """What a part of an object that the call was given is called now: the objects are the same, with all that is in them."""
        inside = self.inside()
        for length in range(len(ident), 0, -1):
            if ident[:length] in inside:
                return self.part(ident[:length], ident, length)
        return None

    def part(self, now: v.Ident, ident: v.Ident, at: int) -> v.Ident:
        """The part of ``now`` to which ``ident`` leads from ``at`` on, as it would be looked up here: whole objects may have changed since."""
        while at < len(ident):
            step, version = ident[at], self.state.versions.get(now, 0)
            self.i.entered_idents.add(now)
            at += 1
            if isinstance(step, str) and step.startswith("."):
                step, _, text = step.partition("~")
                was = int(text or 0)
                now += (f"{step}~{version}" if version else step,)
            else:
                step, was = v.unversioned(step)
                now += (v.step(step, version),)
            if was > self.known.entry:
                return self.anew(ident)  # the call itself had changed the object
        return now

    def anew(self, ident: v.Ident) -> v.Ident:
        if ident not in self.idents:
            self.idents[ident] = v.fresh()
        return self.idents[ident]

    def own(self, ident: v.Ident) -> v.Ident:
        found = self.identity(ident)
        if found is None and base(ident) <= self.known.entry:
            found = self.held(ident)
        return found or self.anew(ident)

    def inside(self) -> set[v.Ident]:
        """What the objects hold that the call was given."""
        found: set[v.Ident] = set()
        seen: set[int] = set()
        parts = list(self.known.given.values())
        while parts:
            part = parts.pop()
            if type(part) is v.Tuple:
                parts += part.items or (part.element,)
            elif type(part) is v.BoundMethod:
                parts.append(part.receiver)
            elif type(part) is v.Ref and part.location not in seen:
                seen.add(part.location)
                held = list(values_in(self.i.contents(part)))
                found.update(each.ident for each in held if each.ident is not None)
                parts += held
        return found

    def kept(self, ident: v.Ident) -> v.Ident:
        return self.identity(ident) or (self.anew(ident) if base(ident) > self.known.entry else ident)

    def of(self, part: v.Value) -> v.Value:
        if type(part) is v.Tuple:
            if part.items is None:
                return part
            return v.Tuple(tuple(map(self.of, part.items)), fields=part.fields)
        if type(part) is v.Ref:
            return self.object(part) if part.location in self.known.made else part
        if part.ident is None:
            return part
        if type(part) is v.Array:
            if part.aval.dtype in v.KEYS:
                return v.Array(part.mode, part.aval, part.origin, self.own(part.ident))
            return part.renewed(self.kept(part.ident))
        if type(part) is v.Unknown:
            return v.Unknown(
                self.own(part.ident), tuple(map(self.of, part.options)), part.open, structure=part.structure
            )
        if type(part) is v.Undecided:
            return v.Undecided(part.mode, part.origin, self.kept(part.ident), part.maybe_static, part.structure)
        if type(part) is v.Static:
            return v.Static(part.type, self.kept(part.ident), part.size)
        if type(part) is v.Host:
            return v.Host(part.aval, self.kept(part.ident), part.view)
        if type(part) is v.OpaqueInstance and part.name in v.LAYERS:
            return v.OpaqueInstance(part.name, part.args, self.own(part.ident))
        return part

    def object(self, part: v.Ref) -> v.Ref:
        if part.location in self.made:
            return self.made[part.location]
        contents = self.known.made[part.location]
        ref = self.made[part.location] = v.Ref(self.state.allocate(contents), part.made)  # it may lead to itself
        if type(contents) is ListObject:
            items = None if contents.items is None else tuple(map(self.of, contents.items))
            contents = ListObject(items, self.of(contents.element))
        elif type(contents) is DictObject:
            rest = None if contents.rest is None else self.of(contents.rest)
            contents = DictObject({key: self.of(item) for key, item in contents.items.items()}, rest)
        elif type(contents) is Instance:
            fields = {name: self.of(item) for name, item in contents.fields.items()}
            contents = Instance(contents.cls, fields, contents.called)
        self.state.write(ref.location, contents)
        return ref


def renamed(before: Given, now: Given) -> dict[v.Ident, v.Ident]:
    """What the values that a remembered call could see were called, and what those of this one are."""
    found: dict[v.Ident, v.Ident] = {}
    ambiguous = set()
    pairs = [(value, now[name]) for name, value in before.items()]
    while pairs:
        old, new = pairs.pop()
        if type(old) is v.Tuple and type(new) is v.Tuple and old.items is not None and new.items is not None:
            pairs += zip(old.items, new.items)
        elif old.ident is not None and new.ident is not None and found.setdefault(old.ident, new.ident) != new.ident:
            ambiguous.add(old.ident)  # one object before, two now
    return {old: new for old, new in found.items() if old not in ambiguous}


def are_named(effects: Effects, names: Collection[v.Ident]) -> bool:
    """Whether all that is changed is an object of ``names``, or a part of one."""
    return all(any(ident[:length] in names for length in range(1, len(ident) + 1)) for _, ident in effects)


def are_the_same(before: Given, now: Given) -> bool:
    """Whether the values that a remembered call could see are those of this one, and not merely of the same kinds."""
    return all(_is_same(value, now[name]) for name, value in before.items())


def _is_same(old: v.Value, new: v.Value) -> bool:
    kind = type(old)
    if old is new or kind is not type(new):
        return old is new
    if kind in _COPIED:
        return old.ident == new.ident
    if type(old) is v.FunctionValue:
        return type(new) is v.FunctionValue and old.function is new.function and old.frame is new.frame
    if type(old) is v.BoundMethod and type(new) is v.BoundMethod:
        return _is_same(old.function, new.function) and _is_same(old.receiver, new.receiver)
    if type(old) is v.Partial and type(new) is v.Partial:
        return (
            _is_same(old.function, new.function)
            and _are_same(old.args, new.args)
            and _are_same(old.keywords.values(), new.keywords.values())
        )
    if type(old) is v.Transformed and type(new) is v.Transformed:
        return (
            old.site == new.site
            and _is_same(old.function, new.function)
            and _are_same(old.options.values(), new.options.values())
        )
    if type(old) is v.Tuple and type(new) is v.Tuple and old.items is not None and new.items is not None:
        return _are_same(old.items, new.items)
    return False


def _are_same(old: Collection[v.Value], new: Collection[v.Value]) -> bool:
    return len(old) == len(new) and all(map(_is_same, old, new))


def refers(result: v.Value, made: dict[int, Contents]) -> bool:
    """Whether a result refers to objects in a way that is not followed: by what a function reads."""
    parts = [result]
    for contents in made.values():
        parts += values_in(contents)
    while parts:
        part = parts.pop()
        if type(part) is v.Tuple:
            parts += (part.element,) if part.items is None else part.items
        elif type(part) is v.Unknown:
            parts += part.options
        elif type(part) not in _COPIED:
            return True
    return False
