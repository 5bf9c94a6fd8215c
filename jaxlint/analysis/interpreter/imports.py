"""Imports: what a name that is imported stands for.

A name of a library is an `Api`, by its dotted path. A name of another module of the project is
looked up when it is first read: that module is lowered, and its body interpreted, once for all roots
and apart from them (``evaluated``). The functions and classes found there are then followed like those of the file
itself; what is wrong with them under their own module's calls is for that module's own root to say.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TYPE_CHECKING

from mypy_extensions import trait

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE, Context, Frame
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.interpreter.evaluation_state import EvaluationState
from jaxlint.analysis.interpreter.module_summary import Evaluated
from jaxlint.analysis.model import Part
from jaxlint.analysis.models.frameworks import MODULE_FAMILIES
from jaxlint.analysis.models.library_names import name_use
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_value
from jaxlint.knowledge import libraries
from jaxlint.source.libraries import MODELLED
from jaxlint.source.library_sources import dotted_name

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.project.reexports import HandedOn
    from jaxlint.project.resolver import Place

# Ways into a circle of imports for which what a module holds is remembered.
MAX_WAYS = 8

_Names = dict[str, v.Value]


@trait
class Imports(EvaluationState):
    """Mixin of the interpreter: import statements, of libraries and of the project's own modules."""

    def on_import(self: Interpreter, node: ir.Import) -> None:
        for (dotted, alias), part in zip(node.names, node.aliases):
            bound = dotted if alias is not None else dotted.partition(".")[0]
            place = self.locate(bound)
            if place is not None:
                self.events.project_name_read(part, dotted)
                self.bind(alias or bound, v.ModuleValue(place))
            else:
                self.events.library_imported(node, part, dotted)
                self.events.imported(node, dotted)
                self.bind(alias or bound, v.Api(knowledge.canonical(bound)))

    def on_import_from(self: Interpreter, node: ir.ImportFrom) -> None:
        module = node.module
        place = self.locate(module, node.level)
        if place is None and not node.level:
            self.events.imported(node, module)
        for (name, alias), part in zip(node.names, node.aliases):
            if place is not None:
                if name == "*":
                    for public, value in self.public_names(place).items():
                        self.bind(public, value)
                else:
                    self.project_names.read(part, place.file, name)
                    self.bind(alias or name, v.Imported(place, name))
            elif node.level:
                self.project_names.read_beside(part, node, name)
                if name != "*":
                    self.bind(alias or name, v.Unknown(v.fresh()))
            elif name == "*":
                self.events.library_imported(node, part, module)
                for public in knowledge.exported(module):
                    use = name_use(self.target, f"{module}.{public}")
                    if use is None or use.status != "gone":
                        self.bind(public, v.Api(knowledge.canonical(f"{module}.{public}")))
            else:
                dotted = f"{module}.{name}"
                self.events.library_imported(node, part, dotted)
                self.bind(alias or name, self.imported(dotted))

    def locate(self: Interpreter, module: str, level: int = 0) -> Place | None:
        """Where a module of the project is, as the running file imports it."""
        if self.loader is None:
            return None
        return self.loader.locate(self.filenames[self.frame.top.scope.site], module, level)

    def variables(self: Interpreter, frame: Frame) -> _Names:
        """The variables of a frame, of this root or of a module it imports."""
        assert self.state is not None
        found = self.state.frames.get(frame.serial)
        return found if found is not None else self.world.frames.get(frame.serial, {})

    def named(self: Interpreter, dotted: str, start: Frame | None = None) -> v.Value | None:
        """What a dotted name stands for, as seen from a frame; None for one that is bound nowhere, such as a builtin."""
        first, *rest = dotted.split(".")
        owner = self.owner(first, start)
        if owner is None:
            return None
        value: v.Value = self.variables(owner)[first]
        if type(value) is v.Imported:
            value = self.look_up(value.place, value.name)
        for part in rest:
            if type(value) is v.ModuleValue:
                value = self.look_up(value.place, part)
            else:
                value = self.imported(f"{value.name}.{part}") if type(value) is v.Api else v.UNKNOWN
        return value

    def look_up(self: Interpreter, place: Place, name: str, seen: tuple[tuple[Place, str], ...] = ()) -> v.Value:
        """What ``name`` stands for in the module at ``place``: a name it binds, or a submodule."""
        if self.imports_suspended:
            return v.Unknown(v.fresh())
        said = self.project_names.at(place.file, name)
        if said is not None:
            return said
        handed_on = self.handed_on(place.file, name)
        if handed_on is None:
            value = self.names_of(place).get(name)
        else:
            value = None if handed_on.place is None else v.Imported(handed_on.place, handed_on.name)
        if type(value) is v.Imported:  # handed on from yet another module
            step = (value.place, value.name)
            if step not in seen:
                return self.look_up(*step, seen + (step,))
            value = None  # a package that imports its submodule from itself
        if value is not None:
            return value
        assert self.loader is not None
        inner = self.loader.child(place, name)
        return v.ModuleValue(inner) if inner is not None else v.Unknown(v.fresh())

    def handed_on(self: Interpreter, file: str | None, name: str) -> HandedOn | None:
        """What a module that has not been read merely hands on under a name: for that its body need not be read.

        So a package whose body is half read has its submodules, as in Python.
        """
        if file is None or file in self.modules or self.root.is_root(file):
            return None
        if (file, name) not in self.onward:
            assert self.loader is not None
            found = self.onward[file, name] = self.loader.handed_on(file, name)
            if found is not None and self.evaluation is not None:
                self.evaluation.read.update((each, self.loader.module(each)) for each in found.files)
        known: HandedOn | None = self.onward[file, name]
        return known

    def public_names(self: Interpreter, place: Place) -> _Names:
        """What ``from module import *`` binds."""
        names = self.names_of(place)
        listed = self.items_of(names["__all__"]) if "__all__" in names else None
        if listed is not None:
            constants = [item.value for item in listed if type(item) is v.Const]
            if len(constants) == len(listed):
                return {public: names[public] for public in constants if public in names}
        return {name: value for name, value in names.items() if not name.startswith("_")}

    def names_of(self: Interpreter, place: Place) -> _Names:
        """The variables of a module at its end; none while it is still being read, or where it cannot be."""
        file = place.file
        if file is None:
            return {}
        found = self.modules.get(file)
        if found is None:
            if self is self.root and self.is_root(file):
                assert self.state is not None
                names: _Names = self.state.frames.get(self.module_frame.serial, {})
                return names
            if self.root.is_root(file) or file in self.being_read():
                self.depends_on(file)
                return {}
            found = self.load(file)
            self.adopt(found)
        if self.evaluation is not None:
            self.evaluation.uses[file] = found
        return found.names

    def is_worth_following(self: Interpreter, func: v.FunctionValue, call: Call, context: Context) -> bool:
        """Whether a call into another module can show anything that its own root does not.

        It can where the code is staged, an array, a key or a function is handed over, or a function
        may come back. What eager code computes of plain values is left unknown.
        """
        function = func.function
        if context.stage == STAGED_CODE or function.name == "__init__" or self.allowed.follows_all:
            return True
        if self.is_in_source(function.site):
            return True  # what it makes holds the functions and arrays that it is given
        if function.site in self.runners.fixtures.sites:
            return True  # what a test is given
        if func.frame is not None and func.frame.parent is not None:
            return True  # made by a function that was followed, and reads its variables
        assert self.loader is not None
        telling = self.loader.makers
        if function.site not in telling:
            telling[function.site] = (
                _makes_functions(function)
                or self.chooses_functions(function)
                or self.hands_on_keys(function)
                or self.makes_holders(function)
                or self.makes_arrays(function)
                or _makes_containers(function)
                or self.makes_objects(function)
            )
        if telling[function.site]:
            return True
        if call.args and _is_formula(function) and all(map(self.is_plain_number, call.all())):
            return True  # a number that is known
        for leaf in self.leaves(call.all()):
            kind = type(leaf)
            # What an array is refused for, its own module cannot say of a bare parameter.
            if leaf.cls is not None or kind in _FOLLOWED or v.structure_of(leaf) is not None:
                return True
            contents = self.contents(leaf)
            if type(contents) is Instance and (
                contents.cls.family in MODULE_FAMILIES
                or self.is_in_source(contents.cls.definition.site)
                or any(each.cls is not None or type(each) in _HELD for each in self.leaves(contents.fields.values()))
            ):
                return True
        return False

    def is_plain_number(self: Interpreter, value: v.Value) -> bool:
        """Whether a value is a number, or an object that may hold some."""
        return v.python_type(value) in v.NUMERIC_TYPES or type(self.contents(value)) is Instance

    def chooses_functions(self: Interpreter, function: ir.Function) -> bool:
        """Whether a function names some of its module as values, as tables of them do, or calls another that makes functions."""
        module = self.unit.module_of(function.site)
        defined = {each.function.name: each.function for each in module.body if isinstance(each, ir.Define)}
        for node in ir.walk(function.body):
            found = defined.get(node.id) if type(node) is ir.Name else None
            if found is not None:
                above = self.unit.parent(node.site)
                is_called = type(above) is ir.Call and above.func is node
                if not is_called or (found is not function and _makes_functions(found)):
                    return True
        return False

    def library_name(self: Interpreter, callee: v.Value | None) -> str | None:
        """The dotted name of a function of a library; None for any other."""
        if type(callee) is v.FunctionValue and self.is_in_source(callee.function.site):
            return dotted_name(self.model.file(callee.function.site), callee.function.qualname)
        return callee.name if type(callee) is v.Api else None

    def hands_on_keys(self: Interpreter, function: ir.Function) -> bool:
        """Whether a parameter may be a random key: it is passed on, in a module that names `jax.random` or what does."""
        parameters = {parameter.name for parameter in function.parameters}
        passed = (
            part for node in ir.walk(function.body) if type(node) is ir.Call for part in (*node.args, *node.keywords)
        )
        values = (part.value if isinstance(part, (ir.Keyword, ir.Starred)) else part for part in passed)
        if not any(type(value) is ir.Name and value.id in parameters for value in values):
            return False
        return self.draws(self.unit.module_of(function.site))

    def makes_holders(self: Interpreter, function: ir.Function) -> bool:
        """Whether a function calls one of a package whose objects hold functions, options, or what a checkpoint held."""
        return self._calls(function, libraries.HOLDERS)

    def makes_arrays(self: Interpreter, function: ir.Function) -> bool:
        """Whether a function calls `jax.numpy` or NumPy, or another of its module that does, and gives something: an array, or
        what holds one, that no argument shows.
        """
        nodes = list(ir.walk(function.body))
        if not any(isinstance(each, (ir.Return, ir.Yield)) and each.value is not None for each in nodes):
            return False
        if self._calls(function, _ARRAY_MODULES):
            return True
        called = {ir.dotted(each.func) for each in nodes if type(each) is ir.Call}
        others = [each.function for each in self.unit.module_of(function.site).body if isinstance(each, ir.Define)]
        return any(each.name in called and self._calls(each, _ARRAY_MODULES) for each in others)

    def makes_objects(self: Interpreter, function: ir.Function) -> bool:
        """Whether a function returns an object of a class of its module, or a class method one of its own: `cls(…)`."""
        module = self.unit.module_of(function.site)
        classes = {each.definition.name for each in module.body if isinstance(each, ir.DefineClass)}
        if function.parameters and any(ir.dotted(each) == "classmethod" for each in function.decorators):
            classes.add(function.parameters[0].name)
        for each in ir.statements(function.body, into_scopes=False):
            value = each.value if type(each) is ir.Return else None
            made = only_value(function, value.id) if type(value) is ir.Name else value
            if type(made) is ir.Call and ir.dotted(made.func) in classes:
                return True
        return False

    def _calls(self: Interpreter, function: ir.Function, packages: Collection[str]) -> bool:
        """Whether a function calls something by the name under which the body of its module imports one of these packages."""
        names = _imported_as(self.unit.module_of(function.site), packages)
        called = (ir.dotted(each.func) or "" for each in ir.walk(function.body) if type(each) is ir.Call)
        return bool(names) and any(dotted.startswith(names) for dotted in called)

    def only_computes(self: Interpreter, func: v.FunctionValue) -> bool:
        """Whether a function of another module leaves its arguments as they are.

        It stores nothing in them, passes them on to no other function, and returns no part of them, which a caller could change.
        """
        assert self.loader is not None
        known = self.loader.computing.get(func.function.site)
        if known is None:
            known = all(self._leaves_alone(node, func) for node in ir.walk(func.function.body))
            self.loader.computing[func.function.site] = known
        return bool(known)

    def _leaves_alone(self: Interpreter, node: ir.Node, func: v.FunctionValue) -> bool:
        if isinstance(node, (ir.Assign, ir.Annotate)):
            targets = node.targets if isinstance(node, ir.Assign) else [node.target]
            return all(type(target) is ir.Name for target in targets)
        if type(node) is ir.Return:
            return node.value is None or isinstance(node.value, _COMPUTED)
        if type(node) is not ir.Call:
            return not isinstance(
                node, (ir.Augment, ir.Delete, ir.Scope, ir.For, ir.With, ir.Await, ir.Yield, ir.YieldFrom)
            )
        dotted = ir.dotted(node.func)
        callee = self.named(dotted, func.frame) if dotted else None
        name = f"builtins.{dotted}" if callee is None else callee.name if type(callee) is v.Api else ""
        return name.startswith(("math.", "jax.numpy.")) or name in _PURE

    def draws(self: Interpreter, module: ir.Module) -> bool:
        """Whether a module names `jax.random`, or imports a module of the project."""
        assert self.loader is not None
        known = self.loader.drawing.get(module.site)
        if known is None:
            known = self.loader.drawing[module.site] = any(map(_names_random, ir.walk(module.body)))
        return bool(known)

    def enter_imported(self: Interpreter) -> bool:
        """Whether there are steps left for code that is imported; without any it is unknown.

        A root is not to cost many times what its own code does.
        """
        inside = bool(self.stack) and self.stack[-1] not in self.unit
        spent = self.imported_steps + (self.steps - self.imported_since if inside else 0)
        limit = max(self.allowed.imported_steps, self.allowed.imported_steps_per_node * len(self.unit.own))
        if spent > limit:
            self.budget(f"more than {limit} steps in imported modules")
        return spent <= limit

    def is_root(self: Interpreter, file: str) -> bool:
        known = self.root_names.get(file)
        if known is None:
            assert self.loader is not None
            known = self.root_names[file] = self.loader.same(file, self.unit.filename)
        return known

    def being_read(self: Interpreter) -> dict[str, Interpreter]:
        """Modules whose bodies are interpreted around what is interpreted now, by their files."""
        found: dict[str, Interpreter] = {}
        reader = self
        while reader.evaluation is not None:
            found[reader.evaluation.file] = reader
            assert reader.around is not None
            reader = reader.around
        return found

    def depends_on(self: Interpreter, file: str) -> None:
        """What is being read would be another thing where ``file`` is not half read."""
        reader = self
        while reader.evaluation is not None and reader.evaluation.file != file:
            reader.evaluation.half_read.add(file)
            assert reader.around is not None
            reader = reader.around

    def load(self: Interpreter, file: str) -> Evaluated:
        """A module as its body leaves it: remembered, or interpreted silently and apart."""
        key = (file, self.conventions, self.target, self.has_32_bits)
        loader = self.loader
        assert loader is not None
        for known in loader.evaluated.get(key, ()):
            if known.holds_for(self):
                loader.asked.update(known.asked)
                return known  # type: ignore[no-any-return]
        outer, loader.asked = loader.asked, {}
        try:
            found = Evaluated(file, loader.module(file))
            if found.lowered is not None:
                found.evaluate(self)
            found.asked = loader.asked
        finally:
            outer.update(loader.asked)
            loader.asked = outer
        ways = loader.evaluated.setdefault(key, [])
        del ways[: max(0, len(ways) + 1 - MAX_WAYS)]
        ways.append(found)
        return found

    def adopt(self: Interpreter, found: Evaluated) -> None:
        """Take a module, and all that it uses, for part of this root."""
        for file, each in found.closure.items():
            if file in self.modules:
                if self.modules[file] is not each:
                    each.hand_over_variables(self)  # as another way into a circle of imports left them
                continue
            self.modules[file] = each
            if each.lowered is None:
                continue
            tree = each.lowered.tree
            self.unit.add(tree)
            self.model.add(Part(file, tree))
            self.filenames[tree.module.site] = file
            self.step_limit += self.steps_for(len(tree.nodes))
            each.hand_over(self)


