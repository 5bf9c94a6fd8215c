import jax
import jax.numpy as jnp

from forces import HarmonicChain
from integrators import MDState, run_nve


def initial_state(key, n_atoms, temperature):
    k_pos, k_vel = jax.random.split(key)
    spacing = jnp.arange(n_atoms, dtype=jnp.float32)
    pos = spacing + 0.01 * jax.random.normal(k_pos, (n_atoms,))
    vel = jnp.sqrt(temperature) * jax.random.normal(k_vel, (n_atoms,))
    return MDState(pos=pos, vel=vel - vel.mean())


def main():
    chain = HarmonicChain(k=50.0, r0=1.0)
    state = initial_state(jax.random.PRNGKey(7), n_atoms=32, temperature=0.1)
    state, mean_energy, energies = run_nve(chain, state, dt=0.005, n_steps=400)
    drift = jnp.abs(energies[-1] - energies[0]) / energies[0]
    print(f"mean energy {float(mean_energy):.5f}  relative drift {float(drift):.2e}")
    print("com velocity", float(state.vel.mean()))


if __name__ == "__main__":
    main()
