"""Bytes to text to tree and back, and what the parser is kept from."""

import ast
import gc
import os
import subprocess
import sys
import textwrap

import libcst
import pytest
from hypothesis import example, given, settings, strategies as st
from libcst.metadata import MetadataWrapper, PositionProvider

from jaxlint.source import lexer
from jaxlint.source.lexer import has_comment
from jaxlint.source.reading import read_source
from jaxlint.source.text import Position, Source, SourceError, deep_recursion, in_one_stack_chunk, parse, spans


def source(text):
    return Source.from_text(text, "a.py")


# --- decoding --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "text", "encoding", "newline", "bom"),
    [
        (b"", "", "utf-8", "\n", False),
        (b"x = 1\n", "x = 1\n", "utf-8", "\n", False),
        (b"x = 1\r\ny\n", "x = 1\r\ny\n", "utf-8", "\r\n", False),
        (b"x = 1\ry\r", "x = 1\ry\r", "utf-8", "\r", False),
        (b"\xef\xbb\xbfx = '\xc3\xa9'\n", "x = '\u00e9'\n", "utf-8", "\n", True),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = '\u00e9'\n", "iso8859-1", "\n", False),
        (b"#!/bin/sh\n# vim: set fileencoding=cp1252 :\n'\x80'", "#!/bin/sh\n# vim: set fileencoding=cp1252 :\n'\u20ac'",
         "cp1252", "\n", False),
        (b"\xef\xbb\xbf# coding: utf8\n", "# coding: utf8\n", "utf-8", "\n", True),
        (b"x = 1\n# coding: latin-1\n'\xc3\xa9'\n", "x = 1\n# coding: latin-1\n'\u00e9'\n", "utf-8", "\n", False),
        (b"#\r# coding: latin-1\r'\xe9'", "#\r# coding: latin-1\r'\u00e9'", "iso8859-1", "\r", False),
        (b"#\r#\r# coding: latin-1\r'\xc3\xa9'", "#\r#\r# coding: latin-1\r'\u00e9'", "utf-8", "\r", False),
    ],
)  # fmt: skip
def test_bytes_are_decoded_as_python_does_and_come_back(raw, text, encoding, newline, bom):
    got = Source.from_bytes(raw, "a.py")
    assert (got.text, got.encoding, got.newline, got.bom) == (text, encoding, newline, bom)
    assert got.encode(got.text) == raw == got.raw


@pytest.mark.parametrize(
    ("raw", "at", "message"),
    [
        (
            b"x = 1\ny = '\xc3\xa9\xe9'\n",
            (2, 7),
            "byte 0xe9 is not valid in utf-8; save the file as UTF-8, or name its encoding",
        ),
        (b"# coding: ascii\n\xe9\n", (2, 1), "byte 0xe9 is not valid in ascii"),
        (b"# coding: klingon\n", (1, 11), "unknown encoding 'klingon' in the coding comment"),
        (b"#\n# coding: hex\n", (2, 11), "unknown encoding 'hex'"),
        (
            b"\xef\xbb\xbf# coding: latin-1\n",
            (1, 1),
            "the byte order mark says UTF-8 and the coding comment says 'iso8859-1'",
        ),
        (b"# coding: punycode\n", (1, 1), "the file is not valid in punycode; save it as UTF-8"),
        (b"# coding: undefined\n", (1, 1), "the file is not valid in undefined; save it as UTF-8"),
        ("x = 1\n".encode("utf-16"), (1, 1), "the file is UTF-16, which Python cannot read; save it as UTF-8"),
    ],
)
def test_wrong_encoding_says_where_and_what_to_do(raw, at, message):
    with pytest.raises(SourceError) as caught:
        Source.from_bytes(raw, "dir/a.py")
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"dir/a.py:{at[0]}:{at[1]}: ")


def test_text_the_encoding_lacks_is_refused_with_its_place():
    got = Source.from_bytes(b"# coding: latin-1\n", "a.py")
    with pytest.raises(SourceError, match=r"a\.py:2:3: '\u03bb' cannot be written in iso8859-1"):
        got.encode("#\nx \u03bb")


def test_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(SourceError, match=r"gone.py:1:1: cannot read the file: No such file or directory; check"):
        read_source(tmp_path / "gone.py")
    with pytest.raises(SourceError, match="cannot read the folder: Is a directory"):
        read_source(tmp_path)
    (tmp_path / "loop.py").symlink_to("loop.py")
    with pytest.raises(SourceError, match="cannot read the file: Too many levels of symbolic links"):
        read_source(tmp_path / "loop.py")


def test_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(SourceError, match="a pipe is not read"):
        read_source(tmp_path / "pipe.py")


