from typing import NamedTuple

import jax
import jax.numpy as jnp

LOW = 19.5
HIGH = 20.5
MINUTES = 24 * 60


class Room(NamedTuple):
    temperature: jax.Array
    heater: jax.Array


def outside_temperature(minute):
    return 4.0 + 5.0 * jnp.sin(2.0 * jnp.pi * (minute - 540.0) / MINUTES)


def switch(room):
    """The heater stays as it is between the two limits."""
    if room.temperature > HIGH:  # mistake
        return jnp.asarray(0.0)
    if room.temperature < LOW:  # mistake
        return jnp.asarray(1.0)
    return room.heater


def advance(room, minute):
    heater = switch(room)
    loss = 0.002 * (room.temperature - outside_temperature(minute))
    gain = 0.09 * heater
    room = Room(room.temperature + gain - loss, heater)
    return room, room


@jax.jit
def simulate(room):
    minutes = jnp.arange(MINUTES, dtype=jnp.float32)
    return jax.lax.scan(advance, room, minutes)


def main():
    start = Room(jnp.asarray(18.0), jnp.asarray(0.0))
    last, day = simulate(start)
    print("coldest", round(float(day.temperature.min()), 2))
    print("warmest", round(float(day.temperature.max()), 2))
    print("hours of heating", round(float(day.heater.sum()) / 60.0, 2))
    print("at midnight", round(float(last.temperature), 2))


if __name__ == "__main__":
    main()
