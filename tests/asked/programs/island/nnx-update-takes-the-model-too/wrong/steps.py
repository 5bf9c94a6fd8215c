import optax
from flax import nnx


def classification_loss(model, images, labels):
    logits = model(images)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return loss, logits


@nnx.jit
def train_step(model, optimizer: nnx.Optimizer, metrics: nnx.MultiMetric, images, labels):
    grad_fn = nnx.value_and_grad(classification_loss, has_aux=True)
    (loss, logits), grads = grad_fn(model, images, labels)
    metrics.update(loss=loss, logits=logits, labels=labels)
    optimizer.update(grads)  # mistake


@nnx.jit
def eval_step(model, images, labels):
    return (model(images).argmax(axis=-1) == labels).mean()
