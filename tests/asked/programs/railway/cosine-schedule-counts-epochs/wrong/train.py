import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from data import batches


@eqx.filter_jit
def predict(model, starts, times):
    return jax.vmap(model, in_axes=(0, None))(starts, times)


@eqx.filter_value_and_grad
def loss_fn(model, times, paths):
    predicted = predict(model, paths[:, 0], times)
    return jnp.mean((predicted - paths) ** 2)


def make_optimizer(config, n_paths):
    schedule = optax.cosine_decay_schedule(config["learning_rate"], decay_steps=config["epochs"])  # mistake
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule))


def fit(model, times, paths, config):
    optimizer = make_optimizer(config, paths.shape[0])
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    @eqx.filter_jit
    def step(model, opt_state, batch):
        loss, grads = loss_fn(model, times, batch)
        updates, opt_state = optimizer.update(grads, opt_state)
        return eqx.apply_updates(model, updates), opt_state, loss

    rng = np.random.default_rng(0)
    history = []
    for _ in range(config["epochs"]):
        losses = []
        for batch in batches(rng, paths, config["batch_size"]):
            model, opt_state, loss = step(model, opt_state, batch)
            losses.append(loss)
        history.append(float(jnp.stack(losses).mean()))
    return model, history
