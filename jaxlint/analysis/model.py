"""The finished result of the analysis: what rules, `reveal` and the oracle read.

A *demand* is a place where Python, NumPy or JAX needs more of a value than it has: a bool of a
tracer, a size that is traced, a key that was consumed before. Demands are what can go wrong;
rules decide how to say it. The model is complete before any rule runs.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.project.custom_names import NOTHING
from jaxlint.source.diagnostic import ImportRequest
from jaxlint.source.libraries import LIBRARIES

if TYPE_CHECKING:
    from jaxlint.analysis.containment import Failure
    from jaxlint.analysis.domain.origin import Origin
    from jaxlint.analysis.domain.values import Value
    from jaxlint.ir.nodes import Unit
    from jaxlint.knowledge import History, ParameterHistory
    from jaxlint.project.target import Releases


class Kind:
    """Kinds of demand. The comment says what ``site``, ``operand``, ``api`` and ``detail`` hold."""

    # A Python value of a tracer is needed.
    ITEM = "item"  # site: the call; operand: receiver; api: method name
    CAST = "cast"  # site: the call; operand: argument; api: "builtins.int", "math.sqrt", "operator.index" ...
    BRANCH = "branch"  # site: operand; detail: "if", "ternary", "assert", "comprehension", "filter", "match", "bool"
    WHILE = "while"  # site: operand
    BOOLEAN = "boolean"  # site: operand; detail: "and", "or", "not", "chain", "in"
    REDUCTION = "reduction"  # site: the call; operand: argument; api: "builtins.max" ...
    RANGE = "range"  # site: the call; operand: the traced argument
    STATIC = "static"  # site: the argument; api, parameter: which parameter must be concrete
    CONTAINER_INDEX = "container-index"  # site: the subscript; operand: index; detail: "list", "tuple", "dict", "slice"
    HASH = "hash"  # site: the expression that hashes; operand: the value; detail: "hash", "set", "dict", "cache"
    FORMAT = "format"  # site: the field or the `%`; operand: the value
    ITERATE_SCALAR = "iterate-scalar"  # site: the iterable
    TYPE_TEST = "type-test"  # site: the test; operand: the tracer in it; api: function; detail: type before tracing
    # Shapes.
    SHAPE = "shape"  # site: the argument; api, parameter; operand: the traced part of it
    # Site: the call or subscript; operand: the float; api: function, "index" or "slice"; parameter.
    FLOAT_SIZE = "float-size"
    LIST_INDEX = "list-index"  # site: the subscript; operand: the list; value: the array
    # Site: the call; operand: the argument; api; parameter; detail: "list", "element", "generator", "view", "seed".
    REFUSED = "refused"
    UNINITIALISED = "uninitialised"  # site: the call that makes the array; operand: what computes with it; api
    DATA_DEPENDENT = "data-dependent"  # site: the call; api; parameter: the way out ("size") or None
    MASK_INDEX = "mask-index"  # site: the subscript; operand: the mask
    MASK_UPDATE = "mask-update"  # site: the call `x.at[m].set(v)`; operand: the mask; api: method ("set")
    OUT_OF_BOUNDS = "out-of-bounds"  # site: the subscript or call; operand: the index; api; detail: Outside
    PADDED = "padded"  # site: what takes padding for a result; operand: the call that pads; api; detail: Padded
    SLICE_BOUND = "slice-bound"  # site: the subscript; operand: the traced bound; detail: the Slice site
    # The host.
    NUMPY = "numpy"  # site: the call; operand: the tracer; api: "numpy.sin"
    NUMPY_INDEX = "numpy-index"  # site: the subscript; operand: the index
    NUMPY_STORE = "numpy-store"  # site: the target; operand: the value stored into a NumPy array
    PRINT = "print"  # site: the call; operand: the printed argument that is traced; api
    ITEM_ASSIGNMENT = "item-assignment"  # site: the statement; operand: the target subscript
    LOSSY_SCATTER = "lossy-scatter"  # site: the call `x.at[i].set(v)`; operand: the value; api: method; detail: Lossy
    DISCARDED = "discarded"  # site: the call whose result is lost; api
    SILENT = "silent"  # site: the call that misjudges a tracer; operand: the tracer; api
    # Site: the call or the target of `del`; operand: the jax array; api; parameter: "out", "a" ...
    MUTATION = "mutation"
    # Site: the target of the augmented assignment; operand: the same; detail: what it aliases.
    LOST_UPDATE = "lost-update"
    LOST_STORE = "lost-store"  # site: the target or call; operand: the argument that is changed; api: the transform
    DEAD_HANDLER = "dead-handler"  # site: the exception in `except`; operand: what raises it elsewhere; detail: Dead
    # Site: the call of `next` in traced code; operand: the iterator, of outside; api: innermost transform.
    ITERATOR = "iterator"
    # Site: the call, or the attribute; operand: the array; api: ".fill", "jax.numpy.put"; detail: "set".
    NUMPY_ONLY = "numpy-only"
    # Site: the target or call that writes; operand: the view; api; detail: site of the conversion.
    READ_ONLY = "read-only"
    HOST_METHOD = "host-method"  # site: the call or attribute; api: ".block_until_ready", "pickle.dumps" ...
    LEAK = "leak"  # site: the target or call that stores a tracer where it outlives the trace; operand; detail: Store
    SIDE_EFFECT = "side-effect"  # site: the target or call that stores a Python value there; operand; detail: Store
    HOST_RANDOM = "host-random"  # site: the call in traced code; api: "numpy.random.normal", "random.random" ...
    HOST_IO = "host-io"  # site: the call in traced code; api: "time.time", "builtins.open" ...
    # The process.
    LATE = "late"  # site: the store or call that comes too late; api: the variable, option or function; detail: Late
    BACKEND_AT_IMPORT = "backend-at-import"  # site: the call in the module that starts the backend; api
    FORK = "fork"  # site: the call; api; detail: Late, what started the backend
    # Keys.
    KEY_REUSE = "key-reuse"  # site: the second call that consumes; operand: the key in it; detail: KeyReuse
    KEY_LOOP = "key-loop"  # site: the call in the loop; operand: the key in it; detail: KeyReuse
    KEY_SHARED = "key-shared"  # site: the call in the body; operand: the key in it; detail: KeyReuse
    KEY_MISUSE = "key-misuse"  # site: what fails on a typed key, or is never true of one; operand: the key; api
    CONSTANT_KEY = "constant-key"  # site: the call that makes a key of a constant where it runs again; api: what draws
    KEY_DEFAULT = "key-default"  # site: the default; operand: the Parameter; detail: name of the function
    DISCARDED_SPLIT = "discarded-split"  # site: the call whose keys are lost; operand: the key; api
    KEY_ARRAY = "key-array"  # site: the call that takes one key; operand: the array of keys; api; detail: KeyArray
    # Site, operand: the keys that are unpacked into another number of names; detail: KeyArray.
    SPLIT_COUNT = "split-count"
    SAMPLER = "sampler"  # site: the call; operand: the argument, or the call; api, parameter; detail: WrongArguments
    LEGACY_KEY = "legacy-key"  # site: the call that makes a key of the old form
    NON_ARRAY = "non-array"  # site: the call; operand: the argument; api: the transform; detail: NotAnArray
    # What a transform is told of its function; detail: a tuple of ``transforms.agreement``.
    UNKNOWN_ARGUMENT = "unknown-argument"  # site: the decorator or call; operand: the option; api; parameter: its name
    AXES = "axes"  # site: the call of the transform, or of what it made; operand; api; parameter: "in_axes" ...
    NON_SCALAR = "non-scalar"  # site: the call of the gradient, or its unpacking; detail: WrongGradient
    INTEGER_GRADIENT = "integer-gradient"  # site: the call; operand: the argument or the call; detail: WrongGradient
    LOOP_SYNC = "loop-sync"  # site: the call that fetches a value in each pass of a loop; operand: the array; api
    # Site: the second reading of a clock; operand: the call it does not wait for; detail: Timing.
    UNBLOCKED = "unblocked"
    FRESH_CALLABLE = "fresh-callable"  # site: the jit; operand: the same; detail: what is made anew, site of the loop
    STALE_CAPTURE = "stale-capture"  # site: the call that finds the old value; operand: what is read; detail: Captured
    # Site: the decorator, or a call that finds another `self`; detail: CompiledMethod.
    COMPILED_METHOD = "compiled-method"
    DONATED = "donated"  # site: the later use; operand: the name; detail: Donation
    UNROLLED = "unrolled"  # site: the iterable of a loop in traced code; operand: the same; detail: number of passes
    # Site: the name of a large array in traced code; operand: the same; detail: number of elements.
    LARGE_CONSTANT = "large-constant"
    # Site: the call; operand: the argument; api, parameter; detail: function, site of the loop.
    VARYING_STATIC = "varying-static"
    UNHASHABLE = "unhashable"  # site: the call; operand: the argument; api, parameter; detail: function, what it is
    STRUCTURE = "structure"  # site: the call of the loop or conditional; operand: the same; detail: Mismatch
    CALLBACK = "callback"  # site: the call of the transform; operand: the function or predicate; api, parameter
    # Site: the call; operand: the name or spec; api; parameter: the option of shard_map; detail: UnboundAxis.
    AXIS_NAME = "axis-name"
    RECURSION = "recursion"  # site: the call of a function in itself; operand: the same; detail: Recursion
    # Site: the call of the loop; operand: the call of the gradient; api: "jax.lax.while_loop"; detail: ReverseLoop.
    REVERSE_LOOP = "reverse-loop"
    # Site: the operation; operand: the call of the gradient; api: "jax.numpy.where"; detail: Guarded.
    NAN_GRADIENT = "nan-gradient"
    # Site: the norm or root; operand: the call of the gradient; detail: SingularPoint.
    SINGULAR_GRADIENT = "singular-gradient"
    ZERO_GRADIENT = "zero-gradient"  # site: the call of the gradient; operand: the same; api; detail: ZeroGradient
    # Site: the rule where it is given, or the call; operand; api: "jax.custom_vjp"; detail: WrongRule.
    CUSTOM_RULE = "custom-rule"
    # Names and frameworks.
    # Site: the Alias, Attribute or string that names it; api: the name as written; detail: NameUse.
    NAME_USED = "name-used"
    # Site: the Alias or Attribute that names it; api: the dotted name; detail: UnknownName.
    UNKNOWN_NAME = "unknown-name"
    # Site: the Keyword, or the argument; operand: its value; api; parameter.
    UNSUPPORTED_ARGUMENT = "unsupported-argument"
    # Site: the Keyword, or the argument passed by position; api; parameter; detail: ParameterUse.
    PARAMETER = "parameter"
    TRANSFORM_IN_HAIKU = "transform-in-haiku"  # site: the call of the JAX transform; api; operand: what touches state
    MODULE_MUTATION = "module-mutation"  # site: the target, or the call; operand: the module or value; detail: Mutation
    # Site: the JAX transform; operand: it, or the argument; api; detail: ModuleUse.
    MODULE_TRANSFORMED = "module-transformed"
    PYTREE_CLASS = "pytree-class"  # site: the conversion, or what is compared; operand: the leaf; detail: PyTreeClass
    # Site: the call of Haiku's transform; operand: the layer; detail: "loop", "branches", "split", "missing".
    HAIKU_INIT = "haiku-init"
    HAIKU_OUTSIDE = "haiku-outside"  # site: the call that takes a Haiku transform around it; api: its name
    HAIKU_NOT_LIFTED = "haiku-not-lifted"  # site: the call of `init` in another transform; operand: that of `apply`
    HAIKU_KEY = "haiku-key"  # site: the JAX transform that maps or repeats; operand: the call that draws the key; api
    HAIKU_STATE = "haiku-state"  # site: the call of hk.transform; operand: the call that asks for state; api: its name
    # Site: the call; operand: an argument; parameter: "init", "apply"; detail: HaikuCall.
    HAIKU_ARGUMENTS = "haiku-arguments"
    TRANSFORM_IN_LINEN = "transform-in-linen"  # the same; operand: what makes parameters; detail: "leak" or "hash"
    # Site: the comparison; operand: what is asked; api: operator; parameter: "dtype" ...; detail: the other.
    IDENTITY = "identity"
    # Site: what is returned, or the transform; operand: the transform; api; detail: NotReturned.
    NON_ARRAY_RETURN = "non-array-return"
    LINEN_MISUSE = "linen-misuse"  # site: the call of `apply`, or what fails; operand: what asks for it; detail: Misuse
    NNX_MODULE = "nnx-module"  # site: the transform; operand: what changes the module; api; detail: ChangedModule
    NNX_ATTRIBUTE = "nnx-attribute"  # site: the container; operand: the attribute it is stored as; detail: its form
    LINEN_RNG = "linen-rng"  # site: the call of the JAX transform; api; operand: what draws
    DEBUGGER = "debugger"  # site: the call; api
    # Site: what fails on a tracer in a callback, or shows it; operand: the tracer; api; detail: Captured.
    CAPTURED = "captured"
    # Site: the call; operand: the mapped argument, or the method; api; detail: MappedCallback.
    MAPPED_CALLBACK = "mapped-callback"
    # Site: the call; operand: the template or an argument; api; detail: PrintArguments.
    PRINT_ARGUMENTS = "print-arguments"
    LEADING_BRACE = "leading-brace"  # site: the call; operand: the template; api; detail: "fails" or "prints"
    # Site, operand: the call of `checkify.check`; api; detail: site of what compiles it.
    UNTAKEN_CHECK = "untaken-check"
    # Site: the argument; detail: "f-string", "percent", "format", "concat".
    DEBUG_PRINT_FORMATTED = "debug-print-formatted"
    NARROWED = "narrowed"  # site: the call or operator; operand: the dtype or number; api; detail: Narrowed
    SYMBOLIC = "symbolic"  # site: what needs a symbolic dimension as a number; operand; detail says how
    # Site: what takes a dimension for different; api: operator; detail: the sizes.
    DIMENSION_COMPARED = "dimension-compared"
    UNDERIVABLE = "underivable"  # site: the call that fails for a dimension; operand; detail: Underivable
    UNSUPPORTED = "unsupported"  # any other operation that fails; api says which


# Demands about a key that is used again, which may be meant so; the detail is a KeyReuse.
REPEATS_KEY = frozenset({Kind.KEY_REUSE, Kind.KEY_LOOP, Kind.KEY_SHARED})

# Demands that raise nothing where they stand: they stay harmful where the author expects or catches a failure.
SILENT_HAZARDS = frozenset({
    Kind.KEY_REUSE, Kind.KEY_LOOP, Kind.KEY_SHARED, Kind.CONSTANT_KEY, Kind.KEY_DEFAULT, Kind.DISCARDED_SPLIT,
    Kind.LEGACY_KEY, Kind.PRINT, Kind.DEBUG_PRINT_FORMATTED, Kind.DISCARDED, Kind.NAME_USED, Kind.HOST_IO, Kind.LEAK,
    Kind.SIDE_EFFECT, Kind.BACKEND_AT_IMPORT, Kind.FORK, Kind.SILENT, Kind.FRESH_CALLABLE, Kind.COMPILED_METHOD,
    Kind.HAIKU_NOT_LIFTED, Kind.HAIKU_KEY, Kind.LINEN_RNG, Kind.IDENTITY, Kind.ITERATOR, Kind.DEAD_HANDLER,
    Kind.LOOP_SYNC, Kind.STALE_CAPTURE, Kind.LOST_UPDATE, Kind.LOST_STORE, Kind.UNBLOCKED,
})  # fmt: skip


class KeyReuse:
    """Detail of a key demand: what consumed the key before, and how."""

    __slots__ = ("first", "first_operand", "first_api", "second_api", "how", "earlier")

    def __init__(
        self,
        first: int,
        first_operand: int,
        first_api: str,
        second_api: str,
        how: str,
        earlier: tuple[tuple[int, int], ...] = (),
    ) -> None:
        self.first = first  # site of the call that consumed the key before, or of the loop or transform
        self.first_operand = first_operand  # site of the key in it
        self.first_api = first_api
        self.second_api = second_api
        self.how = how  # "sampler", "split", "fold_in", "loop", or the transform that repeats the body
        # Sites of all calls beside this one that consumed the key before, and of the key in each.
        self.earlier = earlier


class NameUse(NamedTuple):
    """Detail of a name: what is to be said of it, and for which releases. Names of random keys have none."""

    status: str  # "gone", "deprecated", "private" or "unknown"
    history: History
    releases: Releases  # those in which the code runs


class ParameterUse(NamedTuple):
    """Detail of an argument that its function does not take as it is passed."""

    how: str  # "gone", "deprecated", "positional-only", "keyword-only" or "unknown"
    history: ParameterHistory
    releases: Releases


class Demand:
    """One demand that cannot be met. ``origin`` tells why the value is traced, innermost step first."""

    __slots__ = (
        "kind",
        "site",
        "operand",
        "value",
        "origin",
        "api",
        "parameter",
        "detail",
        "activation",
        "chain",
        "convention",
    )

    def __init__(
        self,
        kind: str,
        site: int,
        operand: int,
        value: Value,
        origin: Origin | None,
        api: str | None = None,
        parameter: str | None = None,
        detail: Any = None,
        activation: Activation | None = None,
        chain: tuple[int, ...] = (),
        convention: str = "",
    ) -> None:
        self.kind = kind
        self.site = site
        self.operand = operand
        self.value = value
        self.origin = origin
        self.api = api
        self.parameter = parameter
        self.detail = detail
        self.activation = activation
        self.chain = chain  # sites of the calls that lead here, outermost first
        self.convention = convention  # on which the report rests; empty where it is certain

    def __repr__(self) -> str:
        return f"Demand({self.kind}, site={self.site}, api={self.api}, parameter={self.parameter})"


class Activation:
    """A body and the reason it runs as it does. ``label`` is text such as "step, traced by jit"."""

    __slots__ = ("scope", "label", "stage", "entry", "for_any", "transformed")

    def __init__(
        self, scope: ir.Scope, label: str, stage: str, entry: dict[str, Value] | None = None, for_any: bool = False,
        transformed: bool | None = None,
    ) -> None:  # fmt: skip
        self.scope = scope
        self.label = label
        self.stage = stage  # "eager", "staged" or "unknown"
        self.entry = entry or {}  # what it is entered with, of ``domain.entry_state``; only where values are recorded
        self.for_any = for_any  # whether it stands for calls that are not seen
        self.transformed = transformed  # whether a transform is around; None where that is not known


class Part:
    """A module that the root imports: its sites are larger than those of the root, from ``first`` to below ``last``."""

    __slots__ = ("filename", "module", "first", "last")

    def __init__(self, filename: str, module: ir.Module, first: int, last: int) -> None:
        self.filename = filename
        self.module = module
        self.first = first
        self.last = last


class Model:
    """Everything known about one root.

    ``demands`` are sorted by file and site and hold at most one demand of a kind at a site; those of the
    modules in ``parts`` come after the root's own. ``values`` is filled only when the analysis was
    asked to record: a list of ``(site, Value, Activation)``.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.demands: list[Demand] = []
        self.values: list[tuple[int, Value, Activation]] = []
        self.names: Names = Names({})
        self.budget_reached: list[str] = []
        self.failures: list[Failure] = []  # of the analysis itself
        self.presumed: list[int] = []  # sites of the functions that were run by a convention
        self.is_test = False
        self.conventions = NOTHING
        self.parts: list[Part] = []
        self._firsts: list[int] = []  # of their sites, in order
        self._by_site: list[Part] = []
        self.loader: Any | None = None  # that found the modules in ``parts``
        self.called_with: dict[int, list[Value]] | None = None  # what `recording` found in them

    def part(self, site: int) -> Part | None:
        """The imported module a site belongs to, None for the root itself."""
        at = bisect_right(self._firsts, site) - 1
        part = self._by_site[at] if at >= 0 else None
        return part if part is not None and site < part.last else None

    def add(self, part: Part) -> None:
        self.parts.append(part)
        at = bisect_right(self._firsts, part.first)
        self._firsts.insert(at, part.first)
        self._by_site.insert(at, part)

    def file(self, site: int) -> str:
        """The file of the imported module that a site belongs to, "" for the root."""
        part = self.part(site)
        return "" if part is None else part.filename

    def by_kind(self, kinds: Iterable[str]) -> list[Demand]:
        wanted = set(kinds)
        return [demand for demand in self.demands if demand.kind in wanted]


