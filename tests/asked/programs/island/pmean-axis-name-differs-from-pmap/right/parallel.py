import jax
import numpy as np

from regression import mse


def replicate(tree, num_devices: int):
    return jax.tree.map(lambda p: np.broadcast_to(p, (num_devices, *p.shape)), tree)


def shard(tree, num_devices: int):
    return jax.tree.map(lambda a: a.reshape(num_devices, -1, *a.shape[1:]), tree)


def average(tree, axis_name: str = "devices"):
    return jax.tree.map(lambda g: jax.lax.pmean(g, axis_name), tree)


def make_parallel_step(learning_rate: float):
    def step(params, x, y):
        loss, grads = jax.value_and_grad(mse)(params, x, y)
        loss, grads = average((loss, grads))
        params = jax.tree.map(lambda p, g: p - learning_rate * g, params, grads)
        return params, loss

    return jax.pmap(step, axis_name="devices")
