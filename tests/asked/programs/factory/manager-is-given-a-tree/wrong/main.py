"""Keep the best settings of a kiln while it is tuned."""

import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp

from storage import latest, open_manager, store


def defects(setting):
    """The share of bricks that crack."""
    heat, time = setting["heat"], setting["time"]
    return 0.05 + (heat - 1.1) ** 2 + 0.3 * (time - 0.7 * heat) ** 2


@jax.jit
def improve(setting):
    slope = jax.grad(defects)(setting)
    return jax.tree.map(lambda s, g: s - 0.2 * g, setting, slope)


def main():
    setting = {"heat": jnp.array(0.5), "time": jnp.array(1.0)}
    with tempfile.TemporaryDirectory() as folder, open_manager(Path(folder).resolve()) as manager:
        for day in range(30):
            setting = improve(setting)
            if day % 10 == 9:
                store(manager, day, setting)
        manager.wait_until_finished()
        found = latest(manager, setting)
        print("kept", manager.all_steps())
    print("few defects:", bool(defects(found) < 0.06))


if __name__ == "__main__":
    main()
