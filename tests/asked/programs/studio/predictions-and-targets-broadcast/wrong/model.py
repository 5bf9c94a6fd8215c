import haiku as hk
import jax


def make_model(width):
    def forward(x):
        h = jax.nn.swish(hk.Linear(width)(x))
        h = jax.nn.swish(hk.Linear(width)(h))
        return hk.Linear(1)(h)

    return hk.without_apply_rng(hk.transform(forward))
