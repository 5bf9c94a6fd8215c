"""Branches of `if` and `match` that do more than choose a value, as functions for ``jax.lax.cond`` and ``jax.lax.switch``.

The functions close over variables that they only read; variables that they change are passed as arguments. After a
branch that returns, the rest of the function is the other branch.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.values import Const
from jaxlint.analysis.transforms.carries import shapes_differ
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import enclosing_loops, resolved, target_names
from jaxlint.rewrite.changes import SAME_FORM
from jaxlint.rewrite.control_flow.dataflow import Flow, after, changes_state, flow, is_read_elsewhere, value_before
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, beside, operand
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import block_span, comments_in, free_name, is_elif, moved, opening, step, with_comments
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_WIDTH = 100
_MAX_REST = 64  # statements behind a choice that may go into one of its branches
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass
class Choice:
    """One of several blocks runs: the one behind the first test that holds, else the last.

    ``whole`` is the statement that is replaced; ``rest`` what follows it in its block.
    """

    whole: ir.Statement
    tests: list[str]
    blocks: list[list[ir.Statement]]
    said: list[list[str]]  # for each block the comments at its head
    names: tuple[str, ...] = ()
    indent: str = ""
    step: str = "    "
    prefix: str = ""  # what stands in front of the rewritten code, on a line of its own


@or_none
def rewritten(file: File, choice: Choice) -> Fix:
    """The fix that lets JAX choose between the blocks; None where it cannot be told how."""
    return _Writer(file, choice).written()


@or_none
def effect(file: File, test: ir.Node) -> Fix:
    """`lax.cond(test, lambda: jax.debug.print(…), lambda: None)` for an `if` that does nothing else."""
    match file.unit.parent(test.site):
        case ir.If(body=[ir.Evaluate(value=ir.Call() as call)], orelse=[]) as node:
            require(not is_elif(file, node) and is_scalar(file, test))
            require(file.is_api(call.func.site, "jax.debug.print", "jax.debug.callback"))
            draft = Draft(file)
            printed = f"lambda: {file.code(call.site)}"
            draft.replace(node.site, draft.call("jax.lax.cond", argument(file, test.site), printed, "lambda: None"))
            return draft.fix(f"Let `{draft.api('jax.lax.cond')}` decide", "under `vmap` it happens for each element")
    raise NoFix


class _Writer(Draft):
    def __init__(self, file: File, choice: Choice) -> None:
        super().__init__(file)
        self.choice = choice
        self.scope = expect(ir.Function, file.unit.scope(choice.whole.site))
        self.blocks = [list(block) for block in choice.blocks]
        self.end = file.span(choice.whole.site)[1]
        self.level = Applicability.UNSAFE

    def written(self) -> Fix:
        require(not self.scope.is_lambda)
        flows = self.flows()
        outputs = [] if flows[0].returns else self.outputs(flows)
        if flows[0].returns:  # all that the blocks return has one form
            self.agree_in([[node.value for node in self.returns(block)] for block in self.blocks])
        operands = self.operands(flows, outputs)
        # What is bound inside of a function is its own: `global` and `nonlocal` names would be lost.
        require(all(name in self.scope.locals for each in flows for name in each.bound))
        lines, name = self.render(outputs, operands)
        start = self.file.span(self.choice.whole.site)[0]
        last = [block for block in self.choice.blocks if block][-1]
        end = max(self.end, block_span(self.file, last, whole=True)[1])
        content = self.file.source.newline.join(lines)
        content = self.choice.prefix + (content if self.choice.prefix else content.lstrip())
        if content.startswith(("def ", "#")):
            start, space = opening(self.file, self.choice.whole)
            content = space + content
        self.edits.append(Edit(start, end, content))
        return self.fix(f"Let `{name}` choose what to compute", SAME_FORM, self.level)

    def flows(self) -> list[Flow]:
        """The flows of the blocks, all of which return or none; what follows is taken into the one that goes on."""
        require(not any(changes_state(self.file, block) for block in self.blocks))
        found = [known(flow(block, self.file)) for block in self.blocks]
        open_ends = [index for index, each in enumerate(found) if not each.returns]
        require(not any(found[index].may_return for index in open_ends))
        if len(open_ends) in (0, len(found)):
            return found
        rest = after(self.file.unit, self.choice.whole)
        require(len(open_ends) == 1 and 0 < len(rest) <= _MAX_REST and not self.choice.prefix)
        self.open = open_ends[0]
        self.blocks[self.open] += rest
        found[self.open] = known(flow(self.blocks[self.open], self.file))
        require(found[self.open].returns)
        self.end = block_span(self.file, rest, whole=True)[1]
        return found

    open = -1  # the block that takes in what follows

    def outputs(self, flows: list[Flow]) -> list[str]:
        """Names that are read later and that some branch binds, all of which have a value for certain."""
        unit, whole = self.file.unit, self.choice.whole
        bound = dict.fromkeys(name for each in flows for name in each.bound)
        # The next round of a loop may come to a branch that needs what this round has made.
        in_loop = next(enclosing_loops(unit, whole.site), None) is not None
        needed = {name for each in flows for name in each.needed} if in_loop else set[str]()
        names = [name for name in bound if name in needed or is_read_elsewhere(unit, whole, name)]
        for name in names:
            kept = any(name not in each.certain for each in flows)
            source = known(value_before(self.file, self.choice.whole, name)) if kept else None
            given = [self.given(block, name) for block in self.blocks]
            self.agree_in([[source if each is None else each] for each in given])
        require(names)
        return names

    def returns(self, block: list[ir.Statement]) -> list[ir.Return]:
        return [node for node in ir.walk(block, into_scopes=False) if isinstance(node, ir.Return)]

    def agree_in(self, sides: list[list[ir.Node | None]]) -> None:
        self.level = self.level.at_most(known(agreement(self.file, sides)))

    def given(self, block: list[ir.Statement], name: str) -> ir.Node | None:
        """The expression a block gives to a name last, the block's statement where that is no single one, None where it does not."""
        for statement in reversed(block):
            passed = flow([statement], self.file)
            if passed is None or name not in passed.bound:
                continue
            match statement:
                case ir.Assign(targets=[ir.Name(), *_], value=value) | ir.Annotate(target=ir.Name(), value=value):
                    return value
                case ir.Assign(targets=[ir.Sequence(elements=parts), *_], value=ir.Sequence(elements=given)):
                    named = (each for part, each in zip(parts, given) if isinstance(part, ir.Name) and part.id == name)
                    return next(named, statement)
            return statement
        return None

    def operands(self, flows: list[Flow], outputs: list[str]) -> list[str]:
        """Names that a branch changes and whose old value it needs: inside a function they have no value otherwise."""
        bound = dict.fromkeys(name for each in flows for name in each.bound)
        return [
            name for name in bound
            if any(
                name in each.bound and (name in each.needed or (name in outputs and name not in each.certain))
                for each in flows
            )
        ]  # fmt: skip

    # --- writing ----------------------------------------------------------------------------------

    def render(self, outputs: list[str], operands: list[str]) -> tuple[list[str], str]:
        choice = self.choice
        two = len(choice.tests) == 1
        function, given = self.api("jax.lax.cond" if two else "jax.lax.switch"), choice.tests[0]
        head: list[str] = []
        if not two:
            given, count = self.free("branch", "which"), len(choice.tests)
            tests, numbers = f"[{', '.join(choice.tests)}]", f"[{', '.join(map(str, range(count)))}]"
            head.append(f"{choice.indent}{given} = {self.call('jax.numpy.select', tests, numbers, str(count))}")
        target = f"{', '.join(outputs)} = " if outputs else "return "

        def call(branches: list[str]) -> str:
            listed = ", ".join(branches) if two else f"[{', '.join(branches)}]"
            return f"{choice.indent}{target}{function}({', '.join([given, listed, *operands])})"

        short = None if operands or any(choice.said) else self.lambdas(outputs)
        if short is not None and len(call(short)) <= _WIDTH:
            return [*head, call(short)], function
        lines: list[str] = []
        names = self.names()
        for number, name in enumerate(names):
            definition = f"{choice.indent}def {name}({', '.join(operands)}):"
            lines += [*with_comments(definition, choice.said[number]), *self.body(number, outputs), ""]
        return [*lines, *head, call(names)], function

    def body(self, number: int, outputs: list[str]) -> list[str]:
        inner = self.choice.indent + self.choice.step
        own = len(self.choice.blocks[number])
        lines: list[str] = []
        for part in (self.blocks[number][:own], self.blocks[number][own:]):
            if part and not all(isinstance(each, ir.Pass) for each in part):
                lines += known(moved(self.file, part, inner))
        if lines and lines[0].lstrip().startswith("elif "):
            lines[0] = lines[0].replace("elif ", "if ", 1)
        return [*lines, f"{inner}return {', '.join(outputs)}"] if outputs else lines

    @or_none
    def lambdas(self, outputs: list[str]) -> list[str]:
        """The branches as lambdas, where each is one short expression."""
        return [f"lambda: {self.expression(block, outputs)}" for block in self.blocks]

    def expression(self, block: list[ir.Statement], outputs: list[str]) -> str:
        # A function keeps a comment.
        require(not block or not self.file.has_comment(*block_span(self.file, block, whole=True)))
        match block:
            case [] if outputs:
                return outputs[0] if len(outputs) == 1 else f"({', '.join(outputs)})"
            case [ir.Return(value=ir.Expression() as value)] if not outputs:
                return argument(self.file, value.site)
            case [ir.Assign(targets=[target], value=value)]:
                require(target_names(target) == outputs)
                return argument(self.file, value.site)
        raise NoFix

    def names(self) -> list[str]:
        names = self.choice.names
        if not names:
            count = len(self.blocks) - 1
            names = ("then", "otherwise") if count == 1 else (*_ORDINALS[:count], "otherwise")
        return [self.free(name, f"{name}_branch") for name in names]

    def free(self, *candidates: str) -> str:
        return free_name(self.file, self.choice.whole.site, *candidates)


