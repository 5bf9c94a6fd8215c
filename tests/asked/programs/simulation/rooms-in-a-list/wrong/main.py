"""Heat a row of rooms with walls of different materials."""
import jax
import jax.numpy as jnp

WALLS = {"brick": 0.3, "glass": 0.9, "wood": 0.15}


def house(names):
    """How well the walls conduct, from the outside in."""
    return [WALLS[name] for name in names]


def exchange(temperatures, walls):
    def through_wall(i, temperatures):
        flow = walls[i] * (temperatures[i] - temperatures[i + 1])  # mistake
        return temperatures.at[i].add(-0.5 * flow).at[i + 1].add(0.5 * flow)

    return jax.lax.fori_loop(0, len(walls), through_wall, temperatures)


def day(temperatures, walls, hours):
    for _ in range(hours):
        temperatures = temperatures.at[0].set(5.0).at[-1].set(22.0)
        temperatures = exchange(temperatures, walls)
    return temperatures


if __name__ == "__main__":
    walls = house(["glass", "wood", "brick"])
    temperatures = day(jnp.full(4, 15.0), walls, 12)
    print("warmer inside", bool(jnp.all(jnp.diff(temperatures) > 0.0)))
