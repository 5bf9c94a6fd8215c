"""Keep the settings of a machine that tunes itself in a file."""

import tempfile
from pathlib import Path

import flax
import jax
import jax.numpy as jnp
from flax import serialization


@flax.struct.dataclass
class Machine:
    speed: jax.Array
    pressure: jax.Array
    made: int

    @classmethod
    def new(cls):
        return cls(jnp.array(1.0), jnp.array([2.0, 2.0]), 0)


def waste(speed, pressure):
    """The part that is thrown away."""
    return (speed - 1.7) ** 2 + jnp.sum((pressure - jnp.array([1.0, 3.0])) ** 2)


@jax.jit
def shift(machine):
    """A day's work, with small corrections."""
    slope_speed, slope_pressure = jax.grad(waste, argnums=(0, 1))(machine.speed, machine.pressure)
    return machine.replace(
        speed=machine.speed - 0.1 * slope_speed,
        pressure=machine.pressure - 0.1 * slope_pressure,
        made=machine.made + 100,
    )


def save(machine, path):
    path.write_bytes(serialization.to_bytes(machine))


def load(path):
    return serialization.from_bytes(Machine, path.read_bytes())  # mistake


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "machine")
        save(Machine.new(), path)
        for _ in range(30):
            machine = load(path)
            save(shift(machine), path)  # mistake
        machine = load(path)
    print("made", int(machine.made))
    print("little waste:", bool(waste(machine.speed, machine.pressure) < 0.01))


if __name__ == "__main__":
    main()
