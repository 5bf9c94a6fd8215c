import jax
import jax.numpy as jnp

from target import log_density

STEP_SIZE = 0.05


@jax.jit
def langevin_step(key, positions):
    drift = jax.vmap(jax.grad(log_density))(positions)
    noise = jax.random.normal(key, positions.shape)
    return positions + STEP_SIZE * drift + jnp.sqrt(2.0 * STEP_SIZE) * noise


def sample(key, positions, n_steps, n_warmup):
    kept = []
    for step in range(n_steps):
        positions = langevin_step(key, positions)  # mistake
        if step >= n_warmup:
            kept.append(positions)
    return jnp.stack(kept)


def main():
    start_key, chain_key = jax.random.split(jax.random.key(9))
    start = jax.random.normal(start_key, (16, 2))
    samples = sample(chain_key, start, n_steps=300, n_warmup=100)
    flat = samples.reshape(-1, 2)
    steps = jnp.diff(samples, axis=0)
    print("mean", [round(value, 1) for value in flat.mean(axis=0).tolist()])
    print("spread of a chain", round(float(samples.std(axis=0).mean()), 1))
    print("spread of the steps", round(float(steps.std(axis=0).mean()), 2))


if __name__ == "__main__":
    main()
