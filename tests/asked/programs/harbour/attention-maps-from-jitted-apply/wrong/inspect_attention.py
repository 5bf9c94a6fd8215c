import jax
import jax.numpy as jnp


class AttentionInspector:
    def __init__(self, model):
        self.apply = jax.jit(model.apply)  # mistake

    def maps(self, params, tokens):
        _, sown = self.apply({"params": params}, tokens, mutable=["intermediates"])  # mistake
        return sown["intermediates"]["attend"]["attention"][0]

    def most_watched(self, params, tokens):
        received = jnp.mean(self.maps(params, tokens), axis=(1, 2))
        return jnp.argmax(received, axis=-1)
