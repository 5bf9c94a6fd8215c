"""At which momentum is the function steepest?"""

import jax
import jax.numpy as jnp
from series import wigner


@jax.jit
def signal(order, position, momenta):
    return jnp.sum(jax.vmap(wigner, in_axes=(None, None, 0))(order, position, momenta) ** 2)


def find_position(order, momenta, start=0.6):
    position = jnp.array(start)
    slope = jax.grad(signal, argnums=1)  # mistake
    for _ in range(20):
        position = position - 0.05 * slope(order, position, momenta)  # mistake
    return position


def main():
    momenta = jnp.linspace(-1.5, 1.5, 21)
    for order in (1, 3):
        before = signal(order, jnp.array(0.6), momenta)
        position = find_position(order, momenta)
        after = signal(order, position, momenta)
        print("order", order, "less signal", bool(after <= before))


if __name__ == "__main__":
    main()
