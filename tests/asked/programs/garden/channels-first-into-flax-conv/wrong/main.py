import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from loader import epoch_batches, load_tiles
from tile_net import TileNet


@jax.jit
def train_step(state, images, labels):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def eval_step(state, images, labels):
    logits = state.apply_fn({"params": state.params}, images)
    return jnp.mean(logits.argmax(-1) == labels)


def main():
    images, labels = load_tiles(160)
    model = TileNet(n_classes=3)
    params = jax.jit(model.init)(jax.random.key(0), images[:1])["params"]
    print("first kernel", params["Conv_0"]["kernel"].shape)
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    for epoch in range(6):
        for batch_images, batch_labels in epoch_batches(images, labels, 32, seed=epoch):
            state, loss = train_step(state, batch_images, batch_labels)
    print(f"loss {float(loss):.3f} accuracy {float(eval_step(state, images, labels)):.2f}")


if __name__ == "__main__":
    main()
