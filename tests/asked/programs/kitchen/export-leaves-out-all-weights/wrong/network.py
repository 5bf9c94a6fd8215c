import haiku as hk
import jax
import jax.numpy as jnp
import optax


def forward(spectra):
    h = hk.Linear(32)(spectra)
    h = hk.Linear(32)(jax.nn.relu(h))
    return hk.Linear(2)(jax.nn.relu(h))


network = hk.without_apply_rng(hk.transform(forward))


def loss_fn(params, spectra, labels):
    logits = network.apply(params, spectra)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def accuracy(params, spectra, labels):
    return jnp.mean(jnp.argmax(network.apply(params, spectra), axis=-1) == labels)
