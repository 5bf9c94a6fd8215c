"""What the fixed code of a case gives under the transforms that its ``# also:`` names.

The call of the ``# run:`` is made again, compiled, mapped over two values of its arrays, or differentiated. It has to
give what the original gives for one value after the other without compilation, or where that cannot run, what the
fixed code gives so. The gradient of an original that cannot be differentiated is estimated from differences.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.verify import compare
from jaxlint.verify.execute import Outcome, run_case
from jaxlint.verify.fixture import Case, FixtureFile

_HOOK = "_made_again"
_STEP = 1e-2  # of the differences that estimate a gradient


def difference(bad: FixtureFile, case: Case, fixed: FixtureFile, fixed_case: Case, transform: str) -> str | None:
    """Why the fixed case does not give what it should under a transform, or None."""
    got = _again(fixed, fixed_case, _UNDER[transform])
    if got.error is not None:
        return f"under {transform} it {got}"
    for each, its in ((bad, case), (fixed, fixed_case)):
        for way in _REFERENCE[transform]:
            wanted = _again(each, its, way, within=jax.disable_jit)
            if wanted.error is None:
                close = _about if way is _estimated else compare.difference
                found = close(got.value, wanted.value)
                return f"under {transform}: {found}" if found else None
    return f"there is nothing to compare {transform} with: the plain call {wanted}"


def _again(fixture: FixtureFile, case: Case, way: Callable[..., Any], **options: Any) -> Outcome:
    return run_case(
        fixture, case, expression=_hooked(case.run or ""), expression_row=case.run_row, names={_HOOK: way}, **options
    )


def _hooked(run: str) -> str:
    """``f(x, y=1)`` as ``_made_again(f, x, y=1)``."""
    tree = ast.parse(run)
    last = tree.body[-1]
    assert isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)  # the reader of fixtures saw to it
    call = last.value
    call.args.insert(0, call.func)
    call.func = ast.Name(_HOOK, ast.Load())
    return "; ".join(map(ast.unparse, tree.body))


# --- ways to make a call again ------------------------------------------------------------------------------------


class _Call:
    """A call whose arrays may be given anew: those that are ``chosen``; everything else stays as it is."""

    def __init__(self, chosen: Callable[[Any], bool], f: Callable[..., Any], args: Any, kwargs: Any) -> None:
        self.leaves, self.tree = jax.tree_util.tree_flatten((args, kwargs))
        self.places = [place for place, leaf in enumerate(self.leaves) if chosen(leaf)]
        self.arrays = [jnp.asarray(self.leaves[place]) for place in self.places]
        self.f = f
        if not self.arrays:
            raise TypeError("no argument of the `# run:` is an array that can be mapped or differentiated")

    def __call__(self, arrays: list[Any]) -> Any:
        leaves = list(self.leaves)
        for place, array in zip(self.places, arrays):
            leaves[place] = array
        args, kwargs = jax.tree_util.tree_unflatten(self.tree, leaves)
        return self.f(*args, **kwargs)


def _is_array(leaf: Any) -> bool:
    return isinstance(leaf, (jax.Array, np.ndarray)) and not _is_key(leaf) and leaf.dtype.kind in "biufcV"


def _is_real(leaf: Any) -> bool:
    return _is_array(leaf) and bool(jnp.issubdtype(leaf.dtype, jnp.floating))


def _is_key(leaf: Any) -> bool:
    return bool(jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key))


def _plain(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return f(*args, **kwargs)


def _compiled(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    call = _Call(_is_array, f, args, kwargs)
    return jax.jit(call)(call.arrays)


def _two(arrays: list[Any]) -> list[list[Any]]:
    """The arrays, and half of those that hold real numbers beside the others."""
    return [arrays, [array / 2 if _is_real(array) else array for array in arrays]]


def _mapped(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    call = _Call(_is_array, f, args, kwargs)
    return jax.vmap(call)([jnp.stack(pair) for pair in zip(*_two(call.arrays))])


def _one_by_one(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    call = _Call(_is_array, f, args, kwargs)
    return jax.tree_util.tree_map(lambda *values: jnp.stack(values), *map(call, _two(call.arrays)))


def _sum(call: _Call) -> Callable[[list[Any]], Any]:
    """What is differentiated: the sum of all real numbers of the result, weighted so that none cancel."""

    def total(arrays: list[Any]) -> Any:
        leaves = [jnp.asarray(leaf) for leaf in jax.tree_util.tree_leaves(call(arrays))]
        return sum(
            (leaf * jnp.cos(jnp.arange(leaf.size)).reshape(leaf.shape)).sum() for leaf in leaves if _is_real(leaf)
        )

    return total


def _gradient(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    call = _Call(_is_real, f, args, kwargs)
    return jax.grad(_sum(call))(call.arrays)


def _estimated(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The gradient, each of its numbers estimated from the values a little to either side."""
    call = _Call(_is_real, f, args, kwargs)
    total = _sum(call)

    def moved(which: int, index: Any, by: float) -> Any:
        arrays = list(call.arrays)
        arrays[which] = arrays[which].at[index].add(by)
        return total(arrays)

    return [
        jnp.asarray(
            [(moved(which, index, _STEP) - moved(which, index, -_STEP)) / (2 * _STEP) for index in np.ndindex(array.shape)]
        ).reshape(array.shape).astype(array.dtype)
        for which, array in enumerate(call.arrays)
    ]  # fmt: skip


def _about(got: Any, wanted: Any) -> str | None:
    """What distinguishes a gradient from its estimate."""
    form = compare.same_form(got, wanted)
    if form:
        return form
    pairs = zip(jax.tree_util.tree_leaves(got), jax.tree_util.tree_leaves(wanted))
    near = all(np.allclose(left, right, rtol=0.05, atol=0.05) for left, right in pairs)
    return None if near else f"{got!r} instead of about {wanted!r}"


_UNDER: dict[str, Callable[..., Any]] = {"jit": _compiled, "vmap": _mapped, "grad": _gradient}
_REFERENCE: dict[str, tuple[Callable[..., Any], ...]] = {
    "jit": (_plain,), "vmap": (_one_by_one,), "grad": (_gradient, _estimated),
}  # fmt: skip
