import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax.flatten_util import ravel_pytree


def flat_loss(model, spectrum, label):
    graphdef, params = nnx.split(model, nnx.Param)  # mistake
    start, unravel = ravel_pytree(params)

    def loss(flat):
        net = nnx.merge(graphdef, unravel(flat))
        return optax.softmax_cross_entropy_with_integer_labels(net(spectrum), label).mean()

    return loss, start


def largest_curvature(model, spectrum, label, key, iterations=20):
    loss, point = flat_loss(model, spectrum, label)

    def hessian_times(vector):
        return jax.jvp(jax.grad(loss), (point,), (vector,))[1]

    def iterate(vector, _):
        image = hessian_times(vector)
        return image / (jnp.linalg.norm(image) + 1e-12), vector @ image

    start = jax.random.normal(key, point.shape)
    _, values = jax.lax.scan(iterate, start / jnp.linalg.norm(start), None, length=iterations)
    return values[-1]
