import jax
import jax.numpy as jnp
import optax

from flight import fly

TARGET = 30.0


def miss(aim):
    """Squared distance of the ball from the target when it has come down."""
    landing = fly(aim["speed"], aim["angle"])
    return (landing - TARGET) ** 2 + 0.01 * aim["speed"] ** 2


def main():
    aim = {"speed": jnp.asarray(12.0), "angle": jnp.asarray(0.6)}
    optimizer = optax.adam(0.1)
    state = optimizer.init(aim)
    improve = jax.jit(jax.value_and_grad(miss))  # mistake
    for step in range(150):
        loss, grads = improve(aim)
        updates, state = optimizer.update(grads, state)
        aim = optax.apply_updates(aim, updates)
        if step % 50 == 49:
            print("step", step + 1, "loss", round(float(loss), 1))
    print("speed", round(float(aim["speed"]), 1), "angle", round(float(aim["angle"]), 2))


if __name__ == "__main__":
    main()
