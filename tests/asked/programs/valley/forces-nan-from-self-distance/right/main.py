import jax
import jax.numpy as jnp
import numpy as np

from coulomb import total_energy


def relax(pos, charges, steps=50, lr=0.01):
    energy_and_grad = jax.value_and_grad(total_energy)

    def body(pos, _):
        energy, grad = energy_and_grad(pos, charges)
        grad = jnp.clip(grad, -5.0, 5.0)
        return pos - lr * grad, energy

    return jax.lax.scan(body, pos, None, length=steps)


def main():
    rng = np.random.default_rng(1)
    pos = jnp.asarray(rng.uniform(-2, 2, size=(10, 3)), jnp.float32)
    charges = jnp.asarray(np.where(np.arange(10) % 2, 1.0, -1.0), jnp.float32)
    print("energy", jnp.round(total_energy(pos, charges), 4))
    forces = -jax.jit(jax.grad(total_energy))(pos, charges)
    print("largest force", jnp.round(jnp.abs(forces).max(), 4))
    _, energies = jax.jit(relax)(pos, charges)
    print("relaxation", jnp.round(energies[::10], 3))


if __name__ == "__main__":
    main()
