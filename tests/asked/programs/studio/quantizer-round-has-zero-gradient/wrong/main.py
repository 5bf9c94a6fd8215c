import jax
import jax.numpy as jnp
import numpy as np
import optax

from codec import SignalCodec

codec = SignalCodec()
tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(3e-3))


def distortion(params, x):
    return jnp.mean((codec.apply({"params": params}, x) - x) ** 2)


@jax.jit
def train_step(params, opt_state, x):
    loss, grads = jax.value_and_grad(distortion)(params, x)
    updates, opt_state = tx.update(grads, opt_state)
    params = optax.apply_updates(params, updates)
    return params, opt_state, {"loss": loss, "encoder grad": optax.global_norm(grads["encoder"])}


def bursts(rng, n):
    t = np.linspace(0, 1, 24)
    freq = rng.uniform(1, 2, size=(n, 1))
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1))
    return np.sin(2 * np.pi * freq * t + phase).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    params = codec.init(jax.random.key(0), jnp.zeros((1, 24)))["params"]
    opt_state = tx.init(params)
    for step in range(401):
        params, opt_state, metrics = train_step(params, opt_state, bursts(rng, 64))
        if step % 200 == 0:
            print(step, {k: round(float(v), 4) for k, v in metrics.items()})


if __name__ == "__main__":
    main()
