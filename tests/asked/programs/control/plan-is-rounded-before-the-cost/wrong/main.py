"""Plan by gradient descent."""
import jax
import jax.numpy as jnp

from cost import buckets, cost


@jax.jit
def improve(plan):
    return plan - 0.02 * jax.grad(cost)(plan)  # mistake


def main():
    plan = jnp.full(5, 0.8)
    first = float(cost(plan))
    for _ in range(100):
        plan = improve(plan)
    print("improved:", float(cost(plan)) < 0.5 * first, "total", int(jnp.round(buckets(plan)).sum()))


if __name__ == "__main__":
    main()
