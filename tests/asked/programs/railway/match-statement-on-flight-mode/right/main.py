import jax.numpy as jnp

from controller import HOVER, LAND, TAKE_OFF
from simulate import fly


def main():
    final, log = fly(n_steps=400, dt=0.02)
    height, _ = final.body
    print("final height", round(float(height), 3))
    for name, mode in (("take off", TAKE_OFF), ("hover", HOVER), ("land", LAND)):
        print(name, int(jnp.sum(log["mode"] == mode)), "steps")
    print("highest point", round(float(log["height"].max()), 2))


if __name__ == "__main__":
    main()
