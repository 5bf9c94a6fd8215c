import equinox as eqx
import jax
import jax.numpy as jnp

from fields import integrate


def trajectory_loss(field, trajectories, dt):
    steps = trajectories.shape[1] - 1
    pred = jax.vmap(lambda y0: integrate(field, y0, dt, steps))(trajectories[:, 0])
    return jnp.mean((pred - trajectories) ** 2)


@eqx.filter_jit
def make_step(field, opt_state, trajectories, dt, optim):
    loss, grads = eqx.filter_value_and_grad(trajectory_loss)(field, trajectories, dt)
    updates, opt_state = optim.update(grads, opt_state)
    return eqx.apply_updates(field, updates), opt_state, loss
