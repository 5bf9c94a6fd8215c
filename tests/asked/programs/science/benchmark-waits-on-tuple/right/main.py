"""Time the kernels of a reaction-diffusion code."""
import time
from dataclasses import dataclass, field
from typing import Callable

import jax
import jax.numpy as jnp


@dataclass
class Timing:
    name: str
    compile_seconds: float = 0.0
    seconds: list = field(default_factory=list)

    @property
    def best(self):
        return min(self.seconds)


def laplacian(u):
    shifted = [jnp.roll(u, shift, axis) for axis in (0, 1) for shift in (-1, 1)]
    return sum(shifted) - 4.0 * u


@jax.jit
def diffuse(u):
    return u + 0.2 * laplacian(u)


@jax.jit
def gray_scott(u, v, feed=0.04, kill=0.06):
    reaction = u * v**2
    du = 0.16 * laplacian(u) - reaction + feed * (1.0 - u)
    dv = 0.08 * laplacian(v) + reaction - (feed + kill) * v
    return u + du, v + dv


def benchmark(name: str, fn: Callable, *args, repeats=5) -> Timing:
    timing = Timing(name)
    start = time.perf_counter()
    jax.block_until_ready(fn(*args))
    timing.compile_seconds = time.perf_counter() - start
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(fn(*args))
        timing.seconds.append(time.perf_counter() - start)
    return timing


def main():
    key = jax.random.key(1)
    u = jnp.ones((128, 128)) + 0.01 * jax.random.normal(key, (128, 128))
    v = jnp.zeros((128, 128)).at[60:68, 60:68].set(0.5)
    diffuse(u).block_until_ready()

    results = [benchmark("diffuse", diffuse, u), benchmark("gray-scott", gray_scott, u, v)]
    for timing in results:
        plausible = 0.0 < timing.best < 5.0
        print(f"{timing.name:12s} {len(timing.seconds)} runs, plausible: {plausible}")


if __name__ == "__main__":
    main()
