"""Buffers that a compiled function was given for good: what is left of them after the call.

A variable whose array was donated holds `DonatedArray` until it is bound anew, and so do others for the same array. A buffer is only
given away where an output of the same shape and dtype can take it; what is not known of them is taken to agree. An argument
of which nothing is known is an array or a tree of arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import arguments
from jaxlint.analysis.domain.call import BEHIND, Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.signatures import Statics, accepted, constants_of
from jaxlint.analysis.domain.state import DictObject, Instance
from jaxlint.analysis.interpreter.must_execute import unconditional
from jaxlint.analysis.models.parameter_uses import METHODS
from jaxlint.analysis.transforms.variable_aliases import aliased_at, aliases_before_loops, aliases_made_by
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, ends

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# What still works with an array whose buffer is gone.
_HARMLESS = frozenset({
    "shape", "dtype", "ndim", "size", "nbytes", "itemsize", "aval", "weak_type", "sharding", "committed", "delete",
    "is_deleted", "zeros_like", "ones_like", "full_like", "empty_like", "result_type", "issubdtype", "isscalar",
})  # fmt: skip
_READ_BUFFERS = ("jax.numpy.", "jax.lax.", "jax.random.", "jax.nn.", "jax.scipy.", "numpy.")
_READ_TREES = frozenset({
    "jax.device_get", "jax.device_put", "jax.block_until_ready", "builtins.print", "builtins.repr", "builtins.str",
})  # fmt: skip
_MAPS = frozenset({"jax.tree.map", "jax.tree_util.tree_map"})  # which read a leaf where their function does
_READ_ARRAYS = frozenset(f"builtins.{name}" for name in ("float", "int", "list", "tuple", "sum", "max", "min"))
_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "@"})
_COMPILED = frozenset({"jit", "pmap", "vmap", "grad", "value_and_grad", "checkpoint"})


class Donation(NamedTuple):
    """A donated argument."""

    function: v.Value  # what it was donated to
    site: int  # the call that took it
    value: v.Value  # the argument, an array or a tree
    argument: int  # and its site
    again: int | None = None  # site of the argument by which that call is given an array of it a second time
    kept: str | None = None  # the name that was bound to it before the call, and is read after the loop around
    aliased: int | None = None  # site of the name in the assignment that makes an alias of it: `initial = params`


@hazard_class()
class DonatedArgumentReused(Hazard):
    """An array is used after its buffer was donated to a compiled function. Site: the later use; operand: the name."""

    donation: Donation


class Donations(Component):
    """Component of the interpreter: which variables hold buffers that are gone."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.any = False  # whether anything was ever donated
        self.for_callers: list[Donation] = []  # what the running functions have donated, whatever they were given
        self.before_loops: dict[
            int, dict[str, Donation]
        ] = {}  # site of a loop -> aliases of what its first pass donates
        interpreter.events.loop_ended.append(self.ended)

    # --- giving away --------------------------------------------------------------------------

    def made(self, made: v.Transformed, call: Call, result: v.Value) -> None:
        """A call of a compiled function is done: what it was given for good is gone."""
        context = self.i.context
        if (
            context.origin is not None
            or context.stage == STAGED_CODE
            or call.star not in (False, BEHIND)
            or call.site in self.i.transforms.applied
            or self.i.possible
            or self.only_traces(call)
        ):
            return  # inside a trace nothing is given away
        donated = self.donated(made)
        if donated is None:
            return
        outputs = [
            self.i.aval_of(leaf) if type(leaf) is v.Array or v.is_scalar_const(leaf) or v.python_type(leaf) else None
            for leaf in self.i.leaves([result])
            if not v.is_none(leaf)
        ]
        given = [(value, node) for n, (value, node) in enumerate(zip(call.args, call.arg_nodes)) if donated.position(n)]
        given += [(value, call.keyword_nodes[n]) for n, value in call.keywords.items() if donated.name(n)]
        for value, node in given:
            if made.transform.name.startswith("flax.nnx.") and not self.is_of_arrays(value):
                continue  # NNX gives its Variables the new buffers
            if self.fits(value, node, outputs):
                self.gone(made, call, value, node)

    def is_of_arrays(self, value: v.Value) -> bool:
        """Whether an argument is an array, or a tree of nothing but arrays."""
        return all(type(leaf) in (v.Array, v.Host) or v.is_scalar_const(leaf) for leaf in self.i.leaves([value]))

    def only_traces(self, call: Call) -> bool:
        """Whether it is `step.lower(…)`: a method of the compiled function that runs nothing."""
        func: Any = getattr(call.node, "func", None)
        return (
            type(func) is ir.Attribute
            and func.attr in ("lower", "trace", "eval_shape")
            and type(self.i.bases.get(func.site)) is v.Transformed
        )

    def fits(self, value: v.Value, node: ir.Node, outputs: list[v.Aval | None]) -> bool:
        """Whether outputs may take all arrays of an argument; those that do are taken off the list. None is an unknown output."""
        leaves = [
            leaf
            for leaf in self.i.leaves([value])
            if type(leaf) is not v.Host and self.i.aval_of(leaf).dtype not in v.KEYS
        ]
        if not leaves or (type(value) is v.Unknown and not self.is_on_device(node)):
            return False
        taken: list[v.Aval | None] = []
        left = list(outputs)
        for leaf in leaves:
            if type(leaf) not in (v.Array, v.Unknown):
                return False
            aval = self.i.aval_of(leaf)
            exact = next((each for each in left if each is not None and _is_exact(aval, each)), None)
            found = [exact] if exact is not None else [each for each in left if _may_take(aval, each)][:1]
            if not found:
                return False
            taken.append(found[0])
            if found[0] is not None:
                left.remove(found[0])
        if None in taken:  # a tree of which nothing is known, which takes a whole argument
            left.remove(None)
        outputs[:] = left
        return True

    def is_on_device(self, node: ir.Node) -> bool:
        """Whether an argument of which nothing is known is hardly a NumPy array: what a loop goes over often is one."""
        if type(node) is not ir.Name:
            return type(node) is ir.Attribute
        scope = self.i.frame.scope
        if any(isinstance(each, ir.For) for each in bindings(scope, node.id)):
            return False
        annotation = next((each.annotation for each in getattr(scope, "parameters", ()) if each.name == node.id), None)
        dotted = ir.dotted(annotation)
        declared = self.i.named(dotted, self.i.frame) if dotted else None
        return not (type(declared) is v.Api and declared.name.startswith("numpy."))

    def gone(self, made: v.Transformed, call: Call, value: v.Value, node: ir.Node) -> None:
        donation = Donation(made.function, call.site, value, node.site)
        again = self.passed_again(call, value, node)
        if again is not None:
            detail = donation._replace(again=again.site)
            self.i.report(DonatedArgumentReused(detail), call.node, node, value, api=made.transform.name)
            return
        if self.i.frame.comprehension is not None:
            return
        if unconditional(self.i.unit, call.site):
            self.for_callers.append(donation)
        if type(node) is ir.Attribute:
            self.store(node, v.DonatedArray(value, donation))
        elif type(node) is ir.Name:
            self.delete(node.id, value, donation)
            self.kept(call, node, donation)
            scope = self.i.frame.scope
            for loop, name in aliases_before_loops(self.i.unit, scope, node):
                detail = donation._replace(aliased=aliased_at(scope, name, node.id))
                self.before_loops.setdefault(loop.site, {}).setdefault(name, detail)

    def kept(self, call: Call, node: ir.Name, donation: Donation) -> None:
        """Record a name that a condition in a loop binds to what each pass donates, where it is read after the loop."""
        unit = self.i.unit
        statement = unit.statement(call.site) if call.site in unit else None
        loop = unit.parent(statement.site) if statement is not None else None
        if statement is None or not isinstance(loop, (ir.For, ir.While)) or all(e is not statement for e in loop.body):
            return
        scope = self.i.frame.scope
        own = {each.site for each in ir.walk([loop], into_scopes=False)}
        for save in ir.statements(loop.body, into_scopes=False):
            block = getattr(unit.parent(save.site), "body", ())
            if save.site > statement.site or not isinstance(unit.parent(save.site), ir.If) or ends(block):
                continue
            for name, held in aliases_made_by(save) if isinstance(save, ir.Assign) else ():
                if held.id != node.id or name == node.id:
                    continue
                others = [each for each in bindings(scope, name) if each is not save]
                anew = any(save.site < each.site < statement.site for each in bindings(scope, node.id))
                after = [read for read in self.reads(scope, name) if read.site > loop.site and read.site not in own]
                if after and not anew and all(each.site < loop.site for each in others):
                    detail = donation._replace(argument=held.site, kept=name)
                    self.i.report(DonatedArgumentReused(detail), after[0], held, donation.value)

    def ended(self, loop: ir.For | ir.While) -> None:
        """A loop has run, whose first pass has donated its initial value: the aliases of that hold a deleted buffer."""
        variables = self.i.state.frames.get(self.i.frame.serial, {}) if self.i.state is not None else {}
        for name, donation in self.before_loops.pop(loop.site, {}).items():
            if name in variables and type(variables[name]) is not v.DonatedArray:
                self.i.bind(name, v.DonatedArray(donation.value, donation))
                self.any = True

    def reads(self, scope: ir.Scope, name: str) -> list[ir.Name]:
        """Where the value of a variable is asked for: not whether there is one."""
        bound = {target.site for each in bindings(scope, name) for target in ir.walk(getattr(each, "targets", ()))}
        return [
            node
            for node in ir.walk(scope.body)
            if type(node) is ir.Name
            and node.id == name
            and node.site not in bound
            and type(self.i.unit.parent(node.site)) is not ir.Compare
        ]

    def delete(self, name: str, value: v.Value, donation: Donation) -> None:
        """Note that a variable, and others for the same array, hold a buffer that is gone."""
        assert self.i.state is not None
        variables = self.i.state.frames.get(self.i.frame.serial, {})
        if variables.get(name) is value:
            for other in self.aliases(name, value, variables):
                detail = donation._replace(aliased=aliased_at(self.i.frame.scope, other, name))
                self.i.bind(other, v.DonatedArray(variables[other], detail))
            for attribute in self.attributes(name, value):
                self.store(attribute, v.DonatedArray(value, donation))
            self.i.bind(name, v.DonatedArray(value, donation))
            self.any = True

    def passed_again(self, call: Call, value: v.Value, node: ir.Node) -> ir.Node | None:
        """The argument by which a call is given a donated array, or a leaf of a donated tree, a second time."""
        idents = self.idents(value)
        if len(idents) > len(set(idents)):
            return node
        return next(
            (
                at
                for other, at in arguments(call)
                if at is not node and (_is_name(at, node) or not set(idents).isdisjoint(self.idents(other)))
            ),
            None,
        )

    def idents(self, value: v.Value) -> list[v.Ident]:
        """The arrays of an argument, by their identity."""
        leaves = self.i.leaves([value])
        return [leaf.ident for leaf in leaves if type(leaf) in (v.Array, v.Unknown) and leaf.ident is not None]

    def called(self, func: v.Value, call: Call, before: int) -> None:
        """A function has returned that donated what it was given: so its caller has lost it, too."""
        if type(func) is v.Transformed:
            return  # whose call is the donation
        gone = self.for_callers[before:]
        del self.for_callers[before:]
        if type(func) not in (v.FunctionValue, v.BoundMethod, v.Partial) or self.i.possible:
            return
        for donation in gone:
            for value, node in zip(call.args, call.arg_nodes):
                if value is donation.value or (value.ident is not None and value.ident == donation.value.ident):
                    if unconditional(self.i.unit, call.site):
                        self.for_callers.append(donation._replace(value=value))
                    if type(node) is ir.Name:
                        self.delete(node.id, value, donation)

    def store(self, node: ir.Attribute, value: v.Value) -> None:
        """Set the attribute of an object that ``node`` names."""
        base = self.i.bases.get(node.site)
        contents = self.i.contents(base) if base is not None else None
        if (
            type(contents) is Instance
            and contents.cls.lookup(node.attr) is not None
            and node.attr not in contents.fields
        ):
            return  # a property
        if type(contents) is Instance and type(base) is v.Ref:
            self.i.write(base, Instance(contents.cls, {**contents.fields, node.attr: value}, contents.called))
        elif base is not None and base.ident is not None:
            assert self.i.state is not None
            self.i.entered_idents.add(base.ident)
            self.i.state.set_field(base.ident, node.attr, value)
        self.any = True

    def aliases(self, donated: str, value: v.Value, variables: dict[str, v.Value]) -> list[str]:
        """Other variables that were bound to the same array, or to one that a tree was made of."""
        scope = self.i.frame.scope
        leaves = [leaf for leaf in self.i.leaves([value]) if type(leaf) is v.Array]

        def is_made_of(name: str, part: str, whole: bool) -> bool:
            return any(
                isinstance(each, ir.Assign)
                and len(each.targets) == 1
                and any(
                    isinstance(node, ir.Name) and node.id == part
                    for node in ([each.value] if whole else ir.walk([each.value]))
                )
                for each in bindings(scope, name)
            )

        found = []
        for name, held in variables.items():
            if name == donated:
                continue
            if held is value:
                if is_made_of(name, donated, True) or is_made_of(donated, name, True):
                    found.append(name)
            elif any(held is leaf for leaf in leaves) and is_made_of(donated, name, False):
                found.append(name)
        return found

    def attributes(self, donated: str, value: v.Value) -> Iterator[ir.Attribute]:
        """Attributes that hold the very array, which a variable was bound to: `state = self.state`."""
        for each in bindings(self.i.frame.scope, donated):
            node = each.value if isinstance(each, ir.Assign) else None
            base = self.i.bases.get(node.site) if type(node) is ir.Attribute else None
            contents = self.i.contents(base) if base is not None else None
            if type(node) is ir.Attribute and type(contents) is Instance and contents.fields.get(node.attr) is value:
                yield node

    def donated(self, made: v.Transformed) -> Statics | None:
        """The donated arguments; None where there are none, or they are computed."""
        numbers, names = made.options.get("donate_argnums"), made.options.get("donate_argnames")
        if (numbers is None and names is None) or "**" in made.options:
            return None
        positions = set() if numbers is None else constants_of(self.i, numbers, int)
        named = set() if names is None else constants_of(self.i, names, str)
        parameters = accepted(self.i, made.function, wrapped=True)
        if positions is None or named is None or parameters is None:
            return None
        return Statics(positions, named, parameters)

    # --- use afterwards -----------------------------------------------------------------------

    def named(self, node: ir.Node, value: v.DonatedArray) -> v.Value:
        """A variable is read whose buffer is gone: which uses fail is to be seen from what is around it."""
        part, held = node, value.value
        while True:
            around = self.i.unit.parent(part.site)
            if around is None:
                return value
            if type(held) in (v.Array, v.Unknown) and self.fails(around, part, held, is_part=part is not node):
                self.report(around if type(around) is not ir.Field else part, part, value)
                return value.value
            step = self.part(around, part, held)
            if step is None:
                return value
            part, held = around, step

    def held_by(self, node: ir.Attribute | ir.Subscript, base: v.DonatedArray) -> v.Value | None:
        """What an attribute or item of a donated tree holds, whose buffers are gone with it."""
        part = self.part(node, node.value, base.value)
        return None if part is None else base.part(part)

    def part(self, around: ir.Node, node: ir.Node, held: v.Value) -> v.Value | None:
        """What is held by the item or attribute of a tree that is asked for; None where something else is asked."""
        if type(around) is ir.Subscript and around.value is node and type(around.index) is ir.Constant:
            key: Any = around.index.value
        elif type(around) is ir.Attribute and around.value is node and around.attr not in _HARMLESS:
            key = around.attr
        else:
            return None
        if type(held) is v.Unknown:
            return v.UNKNOWN
        contents = self.i.contents(held)
        if type(around) is ir.Attribute:
            if type(contents) is Instance:
                found: v.Value | None = contents.fields.get(key)
                return found
            if not isinstance(held, v.Tuple) or held.items is None or key not in (held.fields or ()):
                return None
            return held.items[(held.fields or ()).index(key)]
        if type(contents) is DictObject:
            return contents.items.get(key)
        items = self.i.items_of(held)
        return items[key] if items is not None and type(key) is int and -len(items) <= key < len(items) else None

    def fails(self, around: ir.Node | None, node: ir.Node, held: v.Value, is_part: bool) -> bool:
        """Whether the expression around reads the array that ``node`` stands for; of what is not known also whether a tree would fail."""
        is_array = type(held) is v.Array
        if type(around) is ir.Binary:
            return is_array or around.op in _ARITHMETIC
        if type(around) is ir.Unary:
            return around.op != "not"
        if type(around) is ir.Compare:
            return (
                not any(op in ("is", "is not") for op in around.ops)
                if is_array
                else around.ops[0] in ("<", ">", "<=", ">=")
            )
        if type(around) is ir.Subscript:
            return is_array and around.value is node
        if type(around) is ir.Attribute:
            if is_array:
                return around.attr not in _HARMLESS
            call = self.i.unit.parent(around.site)
            return around.attr in METHODS and type(call) is ir.Call and call.func is around
        if type(around) is ir.Field:
            return is_array
        if type(around) is ir.Keyword:
            around = self.i.unit.parent(around.site)
        if is_part and type(around) is ir.Call and around.func is not node:
            dotted = ir.dotted(around.func)
            func = self.i.named(dotted) if dotted else None
            if func is None and dotted is not None:
                return _reads(f"builtins.{dotted}", is_array=True)
            return type(func) is v.Api and _reads(func.name, is_array=True)
        return False

    def passed(self, func: v.Value, call: Call) -> Call:
        """A call of which an argument may be gone."""
        if not any(type(each) is v.DonatedArray for each in call.all()):
            return call
        args = [self.read(func, call, value, node) for value, node in zip(call.args, call.arg_nodes)]
        keywords = {
            name: self.read(func, call, value, call.keyword_nodes[name]) for name, value in call.keywords.items()
        }
        return Call(call.node, args, call.arg_nodes, keywords, call.keyword_nodes, call.star, call.double_star)

    def handed_on(self, call: Call, value: v.DonatedArray, node: ir.Node) -> v.DonatedArray:
        """A use by what is called is the fault of the one who passes it on."""
        return value if value.passed is not None else v.DonatedArray(value.value, value.donation, (call.node, node))

    def read(self, func: v.Value, call: Call, value: v.Value, node: ir.Node) -> v.Value:
        if type(value) is not v.DonatedArray:
            return value
        if type(func) in (v.FunctionValue, v.BoundMethod, v.Partial, v.ClassValue):
            return self.handed_on(call, value, node)  # its uses are seen inside
        reader: v.Value | None = func
        if type(func) is v.Api and func.name in _MAPS:
            reader = call.get(0, "f")
            if type(reader) is v.FunctionValue and type(value.value) in (v.Tuple, v.Ref):
                return self.with_donated_leaves(value.value, self.handed_on(call, value, node))
        fails = False
        if type(reader) is v.Transformed:
            fails = reader.transform.behaviour in _COMPILED
        elif type(reader) is v.Api:
            is_array = reader is not func or type(value.value) in (v.Array, v.Unknown)
            fails = _reads(reader.name, is_array=is_array)
        if fails:
            self.report(call.node, node, value)
        return value.value

    def with_donated_leaves(self, tree: v.Value, whole: v.DonatedArray) -> v.Value:
        """A donated tree with the same structure, each leaf a donated array."""
        if type(tree) not in (v.Tuple, v.Ref):
            return whole.part(tree)
        rebuilt: v.Value = self.i.transforms.rebuilt(tree, lambda part: self.with_donated_leaves(part, whole))
        return rebuilt

    def report(self, at: ir.Node, node: ir.Node, value: v.DonatedArray) -> None:
        assert self.i.state is not None
        if value.passed is not None:
            at, node = value.passed
        self.i.report(DonatedArgumentReused(value.donation), at, node, value.value)
        variables = self.i.state.frames.get(self.i.frame.serial, {})
        if type(node) is ir.Name and variables.get(node.id) is value:
            self.i.bind(node.id, value.value)  # said once
        elif type(node) is ir.Attribute:
            self.store(node, value.value)


def _reads(function: str, is_array: bool) -> bool:
    """Whether a function reads the buffer of an argument; of a tree it must read the arrays inside."""
    if function.rpartition(".")[2] in _HARMLESS:
        return False
    return function in _READ_TREES or (is_array and (function.startswith(_READ_BUFFERS) or function in _READ_ARRAYS))


def _is_exact(aval: v.Aval, output: v.Aval) -> bool:
    known = aval.dtype is not None and aval.shape is not None and all(isinstance(size, int) for size in aval.shape)
    return known and (aval.dtype, aval.shape) == (output.dtype, output.shape)


def _may_take(aval: v.Aval, output: v.Aval | None) -> bool:
    """Whether an output can have the shape and dtype of an array; None is one of which nothing is known."""
    if output is None:
        return True
    if aval.dtype is not None and output.dtype is not None and aval.dtype != output.dtype:
        return False
    if output.shape is None or aval.shape is None:
        return output.shape != ()
    return len(aval.shape) == len(output.shape) and all(
        a is None or b is None or a == b for a, b in zip(aval.shape, output.shape)
    )


def _is_name(node: ir.Node, other: ir.Node) -> bool:
    return node is other or (type(node) is ir.Name and type(other) is ir.Name and node.id == other.id)
