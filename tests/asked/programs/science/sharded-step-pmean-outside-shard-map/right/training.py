import jax
import jax.numpy as jnp


def init_params(key, hidden):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (1, hidden)) * 2.0,
        "b1": jnp.zeros(hidden),
        "w2": jax.random.normal(k2, (hidden, 1)) / hidden**0.5,
    }


def predict(params, voltage):
    return jnp.tanh(voltage @ params["w1"] + params["b1"]) @ params["w2"]


def mse(params, batch):
    voltage, reading = batch
    return jnp.mean((predict(params, voltage) - reading) ** 2)


@jax.jit
def train_step(params, batch, rate):
    loss, grads = jax.value_and_grad(mse)(params, batch)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads), loss
