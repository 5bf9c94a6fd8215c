import jax
import jax.numpy as jnp
import optax

from networks import SignedDistance


def disk_distance(p, radius=0.5):
    return jnp.linalg.norm(p, axis=-1) - radius


def sample_points(key, n):
    return jax.random.uniform(key, (n, 2), minval=-1.0, maxval=1.0)


def main():
    net = SignedDistance()
    init_key, train_key, test_key = jax.random.split(jax.random.key(0), 3)
    params = net.init(init_key, jnp.zeros((1, 2)))
    tx = optax.adam(optax.exponential_decay(1e-2, 100, 0.5))

    def loss_fn(params, points):
        fit = net.apply(params, points) - disk_distance(points)
        grads = jax.vmap(jax.grad(lambda p: net.apply(params, p)))(points)
        eikonal = (jnp.sum(grads**2, axis=-1) - 1.0) ** 2
        return jnp.mean(fit**2) + 0.01 * jnp.mean(eikonal)

    @jax.jit
    def train(params, key):
        def body(carry, k):
            params, opt_state = carry
            loss, grads = jax.value_and_grad(loss_fn)(params, sample_points(k, 128))
            updates, opt_state = tx.update(grads, opt_state)
            return (optax.apply_updates(params, updates), opt_state), loss

        (params, _), losses = jax.lax.scan(body, (params, tx.init(params)), jax.random.split(key, 300))
        return params, losses

    params, losses = train(params, train_key)
    points = sample_points(test_key, 500)
    error = jnp.abs(net.apply(params, points) - disk_distance(points)).mean()
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, mean abs error {error:.4f}")


if __name__ == "__main__":
    main()
