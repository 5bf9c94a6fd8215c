from functools import partial

from units import DAY, GM_SUN, initial_state

import jax
import jax.numpy as jnp


def acceleration(pos):
    return -GM_SUN * pos / jnp.linalg.norm(pos) ** 3


def leapfrog(state, dt):
    pos, vel = state[:2], state[2:]
    vel = vel + 0.5 * dt * acceleration(pos)
    pos = pos + dt * vel
    vel = vel + 0.5 * dt * acceleration(pos)
    return jnp.concatenate([pos, vel])


def specific_energy(state):
    return 0.5 * (state[2:] ** 2).sum() - GM_SUN / jnp.linalg.norm(state[:2])


@partial(jax.jit, static_argnames=("n_steps", "every"))
def integrate(state, n_steps, every, dt=DAY):
    def chunk(state, _):
        state = jax.lax.fori_loop(0, every, lambda _, s: leapfrog(s, dt), state)
        return state, specific_energy(state)

    return jax.lax.scan(chunk, state, None, length=n_steps // every)


@jax.jit
def momentum(state):
    return state[0] * state[3] - state[1] * state[2]


def main():
    for name, a, ecc in [("earth", 1.0, 0.0167), ("mars", 1.524, 0.0934)]:
        start = initial_state(a, ecc)
        final, energy = integrate(start, n_steps=20000, every=100)
        drift = jnp.abs(momentum(final) / momentum(start) - 1.0)
        print(f"{name}: angular momentum drift {drift:.1e} energy {energy[-1]:.6f}")


if __name__ == "__main__":
    main()
