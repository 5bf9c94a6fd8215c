"""Logistic regression with weight decay."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

from config import Settings


def loss_fn(w, x, y):
    logits = x @ w
    return optax.sigmoid_binary_cross_entropy(logits, y).mean()


def train(settings, x, y):
    optimizer = settings.optimizer()
    w = jnp.zeros(x.shape[1])
    opt_state = optimizer.init(w)

    @jax.jit
    def step(w, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(w, x, y)
        updates, opt_state = optimizer.update(grads, opt_state)  # mistake
        return optax.apply_updates(w, updates), opt_state, loss

    for _ in range(settings.steps):
        w, opt_state, loss = step(w, opt_state)
    return w, loss


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 5)).astype(np.float32)
    y = (x[:, 0] > 0).astype(np.float32)
    w, loss = train(Settings(), x, y)
    print("loss below 0.6:", float(loss) < 0.6, "largest weight", int(jnp.argmax(jnp.abs(w))))


if __name__ == "__main__":
    main()
