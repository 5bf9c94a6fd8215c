"""What is remembered of calls: a function that is called with the same again is not run again.

What is the same is said by a key; what a call gave is given once more, with objects and identities of its own.
"""

from __future__ import annotations

from typing import Any, Optional

from jaxlint.semantics import values as v
from jaxlint.semantics.context import Frame
from jaxlint.semantics.state import DictObject, Instance, ListObject, State, base, values_in

_LEADING = frozenset({v.Ref, v.Tuple, v.BoundMethod, v.Partial})  # to objects
# So many objects may an argument lead to: a call with more is not remembered.
MAX_OBJECTS = 200
# What a name of a module is taken to go on standing for, once it stands for it.
_FIXED = (v.FunctionValue, v.ClassValue, v.Api, v.Transformed, v.Imported, v.ModuleValue)


class Memory:
    """Mixin of the interpreter: by what a call is known again, and what it has left."""

    def memo_key(self: Any, func: v.FunctionValue, variables: dict[str, v.Value], context: Any) -> Optional[Any]:
        parts = []
        for name, value in variables.items():
            key = self.deep_key(value, 0)
            if key is None:
                return None
            parts.append((name, key))
        frame = func.frame
        around = self.variables(frame)
        for name in func.function.free:
            if name in around:
                value = around[name]
                if frame.parent is None and type(value) in _FIXED:
                    continue
                key = self.deep_key(value, 0)
                if key is None:
                    return None
            else:
                key = self.free_key(name, frame.parent, 0)
                if key is False:
                    return None
            if key is not None:
                parts.append((name, key))
        return (func.function.site, tuple(parts), context.key, self.asked.among(variables))

    def free_key(self: Any, name: str, frame: Optional[Frame], depth: int) -> Any:
        while frame is not None:
            variables = self.variables(frame)
            if name in variables:
                value = variables[name]
                if frame.parent is None and type(value) in _FIXED:
                    return None
                key = self.deep_key(value, depth)
                return False if key is None else key
            frame = frame.parent
        return None

    def deep_key(self: Any, value: v.Value, depth: int) -> Any:
        kind = type(value)
        if kind is v.Tuple:
            if depth > 5:
                return None
            items = value.items if value.items is not None else (value.element,)
            keys = tuple(self.deep_key(item, depth + 1) for item in items)
            return None if None in keys else ("tuple", value.class_key, value.items is None, keys)
        if kind is v.Ref:
            return self.object_key(value)
        if kind is v.FunctionValue:
            if depth > 4:
                return None
            keys = []
            for name in value.function.free:
                key = self.free_key(name, value.frame, depth + 1) if value.frame.parent is not None else None
                if key is False:
                    return None
                keys.append(key)
            return ("function", value.function.site, tuple(keys))
        if kind is v.Partial or kind is v.BoundMethod or kind is v.Transformed:
            inner = self.deep_key(value.function, depth + 1)
            if inner is None:
                return None
            if kind is v.BoundMethod:
                receiver = self.deep_key(value.receiver, depth + 1)
                return None if receiver is None else ("bound", inner, receiver)
            if kind is v.Partial:
                given = (*value.args, *value.keywords.values())
                parts = tuple(self.deep_key(each, depth + 1) for each in given if type(each) in _LEADING)
                return None if None in parts else (value.key, inner, parts)
            return (value.key, inner)
        if kind is v.Unknown and self.state.fields:
            stored = self.state.stored_on(value.ident)
            return (value.key, stored) if stored else value.key
        return value.key

    def object_key(self: Any, ref: v.Ref) -> Any:
        """The object and all that it leads to, as they are now."""
        found: dict[int, Any] = {}
        todo: list[v.Value] = [ref]
        while todo:
            part = todo.pop()
            kind = type(part)
            if kind is v.Tuple:
                todo.extend(part.items or (part.element,))
            elif kind is v.BoundMethod:
                todo.append(part.receiver)
            elif kind is v.Partial:
                todo.extend((part.function, *part.args, *part.keywords.values()))
            elif kind is v.Ref and part.location not in found:
                contents = found[part.location] = self.contents(part)
                if len(found) > MAX_OBJECTS or (contents is None and part is ref):
                    return None
                todo.extend(value for value in values_in(contents) if type(value) in _LEADING)
        return ("ref", *found.items())

    def snapshot(self: Any, value: v.Value, entry: int) -> dict[int, Any]:
        """Heap objects made during the call and reachable from its result."""
        found: dict[int, Any] = {}
        stack = [value]
        while stack and len(found) < 200:
            part = stack.pop()
            if type(part) is v.Tuple:
                stack.extend(part.items or (part.element,))
            elif type(part) is v.Ref and part.location > entry and part.location not in found:
                contents = found[part.location] = self.contents(part)
                stack.extend(values_in(contents))
        return found

    def shows(
        self: Any, result: v.Value, made: dict[int, Any], entry: int, written: list[int], touched: list[int]
    ) -> bool:
        """Whether a call has changed what is older than itself, or what its result leads to."""
        if self.recorded is not None and (written or touched):
            return True  # each expression is to be recorded with the objects at hand
        if min(written, default=entry) < entry or min(touched, default=entry) < entry:
            return True
        if not touched:
            return False
        return self.last_captured or not self.serials_of(result, made).isdisjoint(touched)

    def serials_of(self: Any, value: v.Value, made: dict[int, Any]) -> set[int]:
        """Serial numbers of the objects that a result, or an object reachable from it, names."""
        found = set(made)
        for part in self.leaves([value, *(v.Ref(location) for location in made)]):
            if part.ident is not None:
                found.add(base(part.ident))
        for contents in made.values():
            if type(contents) is Instance:
                found.update(base(field.ident) for field in contents.fields.values() if field.ident is not None)
        return found


