import time

import jax.numpy as jnp
import numpy as np

from planner import MPCPlanner
from vehicle import BicycleModel


def reference_path(n=160):
    s = np.linspace(0, 16, n)
    return jnp.asarray(np.stack([s, 1.5 * np.sin(0.5 * s)], axis=1), dtype=jnp.float32)


def run_closed_loop(planner, vehicle, path, n_steps=20):
    state = jnp.array([0.0, 0.3, 0.0, 2.0])
    errors, times = [], []
    for k in range(n_steps):
        start = time.perf_counter()
        action = np.asarray(planner.plan(state, path[2 * k : 2 * k + planner.horizon]))
        times.append(time.perf_counter() - start)
        state = vehicle.step(state, jnp.asarray(action))
        errors.append(float(jnp.min(jnp.linalg.norm(path - state[:2], axis=1))))
    return np.array(errors), np.array(times)


def main():
    vehicle = BicycleModel(wheelbase=0.8, dt=0.1)
    planner = MPCPlanner(vehicle, horizon=12, n_iter=30, lr=0.08)
    errors, times = run_closed_loop(planner, vehicle, reference_path())
    print(f"mean tracking error {errors.mean():.3f}")
    print(f"median planning time after the first step: {1e3 * np.median(times[1:]):.1f} ms")


if __name__ == "__main__":
    main()
