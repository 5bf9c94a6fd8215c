"""Keyword spotting with a linear probe on augmented spectrograms."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

from augment import augment

NUM_CLASSES = 4
optimizer = optax.sgd(0.05, momentum=0.9)


def load_windows(seed, count=64, time=12, mels=8):
    rng = np.random.RandomState(seed)
    y = rng.randint(0, NUM_CLASSES, size=count)
    x = rng.normal(size=(count, time, mels)) + y[:, None, None] * 0.3
    return x.astype("float32"), y


def init_params(key, features):
    return {
        "w": 0.01 * jax.random.normal(key, (features, NUM_CLASSES)),
        "b": jnp.zeros((NUM_CLASSES,)),
    }


def loss_fn(params, x, y):
    flat = x.reshape((x.shape[0], -1))
    logits = flat @ params["w"] + params["b"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


@jax.jit
def train_step(params, opt_state, x, y, key):
    x = augment(key, x)
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss, x


def main():
    np.random.seed(3)
    x, y = load_windows(seed=0)
    params = init_params(jax.random.PRNGKey(0), x.shape[1] * x.shape[2])
    opt_state = optimizer.init(params)
    noises = []
    aug_key = jax.random.PRNGKey(1)
    order = np.random.permutation(len(x))
    for epoch in range(5):
        params, opt_state, loss, seen = train_step(
            params, opt_state, x[order], y[order], jax.random.fold_in(aug_key, epoch)
        )
        noises.append(round(float(seen.std()), 5))
        print(f"epoch {epoch} loss {loss:.4f}")
    print("distinct augmented batches:", len(set(noises)))


if __name__ == "__main__":
    main()
