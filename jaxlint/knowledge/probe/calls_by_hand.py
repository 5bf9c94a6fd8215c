"""Calls that cannot be guessed from parameter names, in the values of `examples.VALUES`."""

from __future__ import annotations

# Values of one parameter of one function.
VALUES: dict[str, tuple[str, ...]] = {
    "jax.numpy.split.indices_or_sections": ("3", "(1,)"),
    "jax.numpy.eye.k": ("1",),
    "jax.nn.one_hot.axis": ("-1",),
}

# Not called: they change the process, need devices, or read and write files.
SKIPPED = {
    "jax.numpy.set_printoptions", "jax.numpy.printoptions", "jax.clear_caches", "jax.clear_backends", "jax.print_environment_info", "jax.set_mesh",
    "jax.numpy.save", "jax.numpy.savez", "jax.numpy.load", "jax.numpy.fromfile", "jax.numpy.tofile", "jax.live_arrays", "jax.make_user_context",
}
SKIPPED_PREFIXES = (
    "jax.distributed", "jax.profiler", "jax.transfer_guard", "jax.make_array_from", "jax.debug_", "jax.default_", "jax.enable_", "jax.numpy_",
    "jax.tree_util.register", "jax.tree_util.Partial", "jax.make_mesh", "jax.check_tracer_leaks", "jax.checking_leaks", "jax.legacy_", "jax.softmax_",
    "jax.threefry_", "jax.log_compiles", "jax.array_garbage", "jax.explain_", "jax.no_", "jax.allow_", "jax.disable_", "jax.ensure_", "jax.process_",
)

# Called inside `vmap(axis_name="i")`, where the axis is known.
COLLECTIVES = {
    "jax.lax." + name for name in (
        "all_gather", "all_to_all", "axis_index", "axis_size", "pmax", "pmean", "pmin", "ppermute", "pshuffle", "psum", "psum_scatter", "pswapaxes", "pcast",
        "pvary", "pbroadcast", "ragged_all_to_all",
    )
}

_STATS_POSITIVE = ("v",)
_CONV = "'SAME'"

