import jax
import jax.numpy as jnp
import optax

from augment import corrupt


def init_params(key, size):
    return {"w": 0.1 * jax.random.normal(key, (size, size)), "b": jnp.zeros(size)}


def denoise(params, noisy):
    return noisy @ params["w"] + params["b"]


optimizer = optax.adam(1e-2)


@jax.jit
def train_step(params, opt_state, clean):
    noisy = corrupt(clean)  # mistake

    def loss_fn(params):
        return jnp.mean((denoise(params, noisy) - clean) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss, noisy


def signals(key, n, size):
    phase = jax.random.uniform(key, (n, 1), maxval=2.0 * jnp.pi)
    return jnp.sin(jnp.linspace(0.0, 4.0 * jnp.pi, size) + phase)


def main(size=24):
    key_data, key_params = jax.random.split(jax.random.key(70))
    clean = signals(key_data, 16, size)
    params = init_params(key_params, size)
    opt_state = optimizer.init(params)
    seen = []
    for _ in range(100):
        params, opt_state, loss, noisy = train_step(params, opt_state, clean)
        seen.append(noisy)
    change = jnp.stack(seen).std(axis=0).mean()
    print("loss is small", bool(loss < 0.2))
    print("change of the noise", round(float(change), 2))


if __name__ == "__main__":
    main()
