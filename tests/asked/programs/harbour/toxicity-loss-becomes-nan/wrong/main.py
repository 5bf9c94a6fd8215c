import flax.linen as nn
import jax
import numpy as np
import optax
from flax.training.train_state import TrainState

from descriptors import molecules
from losses import balanced_accuracy, binary_cross_entropy


class ToxicityNet(nn.Module):
    hidden: int = 32

    @nn.compact
    def __call__(self, descriptors):
        h = nn.relu(nn.Dense(self.hidden)(descriptors))
        h = nn.relu(nn.Dense(self.hidden)(h))
        return nn.Dense(1)(h)[:, 0]


@jax.jit
def train_step(state, descriptors, label):
    def loss_fn(params):
        return binary_cross_entropy(state.apply_fn({"params": params}, descriptors), label)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    descriptors, label = molecules(600)
    model = ToxicityNet()
    params = model.init(jax.random.key(0), descriptors[:1])["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(3e-3))
    rng = np.random.default_rng(0)
    for step in range(400):
        rows = rng.integers(0, len(label), size=128)
        state, loss = train_step(state, descriptors[rows], label[rows])
        if step % 100 == 0:
            print(step, loss)
    test_descriptors, test_label = molecules(300, seed=1)
    logits = state.apply_fn({"params": state.params}, test_descriptors)
    print("loss", binary_cross_entropy(logits, test_label))
    print("balanced accuracy", balanced_accuracy(logits, test_label))


if __name__ == "__main__":
    main()
