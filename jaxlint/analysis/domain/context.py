"""Where the analysis stands: the lexical frame, and why the code runs as it does."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.values import serials
from jaxlint.ir import nodes as ir
from jaxlint.ir.nodes import Scope

if TYPE_CHECKING:
    from jaxlint.analysis.domain.call import Call
    from jaxlint.analysis.domain.values import ClassValue, Value
    from jaxlint.knowledge.transforms import Transform

EAGER, STAGED_CODE, UNKNOWN_CODE = "eager", "staged", "unknown"


class Frame:
    """The variables of one activation of a scope live in the state under ``serial``."""

    __slots__ = ("serial", "scope", "parent", "top", "captured", "cls", "receiver", "comprehension", "call")

    def __init__(self, scope: Scope, parent: Frame | None, serial: int | None = None) -> None:
        self.serial: int = next(serials) if serial is None else serial
        self.scope: Scope = scope
        self.parent: Frame | None = parent  # the enclosing frame by lexical nesting; class bodies are skipped
        self.top: Frame = self if parent is None else parent.top  # that of the module
        self.captured: bool = False  # a function or class was made here and may outlive the activation
        self.cls: ClassValue | None = None  # the class whose method this is, for `super()`
        self.receiver: Value | None = None
        self.comprehension: frozenset[str] | None = None  # names bound, where this is a comprehension
        self.call: Call | None = None  # the call at hand

    @property
    def passed(self) -> frozenset[str]:
        """Parameters that a call of the project's own passes; none of a call made up for any caller."""
        call, scope = self.call, self.scope
        if call is None or not isinstance(scope, ir.Function):
            return frozenset()
        ordinary = [p for p in scope.parameters if p.kind in ("positional-only", "ordinary")]
        if call.star:  # whatever it holds, it has something for those that need it
            return frozenset(p.name for p in ordinary if p.default is None)
        nodes = {**dict(zip((p.name for p in ordinary), call.arg_nodes)), **call.keyword_nodes}
        return frozenset(name for name, node in nodes.items() if not isinstance(node, ir.Parameter))


class Boundary:
    """A mapped or repeated body the analysis is inside of: keys from outside are shared by its runs."""

    __slots__ = ("serial", "how", "site", "function")

    def __init__(self, serial: int, how: str, site: int, function: Hashable = None) -> None:
        self.serial = serial
        self.how = how
        self.site = site
        self.function = function  # what a transform maps, behind all that is around it


# Transforms after shapes, by the last part of their names: whoever uses them may keep the tracers, which have them.
FOR_SHAPES = frozenset({"eval_shape", "filter_eval_shape", "make_jaxpr", "filter_make_jaxpr"})
ONLY_TRACE = FOR_SHAPES | {"export"}  # and compute nothing


# Transforms that compile nothing: what they are given runs when it is called.
RUNNING = frozenset({"grad", "value_and_grad", "vmap", "jvp", "vjp", "jacfwd", "jacrev", "hessian"})


class Trace:
    """The innermost trace that stages code: what is older than ``serial`` outlives it."""

    __slots__ = ("serial", "site", "transform", "outer", "outermost")

    def __init__(self, serial: int, site: int, transform: str, outer: Trace | None, outermost: bool) -> None:
        self.serial = serial
        self.site = site  # of the transform
        self.transform = transform  # the last part of its name
        self.outer = outer
        self.outermost = outermost  # outside of it nothing is traced, for certain


class ModuleCall:
    """A call of a bound module of Flax Linen: what is older than ``serial`` is not of it."""

    __slots__ = ("serial", "initialises", "depth", "given")

    def __init__(self, serial: int, initialises: bool, depth: int, given: Any = None) -> None:
        self.serial = serial
        self.initialises = initialises  # whether `init` makes parameters by this very code
        self.depth = depth  # of the chain of calls
        self.given = given  # what `apply` gives it, a `linen_scope.Given`


class Level:
    """The innermost trace around: what is older than ``serial`` is not of it."""

    __slots__ = ("serial", "site", "transform", "entered")

    def __init__(self, serial: int, site: int, transform: Transform) -> None:
        self.serial = serial
        self.site = site
        self.transform = transform
        self.entered = serial  # what is older than this, and of the trace, are its arguments


