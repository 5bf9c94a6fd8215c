"""Acoustic wave propagation from a point source recorded by two hydrophones."""
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class Medium(NamedTuple):
    speed: jax.Array
    dx: float
    dt: float


class Source(NamedTuple):
    row: int
    col: int
    peak_frequency: float


def ricker(t, peak):
    a = (jnp.pi * peak * (t - 1.2 / peak)) ** 2
    return (1.0 - 2.0 * a) * jnp.exp(-a)


def laplacian(p, dx):
    padded = jnp.pad(p, 1)
    total = padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:] + padded[1:-1, :-2]
    return (total - 4.0 * p) / dx**2


def absorb(p, width=6):
    ramp = jnp.ones(p.shape[0])
    ramp = ramp.at[:width].set(jnp.linspace(0.85, 1.0, width))
    ramp = ramp.at[-width:].set(jnp.linspace(1.0, 0.85, width))
    return p * ramp[:, None] * ramp[None, :]


def add_source(p, source: Source, t, dt):
    return p.at[source.row, source.col].add(dt**2 * 1e4 * ricker(t, source.peak_frequency))


def simulate(medium: Medium, source: Source, receivers, steps):
    def step(carry, index):
        previous, current = carry
        t = index * medium.dt
        following = 2 * current - previous + (medium.speed * medium.dt) ** 2 * laplacian(current, medium.dx)
        following = add_source(following, source, t, medium.dt)
        carry = (absorb(current), absorb(following))
        return carry, following[receivers[:, 0], receivers[:, 1]]

    quiet = jnp.zeros_like(medium.speed)
    _, record = lax.scan(step, (quiet, quiet), jnp.arange(steps))
    return record


def main():
    medium = Medium(speed=jnp.full((60, 60), 1500.0), dx=10.0, dt=0.002)
    receivers = jnp.array([[30, 40], [15, 15]])
    source = Source(30, 30, peak_frequency=15.0)
    record = jax.jit(simulate, static_argnames="steps")(medium, source, receivers, steps=200)
    print("samples", record.shape)
    print("peak pressure", [f"{float(v):.2e}" for v in jnp.abs(record).max(axis=0)])
    print("arrival (ms)", [int(i) * 2 for i in jnp.argmax(jnp.abs(record), axis=0)])


if __name__ == "__main__":
    main()