CALLS: dict[str, tuple[str, ...]] = {
    "jax.grad": ("f",), "jax.value_and_grad": ("f",), "jax.jit": ("f",), "jax.vmap": ("f",), "jax.pmap": ("f",),
    "jax.jvp": ("f, (v,), (v,)",), "jax.vjp": ("f, v",), "jax.linearize": ("f, v",), "jax.linear_transpose": ("lambda x: 2 * x, v",),
    "jax.hessian": ("f",), "jax.jacfwd": ("f",), "jax.jacrev": ("f",), "jax.checkpoint": ("f",), "jax.eval_shape": ("f, v",), "jax.make_jaxpr": ("f",),
    "jax.custom_jvp": ("f",), "jax.custom_vjp": ("f",), "jax.named_call": ("f",), "jax.closure_convert": ("f, v",), "jax.device_put": ("v", "v, None", "tree"),
    "jax.device_get": ("v", "tree"), "jax.block_until_ready": ("v", "tree"), "jax.copy_to_host_async": ("v",),
    "jax.pure_callback": ("lambda x: (np.asarray(x),), (jax.ShapeDtypeStruct((3,), jnp.float32),), v", "lambda x: np.asarray(x), jax.ShapeDtypeStruct((3,), jnp.float32), v",),
    "jax.ShapeDtypeStruct": ("(2, 3), f32", "(3,), f32"), "jax.typeof": ("v", "m"),
    "jax.dtypes.bfloat16": ("1.0", "v"),
    "jax.image.scale_and_translate": ("m, (4, 4), (0, 1), jnp.ones(2), jnp.ones(2), 'linear'",),
    "jax.image.resize": ("m, (4, 4), 'linear'",),
    "jax.lax.after_all": ("jax.lax.create_token()",),
    "jax.lax.all_gather": ("{'a': v}, 'i'", "v, 'i'", "m, 'i'"), "jax.lax.all_to_all": ("{'a': jnp.ones((2, 3))}, 'i', 0, 0", "jnp.ones((2, 3)), 'i', 0, 0", "jnp.ones((2, 2)), 'i', 0, 1"), "jax.lax.axis_index": ("'i'",),
    "jax.lax.axis_size": ("'i'",), "jax.lax.pmax": ("v, 'i'", "tree, 'i'"), "jax.lax.pmean": ("v, 'i'", "tree, 'i'"), "jax.lax.pmin": ("v, 'i'", "tree, 'i'"), "jax.lax.psum": ("v, 'i'", "i, 'i'", "tree, 'i'"),
    "jax.lax.stop_gradient": ("v", "m", "tree"), "jax.lax.optimization_barrier": ("v", "tree"), "jax.lax.sort": ("v", "m", "(v, v)"),
    "jax.lax.ppermute": ("{'a': v}, 'i', [(0, 1), (1, 0)]", "v, 'i', [(0, 1), (1, 0)]",), "jax.lax.pshuffle": ("{'a': v}, 'i', [1, 0]", "v, 'i', [1, 0]",), "jax.lax.psum_scatter": ("{'a': jnp.ones((2, 3))}, 'i'", "jnp.ones((2, 3)), 'i'",),
    "jax.lax.pswapaxes": ("{'a': jnp.ones((2, 3))}, 'i', 0", "jnp.ones((2, 3)), 'i', 0",),
    "jax.lax.associative_scan": ("lambda a, b: (a[0] + b[0], a[1]), (v, v)", "jnp.add, v", "jnp.add, m, axis=1", "jnp.add, m, reverse=True"),
    "jax.lax.cond": ("True, lambda x: {'a': x}, lambda x: {'a': x}, v", "True, lambda x: x, lambda x: -x, v", "True, lambda x: x, lambda x: -x, m", "True, lambda: s, lambda: -s"),
    "jax.lax.switch": ("1, [lambda x: (x, x), lambda x: (x, x)], v", "1, [lambda x: x, lambda x: -x], v", "n, [lambda x: x, lambda x: -x], v"),
    "jax.lax.fori_loop": ("0, 3, lambda i, x: x, tree", "0, 3, lambda i, x: x + i, s", "0, 3, lambda i, x: x, v", "0, n, lambda i, x: x, v"),
    "jax.lax.while_loop": ("lambda x: x[0].sum() < 3, lambda x: (x[0] + 1, x[1]), (v, v)", "lambda x: x.sum() < 3, lambda x: x + 1, v",),
    "jax.lax.scan": ("lambda c, x: (c + x, c), s, v", "lambda c, x: (c, x), s, None, length=3", "lambda c, x: (c, c), v, m", "lambda c, x: (c + x, c), s, v, length=3"),
    "jax.lax.map": ("f, v", "f, m", "lambda x: (x, x), v"),
    "jax.lax.conv": ("jnp.ones((1, 1, 4, 4)), jnp.ones((1, 1, 2, 2)), (1, 1), 'SAME'",),
    "jax.lax.conv_general_dilated": ("jnp.ones((1, 1, 4, 4)), jnp.ones((1, 1, 2, 2)), (1, 1), 'SAME'", "jnp.ones((1, 1, 4, 4)), jnp.ones((1, 1, 2, 2)), (1, 1), ((0, 0), (0, 0)), (1, 1), (1, 1)"),
    "jax.lax.conv_general_dilated_local": ("jnp.ones((1, 1, 4, 4)), jnp.ones((1, 4, 4, 4)), (1, 1), 'SAME', (2, 2)",),
    "jax.lax.conv_general_dilated_patches": ("jnp.ones((1, 1, 4, 4)), (2, 2), (1, 1), 'SAME'",),
    "jax.lax.conv_transpose": ("x4, w4, (1, 1), 'SAME'",), "jax.lax.conv_with_general_padding": ("jnp.ones((1, 1, 4, 4)), jnp.ones((1, 1, 2, 2)), (1, 1), ((0, 0), (0, 0)), (1, 1), (1, 1)",),
    "jax.lax.conv_dimension_numbers": ("(1, 4, 4, 1), (2, 2, 1, 1), ('NHWC', 'HWIO', 'NHWC')",),
    "jax.lax.conv_shape_tuple": ("(1, 1, 4, 4), (1, 1, 2, 2), (1, 1), ((0, 0), (0, 0))",),
    "jax.lax.composite": ("f, 'mine.f'",), "jax.lax.broadcast_shapes": ("(2, 3), (3,)",), "jax.lax.padtype_to_pads": ("(4, 4), (2, 2), (1, 1), 'SAME'",),
    "jax.lax.custom_linear_solve": ("lambda x: x, tree, lambda mv, b: b", "lambda x: 2 * x, v, lambda mv, b: b / 2", ), "jax.lax.custom_root": ("lambda x: x, (v,), lambda f, x: x, lambda g, y: y", "lambda x: x - 1, s, lambda f, x: x, lambda g, y: y / g(1.0)",),
    "jax.lax.dot_general": ("m, m, (((1,), (0,)), ((), ()))",), "jax.lax.dot": ("v, v", "m, m"),
    "jax.lax.gather": ("v, jnp.array([[0], [1]]), lax.GatherDimensionNumbers((), (0,), (0,)), (1,)",),
    "jax.lax.scatter_apply": ("v, jnp.array([[0], [1]]), f, lax.ScatterDimensionNumbers((), (0,), (0,)), update_shape=(2,)",),
    "jax.lax.index_take": ("v, (i,), (0,)",), "jax.lax.pad": ("v, 0.0, [(1, 1, 0)]", "m, 0.0, [(1, 1, 0), (0, 0, 0)]"),
    "jax.lax.platform_dependent": ("v, default=lambda x: (x, x)", "v, default=f",), "jax.lax.ragged_dot": ("m, jnp.ones((2, 3, 3)), jnp.array([1, 2])",),
    "jax.lax.reduce": ("(v, v), (0.0, 0.0), lambda x, y: (x[0] + y[0], x[1] + y[1]), (0,)", "v, jnp.float32(0), lax.add, (0,)", "m, jnp.float32(0), lax.max, (1,)", "v, 0.0, lambda x, y: x * y, (0,)"),
    "jax.lax.reduce_window": ("m, 0.0, lax.add, (2, 2), (1, 1), 'VALID'",), "jax.lax.reduce_window_shape_tuple": ("(4, 4), (2, 2), (1, 1), ((0, 0), (0, 0))",),
    "jax.lax.rng_bit_generator": ("jnp.zeros(4, jnp.uint32), (3,)",), "jax.lax.squeeze": ("v[None], (0,)", "m[None], (0,)"),
    "jax.lax.dynamic_slice": ("v, (0,), (2,)", "m, (0, 1), (2, 2)", "v, (n,), (1,)"), "jax.lax.dynamic_update_slice": ("v, v[:1], (0,)", "m, m[:1, :1], (n, 0)"),
    "jax.lax.dynamic_slice_in_dim": ("v, 0, 2", "m, 0, 2, 1"), "jax.lax.slice": ("v, (0,), (2,)", "m, (0, 1), (2, 2), (1, 1)"),
    "jax.lax.linalg.cholesky_update": ("jnp.eye(3), v",), "jax.lax.linalg.householder_product": ("m, v",), "jax.lax.linalg.lu_pivots_to_permutation": ("i, 3",),
    "jax.lax.linalg.ormqr": ("m, v, m",), "jax.lax.linalg.qdwh": ("m",), "jax.lax.linalg.tridiagonal_solve": ("v, v, v, v[:, None]",), "jax.lax.with_sharding_constraint": ("tree, jax.sharding.SingleDeviceSharding(device)", "v, jax.sharding.SingleDeviceSharding(device)",),
    "jax.nn.scaled_matmul": ("jnp.ones((1, 4, 32)), jnp.ones((1, 4, 32)), jnp.ones((1, 4, 1)), jnp.ones((1, 4, 1))",),
    "jax.nn.dot_product_attention": ("q, q, q",), "jax.nn.initializers.constant": ("1.0",), "jax.nn.initializers.variance_scaling": ("1.0, 'fan_in', 'normal'",),
    "jax.nn.one_hot": ("i, 4", "n, 4", "2, 4"), "jax.nn.standardize": ("v", "m"),
    "jax.numpy.apply_along_axis": ("jnp.sum, 0, m",), "jax.numpy.apply_over_axes": ("jnp.sum, m, (0, 1)",), "jax.numpy.argpartition": ("v, 1", "m, 1"), "jax.numpy.partition": ("v, 1", "m, 1"),
    "jax.numpy.clip": ("v, 0.0, 1.0", "i, 0, 1", "v, min=v", "m, max=1.0"), "jax.numpy.einsum": ("'ij,j->i', m, v", "'i,i->', v, v", "'ii->i', m"),
    "jax.numpy.einsum_path": ("'ij,j->i', m, v",), "jax.numpy.fill_diagonal": ("m, 0.0, inplace=False", "m, v, inplace=False"),
    "jax.numpy.float6_e2m3fn": (), "jax.numpy.fromiter": (), "jax.numpy.dtype": ("'float32'",), "jax.numpy.finfo": ("f32",), "jax.numpy.iinfo": ("jnp.int32",), "jax.numpy.broadcast_shapes": ("(2, 3), (3,)",),
    "jax.numpy.squeeze": ("v[None]", "m[None]"), "jax.numpy.max": ("v", "m", "v, initial=0.0"), "jax.numpy.min": ("v", "m", "v, initial=0.0"), "jax.numpy.digitize": ("v, v", "v, v, True"),
    "jax.numpy.take_along_axis": ("v, i, 0", "v, i, mode='fill'"), "jax.numpy.polyfit": ("v, v, 1",), "jax.numpy.histogram2d": ("v, v", "v, v, 4, ((0.0, 1.0), (0.0, 1.0))"), "jax.numpy.histogramdd": ("m", "m, 4, ((0.0, 1.0), (0.0, 1.0), (0.0, 4.0))"),
    "jax.numpy.linalg.svd": ("m", "m[None]"), "jax.numpy.mask_indices": ("3, jnp.triu", "3, jnp.tril, size=6"),
    "jax.numpy.place": ("v, b, v, inplace=False",), "jax.numpy.put": ("v, i, v, inplace=False",), "jax.numpy.put_along_axis": ("v, i, v, 0, inplace=False",),
    "jax.numpy.ravel_multi_index": ("(i, i), (3, 3)", "(i, i), (3, 3), mode='clip'"), "jax.numpy.fromstring": ("'1 2', sep=' '",),
    "jax.numpy.split": ("v, 3", "m, (1, 2)", "m, 1", "v, (1,)"), "jax.numpy.array_split": ("v, 3", "m, 2", "v, 1"), "jax.numpy.hsplit": ("m, 3", "t, 1"), "jax.numpy.vsplit": ("m, 3", "m, 1"),
    "jax.numpy.dsplit": ("t, 2", "t, 1"), "jax.numpy.nonzero": ("v", "m", "b"), "jax.numpy.where": ("b, v, v", "b, v, 0.0", "b, s, s", "b", "m > 0"),
    "jax.numpy.unravel_index": ("i, (3, 3)", "n, (2, 2, 2)", "2, (3,)"), "jax.numpy.indices": ("(3, 3)",), "jax.numpy.ix_": ("i, i", "i"), "jax.numpy.meshgrid": ("v, v", "v, v, v"),
    "jax.numpy.broadcast_arrays": ("v, m", "v"), "jax.numpy.unstack": ("v", "t", "m, axis=1"), "jax.numpy.gradient": ("v", "m", "v, 1.0"),
    "jax.numpy.atleast_1d": ("s", "s, v"), "jax.numpy.atleast_2d": ("v", "s, v"), "jax.numpy.atleast_3d": ("v", "s, v"), "jax.numpy.repeat": ("v, 2", "v, i", "m, 2, 0", "v, i + 1"),
    "jax.numpy.arange": ("4", "1, 4", "0, 4, 2", "4.0", "0.0, 1.0, 0.25"), "jax.numpy.linspace": ("0.0, 1.0", "0.0, 1.0, 5", "v, v, 4"), "jax.numpy.logspace": ("0.0, 1.0", "0.0, 1.0, 5"),
    "jax.numpy.geomspace": ("1.0, 2.0", "1.0, 2.0, 5"), "jax.numpy.array": ("v", "1.0", "[s, s]", "[1.0, 2.0]"), "jax.numpy.asarray": ("v", "1.0", "[s, s]"),
    "jax.numpy.reshape": ("v, (3, 1)", "m, (9,)", "v, 3", "m, (-1, 9)"), "jax.numpy.ravel": ("v", "m"), "jax.numpy.broadcast_to": ("v, (2, 3)", "s, (3,)", "s, 3"), "jax.numpy.tile": ("v, 2", "v, (2, 2)"),
    "jax.numpy.full": ("(2, 3), 1.0", "3, 1.0", "(3,), v"), "jax.numpy.full_like": ("v, 1.0", "m, 1.0", "v, v", "v, 1.0, shape=(2,)"),
    "jax.numpy.delete": ("v, 1", "v, i", "m, 1, 0", "v, slice(0, 2)", "v, jnp.array([0, 1])"), "jax.numpy.insert": ("v, 1, 1.0", "v, jnp.array([0, 1]), 1.0"), "jax.numpy.select": ("[b, b], [v, v]", "[b], [v], 0.0"),
    "jax.numpy.piecewise": ("v, [b, ~b], [f, 0.0]", "v, [b, ~b], [1.0, 0.0]"), "jax.numpy.choose": ("i, [v, v, v]", "i, [v, v, v], mode='clip'"), "jax.numpy.bincount": ("i", "i, v"),
    "jax.numpy.compress": ("b, v", "b, m, 0"), "jax.numpy.extract": ("b, v",), "jax.numpy.concatenate": ("[v, v]", "[m, m], 1", "(v, v)", "m"), "jax.numpy.stack": ("[v, v]", "[m, m], 1", "m"),
    "jax.numpy.histogram": ("v", "v, 4", "v, v"), "jax.numpy.interp": ("v, v, v", "0.5, v, v"), "jax.numpy.pad": ("v, 1", "m, ((1, 1), (0, 0))", "v, (1, 2)"), "jax.numpy.roll": ("v, 1", "m, (1, 1), (0, 1)", "m, 1, 0"),
    "jax.numpy.moveaxis": ("m, 0, 1", "t, (0, 1), (1, 0)"), "jax.numpy.swapaxes": ("m, 0, 1",), "jax.numpy.transpose": ("m", "m, (1, 0)"), "jax.numpy.take": ("v, i", "v, 1", "m, i, 0", "v, i, mode='fill', fill_value=0.0"), "jax.numpy.vectorize": ("f",),
    "jax.numpy.frompyfunc": ("lambda x, y: x + y, 2, 1",), "jax.numpy.result_type": ("v, i", "v"), "jax.numpy.trim_zeros": ("i", "v"), "jax.numpy.unique": ("i", "v", "m"), "jax.numpy.roots": ("v", "w"),
    "jax.numpy.cross": ("v, v",), "jax.numpy.tensordot": ("m, m", "m, m, 1", "m, m, ((0,), (1,))"), "jax.numpy.fromfunction": ("lambda x, y: x + y, (2, 3)",), "jax.numpy.diag": ("v", "m", "v, 1"), "jax.numpy.trace": ("m", "m, 1"),
    "jax.numpy.average": ("v", "v, weights=v", "m, 0"), "jax.numpy.quantile": ("v, 0.5", "m, v, 0"), "jax.numpy.linalg.matrix_power": ("m, 2",), "jax.numpy.linalg.multi_dot": ("[m, m, m]",), "jax.numpy.linalg.norm": ("v", "m", "m, 2", "m, axis=0", "v, 1"),
    "jax.random.triangular": ("k, 0.0, 0.5, 1.0", "k, 0.0, 0.5, 1.0, (3,)"), "jax.random.wrap_key_data": ("raw",), "jax.random.choice": ("k, 5", "k, v", "k, 5, (2,)", "k, v, (2,), True, v / 1.5", "k, m, axis=1"),
    "jax.random.permutation": ("k, 5", "k, v", "k, m, 1"), "jax.random.split": ("k", "k, 3", "raw, 3"), "jax.random.fold_in": ("k, 3", "k, n", "raw, 3"), "jax.random.key": ("0", "n"), "jax.random.PRNGKey": ("0", "n"),
    "jax.random.randint": ("k, (3,), 0, 4", "k, 3, 0, 4", "k, (), n, 4"), "jax.random.categorical": ("k, v", "k, m", "k, v, shape=(2,)"), "jax.random.multivariate_normal": ("k, v, m",), "jax.random.normal": ("k", "k, (3,)", "raw, (3,)", "k, 3"),
    "jax.random.uniform": ("k", "k, (3,)", "k, (3,), f32, 0.0, 1.0"), "jax.random.bernoulli": ("k", "k, v", "k, 0.5, (3,)"), "jax.random.orthogonal": ("k, 3", "k, 3, (2,)"), "jax.random.gamma": ("k, v", "k, 1.0, (3,)"), "jax.random.truncated_normal": ("k, 0.0, 1.0", "k, 0.0, 1.0, (3,)"),
    "jax.random.multinomial": ("k, 3.0, v / 1.5",), "jax.random.dirichlet": ("k, v",), "jax.random.binomial": ("k, 3.0, 0.5", "k, 3.0, 0.5, (3,)"), "jax.random.ball": ("k, 3", "k, 3, 2, (2,)"), "jax.random.generalized_normal": ("k, 2.0, (3,)",),
    "jax.random.random_gamma_p": (), "jax.random.clone": ("k",), "jax.random.key_data": ("k",), "jax.random.key_impl": ("k",), "jax.random.beta": ("k, 1.0, 2.0", "k, 1.0, 2.0, (3,)"), "jax.random.f": ("k, 3.0, 2.0, (3,)",), "jax.random.bits": ("k", "k, (3,)"),
    "jax.scipy.linalg.cho_solve": ("(m, True), v", "(m, False), v"), "jax.scipy.linalg.lu_solve": ("jax.scipy.linalg.lu_factor(m), v",), "jax.scipy.linalg.eigh_tridiagonal": ("v, v[:2], eigvals_only=True",), "jax.scipy.linalg.leslie": ("v, v[:2]",),
    "jax.scipy.optimize.minimize": ("lambda x: (x ** 2).sum(), v, method='BFGS'",), "jax.scipy.special.zeta": ("v + 2, v",), "jax.scipy.special.hyp2f1": ("0.5, 0.5, 1.5, 0.25",), "jax.scipy.special.owens_t": ("0.5, v", "0.5, 0.25"),
    "jax.scipy.special.sph_harm_y": ("i[:1], i[:1], v[:1], v[:1], n_max=3",), "jax.scipy.special.lpmn_values": (), "jax.scipy.special.lpmn": (), "jax.scipy.special.bernoulli": ("4",), "jax.scipy.special.bessel_jn": ("0.5, v=2", "s, v=3, n_iter=20"),
    "jax.scipy.integrate.trapezoid": ("v", "v, v"), "jax.scipy.interpolate.RegularGridInterpolator": ("(v,), v",), "jax.scipy.ndimage.map_coordinates": ("m, [i, i], 1",), "jax.scipy.cluster.vq.vq": ("m, m",),
    "jax.scipy.sparse.linalg.cg": ("m, v", "lambda x: m @ x, v"), "jax.scipy.sparse.linalg.gmres": ("m, v",), "jax.scipy.sparse.linalg.bicgstab": ("m, v",), "jax.scipy.stats.multivariate_normal.logpdf": ("v, v, m",), "jax.scipy.stats.multivariate_normal.pdf": ("v, v, m",),
    "jax.scipy.stats.gaussian_kde": ("v",), "jax.scipy.signal.stft": ("w, nperseg=2",), "jax.scipy.signal.istft": ("c[None, :] * jnp.ones((2, 1)), nperseg=2",), "jax.scipy.signal.csd": ("w, w, nperseg=2", ), "jax.scipy.signal.welch": ("w, nperseg=2",),
    "jax.tree.map": ("f, tree", "f, v", "add, tree, tree"), "jax.tree_util.tree_map": ("f, tree", "f, v", "add, tree, tree"), "jax.tree.map_with_path": ("lambda p, x: x, tree",), "jax.tree_util.tree_map_with_path": ("lambda p, x: x, tree",),
    "jax.tree.reduce": ("lambda x, y: (x, y), [s, s]", "jnp.add, [s, s]", "jnp.add, [s, s], s"), "jax.tree_util.tree_reduce": ("jnp.add, [s, s]", "jnp.add, [s, s], s"), "jax.tree.unflatten": ("jax.tree_util.tree_structure({'a': 1, 'b': 2}), leaf2",),
    "jax.tree_util.tree_unflatten": ("jax.tree_util.tree_structure({'a': 1, 'b': 2}), leaf2",), "jax.tree.leaves": ("tree", "[v, v, v]"), "jax.tree_util.tree_leaves": ("tree", "[v, v, v]"), "jax.tree.flatten": ("tree", "[v, v, v]"), "jax.tree_util.tree_flatten": ("tree", "[v, v, v]"),
    "jax.tree.structure": ("tree",), "jax.tree_util.tree_structure": ("tree",), "jax.tree.all": ("[True, False]",), "jax.tree_util.tree_all": ("[True, False]",), "jax.tree.transpose": ("jax.tree_util.tree_structure([0, 0]), jax.tree_util.tree_structure((0, 0)), [(1, 2), (3, 4)]",),
    "jax.tree_util.tree_transpose": ("jax.tree_util.tree_structure([0, 0]), jax.tree_util.tree_structure((0, 0)), [(1, 2), (3, 4)]",), "jax.tree_util.treedef_tuple": ("[td, td]",), "jax.tree.broadcast": ("v, [1, 2]", "v, tree"), "jax.lax.split": ("v, (1, 2)", "v, (3,)"), "jax.lax.unstack": ("v", "t"),
    "jax.ops.segment_sum": ("v, i", "m, i", "v, i, 4"), "jax.ops.segment_max": ("v, i", "m, i", "v, i, 4"), "jax.ops.segment_min": ("v, i", "m, i", "v, i, 4"), "jax.ops.segment_prod": ("v, i", "m, i", "v, i, 4"),
    "jax.flatten_util.ravel_pytree": ("tree",), "jax.shard_map": ("f, mesh=jax.make_mesh((1,), ('i',)), in_specs=None, out_specs=None",), "jax.lax.approx_max_k": ("v, 2",), "jax.lax.approx_min_k": ("v, 2",),
}
for _name in ("scatter", "scatter_add", "scatter_max", "scatter_min", "scatter_mul", "scatter_sub"):
    CALLS[f"jax.lax.{_name}"] = ("v, jnp.array([[0], [1]]), v[:2], lax.ScatterDimensionNumbers((), (0,), (0,))",)

