import jax
import jax.numpy as jnp

from solver import HeatConfig, simulate


def initial_field(n: int):
    ax = jnp.linspace(-1.0, 1.0, n)
    xx, yy = jnp.meshgrid(ax, ax, indexing="ij")
    return jnp.exp(-8.0 * (xx**2 + yy**2))


def main():
    cfg = HeatConfig(alpha=0.15, hot=1.0, cold=0.0, steps=300)
    u0 = initial_field(32)
    final, energy = jax.jit(simulate, static_argnums=1)(u0, cfg)
    print("energy start/end", jnp.round(energy[0], 4), jnp.round(energy[-1], 4))
    print("top row mean", jnp.round(final[0].mean(), 3))
    print("centre", jnp.round(final[16, 16], 4))


if __name__ == "__main__":
    main()
