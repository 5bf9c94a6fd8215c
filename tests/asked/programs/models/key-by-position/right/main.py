"""Learn a corrector of a coarse solver."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Corrector(eqx.Module):
    net: eqx.nn.MLP
    scale: jax.Array

    def __init__(self, size, key):
        self.net = eqx.nn.MLP(size, size, 16, 2, key=key)
        self.scale = jnp.array(0.1)

    def __call__(self, state):
        return state + self.scale * self.net(state)


def coarse(state):
    return jnp.roll(state, 1)


def fine(state):
    return 0.9 * jnp.roll(state, 1) + 0.1 * state


@eqx.filter_jit
def step(corrector, states):
    def loss_fn(corrector):
        corrected = jax.vmap(lambda state: corrector(coarse(state)))(states)
        return jnp.mean((corrected - jax.vmap(fine)(states)) ** 2)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(corrector)
    return eqx.apply_updates(corrector, jax.tree.map(lambda g: -0.5 * g, grads)), loss


if __name__ == "__main__":
    states = jax.random.normal(jax.random.key(0), (20, 5))
    corrector = Corrector(5, jax.random.key(1))
    losses = []
    for _ in range(6):
        corrector, loss = step(corrector, states)
        losses.append(loss)
    print("better", bool(losses[-1] < losses[0]))
