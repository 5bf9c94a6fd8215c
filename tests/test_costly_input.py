"""Programs that are long in one way, and numbers that are long: the work grows with the length, and nothing fails.

Work is counted in calls of Python functions, which do not depend on the machine or its load.
"""

import cProfile
import subprocess
import sys
import time
from pathlib import Path

import pytest
from interpreted import interpreted

from jaxlint.configuration.config import Config
from jaxlint.fixing.apply import fix_source
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Applicability
from jaxlint.source.text import Source

CONFIG = Config(root=str(Path(__file__).parent), select=("JAX",), preview=True)
HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jax import lax\n"
JIT = HEAD + "@jax.jit\n"


def lint(text):
    return check_source(Source.from_text(text, "program.py"), CONFIG).diagnostics


def refused(found):
    return [each.message for each in found if each.code in ("JAX900", "JAX902")]


def work(text):
    """How many functions are called to lint a program."""
    source = Source.from_text(text, "program.py")
    with cProfile.Profile(builtins=False) as profile:
        found = check_source(source, CONFIG).diagnostics
    assert refused(found) == []
    return sum(entry.callcount for entry in profile.getstats())


def each(n, template, joined=""):
    """A template with the numbers below ``n`` in the place of `@`, joined."""
    return joined.join(template.replace("@", str(number)) for number in range(n))


PROGRAMS = {
    "match": lambda n: JIT + "def f(x, n):\n    match n:\n" + each(n, "        case @:\n            return x + @\n") + "        case _:\n            return x\n",
    "match that assigns": lambda n: JIT + "def f(x, n):\n    match n:\n" + each(n, "        case @:\n            y = x + @\n") + "        case _:\n            y = x\n    return y\n",
    "match on a shape": lambda n: JIT + "def f(x, n):\n    match x.ndim:\n" + each(n, "        case @:\n            return x + @\n") + "    return x\n",
    "alternatives of a case": lambda n: JIT + "def f(x, n):\n    match n:\n        case " + each(n, "@", " | ") + ":\n            return x\n    return -x\n",
    "elif": lambda n: JIT + "def f(x, n):\n    if n == -1:\n        return x\n" + each(n, "    elif n == @:\n        return x + @\n") + "    else:\n        return x\n",
    "elif that assigns": lambda n: JIT + "def f(x, n):\n    if n == -1:\n        y = x\n" + each(n, "    elif n == @:\n        y = x + @\n") + "    else:\n        y = x\n    return y\n",
    "elif in code that is not traced": lambda n: HEAD + "def f(x, n):\n    if n == -1:\n        y = x\n" + each(n, "    elif n == @:\n        y = x + @\n") + "    return n\n",
    "and": lambda n: JIT + "def f(x, n):\n    return x if " + each(n, "n > @", " and ") + " else -x\n",
    "or": lambda n: JIT + "def f(x, n):\n    if " + each(n, "(x > @).any()", " or ") + ":\n        return x\n    return -x\n",
    "statements": lambda n: JIT + "def f(x, n):\n" + "    x = x + 1\n" * n + "    if x > 0:\n        return x\n    return -x\n",
    "conditions": lambda n: JIT + "def f(x, n):\n" + each(n, "    if x > @:\n        x = x + 1\n") + "    return x\n",
    "conditions that return": lambda n: JIT + "def f(x, n):\n" + each(n, "    if x > @:\n        return x + 1\n") + "    return x\n",
    "conditions that raise": lambda n: JIT + "def f(x, n):\n" + each(n, "    if x[@] > @:\n        raise ValueError\n") + "    return x\n",
    "conditions of unknown values": lambda n: HEAD + "def f(x, n):\n" + each(n, "    if n > @:\n        return x + 1\n") + "    return x\n",
    "assertions": lambda n: JIT + "def f(x, n):\n" + each(n, "    assert x[0] > @\n") + "    return x\n",
    "parameters": lambda n: JIT + "def f(" + each(n, "a@", ", ") + "):\n    if a0 > 0:\n        return a1\n    return a2\nf(" + each(n, "a@=@", ", ") + ")\n",
    "dict": lambda n: JIT + "def f(x, n):\n    d = {" + each(n, "'k@': x + @", ", ") + "}\n    if d['k1'] > 0:\n        return d\n    return d\n",
    "list": lambda n: JIT + "def f(x, n):\n    d = [" + each(n, "x + @", ", ") + "]\n    if d[1] > 0:\n        return d\n    return d\n",
    "functions that call each other": lambda n: HEAD + "def g0(x):\n    return x\n" + "".join(f"def g{i}(x):\n    return g{i - 1}(x) + 1\n" for i in range(1, n)) + f"@jax.jit\ndef f(x):\n    if g{n - 1}(x) > 0:\n        return x\n    return -x\n",
    "functions": lambda n: HEAD + each(n, "@jax.jit\ndef g@(x):\n    if x > @:\n        return x\n    return -x\n".replace("@jax", "\0")).replace("\0", "@jax"),
    "comparisons in a chain": lambda n: JIT + "def f(x, n):\n    return 0 < " + " < ".join(["x"] * n) + "\n",
    "one key": lambda n: HEAD + "def f(key):\n" + each(n, "    x@ = jax.random.normal(key)\n") + "    return x1\n",
    "keys split in turn": lambda n: HEAD + "def f(key):\n" + each(n, "    key, k@ = jax.random.split(key)\n    y@ = jax.random.normal(k@)\n") + "    return y1\n",
    "one key in a loop": lambda n: HEAD + "def f(key):\n    out = []\n    for i in range(10):\n" + each(n, "        out.append(jax.random.normal(key, (@,)))\n") + "    return out\n",
    "prints": lambda n: JIT + "def f(x, n):\n" + each(n, "    print(x, @)\n") + "    return x\n",
    "stores": lambda n: HEAD + "def f():\n    y = jnp.zeros(3)\n" + each(n, "    y[@] = 1.0\n") + "    return y\n",
    "casts": lambda n: JIT + "def f(x, n):\n" + each(n, "    y@ = float(x)\n") + "    return x\n",
    "handlers": lambda n: JIT + "def f(x, n):\n    try:\n        y = float(x)\n" + each(n, "    except E@:\n        y = @\n") + "    return x\n",
    "files that are opened": lambda n: JIT + "def f(x, n):\n" + each(n, "    with open('@') as g@:\n        x = x + 1\n") + "    return x\n",
    "loops": lambda n: JIT + "def f(x, n):\n" + each(n, "    for i in range(n):\n        x = x + @\n") + "    return x\n",
    "attributes": lambda n: HEAD + "class C:\n    def __init__(self):\n" + each(n, "        self.a@ = jnp.zeros(@)\n") + "    def m(self, x):\n        return x" + each(n, " + self.a@") + "\n",
    "ternaries": lambda n: JIT + "def f(x, n):\n" + each(n, "    y@ = x if n > @ else -x\n") + "    return x\n",
    "ternaries in a sum": lambda n: JIT + "def f(x, n):\n    return " + each(n, "(x if n > @ else -x)", " + ") + "\n",
    "scans": lambda n: JIT + "def f(x, n):\n" + each(n, "    x, _ = lax.scan(lambda c, y: (c + @, y), x, None, length=n)\n") + "    return x\n",
    "imports": lambda n: each(n, "import jax.numpy as j@\n") + "x = j0.zeros(3)\nx[0] = 1\n",
}  # fmt: skip
# What is nested or compared in pairs takes more than its length, but not its cube.
PAIRS = {"and", "or", "one key", "one key in a loop", "stores", "loops", "ternaries in a sum"}


