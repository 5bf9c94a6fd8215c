"""What flow changes: variables, the abstract heap, and which random keys were consumed.

A state is forked at a branch and joined at a merge. The inner tables are shared between forks
until one of them writes (``_own``), so that a fork costs a few dictionary copies of references.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from jaxlint.analysis.domain.values import (
    MAX_LENGTH,
    NONE,
    UNKNOWN,
    ClassValue,
    Const,
    Ident,
    Join,
    Ref,
    Static,
    Tuple,
    Unknown,
    Value,
    fresh,
    join,
    join_tuples,
)

_MAX_JOINED = 60  # objects that are joined where two paths meet
MODULE = "module"  # begins the ident of a module in `State.fields`: the names that are set from outside
TRUTH = " truth"  # in `State.fields`: whether a flag is true on the way to this point
Guards = tuple[tuple[str, object], ...]  # conditions, each with its truth, a bool; of `match` with the site of the case


class ListObject:
    """Contents of a list: each item where the length is known, else one value for all."""

    __slots__ = ("items", "element")

    def __init__(self, items: tuple[Value, ...] | None, element: Value = UNKNOWN) -> None:
        self.items = items
        self.element = element

    def summary(self) -> Value:
        if self.items is None:
            return self.element
        result: Value | None = None
        for item in self.items:
            result = item if result is None else join(result, item)
        return UNKNOWN if result is None else result

    def without(self, index: Value) -> ListObject:
        if self.items is None or type(index) is not Const or not isinstance(index.value, int):
            return ListObject(None, self.summary())
        kept = list(self.items)
        del kept[index.value : index.value + 1 or None]
        return ListObject(tuple(kept))

    def followed_by(self, other: ListObject) -> ListObject:
        """What `+` of the lists gives."""
        if self.items is not None and other.items is not None and len(self.items) + len(other.items) <= MAX_LENGTH:
            return ListObject(self.items + other.items)
        return ListObject(None, join(self.summary(), other.summary()))

    def joined(self, other: ListObject, join_values: Join = join) -> ListObject:
        if self.items is not None and other.items is not None and len(self.items) == len(other.items):
            return ListObject(tuple(join_values(a, b) for a, b in zip(self.items, other.items)))
        if self.items == () or other.items == ():
            return ListObject(None, (other if self.items == () else self).summary())
        return ListObject(None, join_values(self.summary(), other.summary()))


class DictObject:
    """Contents of a dict by constant key; ``rest`` is the value of any other key, None if there are none."""

    __slots__ = ("items", "rest")

    def __init__(self, items: dict[Any, Value], rest: Value | None = None) -> None:
        self.items = items
        self.rest = rest

    def without(self, key: Value) -> DictObject:
        if type(key) is Const:
            return DictObject({k: v for k, v in self.items.items() if k != key.value}, self.rest)
        return self.joined(DictObject({}))  # any of them may be gone

    def united(self, other: Contents | None) -> DictObject:
        """The union with another dict, or with what is not known."""
        if type(other) is DictObject and other.rest is None:
            return DictObject({**self.items, **other.items}, self.rest)
        return DictObject({}, Unknown(fresh()))

    def joined(self, other: DictObject, join_values: Join = join) -> DictObject:
        items = {k: join_values(v, other.items[k]) for k, v in self.items.items() if k in other.items}
        rests = [r for r in (self.rest, other.rest) if r is not None]
        rests += [v for k, v in self.items.items() if k not in items]
        rests += [v for k, v in other.items.items() if k not in items]
        rest: Value | None = None
        for value in rests:
            rest = value if rest is None else join_values(rest, value)
        return DictObject(items, rest)


class SetObject:
    __slots__ = ("element", "frozen")

    def __init__(self, element: Value = UNKNOWN, frozen: bool = False) -> None:
        self.element = element
        self.frozen = frozen

    def joined(self, other: SetObject, join_values: Join = join) -> SetObject:
        return SetObject(join_values(self.element, other.element), self.frozen or other.frozen)


class Instance:
    """An object of a project class. Fields that are not listed are unknown."""

    __slots__ = ("cls", "fields", "called")

    def __init__(self, cls: ClassValue, fields: dict[str, Value], called: bool = False) -> None:
        self.cls = cls
        self.fields = fields
        self.called = called  # a layer that has made its parameters

    def joined(self, other: Instance, join_values: Join = join) -> Instance:
        fields = {k: join_values(v, other.fields[k]) for k, v in self.fields.items() if k in other.fields}
        one_sided = [
            (k, v) for one, two in ((self, other), (other, self)) for k, v in one.fields.items() if k not in two.fields
        ]
        both = not self.fields.keys().isdisjoint(other.fields)  # else unknown code may have set them on one path
        fields.update((k, _if_set(v) if both else Unknown(fresh())) for k, v in one_sided if _is_new(v))
        return Instance(self.cls, fields, self.called and other.called)


Contents = ListObject | DictObject | SetObject | Instance


def values_in(contents: Contents | None) -> Iterable[Value]:
    """The values in an object."""
    if type(contents) is Instance:
        return contents.fields.values()
    if type(contents) is ListObject:
        return (contents.element,) if contents.items is None else contents.items
    if type(contents) is DictObject:
        return contents.items.values() if contents.rest is None else (*contents.items.values(), contents.rest)
    return (contents.element,) if type(contents) is SetObject else ()


def base(ident: Ident) -> int:
    """Serial number of the object that an ident begins with."""
    for part in ident[:2]:
        if type(part) is int:
            return part
    return 0  # what is the same everywhere, such as a dtype, begins with none


class Consumption:
    """A key was consumed: where (call chain and site), by what, under which guards."""

    __slots__ = ("chain", "api", "how", "guards", "detail")

    def __init__(self, chain: tuple[int, ...], api: str, how: str, guards: Guards, detail: Any = None) -> None:
        self.chain = chain
        self.api = api
        self.how = how  # "sampler", "split", "fold_in", "rngs"
        self.guards = guards
        self.detail = detail  # count of a split, datum of a fold_in


# Locations that were written, the last one first, each with how many there are.
Log = tuple[int, int, Any] | None


# What a call leaves to the functions that it makes: variables by the serial number of their frame, objects by location.
Left = tuple[dict[int, dict[str, Value]], dict[int, Contents]]


class State:
    """One point of the program. ``fields`` holds what was stored on objects that are not followed."""

    __slots__ = ("frames", "heap", "consumed", "fields", "versions", "failed", "_log", "_owned", "_frames_owned")

    def __init__(self) -> None:
        self.frames: dict[int, dict[str, Value]] = {}
        self.heap: dict[int, Contents] = {}
        self.consumed: dict[Ident, tuple[Consumption, ...]] = {}
        self.fields: dict[tuple[Ident, str], Value] = {}
        self.versions: dict[Ident, int] = {}
        self.failed = False  # every way here leads through what fails, in the body of a `try`
        self._log: Log = None  # forks share what they have in common, so that a join looks at the rest alone
        self._owned: set[str] = {"heap", "consumed", "fields", "versions"}
        self._frames_owned: set[int] = set()

    def fork(self) -> State:
        twin = State.__new__(State)
        twin.frames = dict(self.frames)
        twin.heap = self.heap
        twin.consumed = self.consumed
        twin.fields = self.fields
        twin.versions = self.versions
        twin.failed = self.failed
        twin._log = self._log
        twin._owned = set()
        twin._frames_owned = set()
        self._owned = set()
        self._frames_owned = set()
        return twin

    def _own(self, table: str) -> Any:
        found = getattr(self, table)
        if table not in self._owned:
            found = dict(found)
            setattr(self, table, found)
            self._owned.add(table)
        return found

    # --- variables ----------------------------------------------------------------------------

    def open_frame(self, serial: int, variables: dict[str, Value]) -> None:
        self.frames[serial] = variables
        self._frames_owned.add(serial)

    def close_frame(self, serial: int) -> None:
        self.frames.pop(serial, None)

    def reopen(self, left: Left | None) -> None:
        """Take in the variables and objects that functions read which a remembered call has made, where they are not known."""
        for serial, variables in left[0].items() if left is not None else ():
            self.frames.setdefault(serial, variables)
        for location, contents in left[1].items() if left is not None else ():
            if location not in self.heap:
                self.write(location, contents)

    def store(self, serial: int, name: str, value: Value) -> None:
        if serial not in self._frames_owned:
            self.frames[serial] = dict(self.frames.get(serial, ()))
            self._frames_owned.add(serial)
        self.frames[serial][name] = value

    def forget(self, serial: int, name: str) -> None:
        if name in self.frames.get(serial, ()):
            self.store(serial, name, UNKNOWN)
            del self.frames[serial][name]

    # --- heap ---------------------------------------------------------------------------------

    def allocate(self, contents: Contents) -> int:
        location: int = fresh()[0]
        self.write(location, contents)
        return location

    def keep(self, entry: int, made: dict[int, Contents], serials: set[int]) -> None:
        """Drop what is younger than ``entry``, but for the objects in ``made`` and those of ``serials``."""
        if next(reversed(self.frames)) > entry:
            self.frames = {serial: variables for serial, variables in self.frames.items() if serial <= entry}
        if any(location > entry and location not in made for location in reversed(self.heap)):
            self.heap = {at: contents for at, contents in self.heap.items() if at <= entry or at in made}
            self._owned.add("heap")
        for table in ("consumed", "versions"):
            entries = getattr(self, table)
            if any(base(ident) > entry for ident in reversed(entries)):
                kept = {k: x for k, x in entries.items() if base(k) <= entry or base(k) in serials}
                setattr(self, table, kept)
                self._owned.add(table)

    def write(self, location: int, contents: Contents) -> None:
        if "heap" not in self._owned:
            self.heap = dict(self.heap)
            self._owned.add("heap")
        self.heap[location] = contents
        log = self._log
        self._log = (1 if log is None else log[0] + 1, location, log)

    def set_field(self, ident: Ident, name: str, value: Value) -> None:
        self._own("fields")[(ident, name)] = value

    def stored_on(self, ident: Ident | None) -> Hashable:
        """What is known of the attributes of an object that is not followed, by their paths."""
        if not ident:
            return ()
        depth = len(ident)
        return tuple(
            [(key[0][depth:], key[1], value.key) for key, value in self.fields.items() if key[0][:depth] == ident]
        )

    def truth(self, ident: Ident | None) -> bool | None:
        """What is assumed of a flag."""
        assumed = self.fields.get((ident, TRUTH)) if ident is not None else None
        return bool(assumed.value) if type(assumed) is Const else None

    def truths(self) -> dict[tuple[Ident, str], Const]:
        """The flags that are true or false on the way here."""
        return {key: value for key, value in self.fields.items() if key[1] == TRUTH and type(value) is Const}

    def assume(self, truths: dict[tuple[Ident, str], Const]) -> list[tuple[Ident, str]]:
        """Take flags for true or false of which that is not known, and give their keys."""
        assumed = [key for key in truths if type(self.fields.get(key)) is not Const]
        for key in assumed:
            self.set_field(*key, truths[key])
        return assumed

    def doubt(self, assumed: list[tuple[Ident, str]]) -> None:
        """Assume nothing more of some flags."""
        fields = self._own("fields")
        for key in assumed:
            fields.pop(key, None)

    def renew(self, ident: Ident) -> None:
        """What is reachable from ``ident`` may have changed: its fields are unknown and new."""
        depth = len(ident)
        stale = [k for k in self.fields if k[0][:depth] == ident]
        if stale:
            fields = self._own("fields")
            for k in stale:
                del fields[k]
        self._own("versions")[ident] = fresh()[0]

    def renew_as(self, later: State, ident: Ident) -> None:
        """What is reachable from ``ident`` has changed on the way to a ``later`` state."""
        version = later.versions.get(ident)
        if version is not None and version != self.versions.get(ident):
            self.renew(ident)
            self.versions[ident] = version

    def start_consumed(self, table: dict[Ident, tuple[Consumption, ...]]) -> None:
        """Take these keys for what has been consumed, whoever else has the table."""
        self.consumed = table
        self._owned.discard("consumed")

    def consume(self, ident: Ident, consumption: Consumption) -> None:
        table = self._own("consumed")
        table[ident] = table.get(ident, ()) + (consumption,)


def join_states(a: State | None, b: State | None) -> State | None:
    """The state after two paths meet; None is a path that does not arrive."""
    if a is None or a is b:
        return b
    if b is None:
        return a
    a.failed = a.failed and b.failed
    joined = _StateJoin(a, b).join
    for serial, theirs in b.frames.items():
        ours = a.frames.get(serial)
        if ours is theirs:
            continue
        if ours is None:
            a.frames[serial] = theirs
            a._frames_owned.discard(serial)
            continue
        bound = ours.get
        differing = [(name, value) for name, value in theirs.items() if bound(name) is not value]
        if not differing:
            continue
        merged = dict(ours)
        for name, value in differing:
            mine = bound(name)
            # Bound on one path only: whoever reads it came along that path.
            merged[name] = value if mine is None else joined(mine, value)
        a.frames[serial] = merged
        a._frames_owned.add(serial)
    if a.heap is not b.heap:
        for location in _written(a._log, b._log):
            one, other = a.heap.get(location), b.heap.get(location)
            if one is other or other is None:
                continue
            if one is None:
                a.write(location, other)
            elif type(one) is type(other):
                a.write(location, one.joined(other, joined))  # type: ignore[arg-type]  # of the same class
    if a.consumed is not b.consumed and b.consumed:
        consumed = a._own("consumed")
        for ident, events in b.consumed.items():
            before = consumed.get(ident, ())
            if before is not events:
                consumed[ident] = before + tuple(e for e in events if e not in before)
    if a.fields is not b.fields:
        stale = [key for key, ours in a.fields.items() if b.fields.get(key) is not ours]
        stale += [key for key in b.fields if key not in a.fields]
        if stale:
            fields = a._own("fields")
            for key in stale:
                first, second = fields.get(key), b.fields.get(key)
                if first is not None and second is not None:
                    fields[key] = joined(first, second)
                elif key[0][0] == MODULE or (base(key[0]) and _is_new(second if first is None else first)):
                    fields[key] = Unknown(fresh())  # set on one path, and on the other what it was
                else:
                    fields.pop(key, None)
    if a.versions is not b.versions:
        renewed = [ident for ident, version in b.versions.items() if a.versions.get(ident) != version]
        if renewed:
            versions = a._own("versions")
            for ident in renewed:
                versions[ident] = fresh()[0]
    return a


class _StateJoin:
    """The join of values of two states, objects included of which one is new on its path.

    A loop replaces an object by such a new one, as updates of parameters and states do. Two objects that both paths have are not
    joined: what is written to one of them later would not be seen in their join.
    """

    def __init__(self, a: State, b: State) -> None:
        self.a = a
        self.b = b
        self.objects: dict[tuple[int, int], Ref] = {}  # what is the join of two objects, by the locations of both

    def join(self, mine: Value, theirs: Value) -> Value:
        if type(mine) is Tuple and type(theirs) is Tuple:
            return join_tuples(mine, theirs, self.join)
        if type(mine) is not Ref or type(theirs) is not Ref or mine.location == theirs.location:
            return join(mine, theirs)
        known = self.objects.get((mine.location, theirs.location))
        if known is not None:
            return known
        first, second = self.a.heap.get(mine.location), self.b.heap.get(theirs.location)
        is_new = mine.location not in self.b.heap or theirs.location not in self.a.heap
        if not is_new or len(self.objects) >= _MAX_JOINED or not are_alike(first, second):
            return join(mine, theirs)
        assert first is not None
        ref = Ref(self.a.allocate(first), mine.made if mine.made == theirs.made else None)
        self.objects[mine.location, theirs.location] = ref
        self.a.write(ref.location, first.joined(second, self.join))  # type: ignore[arg-type]  # of the same class
        return ref


def are_alike(a: Contents | None, b: Contents | None) -> bool:
    """Whether two objects have one class, and dicts the same keys."""
    if type(a) is DictObject and type(b) is DictObject:
        return a.items.keys() == b.items.keys() and (a.rest is None) is (b.rest is None)
    if type(a) is Instance and type(b) is Instance:
        return a.cls is b.cls
    return a is not None and type(a) is type(b)


def _if_set(value: Value) -> Value:
    """What an attribute is that one path alone has set: what stands there can only be read after that path."""
    either = join(value, NONE)
    return either if type(either) is Unknown and either.options and not either.open else Unknown(fresh())


def _is_new(value: Value | None) -> bool:
    """Whether an attribute has been set to more than what a test of it may have told."""
    return type(value) not in (Const, Static)


def _written(a: Log, b: Log) -> list[int]:
    """The locations that were written on either path since they parted, in their order."""
    found = set()
    while a is not b:
        if b is None or (a is not None and a[0] >= b[0]):
            found.add(a[1])  # type: ignore[index]
            a = a[2]  # type: ignore[index]
        else:
            found.add(b[1])
            b = b[2]
    return sorted(found)


def same_values(a: State, b: State, serial: int) -> bool:
    """Whether the variables of a frame say the same in both states (the test for a fixpoint)."""
    ours, theirs = a.frames.get(serial, {}), b.frames.get(serial, {})
    return ours is theirs or _StateComparison(a, b).same_items(ours, theirs)


class _StateComparison:
    """Whether values of two states say the same, with what is in their objects."""

    def __init__(self, a: State, b: State) -> None:
        self.a = a
        self.b = b
        self.compared: set[tuple[int, int]] = set()  # the locations on both sides: an object may hold itself

    def same_items(self, some: Mapping[str, Value], others: Mapping[str, Value]) -> bool:
        return some.keys() == others.keys() and all(self.same(value, others[name]) for name, value in some.items())

    def same(self, one: Value, other: Value) -> bool:
        if one is other or one.key == other.key:
            return True
        if (
            type(one) is Tuple
            and type(other) is Tuple
            and one.items
            and other.items
            and len(one.items) == len(other.items)
        ):
            return all(map(self.same, one.items, other.items))
        if type(one) is not Ref or type(other) is not Ref:
            return False
        pair = one.location, other.location
        if pair in self.compared:
            return True
        self.compared.add(pair)
        first, second = self.a.heap.get(pair[0]), self.b.heap.get(pair[1])
        if not are_alike(first, second):
            return False
        if type(first) is Instance and type(second) is Instance:
            return self.same_items(first.fields, second.fields)
        if type(first) is DictObject and type(second) is DictObject:
            return self.same_items(first.items, second.items)
        held, others = list(values_in(first)), list(values_in(second))
        return len(held) == len(others) and all(map(self.same, held, others))
