"""Arguments that options of transforms name: those that the function has, that are to be left alone, or need a hash."""

from __future__ import annotations

import re
from difflib import get_close_matches

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import CONCRETE, Array, FunctionValue
from jaxlint.analysis.transforms.agreement import UnhashableStaticArgument, UnknownStaticArgument
from jaxlint.analysis.transforms.not_arrays import NonArrayArgument
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, declared_names, only_result, targets_of
from jaxlint.rewrite.calls import passed_for, visible_calls
from jaxlint.rewrite.changes import COMPILED_ANEW, GUESSED
from jaxlint.rewrite.draft import Draft, passing, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import called, definition, function_of, names_in, tuple_text, value_of
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, plain_call, require
from jaxlint.rewrite.statements import first_statement
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY


@or_none
def of_two_arrays(hazard: Hazard, file: File) -> Fix:
    """`jnp.maximum(x, y)` for `jnp.max(x, y)`, whose second argument is an axis."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    name = {"jax.numpy.max": "jax.numpy.maximum", "jax.numpy.min": "jax.numpy.minimum"}.get(hazard.api or "")
    require(hazard.parameter == "axis" and len(call.args) == 2 and not call.keywords)
    require(call.args[1].site == hazard.operand and expect(Array, hazard.value).aval.shape)  # a number may be an axis
    return using(file, call.func.site, known(name), "it compares element by element")


@or_none
def known_argument(hazard: UnknownStaticArgument, file: File) -> Fix:
    writers = {"unknown": _renamed, "beyond": _counted_from_0, "positional-only": _numbered, "hidden": _wrapping}
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    return writers.get(hazard.reason, _by_position)(hazard, Draft(file), call)


def _renamed(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """The nearest parameter name in place of each unknown one."""
    literal, file = _literal(hazard, call), draft.file
    parts = [part.strip() for part in str(hazard.entry).split(",")]
    nearest = [get_close_matches(part, hazard.parameters, n=1, cutoff=0.5) for part in parts]
    names = [match[0] for match in nearest if match]
    option = file.unit.parent(literal.site)
    require(len(set(names)) == len(parts) and not set(names) & _others(option, literal))
    require(len(parts) == 1 or isinstance(option, ir.Keyword))
    quote = '"' if file.code(literal.site).endswith('"') else "'"
    quoted = [quote + name + quote for name in names]
    draft.replace(literal.site, quoted[0] if len(quoted) == 1 else tuple_text(quoted))
    return draft.fix(f"Name {' and '.join(f'`{name}`' for name in names)}", GUESSED)


def _counted_from_0(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """The last argument where the number is one too high, as it is when `self` is counted or one starts at 1."""
    literal, file, last = _literal(hazard, call), draft.file, len(hazard.parameters) - 1
    require(last >= 0 and hazard.entry == last + 1 and file.code(literal.site).isdigit())
    require(last not in _others(file.unit.parent(literal.site), literal))
    draft.replace(literal.site, str(last))
    # Of a static argument that is the wrong one the code fails; of the others it would give something else.
    level = _DISPLAY if hazard.parameter == "argnums" or (hazard.parameter or "").startswith("donate") else _UNSAFE
    return draft.fix(f"Count from 0, where `{hazard.parameters[last]}` is {last}", GUESSED, level)


def _numbered(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """Numbers in place of the names of parameters that are passed by position only."""
    file, option = draft.file, hazard.parameter or ""
    function = known(definition(file, expect(FunctionValue, hazard.function)))
    keyword = known(next((each for each in call.keywords if each.name == option), None))
    numbers = option.replace("names", "nums")
    value = keyword.value
    written = value.elements if isinstance(value, ir.Sequence) else [value]
    positions = {each.name: str(n) for n, each in enumerate(function.parameters) if each.kind != "keyword-only"}
    given = [known(positions.get(getattr(each, "value", None) or "")) for each in written]
    require(given and value_of(call, numbers) is None)
    draft.rename(keyword, numbers)
    draft.replace_whole(value.site, tuple_text(given) if isinstance(value, ir.Sequence) else given[0])
    title = f"Give {'their numbers' if len(given) > 1 else 'its number'}"
    return draft.fix(title, "right where callers pass it by position")


def _wrapping(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """`functools.wraps` on the wrapper, so that JAX sees the parameters of what it calls."""
    file = draft.file
    wrapper = known(definition(file, hazard.function))
    passed_on = {
        node.func.id for node in ir.walk(wrapper.body, into_scopes=False)
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and any(isinstance(a, ir.Starred) for a in node.args)
    }  # fmt: skip
    define = expect(ir.Define, file.unit.parent(wrapper.site))
    outer = expect(ir.Function, file.unit.scope(define.site))
    require(len(passed_on) == 1 and passed_on <= {each.name for each in outer.parameters})
    draft.above(define, f"@{draft.api('functools.wraps')}({passed_on.pop()})")
    title = f"Let `{wrapper.name}` show the parameters of what it calls"
    return draft.fix(title, "it has the name and docstring of what it calls")


def _by_position(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """The differentiated argument passed by position, where it is the first that is passed by name."""
    require(hazard.entry == len(call.args) < len(hazard.parameters) and call.keywords)
    keyword, file = call.keywords[0], draft.file
    require(keyword.name == hazard.parameters[len(call.args)])
    draft.edits.append(Edit(file.span(keyword.site)[0], file.outer_span(keyword.value.site)[0], ""))
    return draft.fix(f"Pass `{keyword.name}` by position", level=Applicability.SAFE)


def _literal(hazard: UnknownStaticArgument, call: ir.Call) -> ir.Constant:
    """The string or number in the source that is the wrong entry."""
    value = value_of(call, hazard.parameter or "")
    elements = value.elements if isinstance(value, ir.Sequence) else [value]
    constants = [each for each in elements if isinstance(each, ir.Constant) and type(each.value) is type(hazard.entry)]
    return only(each for each in constants if each.value == hazard.entry)


def _others(option: ir.Node | None, literal: ir.Constant) -> set[object]:
    """The entries that stand beside one."""
    elements = option.elements if isinstance(option, ir.Sequence) else ()
    return {each.value for each in elements if isinstance(each, ir.Constant) and each is not literal}


_STATIC = {"jax.checkpoint": "static_argnums", "jax.pmap": "static_broadcasted_argnums"}
_GRADIENTS = ("jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian")


@or_none
def leave_alone(hazard: Hazard, file: File) -> Fix:
    """The fix for `transform(f)(x, "text")`, where the transform has an option for it."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    if hazard.api == "jax.lax.map":
        return _array_for_range(hazard, file)
    if hazard.api == "jax.experimental.ode.odeint":
        return _closed_over(hazard, file, plain_call(call))
    made, call = plain_call(call.func), plain_call(call)
    require(len(made.args) == 1)
    keyword = next((each for each in call.keywords if each.value.site == hazard.operand), None)
    if keyword is not None:
        return bound(file, call, made, keyword)
    position = known(_position(call, hazard.operand))
    code, options = file.code(hazard.operand, 40), {each.name for each in made.keywords}
    others = [n for n in range(len(call.args)) if n != position]
    if hazard.api == "jax.vmap":
        option, text = "in_axes", tuple_text(["None" if n == position else "0" for n in range(len(call.args))])
        title, changes = f"Do not map over `{code}`", "each element gets all of it"
    elif hazard.api in _STATIC:
        option, text, title, changes = _STATIC[hazard.api], str(position), f"Make `{code}` static", COMPILED_ANEW
    else:
        require(hazard.api in _GRADIENTS and position == 0 and len(others) == 1)
        option, text, changes = "argnums", str(others[0]), GUESSED
        title = f"Differentiate by `{file.code(call.args[others[0]].site, 40)}`"
    require(option not in options)
    return known(passing(file, made, f"{option}={text}", title, changes))


