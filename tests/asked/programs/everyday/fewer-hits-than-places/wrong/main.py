"""Count hits of detectors over many events."""
import jax
import jax.numpy as jnp

MAX_HITS = 4


@jax.jit
def count_hits(signals):
    def one(counts, signal):
        (hit,) = jnp.nonzero(signal > 0.5, size=MAX_HITS)  # mistake
        return counts.at[hit].add(1), None  # mistake

    counts, _ = jax.lax.scan(one, jnp.zeros(signals.shape[1], jnp.int32), signals)
    return counts


if __name__ == "__main__":
    signals = jnp.zeros((10, 6)).at[:, 2].set(1.0).at[::2, 4].set(0.9)
    print(count_hits(signals).tolist())
