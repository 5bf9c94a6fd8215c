"""Predict star ratings (1 to 5) of products from review features."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax.training import train_state

NUM_STARS = 5


class RatingModel(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.LayerNorm()(nn.Dense(24)(x))
        return nn.Dense(NUM_STARS)(nn.relu(x))


class ReviewDataset:
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.features = rng.normal(size=(n, 6)).astype(np.float32)
        score = self.features[:, 0] + 0.5 * self.features[:, 1]
        self.stars = np.digitize(score, [-1.0, -0.3, 0.3, 1.0]) + 1

    def __len__(self):
        return len(self.stars)

    def epoch(self, batch_size, seed):
        order = np.random.default_rng(seed).permutation(len(self))
        for start in range(0, len(self) - batch_size + 1, batch_size):
            idx = order[start : start + batch_size]
            yield self.features[idx], self.stars[idx]


def negative_log_likelihood(logits, stars):
    log_probs = jax.nn.log_softmax(logits)
    picked = log_probs[jnp.arange(stars.shape[0]), stars - 1]
    return -picked.mean()


@jax.jit
def train_step(state, x, stars):
    def loss_fn(params):
        return negative_log_likelihood(state.apply_fn({"params": params}, x), stars)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def predict_stars(state, x):
    return state.apply_fn({"params": state.params}, x).argmax(-1) + 1


def main():
    model = RatingModel()
    params = jax.jit(model.init)(jax.random.key(0), jnp.ones((1, 6)))["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    data, held_out = ReviewDataset(256, seed=0), ReviewDataset(128, seed=1)
    for epoch in range(8):
        for x, stars in data.epoch(32, seed=epoch):
            state, loss = train_step(state, x, stars)
    accuracy = np.mean(np.asarray(predict_stars(state, held_out.features)) == held_out.stars)
    print(f"train loss {loss:.3f}, held-out accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