def test_file_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("jaxlint.source.text.MAX_BYTES", 2**20)
    (tmp_path / "endless.py").symlink_to("/dev/zero")
    (tmp_path / "long.py").write_bytes(b"#" * (2**20 + 1))
    (tmp_path / "short.py").write_bytes(b"#" * 2**20)
    for name in ("endless.py", "long.py"):
        with pytest.raises(SourceError, match="the file has more than 1 MiB; exclude it"):
            read_source(tmp_path / name)
    assert len(read_source(tmp_path / "short.py").text) == 2**20


# --- positions -------------------------------------------------------------------------------


def test_rows_end_where_they_end_for_python():
    got = source("a\nb\u00e9\r\n\rc\x0cd\u2028e\x85f\n")
    assert [got.line(row) for row in range(7)] == ["", "a", "b\u00e9", "", "c\x0cd\u2028e\x85f", "", ""]
    assert got.position(0) == Position(1, 1)
    assert got.position(3) == Position(2, 2)
    assert got.position(7) == Position(4, 1)
    assert got.position(len(got.text)) == Position(5, 1)


@given(st.text("ab\r\n\u00e9\U0001f600\f", max_size=30))
def test_position_and_offset_undo_each_other(text):
    got = source(text)
    rows = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    positions = [got.position(offset) for offset in range(len(text) + 1)]
    assert [got.offset(position) for position in positions] == list(range(len(text) + 1))
    assert positions == sorted(positions) and positions[-1].row == rows


@pytest.mark.parametrize("position", [Position(0, 1), Position(3, 1), Position(1, 0), Position(1, 4), Position(2, 2)])
def test_position_outside_the_text_is_refused(position):
    with pytest.raises(ValueError):
        source("ab\n").offset(position)


# --- parsing ---------------------------------------------------------------------------------


def test_importing_the_module_does_not_load_the_parser():
    code = "import sys, jaxlint.source.text; print('libcst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_a_function_in_one_stack_chunk_is_called_as_it_would_be_and_may_recurse_as_deep():
    def depth(*, below):
        return 1 + depth(below=below - 1) if below else 0

    run = in_one_stack_chunk(depth)
    assert (run(below=50), run.__name__) == (50, "depth")
    with pytest.raises(RecursionError):
        run(below=sys.getrecursionlimit())
    with deep_recursion():
        assert run(below=15_000) == 15_000  # more than the chunk has room for


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_collection_is_left_as_it_was(collecting):
    was = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        parse(source("x = 1\n"))
        with pytest.raises(SourceError):
            parse(source("x = \n"))
        assert gc.isenabled() == collecting
    finally:
        (gc.enable if was else gc.disable)()


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("x = $\n", "1:5"),
        ("x = 1\ny = 'abc\n", "2:5"),
        ("def f():\npass\n", "2:1"),
        ("x = 1\n\n  y = 2\n", "3:"),
        ("x = 1\nprint 'a'\n", "2:1"),
        ("if a:\n\tx\n        y\n", "3:"),
        ("x = 1\x00\n", "1:6"),
        ("\ufeff\ufeffx = 1\n", "1:1"),
        ("x = 'a\x00b'\n", "1:7"),
        ("x =\r\n", "1:"),
    ],
)
def test_syntax_error_says_where(text, at):
    with pytest.raises(SourceError) as caught:
        parse(source(text))
    assert str(caught.value).startswith(f"a.py:{at}")


# Syntax of each version since 3.8: the parser knows it all, whatever interpreter runs the tests.
NEW_SYNTAX = """\
def f(a, /, b): print(y := 1, f"{y=}")
@a[0].b
def g(): pass
with (open(a) as b, open(c) as d): pass
match a:
    case {"k": [1, *_], **rest} if rest: pass
    case A(x=1) | None: pass
try: pass
except* (A, B): pass
a[*b]
def h(*args: *Ts): pass
type X[T: int = int, *Ts, **P] = list[T]
class C[T](A): pass
f"{a["k"]} {f"{b}"}"
f'''{
    a  # comment
}'''
t"{a}"
try: pass
except A, B: pass
async def k(): return [x async for x in y if await z]
"""


def test_syntax_of_every_version_is_parsed():
    text = NEW_SYNTAX
    module = parse(source(text))
    assert spans(module, [module], text) == [(0, len(text))]


@pytest.mark.parametrize(
    "text", ["x = 1\n\x0cdef f(): pass\n", "x = 1\n\n\x0c\n", "\x0c\nx = 1\n", "x = 1\ry = 2\r", "def f():\n  \x0c  x\n", "x\x0c= '\x0c'\n"]
)  # fmt: skip
def test_form_feeds_and_lone_returns_do_not_move_anything(text):
    got = source(text)
    module = parse(got)
    [span] = spans(module, [module.body[-1]], text)
    last = ast.parse(text).body[-1]
    position = got.position(span[0])
    assert (position.row, position.column) == (last.lineno, last.col_offset + 1)