_PURE = frozenset(f"builtins.{name}" for name in "abs bool float int isinstance len max min pow round str sum".split())
_COPYING = frozenset({"asdict", "copy", "deepcopy", "loads"})  # that make a dict of a dict, of an object or of a text
_COMPUTED = (ir.Constant, ir.Binary, ir.Unary, ir.Compare, ir.Call)  # expressions that make something new
_ARRAYS = frozenset({v.Array, v.Host})
_ARRAY_MODULES = frozenset({"jax.numpy", "numpy"})
_HELD = _ARRAYS | {v.Transformed}
_FOLLOWED = _ARRAYS | {v.FunctionValue, v.Transformed, v.Partial, v.BoundMethod, v.DonatedArray}


def _names_random(node: ir.Node) -> bool:
    """Whether a node is `jax.random`, an import of it, or one from a module that may be of the project: it may draw."""
    if type(node) is ir.Attribute:
        return node.attr == "random" and type(node.value) is ir.Name and node.value.id == "jax"
    if type(node) is ir.Import:
        return any(dotted == "jax.random" for dotted, _ in node.names)
    if type(node) is not ir.ImportFrom:
        return False
    top = node.module.partition(".")[0]
    if node.level or not (top in MODELLED or top in sys.stdlib_module_names):
        return True
    return node.module == "jax.random" or (node.module == "jax" and any(name == "random" for name, _ in node.names))


