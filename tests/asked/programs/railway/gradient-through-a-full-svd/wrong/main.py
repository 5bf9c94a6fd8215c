import jax.numpy as jnp
import numpy as np

from calibration import calibrate
from snapshots import record


def main():
    rng = np.random.default_rng(9)
    true_gains = jnp.asarray(1.0 + 0.3 * rng.normal(size=10), dtype=jnp.float32)
    mixing, observed = record(rng, true_gains, n_sources=2, n_times=120)
    gains, losses = calibrate(observed, mixing, n_steps=150)
    ratio = gains / true_gains
    print("loss", round(float(losses[0]), 4), "->", round(float(losses[-1]), 4))
    print("spread of gain ratios", round(float(ratio.std() / ratio.mean()), 3))


if __name__ == "__main__":
    main()
