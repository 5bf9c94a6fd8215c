import haiku as hk
import jax
import numpy as np
import optax

from evaluate import evaluate


def classifier(signal):
    x = hk.Conv1D(8, 7, stride=2)(signal[..., None])
    x = hk.Conv1D(16, 5, stride=2)(jax.nn.relu(x))
    return hk.Linear(6)(jax.nn.relu(x).max(axis=1))


net = hk.without_apply_rng(hk.transform(classifier))
tx = optax.adam(4e-3)


@jax.jit
def update(params, opt_state, signal, labels):
    def loss_fn(p):
        logits = net.apply(p, signal)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def tones(seed, n):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 6, n)
    t = np.arange(48)
    signal = np.sin(t * (labels[:, None] + 2) * 0.15 + rng.uniform(0, 6, (n, 1)))
    return {"signal": (signal + 0.3 * rng.normal(size=signal.shape)).astype(np.float32), "labels": labels}


def main():
    train, test = tones(0, 256), tones(1, 128)
    params = jax.jit(net.init)(jax.random.key(0), train["signal"][:1])
    opt_state = tx.init(params)
    times = []
    for epoch in range(6):
        for i in range(0, 256, 64):
            params, opt_state, loss = update(params, opt_state, train["signal"][i : i + 64], train["labels"][i : i + 64])
        result, seconds = evaluate(net.apply, params, test, 64)
        times.append(seconds)
        print(f"epoch {epoch} loss {loss:.3f} top1 {result['top1']:.3f} mrr {result['mrr']:.3f}")
    print("evaluation ms", [round(1000 * s) for s in times])


if __name__ == "__main__":
    main()
