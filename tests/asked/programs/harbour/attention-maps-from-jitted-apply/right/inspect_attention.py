import jax
import jax.numpy as jnp


class AttentionInspector:
    def __init__(self, model):
        def apply(params, tokens):
            return model.apply({"params": params}, tokens, mutable=["intermediates"])

        self.apply = jax.jit(apply)

    def maps(self, params, tokens):
        _, sown = self.apply(params, tokens)
        return sown["intermediates"]["attend"]["attention"][0]

    def most_watched(self, params, tokens):
        received = jnp.mean(self.maps(params, tokens), axis=(1, 2))
        return jnp.argmax(received, axis=-1)