class Context:
    """How the current code runs. Immutable; ``but`` makes a changed copy."""

    def __init__(self) -> None:
        self.stage = EAGER  # "staged": every jax operation gives a tracer; "unknown": depends on the caller
        self.pure = True  # no transform anywhere around: nothing is a tracer
        self.origin: Origin | None = None  # why the code is staged
        self.haiku: Any = False  # inside hk.transform: the Inside of ``models.haiku``; None where that is not known
        self.leak: tuple[int, str] | None = None  # the JAX transform entered inside hk.transform
        self.guard = ""  # "all": failure is expected here; "errors": conversion errors are caught
        self.boundaries: tuple[Boundary, ...] = ()
        self.transparent = False  # inside disable_jit
        self.batched = False  # inside `vmap`, or `jacfwd`, which maps a basis of tangents
        self.derivatives = 0  # around, where there are functions with rules of their own
        # "manual" inside an eager shard_map, "kernel" in a Pallas kernel, "constants": values at trace time.
        self.region = ""
        # Inside `ensure_compile_time_eval`: what is computed of constants has its value, in any transform.
        self.folds = False
        self.trace: Trace | None = None
        self.axes: frozenset[str] | None = frozenset()  # names of axes that are bound; None: depends on the caller
        self.tangents: Any = None  # the Run of ``transforms.tangents`` that asks what has a tangent
        self.linen: ModuleCall | None = None  # inside a Linen module that is applied
        self.level: Level | None = None  # inside a transform that makes tracers
        self.convention = ""  # on which the activation rests; empty where a visible call shows it

    def but(self, **changes: Any) -> Context:
        twin = Context.__new__(Context)
        twin.stage = self.stage
        twin.pure = self.pure
        twin.origin = self.origin
        twin.haiku = self.haiku
        twin.leak = self.leak
        twin.guard = self.guard
        twin.boundaries = self.boundaries
        twin.transparent = self.transparent
        twin.batched = self.batched
        twin.derivatives = self.derivatives
        twin.region = self.region
        twin.folds = self.folds
        twin.trace = self.trace
        twin.axes = self.axes
        twin.tangents = self.tangents
        twin.linen = self.linen
        twin.level = self.level
        twin.convention = self.convention
        for name, value in changes.items():
            setattr(twin, name, value)
        return twin

    @property
    def transformed(self) -> bool | None:
        """Whether a transform is around that makes tracers; None where that is not known."""
        if self.pure:
            return False
        return True if self.origin is not None and not self.folds else None

    @property
    def key(self) -> Hashable:
        boundaries = tuple((b.how, b.site) for b in self.boundaries)
        flags = (self.transparent, self.batched, self.derivatives, self.folds)
        key = (
            self.stage,
            self.pure,
            self.haiku,
            self.leak,
            self.guard,
            boundaries,
            flags,
            self.region,
            self.axes,
            self.tangents,
        )
        if self.linen is None:
            return key
        inner = sum(boundary.serial > self.linen.serial for boundary in self.boundaries)
        return (*key, self.linen.initialises, inner, self.linen.given and self.linen.given[1:3])


def makes_parameters(context: Context) -> bool:
    """Whether `init` of a framework is around, which runs once without a transform, whatever compiles the module after that."""
    return (context.linen is not None and context.linen.given is None) or bool(
        context.haiku and context.haiku.initialises
    )


def configuring(context: Context) -> Context:
    """The context in which `setup` or `__init__` configures a module: whether a transform is around depends on the caller."""
    return context.but(stage=UNKNOWN_CODE, origin=None, trace=None)


def runs_as_called(context: Context) -> bool:
    """Whether no trace is around that compiles: nothing is, or only transforms that run what they are given."""
    steps = context.origin.steps(limit=64) if context.origin is not None else ()
    names = [each.transform.rpartition(".")[2] for each in steps if each.transform is not None]
    return context.stage != STAGED_CODE and (context.origin is None or (bool(names) and RUNNING.issuperset(names)))
