"""Diffusion of a particle in water: how far does it get?"""

import jax
import jax.numpy as jnp

from particle import Particle


def spread(tracks):
    """Mean square distance from the start."""
    return jnp.mean(jnp.sum(tracks[:, -1] ** 2, axis=-1))


def main():
    tracks = []
    for seed in range(20):
        particle = Particle(jax.random.key(seed), drag=2.0)
        tracks.append(particle.run(jnp.zeros(2), steps=200))
    tracks = jnp.stack(tracks)
    kicks = jnp.diff(tracks[0], axis=0)
    print("tracks", tracks.shape)
    different = jnp.unique(jnp.round(kicks, 4), axis=0).shape[0]
    expected = 4.0 * Particle.dt * 200 / 2.0
    print("different steps of one track:", "few" if different < 20 else "many")
    print("diffusion as expected:", bool(0.5 < spread(tracks) / expected < 2.0))


if __name__ == "__main__":
    main()
