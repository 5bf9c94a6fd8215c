import jax
import jax.numpy as jnp
import numpy as np

MASS = 39.95
RATE = 0.002
STEPS = 3000

# %% geometry
angle = 2 * np.pi * np.arange(3) / 3
ring = np.stack([0.65 * np.cos(angle), 0.65 * np.sin(angle), np.zeros(3)], axis=1)
tips = np.array([[0.0, 0.0, 0.95], [0.0, 0.0, -0.95]])
start = jnp.asarray(np.concatenate([ring, tips]), jnp.float32)
first, second = np.triu_indices(len(start), k=1)


# %% potential
def energy(positions, epsilon=1.0, sigma=1.0):
    squared = jnp.sum((positions[first] - positions[second]) ** 2, axis=-1)
    ratio = (sigma**2 / squared) ** 3
    return 4.0 * epsilon * jnp.sum(ratio**2 - ratio)


@jax.jit
def relax(positions):
    def move(_, positions):
        return positions - RATE * jnp.clip(jax.grad(energy)(positions), -20.0, 20.0)

    return jax.lax.fori_loop(0, STEPS, move, positions)


# %% normal modes
@jax.jit
def normal_modes(positions):
    hessian = jax.hessian(energy)(positions)
    dynamical = hessian.reshape(positions.size, positions.size) / MASS
    squared, modes = jnp.linalg.eigh(dynamical)
    frequencies = jnp.sign(squared) * jnp.sqrt(jnp.abs(squared))
    return frequencies, modes


# %% results
minimum = relax(start)
print("energy", energy(minimum))
print("largest force", jnp.max(jnp.abs(jax.grad(energy)(minimum))))

frequencies, modes = normal_modes(minimum)
print("lowest", frequencies[:6])
print("vibrations", frequencies[6:])
print("softest vibration", modes[:, 6].reshape(-1, 3))
