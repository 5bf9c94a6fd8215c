import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from finetune import head_only_optimizer
from models import FlowerNet


def flower_features(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n).astype(np.int32)
    x = rng.normal(size=(n, 16)) + 1.5 * np.eye(16)[y]
    return x.astype(np.float32), y


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def distance(a, b):
    return float(optax.global_norm(jax.tree.map(jnp.subtract, a, b)))


def main():
    model = FlowerNet()
    x, y = flower_features(256, seed=0)
    pretrained = model.init(jax.random.key(1), x[:1])["params"]
    tx = head_only_optimizer(pretrained, learning_rate=1e-2)
    state = TrainState.create(apply_fn=model.apply, params=pretrained, tx=tx)
    for _ in range(60):
        state, loss = train_step(state, x, y)
    print(f"loss {float(loss):.3f}")
    for name in ("backbone", "head"):
        print(f"{name} moved by {distance(pretrained[name], state.params[name]):.3f}")


if __name__ == "__main__":
    main()
