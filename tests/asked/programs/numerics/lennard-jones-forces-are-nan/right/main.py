import jax
import jax.numpy as jnp
import numpy as np

from potential import PairParams, total_energy


def icosahedron_seed(key, n_atoms):
    golden = (1 + 5**0.5) / 2
    base = []
    for a in (-1, 1):
        for b in (-golden, golden):
            base += [(0, a, b), (a, b, 0), (b, 0, a)]
    pts = np.array([(0.0, 0.0, 0.0)] + base)[:n_atoms] * 0.6
    return jnp.asarray(pts, jnp.float32) + 0.05 * jax.random.normal(key, (n_atoms, 3))


@jax.jit
def relax_step(pos, params: PairParams, lr):
    energy, grad = jax.value_and_grad(total_energy)(pos, params)
    norm = jnp.linalg.norm(grad, axis=-1, keepdims=True)
    move = grad * jnp.minimum(1.0, 5.0 / (norm + 1e-6))
    return pos - lr * move, energy


def main():
    params = PairParams(epsilon=1.0, sigma=1.0, cutoff=3.0)
    pos = icosahedron_seed(jax.random.key(99), 13)
    first = total_energy(pos, params)
    for _ in range(600):
        pos, energy = relax_step(pos, params, 2e-3)
    print("initial energy", round(float(first), 3))
    print("relaxed energy", round(float(energy), 3))


if __name__ == "__main__":
    main()
