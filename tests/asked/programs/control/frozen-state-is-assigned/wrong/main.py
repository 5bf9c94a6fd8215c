"""A thermostat as a control problem."""
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Room:
    temperature: jax.Array
    heater_on: jax.Array
    energy: jax.Array
    insulation: float = struct.field(pytree_node=False, default=0.1)


def control(room, low=19.0, high=21.0):
    on = jnp.where(room.temperature < low, True, room.heater_on)
    on = jnp.where(room.temperature > high, False, on)
    room.heater_on = on  # mistake
    return room


def physics(room, outside):
    heat = jnp.where(room.heater_on, 1.5, 0.0)
    temperature = room.temperature + heat - room.insulation * (room.temperature - outside)
    return room.replace(temperature=temperature, energy=room.energy + heat)


@jax.jit
def day(room, outside):
    def hour(room, outside):
        room = physics(control(room), outside)
        return room, room.temperature

    return jax.lax.scan(hour, room, outside)


def main():
    room = Room(jnp.float32(18.0), jnp.bool_(False), jnp.float32(0.0))
    outside = 8.0 + 4.0 * jnp.sin(jnp.linspace(0.0, 2 * jnp.pi, 24))
    room, temperatures = day(room, outside)
    print(temperatures.shape, 15.0 < float(temperatures.mean()) < 25.0)


if __name__ == "__main__":
    main()
