import jax
import jax.numpy as jnp
import numpy as np
import optax

from data import synthetic_xrays
from model import XrayNet


def summarise(model, params, images):
    _, collected = model.apply({"params": params}, images[:1], mutable=["intermediates"])
    for fmap in collected["intermediates"]["feature_maps"]:
        print("feature map", fmap.shape[1:])
    print("parameters", sum(p.size for p in jax.tree.leaves(params)))


def main():
    rng = np.random.default_rng(6)
    images, labels = synthetic_xrays(rng, 256)
    model = XrayNet()
    params = model.init(jax.random.key(0), images[:1])["params"]
    summarise(model, params, images)
    optimizer = optax.adam(3e-3)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state, x, y):
        def loss_fn(params):
            logits = model.apply({"params": params}, x)
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(8):
        for rows in rng.permutation(len(images)).reshape(-1, 32):
            params, opt_state, loss = step(params, opt_state, images[rows], labels[rows])
    test_images, test_labels = synthetic_xrays(rng, 128)
    predicted = jnp.argmax(model.apply({"params": params}, test_images), axis=-1)
    print(f"loss {loss:.3f} accuracy {jnp.mean(predicted == test_labels):.3f}")


if __name__ == "__main__":
    main()
