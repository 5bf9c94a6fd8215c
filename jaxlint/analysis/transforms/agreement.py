"""Whether the options of a transform agree with its function.

Static, donated and differentiated arguments, their number, the result of a loop body: each is given
twice, once to the transform and once by the function. If one side is not known
there is no hazard.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.signatures import Accepted, accepted, positional, signature_of, takes
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject
from jaxlint.analysis.interpreter.hashing import surely_hashable, unhashable
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value

# Options that number or name parameters of the function, by transform. "decorated" ones are checked by JAX
# against the signature when the transform is applied, the others against the arguments of a call.
_JIT = dict.fromkeys(("static_argnums", "static_argnames", "donate_argnums", "donate_argnames"), "decorated")
_GRAD = {"argnums": "called"}
_CUSTOM = {"nondiff_argnums": "not negative", "nondiff_argnames": "called"}
_OPTIONS: dict[str, dict[str, str]] = {
    "jax.jit": _JIT, "jax.experimental.pjit.pjit": _JIT, "flax.nnx.jit": _JIT,
    "jax.make_jaxpr": {"static_argnums": "decorated"},
    "jax.pmap": {"static_broadcasted_argnums": "called"},
    "jax.checkpoint": {"static_argnums": "called"}, "haiku.remat": {"static_argnums": "called"},
    "jax.custom_jvp": _CUSTOM, "jax.custom_vjp": _CUSTOM,
    **dict.fromkeys(("jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian", "haiku.grad", "haiku.value_and_grad"), _GRAD),
}  # fmt: skip


@hazard_class(of_plain_values=True)
class UnhashableStaticArgument(Hazard):
    """A static argument is given a value that cannot be hashed.

    Site: the call; operand: the argument; api, parameter.
    """

    function: v.Value
    what: str
    cls: int | None = None  # site of the class of the instance that it is
    has_hashable_items: bool = False  # a dict of which all is known


@hazard_class()
class UnknownStaticArgument(Hazard):
    """An entry of an option that is no parameter of the function. Site: the decorator or call; operand: the option."""

    entry: int | str  # the number or name
    reason: str  # "unknown", "positional-only", "beyond", "not passed", "hidden"
    function: v.Value
    parameters: tuple[str, ...]  # those the entry may be chosen from
    passed: int = 0  # number of positional arguments of the call, where a call is what fails
    call: int | None = None  # site of the call that suffers, where the report stands elsewhere


@hazard_class(of_plain_values=True)
class VmapAxesMismatch(Hazard):
    """Axes or specs that do not fit the arguments or the result. Site: the call of the transform or of its result."""

    # "more", "length", "none", "rank", "scalars" (in a list), "key", "sizes", "structure", "keys", "list", "result",
    # "replicated": by the specs of the result; "dict": of axes for all arguments; "tuple": of what the function takes as several arguments
    reason: str
    count: int = 0  # entries of the option
    expected: int = 0  # what there is: parameters, arguments, items, dimensions
    function: v.Value = v.UNKNOWN
    names: tuple[str, ...] = ()  # the parameters, where they are known
    call: int | None = None  # site of the call, where the report stands elsewhere
    # What the result is; of "keys" the key that only one of the two dicts has; of "sizes" "one tree" for an
    # argument that has both, "scalars" for one that has arrays without axes as well.
    what: str = ""
    path: str = ""  # from the argument to the array, as subscripts
    by_name: bool = False  # whether the argument is passed by keyword, which is mapped whatever the option says


_ONE_KEY = -2  # the size of the first axis of a key that may be typed or not
# Transforms that are given an axis or a spec for each argument and each result.
_MAPPING = {
    "jax.vmap": ("in_axes", "out_axes"), "haiku.vmap": ("in_axes", "out_axes"), "jax.pmap": ("in_axes", "out_axes"),
    "jax.shard_map": ("in_specs", "out_specs"),
}  # fmt: skip


# Those that map what is passed by keyword over its first axis.
_NAMED_ARE_MAPPED = frozenset({"jax.vmap", "jax.pmap"})


class Agreement(Component):
    """Component of the interpreter: checks of transforms against their functions."""

    # --- options that name parameters ---------------------------------------------------------

    def options(self, made: v.Transformed, call: Call) -> None:
        """Static, donated and differentiated arguments, when a transform is applied."""
        for option, checked in _OPTIONS.get(made.transform.name, {}).items():
            given = made.options.get(option)
            entries = self.entries(given) if given is not None else None
            if given is None or not entries or "**" in made.options:
                continue
            parameters = accepted(self.i, made.function, wrapped=checked == "decorated")
            if parameters is None:
                continue
            wrong = self.wrong(entries, parameters, checked, made.function)
            if wrong is not None:
                node = call.keyword_nodes.get(option, call.node)
                self.i.report(
                    wrong,
                    call.node,
                    node,
                    given,
                    api=made.transform.name,
                    parameter=option,
                )
                made.options["**"] = v.UNKNOWN  # which arguments are meant is not known
                return

    def wrong(
        self, entries: list[int | str], parameters: list[Accepted], checked: str, function: v.Value
    ) -> UnknownStaticArgument | None:
        """The first entry that is no parameter."""
        ordered = tuple(positional(parameters))
        named = tuple(p.name for p in parameters if p.kind in ("ordinary", "keyword-only"))
        for entry in entries:
            if isinstance(entry, str):
                if entry in named or takes(parameters, "double-star"):
                    continue
                return UnknownStaticArgument(
                    entry, "positional-only" if entry in ordered else "unknown", function, named
                )
            if (
                takes(parameters, "star")
                or -len(ordered) <= entry < len(ordered)
                or (entry < 0 and checked == "not negative")
            ):
                continue
            return UnknownStaticArgument(entry, "beyond", function, ordered)
        return None

    def entries(self, value: v.Value) -> list[int | str] | None:
        """The numbers and names in an option, in their order; None where they are not all known."""
        items = [value] if type(value) is v.Const else self.i.items_of(value)
        if items is None:
            return None
        found: list[int | str] = []
        for item in items:
            entry = item.value if type(item) is v.Const else None
            if not isinstance(entry, (int, str)) or isinstance(entry, bool):
                return None
            found.append(entry)
        return found

    def argnums(self, made: v.Transformed, argnums: list[int] | None, call: Call) -> None:
        """Differentiated arguments, when the gradient is called: they must be passed by position."""
        if not argnums or call.star or call.site in self.i.transforms.applied:
            return
        parameters = accepted(self.i, made.function)
        if parameters is not None and self.wrong(list(argnums), parameters, "called", made.function) is not None:
            return  # that is said where the transform is applied
        for number in argnums:
            if not -len(call.args) <= number < len(call.args):
                names = () if parameters is None else tuple(positional(parameters))
                hazard = UnknownStaticArgument(number, "not passed", made.function, names, len(call.args))
                self.i.report(
                    hazard,
                    call.node,
                    call.node,
                    made,
                    api=made.transform.name,
                    parameter="argnums",
                )
                return

    def hidden_statics(self, made: v.Transformed, call: Call) -> set[int]:
        """Positions of arguments that are named static and go through the `*args` of a wrapper.

        JAX does not see whom the wrapper calls, so it traces them. They are said to be static
        afterwards: what tracing them leads to has been reported.
        """
        found: set[int] = set()
        given = made.options.get("static_argnames")
        function = made.function
        if given is None or type(function) is not v.FunctionValue or function.wraps is not None or call.star:
            return found
        if made.transform.name not in ("jax.jit", "jax.experimental.pjit.pjit") or "static_argnums" in made.options:
            return found
        parameters = accepted(self.i, function) or []
        own = positional(parameters)
        if not takes(parameters, "star") or call.site in self.i.transforms.applied:
            return found
        for entry in self.entries(given) or ():
            names = [] if isinstance(entry, int) or entry in own else self.wrapped_parameters(function, entry)
            if entry in names and len(own) <= names.index(entry) < len(call.args):
                if _stands_for_array(call.args[names.index(entry)]):
                    continue  # traced, as it is now, it does no harm
                found.add(names.index(entry))
                hazard = UnknownStaticArgument(entry, "hidden", function, tuple(names), len(call.args), call.site)
                self.i.report(
                    hazard,
                    self.i.unit.nodes[made.site],
                    call.node,
                    made,
                    api=made.transform.name,
                    parameter="static_argnames",
                )
        return found

    def wrapped_parameters(self, wrapper: v.FunctionValue, name: str) -> list[str]:
        """Parameters of the one function that a wrapper closes over and that has a parameter of this name."""
        assert self.i.state is not None
        frames = self.i.state.frames
        candidates = []
        for free in wrapper.function.free:
            value = frames.get(wrapper.frame.serial, {}).get(free)
            parameters = accepted(self.i, value) if type(value) is v.FunctionValue else None
            if parameters is not None and name in positional(parameters):
                candidates.append(positional(parameters))
        return candidates[0] if len(candidates) == 1 and wrapper.frame.parent is not None else []

    # --- static arguments of a call -----------------------------------------------------------

    def static(self, made: v.Transformed, call: Call, value: v.Value, node: ir.Node, parameter: str) -> v.Value:
        """A static argument: JAX looks up what it has compiled by its hash."""
        if made.transform.behaviour == "checkpoint" or call.site in self.i.transforms.applied:
            return value
        what = unhashable(self.i, value)
        if what is None:
            self.i.events.static_passed(made, call, node, parameter)
            return value
        contents = self.i.contents(value)
        cls = contents.cls.definition.site if type(contents) is Instance else None
        hashable_items = (
            type(contents) is DictObject
            and contents.rest is None
            and all(surely_hashable(self.i, each) for each in contents.items.values())
        )
        self.i.report(
            UnhashableStaticArgument(made.function, what, cls, hashable_items),
            call.node,
            node,
            value,
            api=made.transform.name,
            parameter=parameter,
        )
        return v.Unknown(v.fresh())

    # --- axes of arguments and results --------------------------------------------------------

    def axes(self, made: v.Transformed, call: Call) -> None:
        """Axes of more arguments than the function has, when it is mapped: no call can be right."""
        option, items = self.given_axes(made)
        given = made.options.get(option)
        if option == "in_axes" and given is not None and type(self.i.contents(given)) is DictObject:
            node = call.keyword_nodes.get(option, call.node)
            names = tuple(positional(accepted(self.i, made.function) or []))
            hazard = VmapAxesMismatch("dict", function=made.function, names=names)
            self.i.report(hazard, call.node, node, made, api=made.transform.name, parameter=option)
            made.options["**"] = v.UNKNOWN
            return
        parameters = accepted(self.i, made.function) if items is not None else None
        if items is None or parameters is None or takes(parameters, "star"):
            return
        names = tuple(positional(parameters))
        if len(items) > len(names):
            hazard = VmapAxesMismatch("more", len(items), len(names), made.function, names)
            node = call.keyword_nodes.get(option, call.node)
            self.i.report(hazard, call.node, node, made, api=made.transform.name, parameter=option)
            made.options["**"] = v.UNKNOWN  # which arguments are meant is not known

    def given_axes(self, made: v.Transformed) -> tuple[str, list[v.Value] | None]:
        """The name of the option, and one entry for each argument; None for one for all, or not known."""
        option = _MAPPING.get(made.transform.name, ("", ""))[0]
        given = made.options.get(option)
        if given is None or "**" in made.options or not self.i.is_list(given):
            return option, None
        return option, self.i.items_of(given)

    def mapped(self, made: v.Transformed, call: Call) -> None:
        """Axes against the arguments of a call."""
        if (
            made.transform.name not in _MAPPING
            or call.star
            or call.site in self.i.transforms.applied
            or "**" in made.options
            or self.i.possible  # another function, with other axes, may be what is called here
        ):
            return
        if self.in_tuple(made, call):
            return
        option, items = self.given_axes(made)
        given = made.options.get(option)
        hazard: VmapAxesMismatch | None = None
        node = call.node
        statics = signature_of(self.i, made.function).statics(self.i, made)
        if items is not None and statics is not None and any(map(statics.position, range(len(call.args)))):
            # `pmap` looks the axes of the other arguments up by their positions, and no others.
            needed = [number for number in range(len(call.args)) if not statics.position(number)]
            if needed and needed[-1] < len(items):
                items = [items[number] if number in needed else v.NONE for number in range(len(call.args))]
        if items is not None and len(items) != len(call.args):
            parameters = accepted(self.i, made.function) or []
            hazard = VmapAxesMismatch(
                "length", len(items), len(call.args), made.function, tuple(positional(parameters))
            )
        elif option == "in_specs":
            if items is not None and type(given) is not v.Tuple:
                hazard = VmapAxesMismatch("list", len(items), len(call.args), made.function)
        else:
            axes = items if items is not None else [given if given is not None else v.Const(0)] * len(call.args)
            if statics is None:
                return
            mapped = [v.NONE if statics.position(number) else axis for number, axis in enumerate(axes)]
            given_nodes = [*zip(mapped, call.args, call.arg_nodes)]
            if made.transform.name in _NAMED_ARE_MAPPED:
                given_nodes += [
                    (v.Const(0), value, call.keyword_nodes[name])
                    for name, value in call.keywords.items()
                    if name in call.keyword_nodes and not statics.name(name)
                ]
            number, hazard = self.unmappable(given_nodes)
            node = given_nodes[number][2] if number < len(given_nodes) else call.node
            if hazard is not None:
                hazard.by_name = number >= len(call.args)
            nothing = all(v.is_none(axis) for axis in axes) and bool(axes)
            if nothing and not call.keywords and not call.double_star and "axis_size" not in made.options:
                hazard = VmapAxesMismatch("none", len(axes), 0, made.function)
        if hazard is not None:
            self.i.report(hazard, call.node, node, made, api=made.transform.name, parameter=option)
            made.options["**"] = v.UNKNOWN  # nor are the shapes that its function sees

    def in_tuple(self, made: v.Transformed, call: Call) -> bool:
        """Whether the arguments of a function of several are passed as one tuple; recorded if so."""
        items = self.i.items_of(call.args[0]) if len(call.args) == 1 and type(call.args[0]) is v.Tuple else None
        parameters = accepted(self.i, made.function) if items and not call.keywords and not call.double_star else None
        if not items or parameters is None or type(call.args[0]) is v.Tuple and call.args[0].fields is not None:
            return False
        names = tuple(positional(parameters))
        if sum(each.required for each in parameters) < 2 or len(items) > len(names):
            return False
        hazard = VmapAxesMismatch("tuple", len(items), len(names), made.function, names)
        self.i.report(hazard, call.node, call.arg_nodes[0], made, api=made.transform.name)
        made.options["**"] = v.UNKNOWN
        return True

    def unmappable(self, given: list[tuple[v.Value, v.Value, ir.Node]]) -> tuple[int, VmapAxesMismatch | None]:
        """The first of the arguments, each with its axis, that cannot be mapped over it."""
        sizes: dict[int, tuple[int, str]] = {}  # size of the mapped axis -> the argument that has it, and where in it
        found: tuple[int, VmapAxesMismatch | None] = (0, None)
        for number, (axis, value, node) in enumerate(given):
            for hazard in self.misfits(axis, value, "", deep=self.is_written_out(node)):
                if hazard.reason == "rank" and hazard.path and found[1] is None:
                    # Kept while another argument may show that the whole tree is not meant to be mapped.
                    hazard.what = self.axes_of_items(axis, value)
                    found = number, hazard
                    continue
                if hazard.reason != "sizes":
                    return (number, hazard) if found[1] is None else found
                size = hazard.expected
                sizes.setdefault(size, (number, hazard.path))
                if len(sizes) == 1 or sizes.keys() == {_ONE_KEY, 2}:
                    continue
                if _ONE_KEY in sizes:
                    return (sizes[_ONE_KEY][0], VmapAxesMismatch("key")) if found[1] is None else found
                hazard.count = next(iter(sizes))
                first, path = sizes[hazard.count]
                hazard.what = "one tree" if first == number else ""
                if first != number and self.holds_scalar(given[first][1]):
                    return first, VmapAxesMismatch("sizes", size, hazard.count, what="scalars", path=path)
                return (number, hazard) if found[1] is None else found
        return found

    def holds_scalar(self, value: v.Value) -> bool:
        """Whether a tree holds an array without axes beside others, as parameters do: it is not meant to be mapped over."""
        return any(self.i.aval_of(child).shape == () or self.holds_scalar(child) for _, child in self.children(value))

    def axes_of_items(self, axis: v.Value, value: v.Value) -> str:
        """The axes of a dict that holds scalars beside arrays, each entry with its own, as they are written."""
        contents = self.i.contents(value)
        if type(contents) is not DictObject or contents.rest is not None or type(axis) is not v.Const:
            return ""
        ranks = {key: self.i.aval_of(each).shape for key, each in contents.items.items()}
        if not all(isinstance(key, str) and '"' not in key for key in ranks) or set(ranks.values()) == {()}:
            return ""
        return ", ".join(f'"{key}": {None if rank == () else axis.value}' for key, rank in ranks.items())

    def is_written_out(self, node: ir.Node) -> bool:
        """Whether a tree is made where it is passed, or by the only value of the name: no condition decides about it."""
        if type(node) is ir.Name:
            scope = self.i.unit.scope(node.site)
            value = only_value(scope, node.id) if len(bindings(scope, node.id)) == 1 else None
            return isinstance(value, (ir.Dict, ir.Sequence))
        return isinstance(node, (ir.Dict, ir.Sequence))

    def misfits(self, axis: v.Value, value: v.Value, path: str, deep: bool = True) -> Iterator[VmapAxesMismatch]:
        """What is wrong with each array of a tree that is mapped over ``axis``; a size may be the right one."""
        if type(axis) is v.Const and isinstance(axis.value, int):
            items = self.i.items_of(value) if not path and type(self.i.contents(value)) is ListObject else None
            if items and all(v.python_type(each) in ("int", "float") for each in items):
                yield VmapAxesMismatch("scalars", expected=len(items))
                return
            for name, child in self.children(value):
                # A Python number that the caller of compiled code passed is a scalar for certain.
                scalar = type(child) is v.Array and child.was not in ("", "ndarray")
                is_told = deep or scalar or type(child) in (v.Tuple, v.Ref)
                for found in self.misfits(axis, child, f"{path}{name}", deep):
                    if is_told or (found.reason == "sizes" and not self.i.path_conditions.is_local):
                        yield found
            aval = self.i.aval_of(value)
            if aval.shape is None:
                return
            rank = len(aval.shape)
            if aval.dtype == v.TYPED_KEY and not rank:
                yield VmapAxesMismatch("key", path=path)
                return
            if aval.dtype in v.KEYS:
                # One key that is not known to be typed has two numbers, or no axis.
                size: object = self.number_of_keys(value, axis.value) if rank else _ONE_KEY
            elif not -rank <= axis.value < rank:
                yield VmapAxesMismatch("rank", axis.value, rank, path=path)
                return
            else:
                size = aval.shape[axis.value]
            if isinstance(size, int):
                yield VmapAxesMismatch("sizes", 0, size, path=path)
        elif self.i.is_list(axis):
            inner, parts = self.i.items_of(axis), self.i.items_of(value) if self.i.is_list(value) else None
            whole = type(value) is v.Array or (parts is not None and inner is not None and len(parts) != len(inner))
            if inner is not None and whole:
                yield VmapAxesMismatch("structure", len(inner), 1 if parts is None else len(parts), path=path)
            elif inner is not None and parts is not None:
                for number, (each, part) in enumerate(zip(inner, parts)):
                    yield from self.misfits(each, part, f"{path}[{number}]")
        else:
            axes, contents = self.i.contents(axis), self.i.contents(value)
            if type(axes) is not DictObject or type(contents) is not DictObject:
                return
            if axes.rest is not None or contents.rest is not None:
                return
            odd = [key for key in (*axes.items, *contents.items) if (key in axes.items) != (key in contents.items)]
            if odd:
                yield VmapAxesMismatch("keys", int(odd[0] in axes.items), what=repr(odd[0]), path=path)
                return
            for key, part in contents.items.items():
                yield from self.misfits(axes.items[key], part, f"{path}[{key!r}]")

    def children(self, value: v.Value) -> list[tuple[str, v.Value]]:
        """The parts of a container, each with its subscript or field."""
        if not isinstance(value, (v.Tuple, v.Ref)):
            return []
        known = self.i.transforms.tree_maps.children(value)
        if known is None:
            return []
        fields = value.fields if type(value) is v.Tuple else None
        named = fields or (known[0] if type(self.i.contents(value)) is Instance else None)
        names = [f"[{name!r}]" for name in known[0]] if named is None else [f".{name}" for name in named]
        return list(zip(names, known[1]))

    def number_of_keys(self, value: v.Value, axis: int) -> int | None:
        """How many keys there are along an axis. Of legacy keys that is known where `split` gives them."""
        aval = self.i.aval_of(value)
        if not aval.shape or (aval.dtype != v.TYPED_KEY and (axis or value.ident not in self.i.key_arrays.splits)):
            return None
        size = aval.shape[axis] if -len(aval.shape) <= axis < len(aval.shape) else None
        return size if isinstance(size, int) else None

    def result(self, made: v.Transformed, call: Call, result: v.Value) -> None:
        """Axes or specs of the results against what the function returns."""
        option = _MAPPING.get(made.transform.name, ("", ""))[1]
        given = made.options.get(option)
        if type(given) is not v.Tuple or given.items is None or "**" in made.options:
            return
        count = len(given.items)
        items = self.i.items_of(result) if type(result) is v.Tuple else None
        nothing = v.is_none(result)
        single = type(result) is v.Array or v.is_scalar_const(result) or nothing
        if (items is not None and len(items) != count) or single:
            expected, what = (len(items), "a tuple") if items is not None else (1, "None" if nothing else "one array")
            hazard = VmapAxesMismatch("result", count, expected, made.function, (), call.site, what)
            at = self.i.unit.nodes[made.site]
            self.i.report(hazard, at, at, made, api=made.transform.name, parameter=option)


def _stands_for_array(value: v.Value) -> bool:
    """Whether a value is an array, or stands for one, which no static argument can be."""
    return type(value) in (v.Array, v.Host) or (type(value) is v.OpaqueInstance and value.name == v.SHAPE_STRUCT)
