"""Transforms: who calls whose function, and with what kind of values.

Each row says which class a transform belongs to and how it is called. The class of every row was
established by running operations on the arguments of the transformed function under real JAX;
``docs/matrix.md`` shows the table for the classes.

``behaviour`` is the name of the method of ``jaxlint.analysis.transforms.wrap_and_call.Transforms`` that knows the
calling convention; ``signature`` names the positional parameters of the transform itself.
"""

from __future__ import annotations

from typing import NamedTuple


class Transform(NamedTuple):
    """One transform. ``cls`` is the class its function's arguments get."""

    name: str
    cls: str  # "staged", "batched", "differentiated", "eager", "host"
    behaviour: str
    signature: tuple[str, ...] = ("fun",)

    @property
    def short(self) -> str:
        """Name without its package, as people say it: `jit`, `lax.scan`, `hk.transform`."""
        for prefix, shorter in (
            ("jax.lax.", "lax."), ("haiku.", "hk."), ("equinox.", "eqx."), ("flax.linen.", "nn."),
            ("flax.nnx.", "nnx."), ("jax.", ""),
        ):  # fmt: skip
            if self.name.startswith(prefix):
                return shorter + self.name[len(prefix) :]
        return self.name


_JIT = ("fun", "in_shardings", "out_shardings", "static_argnums", "static_argnames", "donate_argnums")
_VMAP = ("fun", "in_axes", "out_axes", "axis_name", "axis_size")
_GRAD = ("fun", "argnums", "has_aux", "holomorphic", "allow_int", "reduce_axes")
_SCAN = ("f", "init", "xs", "length", "reverse", "unroll")
_WHILE = ("cond_fun", "body_fun", "init_val")
_FORI = ("lower", "upper", "body_fun", "init_val")
_COND = ("pred", "true_fun", "false_fun", "*operands")
_SWITCH = ("index", "branches", "*operands")

