import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class TextClassifier(nn.Module):
    vocabulary: int
    classes: int

    @nn.compact
    def __call__(self, tokens, train):
        x = nn.Embed(self.vocabulary, 24)(tokens).mean(axis=1)
        x = nn.relu(nn.Dense(48)(x))
        x = nn.Dropout(0.3, deterministic=not train)(x)
        return nn.Dense(self.classes)(x)


@jax.jit
def train_step(state, tokens, labels, key):
    key_dropout = jax.random.fold_in(key, state.step)

    def loss_fn(params):
        logits = state.apply_fn({"params": params}, tokens, train=True, rngs={"dropout": key_dropout})
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def accuracy(state, tokens, labels):
    logits = state.apply_fn({"params": state.params}, tokens, train=False)
    return jnp.mean(logits.argmax(axis=-1) == labels)


def reviews(key, n, length):
    key_label, key_token, key_mood = jax.random.split(key, 3)
    labels = jax.random.randint(key_label, (n,), 0, 2)
    neutral = jax.random.randint(key_token, (n, length), 20, 60)
    moody = 10 * labels[:, None] + jax.random.randint(key_mood, (n, length), 0, 10)
    tokens = jnp.where(jnp.arange(length) < 4, moody, neutral)
    return tokens, labels


def main():
    key_data, key_params, key_train = jax.random.split(jax.random.key(17), 3)
    tokens, labels = reviews(key_data, 200, 12)
    model = TextClassifier(vocabulary=60, classes=2)
    params = model.init(key_params, tokens[:1], train=False)["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    for _ in range(40):
        state, loss = train_step(state, tokens, labels, key_train)
    print("loss", round(float(loss), 3))
    print("accuracy", round(float(accuracy(state, tokens, labels)), 3))


if __name__ == "__main__":
    main()
