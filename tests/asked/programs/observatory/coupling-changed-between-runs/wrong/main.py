import jax
import jax.numpy as jnp

import kuramoto


def main():
    k_phase, k_freq = jax.random.split(jax.random.key(12))
    phases = jax.random.uniform(k_phase, (400,), maxval=2 * jnp.pi)
    natural = 0.5 * jax.random.cauchy(k_freq, (400,))
    for coupling in (0.5, 1.0, 2.0, 4.0):
        kuramoto.COUPLING = coupling  # mistake
        print(f"K = {coupling}: order {kuramoto.integrate(phases, natural):.3f}")  # mistake


if __name__ == "__main__":
    main()
