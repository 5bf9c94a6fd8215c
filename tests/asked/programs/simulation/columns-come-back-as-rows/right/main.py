"""Remove the common mode of the channels after filtering them."""
import jax
import jax.numpy as jnp

from filters import low_pass_channels


@jax.jit
def clean(recording):
    filtered = low_pass_channels(recording)
    return filtered - filtered.mean(axis=1, keepdims=True)


def spread_over_channels(recording):
    return jnp.abs(recording.mean(axis=1)).max()


def main():
    times, channels = 6, 6
    drift = jnp.linspace(0.0, 5.0, times)[:, None]
    offsets = jnp.arange(channels, dtype=jnp.float32)[None]
    cleaned = clean(drift + offsets)
    print("common mode left", bool(spread_over_channels(cleaned) > 1e-4))
    print("offsets", [round(offset, 1) for offset in cleaned[-1].tolist()])


if __name__ == "__main__":
    main()
