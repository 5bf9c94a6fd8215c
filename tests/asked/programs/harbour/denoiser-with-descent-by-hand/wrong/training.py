import equinox as eqx
import jax
import jax.numpy as jnp


def mse(model, noisy, clean):
    return jnp.mean((jax.vmap(model)(noisy) - clean) ** 2)


@eqx.filter_jit
def descend(model, noisy, clean, rate):
    loss, grads = eqx.filter_value_and_grad(mse)(model, noisy, clean)
    model = jax.tree.map(lambda p, g: p - rate * g, model, grads)  # mistake
    return model, loss


@eqx.filter_jit
def signal_to_noise(model, noisy, clean):
    rest = jax.vmap(model)(noisy) - clean
    return 10.0 * jnp.log10(jnp.mean(clean**2) / jnp.mean(rest**2))
