import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from field import rk4


@eqx.filter_value_and_grad
def trajectory_loss(field, ts, trajectories):
    predicted = jax.vmap(lambda y0: rk4(field, y0, ts))(trajectories[:, 0])
    return jnp.mean((predicted - trajectories) ** 2)


def make_step(optimizer):
    @eqx.filter_jit
    def step(field, opt_state, ts, trajectories):
        loss, grads = trajectory_loss(field, ts, trajectories)
        updates, opt_state = optimizer.update(grads, opt_state)
        field = optax.apply_updates(field, updates)  # mistake
        return field, opt_state, loss

    return step
