"""What a condition tells about the names in it, on the path where it holds or does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.instances import ARRAY_CLASSES, PYTHON_CLASSES, api_names, classes_in, is_instance
from jaxlint.analysis.domain.state import TRUTH
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from collections.abc import Hashable

    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Frame
    from jaxlint.analysis.domain.state import Guards

_CONCRETE = frozenset({"jax.core.is_concrete", "jax._src.core.is_concrete"})


def truth_of(interpreter: Interpreter, node: ir.Node, value: v.Value | None) -> bool | None:
    """The truth of the value of an expression: `a and False` is false, and `a or True` true, whatever ``a`` is."""
    truth = interpreter.truth(value) if value is not None else None
    if truth is None and type(node) is ir.Boolean and node.site in interpreter.right_values:
        decisive = node.op == "or"
        right = interpreter.right_values[node.site]
        operands = (truth_of(interpreter, node.left, None), truth_of(interpreter, node.right, right))
        return decisive if decisive in operands else None
    return truth


def assume(interpreter: Interpreter, node: ir.Node, polarity: bool) -> None:
    """Change the current state to one in which ``node`` is true (or false)."""
    if type(node) is ir.Unary and node.op == "not":
        assume(interpreter, node.operand, not polarity)
    elif type(node) is ir.Boolean:
        if (node.op == "and") is polarity:
            assume(interpreter, node.left, polarity)
            assume(interpreter, node.right, polarity)
        else:
            _doubt_calls(interpreter, node)
    elif type(node) is ir.Compare and len(node.ops) == 1:
        _assume_comparison(interpreter, node, polarity)
    elif type(node) is ir.Call:
        _assume_call(interpreter, node, polarity)
    elif type(node) is ir.Walrus:
        assume(interpreter, node.target, polarity)
    elif type(node) is ir.Name:
        # A container that is true or false says nothing about its leaves; None is false.
        flag = value_of(interpreter, node)
        if flag is not None and flag.ident is not None and _is_flag(interpreter.owner(node.id), node.id):
            assert interpreter.state is not None
            interpreter.state.set_field(flag.ident, TRUTH, v.Const(polarity))


def _is_flag(frame: Frame | None, name: str) -> bool:
    """Whether a name is a parameter that is a bool: what it is does not change."""
    scope = None if frame is None else frame.scope
    for parameter in scope.parameters if isinstance(scope, ir.Function) else ():
        if parameter.name == name:
            default, annotation = parameter.default, parameter.annotation
            is_bool = type(default) is ir.Constant and type(default.value) is bool
            return is_bool or (type(annotation) is ir.Name and annotation.id == "bool")
    return False


def _assume_comparison(interpreter: Interpreter, node: ir.Compare, polarity: bool) -> None:
    op, right = node.ops[0], node.rights[0]
    if op in ("is", "is not", "==", "!="):
        same = (op in ("is", "==")) is polarity
        subject, other = node.left, right
        if type(subject) is ir.Constant:
            subject, other = other, subject
        if type(subject) is ir.Walrus:
            subject = subject.target
        if type(other) is ir.Constant and (other.value is None or op in ("is", "is not")):
            if same:
                _set(interpreter, subject, v.Const(other.value))
            elif other.value is None:
                current = value_of(interpreter, subject)
                if current is not None and current.ident is not None:
                    assert interpreter.state is not None
                    interpreter.state.set_field(("not None", *current.ident), "", v.TRUE)
        elif type(other) is ir.Constant and same and isinstance(other.value, (str, bytes)):
            _set(interpreter, subject, v.Const(other.value))
        if type(subject) is ir.Call:
            _doubt_calls(interpreter, subject)


def _assume_call(interpreter: Interpreter, node: ir.Call, polarity: bool) -> None:
    callee = interpreter.last_callee.get(node.site)
    if not node.args:
        return
    subject = node.args[0]
    if type(callee) is v.Api and callee.name in ("builtins.isinstance", "builtins.hasattr"):
        asked_about = value_of(interpreter, subject)
        if type(asked_about) is v.Unknown and asked_about.structure is not None:
            # Code that asks expects other objects as well.
            _set(interpreter, subject, v.Unknown(asked_about.ident))
            return
    if type(callee) is v.Api and callee.name == "builtins.isinstance" and len(node.args) == 2:
        current = value_of(interpreter, subject)
        asked = classes_in(interpreter.eval(node.args[1]))
        classes = api_names(asked)
        if type(current) is v.Array and polarity and not any(name in ARRAY_CLASSES for name in classes or ()):
            # What comes here is of a class that is not known, and hardly the array.
            _set(interpreter, subject, v.Unknown(current.ident or v.fresh()))
        if type(current) in (v.Array, v.Const):
            return
        if isinstance(current, (v.Tuple, v.Ref)) and is_instance(interpreter, current, asked) is not None:
            return
        if not polarity and type(current) in (v.Tuple, v.Ref):
            # Whether it is an instance was not worked out: it may be what never comes here.
            _set(interpreter, subject, v.Unknown(v.fresh()))
        elif classes is None:
            if type(current) in (v.Undecided, v.Unknown):
                _set(interpreter, subject, _doubtful(current))
        elif all(name in ARRAY_CLASSES for name in classes):
            if polarity and type(current) is v.Undecided:
                _set(interpreter, subject, v.Array(current.mode, v.ANY, current.origin, current.ident))
            elif type(current) is v.Undecided:
                _set(interpreter, subject, _doubtful(current))
        elif polarity and all(name in PYTHON_CLASSES for name in classes):
            scalar = {"int", "float", "bool", "complex", "str", "bytes"}
            names = {name.partition(".")[2] for name in classes}
            if names <= scalar:
                _set(interpreter, subject, v.Static(names.pop() if len(names) == 1 else "", v.fresh()))
            else:
                _set(interpreter, subject, _doubtful(current))
        elif type(current) is v.Undecided:
            _set(interpreter, subject, _doubtful(current))
        return
    # Any other predicate may be a guard against tracers, or tell leaves from containers.
    _doubt_calls(interpreter, node)


def _doubt_calls(interpreter: Interpreter, node: ir.Node) -> None:
    """The arguments of predicates in ``node`` are no longer certain on this path."""
    stack = [node]
    while stack:
        part = stack.pop()
        if type(part) is ir.Call:
            callee = interpreter.last_callee.get(part.site)
            name = callee.name if type(callee) is v.Api else ""
            if name.startswith(("jax.numpy.", "numpy.", "jax.lax.", "builtins.len")):
                continue
            looped = part.args[0] if name in ("builtins.any", "builtins.all") and part.args else None
            if type(looped) is ir.Comprehension and type(looped.element) is ir.Call:
                # What the predicate says of one of them decides for all.
                for iterated in looped.clauses[0].iterable.children() or ():
                    current = value_of(interpreter, iterated)
                    if type(current) in (v.Undecided, v.Array):
                        _set(interpreter, iterated, _doubtful(current))
            for arg in part.args:
                current = value_of(interpreter, arg)
                if type(current) in (v.Undecided, v.Array):
                    if type(current) is v.Array and name in ("builtins.isinstance", "builtins.hasattr"):
                        continue
                    _set(
                        interpreter,
                        arg,
                        v.Unknown(v.fresh()) if asks_for_tracers(interpreter, part) is not None else _doubtful(current),
                    )
        elif type(part) in (ir.Boolean, ir.Unary, ir.Compare):
            stack.extend(part.children())


def asks_for_tracers(interpreter: Interpreter, call: ir.Call) -> bool | None:
    """Whether the predicate that is called is true of tracers, or of values, as `is_concrete`; None for any other."""
    callee = interpreter.last_callee.get(call.site)
    if type(callee) is v.Api:
        return False if callee.name in _CONCRETE else None
    if type(callee) is not v.FunctionValue:
        return None
    tests = (node for node in ir.walk(callee.function.body) if type(node) is ir.Call)
    answers = {_answer(interpreter, node) for node in tests} - {None}
    return answers.pop() if len(answers) == 1 else None


def _answer(interpreter: Interpreter, test: ir.Call) -> bool | None:
    """What the function around a test for tracers gives for one; None where the test is another, or what it decides."""
    name = getattr(test.func, "attr", getattr(test.func, "id", ""))
    given: bool | None = {"isinstance": True, "is_concrete": False}.get(name)
    if given is None or (given and not any(_is_tracer_class(node) for node in ir.walk(test.args[1:]))):
        return None
    inner: ir.Node = test
    for above in interpreter.unit.ancestors(test.site):
        if type(above) is ir.Return:
            return given
        if type(above) is ir.If:
            then = above.body[0] if inner is above.test else None
            if type(then) is ir.Return and type(then.value) is ir.Constant and type(then.value.value) is bool:
                return given is then.value.value
        if type(above) is ir.Unary and above.op == "not":
            given = not given
        inner = above
    return None


def _is_tracer_class(node: ir.Node) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) == "Tracer"


def _doubtful(value: v.Value | None) -> v.Value:
    if value is None:
        return v.UNKNOWN
    if type(value) is v.Array:
        return v.Array(v.MAYBE, value.aval, None, value.ident)
    return v.Unknown(value.ident)


def value_of(interpreter: Interpreter, node: ir.Node) -> v.Value | None:
    """What a name is bound to; None for any other expression."""
    if type(node) is ir.Name:
        frame = interpreter.owner(node.id)
        return interpreter.variables(frame)[node.id] if frame is not None else None
    return None


def _set(interpreter: Interpreter, node: ir.Node, value: v.Value) -> None:
    if type(node) is ir.Name:
        frame = interpreter.owner(node.id)
        if frame is not None:
            assert interpreter.state is not None
            interpreter.state.store(frame.serial, node.id, value)
    elif type(node) is ir.Attribute and type(node.value) is ir.Name:
        base = value_of(interpreter, node.value)
        if base is not None and base.ident is not None and type(base) in (v.Unknown, v.Undecided, v.Static):
            interpreter.entered_idents.add(base.ident)
            assert interpreter.state is not None
            interpreter.state.set_field(base.ident, node.attr, value)


def guard_key(node: ir.Node) -> str | None:
    """Text that two conditions share when they ask the same; None for what cannot be compared."""
    if type(node) is ir.Name:
        return str(node.id)
    if type(node) is ir.Constant:
        return repr(node.value)
    if type(node) is ir.Attribute:
        base = guard_key(node.value)
        return None if base is None else f"{base}.{node.attr}"
    if type(node) is ir.Unary and node.op == "not":
        inner = guard_key(node.operand)
        return None if inner is None else f"not {inner}"
    if type(node) is ir.Boolean:
        parts = [guard_key(node.left), guard_key(node.right)]
        return None if None in parts else f"({parts[0]} {node.op} {parts[1]})"
    if type(node) is ir.Binary:
        parts = [guard_key(node.left), guard_key(node.right)]
        return None if None in parts else f"({parts[0]} {node.op} {parts[1]})"
    if type(node) is ir.Compare:
        sides = [guard_key(side) for side in (node.left, *node.rights)]
        if None in sides:
            return None
        return " ".join([str(sides[0])] + [f"{op} {side}" for op, side in zip(node.ops, sides[1:])])
    if type(node) is ir.Subscript:
        base, index = guard_key(node.value), guard_key(node.index)
        return None if base is None or index is None else f"{base}[{index}]"
    if type(node) is ir.Call and not node.keywords:
        parts = [guard_key(part) for part in (node.func, *node.args)]
        return None if None in parts else f"{parts[0]}({', '.join(map(str, parts[1:]))})"
    return None


def exclusive(first: Guards, second: Guards) -> bool:
    """Whether two paths cannot both be taken: their guards contradict each other."""
    if not first or not second:
        return False
    asked = dict(_expanded(first))
    return any(key in asked and asked[key] != polarity for key, polarity in _expanded(second))


def _expanded(guards: Guards) -> list[tuple[Hashable, object]]:
    """Guards with `not` taken off, conjunctions taken apart, and `x == "a"` and `x is Kind.A` as a choice of x."""
    found: list[tuple[Hashable, object]] = []
    for key, polarity in guards:
        while key.startswith("not ") and isinstance(polarity, bool):
            key, polarity = key[4:], not polarity
        if isinstance(polarity, bool):
            for negative, positive in ((" != ", " == "), (" is not ", " is "), (" not in ", " in ")):
                if negative in key and key.count(negative) == 1:
                    key, polarity = key.replace(negative, positive), not polarity
            for positive in (" == ", " is ") if polarity else ():
                subject, found_once, constant = key.partition(positive)
                is_constant = constant[:1] in tuple("'\"0123456789") or constant.rpartition(".")[2].isupper()
                if found_once and is_constant and positive not in constant:
                    found.append((("choice", subject), constant))
        found.append((key, polarity))
    return found