def _imported_as(module: ir.Module, packages: Collection[str]) -> tuple[str, ...]:
    """What the names of members of these packages begin with, as the body of a module imports them."""
    found: list[str] = []
    for each in module.body:
        for package in packages:
            above, _, last = package.rpartition(".")
            if isinstance(each, ir.Import):
                found += [f"{alias or name}." for name, alias in each.names if name == package]
                found += [f"{alias or name}.{last}." for name, alias in each.names if above and name == above]
            elif isinstance(each, ir.ImportFrom) and above and each.module == above:
                found += [f"{alias or name}." for name, alias in each.names if name == last]
    return tuple(found)


def is_arithmetic(function: ir.Function) -> bool:
    """Whether a function only computes with its parameters."""
    last = function.body[-1] if function.body else None
    rest = [each for each in function.body if each is not last]
    documented = all(type(each) is ir.Evaluate and type(each.value) is ir.Constant for each in rest)
    names = {parameter.name for parameter in function.parameters}
    return (
        documented
        and type(last) is ir.Return
        and last.value is not None
        and all(
            type(node) in (ir.Binary, ir.Unary, ir.Constant) or (type(node) is ir.Name and node.id in names)
            for node in ir.walk([last.value])
        )
    )


def _is_formula(function: ir.Function) -> bool:
    """Whether a function only computes with its parameters and their attributes."""
    for each in function.body:
        if type(each) is ir.Assign:
            if not all(type(target) is ir.Name for target in each.targets):
                return False
        elif type(each) is not ir.Return and not (type(each) is ir.Evaluate and type(each.value) is ir.Constant):
            return False
    last = function.body[-1] if function.body else None
    if type(last) is not ir.Return or last.value is None or function.is_async or function.is_generator:
        return False
    inside = ir.walk([each.value for each in function.body if isinstance(each, (ir.Assign, ir.Return)) and each.value])
    return all(
        type(node) in (ir.Binary, ir.Unary, ir.Constant, ir.Name, ir.Attribute)
        or (type(node) is ir.Call and _is_of_numbers(ir.dotted(node.func) or ""))
        for node in inside
    )