# --- what the parser would not survive -------------------------------------------------------

DEADLY = {
    "parentheses": "x = " + "(" * 3000 + ")" * 3000,
    "lists": "x = " + "[" * 3000 + "]" * 3000,
    "unclosed": "x = " + "(" * 3000,
    "calls": "x = " + "f(\n" * 3000 + ")" * 3000,
    "sum": "x = " + " + ".join(["a"] * 20_000),
    "sum over lines": "x = (a" + "\n  + b" * 20_000 + ")",
    "unclosed sum": "x = (a" + "\n  + b" * 20_000,
    "powers": "x = " + "**".join(["a"] * 20_000),
    "negations": "x = " + "-" * 30_000 + "1",
    "powers of negations": "x = " + "a**-" * 20_000 + "1",
    "not": "x = " + "not " * 30_000 + "1",
    "and": "x = " + " and ".join(["a"] * 20_000),
    "words beside strings": "x = a " + "or'b'" * 20_000,
    "lambdas": "x = " + "lambda: " * 20_000 + "1",
    "conditionals": "x = " + "1 if a else " * 20_000 + "1",
    "chain of calls": "x = a" + ".f(1, 2)" * 5000,
    "chain over lines": "x = (a\n" + "    .f(1)\n" * 5000 + ")",
    "subscripts": "x = a" + "[0]" * 5000,
    "f-strings": "x = " + "f'{" * 2000 + "1" + "}'" * 2000,
    "inside an f-string": "x = f'{" + "(" * 3000 + "1" + ")" * 3000 + "}'",
    "after nested quotes": 'x = f"{a["#"]}" + ' + "(" * 3000 + ")" * 3000,
    "brackets that strings close": "x = " + "f(')', " * 3000 + ")" * 3000,
    "statements in strings": "x = " + "f('''\ndef\n''', " * 3000 + ")" * 3000,
    "branches": "if a: pass\n" + "elif b: pass\n" * 20_000,
    "comments between": "x = (a\n" + "  # )\n  + b\n" * 20_000 + ")",
    "patterns": "match a:\n    case {'b': 1}: pass\n    case " + "{1: " * 30 + "b" + "}" * 30 + ": pass",
    "patterns over lines": "match a:\n    case [A(\n" + "[" * 30 + "b" + "]" * 30 + ")]: pass",
    "deep on the left": "x = " + "a" + ".b" * 900 + " + c" * 900,
}


@pytest.mark.parametrize("name", DEADLY)
def test_what_would_kill_the_parser_is_refused(name):
    text = "y = 1\n" + DEADLY[name] + "\n"
    with pytest.raises(SourceError) as caught:
        parse(source(text))
    assert caught.value.row >= 2
    assert "more than" in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 190 + "1" + ")" * 190,
        "x = [" + "a[0] + -b.c * f(1)**2,\n" * 20_000 + "]",
        "x = [\n" + "    [1.0, -2.0, (3, {4: 'a'})],\n" * 5000 + "]",
        "x = " + " + ".join(["-0.5 * a[0] * f(b, -1)**2"] * 400),
        "x = (" + "'abc'\n" * 9000 + ")",
        "x = 1\n" * 20_000,
        "x = f('''\n" + "((((\n" * 5000 + "''')",
        "# ((((((((\n" * 5000,
        "f(f'foo({a},')\n" * 2000,
        "x = a" + ".f()" * 300,
        "match a:\n" + "    case [[[[A(b={1: (c, d)})]]]] if ((((e)))): pass\n" * 500,
        '"""\nmatch a\n  case ' + "{" * 30 + '\n"""\n',
    ],
)
def test_what_is_long_but_flat_is_let_through(text):
    assert lexer.find_excess(text) is None


def test_trees_at_the_limits_survive_parser_and_walk():
    """In a process of its own: what the limits let through must not end it."""
    code = textwrap.dedent("""
        import sys
        from jaxlint.source.text import Source, SourceError, parse, spans
        from jaxlint.source.lexer import MAX_BRACKETS as B, MAX_DEPTH as D
        for text in (
            "x = " + "(" * B + "1" + ")" * B, "x = " + "f(" * B + "1" + ")" * B, "x = " + "a[" * B + "1" + "]" * B,
            "x = " + "{1: " * B + "1" + "}" * B, "x = a" + " + b" * D, "x = a" + ".f()" * (D // 2 - 1), "x = " + "-" * D + "1",
            "x = " + "lambda: " * D + "1", "x = " + "'a'" * 2900, "if a: pass\\n" + "elif b: pass\\n" * D, "x = " + "f(a + " * B + "1" + ")" * B,
            "def f(a: " + "A[" * (B - 1) + "1" + "]" * (B - 1) + "): pass", "x = " + "f'{" * 99 + "1" + "}'" * 99,
        ):
            module = parse(Source.from_text(text, "a.py"))
            try:
                assert spans(module, [module.body[0]], text) == [(0, len(text.rstrip()))]
            except SourceError as error:
                assert sys.version_info[:2] == (3, 12) and "for this version of Python" in str(error)
        print("alive")
    """)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout, result.returncode) == ("alive\n", 0), result.stderr[-500:]