def _position(call: ir.Call, site: int) -> int | None:
    return next((n for n, each in enumerate(call.args) if each.site == site), None)


@or_none
def without_entry(hazard: NonArrayArgument, file: File) -> Fix:
    """A dict without the one entry that is no array, which the function does not read."""
    node, function = file.unit.nodes[hazard.operand], known(hazard.function)
    require(hazard.entry and function.site in file.unit and isinstance(node, (ir.Name, ir.Attribute)))
    require(all(getattr(each, "value", None) != hazard.entry for each in ir.walk(function.body)))
    key, draft = f'"{hazard.entry}"', Draft(file)
    draft.replace(node.site, f"{{name: value for name, value in {file.code(node.site)}.items() if name != {key}}}")
    return draft.fix(f"Leave out {key}", "the function gets no such entry")


def _closed_over(hazard: Hazard, file: File, call: ir.Call) -> Fix:
    """`odeint(lambda y, t, a: f(y, t, g, a), y0, t, a)` for `odeint(f, y0, t, g, a)`, where `g` is no array."""
    position, draft = known(_position(call, hazard.operand)), Draft(file)
    require(position > 2)
    function = known(function_of(file, call.args[0]))
    names = [each.name for each in function.parameters if each.kind == "ordinary"]
    require(len(names) == len(call.args) - 1 == len(function.parameters))
    given = argument(file, hazard.operand)
    taken = [name for n, name in enumerate(names) if n != position - 1]
    require(not set(taken) & names_in(call.args[position]))
    passed = ", ".join(given if n == position - 1 else name for n, name in enumerate(names))
    draft.replace_whole(call.args[0].site, f"lambda {', '.join(taken)}: {called(file, call.args[0], passed)}")
    draft.remove_argument(call.args[position])
    return draft.fix(f"Close over `{given}`", "the solver compiles anew for each function")


