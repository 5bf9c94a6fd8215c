import jax
import jax.numpy as jnp
import numpy as np
import optax

from transformer import TinyLM

VOCABULARY = 17
LENGTH = 24

model = TinyLM(VOCABULARY)
optimizer = optax.adamw(3e-3)


def counting_text(count, seed):
    rng = np.random.default_rng(seed)
    start = rng.integers(VOCABULARY, size=(count, 1))
    stride = rng.integers(1, 4, size=(count, 1))
    return (start + stride * np.arange(LENGTH + 1)) % VOCABULARY


def next_token_loss(params, text):
    logits = model.apply(params, text[:, :-1])
    return optax.softmax_cross_entropy_with_integer_labels(logits, text[:, 1:]).mean()


@jax.jit
def train_step(params, opt_state, text):
    loss, grads = jax.value_and_grad(next_token_loss)(params, text)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def accuracy(params, text):
    guess = jnp.argmax(model.apply(params, text[:, :-1]), axis=-1)
    return jnp.mean(guess == text[:, 1:])


def main():
    params = jax.jit(model.init)(jax.random.key(0), jnp.zeros((1, 4), jnp.int32))
    opt_state = optimizer.init(params)
    for step in range(60):
        params, opt_state, loss = train_step(params, opt_state, counting_text(32, step))
        if step % 20 == 0:
            print(step, loss)
    print("accuracy", accuracy(params, counting_text(64, 1000)))


if __name__ == "__main__":
    main()
