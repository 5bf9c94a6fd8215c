"""An epidemic in age groups, in double precision."""
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

CONTACTS = np.array([[8.0, 3.0, 1.0], [3.0, 6.0, 2.0], [1.0, 2.0, 3.0]])


def initial(groups):
    infected = jnp.zeros(groups, dtype=jnp.float32).at[1].set(1e-3)  # mistake
    return 1.0 - infected, infected


def day(state, _):
    susceptible, infected = state
    new = 0.03 * susceptible * (jnp.asarray(CONTACTS) @ infected)
    recovered = 0.2 * infected
    return (susceptible - new, infected + new - recovered), infected.sum()


@jax.jit
def outbreak(state):
    return jax.lax.scan(day, state, length=90)  # mistake


if __name__ == "__main__":
    (susceptible, infected), curve = outbreak(initial(3))
    print("peak", round(float(curve.max()), 2), "on day", int(curve.argmax()))
    print("spared", bool(jnp.all(susceptible > 0.0)))
