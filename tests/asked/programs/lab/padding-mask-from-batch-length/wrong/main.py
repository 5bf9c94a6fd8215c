import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

from masking import masked_mean, padding_mask

VOCAB, WIDTH, MAX_LEN = 32, 24, 16


class GRULanguageModel(nn.Module):
    vocab: int
    width: int

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.vocab, self.width)(tokens)
        x = nn.RNN(nn.GRUCell(self.width))(x)
        return nn.Dense(self.vocab)(x)


model = GRULanguageModel(VOCAB, WIDTH)
tx = optax.adam(5e-3)


def loss_fn(params, tokens, lengths):
    logits = model.apply({"params": params}, tokens)
    mask = padding_mask(tokens, lengths)
    ce = optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], tokens[:, 1:])
    return masked_mean(ce, mask[:, 1:])


@jax.jit
def train_step(params, opt_state, tokens, lengths):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, lengths)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def sample_batch(rng, size):
    lengths = rng.integers(4, MAX_LEN + 1, size=size)
    start = rng.integers(1, VOCAB, size=(size, 1))
    tokens = (start + np.arange(MAX_LEN)) % VOCAB
    tokens = np.where(np.arange(MAX_LEN) < lengths[:, None], tokens, 0)
    return tokens.astype(np.int32), lengths.astype(np.int32)


def main():
    rng = np.random.default_rng(1)
    dummy = jnp.zeros((1, MAX_LEN), jnp.int32)
    params = model.init(jax.random.key(0), dummy)["params"]
    opt_state = tx.init(params)
    for step in range(81):
        tokens, lengths = sample_batch(rng, 32)
        params, opt_state, loss = train_step(params, opt_state, tokens, lengths)
        if step % 40 == 0:
            print(f"step {step} loss {loss:.3f}")


if __name__ == "__main__":
    main()
