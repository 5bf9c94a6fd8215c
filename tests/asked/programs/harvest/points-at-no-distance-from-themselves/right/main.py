import jax
import jax.numpy as jnp
import optax


def pairwise_distances(points):
    squared = jnp.sum((points[:, None, :] - points[None, :, :]) ** 2, axis=-1)
    apart = ~jnp.eye(points.shape[0], dtype=bool)
    safe = jnp.where(apart, squared, 1.0)
    return jnp.where(apart, jnp.sqrt(safe), 0.0)


def stress(points, wanted):
    return jnp.sum((pairwise_distances(points) - wanted) ** 2)


def embed(key, wanted, n_steps):
    """Points in the plane whose distances are as wanted."""
    optimizer = optax.adam(0.1)
    points = jax.random.normal(key, (wanted.shape[0], 2))

    @jax.jit
    def step(points, state):
        loss, grads = jax.value_and_grad(stress)(points, wanted)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(points, updates), state, loss

    state = optimizer.init(points)
    for _ in range(n_steps):
        points, state, loss = step(points, state)
    return points, loss


def main():
    kilometres = jnp.array([
        [0.0, 289.0, 504.0, 424.0],
        [289.0, 0.0, 612.0, 393.0],
        [504.0, 612.0, 0.0, 304.0],
        [424.0, 393.0, 304.0, 0.0],
    ])
    wanted = kilometres / 100.0
    points, loss = embed(jax.random.key(16), wanted, n_steps=200)
    distance = jnp.linalg.norm(points[0] - points[2])
    print("stress", round(float(loss), 1))
    print("first to third", round(100.0 * float(distance), -1), "of", float(kilometres[0, 2]))


if __name__ == "__main__":
    main()
