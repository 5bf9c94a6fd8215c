import jax
import jax.numpy as jnp


def make_evaluator(model):
    @jax.jit
    def evaluate(params, answers, score):
        pred = model.apply({"params": params}, answers, training=False)
        return jnp.sqrt(jnp.mean((pred - score) ** 2))

    return evaluate