_ROWS: list[tuple[str, str, str, tuple[str, ...]]] = [
    # Staged: every jax operation inside gives a tracer.
    ("jax.jit", "staged", "jit", _JIT),
    ("jax.experimental.pjit.pjit", "staged", "jit", ("fun", "in_shardings", "out_shardings", "static_argnums", "static_argnames")),
    ("jax.pmap", "staged", "pmap", ("fun", "axis_name", "in_axes", "out_axes", "static_broadcasted_argnums")),
    ("jax.checkpoint", "staged", "checkpoint", ("fun",)),
    ("jax.make_jaxpr", "staged", "traced_call", ("fun", "static_argnums")),
    ("jax.eval_shape", "staged", "eval_shape", ("fun", "*args")),
    ("jax.closure_convert", "staged", "call_star", ("fun", "*args")),
    ("jax.lax.scan", "staged", "scan", _SCAN),
    ("jax.lax.while_loop", "staged", "while_loop", _WHILE),
    ("jax.lax.fori_loop", "staged", "fori_loop", _FORI),
    ("jax.lax.cond", "staged", "cond", _COND),
    ("jax.lax.switch", "staged", "switch", _SWITCH),
    ("jax.lax.map", "staged", "map", ("f", "xs")),
    ("jax.lax.reduce", "staged", "binary", ("operands", "init_values", "computation", "dimensions")),
    ("jax.lax.reduce_window", "staged", "binary", ("operand", "init_value", "computation")),
    ("jax.lax.custom_root", "staged", "custom_root", ("f", "initial_guess", "solve", "tangent_solve")),
    ("jax.lax.custom_linear_solve", "staged", "custom_linear_solve", ("matvec", "b", "solve", "transpose_solve")),
    ("jax.custom_batching.custom_vmap", "staged", "passes", ("fun",)),
    ("jax.numpy.piecewise", "staged", "piecewise", ("x", "condlist", "funclist", "*args")),
    ("jax.numpy.frompyfunc", "staged", "traced_call", ("func", "nin", "nout")),
    ("jax.experimental.ode.odeint", "staged", "odeint", ("func", "y0", "t", "*args")),
    ("jax.scipy.optimize.minimize", "staged", "minimize", ("fun", "x0", "args")),
    ("jax.scipy.sparse.linalg.cg", "staged", "minimize", ("A", "b")),
    ("jax.scipy.sparse.linalg.gmres", "staged", "minimize", ("A", "b")),
    ("jax.scipy.sparse.linalg.bicgstab", "staged", "minimize", ("A", "b")),
    ("jax.experimental.sparse.sparsify", "staged", "traced_call", ("f",)),
    ("jax.export.export", "staged", "export", ("fun_jit",)),
    ("jax.experimental.checkify.checkify", "staged", "checkify", ("fun", "errors")),
    ("jax.experimental.pallas.pallas_call", "staged", "pallas_call", ("kernel",)),
    ("equinox.filter_jit", "staged", "filter", ("fun",)),
    ("equinox.filter_pmap", "staged", "filter", ("fun",)),
    ("equinox.filter_checkpoint", "staged", "filter", ("fun",)),
    ("equinox.filter_eval_shape", "staged", "filter_eval_shape", ("fun", "*args")),
    ("equinox.filter_make_jaxpr", "staged", "filter", ("fun",)),
    ("haiku.scan", "staged", "scan", _SCAN),
    ("haiku.while_loop", "staged", "while_loop", _WHILE),
    ("haiku.fori_loop", "staged", "fori_loop", _FORI),
    ("haiku.cond", "staged", "cond", _COND),
    ("haiku.switch", "staged", "switch", _SWITCH),
    ("haiku.map", "staged", "map", ("f", "xs")),
    ("haiku.remat", "staged", "checkpoint", ("fun",)),
    ("haiku.eval_shape", "staged", "eval_shape", ("fun", "*args")),
    ("flax.nnx.jit", "staged", "jit", ("fun", "in_shardings", "out_shardings", "static_argnums", "static_argnames")),
    ("flax.nnx.remat", "staged", "checkpoint", ("f",)),
    ("flax.nnx.cond", "staged", "cond", _COND),
    ("flax.nnx.switch", "staged", "switch", _SWITCH),
    ("flax.nnx.while_loop", "staged", "while_loop", _WHILE),
    ("flax.nnx.fori_loop", "staged", "fori_loop", _FORI),
    ("flax.nnx.scan", "staged", "traced_call", ("f",)),
    ("flax.nnx.eval_shape", "staged", "eval_shape", ("f", "*args")),
    # Batched: mapped arguments are abstract, the rest keeps its value.
    ("jax.vmap", "batched", "vmap", _VMAP),
    ("haiku.vmap", "batched", "vmap", _VMAP),
    ("flax.nnx.vmap", "batched", "vmap", _VMAP),
    ("equinox.filter_vmap", "batched", "filter", ("fun",)),
    ("jax.linear_transpose", "batched", "linear_transpose", ("fun", "*primals")),
    ("jax.numpy.vectorize", "batched", "vectorize", ("pyfunc",)),
    ("jax.numpy.apply_along_axis", "batched", "apply_along_axis", ("func1d", "axis", "arr", "*args")),
    ("jax.numpy.fromfunction", "batched", "fromfunction", ("function", "shape")),
    ("jax.shard_map", "batched", "shard_map", ("f", "mesh", "in_specs", "out_specs")),
    # Differentiated: the value is known, host conversions that need no tangent work.
    ("jax.grad", "differentiated", "grad", _GRAD),
    ("jax.value_and_grad", "differentiated", "value_and_grad", _GRAD),
    ("jax.jacfwd", "differentiated", "grad", _GRAD),
    ("jax.jacrev", "differentiated", "grad", _GRAD),
    ("jax.jacobian", "differentiated", "grad", _GRAD),
    ("jax.hessian", "differentiated", "grad", _GRAD),
    ("jax.jvp", "differentiated", "jvp", ("fun", "primals", "tangents", "has_aux")),
    ("jax.vjp", "differentiated", "vjp", ("fun", "*primals")),
    ("jax.linearize", "differentiated", "vjp", ("fun", "*primals")),
    ("jax.test_util.check_grads", "differentiated", "check_grads", ("f", "args", "order", "modes")),
    ("equinox.filter_grad", "differentiated", "filter_grad", ("fun",)),
    ("equinox.filter_value_and_grad", "differentiated", "filter_grad", ("fun",)),
    ("equinox.filter_jvp", "differentiated", "opaque", ("fun",)),
    ("equinox.filter_vjp", "differentiated", "opaque", ("fun",)),
    ("equinox.filter_closure_convert", "staged", "opaque", ("fun",)),
    ("haiku.grad", "differentiated", "grad", _GRAD),
    ("haiku.value_and_grad", "differentiated", "value_and_grad", _GRAD),
    ("flax.nnx.grad", "differentiated", "nnx_grad", _GRAD),
    ("flax.nnx.value_and_grad", "differentiated", "nnx_grad", _GRAD),
    # Eager: the function sees what its caller passes.
    ("jax.named_call", "eager", "passes", ("fun",)),
    ("jax.custom_jvp", "eager", "custom_rule", ("fun", "nondiff_argnums", "nondiff_argnames")),
    ("jax.custom_vjp", "eager", "custom_rule", ("fun", "nondiff_argnums", "nondiff_argnames")),
    ("jax.custom_gradient", "eager", "custom_rule", ("fun",)),
    ("jax.lax.associative_scan", "eager", "associative_scan", ("fn", "elems", "reverse", "axis")),
    ("jax.tree.map", "eager", "tree_map", ("f", "tree", "*rest")),
    ("jax.tree_util.tree_map", "eager", "tree_map", ("f", "tree", "*rest")),
    ("haiku.transform", "eager", "haiku_transform", ("f", "apply_rng")),
    ("haiku.transform_with_state", "eager", "haiku_transform", ("f", "apply_rng")),
    ("haiku.multi_transform", "eager", "haiku_multi", ("f",)),
    ("haiku.multi_transform_with_state", "eager", "haiku_multi", ("f",)),
    ("haiku.without_apply_rng", "eager", "haiku_without_rng", ("f",)),
    # The host: the function gets NumPy arrays and runs outside the trace.
    ("jax.pure_callback", "host", "callback", ("callback", "result_shape_dtypes", "*args")),
    ("jax.experimental.io_callback", "host", "callback", ("callback", "result_shape_dtypes", "*args")),
    ("jax.debug.callback", "host", "debug_callback", ("callback", "*args")),
]  # fmt: skip

