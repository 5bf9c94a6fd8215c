"""Simulate the wear of many bearings on four devices."""

import jax

jax.config.update("jax_num_cpu_devices", 4)

import jax.numpy as jnp  # the devices have to be there first

from wear import simulate


def main():
    loads = jnp.full(32, 1.5)
    lives = simulate(jax.random.key(0), loads)
    first, second = lives[:8], lives[8:16]
    print("bearings", lives.shape[0])
    print("different lives:", jnp.unique(jnp.round(lives, 4)).size)
    print("shards agree:", bool(jnp.allclose(first, second)))


if __name__ == "__main__":
    main()
