"""A cutting machine that follows a list of orders."""

import jax
import jax.numpy as jnp

ORDERS = [0, 2, 1, 0, 2, 2, 1, 0, 0, 1, 2, 0]
compilations = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, **_: compilations.append(event) if "backend_compile" in event else None
)


def move(position, amount):
    return position + amount * jnp.array([1.0, 0.0])


def turn(position, amount):
    c, s = jnp.cos(amount), jnp.sin(amount)
    return jnp.array([[c, -s], [s, c]]) @ position


def lift(position, amount):
    return position + amount * jnp.array([0.0, 1.0])


def run(orders, amounts):
    position = jnp.array([1.0, 0.0])
    path = [position]
    for order, amount in zip(orders, amounts):
        position = jax.lax.switch(  # mistake
            order,
            [lambda p, a=amount: move(p, a), lambda p, a=amount: turn(p, a), lambda p, a=amount: lift(p, a)],
            position,
        )
        path.append(position)
    return jnp.stack(path)


def main():
    amounts = jax.random.uniform(jax.random.key(0), (len(ORDERS),))
    before = len(compilations)
    path = run(ORDERS, amounts)
    programs = len(compilations) - before
    print("positions", path.shape)
    print("end", [round(float(x), 1) for x in path[-1]])
    print("compiled", "a few programs" if programs < len(ORDERS) else "a program for each order")


if __name__ == "__main__":
    main()
