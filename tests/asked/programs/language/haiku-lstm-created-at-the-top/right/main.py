"""Fit a sequence that counts upwards."""
import haiku as hk
import jax
import jax.numpy as jnp
import optax

from model import VOCABULARY, RecurrentModel


def main():
    recurrent = RecurrentModel(width=12)
    network = hk.without_apply_rng(hk.transform(recurrent.forward))
    tokens = jnp.arange(24) % VOCABULARY
    params = network.init(jax.random.key(0), tokens[:-1])
    optimizer = optax.adam(2e-2)
    opt_state = optimizer.init(params)

    @jax.jit
    def update(params, opt_state):
        def loss_fn(params):
            logits = network.apply(params, tokens[:-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(40):
        params, opt_state, loss = update(params, opt_state)
    print("learns", float(loss) < 2.0)


if __name__ == "__main__":
    main()
