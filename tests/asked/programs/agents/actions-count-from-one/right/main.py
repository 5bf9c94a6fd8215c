"""A robot on a grid is told its way by numbers from a file of commands."""
import jax
import jax.numpy as jnp

COMMANDS = {"north": 1, "east": 2, "south": 3, "west": 4}


def north(position):
    return position + jnp.array([0, 1])


def east(position):
    return position + jnp.array([1, 0])


def south(position):
    return position + jnp.array([0, -1])


def west(position):
    return position + jnp.array([-1, 0])


@jax.jit
def follow(position, commands):
    def step(position, command):
        position = jax.lax.switch(command - 1, [north, east, south, west], position)
        return position, position

    return jax.lax.scan(step, position, commands)


def encode(words):
    return jnp.array([COMMANDS[word] for word in words])


if __name__ == "__main__":
    way = ["north", "north", "east", "east", "south", "west"]
    end, path = follow(jnp.array([0, 0]), encode(way))
    print("path", path.tolist())
    print("end", end.tolist())
