"""When is it warmest at each station?"""

import jax
import jax.numpy as jnp
from fill import fill, warmest_hour
from stations import readings


def main():
    table = readings(jax.random.key(1))
    print("gaps", int(jnp.isnan(table).sum()) > 0)
    full = fill(table)
    print("gaps after", int(jnp.isnan(full).sum()))
    hours = warmest_hour(full)
    print("stations", hours.shape[0], "warm before noon", bool((hours < 12).all()))


if __name__ == "__main__":
    main()
