"""Train a stochastic binary code with straight-through gradients."""
import jax
import jax.numpy as jnp


@jax.custom_vjp
def threshold(probabilities):
    return (probabilities > 0.5).astype(probabilities.dtype)


def threshold_fwd(probabilities):
    return threshold(probabilities), None


def threshold_bwd(_, cotangent):
    return cotangent  # mistake


threshold.defvjp(threshold_fwd, threshold_bwd)  # mistake


def loss_fn(params, x, key):
    noise = 0.1 * jax.random.normal(key, (len(x), params["code"].shape[1]))
    code = threshold(jax.nn.sigmoid(x @ params["code"] + noise))
    return jnp.mean((code @ params["decode"] - x) ** 2)


@jax.jit
def step(params, x, key):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, key)  # mistake
    return jax.tree.map(lambda p, g: p - 0.3 * g, params, grads), loss


if __name__ == "__main__":
    key_x, key_code, key_decode, key = jax.random.split(jax.random.key(0), 4)
    x = jnp.sign(jax.random.normal(key_x, (20, 4)))
    params = {
        "code": jax.random.normal(key_code, (4, 6)),
        "decode": 0.5 * jax.random.normal(key_decode, (6, 4)),
    }
    losses = []
    for key_step in jax.random.split(key, 8):
        params, loss = step(params, x, key_step)
        losses.append(loss)
    print("better", bool(losses[-1] < losses[0]))
