"""Calls of libraries, in the values of `environment`. They say how to call a function, never what is true of it.

Most are made up: `guessed` calls functions, classes and methods by the names of their parameters. What that cannot make up is
written by hand in `CALLS`.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp

_TFP = "tensorflow_probability.substrates.jax"

# The public modules of each package whose functions and classes are called.
MODULES: dict[str, tuple[str, ...]] = {
    "optax": ("optax", "optax.schedules", "optax.losses", "optax.contrib", "optax.tree_utils"),
    "chex": ("chex",),
    "distrax": ("distrax",),
    "tensorflow_probability": (f"{_TFP}.distributions", f"{_TFP}.bijectors", f"{_TFP}.mcmc"),
    "numpyro": ("numpyro", "numpyro.infer", "numpyro.distributions", "numpyro.handlers", "numpyro.optim"),
    "gymnax": ("gymnax",),
    "jumanji": ("jumanji",),
    "brax": ("brax.envs",),
    "blackjax": ("blackjax",),
    "jaxopt": ("jaxopt",),
    "optimistix": ("optimistix",),
    "lineax": ("lineax",),
    "diffrax": ("diffrax",),
    "mctx": ("mctx",),
    "rlax": ("rlax",),
    "flashbax": ("flashbax",),
    "jraph": ("jraph",),
}

# What the first part of the names in calls stands for, beside the packages themselves.
_NAMES = {
    "tfd": f"{_TFP}.distributions", "tfb": f"{_TFP}.bijectors", "tfmcmc": f"{_TFP}.mcmc", "dist": "numpyro.distributions",
    "infer": "numpyro.infer", "envs": "brax.envs", "fbx": "flashbax", "optx": "optimistix", "lx": "lineax",
    "schedules": "optax.schedules", "losses": "optax.losses", "contrib": "optax.contrib", "handlers": "numpyro.handlers",
    "optim": "numpyro.optim",
}  # fmt: skip

VALUES: dict[str, Any] = {
    "jax": jax,
    "jnp": jnp,
    "v": jnp.array([0.25, 0.5, 0.75]),
    "m": jnp.array([[2.0, 0.5, 0.25], [0.5, 3.0, 0.75], [0.25, 0.75, 4.0]]),
    "data": jnp.ones((5, 3)),
    "labels": jnp.arange(5.0),
    "i": jnp.array([0, 1, 2]),
    "params": {"w": jnp.ones((2, 3)), "b": jnp.ones(4)},
    "updates": {"w": jnp.full((2, 3), 0.5), "b": jnp.full(4, 0.5)},
    "probs": jnp.array([0.2, 0.3, 0.5]),
    "logits": jnp.zeros((2, 4)),
    "s": jnp.float32(0.5),
    "item": {"obs": jnp.zeros(6), "reward": jnp.zeros(())},
}


# The same in which an array is a tree of them: what is an array with the one and a tree with the other is what is given.
TREES: dict[str, Any] = {"v": {"a": jnp.array([0.25, 0.5, 0.75]), "b": jnp.ones((2, 2))}}


def _squares(x: Any, *args: Any, **kwargs: Any) -> Any:
    return sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(x))


def _model(x: Any = None) -> None:
    import numpyro
    import numpyro.distributions as dist

    mu = numpyro.sample("mu", dist.Normal(0.0, 1.0))
    with numpyro.plate("data", 5):
        numpyro.sample("x", dist.Normal(mu, 1.0), obs=x)


def _guide(x: Any = None) -> None:
    import numpyro
    import numpyro.distributions as dist

    numpyro.sample("mu", dist.Delta(numpyro.param("loc", 0.0)))


def _recurrent(params: Any, key: Any, action: Any, embedding: Any) -> Any:
    import mctx

    out = mctx.RecurrentFnOutput(
        reward=jnp.zeros(2), discount=jnp.ones(2), prior_logits=jnp.zeros((2, 4)), value=jnp.zeros(2)
    )
    return out, embedding


# Functions of a user, by the names under which calls hand them over.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "schedule": lambda count: 0.01,
    "squares": _squares,
    "log_density": lambda x, *args: -0.5 * _squares(x),
    "mask": lambda tree: jax.tree.map(lambda leaf: True, tree),
    "tx_init": lambda params: (),
    "tx_update": lambda updates, state, params=None, **extra: (updates, state),
    "model": _model,
    "guide": _guide,
    "field": lambda t, y, args: -y,
    "diffusion": lambda t, y, args: 0.1 * y,
    "residual": lambda y, args: y - 0.5 * jnp.cos(y),
    "contraction": lambda y, args: 0.5 * jnp.cos(y),
    "objective": lambda y, args: jnp.sum((y - 0.3) ** 2),
    "linear": lambda x: 2.0 * x,
    "fixed_point": lambda x, *args: 0.5 * jnp.cos(x),
    "residuals": lambda x, *args: x - 0.5,
    "recurrent": _recurrent,
    "nodes": lambda nodes, *rest: nodes,
    "edges": lambda edges, *rest: edges,
    "globals_": lambda *args: args[-1],
    "call": lambda *args, **kwargs: args[0],
    "sampler": lambda key, *args: jax.random.normal(key, (3,)),
    "inverse": lambda y: jnp.log(y),
    "forward": lambda x: jnp.exp(x),
}


def environment(package: str, recorder: Callable[[Callable[..., Any]], Any]) -> dict[str, Any]:
    """The names that the calls of a package use."""
    found = dict(VALUES)
    for name, path in [*_NAMES.items(), *((each, each) for each in MODULES)]:
        if path.partition(".")[0] == package or name == "optax":
            found[name] = VALUES[name] = importlib.import_module(path)
    found.update((name, recorder(body)) for name, body in FUNCTIONS.items())
    found["key"] = jax.random.key(0)
    return found


CALLS: dict[str, tuple[str, ...]] = {
    "optax": (
        "optax.GradientTransformation(tx_init, tx_update).init(params)",
        "tx = optax.GradientTransformation(tx_init, tx_update)\ntx.update(updates, tx.init(params), params)",
        *(
            f"tx = {made}\ntx.{method}"
            for made in (
                "optax.chain(optax.GradientTransformation(tx_init, tx_update), optax.scale(1.0))",
                "optax.named_chain(('first', optax.GradientTransformation(tx_init, tx_update)))",
                "optax.masked(optax.GradientTransformation(tx_init, tx_update), mask)",
                "optax.multi_transform({True: optax.GradientTransformation(tx_init, tx_update)}, mask)",
                "optax.apply_if_finite(optax.GradientTransformation(tx_init, tx_update), 3)",
                "optax.flatten(optax.GradientTransformation(tx_init, tx_update))",
                "optax.lookahead(optax.GradientTransformation(tx_init, tx_update), 3, 0.5)",
                "optax.with_extra_args_support(optax.GradientTransformation(tx_init, tx_update))",
                "optax.inject_hyperparams(optax.sgd)(learning_rate=schedule)",
                "optax.inject_hyperparams(optax.adamw)(learning_rate=schedule)",
                "optax.MultiSteps(optax.GradientTransformation(tx_init, tx_update), 2)",
                "optax.MultiSteps(optax.sgd(0.1), schedule)",
                "optax.add_decayed_weights(0.1, mask)",
                "optax.sgd(0.1, momentum=0.9)",
                "optax.sgd(schedule, momentum=0.9)",
            )
            for method in ("init(params)", "update(updates, tx.init(params), params)")
            if "MultiSteps(optax.sgd" not in made or method == "init(params)"
        ),
        "optax.join_schedules([schedule, schedule], boundaries=[10])(i[0])",
        "optax.inject_hyperparams(optax.sgd)(learning_rate=schedule)",
        "optax.apply_updates(params, updates)",
        "optax.incremental_update(params, updates, 0.1)",
        "optax.global_norm(params)",
        "optax.cosine_decay_schedule(0.1, 10)(i[0])",
        "optax.linear_schedule(0.1, 0.0, 10)(i[0])",
        "optax.warmup_cosine_decay_schedule(0.0, 0.1, 5, 10)(i[0])",
        "optax.exponential_decay(0.1, 5, 0.9)(i[0])",
        "optax.piecewise_constant_schedule(0.1, {5: 0.5})(i[0])",
        "optax.constant_schedule(0.1)(i[0])",
        "optax.value_and_grad_from_state(squares)(v, state=optax.lbfgs().init(v))",
    ),
    "chex": (
        "chex.assert_max_traces(call, 3)(v)",
        "chex.chexify(call)(v)",
    ),
    "distrax": (
        "distrax.MultivariateNormalDiag(jnp.zeros(3), jnp.ones(3))",
        "distrax.MultivariateNormalTri(jnp.zeros(3), jnp.eye(3))",
        "distrax.MultivariateNormalFullCovariance(jnp.zeros(3), jnp.eye(3))",
        "distrax.Normal(jnp.zeros(3), 1.0).sample_and_log_prob(seed=key)",
        "distrax.Lambda(forward, inverse).forward(v)",
        "distrax.Transformed(distrax.Normal(0.0, 1.0), distrax.Lambda(forward, inverse)).sample(seed=key)",
        "distrax.Transformed(distrax.Normal(0.0, 1.0), distrax.Lambda(forward, inverse)).log_prob(v)",
    ),
    "tensorflow_probability": (
        "kernel = tfmcmc.HamiltonianMonteCarlo(squares, 0.1, 2)\n"
        "tfmcmc.sample_chain(3, v, kernel=kernel, num_burnin_steps=2, seed=key, trace_fn=None)",
        "kernel = tfmcmc.RandomWalkMetropolis(squares)\n"
        "tfmcmc.sample_chain(3, v, kernel=kernel, num_burnin_steps=2, seed=key, trace_fn=None)",
        "kernel = tfmcmc.NoUTurnSampler(squares, 0.1, max_tree_depth=2)\n"
        "tfmcmc.sample_chain(3, v, kernel=kernel, num_burnin_steps=2, seed=key, trace_fn=None)",
    ),
    "numpyro": (
        *(
            f"mcmc = infer.MCMC(infer.{kernel}(model), num_warmup=3, num_samples=3, progress_bar=False)\n"
            "mcmc.run(key, labels)"
            for kernel in ("NUTS", "HMC", "SA", "BarkerMH")
        ),
        "mcmc = infer.MCMC(infer.NUTS(potential_fn=squares), num_warmup=3, num_samples=3, progress_bar=False)\n"
        "mcmc.run(key, init_params=v)",
        "mcmc = infer.MCMC(infer.NUTS(model), num_warmup=3, num_samples=3, progress_bar=False)\n"
        "mcmc.run(key, labels)\nmcmc.get_samples()",
        "infer.SVI(model, guide, optim.Adam(0.1), infer.Trace_ELBO()).run(key, 3, labels, progress_bar=False)",
        "infer.SVI(model, guide, optim.Adam(0.1), infer.Trace_ELBO()).init(key, labels)",
        "svi = infer.SVI(model, guide, optim.Adam(0.1), infer.Trace_ELBO())\nsvi.update(svi.init(key, labels), labels)",
        "svi = infer.SVI(model, guide, optim.Adam(0.1), infer.Trace_ELBO())\nsvi.evaluate(svi.init(key, labels), labels)",
        "infer.Predictive(model, {'mu': v})(key)",
        "infer.Predictive(model, num_samples=3)(key)",
        "infer.log_likelihood(model, {'mu': v}, labels)",
        "handlers.seed(model, key)(labels)",
        "stack.enter_context(handlers.seed(rng_seed=0))\nnumpyro.sample('x', dist.Normal(0.0, data))",
        "stack.enter_context(handlers.seed(rng_seed=0))\nnumpyro.sample('x', dist.Normal(0.0, data), obs=data)",
        "stack.enter_context(handlers.seed(rng_seed=0))\nnumpyro.param('x', data)",
        "stack.enter_context(handlers.substitute(data={'x': 2.0 * data}))\nnumpyro.param('x', data)",
        "stack.enter_context(handlers.seed(rng_seed=0))\nnumpyro.deterministic('x', data)",
    ),
    "gymnax": (
        *(
            f"env, env_params = gymnax.make('{name}')\n{call}"
            for name in ("CartPole-v1", "Pendulum-v1", "Catch-bsuite", "Breakout-MinAtar")
            for call in (
                "env.reset(key, env_params)",
                "obs, state = env.reset(key, env_params)\n"
                "env.step(key, state, env.action_space(env_params).sample(key), env_params)",
                "env.action_space(env_params)",
                "env.action_space(env_params).sample(key)",
                "env.observation_space(env_params)",
            )
        ),
        "gymnax.make('CartPole-v1')",
    ),
    "jumanji": (
        *(
            f"env = jumanji.make('{name}')\n{call}"
            for name in ("Snake-v1", "Game2048-v1", "Knapsack-v1")
            for call in (
                "env.reset(key)",
                "env.step(env.reset(key)[0], env.action_spec.generate_value())",
            )
        ),
        "jumanji.make('Snake-v1')",
    ),
    "brax": (
        *(
            f"env = envs.{made}\n{call}"
            for made in (
                "get_environment('inverted_pendulum', backend='positional')",
                "get_environment('reacher', backend='positional')",
                "create('inverted_pendulum', backend='positional')",
            )
            for call in ("env.reset(key)", "env.step(env.reset(key), jnp.zeros(env.action_size))")
        ),
        "envs.get_environment('reacher')",
        "envs.create('reacher')",
    ),
    "blackjax": (
        *(
            f"kernel = blackjax.{made}\n{call}"
            for made in (
                "nuts(log_density, step_size=0.1, inverse_mass_matrix=jnp.ones(3))",
                "hmc(log_density, step_size=0.1, inverse_mass_matrix=jnp.ones(3), num_integration_steps=2)",
                "mala(log_density, step_size=0.1)",
                "dynamic_hmc(log_density, step_size=0.1, inverse_mass_matrix=jnp.ones(3))",
                "barker_proposal(log_density, step_size=0.1)",
            )
            for call in ("init(v)", "step(key, kernel.init(v))")
            for call in (f"kernel.{call}",)
            if "dynamic" not in made
        ),
        "kernel = blackjax.dynamic_hmc(log_density, step_size=0.1, inverse_mass_matrix=jnp.ones(3))\n"
        "kernel.step(key, kernel.init(v, key))",
        "kernel = blackjax.dynamic_hmc(log_density, step_size=0.1, inverse_mass_matrix=jnp.ones(3))\nkernel.init(v, key)",
        "kernel = blackjax.rmh(log_density, lambda key, x: x + jax.random.normal(key, x.shape))\nkernel.init(v)",
        "kernel = blackjax.rmh(log_density, lambda key, x: x + jax.random.normal(key, x.shape))\n"
        "kernel.step(key, kernel.init(v))",
        "kernel = blackjax.elliptical_slice(log_density, mean=jnp.zeros(3), cov=jnp.eye(3))\n"
        "kernel.step(key, kernel.init(v))",
        "kernel = blackjax.additive_step_random_walk(log_density, lambda key, x: jax.random.normal(key, x.shape))\n"
        "kernel.step(key, kernel.init(v))",
        "blackjax.window_adaptation(blackjax.nuts, log_density).run(key, v, num_steps=5)",
        "blackjax.pathfinder(log_density).init(key, v)",
    ),
    "jaxopt": tuple(
        f"solver = jaxopt.{solver}\n{call}"
        for solver in (
            "GradientDescent(fun=squares, maxiter=3)",
            "LBFGS(fun=squares, maxiter=3)",
            "BFGS(fun=squares, maxiter=3)",
            "NonlinearCG(fun=squares, maxiter=3)",
            "GaussNewton(residual_fun=residuals, maxiter=3)",
            "LevenbergMarquardt(residual_fun=residuals, maxiter=3)",
            "FixedPointIteration(fixed_point_fun=fixed_point, maxiter=3)",
            "AndersonAcceleration(fixed_point_fun=fixed_point, maxiter=3)",
            "Broyden(fun=residuals, maxiter=3)",
        )
        for call in (
            "solver.run(v, data, labels)",
            "solver.init_state(v, data, labels)",
            "solver.update(v, solver.init_state(v, data, labels), data, labels)",
        )
    )
    + tuple(
        f"solver = jaxopt.{solver}\n{call}"
        for solver in ("OptaxSolver(squares, optax.sgd(0.1), maxiter=3)", "PolyakSGD(squares, maxiter=3)",
                       "ArmijoSGD(squares, maxiter=3)")
        for call in (
            "solver.run(v, data, labels)",
            "solver.init_state(v, data, labels)",
            "solver.update(v, solver.init_state(v, data, labels), data, labels)",
        )
    )
    + tuple(
        f"solver = jaxopt.{solver}\n{call}"
        for solver in ("ProjectedGradient(squares, jaxopt.projection.projection_non_negative, maxiter=3)",
                       "ProximalGradient(squares, jaxopt.prox.prox_lasso, maxiter=3)",)
        for call in (
            "solver.run(v, None, data, labels)",
        )
    )
    + (
        "jaxopt.Bisection(lambda x, y: x - 0.5, lower=0.0, upper=1.0).run(None, s)",
        "jaxopt.ScipyMinimize(fun=squares, maxiter=3).run(v, data, labels)",
    ),
    "optimistix": (
        *(
            f"optx.root_find(residual, optx.{solver}(rtol=1e-3, atol=1e-3), v, args=(data, 1.0), throw=False)"
            for solver in ("Newton", "Chord", "Dogleg", "LevenbergMarquardt")
        ),
        *(
            f"optx.minimise(objective, optx.{solver}(rtol=1e-3, atol=1e-3), v, args=(data, 1.0), throw=False)"
            for solver in ("BFGS", "NonlinearCG", "NelderMead", "LBFGS")
        ),
        *(
            f"optx.least_squares(residual, optx.{solver}(rtol=1e-3, atol=1e-3), v, args=(data, 1.0), throw=False)"
            for solver in ("GaussNewton", "LevenbergMarquardt", "Dogleg")
        ),
        "optx.fixed_point(contraction, optx.FixedPointIteration(rtol=1e-3, atol=1e-3), v, args=(data, 1.0), throw=False)",
    ),
    "lineax": (
        "lx.linear_solve(lx.FunctionLinearOperator(linear, jax.eval_shape(lambda: v), lx.positive_semidefinite_tag), v,"
        " lx.CG(rtol=1e-3, atol=1e-3))",
        "lx.linear_solve(lx.FunctionLinearOperator(linear, jax.eval_shape(lambda: v)), v, lx.GMRES(rtol=1e-3, atol=1e-3))",
        "lx.linear_solve(lx.JacobianLinearOperator(residual, v, (data, 1.0)), v)",
        "lx.linear_solve(lx.MatrixLinearOperator(m), v)",
        "lx.FunctionLinearOperator(linear, jax.eval_shape(lambda: v)).mv(v)",
        "lx.FunctionLinearOperator(linear, jax.eval_shape(lambda: v)).as_matrix()",
    ),
    "diffrax": (
        *(
            f"diffrax.diffeqsolve(diffrax.ODETerm(field), diffrax.{solver}(), 0.0, 1.0, 0.25, v, args=(data, 1.0))"
            for solver in ("Tsit5", "Euler", "Kvaerno3")
        ),
        "diffrax.diffeqsolve(diffrax.ODETerm(field), diffrax.Dopri5(), 0.0, 1.0, None, v, args=(data, 1.0),"
        " stepsize_controller=diffrax.PIDController(rtol=1e-2, atol=1e-2))",
        "noise = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-2, shape=(), key=key)\n"
        "terms = diffrax.MultiTerm(diffrax.ODETerm(field), diffrax.ControlTerm(diffusion, noise))\n"
        "diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 1.0, 0.25, v, args=(data, 1.0))",
        "diffrax.diffeqsolve(diffrax.ODETerm(field), diffrax.Euler(), 0.0, 1.0, 0.25, v, args=(data, 1.0),"
        " saveat=diffrax.SaveAt(t1=True, fn=call))",
        "diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-2, shape=(), key=key)",
        "diffrax.UnsafeBrownianPath(shape=(), key=key)",
    ),
    "mctx": (
        *(
            "root = mctx.RootFnOutput(prior_logits=logits, value=jnp.zeros(2), embedding=jnp.zeros((2, 3)))\n"
            f"mctx.{policy}(params, key, root, recurrent, num_simulations=3)"
            for policy in ("muzero_policy", "gumbel_muzero_policy")
        ),
        "root = mctx.RootFnOutput(prior_logits=logits, value=jnp.zeros(2), embedding=jnp.zeros((2, 3)))\n"
        "mctx.search(params, key, root=root, recurrent_fn=recurrent, num_simulations=3,"
        " root_action_selection_fn=lambda k, t, n: jnp.int32(0), interior_action_selection_fn=lambda k, t, n, d: jnp.int32(0))",
    ),
    "rlax": (
        *(
            f"rlax.{made}.{call}"
            for made in ("epsilon_greedy(0.1)", "greedy()", "softmax(1.0)", "categorical_sample")
            for call in ("sample(key, v)", "probs(v)", "logprob(s.astype(int), v)")
            if "categorical" not in made
        ),
        "rlax.gaussian_diagonal().sample(key, v, v)",
        "rlax.categorical_sample(key, probs)",
        "rlax.q_learning(v, 1, s, s, v)",
        "rlax.double_q_learning(v, 1, s, s, v, v)",
        "rlax.sarsa(v, 1, s, s, v, 1)",
        "rlax.td_learning(s, s, s, s)",
        "rlax.td_lambda(v, v, v, v, s)",
        "rlax.lambda_returns(v, v, v, s)",
        "rlax.n_step_bootstrapped_returns(v, v, v, 2)",
        "rlax.discounted_returns(v, v, v)",
        "rlax.general_off_policy_returns_from_action_values(data, i, v, v, v, s)",
        "rlax.vtrace(v, v, v, v, v)",
        "rlax.vtrace_td_error_and_advantage(v, v, v, v, v)",
        "rlax.truncated_generalized_advantage_estimation(v, v, s, jnp.ones(4))",
        "rlax.policy_gradient_loss(data, jnp.arange(5) % 3, labels, labels)",
        "rlax.entropy_loss(data, labels)",
        "rlax.clipped_surrogate_pg_loss(v, v, s)",
        "rlax.huber_loss(v, 1.0)",
        "rlax.l2_loss(v, v)",
        "rlax.transform_to_2hot(s, 0.0, 1.0, 3)",
        "rlax.one_hot(i, 3)",
        "rlax.batched_index(data, jnp.zeros(5, int))",
        "rlax.add_gaussian_noise(key, v, 0.1)",
        "rlax.add_ornstein_uhlenbeck_noise(key, v, v, 0.1, 0.1)",
        "rlax.add_dirichlet_noise(key, data, 0.3, 0.25)",
    ),
    "flashbax": (
        *(
            f"buffer = fbx.{made}\n{call}"
            for made, added in (
                ("make_item_buffer(max_length=32, min_length=1, sample_batch_size=2)", "item"),
                (
                    "make_flat_buffer(max_length=32, min_length=2, sample_batch_size=2)",
                    "item",
                ),
                ("make_trajectory_buffer(add_batch_size=1, sample_batch_size=2, sample_sequence_length=2, period=1,"
                 " min_length_time_axis=2, max_size=32)", "jax.tree.map(lambda x: jnp.stack([x, x])[None], item)"),
                ("make_prioritised_flat_buffer(max_length=32, min_length=2, sample_batch_size=2)", "item"),
            )
            for call in (
                "buffer.init(item)",
                f"state = buffer.init(item)\nbuffer.add(state, {added})",
                f"state = buffer.add(buffer.add(buffer.init(item), {added}), {added})\nbuffer.sample(state, key)",
                "state = buffer.init(item)\nbuffer.can_sample(state)",
            )
        ),
    ),
    "jraph": (
        *(
            "graph = jraph.GraphsTuple(nodes=data, edges=jnp.ones((2, 2)), receivers=jnp.array([0, 1]),"
            " senders=jnp.array([1, 2]), globals=jnp.ones((1, 4)), n_node=jnp.array([5]), n_edge=jnp.array([2]))\n"
            f"{call}(graph)"
            for call in (
                "jraph.GraphNetwork(update_edge_fn=edges, update_node_fn=nodes, update_global_fn=globals_)",
                "jraph.InteractionNetwork(update_edge_fn=edges, update_node_fn=nodes)",
                "jraph.GraphMapFeatures(linear, linear, linear)",
                "jraph.GraphConvolution(nodes)",
            )
        ),
    ),
}  # fmt: skip

# What stands for a parameter by its name, in the order in which it is tried; `{made}` is the object whose method is called.
BY_NAME: dict[str, tuple[str, ...]] = {
    "learning_rate": ("schedule", "0.1"), "step_size_fn": ("schedule",), "step_size": ("schedule", "0.1"),
    "inner": ("optax.GradientTransformation(tx_init, tx_update)",), "opt": ("optax.GradientTransformation(tx_init, tx_update)",),
    "base_optimizer": ("optax.GradientTransformation(tx_init, tx_update)",), "params": ("params",), "updates": ("updates",),
    "state": ("{made}.init(params)",), "tree": ("params",), "tree_x": ("params",), "tree_y": ("updates",), "mask": ("mask",),
    "weight_decay": ("0.1",), "init_value": ("0.1",), "end_value": ("0.01",), "transition_steps": ("10",), "decay_steps": ("10",),
    "decay_rate": ("0.9",), "peak_value": ("0.2",), "warmup_steps": ("5",), "value": ("data", "0.1"), "max_norm": ("1.0",),
    "max_delta": ("1.0",), "decay": ("0.9",), "eta": ("0.1",), "gamma": ("0.1",), "total_steps": ("10",), "clipping": ("1.0",),
    "step": ("i[0]",), "count": ("i[0]",), "predictions": ("data",), "targets": ("data",), "logits": ("logits", "data"),
    "labels": ("data", "logits"), "key": ("key",), "rng": ("key",), "rng_key": ("key",), "seed": ("key",), "prng_key": ("key",),
    "loc": ("data", "jnp.zeros(3)"), "scale": ("1.0", "jnp.ones(3)"), "rate": ("jnp.ones((5, 3))",), "low": ("0.0", "0"),
    "high": ("1.0", "4"), "concentration": ("jnp.ones(3)", "2.0"), "concentration0": ("2.0",), "concentration1": ("2.0",),
    "probs": ("jnp.full(3, 0.3)", "probs"), "df": ("3.0",), "total_count": ("4",), "covariance_matrix": ("m",),
    "scale_diag": ("jnp.ones(3)",), "scale_tril": ("jnp.eye(3)",), "x": ("data",), "y": ("data",), "value_": ("data",),
    "alpha": ("2.0",), "beta": ("2.0",), "mean": ("jnp.zeros(3)",), "variance": ("1.0",), "covariance": ("m",), "dim": ("3",),
    "num_categories": ("4",), "event": ("data",), "shift": ("0.5",), "bijector": ("{package}.Sigmoid()",),
    "v": ("jnp.zeros(3)", "data"), "batch_shape": ("(5,)",), "reinterpreted_batch_ndims": ("1",), "sample_shape": ("(2,)",),
    "r_t": ("labels",), "discount_t": ("labels",), "v_t": ("labels",), "v_tm1": ("labels",), "q_tm1": ("data",), "a_tm1": ("i",),
    "epsilon": ("0.1",), "temperature": ("1.0",), "distribution": ("{package}.Normal(0.0, 1.0)",), "base_dist": ("{package}.Normal(0.0, 1.0)",),
    "base_distribution": ("{package}.Normal(0.0, 1.0)",), "batch_ndims": ("1",), "lower_bound": ("0.0",), "upper_bound": ("1.0",),
    "rtol": ("1e-3",), "atol": ("1e-3",), "matrix": ("m",), "vector": ("v",), "fun": ("squares",), "event_shape": ("()",),
}  # fmt: skip
OPTIONAL = frozenset(
    {"params", "mask", "probs", "learning_rate"}
)  # passed, too, where a call without them is no different
NO_METHODS = frozenset({"tree_flatten", "tree_unflatten", "map_over", "block_until_ready", "with_traceback"})
# Of packages with hundreds of objects that take long to compile: the methods that are called.
METHODS = {
    "numpyro": frozenset({"sample", "log_prob", "expand", "to_event", "mask"}),
    "tensorflow_probability": frozenset({"sample", "log_prob", "prob", "experimental_sample_and_log_prob"}),
}
_MAX_GUESSES = 8


def guesses(dotted: str, signature: inspect.Signature | None, made: str) -> Iterator[str]:
    """Calls of a function, or of a method of the object that ``made`` makes, in which the names of parameters say what they are."""
    if signature is None:
        return
    parameters = [p for p in signature.parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    required = [p for p in parameters if p.default is p.empty or p.name in OPTIONAL]
    package = dotted.rpartition(".")[0]
    choices = [BY_NAME.get(p.name) for p in required]
    if any(choice is None and p.default is p.empty for choice, p in zip(choices, required)):
        return
    pairs = [(p, choice) for p, choice in zip(required, choices) if choice is not None]
    for passed in (pairs, [(p, choice) for p, choice in pairs if p.default is p.empty]):
        for given in itertools.islice(itertools.product(*(choice for _, choice in passed)), _MAX_GUESSES):
            texts = [
                ("" if p.kind is not p.KEYWORD_ONLY and p.default is p.empty else f"{p.name}=")
                + text.format(made="made", package=package)
                for (p, _), text in zip(passed, given)
            ]
            yield (f"made = {made}\n" if made else "") + f"{dotted}({', '.join(texts)})"
        if len(passed) == sum(p.default is p.empty for p, _ in pairs):
            return