class Transplant:
    """A remembered result with objects and identities of its own, and those of what is ``given`` now.

    ``snapshot`` holds the objects that the call made. What is no key keeps the identity that it had before the
    remembered call, at ``entry``. The objects are written into ``state``.
    """

    __slots__ = ("state", "snapshot", "given", "entry", "made", "idents")

    def __init__(self, state: State, snapshot: dict[int, Any], given: dict[v.Ident, v.Ident], entry: int) -> None:
        self.state = state
        self.snapshot = snapshot
        self.given = given
        self.entry = entry
        self.made: dict[int, v.Ref] = {}
        self.idents: dict[v.Ident, v.Ident] = {}

    def identity(self, ident: v.Ident) -> Optional[v.Ident]:
        if self.given:
            for length in range(len(ident), 0, -1):
                if ident[:length] in self.given:
                    return self.given[ident[:length]] + ident[length:]
        return None

    def own(self, ident: v.Ident) -> v.Ident:
        found = self.idents.get(ident)
        if found is None:
            found = self.idents[ident] = self.identity(ident) or v.fresh()
        return found

    def kept(self, ident: v.Ident) -> v.Ident:
        return self.identity(ident) or (self.own(ident) if base(ident) > self.entry else ident)

    def of(self, part: v.Value) -> v.Value:
        kind = type(part)
        if kind is v.Tuple:
            if part.items is None:
                return part
            return v.Tuple(tuple(map(self.of, part.items)), fields=part.fields)
        if kind is v.Ref:
            return self.object(part) if part.location in self.snapshot else part
        if part.ident is None:
            return part
        if kind is v.Array:
            if part.aval.dtype in v.KEYS:
                return v.Array(part.mode, part.aval, part.origin, self.own(part.ident))
            return v.Array(part.mode, part.aval, part.origin, self.kept(part.ident), part.needless, part.was, part.presumed)
        if kind is v.Unknown:
            return v.Unknown(self.own(part.ident), part.options)
        if kind is v.Undecided:
            return v.Undecided(part.cls, part.origin, self.kept(part.ident))
        if kind is v.Static:
            return v.Static(part.type, self.kept(part.ident), part.size)
        if kind is v.Host:
            return v.Host(part.aval, self.kept(part.ident), part.view)
        if kind is v.Made and part.name in ("layer", "linen module"):
            return v.Made(part.name, part.args, self.own(part.ident))
        return part

    def object(self, part: v.Ref) -> v.Ref:
        if part.location in self.made:
            return self.made[part.location]
        ref = self.made[part.location] = v.Ref(self.state.allocate(None))
        contents = self.snapshot[part.location]
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


def renamed(before: dict[str, v.Value], now: dict[str, v.Value]) -> dict[v.Ident, v.Ident]:
    """What the arguments of a remembered call were called, and what those of this one are."""
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
