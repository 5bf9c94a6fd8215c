"""Fit the constants of a spring to measurements."""
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from spring import Spring, guess

optimizer = optax.sgd(0.1)


@eqx.filter_jit
def step(spring, opt_state, times, heights):
    def loss_fn(spring):
        return jnp.mean((jax.vmap(spring)(times) - heights) ** 2)

    grads = eqx.filter_grad(loss_fn)(spring)  # mistake
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(spring, updates), opt_state


if __name__ == "__main__":
    times = jnp.linspace(0.0, 4.0, 30)
    truth = Spring(jnp.array(3.0), jnp.array(0.2), jnp.array(0.1))
    heights = jax.vmap(truth)(times)
    spring = guess()
    opt_state = optimizer.init(eqx.filter(spring, eqx.is_inexact_array))
    for _ in range(10):
        spring, opt_state = step(spring, opt_state, times, heights)
    print("stiffness moved", float(spring.stiffness) != 2.0)
    print("damping moved", float(spring.damping) != float(guess().damping))
