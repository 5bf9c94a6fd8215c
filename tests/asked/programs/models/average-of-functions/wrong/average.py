"""Moving averages of models."""
import equinox as eqx
import jax


def moving_average(average, model, decay=0.9):
    return jax.tree.map(lambda a, m: decay * a + (1.0 - decay) * m, average, model)  # mistake


def distance(average, model):
    pairs = zip(
        jax.tree.leaves(eqx.filter(average, eqx.is_inexact_array)),
        jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array)),
    )
    return sum(float(abs(a - m).sum()) for a, m in pairs)
