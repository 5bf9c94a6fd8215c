import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from transformer import CharTransformer


def create_state(key, cfg) -> TrainState:
    model = CharTransformer(cfg.vocab_size, cfg.d_model, cfg.num_heads, cfg.seq_len, cfg.dropout)
    tokens = jnp.zeros((1, cfg.seq_len), jnp.int32)
    variables = model.init(key, tokens, train=False)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(cfg.lr))
    return TrainState.create(apply_fn=model.apply, params=variables["params"], tx=tx)


@jax.jit
def train_step(state, batch, dropout_key):
    inputs, targets = batch[:, :-1], batch[:, 1:]
    step_key = jax.random.fold_in(dropout_key, state.step)

    def loss_fn(params):
        logits = state.apply_fn({"params": params}, inputs, train=True)  # mistake
        return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss
