"""What every generated program is put through: it is reported, fixed, and run under real JAX.

A program is text whose function ``step`` holds one kind of hazard. Linting and fixing go through the engine, as the
command line does it; nothing is imported from the rules.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import tokenize
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from jaxlint.configuration.config import Config
from jaxlint.fixing.apply import fix_source
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Applicability, Diagnostic
from jaxlint.source.text import Source
from jaxlint.verify import compare

APPLICABLE = (Applicability.SAFE, Applicability.UNSAFE)
PRELUDE = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jax import lax\n\n\n"

_numbers = itertools.count()


def tried(*strategies: Any, examples: int = 8, **named: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """``given``, with a few examples that are the same in each run; a profile that is asked for decides instead."""
    if settings.get_current_profile_name() == "deep":
        return given(*strategies, **named)
    few = settings(
        max_examples=examples, derandomize=True, deadline=None, database=None, phases=(Phase.generate, Phase.shrink),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )  # fmt: skip
    return lambda test: few(given(*strategies, **named)(test))


def findings(text: str, code: str) -> list[Diagnostic]:
    return check_source(Source.from_text(text, "/project/program.py"), _config(code)).diagnostics


def fixed(text: str, code: str, levels: Sequence[Applicability] = APPLICABLE) -> str:
    """The text after all fixes of these levels; fails where they are taken back, or do more when they run again."""
    once = _fix(text, code, levels)
    assert _fix(once, code, levels) == once, f"fixing again changes\n{once}"
    return once


def _fix(text: str, code: str, levels: Sequence[Applicability]) -> str:
    outcome = fix_source(
        Source.from_text(text, "/project/program.py"), lambda source: findings(source.text, code), levels
    )
    assert outcome.error is None, f"{outcome.error}\n{text}"
    return outcome.source.text


def _config(code: str) -> Config:
    return Config(root="/project", extend_select=(code,))


@dataclass
class Ran:
    """What a call gave, and what it printed."""

    value: Any = None
    error: BaseException | None = None
    output: str = ""


def run(
    text: str, arguments: Sequence[Any], within: Callable[[], Any] = contextlib.nullcontext, name: str = "step"
) -> Ran:
    """Execute a program as a module of its own, and call its function ``name``."""
    ran, printed = Ran(), io.StringIO()
    with contextlib.redirect_stdout(printed), within():
        try:
            namespace: dict[str, Any] = {"__name__": f"program_{next(_numbers)}"}
            exec(compile(text, "program.py", "exec", dont_inherit=True), namespace)
            ran.value = jax.block_until_ready(namespace[name](*arguments))
            jax.effects_barrier()
        except Exception as error:
            ran.error = error
    ran.output = printed.getvalue()
    return ran


def prove(
    body: str,
    code: str,
    *calls: Sequence[Any],
    reference: Callable[..., Any] | None = None,
    fails: bool = True,
    safe: bool = False,
) -> str:
    """Show that the fixes of ``code`` mend a program; gives the fixed text.

    Each of ``calls`` are arguments of ``step``. The fixed program, which compiles what the original compiled, gives
    the value, dtype and shape of the ``reference``, or else of the original when nothing is compiled. With ``fails``
    the original does not run compiled. With ``safe`` safe fixes alone do it, and where the original runs, the result
    is the same to the bit.
    """
    text = PRELUDE + body
    assert code in {each.code for each in findings(text, code)}, f"{code} is not reported in\n{text}"
    levels = (Applicability.SAFE,) if safe else APPLICABLE
    new = fixed(text, code, levels)
    left = [each for each in findings(new, code) if each.code == code]
    assert not left, f"still reported: {left[0].message}\n{new}"
    assert not comments(text) - comments(new), f"comments are lost in\n{new}"
    for arguments in calls:
        if fails:
            assert run(text, arguments).error is not None, f"the original runs with {arguments}\n{text}"
        wanted = Ran(reference(*arguments)) if reference else run(text, arguments, jax.disable_jit)
        assert wanted.error is None, f"there is no reference: {wanted.error!r}\n{text}"
        got = run(new, arguments)
        _same(got, wanted, new, arguments)
        if safe and reference is None:
            plain = run(new, arguments, jax.disable_jit)
            _same(plain, wanted, new, arguments, bits=True)
    return new


def _same(got: Ran, wanted: Ran, text: str, arguments: Sequence[Any], bits: bool = False) -> None:
    assert got.error is None, f"{type(got.error).__name__}: {got.error} with {arguments}\n{text}"
    found = compare.difference(got.value, wanted.value, bits=bits)
    assert found is None, f"{found} with {arguments}\n{text}"
    assert got.output == wanted.output, f"prints {got.output!r} instead of {wanted.output!r}\n{text}"


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


# --- arguments ----------------------------------------------------------------------------------------------------

FLOATS, INTEGERS = ("float32", "bfloat16"), ("int32", "uint8")


@st.composite
def arrays(
    draw: Callable[..., Any], dtypes: Sequence[str] = ("float32", "int32"), shape: tuple[int, ...] = (5,)
) -> Any:
    """Small numbers that every dtype holds exactly."""
    dtype = draw(st.sampled_from(dtypes))
    lowest = 0 if dtype.startswith("u") else -4
    size = int(np.prod(shape))
    values = draw(st.lists(st.integers(lowest, 4), min_size=size, max_size=size))
    scale = 0.5 if dtype in FLOATS else 1
    return jnp.asarray((np.array(values) * scale).reshape(shape), dtype=dtype)


def scalars(dtypes: Sequence[str] = ("float32", "int32")) -> Any:
    return arrays(dtypes, ())
