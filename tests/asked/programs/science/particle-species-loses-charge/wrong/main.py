"""Push two particle species through crossed electric and magnetic fields."""
import jax
import jax.numpy as jnp

from species import Species


def electric_field(x):
    return jnp.stack([0.1 * x[:, 0], jnp.zeros(x.shape[0]), jnp.zeros(x.shape[0])], axis=-1)


B = jnp.array([0.0, 0.0, 1.5])


@jax.jit
def boris_push(species: Species, dt: float) -> Species:
    factor = 0.5 * dt * species.charge / species.mass
    v_minus = species.v + factor * electric_field(species.x)
    t = factor * B
    s = 2.0 * t / (1.0 + jnp.dot(t, t))
    v_prime = v_minus + jnp.cross(v_minus, t)
    v_plus = v_minus + jnp.cross(v_prime, s)
    v = v_plus + factor * electric_field(species.x)
    return species.moved(species.x + dt * v, v)


def main():
    key = jax.random.key(4)
    key_e, key_i = jax.random.split(key)
    electrons = Species(jax.random.normal(key_e, (64, 3)), jnp.ones((64, 3)), charge=-1.0, mass=1.0, name="e-")
    ions = Species(jax.random.normal(key_i, (64, 3)), jnp.zeros((64, 3)), charge=2.0, mass=50.0, name="He2+")

    for species in (electrons, ions):
        for _ in range(20):
            species = boris_push(species, 0.05)
        print(species.name, "q =", float(species.charge), "m =", float(species.mass))
        print("  kinetic energy", f"{float(species.kinetic_energy()):.4f}")
        print("  mean velocity", [f"{float(c):.3f}" for c in species.v.mean(axis=0)])


if __name__ == "__main__":
    main()
