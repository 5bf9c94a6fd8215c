"""Train a small sequence model in which positions are shifted at random."""
import haiku as hk
import jax
import jax.numpy as jnp
import optax

from layers import ShiftedPositions


def forward(tokens):
    x = hk.Embed(vocab_size=32, embed_dim=16)(tokens)
    x = ShiftedPositions(max_shift=8)(x)
    x = jax.nn.gelu(hk.Linear(32)(x))
    return hk.Linear(32)(x)


model = hk.transform(forward)
optimizer = optax.adam(1e-3)


def loss_fn(params, key, tokens):
    logits = model.apply(params, key, tokens[:, :-1])
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


@jax.jit
def train_step(params, opt_state, key, tokens):
    loss, grads = jax.value_and_grad(loss_fn)(params, key, tokens)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


if __name__ == "__main__":
    tokens = jax.random.randint(jax.random.PRNGKey(0), (4, 17), 0, 32)
    params = model.init(jax.random.PRNGKey(1), tokens[:, :-1])
    opt_state = optimizer.init(params)
    key = jax.random.PRNGKey(2)
    for _ in range(3):
        key, step_key = jax.random.split(key)
        params, opt_state, loss = train_step(params, opt_state, step_key, tokens)
    print(bool(jnp.isfinite(loss)))
