"""Fit a trajectory to each fold of the measurements."""
import equinox as eqx
import jax
import jax.numpy as jnp

from trajectory import Trajectory, kinematics

compiled = 0


@eqx.filter_jit
def step(model, times, positions):
    global compiled
    compiled += 1

    def loss_fn(model):
        return jnp.mean((jax.vmap(model)(times) - positions) ** 2)

    grads = eqx.filter_grad(loss_fn)(model)
    return eqx.apply_updates(model, jax.tree.map(lambda g: -0.05 * g, grads))


def main():
    times = jnp.linspace(0.0, 1.0, 12)[:, None]
    positions = jnp.concatenate([jnp.cos(times), jnp.sin(times)], axis=1)
    folds = 3
    for fold in range(folds):
        model = Trajectory(kinematics, jax.random.key(fold))
        part = jnp.arange(12) % folds != fold
        for _ in range(2):
            model = step(model, times[part], positions[part])
    print("folds", folds, "compiled", compiled)


if __name__ == "__main__":
    main()
