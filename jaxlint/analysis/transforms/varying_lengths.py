"""Whether an array has another length in each pass of a loop: where it is made is followed backwards, through functions and generators."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import in_order
from jaxlint.analysis.transforms.argument_sources import DEPTH, GROWING, STEPS, Sources, View, appends, times
from jaxlint.analysis.transforms.changing_numbers import MANY, bound_to, is_api, passes
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, only_target

LEAST = 4  # passes, or lengths, that stand for more
_ARRAYS = ("jax.numpy", "numpy")
# Functions that are given a length: by the position and the name of the argument that holds it.
_SIZED = {
    **{f"{package}.{name}": (0, "shape") for package in _ARRAYS for name in ("zeros", "ones", "empty", "full")},
    **{f"{package}.{name}": (0, "N") for package in _ARRAYS for name in ("eye", "identity")},
    **{f"{package}.linspace": (2, "num") for package in _ARRAYS},
    **{f"{package}.arange": (0, "stop") for package in _ARRAYS},
}
# Functions that give an array as long as what they are given, for certain.
_KEEPING = frozenset(
    f"{package}.{name}" for package in _ARRAYS
    for name in (
        "abs", "array", "asarray", "ascontiguousarray", "atleast_2d", "clip", "column_stack", "concatenate", "copy", "cos",
        "cumprod", "cumsum", "exp", "expand_dims", "flip", "float32", "hstack", "int32", "log", "log1p", "maximum", "minimum",
        "ones_like", "round", "sin", "sort", "sqrt", "square", "stack", "tanh", "vstack", "where", "zeros_like",
    )
) | {"jax.device_put", "builtins.list", "builtins.tuple", "builtins.sorted"}  # fmt: skip
_JOINING = frozenset(f"{package}.{name}" for package in _ARRAYS for name in ("concatenate", "hstack", "vstack"))
_KEEPING_METHODS = frozenset({"astype", "copy", "flatten", "ravel", "sort", "split", "lower", "upper", "encode"})
# Functions that draw an integer, with the number of their arguments where these ask for one, and no array.
_DRAWS = {"integers": 2, "randint": 2, "randrange": 2, "poisson": 1, "geometric": 1}
# Functions of `jax.random` whose first argument behind the key is a shape.
_SHAPE_FIRST = frozenset(
    "normal uniform randint exponential gumbel laplace logistic cauchy rademacher bits maxwell".split()
)
_OF_TWO = frozenset({"normal", "uniform", "gamma", "integers", "beta"})  # the third argument of which is a size
# Methods that pick some of what they are given: where they are told how many.
_PICKED = {"choice": (1, "size"), "choices": (99, "k"), "sample": (1, "k")}
_FLOATS = frozenset({"random", "uniform", "normal", "rand", "randn"})  # functions that draw others


class Lengths(Sources):
    """Follows the arguments of one call to their lengths."""

    @property
    def passes_are_many(self) -> bool:
        """Whether the loop around the call is not known to be short."""
        count = times(self.i, self.loop) if self.loop is not None else None
        return count is None or count >= MANY

    def ragged(self, loop: ir.For | ir.Clause, name: str, view: View, depth: int) -> ir.Node | None:
        """What a loop goes over where that is a display of texts or lists of different lengths."""
        for target, over in bound_to(self.i, loop.target, loop.iterable):
            made = None
            if type(target) is ir.Name and target.id == name:
                made = self.source(over, View(None, view.given, fixed=True), depth + 1)
            elements = made[0].elements if made is not None and isinstance(made[0], ir.Sequence) else []
            lengths = {
                len(each.value) if isinstance(each, ir.Constant) and isinstance(each.value, str)
                else len(each.elements) if isinstance(each, ir.Sequence) and each.kind == "list"
                else None
                for each in elements
            }  # fmt: skip
            if made is not None and None not in lengths and len(lengths) >= LEAST:
                return made[0]
        return None

    # --- lengths -------------------------------------------------------------------------------

    def varies(self, node: ir.Node, view: View, depth: int = 0) -> ir.Node | None:
        """What gives an array, or a list or tree of them, another length in each pass; None where nothing does for certain."""
        self.steps += 1
        if depth > DEPTH or self.steps > STEPS:
            return None
        if isinstance(node, ir.Starred):
            return self.varies(node.value, view, depth + 1)
        while type(node) is ir.Name:
            binder = self.reaching_definition(node, node.id, view)
            if isinstance(binder, (ir.Assign, ir.Annotate)) and (appended := self.filled(node, view)):
                return self.collected(appended, binder, view)
            if binder is None and (grown := self.grown(node, view)) is not None:
                return grown
            if isinstance(binder, (ir.For, ir.Clause)):
                ragged = self.ragged(binder, node.id, view, depth)
                if ragged is not None:
                    return ragged
                found = (
                    self.varies(each, place, depth + 1) for each, place in self.elements(binder, node.id, view, depth)
                )
                return next((each for each in found if each is not None), None)
            seen = self.of_name(node, view, depth)
            if seen is None:
                return None
            node, view = seen
        if type(node) is ir.Attribute:
            grown = self.collected_in(node, view, depth) or self.remembered(node, view)
            if grown is not None:
                return grown
        made = self.made_anew(node, view, depth)
        if made is None:
            return None
        node, view = made
        if isinstance(node, ir.Sequence):
            return self.first(node.elements, view, depth)
        if isinstance(node, ir.Dict):
            return self.first(node.values, view, depth)
        if isinstance(node, ir.Binary):
            sides = [node.left, node.right]
            if node.op == "@" or any(isinstance(each, ir.Sequence) for each in sides):
                return None  # `[0] * (n - len(x))`: a list is filled up
            if node.op == "+" and not any(isinstance(each, ir.Constant) for each in sides):
                return None  # which may put lists together
            return self.first(sides, view, depth)
        if isinstance(node, ir.Attribute):
            return self.varies(node.value, view, depth + 1) if node.attr == "T" else None
        if isinstance(node, ir.Subscript):
            return self.of_subscript(node, view, depth)
        if isinstance(node, ir.Comprehension):
            simple = node.kind != "dict" and len(node.clauses) == 1 and not node.clauses[0].conditions
            return self.varies(node.clauses[0].iterable, view, depth + 1) if simple else None
        if isinstance(node, ir.Call):
            return self.of_call(node, view, depth)
        return None

    def first(self, nodes: list[ir.Expression], view: View, depth: int) -> ir.Node | None:
        for each in nodes:
            found = self.varies(each, view, depth + 1)
            if found is not None:
                return found
        return None

    def of_subscript(self, node: ir.Subscript, view: View, depth: int) -> ir.Node | None:
        index = node.index
        if isinstance(index, ir.Sequence) and index.elements:
            index = index.elements[0]
        if isinstance(index, ir.Slice):
            if index.step is not None:
                return None
            edges = [each for each in (index.lower, index.upper) if each is not None]
            changing = [each for each in edges if self.number(each, view, depth + 1) is not None]
            if len(changing) == 1:
                return node
            return self.varies(node.value, view, depth + 1) if all(map(_is_constant, edges)) and not changing else None
        mask = self.made_anew(index, view, depth)
        if mask is not None and isinstance(mask[0], ir.Compare) and self.passes_are_many:
            ordered = all(op in ("<", "<=", ">", ">=") for op in mask[0].ops)
            return node if ordered and self.is_of_pass(mask[0], mask[1], depth) else None
        return None

    def of_call(self, node: ir.Call, view: View, depth: int) -> ir.Node | None:
        callee = self.callee(node)
        if type(callee) is v.ClassValue:
            return self.first(list(ir.passed_values(node)), view, depth)
        name = self.i.library_name(callee)
        node = node if name is None else in_order(name, node)
        if name in _SIZED:
            return self.sized(node, name, view, depth)
        if name is not None and name.startswith("jax.random."):
            shape = ir.given(node, 1 if name.rpartition(".")[2] in _SHAPE_FIRST else 99, "shape")
            return node if shape is not None and self.in_shape(shape, view, depth) else None
        if name in _JOINING and node.args and isinstance(node.args[0], ir.Sequence):
            found = [self.varies(each, view, depth + 1) for each in node.args[0].elements]
            changing = [each for each in found if each is not None]
            return changing[0] if len(changing) == 1 else None  # two of them may make up for one another
        if name in _KEEPING and node.args:
            return self.first(list(node.args), view, depth)
        if name is not None:
            return None
        if isinstance(node.func, ir.Attribute):
            size = ir.given(node, *_PICKED.get(node.func.attr, (99, "size")))
            if size is None and node.func.attr in _OF_TWO and len(node.args) == 3:
                size = node.args[2]
            if size is not None:
                return node if self.in_shape(size, view, depth) else None
            if node.func.attr == "join" and len(node.args) == 1:  # a text of several words
                return self.varies(node.args[0], view, depth + 1)
            if node.func.attr in _KEEPING_METHODS:
                return self.varies(node.func.value, view, depth + 1)
        return None

    def sized(self, node: ir.Call, name: str, view: View, depth: int) -> ir.Node | None:
        size = ir.given(node, *_SIZED[name])
        if name.endswith("arange") and len(node.args) > 1:
            size = node.args[1] if len(node.args) == 2 and _is_constant(node.args[0]) else None
        return node if size is not None and self.in_shape(size, view, depth) else None

    def in_shape(self, node: ir.Node, view: View, depth: int) -> bool:
        sizes = node.elements if isinstance(node, ir.Sequence) else [node]
        return any(self.number(each, view, depth + 1) is not None for each in sizes)

    # --- numbers -------------------------------------------------------------------------------

    def number(self, node: ir.Node, view: View, depth: int) -> ir.Node | None:
        """What makes an integer another one in each pass."""
        self.steps += 1
        if depth > DEPTH or self.steps > STEPS or view.fixed:
            return None
        while type(node) is ir.Name:
            binder = self.reaching_definition(node, node.id, view)
            if isinstance(binder, (ir.For, ir.Clause)) and self.counts(binder, node.id, view, depth):
                return node
            seen = self.of_name(node, view, depth)
            if seen is None or seen[1].fixed:
                return None
            node, view = seen
        made = self.made_anew(node, view, depth)
        if made is None:
            return None
        node, view = made
        if isinstance(node, ir.Binary):
            sides = [node.left, node.right]
            found = [self.number(each, view, depth + 1) for each in sides]
            if node.op not in ("+", "-", "*") or found.count(None) != 1:
                return None
            other = sides[found.index(None)]  # `n - n % 8` is one of few
            apart = not any(self.number(each, view, depth + 1) for each in ir.walk([other]) if type(each) is ir.Name)
            return next((each for each in found if each is not None), None) if apart else None
        if isinstance(node, ir.Subscript) and isinstance(node.value, ir.Attribute) and node.value.attr == "shape":
            leading = isinstance(node.index, ir.Constant) and node.index.value == 0
            return self.varies(node.value.value, view, depth + 1) if leading else None
        if isinstance(node, ir.Attribute) and node.attr == "size":
            return self.varies(node.value, view, depth + 1)
        return self.called_number(node, view, depth) if isinstance(node, ir.Call) else None

    def called_number(self, node: ir.Call, view: View, depth: int) -> ir.Node | None:
        callee = self.callee(node)
        name = self.i.library_name(callee)
        if name == "builtins.len" and len(node.args) == 1:
            return self.varies(node.args[0], view, depth + 1)
        if name == "builtins.int" and len(node.args) == 1:
            return self.number(node.args[0], view, depth + 1)
        if name in ("builtins.min", "builtins.max") and len(node.args) > 1:
            found = [self.number(each, view, depth + 1) for each in node.args]
            return next((each for each in found if each is not None), None)
        if name == "builtins.max" and len(node.args) == 1 and self.are_lengths(node.args[0]):
            return node if self.is_of_pass(node.args[0], view, depth) else None
        return node if self.is_draw(node, callee, name) else None

    def is_draw(self, node: ir.Call, callee: v.Value | None, name: str | None) -> bool:
        """Whether it is a random integer, drawn on the host."""
        last = ir.last_part(node.func) or ""
        if last not in _DRAWS or not isinstance(node.func, ir.Attribute):
            return False
        if name is not None and not name.startswith(("numpy.random.", "random.")):
            return False
        if type(callee) in (v.FunctionValue, v.BoundMethod, v.ClassValue, v.Transformed):
            return False
        names = {each.name for each in node.keywords}
        return 0 < len(node.args) <= _DRAWS[last] and names <= {"high", "endpoint", "lam"}

    def are_lengths(self, node: ir.Node) -> bool:
        """Whether it is `len(x) for x in rows`, or `map(len, rows)`."""
        if type(node) is ir.Call and len(node.args) == 2 and is_api(self.callee(node), "builtins.map"):
            return ir.dotted(node.args[0]) == "len"
        element = node.element if type(node) is ir.Comprehension and len(node.clauses) == 1 else None
        return type(element) is ir.Call and self.i.library_name(self.callee(element)) == "builtins.len"

    def is_of_pass(self, node: ir.Node, view: View, depth: int) -> bool:
        """Whether an expression reads what each pass binds anew."""
        if view.fixed or depth > DEPTH:
            return False
        for each in ir.walk([node]):
            if type(each) is ir.Call and ir.last_name(each.func) in _FLOATS and isinstance(each.func, ir.Attribute):
                return True
            if type(each) is not ir.Name:
                continue
            binder = self.reaching_definition(each, each.id, view)
            if isinstance(binder, ir.Clause) and any(above is node for above in self.unit.ancestors(binder.site)):
                continue
            if isinstance(binder, ir.Scope):
                given = view.given.get(each.id)
                if given is not None and self.is_of_pass(given[0], given[1], depth + 1):
                    return True
            elif binder is not None:
                return True
        return False

    def counts(self, loop: ir.For | ir.Clause, name: str, view: View, depth: int) -> bool:
        """Whether a loop of many passes binds a name to another integer in each."""
        for target, over in bound_to(self.i, loop.target, loop.iterable):
            if type(target) is not ir.Name or target.id != name:
                continue
            if type(over) is ir.Call and is_api(self.callee(over), "builtins.range"):
                compared = loop is view.loop or self.unit.parent(loop.site) is view.loop
                return compared and (passes(self.i, over) or MANY) >= MANY
            made = self.source(over, View(None, view.given, fixed=True), depth + 1)
            if made is None:
                return False
            node, place = made
            if type(node) is ir.Call and ir.last_name(node.func) in _DRAWS:
                library = self.i.library_name(self.callee(node))
                return ir.given(node, 2, "size") is not None and (
                    library is None or library.startswith("numpy.random.")
                )
            if not isinstance(node, ir.Comprehension):
                return False
            return self.number(node.element, View(node, place.given), depth + 1) is not None
        return False

    def collected(self, appended: list[ir.Evaluate], made: ir.Node, view: View) -> ir.Node | None:
        """Where a list is appended to as often as an inner loop runs, which ends when some condition says so."""
        found = None
        for statement in appended:
            loops: list[ir.For | ir.While] = []
            for around in self.unit.ancestors(statement.site):
                if around is view.loop or isinstance(around, ir.Scope) or self.holds(around, made):
                    break
                if isinstance(around, (ir.For, ir.While)):
                    loops.append(around)
            if not loops:
                return None if ir.last_name(statement.value.func) == "extend" else found  # type: ignore[attr-defined]
            if any(fills_up(each) for each in loops):
                return None
            if any(map(ends_on_what_it_computes, loops)):
                found = found or statement
        return found

    def grown(self, name: ir.Name, view: View) -> ir.Node | None:
        """Where each pass of the loop appends to a list that is begun before it, and that nothing shortens."""
        found = bindings(self.unit.scope(name.site), name.id)
        begun = found[0] if len(found) == 1 and isinstance(found[0], ir.Assign) else None
        made = self.part(begun.targets[-1], begun.value, name.id, view, 0) if begun is not None else None
        value = made[0] if made is not None else None
        if view.fixed or not isinstance(view.loop, (ir.For, ir.While)) or not self.passes_are_many:
            return None
        if not (isinstance(value, ir.Sequence) and value.kind == "list") and not (
            isinstance(value, ir.Call) and is_api(self.callee(value), "builtins.list")
        ):
            return None
        if any(value is each for each in ir.walk(view.loop.body)):
            return None
        for node in ir.walk(view.loop.body, into_scopes=False):
            attribute = isinstance(node, ir.Attribute) and ir.dotted(node.value) == name.id
            if attribute and node.attr not in GROWING:  # type: ignore[attr-defined]
                return None
            if isinstance(node, ir.Delete):
                return None
        return next((each for each in view.loop.body if appends(each, name.id)), None)

    def remembered(self, node: ir.Attribute, view: View) -> ir.Node | None:
        """Where an inner loop of the loop around the call appends to a list that the object of the method keeps."""
        scope = self.unit.scope(node.site)
        cls = self.unit.parent(scope.site)
        cls = self.unit.parent(cls.site) if isinstance(cls, ir.Define) else cls
        given = view.given.get(node.value.id) if type(node.value) is ir.Name else None
        loop = self.loop if isinstance(self.loop, (ir.For, ir.While)) else None
        if not isinstance(cls, ir.ClassDefinition) or given is None or loop is None or given[1].loop is not loop:
            return None
        methods = {each.function.name: each.function for each in cls.body if isinstance(each, ir.Define)}
        receiver = ir.dotted(given[0])
        appended = []
        for each in ir.statements(loop.body, into_scopes=False):
            func = each.value.func if isinstance(each, ir.Evaluate) and isinstance(each.value, ir.Call) else None
            if not isinstance(each, ir.Evaluate) or not isinstance(func, ir.Attribute):
                continue
            method = methods.get(func.attr) if ir.dotted(func.value) == receiver else None
            inside = method is not None and any(appends(part, f"self.{node.attr}") for part in method.body)
            if inside or appends(each, f"{receiver}.{node.attr}"):
                appended.append(each)
        return self.collected(appended, loop, given[1])

    def collected_in(self, node: ir.Attribute, view: View, depth: int) -> ir.Node | None:
        """The same of an attribute of an object that is made in the pass, to which its methods append."""
        made = self.made_anew(node.value, view, depth + 1)
        if made is None or type(made[0]) is not ir.Call:
            return None
        call, place = made
        cls, statement = self.callee(call), self.unit.statement(call.site)
        if type(cls) is not v.ClassValue or not isinstance(statement, ir.Assign):
            return None
        for name in sorted(bound_by(statement)):
            block = self.unit.block(statement.site)
            after = block[block.index(statement) + 1 :] if statement in block else []
            appended = [
                each for each in ir.statements(after, into_scopes=False)
                if isinstance(each, ir.Evaluate)
                and (appends(each, f"{name}.{node.attr}") or self.appends_to(each, name, cls, node.attr))
            ]  # fmt: skip
            if appended:
                return self.collected(appended, statement, place)
        return None

    def appends_to(self, statement: ir.Evaluate, name: str, cls: v.ClassValue, attribute: str) -> bool:
        """Whether a statement calls a method of an object that appends to an attribute."""
        func = statement.value.func if isinstance(statement.value, ir.Call) else None
        method = cls.lookup(func.attr) if isinstance(func, ir.Attribute) and ir.dotted(func.value) == name else None
        return type(method) is v.FunctionValue and any(
            appends(each, f"self.{attribute}") for each in method.function.body
        )

    def holds(self, node: ir.Node, inner: ir.Node | None) -> bool:
        return inner is not None and any(above is node for above in self.unit.ancestors(inner.site))


def ends_on_what_it_computes(loop: ir.For | ir.While) -> bool:
    """Whether the number of passes is decided by what the passes compute, and is no count."""
    inside = list(ir.statements(loop.body, into_scopes=False))
    tests = [
        each.test for each in inside if isinstance(each, ir.If) and any(type(last) is ir.Break for last in each.body)
    ]
    if isinstance(loop, ir.While):
        tests.append(loop.test)
    computed = {
        name for each in inside if isinstance(each, ir.Assign) and not _counts(each) for name in bound_by(each)
    }  # fmt: skip
    return any(type(each) is ir.Name and each.id in computed for each in ir.walk(tests))


def fills_up(loop: ir.For | ir.While) -> bool:
    """Whether it is `while len(x) < n`, which makes a list as long as others."""
    test = loop.test if isinstance(loop, ir.While) else None
    return isinstance(test, ir.Compare) and isinstance(test.left, ir.Call) and ir.dotted(test.left.func) == "len"


def _counts(statement: ir.Assign) -> bool:
    """Whether it is `t = t + dt`."""
    value, target = statement.value, only_target(statement)
    sides = [value.left, value.right] if isinstance(value, ir.Binary) and value.op in ("+", "-") else []
    return (
        type(target) is ir.Name
        and any(type(each) is ir.Name and each.id == target.id for each in sides)
        and all(isinstance(each, (ir.Name, ir.Constant, ir.Attribute)) for each in sides)
    )


def _is_constant(node: ir.Node) -> bool:
    return isinstance(node, ir.Constant) or (isinstance(node, ir.Unary) and isinstance(node.operand, ir.Constant))
