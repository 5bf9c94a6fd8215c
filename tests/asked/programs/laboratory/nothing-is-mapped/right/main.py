"""Estimate the yield of a detector by simulating many photons."""

import jax
import jax.numpy as jnp

DEPTHS = jnp.array([0.2, 0.5, 1.0, 2.0])


def photon(key, material):
    """The depth at which a photon is absorbed, and the energy that is seen."""
    k_depth, k_energy = jax.random.split(key)
    depth = jax.random.exponential(k_depth) / material["absorption"]
    light = material["light"] * jnp.exp(-material["loss"] * depth)
    return depth, light * (1.0 + 0.05 * jax.random.normal(k_energy))


def shower(key, material, n):
    keys = jax.random.split(key, n)
    depth, light = jax.vmap(photon, in_axes=(0, None))(keys, material)
    inside = depth[:, None] < DEPTHS
    return jnp.mean(inside, axis=0), jnp.mean(jnp.where(inside, light[:, None], 0.0), axis=0)


def best_plate(stopped, enough=0.5):
    """The thinnest plate that stops enough of the photons."""
    found = jnp.argmax(stopped > enough)
    return float(DEPTHS[found])


def main():
    materials = {
        "glass": {"absorption": 0.5, "light": 10.0, "loss": 0.3},
        "crystal": {"absorption": 2.0, "light": 30.0, "loss": 0.1},
    }
    seen = {}
    for number, (name, material) in enumerate(materials.items()):
        stopped, light = shower(jax.random.key(number), material, 3000)
        seen[name] = light
        print(f"the best plate of {name} has {best_plate(stopped):.1f} cm")
        print(f"{name} stops {float(stopped[-1]):.1f} of the photons in the thickest plate")
    print("crystal is brighter:", bool(jnp.all(seen["crystal"] > seen["glass"])))


if __name__ == "__main__":
    main()
