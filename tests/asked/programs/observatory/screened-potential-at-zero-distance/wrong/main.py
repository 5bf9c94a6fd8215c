import jax
import jax.numpy as jnp

from forces import total_energy


def relax(x, charge, rate=0.02, steps=300):
    energy_and_grad = jax.value_and_grad(total_energy)

    def body(x, _):
        energy, grad = energy_and_grad(x, charge)
        return x - rate * grad, energy

    return jax.lax.scan(body, x, None, length=steps)


def main():
    k_pos, k_charge = jax.random.split(jax.random.key(0))
    x = jax.random.normal(k_pos, (12, 2))
    charge = jax.random.uniform(k_charge, (12,), minval=0.5, maxval=1.5)
    x, energies = jax.jit(relax)(x, charge)
    radius = jnp.linalg.norm(x, axis=-1)
    print(f"energy {energies[0]:.3f} -> {energies[-1]:.3f}")
    print("radii", jnp.sort(radius).round(2))
    print("all finite", bool(jnp.all(jnp.isfinite(x))))


if __name__ == "__main__":
    main()