@or_none
def chain(file: File, test: ir.Node, traced: set[int]) -> Choice:
    """The `if` around ``test`` with its `elif`s, from the first of them that is traced to the last."""
    root = expect(ir.If, file.unit.parent(test.site))
    for _ in _ORDINALS:
        above = file.unit.parent(root.site)
        if is_elif(file, root) and isinstance(above, ir.If) and above.test.site in traced:
            root = above
    choices = [root]
    while len(choices) <= len(_ORDINALS) and choices[-1].orelse and is_elif(file, choices[-1].orelse[0]):
        following = expect(ir.If, choices[-1].orelse[0])
        if following.test.site not in traced:
            break
        choices.append(following)
    tests, blocks = [each.test for each in choices], [*(each.body for each in choices), choices[-1].orelse]
    require(len(tests) <= len(_ORDINALS) and all(is_scalar(file, each) for each in tests))
    indent, one = file.indentation(root.site), step(file, root, root.body)
    prefix = ""
    if is_elif(file, root):
        prefix, indent = f"else:{file.source.newline}", indent + one
    codes = [argument(file, each.site) for each in tests]
    return Choice(root, codes, blocks, heads(file, root, tests, blocks), (), indent, one, prefix)


def heads(
    file: File, whole: ir.Statement, tests: Sequence[ir.Node], blocks: list[list[ir.Statement]]
) -> list[list[str]]:
    """For each block the comments between the block above and it, but for those in the tests."""
    spans = [file.span(test.site) for test in tests]
    at, found = file.span(whole.site)[0], []
    for block in blocks:
        start, end = block_span(file, block, whole=True) if block else (at, at)
        found.append(comments_in(file, at, start, spans))
        at = end
    return found


