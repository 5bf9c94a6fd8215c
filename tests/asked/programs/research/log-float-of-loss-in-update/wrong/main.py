import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from logger import MetricLogger


def autoencoder(x):
    code = hk.nets.MLP([32, 4], name="encoder")(x)
    return hk.nets.MLP([32, x.shape[-1]], name="decoder")(jnp.tanh(code))


net = hk.without_apply_rng(hk.transform(autoencoder))
optimizer = optax.chain(optax.clip_by_global_norm(5.0), optax.rmsprop(1e-3))


def reconstruction_loss(params, x):
    recon = net.apply(params, x)
    return jnp.mean(jnp.sum(jnp.square(recon - x), axis=-1))


@jax.jit
def update(params, opt_state, x):
    loss, grads = jax.value_and_grad(reconstruction_loss)(params, x)
    updates, opt_state = optimizer.update(grads, opt_state)
    params = optax.apply_updates(params, updates)
    metrics = {"loss": float(loss), "grad_norm": optax.global_norm(grads)}  # mistake
    return params, opt_state, metrics


def sensor_stream(seed=0, batch_size=64):
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(3, 16))
    while True:
        factors = rng.normal(size=(batch_size, 3))
        yield (np.tanh(factors @ mixing) + 0.05 * rng.normal(size=(batch_size, 16))).astype(np.float32)


def main():
    stream = sensor_stream()
    params = net.init(jax.random.key(0), next(stream))
    opt_state = optimizer.init(params)
    logger = MetricLogger(every=25)
    for step in range(1, 101):
        params, opt_state, metrics = update(params, opt_state, next(stream))
        logger.log(step, **metrics)
    print({k: round(v, 4) for k, v in logger.summary().items()})


if __name__ == "__main__":
    main()