def bound(file: File, call: ir.Call, made: ir.Call, keyword: ir.Keyword) -> Fix:
    """`transform(f)(x, kind="sum")` as `transform(partial(f, kind="sum"))(x)`."""
    draft, function = Draft(file), made.args[0].site
    passed = f"{argument(file, function)}, {keyword.name}={argument(file, keyword.value.site)}"
    draft.replace_whole(function, f"{draft.api('functools.partial')}({passed})")
    draft.remove_argument(keyword)
    return draft.fix(f"Give `{file.code(function, 40)}` its `{keyword.name}` before it is transformed", COMPILED_ANEW)


def _array_for_range(hazard: Hazard, file: File) -> Fix:
    operand, draft = expect(ir.Call, file.unit.nodes[hazard.operand]), Draft(file)
    require(not operand.keywords and file.is_api(operand.func.site, "builtins.range"))
    arange = draft.use(operand.func.site, "jax.numpy.arange")
    return draft.fix(f"Loop over an array, `{arange}`", "the function gets arrays, not Python numbers")


_PLAIN = (ir.Constant, ir.Name, ir.Attribute, ir.Subscript, ir.Unary)
_INSTANCE = re.compile(r"an instance of `(\w+)`")
_ARRAYS = [f"{module}.{name}" for module in ("jax.numpy", "numpy") for name in ("array", "asarray")]


@or_none
def hashable_argument(hazard: UnhashableStaticArgument, file: File) -> Fix:
    node, what, draft = file.unit.nodes[hazard.operand], hazard.what, Draft(file)
    instance = _INSTANCE.fullmatch(what)
    if instance:
        place = hazard.site if hazard.cls is None else hazard.cls
        return file.placed(_with_hash(file.holding(place), instance[1]), place)
    if what in ("a JAX array", "a NumPy array"):
        one = isinstance(hazard.value, Array) and hazard.value.aval.shape == ()
        return _number(hazard, draft, node) if one else _traced(hazard, draft)
    if what == "a dict":
        return _items(hazard, draft, node)
    made = {"a list": "tuple", "a set": "frozenset"}.get(what, "")
    freeze(draft, node)
    if not draft.edits:
        require(made)
        draft.replace(node.site, f"{made}({file.code(node.site)})")
    return draft.fix(f"Pass a {'`frozenset`' if made == 'frozenset' else 'tuple'}", COMPILED_ANEW)


def freeze(draft: Draft, node: ir.Node) -> None:
    """Makes tuples and frozensets of the lists and sets that are written out."""
    if not isinstance(node, ir.Sequence):
        require(isinstance(node, _PLAIN))
        return
    start, end = draft.file.span(node.site)
    if node.kind == "set":
        draft.insert(start, "frozenset(")
        draft.insert(end, ")")
    elif node.kind == "list":
        comma = "," if len(node.elements) == 1 and not draft.file.code(node.site)[1:-1].rstrip().endswith(",") else ""
        draft.edits += [Edit(start, start + 1, "("), Edit(end - 1, end, comma + ")")]
    for each in node.elements:
        freeze(draft, each)


def _number(hazard: Hazard, draft: Draft, node: ir.Node) -> Fix:
    """The Python number of an array that holds one."""
    file, aval = draft.file, expect(Array, hazard.value).aval
    match node:
        case ir.Call(args=[ir.Constant() as number], keywords=()) if file.is_api(node.func.site, *_ARRAYS):
            text = file.code(number.site)
        case _:
            require(expect(Array, hazard.value).mode == CONCRETE)
            kind = known(next((kind for kind in ("int", "float") if kind in (aval.dtype or "")), None))
            text = f"{kind}({argument(file, node.site)})"
    draft.replace(node.site, text)
    return draft.fix("Pass a Python number", COMPILED_ANEW)


def _traced(hazard: UnhashableStaticArgument, draft: Draft) -> Fix:
    """The parameter no longer static, where the decorator says nothing of others."""
    file, function = draft.file, known(definition(draft.file, hazard.function))
    decorator = expect(ir.Call, function.decorators[-1] if function.decorators else None)
    static = only(each for each in decorator.keywords if each.name in ("static_argnames", "static_argnums"))
    position = next((n for n, each in enumerate(function.parameters) if each.name == hazard.parameter), None)
    value = static.value
    entries = value.elements if isinstance(value, ir.Sequence) else [value]
    require(len(entries) == 1 and getattr(entries[0], "value", None) in (hazard.parameter, position))
    if len(decorator.args) <= 1 and len(decorator.keywords) == 1:
        bare = decorator.args[0] if decorator.args else decorator.func
        draft.replace(decorator.site, file.code(bare.site))  # `partial` of one function is that function
    else:
        draft.remove_argument(static)
    return draft.fix(f"Let `{hazard.parameter}` be traced", f"`{function.name}` must not need its values", _DISPLAY)