def is_scalar(file: File, test: ir.Node) -> bool:
    """Whether an expression may choose one branch: it is not known to have axes."""
    return not any(isinstance(value, v.Array) and value.aval.shape for value in file.values(test.site))


@or_none
def cases(file: File, node: ir.Match) -> Choice:
    """The choice that a `match` makes; None where it does more than compare with numbers."""
    require(_is_plain(node.subject) and is_scalar(file, node.subject))
    subject = operand(file, node.subject.site)
    tests: list[str] = []
    blocks: list[list[ir.Statement]] = []
    names: list[str] = []
    otherwise: list[ir.Statement] = []
    for case in node.cases:
        require(case.guard is None)
        if case.pattern.kind == "wildcard":
            otherwise = case.body
            break
        tests.append(_test(file, subject, case.pattern))
        blocks.append(case.body)
        names.append("case_" + "_or_".join(_words(file, case.pattern)))
    require(tests)
    if not all(name.isidentifier() for name in names) or len(set(names)) < len(names):
        names = []
    indent = file.indentation(node.site)
    one = file.indentation(node.cases[0].pattern.site)[len(indent) :]
    blocks.append(otherwise)
    said = heads(file, node, [node.subject], blocks)
    named = (*names, "otherwise") if names else ()
    return Choice(node, tests, blocks, said, named, indent, one or "    ")


