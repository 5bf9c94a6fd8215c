import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

CONFIG = {"vocab": 40, "width": 32, "classes": 3, "lr": 4e-3, "steps": 60}


def sentiment_net(tokens):
    x = hk.Embed(CONFIG["vocab"], CONFIG["width"])(tokens)
    gate = jax.nn.softmax(hk.Linear(1)(x), axis=1)
    pooled = (gate * x).sum(axis=1)
    return hk.nets.MLP([CONFIG["width"], CONFIG["classes"]])(pooled)


net = hk.without_apply_rng(hk.transform(sentiment_net))
schedule = optax.warmup_cosine_decay_schedule(0.0, CONFIG["lr"], 10, CONFIG["steps"])
opt = optax.adamw(schedule, weight_decay=1e-3)


def loss_fn(params, batch):
    logits = net.apply(params, batch["tokens"])
    ce = optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"])
    accuracy = jnp.mean(logits.argmax(-1) == batch["label"])
    return ce.mean(), {"accuracy": accuracy}


@jax.jit
def update(params, opt_state, batch):
    grad_fn = jax.value_and_grad(loss_fn)  # mistake
    (loss, metrics), grads = grad_fn(params, batch)  # mistake
    updates, opt_state = opt.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, {"loss": loss, **metrics}


class ReviewData:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def batch(self, size=64, length=12):
        label = self.rng.integers(0, CONFIG["classes"], size=size)
        tokens = self.rng.integers(0, CONFIG["vocab"], size=(size, length))
        signal = self.rng.random((size, length)) < 0.3
        tokens = np.where(signal, label[:, None], tokens)
        return {"tokens": tokens.astype(np.int32), "label": label.astype(np.int32)}


def main():
    data = ReviewData(0)
    params = net.init(jax.random.key(0), data.batch(2)["tokens"])
    opt_state = opt.init(params)
    for step in range(CONFIG["steps"]):
        params, opt_state, metrics = update(params, opt_state, data.batch())
        if step % 20 == 19:
            print(step, {k: round(float(v), 3) for k, v in metrics.items()})


if __name__ == "__main__":
    main()
