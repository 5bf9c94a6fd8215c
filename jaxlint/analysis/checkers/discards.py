"""Results of pure functions that a statement throws away: updates of arrays, of trees, of the state of training."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.checkers.timings import CLOCKS
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.liveness import never_read, unread
from jaxlint.analysis.training.optimiser_states import APPLYING, StateDiscarded
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Array functions whose only use is their effect.
_EFFECTFUL = (
    "save",
    "savez",
    "set_printoptions",
    "printoptions",
    "device_put",
    "block_until_ready",
    "fill_diagonal",
    "put",
    "place",
)
# Functions of libraries that give a new tree, model or state, and leave what they are given as it is.
_PURE = frozenset({
    "optax.apply_updates", "optax.incremental_update", "optax.periodic_update", "optax.tree.set", "optax.tree_utils.tree_set",
    "equinox.apply_updates", "equinox.combine", "equinox.nn.inference_mode", "equinox.tree_at", "equinox.tree_inference",
    "flax.core.copy", "flax.core.freeze", "flax.core.unfreeze", "flax.nnx.clone", "flax.nnx.view",
    "dataclasses.replace", "copy.replace",
})  # fmt: skip
_NEW = APPLYING | {
    "equinox.tree_at",
    "equinox.nn.inference_mode",
}  # what these give is of no use where nothing reads it
# The same of functions that fill a tree with what was saved.
LOADING = frozenset({
    "equinox.tree_deserialise_leaves", "flax.serialization.from_bytes", "flax.serialization.from_state_dict",
    "flax.training.checkpoints.restore_checkpoint",
})  # fmt: skip
MAPPING = frozenset({"jax.tree.map", "jax.tree_util.tree_map"})
PURE_MODULES = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.random.")
TRAIN_STATE = "TrainState.apply_gradients"
OWN, OWN_UPDATE = "function.own", "function.update"  # of the project: it computes something, or changes a copy
_MAPPED = frozenset({"jax.vmap", "jax.grad", "jax.value_and_grad", "jax.checkpoint"})
_VERSIONS = ("new", "next", "updated")
_CONVERTING = frozenset(
    "array asarray astype reshape ravel flatten squeeze expand_dims transpose broadcast_to atleast_1d atleast_2d".split()
)
_DEPTH = 4  # of functions that call one another
_COUNTING = frozenset(f"builtins.{name}" for name in ("len", "range", "int", "float", "tuple", "min", "max", "abs"))
_REPLACE = "dataclass.replace"  # a method of immutable objects that gives a changed copy
_COMPILING = frozenset({"jax.jit", "jax.pmap", "equinox.filter_jit", "equinox.filter_pmap"})
_STRUCTS = frozenset({"flax.struct.dataclass", "chex.dataclass", "flax.struct.PyTreeNode"})


@hazard_class(consequence=Consequence.SILENT)
class DiscardedUpdate(Hazard):
    """The result of an update, or of another pure function of arrays, is thrown away.

    Site: the call whose result is lost; api.
    """


class Discards(Checker):
    """Results of pure functions that a statement throws away."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.unread: dict[int, str] = {}  # by site of a name that an assignment binds

    def subscribe(self, events: Events) -> None:
        events.expression_ended.append(self.statement)
        events.loop_ended.append(self.repeated)
        events.name_stored.append(self.stored)

    def stored(self, target: ir.Name, value: v.Value, source: ir.Node, op: str) -> None:
        """`new_params = optax.apply_updates(params, updates)` in a function that never reads `new_params`."""
        if op or type(source) not in (ir.Call, ir.Binary) or target.id.startswith("_"):
            return
        if target.site not in self.unread:
            self.unread[target.site] = self.kind_unread(target, source)
        if not self.unread[target.site] or self.i.aval_of(value).dtype in v.KEYS:
            return
        api = self.renewing(source, value)
        if api is not None:
            self.i.report(DiscardedUpdate(), source, target, value, api=api)

    def kind_unread(self, target: ir.Name, source: ir.Node) -> str:
        """What an assignment may give a local name to be lost, as nothing reads it: "copies" that a library makes, or all "values"."""
        statement, scope = self.i.unit.parent(target.site), self.i.frame.scope
        if type(statement) is not ir.Assign or statement.value is not source or not isinstance(scope, ir.Function):
            return ""
        if self.i.context.stage == STAGED_CODE and not _returns(scope):
            return ""  # what a traced function lacks is its result
        old = [node for node in ir.walk([source]) if _is_version(node, target.id)]
        if not any(_comes_from_outside(scope, node, statement) for node in old):
            return "copies" if never_read(scope, target.id) else ""
        return "values" if unread(self.i.unit, statement, target.id) else ""

    def renewing(self, source: ir.Node, value: v.Value) -> str | None:
        """What gives a changed copy: a function that does nothing else, or arithmetic with the old value of a name."""
        if type(source) is ir.Call:
            library, method = self.i.library_name(self.i.last_callee.get(source.site)), self.method_of_object(source)
            if method in (_REPLACE, TRAIN_STATE) or library in _NEW:
                return method or library
        target = self.i.unit.parent(source.site)
        name = target.targets[0] if type(target) is ir.Assign and len(target.targets) == 1 else None
        if (
            type(name) is not ir.Name
            or self.unread.get(name.site) != "values"
            or not any(_is_version(node, name.id) for node in ir.walk([source]))
        ):
            return None
        if type(source) is ir.Call:
            if ir.last_part(source.func) in _CONVERTING:
                return None  # which may be left over
            does = self.does(source, 0)
            return does if does and (does == OWN_UPDATE or type(value) is v.Array or library in MAPPING) else None
        return OWN if type(value) is v.Array else None

    def repeated(self, loop: ir.For | ir.While) -> None:
        """`step(state, batch)` as a statement of a loop, where the compiled function returns a new `state`."""
        for statement in ir.statements(loop.body, into_scopes=False):
            call = statement.value if type(statement) is ir.Evaluate else None
            made = self.i.last_callee.get(call.site) if type(call) is ir.Call else None
            if type(call) is not ir.Call or type(made) is not v.Transformed or made.transform.name not in _COMPILING:
                continue
            function = v.untransformed(made)
            if type(function) is not v.FunctionValue:
                continue
            passed = ir.passed(function.function, call)
            bound = {name for node in ir.walk(loop.body, into_scopes=False) for name in bound_by(node)}
            for parameter, site in self.renewed(function.function):
                given = passed.get(parameter)
                if isinstance(given, ir.Name) and given.id not in bound and not self.is_timed(call):
                    self.i.report(StateDiscarded(given.id, site), call, call, v.UNKNOWN)
                    break

    def renewed(self, function: ir.Function) -> Iterator[tuple[str, int]]:
        """The parameters of which a function returns changed copies, with the calls that make these."""
        nodes = list(ir.walk(function.body, into_scopes=False))
        ended = [node for node in nodes if type(node) is ir.Return]
        value = ended[0].value if len(ended) == 1 else None
        returned = value.elements if isinstance(value, ir.Sequence) else [value] if value is not None else []
        names = {each.id for each in returned if isinstance(each, ir.Name)}
        parameters = {parameter.name for parameter in function.parameters}
        for call in (node for node in nodes if type(node) is ir.Call):
            base: ir.Node | None = None
            if self.method_of_object(call) in (_REPLACE, TRAIN_STATE) and type(call.func) is ir.Attribute:
                base = call.func.value
            elif self.i.library_name(self.i.last_callee.get(call.site)) in APPLYING:
                base = ir.given(call, 0, "params") or ir.given(call, 0, "model")
            statement = self.i.unit.parent(call.site)
            kept = isinstance(statement, ir.Assign) and bool(names & bound_by(statement))
            if isinstance(base, ir.Name) and base.id in parameters and (kept or call in returned):
                yield base.id, call.site

    def is_timed(self, call: ir.Call) -> bool:
        """Whether the code around looks at a clock: a measurement needs no results."""
        nodes = ir.walk(self.i.unit.scope(call.site).body, into_scopes=False)
        return any(
            type(node) is ir.Call and self.i.library_name(self.i.last_callee.get(node.site)) in CLOCKS for node in nodes
        )

    def method_of_object(self, call: ir.Call) -> str | None:
        """The method that is called, where it is one of an immutable object."""
        func = call.func
        base = self.i.bases.get(func.site) if type(func) is ir.Attribute else None
        if type(func) is not ir.Attribute or base is None:
            return None
        attr = func.attr
        named = bool(call.keywords) and not call.args
        if attr == "update" and self.i.libraries.is_optimiser(base):
            return "GradientTransformation.update"
        if attr == "_replace" and type(base) is v.Tuple and base.fields is not None:
            return _REPLACE
        if attr == "replace" and named and self.is_struct(base):
            return _REPLACE
        if attr == "apply_gradients" and self.is_train_state(base):
            return TRAIN_STATE
        # What came through a transform is a copy: no method of it can change what is outside.
        if named and attr in ("replace", "apply_gradients") and type(base) is v.Undecided and self.is_copy(base):
            return _REPLACE if attr == "replace" else TRAIN_STATE
        return None

    def is_copy(self, value: v.Undecided) -> bool:
        steps = value.origin.steps(limit=64) if value.origin is not None else ()
        transform = next((step.transform for step in steps if step.transform is not None), None)
        return transform is not None and transform.startswith("jax.")

    def is_train_state(self, value: v.Value) -> bool:
        """Whether this is a `TrainState` of Flax whose methods are those of Flax."""
        contents = self.i.contents(value)
        method = contents.cls.lookup("apply_gradients") if type(contents) is Instance else None
        return type(method) is v.FunctionValue and self.i.is_in_source(method.function.site)

    def is_struct(self, value: v.Value) -> bool:
        """Whether this is an object of a class whose decorator or base gave it a `replace`."""
        contents = self.i.contents(value)
        if type(contents) is not Instance or contents.cls.lookup("replace") is not None:
            return False
        for cls in contents.cls.mro():
            names = {self.i.decorator_name(decorator) for decorator in cls.decorators}
            names |= {base.name for base in cls.bases if type(base) is v.Api}
            if names & _STRUCTS:
                return True
        return False

    def is_pure(self, function: v.Value | None) -> bool:
        """Whether this computes arrays and does nothing else: a function of JAX, or a lambda of these and of operators."""
        if type(function) is v.Api:
            return function.name.startswith(PURE_MODULES) and function.name.rpartition(".")[2] not in _EFFECTFUL
        if type(function) is not v.FunctionValue or not function.function.is_lambda:
            return False
        nodes = list(ir.walk(function.function.body))
        calls = [node for node in nodes if type(node) is ir.Call]
        computes = calls or any(type(node) is ir.Binary for node in nodes)
        return bool(computes) and all(self.is_pure(self.i.last_callee.get(call.site)) for call in calls)

    def own(self, callee: v.Value | None, depth: int = 0) -> str | None:
        """What a function of the project does that has no effects: it computes something of an argument, or changes a copy of it."""
        while type(callee) is v.Transformed and callee.transform.name in _MAPPED:
            callee = callee.function
        function = callee.function if type(callee) is v.BoundMethod else callee
        if type(function) is not v.FunctionValue or depth > _DEPTH or self.i.is_in_source(function.function.site):
            return None
        own = function.function
        if own.is_lambda or own.is_generator or own.decorators or own.nonlocals or own.globals:
            return None
        returned, found = [], set()
        for node in ir.walk(own.body, into_scopes=False):
            if isinstance(node, ir.Statement) and not self.only_binds(node):
                return None
            if isinstance(node, (ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom, ir.ClassDefinition)):
                return None
            if type(node) is ir.Function and not node.is_lambda:
                return None
            if type(node) is ir.Return:
                returned.append(node.value)
            if type(node) is ir.Call:
                does = self.does(node, depth)
                if does is None:
                    return None
                found.add(does)
        parameters = {each.name for each in own.parameters}
        if not returned or not all(each is not None and _is_made(each, own, parameters) for each in returned):
            return None
        return OWN_UPDATE if OWN_UPDATE in found else OWN if OWN in found else None

    def does(self, call: ir.Call, depth: int) -> str | None:
        """The same of a call in such a function; empty where it makes or counts something, None where it may have effects."""
        made = self.i.last_callee.get(call.site)
        library = self.i.library_name(made)
        if self.method_of_object(call) is not None or library in _PURE or self.is_update(made):
            return OWN_UPDATE
        if self.is_pure(made) or (library in MAPPING and self.is_pure(self.i.last_calls[call.site].get(0, "f"))):
            return OWN
        if type(made) is v.Member and type(made.receiver) is v.Array and made.name not in _EFFECTFUL:
            return OWN
        if type(made) is v.ClassValue:
            is_record = made.is_closed or made.family in ("dataclass", "namedtuple")
            return "" if is_record and not any(map(made.lookup, ("__init__", "__post_init__", "__new__"))) else None
        if type(made) is v.Api and made.name in _COUNTING:
            return ""
        return self.own(made, depth + 1)

    def is_update(self, callee: v.Value | None) -> bool:
        """Whether it is `x.at[i].set` or the like, which gives an updated array."""
        if type(callee) is not v.Member or type(callee.receiver) is not v.At or callee.receiver.index is None:
            return False
        # `get` is a read, and what is indexed by strings a data frame.
        texts = [part for part in self.i.leaves([callee.receiver.index]) if v.python_type(part) == "str"]
        return callee.name != "get" and knowledge.method(f"at.{callee.name}") is not None and not texts

    def only_binds(self, statement: ir.Statement) -> bool:
        if type(statement) is ir.Assign:
            return all(isinstance(node, (ir.Name, ir.Sequence)) for node in ir.walk(statement.targets))
        if type(statement) is ir.Evaluate:
            return type(statement.value) is ir.Constant
        if type(statement) is ir.For:
            return all(isinstance(node, (ir.Name, ir.Sequence)) for node in ir.walk([statement.target]))
        return type(statement) in (ir.Return, ir.If)

    def statement(self, statement: ir.Evaluate, value: v.Value) -> None:
        """An expression statement whose value is the only thing it does."""
        node = statement.value
        if type(node) is not ir.Call:
            return
        callee = self.i.last_callee.get(node.site)
        if type(callee) is v.Member and type(callee.receiver) is v.At:
            if self.is_update(callee):
                self.i.report(DiscardedUpdate(), node, node, value, api=f".at[].{callee.name}")
            return
        call = self.i.last_calls.get(node.site)
        if call is not None and self.i.expected.meant(call):
            return  # it is made to see whether it raises
        library = self.i.library_name(callee)
        method = self.method_of_object(node)
        if method is not None:
            self.i.report(DiscardedUpdate(), node, node, value, api=method)
            return
        if type(callee) is v.Member and type(callee.receiver) is v.Array and type(value) is v.Array:
            if callee.name not in _EFFECTFUL:
                self.i.report(DiscardedUpdate(), node, node, value, api=f".{callee.name}")
        elif type(callee) is v.Api and self.i.constant_keys.discarded(node, callee.name):
            return
        elif own := self.own(callee):
            self.i.report(DiscardedUpdate(), node, node, value, api=own)
        elif library in _PURE | LOADING or (
            library in MAPPING and self.is_pure(self.i.last_calls[node.site].get(0, "f"))
        ):
            self.i.report(DiscardedUpdate(), node, node, value, api=library)
        elif type(callee) is v.Api and type(value) is v.Array and callee.name.startswith(PURE_MODULES):
            found = knowledge.facts(callee.name)
            if found is None or found.result != "array" or callee.name.rpartition(".")[2] in _EFFECTFUL:
                return
            # With constants only the call is a warm-up; a key that is made has rules of its own.
            given = call.args or list(call.keywords.values()) if call is not None else []
            if value.aval.dtype not in v.KEYS and any(type(a) in (v.Array, v.Undecided) for a in given):
                self.i.report(DiscardedUpdate(), node, node, value, api=callee.name)


