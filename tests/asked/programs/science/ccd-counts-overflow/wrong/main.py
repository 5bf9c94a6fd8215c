"""Reduce a night of CCD frames: bias, flat field, total flux."""
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np


@dataclass
class Night:
    science: np.ndarray
    bias: np.ndarray
    exposure: float

    @property
    def n_frames(self) -> int:
        return self.science.shape[0]


def observe(rng: np.random.Generator, n_frames: int = 24) -> Night:
    shape = (n_frames, 96, 128)
    science = rng.integers(18_000, 22_000, size=shape, dtype=np.uint16)
    bias = rng.integers(990, 1010, size=(4, 96, 128), dtype=np.uint16)
    return Night(science, bias, exposure=30.0)


@jax.jit
def subtract_bias(science, bias):
    level = jnp.median(bias, axis=0).astype(jnp.int32)
    return science.astype(jnp.int32) - level


@jax.jit
def summarise(counts):
    brightest = counts.sum(axis=0).max()
    total = jnp.sum(counts)  # mistake
    return {
        "brightest_pixel": brightest,
        "total": total,
        "per_frame": total / counts.shape[0],
        "mean": jnp.mean(counts),
    }


def main():
    night = observe(np.random.default_rng(11))
    counts = subtract_bias(jnp.asarray(night.science), jnp.asarray(night.bias))
    summary = summarise(counts)
    print("frames        ", night.n_frames)
    print("brightest     ", int(summary["brightest_pixel"]))
    print("mean counts    %.1f" % float(summary["mean"]))
    print("total counts   %.3e" % float(summary["total"]))
    print("flux           %.3e counts/s" % float(summary["per_frame"] / night.exposure))


if __name__ == "__main__":
    main()
