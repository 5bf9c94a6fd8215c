"""Weigh the parts of a machine."""

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Plate:
    length: jax.Array
    width: jax.Array
    holes: jax.Array
    serial: jax.Array = field(default_factory=lambda: jnp.int32(0))


@jax.jit
def weight(plate):
    """In kilograms, for a thickness of two millimetres of steel."""
    area = plate.length * plate.width - jnp.sum(jnp.pi * plate.holes**2)
    return 7850.0 * 0.002 * area


def order(key, n):
    plates = []
    for serial, part_key in enumerate(jax.random.split(key, n)):
        k_length, k_width, k_holes = jax.random.split(part_key, 3)
        length = jax.random.uniform(k_length, minval=0.2, maxval=1.0)
        width = jax.random.uniform(k_width, minval=0.2, maxval=1.0)
        holes = jax.random.uniform(k_holes, (4,), minval=0.005, maxval=0.02)
        plates.append(Plate(length, width, holes, jnp.int32(serial)))
    return plates


def main():
    plates = order(jax.random.key(0), 15)
    weights = [float(weight(plate)) for plate in plates]
    heaviest = plates[weights.index(max(weights))]
    print("plates", len(weights), f"together {sum(weights):.0f} kg")
    print("the heaviest is", int(heaviest.serial))
    print("compiled", weight._cache_size(), "times")


if __name__ == "__main__":
    main()
