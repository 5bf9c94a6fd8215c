"""The finished result of the analysis: what rules, `reveal` and the oracle read.

A *hazard* is a place where Python, NumPy or JAX needs more of a value than it has: a bool of a
tracer, a size that is traced, a key that was consumed before. Hazards are what can go wrong;
rules decide how to say it. The model is complete before any rule runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from jaxlint.ir import nodes as ir
from jaxlint.project.custom_names import NOTHING
from jaxlint.source.diagnostic import ImportRequest
from jaxlint.source.libraries import LIBRARIES

if TYPE_CHECKING:
    from jaxlint.analysis.containment import Failure
    from jaxlint.analysis.domain.hazards import Exclusion, Hazard
    from jaxlint.analysis.domain.values import Value
    from jaxlint.ir.nodes import Unit

H = TypeVar("H", bound="Hazard")


class Activation:
    """A body and the reason it runs as it does. ``label`` is text such as "step, traced by jit"."""

    __slots__ = ("scope", "label", "stage", "entry", "for_any", "transformed", "convention")

    def __init__(
        self, scope: ir.Scope, label: str, stage: str, entry: dict[str, Value] | None = None, for_any: bool = False,
        transformed: bool | None = None, convention: str = "",
    ) -> None:  # fmt: skip
        self.scope: ir.Scope = scope
        self.label: str = label
        self.stage: str = stage  # "eager", "staged" or "unknown"
        self.entry: dict[str, Value] = (
            entry or {}
        )  # what it is entered with, of ``domain.entry_state``; only in a detailed analysis
        self.for_any: bool = for_any  # whether it stands for calls that are not seen
        self.transformed: bool | None = transformed  # whether a transform is around; None where that is not known
        self.convention: str = convention  # by which it is presumed to run so; empty where that is certain


Observed: TypeAlias = tuple[int, "Value", "Activation"]  # the site of an expression, and what it is taken for


class Part(NamedTuple):
    """A module that the root imports."""

    filename: str
    tree: ir.Tree


class Model:
    """Everything known about one root.

    ``hazards`` are sorted by file and site and hold at most one hazard of a kind at a site; those of the
    modules in ``parts`` come after the root's own. ``values`` holds what each expression
    was taken for, in each activation.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.hazards: list[Hazard] = []
        self.excluded: list[tuple[Hazard, Exclusion]] = []  # found and not reported; only in a detailed analysis
        self.values: list[Observed] = []
        self.names: Names = Names({})
        self.budget_reached: list[str] = []
        self.failures: list[Failure] = []  # of the analysis itself
        self.presumed: list[int] = []  # sites of the functions that were run by a convention
        self.is_test = False
        self.conventions = NOTHING
        self.parts: list[Part] = []
        self._values_by_site: dict[int, list[Value]] = {}
        self._by_module: dict[int, Part] = {}  # by the site of the module

    def values_at(self, site: int) -> list[Value]:
        """What an expression was taken for, each time the finished analysis had come to it."""
        if not self._values_by_site:
            for at, value, _ in self.values:
                self._values_by_site.setdefault(at, []).append(value)
        return self._values_by_site.get(site, [])

    def part(self, site: int) -> Part | None:
        """The imported module a site belongs to, None for the root itself."""
        return self._by_module.get(site - ir.index(site))

    def add(self, part: Part) -> None:
        self.parts.append(part)
        self._by_module[part.tree.module.site] = part

    def file(self, site: int) -> str:
        """The file of the imported module that a site belongs to, "" for the root."""
        part = self.part(site)
        return "" if part is None else part.filename

    def of(self, *classes: type[H]) -> list[H]:
        """The hazards of some classes."""
        return [hazard for hazard in self.hazards if isinstance(hazard, classes)]


DEFAULT_ALIASES = {
    "jax.numpy": "jnp",
    "flax.linen": "nn",
    "flax.nnx": "nnx",
    **{each.name: each.alias for each in LIBRARIES if each.alias},
}
# Packages that load none of their modules, and all that importing the library does not load.
_BARE = ("jax.experimental", "jax.example_libraries", "flax.training")
_APART = (*_BARE, "jax.extend", "jax.flatten_util", "flax.nnx")


class Names:
    """The module-level imports of a file, to write API names in the file's own style."""

    def __init__(
        self, bound: dict[str, str], taken: frozenset[str] = frozenset(), module: ir.Module | None = None
    ) -> None:
        self._bound = bound  # canonical dotted name -> local expression
        self._taken = taken  # names the module binds to something
        self._module = module
        self._all_bound: frozenset[str] | None = None

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
        for package in _BARE:
            if canonical.startswith(package + "."):
                name, _, rest = canonical.removeprefix(package + ".").partition(".")
                if name not in self._bound_anywhere():
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
            if name not in self._bound_anywhere():
                return name, frozenset({ImportRequest(module, name)})
            alias = canonical.replace(".", "_")
            return alias, frozenset({ImportRequest(module, name, alias)})
        name = rest.partition(".")[0]
        if name and self._takes_names_from(top) and name not in self._bound_anywhere():
            return rest, frozenset({ImportRequest(top, name)})
        return canonical, frozenset({ImportRequest(top)}) if rest else frozenset()

    def _takes_names_from(self, package: str) -> bool:
        """Whether the file says ``from package import name`` and never ``import package``, which ``spell`` has seen to."""
        return any(dotted == f"{package}.{local}" for dotted, local in self._bound.items())

    def _bound_anywhere(self) -> frozenset[str]:
        """Every name that some scope of the file binds."""
        if self._module is None:
            return self._taken
        if self._all_bound is None:
            nodes = ir.walk([self._module])
            self._all_bound = frozenset(name for node in nodes for name in getattr(node, "locals", ()))
        return self._all_bound


def _is_apart(bound: str, canonical: str) -> bool:
    """Whether having ``bound`` does not mean that ``canonical`` can be reached through it."""
    for package in _APART:
        if canonical.startswith(package + "."):
            return bound == package.partition(".")[0] or (bound == package and package in _BARE)
    return False
