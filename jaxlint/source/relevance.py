"""Which files can be passed over without parsing them: the cheap questions that come first."""

from __future__ import annotations

import re
from typing import Any

from jaxlint.source.libraries import OF_JAX
from jaxlint.source.limits import MIN_TEXT

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def touches_jax(text: str) -> bool:
    """Whether a file with this text can have a finding about JAX at all: it names a library that is of interest."""
    return any(name in text for name in OF_JAX)


def is_plain_python(text: str) -> bool:
    """Whether the running Python can parse ``text``: a cheap proof that it has no syntax error."""
    return tree_of(text) is not None


def tree_of(text: str) -> Any:
    """The tree as ``python_tree`` gives it; None where the running Python cannot parse ``text``."""
    try:
        return python_tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def python_tree(text: str) -> Any:
    """The tree that the running Python's parser makes of ``text``, without its long displays.

    Raises SyntaxError, ValueError, RecursionError, MemoryError or OverflowError.
    """
    import warnings

    only_ast = 0x400  # ast.PyCF_ONLY_AST, without importing ast
    if len(text) >= MIN_TEXT:
        from jaxlint.source.literal_elision import shortened

        text = shortened(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the user's code
        # Under its own name a file with a mistake would be opened once more, to show the line.
        return compile(encodable(text), "<text>", "exec", only_ast, dont_inherit=True)


def encodable(text: str) -> str:
    """``text`` with stand-ins for lone surrogates, which JSON and editors can hold and no parser takes."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
