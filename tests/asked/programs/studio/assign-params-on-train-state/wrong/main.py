import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from transfer import Classifier, merge_backbone

DIM = 10


def new_state(key, classes, lr=5e-3):
    model = Classifier(classes)
    params = model.init(key, jnp.zeros((1, DIM)))["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(lr))


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train(state, x, y, steps):
    for _ in range(steps):
        state, loss = train_step(state, x, y)
    return state, float(loss)


def load_pretrained(state, pretrained):
    params = merge_backbone(state.params, pretrained)
    state.params = params  # mistake
    return state


def main():
    rng = np.random.default_rng(0)
    proj = rng.normal(size=(DIM, 6))
    x_src = rng.normal(size=(600, DIM)).astype(np.float32)
    y_src = (x_src @ proj).argmax(1)
    source_key, target_key = jax.random.split(jax.random.key(0))
    source, loss = train(new_state(source_key, 6), x_src, y_src, 80)
    print(f"source loss {loss:.3f}")

    x_tgt = rng.normal(size=(60, DIM)).astype(np.float32)
    y_tgt = (x_tgt @ proj).argmax(1) // 2
    target = load_pretrained(new_state(target_key, 3), source.params)
    target, loss = train(target, x_tgt, y_tgt, 20)
    print(f"target loss {loss:.3f} after {int(target.step)} steps")


if __name__ == "__main__":
    main()
