"""Names of axes: which of them are bound where a collective runs, and which a mesh has.

`jax.vmap(f, axis_name="i")`, `jax.pmap` and `jax.shard_map` bind names for what they call. The names
around code are known where its outermost caller is: in code that the module runs itself, and in a
function under `pmap` or `shard_map`, which nothing is put around but other names of the same mesh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Context
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.interpreter.must_execute import unconditional

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.ir import nodes as ir

# Position of `axis_name`.
_COLLECTIVES = {
    f"jax.lax.{name}": position
    for name, position in (
        ("psum", 1), ("pmean", 1), ("pmax", 1), ("pmin", 1), ("all_gather", 1), ("psum_scatter", 1), ("all_to_all", 1),
        ("ppermute", 1), ("pshuffle", 1), ("pswapaxes", 1), ("axis_index", 0), ("axis_size", 0),
    )
}  # fmt: skip
_ACROSS = ("jax.lax.p", "jax.lax.all_", "jax.lax.axis_", "jax.lax.ragged_")  # what is computed across devices
_MESHES = frozenset({"jax.sharding.Mesh", "jax.make_mesh", "jax.experimental.maps.Mesh", "jax.interpreters.pxla.Mesh"})
_SPECIFICATIONS = frozenset(
    {"jax.sharding.PartitionSpec", "jax.P", "jax.experimental.pjit.PartitionSpec", "jax.experimental.PartitionSpec"}
)
SHARDINGS = frozenset({"jax.sharding.NamedSharding", "jax.NamedSharding"})
_OUTERMOST = frozenset({"jax.pmap", "jax.shard_map"})


@hazard_class(of_plain_values=True)
class UnboundAxisName(Hazard):
    """A named axis that nothing binds. Site: the call; operand: the name or spec."""

    name: str
    bound: tuple[str, ...]  # the names there are, sorted
    where: str  # "code" around a collective, "mesh" of a sharding or of shard_map
    unnamed: bool = False  # the code is mapped, by a transform that gives no name
    around: tuple[int, ...] = ()  # sites of what maps or repeats the code, from the outside


class AxisNames(Component):
    """Component of the interpreter: names that transforms bind, and names that code asks for."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.meshes: dict[v.Ident, tuple[str, ...]] = self.i.per_module({})
        self.specs: dict[v.Ident, tuple[str, ...]] = self.i.per_module({})
        self.whole: set[v.Ident | None] = self.i.per_module(set())  # specs that name no axis

    # --- binding ------------------------------------------------------------------------------

    def bind(self, made: v.Transformed, context: Context) -> Context:
        """The context in the body of a transformed function: with the names that the transform binds."""
        name = made.transform.name
        outer = (
            frozenset() if context.axes is None and name in _OUTERMOST and not self.is_wrapped(made) else context.axes
        )
        inner: tuple[str, ...] | None = ()
        if name == "jax.shard_map":
            mesh = made.options.get("mesh")
            inner = None if mesh is None or mesh.ident is None else self.meshes.get(mesh.ident)
        elif "axis_name" in made.options:
            given = made.options["axis_name"]
            inner = () if v.is_none(given) else self.names(given)
        if inner is None or "**" in made.options or "axis_env" in made.options:
            return context.but(axes=None)
        return context if outer is None else context.but(axes=outer | set(inner))

    def is_wrapped(self, made: v.Transformed, by: str = "") -> bool:
        """Whether what a transform made is given to another one, or to one of a name: it may bind more names."""
        found = (value for _, _, value, _ in self.i.pending if type(value) is v.Transformed and value.function is made)
        return any(by in ("", value.transform.short) for value in found)

    def names(self, value: v.Value) -> tuple[str, ...] | None:
        """The names in a string or a tuple of strings; None where one is not known."""
        found = v.constants([value] if type(value) is v.Const else self.i.items_of(value), str)
        return None if found is None else tuple(found)

    # --- asking -------------------------------------------------------------------------------

    def call(self, name: str, call: Call) -> v.Value | None:
        """What a call about axes gives; None for any other call, or where nothing is to be said."""
        run = self.i.context.tangents
        if run is not None and run.across_devices and name.startswith(_ACROSS):
            return v.Unknown(v.fresh())
        if name in _COLLECTIVES:
            return self.collective(name, call)
        if name in _MESHES:
            given = call.get(1, "axis_names")
            names = None if given is None or call.star else self.names(given)
            return None if names is None else self.noted(self.meshes, names)
        if name in _SPECIFICATIONS:
            parts = [part for value in call.args for part in (self.names(value) or ())]
            made = self.noted(self.specs, tuple(parts))
            if not call.star and all(v.is_none(value) for value in call.args):
                self.whole.add(made.ident)
            return made
        if name in SHARDINGS:
            mesh, spec = call.get(0, "mesh"), call.get(1, "spec")
            if mesh is not None and spec is not None:
                self.placed(mesh, spec, call, call.node_of(1, "spec") or call.node, name)
        return None

    def noted(self, table: dict[v.Ident, tuple[str, ...]], names: tuple[str, ...]) -> v.Value:
        value = v.Unknown(v.fresh())
        assert value.ident is not None
        table[value.ident] = names
        return value

    def collective(self, name: str, call: Call) -> v.Value | None:
        given = call.get(_COLLECTIVES[name], "axis_name")
        node = call.node_of(_COLLECTIVES[name], "axis_name") or call.node
        refused = given is not None and not call.star and self.is_unbound(given, name, call, node)
        return v.Unknown(v.fresh()) if refused else None

    def is_unbound(self, given: v.Value, name: str, call: Call, node: ir.Node | None = None) -> bool:
        """Whether code certainly asks for an axis that nothing binds; recorded, for a layer where the code is mapped."""
        bound, around = self.i.context.axes, self.i.context.boundaries
        if bound is None or self.i.context.transparent:
            return False
        missing = next((axis for axis in self.names(given) or () if axis not in bound), None)
        if missing is None or not self.is_certain(call.site):
            return False
        hazard = UnboundAxisName(
            missing, tuple(sorted(bound)), "code", bool(around), tuple(each.site for each in around)
        )
        mapping = [each.site for each in around if each.how.endswith(("vmap", "pmap"))]
        at = call.node if node is not None or bound or not mapping else self.i.unit.nodes[mapping[-1]]
        self.i.report(hazard, at, node or at, given, api=name)
        return True

    def sharded(self, made: v.Transformed, call: Call) -> None:
        """Specs of `shard_map` against its mesh, where it is applied."""
        mesh = made.options.get("mesh")
        for option in ("in_specs", "out_specs"):
            given = made.options.get(option)
            if made.transform.name == "jax.shard_map" and mesh is not None and given is not None:
                node = call.keyword_nodes.get(option, call.node)
                for leaf in self.i.leaves([given]):
                    self.placed(mesh, leaf, call, node, made.transform.name, option)

    def is_whole(self, made: v.Transformed, number: int) -> bool:
        """Whether `shard_map` gives all of an argument to each device, by its spec."""
        spec = self.spec(made, number)
        return spec.ident in self.whole or v.is_none(spec)

    def names_axis(self, made: v.Transformed, number: int) -> bool:
        """Whether the spec of an argument certainly names an axis, along which devices get different parts."""
        return bool(self.specs.get(self.spec(made, number).ident or ()))

    def is_passed_as_is(self, made: v.Transformed, number: int) -> bool:
        """Whether `shard_map` hands an argument to its function as it is: its own spec, in a tuple of specs, is None."""
        spec = self.spec(made, number)
        return v.is_none(spec) and type(made.options["in_specs"]) is v.Tuple

    def spec(self, made: v.Transformed, number: int) -> v.Value:
        """The spec of an argument of `shard_map`."""
        spec = made.options.get("in_specs", v.UNKNOWN)
        items = self.i.items_of(spec) if type(spec) is v.Tuple else None
        if items is None:
            return spec
        return items[number] if number < len(items) else v.UNKNOWN

    def placed(self, mesh: v.Value, spec: v.Value, call: Call, node: ir.Node, api: str, option: str = "spec") -> None:
        if mesh.ident is None or spec.ident is None:
            return
        names = self.meshes.get(mesh.ident)
        missing = next(
            (axis for axis in self.specs.get(spec.ident, ()) if names is not None and axis not in names), None
        )
        if missing is not None and names is not None:
            hazard = UnboundAxisName(missing, names, "mesh")
            self.i.report(hazard, call.node, node, spec, api=api, parameter=option)

    # --- certainty ----------------------------------------------------------------------------

    def is_certain(self, site: int) -> bool:
        """Whether the way to a place has no condition: code asks first whether it runs on several devices."""
        return all(unconditional(self.i.unit, at) for at in (site, *self.i.chain))