# Methods of an array; the array comes first.
CALLS.update({f"jax.Array.{_name}": calls for _name, calls in {
    "reshape": ("v, (3, 1)", "m, 9", "m, 3, 3"), "astype": ("v, f32",), "dot": ("m, m",), "repeat": ("v, 2", "v, i"), "searchsorted": ("v, 0.5", "v, v"), "swapaxes": ("m, 0, 1",),
    "take": ("v, i",), "choose": ("i, [v, v, v]",), "compress": ("v, b",), "view": ("v, jnp.int32",), "argpartition": ("v, 1",), "transpose": ("m", "m, 1, 0", "m, (1, 0)"), "nonzero": ("v", "m"),
    "to_device": ("v, device",), "sum": ("v", "m"), "clip": ("v", "v, 0.0, 1.0"), "conj": ("v",), "round": ("v",), "squeeze": ("v[None]", "v[None], 0"), "trace": ("m",), "diagonal": ("m",),
    "item": ("s",), "tolist": ("v",), "addressable_data": ("v, 0",), "argsort": ("v", "m"), "sort": ("v", "m"), "cumsum": ("v", "m"), "cumprod": ("v", "m"), "std": ("v",), "var": ("v",), "mean": ("v", "m"),
    "max": ("v", "m"), "min": ("v", "m"), "all": ("b", "v"), "any": ("b", "v"), "prod": ("v", "m"), "argmax": ("v", "m"), "argmin": ("v", "m"), "ptp": ("v", "m"), "ravel": ("v", "m"), "flatten": ("v", "m"),
    "at.set": ("v, 1.0",), "at.add": ("v, 1.0",), "at.multiply": ("v, 2.0",), "at.mul": ("v, 2.0",), "at.divide": ("v, 2.0",), "at.power": ("v, 2.0",), "at.min": ("v, 1.0",), "at.max": ("v, 1.0",), "at.subtract": ("v, 1.0",),
    "at.get": ("v",), "at.apply": ("v, f",), "at.mul_": (),
}.items()})
