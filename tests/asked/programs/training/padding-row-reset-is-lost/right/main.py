"""Text classifier on mean-pooled embeddings, with a zero padding row."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

PAD = 0
VOCAB = 50
DIM = 8


def init_params(key):
    k_embed, k_out = jax.random.split(key)
    return {
        "embedding": jax.random.normal(k_embed, (VOCAB, DIM)) * 0.1,
        "head": {"kernel": jax.random.normal(k_out, (DIM, 3)) * 0.1, "bias": jnp.zeros((3,))},
    }


def forward(params, tokens):
    vectors = params["embedding"][tokens]
    pooled = vectors.mean(axis=1)
    return pooled @ params["head"]["kernel"] + params["head"]["bias"]


def loss_fn(params, tokens, labels):
    logits = forward(params, tokens)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def project(params):
    """Constraints that must hold after every update."""
    params["embedding"] = params["embedding"].at[PAD].set(0.0)
    params["head"]["bias"] = params["head"]["bias"] - params["head"]["bias"].mean()
    return params


tx = optax.adam(1e-2)


@jax.jit
def train_step(params, opt_state, tokens, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, labels)
    updates, opt_state = tx.update(grads, opt_state, params)
    params = project(optax.apply_updates(params, updates))
    return params, opt_state, loss


def sample_batch(rng, size=16, length=12):
    tokens = rng.integers(1, VOCAB, size=(size, length))
    lengths = rng.integers(3, length, size=size)
    tokens[np.arange(length)[None, :] >= lengths[:, None]] = PAD
    return tokens, tokens[:, 0] % 3


def main():
    rng = np.random.default_rng(0)
    params = project(init_params(jax.random.PRNGKey(0)))
    opt_state = tx.init(params)
    for step in range(40):
        tokens, labels = sample_batch(rng)
        params, opt_state, loss = train_step(params, opt_state, tokens, labels)
    pad_norm = jnp.linalg.norm(params["embedding"][PAD])
    print(f"loss {loss:.4f}")
    print(f"norm of the padding row {pad_norm:.4f}")


if __name__ == "__main__":
    main()