TRANSFORMS: dict[str, Transform] = {row[0]: Transform(*row) for row in _ROWS}

# Other public paths of the same transforms, as found in code for JAX releases of several years.
ALIASES = {
    "jax.remat": "jax.checkpoint",
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.ad_checkpoint.remat": "jax.checkpoint",
    "jax.new_checkpoint": "jax.checkpoint",
    "jax.pjit": "jax.experimental.pjit.pjit",
    "jax.api.jit": "jax.jit",
    "jax.api.vmap": "jax.vmap",
    "jax.api.grad": "jax.grad",
    "jax.lax.control_flow.scan": "jax.lax.scan",
    "jax.experimental.shard_map.shard_map": "jax.shard_map",
    "jax.tree_map": "jax.tree.map",
    "jax.experimental.host_callback.call": "jax.pure_callback",
    "jax.experimental.maps.xmap": "jax.experimental.maps.xmap",
    "jax.debug.print": "jax.debug.print",
    "haiku.checkpoint": "haiku.remat",
    "haiku.experimental.checkpoint": "haiku.remat",
    "haiku.experimental.eval_shape": "haiku.eval_shape",
    "flax.nnx.checkpoint": "flax.nnx.remat",
    "jax.experimental.io_callback": "jax.experimental.io_callback",
}


def transform(name: str) -> Transform | None:
    """The transform with this canonical name, or None."""
    return TRANSFORMS.get(ALIASES.get(name, name))