DEFAULT_ALIASES = {
    "jax.numpy": "jnp",
    "flax.linen": "nn",
    **{each.name: each.alias for each in LIBRARIES if each.alias},
}
# What `import jax` does not load, and what the first two do not load themselves.
_APART = ("jax.experimental", "jax.example_libraries", "jax.extend", "jax.flatten_util")


class Names:
    """The module-level imports of a file, to write API names in the file's own style."""

    def __init__(
        self, bound: dict[str, str], taken: frozenset[str] = frozenset(), module: ir.Module | None = None
    ) -> None:
        self._bound = bound  # canonical dotted name -> local expression
        self._taken = taken  # names the module binds to something
        self._module = module

    @classmethod
    def of(cls, module: ir.Module) -> Names:
        """The names of libraries that a module binds at its top level."""
        bound: dict[str, str] = {}
        for statement in module.body:
            if type(statement) is ir.Import:
                for dotted, alias in statement.names:
                    top = dotted.partition(".")[0]
                    bound.setdefault(dotted, alias or dotted)
                    if alias is None:
                        bound.setdefault(top, top)
            elif type(statement) is ir.ImportFrom and not statement.level:
                for name, alias in statement.names:
                    if name != "*":
                        bound.setdefault(f"{statement.module}.{name}", alias or name)
        return cls(bound, module.locals, module)

    def spell(self, canonical: str) -> tuple[str, frozenset[ImportRequest]]:
        """Local spelling of ``canonical`` and the imports needed to use it."""
        head, rest = canonical, ""
        while head:
            local = self._bound.get(head)
            if local is not None and not _is_apart(head, canonical):
                return local + rest, frozenset()
            head, dot, last = head.rpartition(".")
            rest = f".{last}{rest}" if dot else rest
            if not dot:
                break
        return self._request(canonical)

    def _request(self, canonical: str) -> tuple[str, frozenset[ImportRequest]]:
        for module, alias in DEFAULT_ALIASES.items():
            if canonical.startswith(module + ".") and alias not in self._taken:
                return alias + canonical[len(module) :], frozenset({ImportRequest(module, alias=alias)})
        for package in _APART[:2]:
            if canonical.startswith(package + "."):
                name, _, rest = canonical.removeprefix(package + ".").partition(".")
                if name not in self._taken:
                    return f"{name}.{rest}" if rest else name, frozenset({ImportRequest(package, name)})
                return canonical, frozenset({ImportRequest(f"{package}.{name}" if rest else package)})
        top, _, rest = canonical.partition(".")
        hidden = top in self._taken and self._bound.get(top) != top  # `import jax.numpy as jax`
        if canonical.startswith(tuple(f"{package}." for package in _APART)) and not hidden:
            return canonical, frozenset({ImportRequest(canonical.rpartition(".")[0])})
        if canonical == "functools.partial":
            return "functools.partial", frozenset({ImportRequest("functools")})
        if rest and hidden:
            module, _, name = canonical.rpartition(".")
            if name not in self._bound_anywhere:
                return name, frozenset({ImportRequest(module, name)})
            alias = canonical.replace(".", "_")
            return alias, frozenset({ImportRequest(module, name, alias)})
        name = rest.partition(".")[0]
        if name and self._takes_names_from(top) and name not in self._bound_anywhere:
            return rest, frozenset({ImportRequest(top, name)})
        return canonical, frozenset({ImportRequest(top)}) if rest else frozenset()

    def _takes_names_from(self, package: str) -> bool:
        """Whether the file says ``from package import name`` and never ``import package``, which ``spell`` has seen to."""
        return any(dotted == f"{package}.{local}" for dotted, local in self._bound.items())

    @functools.cached_property
    def _bound_anywhere(self) -> frozenset[str]:
        """Every name that some scope of the file binds."""
        if self._module is None:
            return self._taken
        nodes = ir.walk([self._module])
        return frozenset(name for node in nodes for name in getattr(node, "locals", ()))


def _is_apart(bound: str, canonical: str) -> bool:
    """Whether having ``bound`` does not mean that ``canonical`` can be reached through it."""
    for package in _APART:
        if canonical.startswith(package + "."):
            return bound == "jax" or (bound == package and package in _APART[:2])
    return False
