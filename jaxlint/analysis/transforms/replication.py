"""Results of `shard_map` that are said to be the same on all devices, and differ: no collective brings their parts together.

The function is run once more, with the arrays that are sharded in the place of those that are differentiated: what has a tangent
in the run differs for certain. What a collective gives is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.transforms.agreement import VmapAxesMismatch
from jaxlint.analysis.transforms.tangents import Run

_CHECKS = ("check_vma", "check_rep")


class Replication(Component):
    """Component of the interpreter."""

    def check(self, made: v.Transformed, call: Call) -> None:
        """Report a result that is not replicated, and whose spec names no axis."""
        specs = made.options.get("out_specs")
        unchecked = any(option in made.options for option in (*_CHECKS, "axis_names", "**"))
        if (
            specs is None
            or unchecked
            or call.star
            or call.keywords
            or self.i.silent
            or self.i.context.tangents is not None
        ):
            return
        if self.i.possible or not any(map(self.is_whole, self.i.leaves([specs]))):
            return
        axis_names = self.i.transforms.axis_names
        sharded = [axis_names.names_axis(made, number) for number in range(len(call.args))]
        # What has a tangent all the same is read from outside, where a gradient is taken.
        if self.differs(made, call, specs, sharded) and not self.differs(made, call, specs, [False] * len(sharded)):
            node = self.i.unit.nodes[made.site]
            hazard = VmapAxesMismatch("replicated", function=made.function, call=call.site)
            self.i.report(hazard, node, node, made, api=made.transform.name, parameter="out_specs")

    def differs(self, made: v.Transformed, call: Call, specs: v.Value, sharded: list[bool]) -> bool:
        """Whether a result that is said to be replicated is computed of arguments that are sharded."""
        modes = [v.DIFFERENTIATED if each else v.CONCRETE for each in sharded]
        run = Run(frozenset())
        run.across_devices = True
        self.i.transforms.tangents.output(made, call, list(map(self.marked, call.args, modes)), run)
        found = self.replicated(run.result, specs) if run.result is not None else ()
        return any(map(self.i.transforms.tangents.has_tangent, found))

    def is_whole(self, spec: v.Value) -> bool:
        return spec.ident in self.i.transforms.axis_names.whole

    def replicated(self, result: v.Value, specs: v.Value) -> Iterator[v.Value]:
        """The arrays in a result whose spec names no axis."""
        if type(specs) is v.Tuple:
            for part, spec in zip(self.i.items_of(result) or (), self.i.items_of(specs) or ()):
                yield from self.replicated(part, spec)
        elif self.is_whole(specs):
            yield from self.i.leaves([result])

    def marked(self, value: v.Value, mode: str) -> v.Value:
        """An argument of the run: with tangents where it is sharded."""
        if type(value) in (v.Tuple, v.Ref):
            return self.i.transforms.rebuilt(value, lambda part: self.marked(part, mode))
        if type(value) in (v.Array, v.Host):
            return v.Array(mode, self.i.aval_of(value), None, v.fresh())
        if type(value) in (v.Unknown, v.Undecided) and mode == v.DIFFERENTIATED:
            return v.Undecided(mode, None, v.fresh())
        return v.Unknown(v.fresh()) if type(value) is v.Undecided else value
