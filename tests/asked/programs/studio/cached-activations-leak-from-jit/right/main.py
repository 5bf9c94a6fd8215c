import jax
import jax.numpy as jnp
import numpy as np

from probe import ProbedTransformer


def effective_rank(x):
    s = jnp.linalg.svd(x, compute_uv=False)
    p = s / s.sum()
    return jnp.exp(-(p * jnp.log(p + 1e-9)).sum())


def main():
    model = ProbedTransformer(jax.random.key(0), vocab=50, dim=16, depth=3)
    forward = jax.jit(model.forward)
    tokens = np.random.default_rng(0).integers(0, 50, size=24)
    logits, activations = forward(model.params, tokens)
    print("logits", logits.shape, f"{jnp.abs(logits).mean():.3f}")
    for name, act in activations.items():
        print(name, f"rank {effective_rank(act):.2f}")


if __name__ == "__main__":
    main()
