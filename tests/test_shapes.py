"""What the model says of shapes and dtypes is what JAX says, or nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest

from jaxlint.analysis import analyse
from jaxlint.analysis.domain import values as v
from jaxlint.ir.lowering import lower
from jaxlint.source.text import Source

jax = pytest.importorskip("jax")

ARRAYS = """\
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn, random

f = jnp.zeros((2, 3))
i = jnp.zeros((2, 3), jnp.int32)
b = jnp.zeros((2, 3), dtype=bool)
h = jnp.ones((4, 2, 3), dtype="float16")
p = jnp.full((3,), 2, jnp.int8)
u = jnp.zeros(3, jnp.uint8)
c = jnp.zeros(3, jnp.complex64)
m = jnp.eye(3)
one = jnp.ones((1, 3))
s = f[0, 0]
w = jnp.asarray(1.0)
n = i[0, 1]
z = np.zeros((2, 3))
k = np.arange(3)
key = random.key(0)
"""
# Expressions with `{}` are tried with several arrays, each with others.
OF_ONE = """\
jnp.sin({}) | jnp.abs({}) | jnp.exp({}) | jnp.sqrt({}) | jnp.square({}) | jnp.sign({}) | jnp.isnan({}) | -{} | jnp.log2({}) | jnp.log10({})
jnp.zeros_like({}) | jnp.ones_like({}, dtype=jnp.int8) | jnp.full_like({}, 2) | jnp.zeros_like({}, shape=(4,))
jnp.sum({}) | jnp.sum({}, axis=0) | jnp.sum({}, axis=-1, keepdims=True) | jnp.sum({}, keepdims=True)
jnp.prod({}) | jnp.mean({}) | jnp.mean({}, 0) | jnp.std({}) | jnp.var({}, axis=0) | jnp.any({}) | jnp.all({}, axis=0)
jnp.max({}) | jnp.min({}, axis=0) | jnp.argmax({}) | jnp.argmin({}, axis=-1) | {}.sum() | {}.max(axis=0) | {}.any()
{}.mean() | jnp.count_nonzero({}) | jnp.median({}) | nn.logsumexp({}) | jnp.ptp({}) | jnp.cumsum({}) | jnp.cumsum({}, axis=0)
{}.T | {}.ravel() | jnp.ravel({}) | {}.reshape(-1) | jnp.reshape({}, (-1, 1)) | {}.reshape(1, -1) | {}.flatten()
jnp.transpose({}) | {}.transpose() | {}[None] | {}[..., None] | {}[()] | jnp.expand_dims({}, 0) | jnp.expand_dims({}, (0, -1))
jnp.squeeze({}) | {}.squeeze() | jnp.atleast_1d({}) | jnp.atleast_2d({}) | jnp.tile({}, 2) | jnp.tile({}, (2, 1))
jnp.repeat({}, 3) | jnp.repeat({}, 2, axis=0) | jnp.pad({}, 1) | jnp.flip({}) | jnp.roll({}, 1) | jnp.sort({}) | jnp.argsort({})
{} + 1 | {} * 2.0 | 1 - {} | {} / 2 | {} // 2 | {} % 2 | {} ** 2 | {} ** 0.5 | {} > 0 | {} == 1 | 2.0 / {} | {} + True
{} + w | {} * s | {} + n | {} + f | {} * i | {} + p | {} - u | {} + c | {} * h | {} + z | k * {} | {} < i
jnp.add({}, 1) | jnp.maximum({}, 0.0) | jnp.maximum({}, i) | jnp.where(b, {}, 0) | jnp.where(b, {}, 0.0) | jnp.where({} > 0, {}, f)
jnp.clip({}, 0, 1) | jnp.clip({}, 0.0, None) | {}.clip(0, 1) | jnp.divide({}, 2) | jnp.power({}, 2) | jnp.minimum(1, {})
jnp.arctan2({}, 1) | jnp.hypot({}, i) | jnp.equal({}, 1) | jnp.logical_and({}, b) | jnp.isclose({}, 1.0)
{}.astype(jnp.float32) | {}.astype(int) | {}.astype("float16") | {}.astype(bool) | {}.astype(f.dtype) | {}.astype(float)
jnp.asarray({}) | jnp.array({}) | jnp.asarray({}, jnp.float16) | jnp.array([{}, {}]) | jnp.stack([{}, {}]) | jnp.stack(({}, {}), axis=1)
jnp.concatenate([{}, {}]) | jnp.concatenate([{}, f]) | jnp.hstack([{}, {}]) | jnp.vstack([{}, {}]) | jnp.concatenate([{}, {}], axis=-1)
jnp.fft.fft({}) | jnp.fft.ifft({}) | jnp.fft.fft({}, 5) | jnp.fft.rfft({}) | jnp.fft.fft2({}) | jnp.fft.ifftn({}) | jnp.fft.fftn({}, s=(4, 4))
jnp.fft.fftshift({}) | jnp.fft.ifftshift({}) | jnp.fft.irfft({}) | jnp.fft.hfft({})
jnp.append({}, {}) | jnp.append({}, f, axis=0) | jnp.append({}, 1.0) | jnp.append(values=f, arr={}, axis=-1) | jnp.append({}, {}, None)
{}.at[0].set(1) | {}.at[0].add(0.5) | {}.at[0].get() | {}[0] | {}[-1] | {}[:2] | {}[1:] | {}[::2] | {}[0, 1] | {}[:, 0] | {}[..., 0]
{}[:, None] | {}[jnp.array([0, 1])] | {}[i] | {}[n] | {}[0, :2] | {}[:, jnp.arange(2)] | {}[jnp.arange(2), 0] | {}[..., jnp.arange(2)]
{}[0:1, n] | {}[n:] | {}[k] | {}[1, None] | {}[jnp.arange(2), jnp.arange(2)] | {}[jnp.arange(2), None, jnp.arange(2)]
nn.relu({}) | nn.softmax({}) | nn.sigmoid({}) | nn.gelu({}) | nn.one_hot({}, 5) | jnp.take({}, i) | jnp.take({}, 0, axis=0)
jnp.take({}, i, axis=-1) | jnp.diff({}) | jnp.round({}) | jnp.floor({}) | round({}) | abs({}) | jnp.real({}) | {}.imag | jnp.conj({})
jnp.dot({}, {}) | jnp.outer({}, {}) | {} @ m | jnp.matmul({}, m) | jnp.dot({}, p) | jnp.vdot({}, {}) | jnp.tensordot({}, f, 1)
jnp.tensordot({}, m, axes=([-1], [0])) | jnp.tensordot({}, m, 0) | jnp.inner({}, m) | jnp.linalg.norm({}) | jnp.linalg.norm({}, axis=-1)
jnp.swapaxes({}, 0, 1) | {}.swapaxes(0, -1) | jnp.moveaxis({}, 0, -1) | jnp.diag({}) | jnp.tril({}) | jnp.triu({}, 1)
jnp.broadcast_to({}, (4, 2, 3)) | jnp.resize({}, (2, 4)) | jax.image.resize({}, ({}.ndim + 1,) * {}.ndim, 'nearest') | jnp.split({}, 2) | jnp.split({}, 3, axis=-1) | jnp.split({}, [1]) | jnp.array_split({}, 2)
jnp.unstack({}) | jnp.split({}, 3, axis=-1)[0] | jnp.split({}, [1])[1] | jnp.array_split({}, 2)[1] | jnp.broadcast_arrays({}, f) | jnp.meshgrid({}, p) | jnp.nonzero({}, size=2) | jnp.argwhere({}, size=2)
lax.stop_gradient({}) | lax.top_k({}, 2) | lax.dynamic_slice_in_dim({}, n, 1) | lax.dynamic_index_in_dim({}, n) | lax.neg({})
lax.dynamic_index_in_dim({}, 0, keepdims=False) | lax.expand_dims({}, (0,)) | lax.convert_element_type({}, jnp.int8) | lax.add({}, {})
lax.max({}, {}) | lax.exp({}) | lax.lt({}, {}) | lax.select({} > 0, {}, {}) | lax.select(jnp.max({}) > 0, 0.0, lax.convert_element_type(0.9, jnp.float32)) | jnp.expand_dims({}, range(1)) | jnp.atleast_1d({}) | jnp.atleast_2d({}) | jnp.atleast_3d({}) | jnp.expand_dims({}, range({}.ndim)[:1]) | lax.dynamic_update_slice_in_dim({}, {}, 0, 0)
lax.cumsum({}) | random.permutation(key, {}) | random.choice(key, {}) | random.choice(key, {}, (2,)) | random.categorical(key, {})
random.bernoulli(key, {}) | {}.shape | {}.ndim | {}.size | jnp.shape({}) | jnp.size({}) | np.shape({}) | {}.shape[0]
jnp.zeros({}.shape) | jnp.zeros({}.shape[1:], {}.dtype) | jnp.ones_like({})[:1] | jax.vmap(lambda x: x + 1)({}) | jax.jit(lambda x: x * 2)({})
jax.vmap(jnp.sum)({}) | jax.grad(lambda x: jnp.sum(x))({}) | jax.vmap(lambda x: x, in_axes=1)({}) | jax.jit(jnp.mean)({})
lax.scan(lambda carry, x: (carry, x * 2), 0.0, {}) | lax.map(lambda x: x, {}) | lax.cond(True, lambda x: x, lambda x: x, {})
lax.fori_loop(0, 3, lambda j, x: x, {}) | lax.while_loop(lambda x: True, lambda x: x, {})
"""
ALONE = """\
jnp.zeros(3) | jnp.zeros((2, 0)) | jnp.ones((2,), int) | jnp.ones(shape=(2, 2)) | jnp.full((2,), 1) | jnp.full((2,), 1.0) | jnp.full(2, n)
jnp.full((2, 2), 0, dtype=jnp.float16) | jnp.empty((3,), "int8") | jnp.arange(5) | jnp.arange(1, 7, 2) | jnp.arange(3.0) | jnp.arange(2, dtype=float)
jnp.arange(0, 1, 0.1) | jnp.fft.fftfreq(5) | jnp.fft.fftfreq(6, d=0.1) | jnp.fft.rfftfreq(6) | jnp.fft.rfftfreq(7, 0.5) | jnp.linspace(0, 1) | jnp.linspace(0, 1, 5) | jnp.linspace(f, 1, num=4) | jnp.linspace(0, 1, 3, dtype=int) | jnp.eye(3)
jnp.eye(2, 4) | jnp.identity(3) | jnp.tri(3) | jnp.array(1) | jnp.array(1.0) | jnp.array(True) | jnp.array([1, 2]) | jnp.array([1, 2.5])
jnp.array([[1, 2], [3, 4]]) | jnp.array([[1.0], [2.0]]) | jnp.array(((1, 2, 3),)) | jnp.array([[[1]]]) | jnp.array([]) | jnp.array([True, False])
jnp.array([s, 1]) | jnp.array([p, p]) | jnp.asarray([w, 1]) | jnp.array([n, 2.0]) | jnp.array([f, i]) | jnp.array(z) | jnp.asarray(k)
jnp.float32(1) | jnp.int32(w) | jnp.asarray(np.float32(1)) | np.sin(z) | np.zeros(3) | z + 1 | z * f | np.sum(z) | z[0] | k[1:] | z.shape
jnp.array([0] * 3) | jnp.array([x for x in (1, 2)]) | jnp.asarray((1, 2)) | jnp.sin(1) | jnp.sqrt(2) | jnp.maximum(1, 2.0) | jnp.where(b, 1, 0)
jnp.where(b, 1.0, 0) | jnp.where(b, w, 0) | jnp.stack([1.0, 2.0]) | jnp.hstack([1, 2]) | jnp.concatenate([f, i], 1) | jnp.concatenate([f, b])
jnp.concatenate([one, f]) | jnp.concatenate([p, u]) | jnp.stack([p, c]) | jnp.vstack([p, u]) | jnp.hstack([f, one.reshape(3, 1)[:2]])
jnp.einsum("ij,jk->ik", f, m) | jnp.einsum("ij->i", f) | jnp.einsum("ij,ij", f, i) | jnp.einsum("ij->ji", h[0]) | jnp.einsum("...i->...", f)
jnp.einsum("i,i->", p, u) | f @ m | m @ p | p @ p | h @ m | h @ f.T | f.T @ f | one @ m | jnp.transpose(h, (1, 2, 0)) | h.transpose(2, 0, 1)
jnp.moveaxis(h, (0, 1), (1, 2)) | jnp.expand_dims(h, (1, 3)) | one.squeeze(0) | jnp.squeeze(one, axis=0) | h.reshape(4, -1) | h.reshape((2, 12))
h.reshape(h.shape[0], -1) | jnp.pad(f, ((1, 1), (0, 2))) | jnp.pad(f, (1, 2)) | jnp.pad(f, [(1, 0), (0, 0)]) | jnp.sum(h, axis=(0, 2)) | h.mean((0, 1), keepdims=True)
h[0] | h[0, 1] | h[..., 1] | h[:, :, 0] | h[1:3, ::-1] | h[:, 0, None] | h[None, ..., None] | h[jnp.array([[0, 1]]), :, 0] | h[0, :, jnp.arange(3)]
h[:, jnp.arange(2), jnp.arange(2)] | h[-2:] | h[5:] | h[1:1] | h[:, [0, 1]] | h[n, ..., n] | h[np.arange(2)] | h[k, 0, k]
lax.dynamic_slice(f, (0, 1), (1, 2)) | lax.dynamic_slice(h, (n, 0, 0), h.shape) | lax.dynamic_update_slice(f, f[:1], (0, 0)) | lax.iota(int, 3)
lax.full((2,), 1.0) | lax.reshape(f, (3, 2)) | lax.transpose(f, (1, 0)) | lax.squeeze(one, (0,)) | lax.concatenate([f, f], 0) | lax.rsqrt(f) | lax.mul(f, 2.0)
lax.dynamic_slice_in_dim(f, 0, 2, axis=1) | lax.cond(True, lambda: 1.0, lambda: 2.0) | lax.switch(0, [lambda: f, lambda: f + 1])
random.normal(key) | random.normal(key, (3,)) | random.uniform(key, (2, 2), jnp.float16) | random.randint(key, (3,), 0, 5) | random.bits(key)
random.bernoulli(key, shape=(2,)) | random.bernoulli(key) | random.categorical(key, f, axis=0) | random.permutation(key, 5) | random.choice(key, 5, (3,))
random.truncated_normal(key, -1, 1) | random.truncated_normal(key, -1, 1, (2,)) | random.gamma(key, f) | random.exponential(key, (2,)) | random.poisson(key, f)
random.uniform(key, shape=f.shape) | random.normal(key, (n.ndim + 1,)) | random.gumbel(key, (3,), dtype="float16") | random.rademacher(key, (2,))
lax.scan(lambda carry, x: (carry + x, carry), 0.0, p) | lax.scan(lambda a, x: (a, (a, x)), (s, n), f) | lax.scan(lambda a, _: (a * 2, a), w, None, length=4)
lax.fori_loop(0, 3, lambda j, x: x + j, 0) | lax.fori_loop(0, 3, lambda j, x: (x[0] + 1.0, x[1]), (s, p)) | lax.while_loop(lambda x: x < 3, lambda x: x + 1, 0)
lax.fori_loop(0, 3, lambda j, x: x + n, 0) | lax.while_loop(lambda x: x[0] < 3, lambda x: (x[0] + 1, x[0] + n), (0, 0))
lax.cond(True, lambda: (1, f), lambda: (2, f)) | jax.vmap(lambda x, y: x @ y, in_axes=(0, None))(f, m) | jax.vmap(lambda x: x.sum(0), out_axes=1)(h)
jax.vmap(lambda x: 1.0)(p) | jax.vmap(lambda x: (x, x.sum()))(f) | jax.value_and_grad(lambda x: (x**2).sum())(f) | jax.jacfwd(lambda x: x)(s)
jax.grad(lambda x: x ** jnp.array(2.0))(1.5) | jax.grad(lambda x: x * s)(1.5) | jax.value_and_grad(lambda x: x ** jnp.array(2.0))(w)
jax.vjp(lambda x: x ** jnp.array(2.0), w)[1](w) | jax.vjp(lambda x: x * s, w) | jax.jvp(lambda x: x * s, (w,), (w,)) | jax.jacfwd(lambda x: x * s)(1.5)
jax.jacfwd(lambda x: x**2)(w) | jax.jacrev(lambda x: x ** jnp.array(2.0))(w) | jax.hessian(lambda x: x**2)(w) | jax.grad(lambda x: x[0] * w)((w, s))
jnp.searchsorted(p, f) | jnp.searchsorted(p, 1) | jnp.trace(m) | jnp.diag(m) | jnp.diag(p, 1) | jnp.diff(h, axis=0) | jnp.diff(h, n=2) | jnp.isin(f, p)
jnp.convolve(p, u) | jnp.convolve(c, k, mode="same") | jnp.convolve(k, u, "valid") | jnp.correlate(u, jnp.ones(2)) | jnp.interp(h, k, c)
np.triu_indices(3, 1) | np.tril_indices(3, 1)[0] | np.diag_indices(3) | np.diag_indices(2, 3)[2] | np.nonzero(z) | np.where(z > 0)[1] | np.split(z, 2)[0]
np.indices((2, 3)) | np.indices((2, 3), dtype=np.float32) | np.bincount(k) | np.bincount(k, weights=z[0]) | np.digitize(z, k) | np.where(z > 0, 1.0, z)
jnp.triu_indices(3, 1) | jnp.diag_indices(3) | jnp.indices((2, 3)) | jnp.indices((2, 3), sparse=True) | jnp.bincount(i[0], length=4) | jnp.digitize(f, k)
np.unique(k) | np.unique(z) | np.unique(k, return_counts=True)[1] | jnp.unique(i, size=3) | jnp.unique(f, size=2, axis=0) | np.unique(z, axis=0)
np.stack(np.triu_indices(3, 1), axis=1) | np.meshgrid(k, k)[1] | np.array_split(z[0], 2)[1] | jnp.asarray(np.bincount(k))
jnp.allclose(f, f) | jnp.array_equal(f, f) | jnp.meshgrid(p, u, c) | jnp.meshgrid(p, s[None], indexing="ij") | jnp.flatnonzero(f, size=4) | jnp.where(f, size=3)
jnp.bincount(k, length=4) | jnp.average(f) | jnp.average(f, axis=0, weights=None) | jnp.tile(f, (2, 1, 1)) | jnp.repeat(f, p, axis=1, total_repeat_length=5)
jnp.linalg.norm(f, axis=(0, 1)) | jnp.linalg.norm(f, axis=1, keepdims=True) | jnp.mean(i, axis=0, dtype=jnp.float16) | jnp.sum(p, dtype=float) | jnp.max(f, initial=0)
sum([f, f]) | len(f) | f.shape + (1,) | jnp.zeros(len(f)) | jnp.ones(f.size) | jnp.zeros((2, *p.shape)) | jnp.max(jnp.stack([s, 1.0]))
"""
# The share of expressions that run of which the model knows shape and dtype.
KNOWN = 0.95


def expressions() -> Iterator[str]:
    arrays = "i b h p u c m one s w n".split()
    count = 0
    for line in OF_ONE.splitlines():
        for form in line.split(" | "):
            count += 1
            chosen = [arrays[(count + step) % len(arrays)] for step in (0, 5)]
            yield from (form.replace("{}", array) for array in ("f", *chosen))
    for line in ALONE.splitlines():
        yield from line.split(" | ")


@pytest.fixture(scope="module")
def said() -> dict[str, v.Value]:
    """What the model says of each expression."""
    text = ARRAYS + "\n".join(f"({each})" for each in expressions())
    unit = lower(Source.from_text(text, "shapes.py"))
    model = analyse(unit)
    known = {site: value for site, value, _ in model.values}
    statements = unit.module.body[-len(list(expressions())) :]
    assert not model.budget_reached
    return {each: known.get(node.value.site, v.UNKNOWN) for each, node in zip(expressions(), statements)}


def difference(value: v.Value, real: Any) -> str:
    """In what the model is wrong; empty where it is not."""
    if isinstance(value, v.Tuple) and value.items is not None:
        parts = list(real) if isinstance(real, (tuple, list)) else []
        if len(parts) != len(value.items):
            return f"{len(value.items)} items"
        return next(filter(None, map(difference, value.items, parts)), "")
    if isinstance(value, v.Const):
        return "" if value.value == real else f"the value {value.value}"
    aval = value.aval if isinstance(value, (v.Array, v.Host)) else v.ANY
    dtype, shape = str(getattr(real, "dtype", "")), getattr(real, "shape", None)
    if aval.dtype is not None and aval.dtype != _narrow(dtype) and aval.dtype not in v.KEYS:
        return f"dtype {aval.dtype}, not {dtype}"
    if aval.shape is not None and (shape is None or len(shape) != len(aval.shape)):
        return f"shape {aval.shape}, not {shape}"
    if aval.shape is not None and any(m is not None and m != n for m, n in zip(aval.shape, shape or ())):
        return f"shape {aval.shape}, not {shape}"
    weak = getattr(real, "weak_type", None)
    if isinstance(value, v.Array) and aval.dtype not in (None, "bool") and aval.weak is not None and aval.weak != weak:
        return f"weak {aval.weak}, not {weak}"
    return ""


def _narrow(dtype: str) -> str:
    return {"float64": "float32", "int64": "int32", "complex128": "complex64"}.get(dtype, dtype)


def certain(value: v.Value) -> bool:
    if isinstance(value, v.Ref):  # a list: it is looked at where its items are used
        return True
    if isinstance(value, v.Tuple):
        return value.items is not None and all(map(certain, value.items))
    if isinstance(value, (v.Array, v.Host)):
        return value.aval.dtype is not None and value.aval.shape is not None and None not in value.aval.shape
    return isinstance(value, v.Const)


def test_shapes_and_dtypes_are_those_of_jax(said: dict[str, v.Value]) -> None:
    scope: dict[str, Any] = {}
    exec(ARRAYS, scope)
    wrong, ran, known, vague = [], 0, 0, []
    for text, value in said.items():
        try:
            real = _real(text, scope)
        except Exception:  # an expression that fails for this array
            continue
        ran += 1
        known += certain(value)
        vague += [] if certain(value) else [text]
        found = difference(value, real)
        if found:
            wrong.append(f"{text}: {found}")
    assert not wrong, "\n".join(wrong)
    assert known / ran >= KNOWN, f"{known} of {ran}: " + " | ".join(vague)


def _real(text: str, scope: dict[str, Any]) -> Any:
    """What JAX gives, without computing it where that can be had."""
    code = compile(ast.parse(text, mode="eval"), text, "eval")
    if text.endswith((".shape", ".ndim", ".size", "]")) or text.startswith(
        ("np.", "jnp.s", "len", "z", "k", "f.shape", "jnp.nonzero")
    ):
        return eval(code, scope)
    return jax.eval_shape(lambda: eval(code, scope))
