import jax
import jax.numpy as jnp
import numpy as np
import optax

from bpr import make_update
from factors import all_scores, init_factors

NUM = 60


def triples(rng, size):
    users = rng.integers(0, NUM, size)
    liked = (users + 20 + 3 * rng.integers(0, 4, size)) % NUM
    other = rng.integers(0, NUM, size)
    return users.astype(np.int32), liked.astype(np.int32), other.astype(np.int32)


def own_number_first(factors):
    return float(jnp.mean(jnp.argmax(all_scores(factors), axis=1) == jnp.arange(NUM)))


def main():
    rng = np.random.default_rng(9)
    factors = init_factors(jax.random.key(0), NUM, NUM, dim=16)
    print(f"share with their own number first: {own_number_first(factors):.2f}")
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(factors)
    update = make_update(optimizer, reg=1e-5)
    for step in range(150):
        factors, opt_state, loss = update(factors, opt_state, *triples(rng, 256))
        if step % 50 == 0:
            print(f"step {step}: loss {loss:.3f}")
    print(f"share with their own number first: {own_number_first(factors):.2f}")


if __name__ == "__main__":
    main()
