import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from optim import make_optimizer

TOTAL_STEPS = 60


def keyword_net(spectrogram):
    x = hk.Conv1D(16, kernel_shape=5, stride=2)(spectrogram)
    x = jax.nn.relu(hk.LayerNorm(-1, True, True)(x))
    x = hk.Conv1D(32, kernel_shape=3, stride=2)(x)
    x = jax.nn.relu(hk.LayerNorm(-1, True, True)(x))
    return hk.nets.MLP([32, 5])(x.mean(axis=1))


net = hk.without_apply_rng(hk.transform(keyword_net))
tx, schedule = make_optimizer(3e-3, TOTAL_STEPS)


def loss_fn(params, batch):
    logits = net.apply(params, batch["audio"])
    labels = optax.smooth_labels(jax.nn.one_hot(batch["word"], 5), 0.05)
    return optax.softmax_cross_entropy(logits, labels).mean()


@jax.jit
def update(params, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    updates, opt_state = tx.update(grads, opt_state)  # mistake
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def accuracy(params, batch):
    return jnp.mean(net.apply(params, batch["audio"]).argmax(-1) == batch["word"])


def audio_batches(seed, batch_size=16):
    rng = np.random.default_rng(seed)
    t = np.arange(40)[None, :, None]
    while True:
        word = rng.integers(0, 5, batch_size)
        tone = np.sin(t * (word[:, None, None] + 1) * 0.2 + rng.uniform(0, 3, (batch_size, 1, 8)))
        yield {"audio": tone.astype(np.float32), "word": word}


def main():
    stream = audio_batches(0)
    params = net.init(jax.random.key(0), next(stream)["audio"])
    opt_state = tx.init(params)
    for step in range(TOTAL_STEPS):
        params, opt_state, loss = update(params, opt_state, next(stream))
        if step % 20 == 19:
            print(f"step {step} lr {schedule(step):.5f} loss {loss:.4f}")
    print("held-out accuracy", float(accuracy(params, next(audio_batches(99, 128)))))


if __name__ == "__main__":
    main()