def _test(file: File, subject: str, pattern: ir.Pattern) -> str:
    if pattern.kind == "or":
        return " | ".join(f"({_test(file, subject, each)})" for each in pattern.children_)
    require(pattern.kind == "value" and _is_number(file, known(pattern.value)))
    return f"{subject} == {beside(file, known(pattern.value).site)}"


def _is_number(file: File, node: ir.Node) -> bool:
    values = [Const(node.value)] if isinstance(node, ir.Constant) else file.values(node.site)
    return bool(values) and all(type(each) is Const and isinstance(each.value, (bool, int, float)) for each in values)


def _words(file: File, pattern: ir.Pattern) -> list[str]:
    if pattern.kind == "or":
        return [word for each in pattern.children_ for word in _words(file, each)]
    return [file.code(known(pattern.value).site).rpartition(".")[2].lower()]


def _is_plain(node: ir.Node) -> bool:
    """Whether evaluating the subject once for each case costs nothing and does nothing."""
    if isinstance(node, (ir.Constant, ir.Name)):
        return True
    return isinstance(node, (ir.Attribute, ir.Unary, ir.Binary, ir.Subscript)) and all(map(_is_plain, node.children()))


_DTYPES = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64"}  # of Python's numbers

Side = list[ir.Node | None]  # what a branch may give; no expression where it cannot be said


def agreement(file: File, sides: list[Side]) -> Applicability | None:
    """Unsafe where nothing speaks against it, display where it is a guess, None where the branches are known to differ.

    Where displays differ in the number of their leaves, the trial of the fix says so.
    """
    leaves = [[list(_leaves(each)) for each in side] for side in sides]
    counts = {len(each) for side in leaves for each in side}
    level = Applicability.UNSAFE
    for number in range(counts.pop() if len(counts) == 1 else 0):
        found = _of_leaves(file, [[each[number] for each in side] for side in leaves])
        if found is None:
            return None
        level = level.at_most(found)
    return level


def _leaves(node: ir.Node | None) -> Iterator[ir.Node | None]:
    """The expressions in a display, and in those within it, in the order of the code."""
    match node:
        case ir.Dict(values=parts) | ir.Sequence(elements=parts):
            for part in parts:
                yield from _leaves(part)
        case _:
            yield node


def _of_leaves(file: File, sides: list[Side]) -> Applicability | None:
    level = _of_values([[value for each in side for value in _values(file, each)] for side in sides])
    copied = {_copied(file, each) for side in sides for each in side}  # of one object they have one structure
    is_one = level is Applicability.DISPLAY and len(copied) == 1 and "" not in copied
    return Applicability.UNSAFE if is_one else level


def _copied(file: File, node: ir.Node | None) -> str:
    """The object of which an expression, or the value of a name, is a copy with other fields: `state.replace(…)`."""
    match resolved(file.unit, node) if node is not None else None:
        case ir.Call(func=ir.Attribute(value=value, attr="replace" | "_replace")):
            return file.code(value.site)
    return ""


def _values(file: File, node: ir.Node | None) -> list[v.Value]:
    return file.values(node.site) if isinstance(node, ir.Expression) else []


def _of_values(sides: list[list[v.Value]]) -> Applicability | None:
    level = Applicability.UNSAFE
    forms = []
    for side in sides:
        known = {_form(value) for value in side} - {None}
        if "other" in known or len(known) > 1:
            return None
        forms.append(known.pop() if known else None)
        if side and all(type(value) in (v.Unknown, v.Ref) for value in side):
            level = Applicability.DISPLAY
    dtypes = {form[0] if isinstance(form, tuple) else None for form in forms}
    shapes = {form[1] for form in forms if isinstance(form, tuple)} - {None}
    if len(dtypes - {None}) > 1 or any(shapes_differ(a, b) for a, b in itertools.combinations(shapes, 2)):
        return None
    if dtypes & {"int32", "bool"} and None in dtypes:
        return None  # a number may meet what turns out to be a float
    return level


def _form(value: v.Value) -> object:
    """Dtype and shape of a value; None where nothing is known, "other" for what is no array and no tuple of arrays."""
    if type(value) in (v.Const, v.Static):
        dtype = _DTYPES.get(v.python_type(value) or "")
        return (dtype, ()) if dtype else "other"
    if isinstance(value, (v.Array, v.Host)):
        return (value.aval.dtype, value.aval.shape)
    if isinstance(value, v.Tuple) and value.items is not None:
        inner = tuple(_form(item) for item in value.items)
        return "other" if "other" in inner else None
    return None if isinstance(value, (v.Undecided, v.Unknown, v.Ref)) else "other"
