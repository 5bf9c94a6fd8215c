import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from data import nuclei_patches
from unet import UNet


@jax.jit
def train_step(state: TrainState, images, masks):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, images)
        return optax.sigmoid_binary_cross_entropy(logits, masks).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    model = UNet(widths=(8,))
    variables = jax.jit(model.init)(jax.random.key(0), jnp.zeros((1, 25, 25, 1)))
    state = TrainState.create(
        apply_fn=model.apply, params=variables["params"], tx=optax.adam(3e-3)
    )
    for epoch in range(2):
        losses = []
        for images, masks in nuclei_patches(size=25, n_batches=2, seed=epoch):
            state, loss = train_step(state, images, masks)
            losses.append(loss)
        print(f"epoch {epoch}: bce {float(jnp.stack(losses).mean()):.4f}")


if __name__ == "__main__":
    main()
