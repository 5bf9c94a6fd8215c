"""A chain that is stopped gives the same samples as one that is not."""
import jax
import jax.numpy as jnp

import store


@jax.jit
def advance(chain):
    key, key_move = jax.random.split(chain["key"])
    noise = jax.random.normal(key_move, chain["position"].shape)
    return {"position": 0.9 * chain["position"] + 0.4 * noise, "key": key}


def run(chain, steps):
    for _ in range(steps):
        chain = advance(chain)
    return chain


def main():
    start = {"position": jnp.zeros(3), "key": jax.random.key(7)}
    whole = run(start, 6)
    halves = run(store.load(store.dump(run(start, 3))), 3)
    print("same", bool(jnp.allclose(whole["position"], halves["position"])))


if __name__ == "__main__":
    main()
