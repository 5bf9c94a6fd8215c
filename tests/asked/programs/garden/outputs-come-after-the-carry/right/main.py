import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from gestures import imu_sequences
from tagger import GestureTagger


def create_state(key, example):
    model = GestureTagger(hidden=32, n_classes=3)
    params = model.init(key, example)["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(4e-3))


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x)
        ce = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
        return ce, logits

    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads), loss, jnp.mean(logits.argmax(-1) == y)


def main():
    x, y = imu_sequences(120)
    state = create_state(jax.random.key(0), x[:1])
    for epoch in range(15):
        state, loss, acc = train_step(state, x, y)
        if epoch % 5 == 0:
            print(f"{epoch:2d} loss {float(loss):.3f} acc {float(acc):.2f}")
    print("final accuracy", round(float(acc), 2))


if __name__ == "__main__":
    main()
