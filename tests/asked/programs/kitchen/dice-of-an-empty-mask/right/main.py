from functools import partial

import numpy as np
import optax
from flax import nnx

from losses import segmentation_loss
from network import SliceNet

config = {"width": 8, "lr": 5e-3, "batch_size": 16, "steps": 25, "dice_weight": 0.5}


def load_slices(rng, count, size=20):
    rows, cols = np.mgrid[:size, :size]
    r0, c0 = rng.uniform(4, size - 4, (2, count, 1, 1))
    masks = (((rows - r0) / 3.0) ** 2 + ((cols - c0) / 4.0) ** 2 < 1).astype(np.float32)
    healthy = rng.uniform(size=count) < 0.3
    masks[healthy] = 0.0
    images = masks + 0.5 * rng.normal(size=masks.shape)
    return images[..., None].astype(np.float32), masks


@partial(nnx.jit, static_argnames="dice_weight")
def train_step(model, optimizer, images, masks, dice_weight):
    def loss_fn(model):
        return segmentation_loss(model(images), masks, dice_weight)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main():
    rng = np.random.default_rng(4)
    model = SliceNet(config["width"], rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(config["lr"]), wrt=nnx.Param)
    for step in range(config["steps"]):
        images, masks = load_slices(rng, config["batch_size"])
        loss = train_step(model, optimizer, images, masks, dice_weight=config["dice_weight"])
        if step % 8 == 0:
            print(f"step {step}: loss {loss:.3f}")
    images, masks = load_slices(rng, 64)
    predicted = np.asarray(model(images)) > 0
    print(f"pixel accuracy {np.mean(predicted == (masks > 0)):.3f}")


if __name__ == "__main__":
    main()
