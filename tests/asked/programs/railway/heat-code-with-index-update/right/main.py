import jax.numpy as jnp

from grid import Plate, initial_temperature
from solver import run


def summary(field):
    return {
        "mean": float(jnp.mean(field)),
        "max": float(jnp.max(field)),
        "edge": float(field[0].mean()),
    }


def main():
    plate = Plate(n=48, dx=0.02, diffusivity=1.1e-4, hot_edge=100.0)
    field = initial_temperature(plate)
    dt = 0.2 * plate.dx**2 / plate.diffusivity
    final, means = run(field, dt, plate, n_steps=400)
    for name, value in summary(final).items():
        print(f"{name}: {value:.3f}")
    print("mean over time", [round(float(m), 3) for m in means[::100]])


if __name__ == "__main__":
    main()
