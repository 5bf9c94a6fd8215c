import jax
import jax.numpy as jnp
import optax
from flax import nnx

from documents import topic_batch
from topic_model import TopicTransformer


@nnx.jit
def train_step(model, optimizer, tokens, topics):
    def loss_fn(model):
        logits = model(tokens)
        return optax.softmax_cross_entropy_with_integer_labels(logits, topics).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def predict(model, tokens):
    return jax.nn.softmax(model(tokens))


def main():
    model = TopicTransformer(vocab=40, width=16, heads=2, topics=4, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    for step in range(30):
        tokens, topics = topic_batch(64, seed=step)
        loss = train_step(model, optimizer, tokens, topics)
        if step % 10 == 0:
            print(f"step {step} loss {float(loss):.3f}")
    tokens, topics = topic_batch(256, seed=77)
    probs = predict(model, tokens)
    print(f"held-out accuracy {float(jnp.mean(probs.argmax(-1) == topics)):.3f}")


if __name__ == "__main__":
    main()
