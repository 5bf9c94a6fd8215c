"""A year on ten plots."""

import jax
import jax.numpy as jnp
from field import WEEKS, Field


def weather(key):
    return jax.random.uniform(key, (10,), minval=0.4, maxval=1.0)


def harvest(heights, price=0.2):
    ripe = heights > 60.0
    return float(jnp.sum(jnp.where(ripe, heights * price, 0.0)))


def main():
    field = Field(10)
    heights = []
    for key in jax.random.split(jax.random.key(7), WEEKS):
        field.advance(weather(key))
        heights.append(float(field.height.mean()))
    gains = jnp.diff(jnp.array(heights))
    print("weeks", field.week)
    print("grows most in summer:", bool(15 < int(jnp.argmax(gains)) < 35))
    print("something is harvested:", harvest(field.height) > 0)


if __name__ == "__main__":
    main()
