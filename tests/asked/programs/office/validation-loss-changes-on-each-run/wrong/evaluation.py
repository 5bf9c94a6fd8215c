import jax
import jax.numpy as jnp


def make_evaluator(model):
    @jax.jit
    def evaluate(params, answers, score, key):
        pred = model.apply({"params": params}, answers, rngs={"dropout": key})  # mistake
        return jnp.sqrt(jnp.mean((pred - score) ** 2))

    return evaluate