def _is_made(node: ir.Node, function: ir.Function, parameters: set[str]) -> bool:
    """Whether something that a function returns is computed of its parameters, or in its variables."""
    if isinstance(node, ir.Sequence):
        return any(_is_made(each, function, parameters) for each in node.elements)
    if isinstance(node, ir.Name):
        return any(isinstance(each, ir.Assign) for each in bindings(function, node.id))
    names = {each.id for each in ir.walk([node]) if type(each) is ir.Name}
    return isinstance(node, (ir.Binary, ir.Call, ir.Dict)) and any(
        name in parameters or bindings(function, name) for name in names
    )


def _comes_from_outside(scope: ir.Function, node: ir.Node, statement: ir.Node) -> bool:
    """Whether what is read is an argument, a part of one or what a loop goes over, and not what the function made itself."""
    root = ir.root_of(node)
    if not isinstance(root, ir.Name):
        return False
    made = bindings(scope, root.id)
    is_argument = any(each.name == root.id for each in scope.parameters)
    if isinstance(node, ir.Attribute) and root.id not in _set_on(scope):
        return False  # of an object of which the function sets no attribute
    return _is_bound_by_loop(scope, root.id) or (is_argument and all(each is statement for each in made[:2]))


@functools.lru_cache(maxsize=256)
def _returns(scope: ir.Function) -> bool:
    return any(type(each) is ir.Return for each in ir.walk(scope.body, into_scopes=False))


@functools.lru_cache(maxsize=256)
def _set_on(scope: ir.Function) -> frozenset[str | None]:
    """The objects, as they are written, of which a function sets attributes."""
    nodes = ir.walk(scope.body, into_scopes=False)
    stored = (target for each in nodes if isinstance(each, ir.Assign) for target in each.targets)
    return frozenset(ir.dotted(target.value) for target in stored if isinstance(target, ir.Attribute))


@functools.lru_cache(maxsize=256)
def _is_bound_by_loop(scope: ir.Function, name: str) -> bool:
    return any(isinstance(each, ir.For) for each in bindings(scope, name))


def _is_version(node: ir.Node, name: str) -> bool:
    """Whether a name is that of another value of what is read: `x` or `new_x` of `x`, or of `self.x`."""
    read = node.id if type(node) is ir.Name else node.attr if type(node) is ir.Attribute else None
    return read is not None and (name == read or name in [f"{each}_{read}" for each in _VERSIONS])
