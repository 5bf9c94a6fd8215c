"""Random keys: who they are, and what has consumed them.

Samplers and `split` consume a key; a key consumed before gives the same numbers again. Two
consumptions conflict when their idents name the same key, or one is part of the other, and no two
guards on the way contradict each other. The report stands where the two paths part: in the helper
when both are there, else at the call that leads to the second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Boundary
from jaxlint.analysis.domain.state import Consumption, DictObject, base
from jaxlint.analysis.interpreter.narrowing import exclusive
from jaxlint.analysis.keys.consumed_keys import ConsumedKeys
from jaxlint.analysis.keys.key_elements import apart, once
from jaxlint.analysis.keys.layer_keys import INIT, PARAMETERS, evaluates
from jaxlint.analysis.keys.overwritten import is_alternative, is_check, is_unobserved, overwritten
from jaxlint.analysis.keys.turns import in_one_turn
from jaxlint.analysis.keys.typed_keys import is_typed
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_T = TypeVar("_T")


@hazards.hazard_class(consequence=hazards.Consequence.SILENT)
class LegacyKey(hazards.Hazard):
    """Site: the call that makes a key of the old form."""


class Keys(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.consumed_keys = ConsumedKeys()
        # (frame, seed) -> key and where it was made first.
        self.seeds: dict[Any, tuple[v.Ident, int]] = self.i.per_module({})
        # By the keys that a split makes in `shard_map`, the split of a key that all devices hold.
        self.replicated: dict[int, Call] = {}
        self.mapped: list[tuple[Boundary, set[int]]] = []  # the calls of `tree.map` around, and what their trees hold

    # --- making keys --------------------------------------------------------------------------

    def made(self, name: str, call: Call) -> v.Value | None:
        """The result of a function of `jax.random` that makes or derives keys; None for any other."""
        if name in ("jax.random.key", "jax.random.PRNGKey"):
            if name == "jax.random.PRNGKey":
                self.i.report(LegacyKey(), call.node, call.node, v.UNKNOWN, api=name)
            return self.new_key(name, call.get(0, "seed"), call)
        if name == "jax.random.split":
            return self.split(call)
        if name == "jax.random.fold_in":
            return self.fold_in(call)
        if name == "jax.random.clone":
            return self.derived(call, v.fresh())
        if name in ("jax.random.key_data", "jax.random.wrap_key_data"):
            source = call.get(0)
            ident = source.ident if source is not None else None  # the round trip is the same key
            made = self.derived(call, ident if ident is not None else v.fresh())
            if name == "jax.random.key_data":
                return v.Array(made.mode, v.ANY, made.origin, made.ident)
            self.i.typed_keys.made.add(call.site)
            shape = self.i.aval_of(source).shape if source is not None else None
            return v.Array(made.mode, v.Aval(v.TYPED_KEY, shape[:-1] if shape else None), made.origin, made.ident)
        return None

    def new_key(self, name: str, seed: v.Value | None, call: Call) -> v.Value:
        mode, origin = self.i.result_mode([seed] if seed is not None else [])
        ident: v.Ident = v.fresh()
        if type(seed) is v.Const and self.i.frame.parent is not None:
            # The same seed at two places of one function is the same key. Asked for again at one
            # place, in a loop, it is the business of another rule.
            first, site = self.seeds.setdefault((self.i.frame.serial, seed.key), (ident, call.site))
            ident = first if site != call.site and not self.restarts_stream(site, call.site) else ident
        self.i.constant_keys.new(seed, call, ident)
        shape: Any = ()
        if seed is not None and self.i.aval_of(seed).shape not in (None, ()):
            shape = self.i.aval_of(seed).shape
        typed = name == "jax.random.key"
        if typed:
            self.i.typed_keys.made.add(call.site)
        return v.Array(mode, v.Aval(v.TYPED_KEY if typed else "key", shape), origin, ident)

    def restarts_stream(self, first: int, second: int) -> bool:
        """Whether a name is bound once more to the key of one named seed: what follows is to draw the same numbers."""
        names = []
        for site in (first, second):
            statement, made = self.i.unit.statement(site), self.i.unit.nodes[site]
            if type(statement) is not ir.Assign or statement.value is not made or len(statement.targets) != 1:
                return False
            if any(type(node) is ir.Constant for node in getattr(made, "args", ())):
                return False  # one number in two places may be a coincidence
            names.append(ir.dotted(statement.targets[0]))
        return names[0] is not None and names[0] == names[1]

    def derived(self, call: Call, ident: v.Ident) -> v.Array:
        source = call.get(0)
        mode, origin = self.i.result_mode(call.args[:1])
        aval = source.aval if type(source) is v.Array and source.aval.dtype in v.KEYS else v.KEY
        return v.Array(mode, aval, origin, ident)

    def split(self, call: Call) -> v.Value:
        key = call.get(0, "key")
        number = call.get(1, "num")
        count: Any = 2
        if number is not None:
            count = number.value if type(number) is v.Const and isinstance(number.value, int) else None
        if key is not None:
            self.consume(key, "jax.random.split", call.node, call.node_of(0, "key"), "split", count)
        mode, origin = self.i.result_mode([key] if key is not None else [])
        shape: Any = (count,)
        if type(key) is v.Array and key.aval.shape not in (None, ()):
            shape = None
        if number is not None and v.python_type(number) != "int":
            shape = None  # it may be a tuple
        if type(number) is v.Tuple:
            shape = tuple(i.value if type(i) is v.Const else None for i in number.items) if number.items else None
        made: v.Array = self.i.key_arrays.made(v.Array(mode, v.Aval(_form(key), shape), origin, v.fresh()), call)
        if key is not None and key.ident is not None and made.ident is not None:
            if any(self.is_replicated(key.ident, boundary) for boundary in self.i.context.boundaries):
                self.replicated[base(made.ident)] = self.replicated.get(base(key.ident), call)
        return made

    def is_replicated(self, ident: v.Ident, boundary: Boundary) -> bool:
        """Whether each device of `shard_map` holds the key, or another that was split from one that each holds."""
        return boundary.how == "shard_map" and (base(ident) in self.replicated or not _varies(ident, boundary.serial))

    def fold_in(self, call: Call) -> v.Value:
        key, datum = call.get(0, "key"), call.get(1, "data")
        if key is not None and type(datum) is v.Const and isinstance(datum.value, int):
            self.consume(key, "jax.random.fold_in", call.node, call.node_of(0, "key"), "fold_in", datum.value)
        mode, origin = self.i.result_mode([x for x in (key, datum) if x is not None])
        return v.Array(mode, v.Aval(_form(key), ()), origin, v.fresh())

    # --- consuming keys -----------------------------------------------------------------------

    def undrawn(self, run: Callable[[], _T]) -> _T:
        """What ``run`` gives, which only traces code: no number is drawn, and keys are afterwards what they were."""
        assert self.i.state is not None
        consumed = self.i.state.consumed
        self.i.state.start_consumed({})
        result = run()
        if self.i.current_state() is not None:
            self.i.state.start_consumed(consumed)
        return result

    def consume(
        self, key: v.Value, api: str, node: ir.Node, argument: ir.Node | None, how: str = "sampler", detail: Any = None
    ) -> None:
        """A key is consumed by a call; report it where it was consumed before."""
        ident = key.ident
        if self.i.constant_keys.loses(node, api):
            return
        if ident is not None and self.i.key_elements.is_held(ident):
            return
        if ident is None or type(key) in (v.Ref, v.Const, v.Host):
            return
        if type(key) is v.Static and key.type:
            return
        i = self.i
        assert i.state is not None
        chain = (*i.chain, node.site)
        earlier = self.conflict(ident, how, detail, chain)
        event = Consumption(chain, api, how, i.guards, detail)
        i.touched.append(base(ident))
        i.state.consume(ident, event)
        if how not in ("fold_in", "rngs", INIT, STREAMS):
            i.constant_keys.consumed(ident, api, key, node)
            i.haiku.consumed(ident)
            self.shared(ident, key, api, node, argument, how)
        if earlier is not None:
            self.report(key, ident, earlier, event, node, argument)

    def arranges(self, name: str, call: Call) -> Hashable:
        """How a call arranges an array by the key: others may be arranged alike on purpose. None for any other call."""
        found = knowledge.facts(name)
        if name not in _ARRANGING or found is None or call.star or call.double_star:
            return None
        given = {parameter: value for parameter, value, _ in bound(found, call)}
        data = given.pop("a", given.pop("x", None))
        if data is None:
            return None
        given.pop("key", None)
        passed = sorted(name for name, value in given.items() if not _is_default(name, value))
        picked = _ROWS if v.python_type(data) == "int" else data.ident
        return tuple((name, given[name].key, given[name].ident) for name in passed), picked

    def conflict(self, ident: v.Ident, how: str, detail: Any, chain: tuple[int, ...]) -> Consumption | None:
        """An earlier consumption of the same key that this one repeats; the same call in a loop, if that is one."""
        found: Consumption | None = None
        assert self.i.state is not None
        consumed = self.i.state.consumed
        for other in self.consumed_keys.like(ident, consumed):
            if not overlap(other, ident):
                continue
            for event in reversed(consumed[other]):
                if found is not None and event.chain != chain:
                    continue
                if exclusive(event.guards, self.i.guards) or not collides(event, how, detail):
                    continue
                if _picks_alike(event, detail, chain):
                    continue
                if how == PARAMETERS and event.chain == chain and detail is not None:
                    continue  # one network after the other
                if (
                    how == "rngs"
                    and event.chain != chain
                    and not (
                        detail is not None
                        and event.detail == detail
                        and (detail.draws or event.chain[:-1] == chain[:-1])
                    )
                ):
                    continue  # a module makes keys of its own from it; called twice, it may be meant to drop out alike
                if event.chain == chain:
                    return event
                if self.i.intentional_reuse.apart(event.chain, chain):
                    continue
                found = found or event
        return found

    def report(
        self,
        key: v.Value,
        ident: v.Ident,
        earlier: Consumption,
        event: Consumption,
        node: ir.Node,
        argument: ir.Node | None,
    ) -> None:
        i = self.i
        common = 0
        while common < min(len(earlier.chain), len(event.chain)) and earlier.chain[common] == event.chain[common]:
            common += 1
        if common == len(event.chain):
            # The same call, come to again along the same way: a loop around it.
            if i.loop_entry is None:
                return
            loop, depth = i.loop_entry
            # What a call of the loop uses twice itself is another mistake.
            if i.reported_keys.get(ident, depth + 1) <= depth or once(event.guards, loop):
                return
            level = depth
            site = event.chain[min(depth, len(event.chain) - 1)]
            if overwritten(i.intentional_reuse, loop, site) or i.intentional_reuse.is_sweep(loop, site):
                return
            if is_check(i.intentional_reuse, loop, site) or in_one_turn(i, loop, event.chain[depth:]):
                return
            repeated: type[hazards.RepeatedKey] = hazards.KeyReuseInLoop
            first, how = loop.site, "loop"
        else:
            site = event.chain[common] if common < len(event.chain) else event.chain[-1]
            first = earlier.chain[common] if common < len(earlier.chain) else earlier.chain[-1]
            repeated = hazards.KeyReuse
            how = "split" if earlier.how == "split" else ("fold_in" if event.how == "fold_in" else "sampler")
            level = common
            if first == site:
                return
        if i.constant_keys.drawn_again(ident, key, (earlier.chain, event.chain), level):
            return
        i.reported_keys[ident] = min(level, i.reported_keys.get(ident, level))
        operand = argument if argument is not None and site == node.site else self.argument(site, ident)
        before = self.uses(ident, event.chain[:common])
        uses = tuple((use, self.argument(use, ident).site) for use in sorted(before - {site}, key=i.unit.order))
        hazard = repeated(first, self.argument(first, ident).site, earlier.api, event.api, how, uses)
        i.report(hazard, i.unit.nodes[site], operand, key, api=event.api)

    def is_observed(self, hazard: hazards.Hazard) -> bool:
        """Whether anything observes that a key is used again; asked when all calls are known."""
        if type(hazard) is not hazards.KeyReuse:
            return True
        uses, before = self.i.intentional_reuse, {hazard.first, *(site for site, _ in hazard.earlier)}
        if all(is_alternative(uses, site, hazard.site) for site in before):
            return False
        return not is_unobserved(uses, hazard.site) and not all(is_unobserved(uses, site) for site in before)

    def uses(self, ident: v.Ident, way: tuple[int, ...]) -> set[int]:
        """Sites of the calls that have consumed a key, on the level to which a chain of calls leads."""
        assert self.i.state is not None
        consumed = self.i.state.consumed
        events = (
            each
            for other in self.consumed_keys.like(ident, consumed)
            if overlap(other, ident)
            for each in consumed[other]
        )
        return {each.chain[len(way)] for each in events if len(each.chain) > len(way) and each.chain[: len(way)] == way}

    def argument(self, site: int, ident: v.Ident) -> ir.Node:
        """The argument of a call through which a key came in; the call itself where that is no key but holds one."""
        call = self.i.last_calls.get(site)
        place: ir.Node = self.i.unit.nodes[site]
        if call is not None:
            for value, node in zip(
                [*call.args, *call.keywords.values()], [*call.arg_nodes, *call.keyword_nodes.values()]
            ):
                if value.ident is not None and overlap(value.ident, ident):
                    named = any(type(v.unversioned(step)[0]) is str for step in ident[len(value.ident) :])
                    holds = named or type(value) is v.Ref or type(self.i.unit.parent(node.site)) is ir.Starred
                    return place if holds else node
        return place

    def shared(self, ident: v.Ident, key: v.Value, api: str, node: ir.Node, argument: ir.Node | None, how: str) -> None:
        """A key from outside a mapped or repeated body gives every run of it the same numbers."""
        i = self.i
        for position, boundary in enumerate(i.context.boundaries):
            if not _varies(ident, boundary.serial) or self.is_replicated(ident, boundary):
                if _paired(ident, boundary, i.context.boundaries[position + 1 :], i.context.boundaries[:position]):
                    continue
                if boundary.how == "shard_map" and how != "sampler":
                    continue  # what all devices hold, such as parameters, is made of the same keys on each
                split = self.replicated.get(base(ident))
                if split is not None:
                    key, api = split.get(0, "key") or key, "jax.random.split"
                    node, argument = split.node, split.node_of(0, "key")
                if i.silent or (boundary.serial, ident) in i.reported_shared:
                    return
                i.reported_shared.add((boundary.serial, ident))
                if i.linen.is_own_key(ident):
                    i.linen.shared(boundary, node)
                    return
                i.report(repeated_in(boundary, api), node, argument or node, key, api=api)
                i.reported_keys[ident] = 0
                return
        for boundary, leaves in self.mapped if how == "sampler" and not i.silent else ():
            if base(ident) > boundary.serial or base(ident) in leaves or (boundary.serial, ident) in i.reported_shared:
                continue
            if self.is_of_leaf(api, node):
                i.reported_shared.add((boundary.serial, ident))
                i.report(repeated_in(boundary, api), node, argument or node, key, api=api)
                i.reported_keys[ident] = 0
                return

    def is_of_leaf(self, api: str, node: ir.Node) -> bool:
        """Whether a call draws an array for one leaf of a tree, of its shape.

        What is drawn alike for all leaves, such as the rows of a batch, is meant to be the same.
        """
        found, call = knowledge.facts(api), self.i.last_calls.get(node.site)
        if found is None or call is None or call.star:
            return False
        shape = next((each for name, _, each in bound(found, call) if name == "shape"), None)
        scope = self.i.unit.scope(node.site)
        names = {each.name for each in scope.parameters} if isinstance(scope, ir.Function) else set()
        return any(
            type(each) is ir.Attribute and each.attr == "shape" and ir.dotted(each.value) in names
            for each in ir.walk([shape] if shape is not None else [])
        )

    def carried(self, before: v.Value, after: v.Value, boundary: Boundary, steps: object = None) -> None:
        """A loop body that hands on the key it consumed: the next step, if there is one, draws the same numbers. ``steps`` is
        how many there are; None where that is not known."""
        if steps != 1:
            self.i.carried_keys.handed_on(before, after)
        pairs = [(before, after)]
        while pairs:
            old, new = pairs.pop()
            if type(old) is v.Tuple and type(new) is v.Tuple and old.items is not None and new.items is not None:
                pairs.extend(zip(old.items, new.items))
                continue
            if old.ident is None or old.ident != new.ident or type(old) not in (v.Array, v.Undecided, v.Unknown):
                continue
            assert self.i.state is not None
            for event in self.i.state.consumed.get(old.ident, ()):
                if event.how == "fold_in" or len(event.chain) < len(self.i.chain):
                    continue
                site = event.chain[-1]
                node = self.i.unit.nodes[site]
                self.i.report(
                    repeated_in(boundary, event.api), node, self.argument(site, old.ident), old, api=event.api
                )
                break

    def given_to_unknown(self, call: Call) -> None:
        """A key under a keyword that means a seed is consumed, whoever takes it."""
        for name, value in call.keywords.items():
            if name == "seed" and type(value) is v.Array and value.aval.dtype in v.KEYS:
                self.consume(value, f"{name}=", call.node, call.keyword_nodes.get(name))
        if "rngs" in call.keywords:
            self.streams(call, self.i.layer_keys.drawn(call))

    def streams(self, call: Call, drawn: Collection[str]) -> None:
        """The keys that a Flax module is given, one for each stream of random numbers; of those in ``drawn`` it draws for certain."""
        if evaluates(call):
            return
        contents = self.i.contents(call.keywords.get("rngs", v.NONE))
        if type(contents) is DictObject and contents.rest is None:
            node = call.keyword_nodes.get("rngs")
            written = node.values if isinstance(node, ir.Dict) and len(node.values) == len(contents.items) else ()
            nodes = dict(zip(contents.items, written))
            for name, value in contents.items.items():
                detail = self.i.layer_keys.applied(call, name, name in drawn)
                self.consume(value, "rngs=", call.node, nodes.get(name, node), "rngs", detail)
                if name == "dropout" and value.ident is not None:
                    self.i.constant_keys.dropped(value.ident, "rngs=", value)


STREAMS = "streams"  # of NNX, which draw from fold_in(key, 0) on


def _form(key: v.Value | None) -> str:
    """dtype of what is derived from a key: typed where the key is."""
    return v.TYPED_KEY if key is not None and is_typed(key) else "key"


def repeated_in(boundary: Boundary, api: str) -> hazards.KeySharedAcrossBatch:
    """The hazard that a mapped or repeated body consumes one key each time; ``api`` consumes it."""
    return hazards.KeySharedAcrossBatch(boundary.site, boundary.site, boundary.how, api, boundary.how)


def overlap(first: v.Ident, second: v.Ident) -> bool:
    """Whether two idents name the same key, or one a part of the other."""
    for a, b in zip(first, second):
        if a != b and (type(a) is type(b) is int or (not _any_element(a) and not _any_element(b) and apart(a, b))):
            return False
    return True


def _varies(ident: v.Ident, serial: int) -> bool:
    """Whether each run of the body that the boundary ``serial`` stands for has another key."""
    if base(ident) > serial or ("*", serial) in ident:
        return True
    return any(isinstance(step, tuple) and step[0] == "index" and _varies(step[1], serial) for step in ident)


def _paired(ident: v.Ident, shared: Boundary, inner: Sequence[Boundary], outer: Sequence[Boundary]) -> bool:
    """Whether a `vmap` meets a batch of keys that another one maps over, inside of it or around the same function: a grid, which is meant."""
    stacked = [each for each in outer if each.function is not None and each.function == shared.function]
    mapped = (each for each in (*inner, *stacked) if each.how.endswith("vmap") and ("*", each.serial) in ident)
    return shared.how.endswith("vmap") and any(mapped)


def _is_default(option: str, value: v.Value) -> bool:
    """Whether an option has the value that it has by default."""
    return type(value) is v.Const and option in _DEFAULTS and value.value == _DEFAULTS[option]


def _any_element(step: Hashable) -> bool:
    return isinstance(step, tuple) and len(step) == 2 and step[0] == "*"


# What shuffles or picks rows: with one key for several arrays, rows stay beside each other.
_ARRANGING = frozenset({"jax.random.permutation", "jax.random.choice", "jax.random.shuffle"})
_ROWS = "rows"  # picked by their numbers
# The defaults of their options.
_DEFAULTS = {"axis": 0, "independent": False, "replace": True, "p": None, "mode": None}


def _picks_alike(event: Consumption, detail: object, chain: tuple[int, ...]) -> bool:
    """Whether a helper that picks rows by their numbers is called once more, for another array."""
    picks = type(detail) is tuple and detail[1:] == (_ROWS,) and event.detail == detail
    return picks and event.chain[-1] == chain[-1] and event.chain != chain


def collides(event: Consumption, how: str, detail: Any) -> bool:
    if "rngs" in (event.how, how):
        return event.how == how
    if STREAMS in (event.how, how):
        return {event.how, how} == {STREAMS, "split"}
    if INIT in (event.how, how):
        return event.how == how and bool(event.detail != detail)
    if PARAMETERS in (event.how, how):
        return {event.how, how} <= {PARAMETERS, "split"} and (detail is None or event.detail != detail)
    if detail is not None and event.detail is not None and how == event.how == "sampler":
        (others, data), (earlier_others, earlier_data) = detail, event.detail
        if others == earlier_others and (data is None or data != earlier_data):
            return False
    if event.how == "fold_in" and how == "fold_in":
        return bool(event.detail == detail)
    if "fold_in" in (event.how, how):
        # fold_in(key, i) is split(key, n)[i]; a sampler next to fold_in draws other numbers.
        other = event.how if how == "fold_in" else how
        count = event.detail if event.how == "split" else detail
        datum = detail if how == "fold_in" else event.detail
        return other == "split" and isinstance(count, int) and isinstance(datum, int) and datum < count
    return True
