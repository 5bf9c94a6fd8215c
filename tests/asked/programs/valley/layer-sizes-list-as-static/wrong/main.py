import jax
import jax.numpy as jnp
import numpy as np

from conv_stack import apply_stack, init_stack
from settings import get_config


def main():
    cfg = get_config()
    key = jax.random.PRNGKey(cfg["seed"])
    params = init_stack(key, cfg["channels"], cfg["kernel"])
    rng = np.random.default_rng(0)
    audio = rng.normal(size=(8, 128, cfg["channels"][0])).astype(np.float32)
    features = apply_stack(params, audio, strides=cfg["strides"])  # mistake
    print("features", features.shape)
    pooled = jnp.mean(features, axis=1)
    print("pooled", jnp.round(pooled[0, :4], 3))


if __name__ == "__main__":
    main()
