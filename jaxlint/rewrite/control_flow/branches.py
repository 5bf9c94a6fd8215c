"""Branches that do more than choose a value, written as functions for ``jax.lax.cond`` and ``jax.lax.switch``.

The functions close over variables that they only read; variables that they change are passed as arguments. After a
branch that returns, the rest of the function is the other branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.blocks import block_span, moved, opening, step
from jaxlint.rewrite.changes import SAME_FORM
from jaxlint.rewrite.comments import comments_in, with_comments
from jaxlint.rewrite.control_flow.agreement import agreement
from jaxlint.rewrite.control_flow.dataflow import Flow, after, changes_state, flow, value_before
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import is_read_elsewhere
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.statements import free_name, is_elif
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

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


def rewritten(file: File, choice: Choice) -> Fix | None:
    """The fix that lets JAX choose between the blocks; None where it cannot be told how."""
    return _Writer(file, choice).fix()


def effect(file: File, test: ir.Node) -> Fix | None:
    """`lax.cond(test, lambda: jax.debug.print(…), lambda: None)` for an `if` that does nothing else."""
    match file.unit.parent(test.site):
        case ir.If(body=[ir.Evaluate(value=ir.Call() as call)], orelse=[]) as node if not is_elif(file, node):
            pass
        case _:
            return None
    if not file.is_api(call.func.site, "jax.debug.print", "jax.debug.callback") or not _is_scalar(file, test):
        return None
    cond, imports = file.api("jax.lax.cond")
    edit = file.replace(node.site, f"{cond}({argument(file, test.site)}, lambda: {file.code(call.site)}, lambda: None)")
    return Fix(f"Let `{cond}` decide", (edit,), imports=imports, changes="under `vmap` it happens for each element")


class _Writer:
    def __init__(self, file: File, choice: Choice) -> None:
        self.file = file
        self.choice = choice
        self.scope = file.unit.scope(choice.whole.site)
        self.blocks = [list(block) for block in choice.blocks]
        self.end = file.span(choice.whole.site)[1]
        self.level = Applicability.UNSAFE

    def fix(self) -> Fix | None:
        if not isinstance(self.scope, ir.Function) or self.scope.is_lambda:
            return None
        flows = self.flows()
        if flows is None:
            return None
        outputs = [] if flows[0].returns else self.outputs(flows)
        if outputs is None or (flows[0].returns and not self.agree_in_results()):
            return None
        operands = self.operands(flows, outputs)
        # What is bound inside of a function is its own: `global` and `nonlocal` names would be lost.
        if any(name not in self.scope.locals for each in flows for name in each.bound):
            return None
        text = self.render(outputs, operands)
        if text is None:
            return None
        lines, imports, name = text
        start = self.file.span(self.choice.whole.site)[0]
        last = [block for block in self.blocks if block][-1]
        end = max(self.end, block_span(self.file, last, whole=True)[1])
        content = self.file.source.newline.join(lines)
        content = self.choice.prefix + (content if self.choice.prefix else content.lstrip())
        if content.startswith(("def ", "#")):
            start, space = opening(self.file, self.choice.whole)
            content = space + content
        title = f"Let `{name}` choose what to compute"
        return Fix(title, (Edit(start, end, content),), self.level, imports, SAME_FORM)

    def flows(self) -> list[Flow] | None:
        """The flows of the blocks, all of which return or none; what follows is taken into the one that goes on."""
        if any(changes_state(self.file, block) for block in self.blocks):
            return None
        flows = [flow(block, self.file) for block in self.blocks]
        found = [each for each in flows if each is not None]
        if len(found) != len(flows):
            return None
        open_ends = [index for index, each in enumerate(found) if not each.returns]
        if any(found[index].may_return for index in open_ends):
            return None
        if len(open_ends) in (0, len(found)):
            return found
        rest = after(self.file.unit, self.choice.whole)
        if len(open_ends) != 1 or not 0 < len(rest) <= _MAX_REST or self.choice.prefix:
            return None
        index = open_ends[0]
        joined = flow([*self.blocks[index], *rest], self.file)
        if joined is None or not joined.returns:
            return None
        self.end = block_span(self.file, rest, whole=True)[1]
        self.rest = tuple(rest)
        self.open = index
        found[index] = joined
        return found

    rest: tuple[ir.Statement, ...] = ()
    open = -1

    def outputs(self, flows: list[Flow]) -> list[str] | None:
        """Names that are read later and that some branch binds; None where there is none, or one has no value for certain."""
        bound = dict.fromkeys(name for each in flows for name in each.bound)
        names = [name for name in bound if is_read_elsewhere(self.file.unit, self.choice.whole, name)]
        for name in names:
            kept = any(name not in each.certain for each in flows)
            source = value_before(self.file, self.choice.whole, name) if kept else None
            if kept and source is None:
                return None
            given = [self.given(block, name) for block in self.blocks]
            if not self.agree_in([[source if each is None else each] for each in given]):
                return None
        return names or None

    def agree_in_results(self) -> bool:
        """Whether all that the blocks return may have one form."""
        whole = [[*block, *(self.rest if number == self.open else [])] for number, block in enumerate(self.blocks)]
        return self.agree_in(
            [
                [node.value for node in ir.walk(block, into_scopes=False) if isinstance(node, ir.Return)]
                for block in whole
            ]
        )

    def agree_in(self, sides: list[list[ir.Node | None]]) -> bool:
        level = agreement(self.file, sides)
        if level is Applicability.DISPLAY:
            self.level = level
        return level is not None

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
        return [
            name
            for name in dict.fromkeys(name for each in flows for name in each.bound)
            if any(
                name in each.bound and (name in each.needed or (name in outputs and name not in each.certain))
                for each in flows
            )
        ]

    # --- writing ----------------------------------------------------------------------------------

    def render(self, outputs: list[str], operands: list[str]) -> tuple[list[str], frozenset[ImportRequest], str] | None:
        choice = self.choice
        two = len(choice.tests) == 1
        function, imports = self.file.api("jax.lax.cond" if two else "jax.lax.switch")
        lines: list[str] = []
        head: list[str] = []
        given = choice.tests[0]
        if not two:
            select, more = self.file.api("jax.numpy.select")
            imports |= more
            given = self.free("branch", "which")
            numbers = [str(number) for number in range(len(choice.tests))]
            head.append(
                f"{choice.indent}{given} = {select}([{', '.join(choice.tests)}], [{', '.join(numbers)}], {len(numbers)})"
            )
        target = f"{', '.join(outputs)} = " if outputs else "return "
        short = None if operands or any(choice.said) else self.lambdas(outputs)
        passed = "".join(f", {name}" for name in operands)
        if short is not None:
            listed = ", ".join(short) if two else f"[{', '.join(short)}]"
            call = f"{choice.indent}{target}{function}({given}, {listed})"
            if len(call) <= _WIDTH:
                return [*head, call], imports, function
        names = self.names()
        for number, (name, block) in enumerate(zip(names, self.blocks)):
            body = self.body(block, number, outputs)
            if body is None:
                return None
            lines += [
                *with_comments(f"{choice.indent}def {name}({', '.join(operands)}):", choice.said[number]),
                *body,
                "",
            ]
        listed = ", ".join(names) if two else f"[{', '.join(names)}]"
        call = f"{choice.indent}{target}{function}({given}, {listed}{passed})"
        return [*lines, *head, call], imports, function

    def body(self, block: list[ir.Statement], number: int, outputs: list[str]) -> list[str] | None:
        inner = self.choice.indent + self.choice.step
        lines: list[str] = []
        for part in (block, self.rest if number == self.open else []):
            if part and not all(isinstance(each, ir.Pass) for each in part):
                text = moved(self.file, part, inner)
                if text is None:
                    return None
                lines += text
        if lines and lines[0].lstrip().startswith("elif "):
            lines[0] = lines[0].replace("elif ", "if ", 1)
        return [*lines, f"{inner}return {', '.join(outputs)}"] if outputs else lines

    def lambdas(self, outputs: list[str]) -> list[str] | None:
        """The branches as lambdas, where each is one short expression."""
        texts = []
        for number, block in enumerate(self.blocks):
            block = [*block, *self.rest] if number == self.open else block
            text = self.expression(block, outputs)
            if text is None or "\n" in text:
                return None
            texts.append(f"lambda: {text}")
        return texts

    def expression(self, block: list[ir.Statement], outputs: list[str]) -> str | None:
        if block and self.file.has_comment(*block_span(self.file, block, whole=True)):
            return None  # a function keeps it
        match block:
            case [] if outputs:
                return outputs[0] if len(outputs) == 1 else f"({', '.join(outputs)})"
            case [ir.Return(value=ir.Expression() as value)] if not outputs:
                return argument(self.file, value.site)
            case [ir.Assign(targets=[target], value=value)]:
                names = target.elements if isinstance(target, ir.Sequence) else [target]
                if [name.id for name in names if isinstance(name, ir.Name)] == outputs:
                    return argument(self.file, value.site)
        return None

    def names(self) -> list[str]:
        names = self.choice.names
        if not names:
            count = len(self.blocks) - 1
            names = ("then", "otherwise") if count == 1 else (*_ORDINALS[:count], "otherwise")
        return [self.free(name, f"{name}_branch") for name in names]

    def free(self, *candidates: str) -> str:
        return free_name(self.file, self.choice.whole.site, *candidates)


def chain(file: File, test: ir.Node, traced: set[int]) -> Choice | None:
    """The `if` around ``test`` with its `elif`s, from the first of them that is traced to the last."""
    node = file.unit.parent(test.site)
    if not isinstance(node, ir.If) or node.test is not test:
        return None
    above = file.unit.parent(node.site)
    count = 1
    while is_elif(file, node) and isinstance(above, ir.If) and above.test.site in traced and count <= len(_ORDINALS):
        node, above = above, file.unit.parent(above.site)
        count += 1
    root = node
    tests, blocks = [root.test], [root.body]
    while len(tests) <= len(_ORDINALS) and len(node.orelse) == 1:
        after = node.orelse[0]
        if not isinstance(after, ir.If) or not is_elif(file, after) or after.test.site not in traced:
            break
        node = after
        tests.append(node.test)
        blocks.append(node.body)
    if len(tests) > len(_ORDINALS) or any(not _is_scalar(file, each) for each in tests):
        return None
    indent, one = file.indentation(root.site), step(file, root, root.body)
    codes = [argument(file, each.site) for each in tests]
    prefix = ""
    if is_elif(file, root):
        prefix, indent = f"else:{file.source.newline}", indent + one
    said = heads(file, root, tests, [*blocks, node.orelse])
    return Choice(root, codes, [*blocks, node.orelse], said, (), indent, one, prefix)


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


def _is_scalar(file: File, test: ir.Node) -> bool:
    return not any(isinstance(value, v.Array) and value.aval.shape for value in file.values(test.site))
