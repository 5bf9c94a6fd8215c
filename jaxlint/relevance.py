"""Which files can be passed over without parsing them: the cheap questions that come first."""

from __future__ import annotations

MAX_CHARACTERS = 5_000_000
"""How long a text may be that is parsed. What is longer holds data; a tree of it takes up to 350 bytes for each character."""

# Text without any of these cannot name JAX, nor a library that takes functions to be traced.
NAMES_OF_INTEREST = (
    "jax", "flax", "haiku", "equinox", "optax", "chex", "distrax", "numpyro", "brax", "rlax", "mctx", "jraph",
    "diffrax", "lineax", "optimistix", "penzai", "orbax", "kfac",
)  # fmt: skip


def touches_jax(text: str) -> bool:
    """Whether a file with this text can have a finding about JAX at all."""
    return any(name in text for name in NAMES_OF_INTEREST)


def is_plain_python(text: str) -> bool:
    """Whether the running Python can parse ``text``: a cheap proof that it has no syntax error."""
    import warnings

    only_ast = 0x400  # ast.PyCF_ONLY_AST, without importing ast
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<text>", "exec", only_ast, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True
