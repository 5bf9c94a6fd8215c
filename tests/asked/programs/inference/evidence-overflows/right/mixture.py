"""A mixture of Gaussians with common scale."""
import jax
import jax.numpy as jnp


def component_log_density(x, means, scale):
    return -0.5 * ((x[:, None] - means) / scale) ** 2 - jnp.log(scale)


def responsibilities(x, means, scale):
    joint = component_log_density(x, means, scale)
    evidence = jax.nn.logsumexp(joint, axis=-1, keepdims=True)
    return jnp.exp(joint - evidence)


@jax.jit
def em_step(x, means, scale):
    weight = responsibilities(x, means, scale)
    return (weight * x[:, None]).sum(0) / (weight.sum(0) + 1e-9)
