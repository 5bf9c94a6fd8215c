import jax.numpy as jnp
import optax
from flax import nnx

from network import SpectrogramNet
from sounds import load_clips


def loss_fn(model, clips, labels):
    logits = model(clips)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return loss, logits


@nnx.jit
def train_step(model, optimizer, clips, labels):
    (loss, logits), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model, clips, labels)
    optimizer.update(model, grads)
    return loss, jnp.mean(logits.argmax(-1) == labels)


def main(n_epochs: int = 3, batch_size: int = 32):
    model = SpectrogramNet(n_classes=4, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-3), wrt=nnx.Param)
    clips, labels = load_clips(128)
    for epoch in range(n_epochs):
        for start in range(0, len(clips), batch_size):
            batch = slice(start, start + batch_size)
            loss, acc = train_step(model, optimizer, clips[batch], labels[batch])
        print(f"epoch {epoch}  loss {float(loss):.3f}  accuracy {float(acc):.2f}")


if __name__ == "__main__":
    main()