def _items(hazard: UnhashableStaticArgument, draft: Draft, node: ir.Node) -> Fix:
    """The items of a dict passed as a tuple, and made a dict again in the function."""
    file, function, name = draft.file, known(definition(draft.file, hazard.function)), known(hazard.parameter)
    written = bound_to(file.unit, node)
    values = written.values if isinstance(written, ir.Dict) else [None]
    require(hazard.has_hashable_items or all(isinstance(each, (ir.Constant, ir.Unary)) for each in values))
    require(not function.is_lambda and _takes_dicts(file, function, name, file.code(node.site)))
    first, again = first_statement(function), f"{name} = dict({name})"
    require(not (isinstance(first, ir.Evaluate) and isinstance(first.value, ir.Constant)))  # it does nothing
    draft.replace(node.site, f"tuple({operand(file, node.site)}.items())")
    if file.code(first.site) != again:
        draft.above(first, again)
    return draft.fix(f"Pass the items as a tuple, and make a dict in `{function.name}`", COMPILED_ANEW)


def _takes_dicts(file: File, function: ir.Function, name: str, code: str) -> bool:
    """Whether each call that is seen passes a dict, be it the one of this ``code``, or the items of one."""
    for use in visible_calls(file, function) or ():
        passed = passed_for(function, use.call, name)
        if passed is None or file.code(passed.site) == code or file.code(passed.site).endswith(".items())"):
            continue
        if not isinstance(bound_to(file.unit, passed), ir.Dict):
            return False
    return True


# --- a class with a hash ----------------------------------------------------------------------


def _with_hash(file: File, name: str) -> Fix:
    found = only(each for each in file.unit.own if isinstance(each, ir.ClassDefinition) and each.name == name)
    require(not found.bases)
    methods = {each.function.name: each for each in found.body if isinstance(each, ir.Define)}
    require(len(found.decorators) == ("__eq__" not in methods))
    return _beside_eq(file, methods["__eq__"]) if "__eq__" in methods else _frozen(file, found)


def _frozen(file: File, definition_: ir.ClassDefinition) -> Fix:
    """`@dataclass(frozen=True)`, where nothing in the file sets a field."""
    fields, decorator, draft = declared_names(definition_), definition_.decorators[0], Draft(file)
    for each in ir.walk([file.unit.module]):
        require(not any(isinstance(target, ir.Attribute) and target.attr in fields for target in targets_of(each)))
    if isinstance(decorator, ir.Call):
        options = {each.name for each in decorator.keywords}
        require(not decorator.args and not options & {None, "frozen", "eq", "unsafe_hash"})
        draft.append_argument(decorator, "frozen=True")
    else:
        draft.insert(file.span(decorator.site)[1], "(frozen=True)")
    return draft.fix(f"Freeze `{definition_.name}`", "its fields can no longer be set")


def _beside_eq(file: File, define: ir.Define) -> Fix:
    """`__hash__` of the attributes that `__eq__` compares."""
    function, draft = expect(ir.Function, define.function), Draft(file)
    require(len(function.parameters) == 2 and not function.decorators)
    me, other = (each.name for each in function.parameters)
    codes = [f"{me}.{name}" for name in _compared(only_result(function), me, other)]
    require(codes)
    inner = file.indentation(function.body[-1].site)
    require(len(inner) > len(file.indentation(define.site)))
    hashed = codes[0] if len(codes) == 1 else tuple_text(codes)
    draft.below(define, f"def __hash__({me}):{file.source.newline}{inner}return hash({hashed})")
    return draft.fix("Hash what `__eq__` compares", "it must not change", _DISPLAY)


def _compared(node: ir.Node | None, me: str, other: str) -> list[str]:
    """The attributes that `self.a == other.a and self.b == other.b` compares."""
    match node:
        case ir.Boolean(op="and", left=left, right=right):
            return _compared(left, me, other) + _compared(right, me, other)
        case ir.Call(func=ir.Name(id="isinstance")):
            return []
        case ir.Compare(
            left=ir.Attribute(value=ir.Name(id=one), attr=attribute),
            ops=["=="],
            rights=[ir.Attribute(value=ir.Name(id=two), attr=same)],
        ) if {one, two} == {me, other} and attribute == same:
            return [attribute]
    raise NoFix
