"""Go through two epochs of augmented batches."""
import jax
import jax.numpy as jnp

from augment import augment

SIGNALS, BATCH = 24, 8


def epochs(key, signals, count):
    number = 0
    for _ in range(count):
        for begin in range(0, len(signals), BATCH):
            key_batch = jax.random.fold_in(key, number)
            number += 1
            yield augment(key_batch, signals[begin : begin + BATCH])


def main():
    time = jnp.linspace(0.0, 6.28, 50)
    signals = jnp.sin(time + jnp.arange(SIGNALS)[:, None])
    seen = set()
    batches = 0
    for _, shifts in epochs(jax.random.key(0), signals, 2):
        seen.add(tuple(shifts.tolist()))
        batches += 1
    print("batches", batches, "different shifts", len(seen))


if __name__ == "__main__":
    main()
