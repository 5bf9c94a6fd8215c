import jax
import jax.numpy as jnp


def init_reservoir(key, n_in, size, radius=0.9):
    in_key, rec_key = jax.random.split(key)
    rec = jax.random.normal(rec_key, (size, size)) / jnp.sqrt(size)
    return {
        "win": 0.5 * jax.random.normal(in_key, (n_in, size)),
        "rec": radius * rec,
        "leak": jnp.linspace(0.1, 1.0, size),
    }


def step(params, state, u):
    drive = jnp.tanh(u @ params["win"] + state @ params["rec"])
    return (1.0 - params["leak"]) * state + params["leak"] * drive


@jax.jit
def run(params, inputs):
    state = jnp.zeros(params["rec"].shape[0])
    states = []
    for u in inputs:  # mistake
        state = step(params, state, u)
        states.append(state)
    return jnp.stack(states)
