import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from field import VectorField, flow_matching_loss


def two_rings(n, seed):
    rng = np.random.default_rng(seed)
    radius = rng.choice([0.7, 1.6], n) + 0.05 * rng.normal(size=n)
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype(np.float32)


@eqx.filter_jit
def sample(field, key, n, steps=50):
    x = jax.random.normal(key, (n, 2))

    def euler(x, t):
        return x + jax.vmap(field, in_axes=(None, 0))(t, x) / steps, None

    return jax.lax.scan(euler, x, jnp.linspace(0.0, 1.0, steps, endpoint=False))[0]


def main(n_steps=200):
    model_key, train_key, sample_key = jax.random.split(jax.random.key(5), 3)
    field = VectorField(2, 48, key=model_key)
    tx = optax.adamw(3e-3)
    opt_state = tx.init(eqx.filter(field, eqx.is_inexact_array))
    data = jnp.asarray(two_rings(2048, seed=0))

    @eqx.filter_jit
    def step(field, opt_state, key):
        k_batch, k_loss = jax.random.split(key)
        batch = jax.random.choice(k_batch, data, (128,))
        loss, grads = jax.value_and_grad(flow_matching_loss)(field, batch, k_loss)  # mistake
        updates, opt_state = tx.update(grads, opt_state, eqx.filter(field, eqx.is_inexact_array))
        return eqx.apply_updates(field, updates), opt_state, loss

    losses = []
    for key in jax.random.split(train_key, n_steps):
        field, opt_state, loss = step(field, opt_state, key)
        losses.append(loss)
    losses = np.asarray(jax.device_get(losses))
    radius = jnp.linalg.norm(sample(field, sample_key, 512), axis=-1)
    print(f"loss {losses[:20].mean():.3f} -> {losses[-20:].mean():.3f}")
    print("sample radius quartiles", np.round(np.quantile(np.asarray(radius), [0.25, 0.5, 0.75]), 2))


if __name__ == "__main__":
    main()