OPERAND = st.sampled_from(["a", "1", "'s'", "f'{a}'", "-a", "not a"])
EXPRESSION = st.recursive(
    OPERAND,
    lambda inner: st.one_of(
        st.builds("{} + {}".format, inner, inner),
        st.builds("{}**{}".format, inner, inner),
        st.builds("{} and {}".format, inner, inner),
        st.builds("{} if {} else {}".format, inner, inner, inner),
        st.builds("f({}, {})".format, inner, inner),
        st.builds("[{}\n]".format, inner),
        st.builds("a[{}].b".format, inner),
        st.builds("({}).c".format, inner),
        st.builds("f'''{{{}}}'''".format, inner),
    ),
    max_leaves=12,
)


def depth(node):
    below = max(map(depth, ast.iter_child_nodes(node)), default=0)
    leaf = (ast.Name, ast.Constant, ast.JoinedStr, ast.FormattedValue)
    return below + (isinstance(node, ast.expr) and not isinstance(node, leaf))


@settings(deadline=None, max_examples=300)
@given(EXPRESSION)
@example("a**-a**a")
def test_depth_is_never_underestimated(text):
    try:
        tree = ast.parse(f"x = {text}")
    except SyntaxError:
        return  # quotes inside quotes, before 3.12
    assert lexer._measure(f"x = {text}\n", 0, len(text) + 5, opened=0, formats=0) >= depth(tree)


# --- spans -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dataclasses", "typing", "tokenize", "test.test_patma"])
def test_spans_are_those_of_the_position_provider(name):
    import importlib.util

    spec = importlib.util.find_spec(name)
    if spec is None:
        pytest.skip(f"{name} is not installed")
    got = read_source(spec.origin)
    module = parse(got)
    provided = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    nodes = list(provided)

    def offsets(node):
        start, end = provided[node].start, provided[node].end
        return got.offset(Position(start.line, start.column + 1)), got.offset(Position(end.line, end.column + 1))

    expected = [offsets(node) for node in nodes]
    assert spans(module, nodes, got.text) == expected
    some = slice(None, None, 29)
    assert spans(module, nodes[some], got.text) == expected[some]


def test_spans_leave_parentheses_out():
    text = "x = ((a + b))  # c\n"
    module = parse(source(text))
    [statement] = module.body
    value = statement.body[0].value
    left, right = spans(module, [value, None, value.left, statement], text)[0], spans(module, [statement], text)[0]
    assert text[slice(*left)] == "a + b"
    assert text[slice(*right)] == "x = ((a + b))"
    assert spans(module, [None], text) == [None]


def test_spans_count_code_points():
    text = "s = '\u00e9\U0001f600'; y = x\r\nz = x\r\n"
    module = parse(source(text))
    names = [module.body[0].body[1].value, module.body[1].body[0].value]
    assert [text[slice(*span)] for span in spans(module, names, text)] == ["x", "x"]


def test_blank_lines_at_the_end_may_be_lost():
    text = "x = 1\n\n \n    "
    module = parse(source(text))
    assert module.code != text
    (span,) = spans(module, [module.body[0]], text)
    assert text[slice(*span)] == "x = 1"


def test_tree_that_does_not_give_back_its_text_has_no_spans():
    with pytest.raises(SourceError, match="2:1: libCST does not give back this line") as caught:
        spans(libcst.parse_module("x = 1\n"), [], "x = 1\ny = 2\n")
    assert caught.value.row == 2


def test_recursion_limit_is_put_back():
    limit = sys.getrecursionlimit()
    with deep_recursion():
        assert sys.getrecursionlimit() >= 20_000
    assert sys.getrecursionlimit() == limit


# --- comments --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1  # c", True),
        ("x = '# c'", False),
        ('x = """\n# c\n"""', False),
        ("f'{x:#x}'", False),
        ("f'{x!r:#>{n}}'  # c", True),
        ('f"{a["#"]}"', False),
        ("rf'\\{a}#'", False),
        ("f'{{#'", False),
        ("f'\\N{NUMBER SIGN}#' '#'", False),
        ("f'''{\na # c\n}'''", False),
        ("x = 'a\\'#'", False),
        ("if'#':0", False),
        ("'unterminated\n# c", True),
        ("''''#'''", False),
        ("x = 'a\\\n#'", False),
    ],
)
def test_comments_are_told_from_strings(text, expected):
    assert has_comment(text) == expected
