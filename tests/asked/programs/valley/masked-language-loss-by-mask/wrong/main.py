import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from data import PAD, sample_batch
from losses import token_cross_entropy
from tagger import Tagger


def create_state(rng, vocab_size, num_tags):
    model = Tagger(vocab_size=vocab_size, num_tags=num_tags)
    params = model.init(rng, jnp.zeros((1, 12), jnp.int32))["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))


@jax.jit
def train_step(state, tokens, tags):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, tokens)
        return token_cross_entropy(logits, tags, tokens != PAD)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    rng = np.random.default_rng(0)
    state = create_state(jax.random.PRNGKey(0), vocab_size=30, num_tags=3)
    for step in range(80):
        tokens, tags = sample_batch(rng, 32, 12)
        state, loss = train_step(state, tokens, tags)
        if step % 20 == 0:
            print(step, float(loss))
    print("final loss", float(loss))


if __name__ == "__main__":
    main()
