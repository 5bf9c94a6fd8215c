import jax
import numpy as np
import optax

from export import export_weights, load_weights
from network import accuracy, loss_fn, network


def vowels(rng, count, bins=24):
    labels = rng.integers(0, 2, count)
    peaks = np.where(labels == 0, 7.0, 11.0)[:, None] + rng.normal(0, 1.0, (count, 1))
    spectra = np.exp(-((np.arange(bins) - peaks) ** 2) / 6.0)
    spectra += 0.2 * rng.normal(size=spectra.shape)
    return spectra.astype(np.float32), labels.astype(np.int32)


def main():
    rng = np.random.default_rng(2)
    spectra, labels = vowels(rng, 1024)
    test = vowels(rng, 512)
    train_key, serve_key = jax.random.split(jax.random.key(0))
    params = network.init(train_key, spectra[:1])
    optimizer = optax.adam(2e-3)
    opt_state = optimizer.init(params)

    @jax.jit
    def update(params, opt_state, spectra, labels):
        grads = jax.grad(loss_fn)(params, spectra, labels)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state

    for _ in range(4):
        for rows in rng.permutation(len(labels)).reshape(-1, 64):
            params, opt_state = update(params, opt_state, spectra[rows], labels[rows])
    print(f"trained accuracy {accuracy(params, *test):.3f}")

    blob = export_weights(params, {"bins": np.arange(24), "version": 3})
    served = load_weights(blob, network.init(serve_key, spectra[:1]))
    print(f"exported {len(blob)} bytes, served accuracy {accuracy(served, *test):.3f}")


if __name__ == "__main__":
    main()
