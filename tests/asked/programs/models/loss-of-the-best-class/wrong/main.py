"""Train a Haiku classifier of points in two clusters."""
import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(points):
    return hk.nets.MLP([8, 2])(points)


model = hk.without_apply_rng(hk.transform(network))
optimizer = optax.adam(1e-2)


def loss_fn(params, points, labels):
    logits = model.apply(params, points)
    predicted = jnp.argmax(logits, axis=-1)  # mistake
    return jnp.mean((predicted - labels.astype(jnp.float32)) ** 2)


@jax.jit
def train_step(params, opt_state, points, labels):
    grads = jax.grad(loss_fn)(params, points, labels)  # mistake
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, optax.global_norm(grads)


def clusters(key, count):
    labels = jnp.arange(count) % 2
    return jax.random.normal(key, (count, 2)) + 3.0 * labels[:, None], labels


if __name__ == "__main__":
    points, labels = clusters(jax.random.key(0), 32)
    params = model.init(jax.random.key(1), points)
    opt_state = optimizer.init(params)
    norms = []
    for _ in range(5):
        params, opt_state, norm = train_step(params, opt_state, points, labels)
        norms.append(float(norm))
    print("gradient", [norm > 0.0 for norm in norms])