def _is_of_numbers(dotted: str) -> bool:
    return dotted.startswith("math.") or f"builtins.{dotted}" in _PURE


def _makes_containers(function: ir.Function) -> bool:
    """Whether what a function returns is always a dict, list or set that it makes, of which no argument tells; or one it yields."""
    if function.is_generator:
        yields = [each for each in ir.walk(function.body, into_scopes=False) if type(each) is ir.Yield]
        return any(_is_container(function, each.value) for each in yields)
    returns = [each for each in ir.statements(function.body, into_scopes=False) if type(each) is ir.Return]
    if not returns or function.body[-1] is not returns[-1]:
        return False
    return all(_is_container(function, each.value) for each in returns)


def _is_container(function: ir.Function, node: ir.Node | None) -> bool:
    if type(node) is ir.Name:
        node = only_value(function, node.id)
    if type(node) is ir.Call:
        return ir.dotted(node.func) in ("dict", "list", "set") or ir.last_part(node.func) in _COPYING
    if type(node) is ir.Binary:
        return node.op == "|"
    return type(node) is ir.Dict or getattr(node, "kind", "") in ("list", "dict", "set")


def _makes_functions(function: ir.Function) -> bool:
    """Whether the body defines a function or calls `partial`, which may be returned."""
    return any(
        isinstance(node, (ir.Define, ir.Lambda, ir.DefineClass))
        or (type(node) is ir.Call and ir.last_part(node.func) == "partial")
        for node in ir.walk(function.body)
    )


def imported_anew(module: ir.Module) -> set[str]:
    """Names that a module imports with one meaning above a definition and with another meaning below it."""
    meanings: dict[str, tuple[str, int]] = {}  # name -> what it stands for, and the number of definitions above
    changed, definitions = set(), 0
    for statement in module.body:
        definitions += isinstance(statement, (ir.Define, ir.DefineClass))
        if isinstance(statement, (ir.Import, ir.ImportFrom)):
            origin = f"{'.' * statement.level}{statement.module}." if isinstance(statement, ir.ImportFrom) else ""
            for name, alias in statement.names:
                bound = alias or name.partition(".")[0]
                meaning = origin + (name if alias else bound)
                before = meanings.get(bound, (meaning, definitions))
                if before[0] != meaning and before[1] < definitions:
                    changed.add(bound)
                meanings[bound] = meaning, definitions
    return changed