@interpreted  # the calls that are counted are those of Python
@pytest.mark.parametrize("name", PROGRAMS)
def test_work_grows_with_the_length(name):
    work(PROGRAMS[name](8))  # what is loaded once
    length = 75 if name in PAIRS else 150
    short, long = work(PROGRAMS[name](length)), work(PROGRAMS[name](2 * length))
    assert long / short < (4.3 if name in PAIRS else 2.4)


@pytest.mark.parametrize(
    "name", ["match", "match that assigns", "alternatives of a case", "elif", "conditions that return", "statements"]
)
def test_a_thousand_take_seconds(name):
    text = PROGRAMS[name](900)
    start = time.process_time()
    assert refused(lint(text)) == [] and time.process_time() - start < 10


# Numbers.

ZEROS, ONES, HEX = "0" * 5000, "1" * 5000, "0x" + "f" * 9000


def jitted(body):
    return JIT + "def f(x, n):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


NUMBERS = {
    "format zeros": jitted(f"return '{{{ZEROS}}}'.format(x)"),
    "format digits": jitted(f"return '{{{ONES}}}'.format(x)"),
    "format spec": jitted(f"return '{{:{ONES}d}}'.format(x)"),
    "format precision": jitted(f"return '{{:.{ONES}f}}'.format(x)"),
    "format name": jitted(f"return '{{a.{ONES}}}'.format(a=x), '{{0[{ONES}]:d}}'.format(x)"),
    "debug print": jitted(f"jax.debug.print('{{{ZEROS}}}', x)\nreturn x"),
    "debug print digits": jitted(f"jax.debug.print('{{{ONES}}}', x)\nreturn x"),
    "debug print fstring": jitted(f"jax.debug.print(f'{{x:{ONES}d}}')\nreturn x"),
    "debug print format": jitted(f"jax.debug.print('{{{ZEROS}}}'.format(x))\nreturn x"),
    "debug print percent": jitted(f"jax.debug.print('%{ONES}d' % x)\nreturn x"),
    "percent width": jitted(f"return '%{ONES}d' % x, '%.{ONES}f' % x"),
    "percent nest": jitted("return '" + "%(" * 20000 + "' % x"),
    "percent nest2": jitted("return '" + "%" * 20001 + "' % x"),
    "percent flags": jitted("return '%" + "-" * 40000 + "' % x"),
    "percent flags2": jitted("return '" + "%-0" * 20000 + "' % x"),
    "percent debug": jitted("jax.debug.print('" + "%(" * 20000 + "' % x)\nreturn x"),
    "braces": jitted("return '" + "{" * 40000 + "'.format(x)"),
    "braces2": jitted("return '" + "{0" * 20000 + "'.format(x)"),
    "braces3": jitted("jax.debug.print('" + "{" * 40000 + "', x)\nreturn x"),
    "braces4": jitted("jax.debug.print('" + "{{x}" * 20000 + "', x=x)\nreturn x"),
    "braces5": jitted("jax.debug.print('" + "{x:" * 20000 + "', x=x)\nreturn x"),
    "brackets": jitted("return '" + "{0[" * 20000 + "'.format(x)"),
    "fstring": jitted(f"return f'{{x:{ONES}d}} {{x:.{ONES}f}} {{n!r:{ONES}}}'"),
    "str of hex": jitted(f"return str({HEX}), f'{{{HEX}}}', '%d' % {HEX}, '{{}}'.format({HEX})"),
    "format hex": jitted(f"return str({HEX} + 1) + repr({HEX} * 2)"),
    "print hex": jitted(f"print({HEX}, x)\nreturn x + {HEX}"),
    "shape hex": jitted(f"return jnp.zeros({HEX}), x[{HEX}], x.reshape({HEX}, -1), jnp.zeros(({HEX}, n))"),
    "range hex": jitted(f"for i in range({HEX}):\n    x = x + i\nreturn x"),
    "negative": jitted(f"return x ** -{HEX}, jnp.power(x, {HEX}), x >> {HEX}, 1 << {HEX}, 2 ** {HEX}, {HEX} ** {HEX}"),
    "float of hex": jitted(f"return float({HEX}), int(1e400), int(float('nan')), round(1e400), complex({HEX})"),
    "float of hex2": jitted(f"return {HEX} / 3, {HEX} * 1.5, {HEX} // 0.5, {HEX} % 1.5, 1.5 ** {HEX}, {HEX} < 1.5, divmod({HEX}, 1.5), -{HEX} / {HEX}"),
    "inf": jitted("return jnp.zeros(1e999), x[1e999:], x ** 1e999, jnp.zeros((1e999, 2)), jnp.arange(1e999), x.reshape(1e999)"),
    "inf2": jitted("y = jnp.zeros(3, jnp.int32).at[0].set(1e999)\nreturn y, jnp.zeros(3, dtype=jnp.int8).at[0].set(-1e999), jnp.zeros(3, bool).at[0].set(1e999 - 1e999)"),
    "inf3": jitted("def g(w):\n    return jnp.where(w > 0, w ** 1e999, 0.0)\nreturn jax.grad(g)(x)"),
    "inf4": jitted("return lax.fori_loop(0, 1e999, lambda i, c: c, x), lax.scan(lambda c, y: (c, y), x, None, length=1e999), jnp.repeat(x, 1e999), jnp.tile(x, 1e999), jnp.split(x, 1e999)"),
    "nan slices": jitted("return x[0:1e999], [1, 2][1e999], (1, 2)[1e999:], x[:-1e999], jnp.linspace(0, 1, 1e999)"),
    "version": HEAD + f"if jax.__version__ >= '{ONES}':\n    from jax import remat\n",
    "version zeros": HEAD + f"if jax.__version__ >= '{ZEROS}.1':\n    from jax import remat\n",
    "version info": HEAD + f"if jax.__version_info__ >= (0, {HEX}):\n    from jax import remat\n",
    "version tuple": HEAD + f"if tuple(map(int, jax.__version__.split('.'))) >= (0, {HEX}):\n    jax.tree_map(f, x)\n",
    "hex reduce": jitted(f"return jnp.sum(x, axis={HEX}), jnp.transpose(x, ({HEX}, 0)), jnp.zeros((3,4)).sum(axis={HEX}), jnp.moveaxis(x, {HEX}, 0), jnp.clip(x, 0, {HEX}), jnp.zeros(3)[{HEX}]"),
    "static argnums": HEAD + f"@jax.jit\ndef g(x):\n    return x\ng = jax.jit(g, static_argnums={HEX})\nh = jax.jit(g, static_argnums=({HEX}, -{HEX}), donate_argnums={HEX})\nk = jax.vmap(g, in_axes={HEX})\nk(jnp.zeros(3))\nh(1, 2)\n l = 2".replace("\n l","\nl"),
    "key": HEAD + f"key = jax.random.key({HEX})\nk = jax.random.split(key, {HEX})\na, b = jax.random.split(key, {HEX})\njax.random.fold_in(key, {HEX})\n",
    "octal": HEAD + "x = 0o" + "7" * 9000 + "\ny = 0b" + "1" * 90000 + "\nz = 1_0" + "_0" * 2000 + "\nstr(x)\njnp.asarray(x)\njnp.zeros(3) + x\n",
    "float digits": HEAD + "x = 0." + "3" * 100000 + "\ny = 1e" + "9" * 100000 + "\nz=" + "9" * 100000 + ".0\nw = jnp.zeros(3) + x + y + z\nint(z)\nround(y)\n",
    "imaginary": HEAD + "x = 1e" + "9" * 5000 + "j\nw = jnp.zeros(3) * x\n",
    "annotation": HEAD + f"from typing import Literal\ndef f(x: Literal[{HEX}]):\n    return x\n",
    "match": jitted(f"match n:\n    case {HEX}:\n        return x\nreturn -x"),
    "string key": jitted(f"return {{'{ONES}': x, {HEX}: n}}[{HEX}]"),
    "percent star": jitted("return '%*.*f' % (" + HEX + ", 2, x)"),
    "noqa": HEAD + f"x = 1  # noqa: {ONES}\ny = 1  # noqa: JAX{ONES}\n# jaxlint: disable={ONES}\n",
    "iota": jitted(f"return jnp.arange({HEX}), jnp.eye({HEX}), lax.iota(jnp.int32, {HEX}), np.zeros({HEX}) + x"),
    "x64": jitted(f"return jnp.asarray({HEX}), jnp.int32({HEX}), jnp.full(3, {HEX}), jnp.array([{HEX}]), jnp.uint8({HEX})"),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_long_numbers_and_templates_are_read_in_no_time(name):
    source = Source.from_text(NUMBERS[name], "program.py")
    start = time.process_time()
    assert refused(check_source(source, CONFIG).diagnostics) == []
    assert time.process_time() - start < 3
    done = fix_source(
        source, lambda text: check_source(text, CONFIG).diagnostics, {Applicability.SAFE, Applicability.UNSAFE}
    )
    assert refused(lint(done.source.text if done.source is not None else NUMBERS[name])) == []


SETTINGS = {
    "target": (f"[tool.jaxlint]\ntarget-jax = '>=0.{ONES}'\n", 2),
    "exact target": (f"[tool.jaxlint]\ntarget-jax = '0.{ONES}'\n", 2),
    "length of lines": (f"[tool.jaxlint]\nline-length = {HEX}\n", 2),
    "dependency": (f"[project]\nname = 'a'\ndependencies = ['jax>=0.{ONES}']\n", 0),
    "dependency of Poetry": (f"[tool.poetry]\nname = 'a'\n[tool.poetry.dependencies]\njax = '^0.{ONES}'\n", 0),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_long_numbers_in_settings_are_told(tmp_path, name):
    text, expected = SETTINGS[name]
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "a.py").write_text("import jax\nfrom jax import remat\n")
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--output-format", "concise", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == expected and "Traceback" not in run.stderr, run.stderr[-300:]
    assert ("JAX903" in run.stdout) == (expected == 2) and len(run.stdout) < 1000


@pytest.mark.parametrize(
    "frame", [f'  File "a.py", line {ONES}, in f', f"a.py:{ONES}: ValueError", f"In [{ONES}], line {ONES}"]
)
def test_long_rows_in_tracebacks_are_passed_over(frame):
    text = f"Traceback (most recent call last):\n{frame}\n    jax.x\nValueError: x\n"
    run = subprocess.run([sys.executable, "-m", "jaxlint", "explain", "-"], input=text, capture_output=True, text=True)
    assert "Exceeds the limit" not in run.stderr and "Internal error" not in run.stdout
