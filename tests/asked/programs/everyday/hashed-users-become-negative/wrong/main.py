"""Look up embeddings of users by hash."""
import jax
import jax.numpy as jnp
import numpy as np

BUCKETS = 1000


def hashes_of(names):
    hashes = np.zeros(len(names), dtype=np.int64)
    for position, name in enumerate(names):
        value = 1469598103934665603
        for letter in name.encode():
            value = ((value ^ letter) * 1099511628211) % 2**63
        hashes[position] = value
    return hashes


@jax.jit
def lookup(table, buckets):
    return table[buckets]


def main():
    hashes = hashes_of(["ada", "grace", "edsger", "barbara"])
    buckets = jnp.asarray(hashes) % BUCKETS  # mistake
    table = jnp.arange(float(BUCKETS))
    served = (hashes % BUCKETS).tolist()
    print("as served", lookup(table, buckets).astype(int).tolist() == served)


if __name__ == "__main__":
    main()
