import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from loader import SliceLoader
from unet import TinyUNet


def dice(logits, mask):
    prob = jax.nn.sigmoid(logits)
    overlap = 2 * jnp.sum(prob * mask, axis=(1, 2))
    return jnp.mean(overlap / (jnp.sum(prob + mask, axis=(1, 2)) + 1e-6))


@jax.jit
def train_step(state: TrainState, batch):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["image"])[..., 0]
        bce = optax.sigmoid_binary_cross_entropy(logits, batch["mask"]).mean()
        score = dice(logits, batch["mask"])
        return bce + 1.0 - score, score

    (loss, score), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads), {"loss": loss, "dice": score}


def main():
    loader = SliceLoader(num_slices=64, batch_size=16)
    model = TinyUNet(features=8)
    params = model.init(jax.random.key(0), jnp.zeros((1, 16, 16, 1)))["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    for epoch in range(6):
        for batch in loader:
            state, metrics = train_step(state, batch)  # mistake
        print(epoch, {k: round(float(v), 3) for k, v in metrics.items()}, "last slice", loader.last_path)


if __name__ == "__main__":
    main()
