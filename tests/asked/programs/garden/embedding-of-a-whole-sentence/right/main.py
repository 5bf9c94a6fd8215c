import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from corpus import PAD, review_batches
from sentiment import SentimentCNN


def batch_loss(model, tokens, labels):
    logits = jax.vmap(model)(tokens)
    return optax.sigmoid_binary_cross_entropy(logits, labels).mean()


@eqx.filter_jit
def train_step(model, opt_state, optimizer, tokens, labels):
    loss, grads = eqx.filter_value_and_grad(batch_loss)(model, tokens, labels)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss


@eqx.filter_jit
def evaluate(model, tokens, labels):
    logits = jax.vmap(model)(tokens)
    return jnp.mean((logits > 0) == (labels > 0.5))


def main():
    model = SentimentCNN(vocab_size=60, width=16, pad_id=PAD, key=jax.random.key(0))
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for step, (tokens, labels) in enumerate(review_batches(40, seed=0)):
        model, opt_state, loss = train_step(model, opt_state, optimizer, tokens, labels)
        if step % 10 == 0:
            print(f"step {step} loss {float(loss):.3f}")
    tokens, labels = next(review_batches(1, seed=99, batch_size=256))
    print("accuracy", round(float(evaluate(model, tokens, labels)), 3))


if __name__ == "__main__":
    main()
