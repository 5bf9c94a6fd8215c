import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np

from optimizers import OptimConfig, build_optimizer
from text import CharDataset
from learner import Learner


def lm_forward(tokens):
    vocab = 12
    x = hk.Embed(vocab, 16)(tokens)
    core = hk.GRU(24)
    state = core.initial_state(tokens.shape[0])
    hidden, _ = hk.dynamic_unroll(core, jnp.swapaxes(x, 0, 1), state)
    return hk.Linear(vocab)(jnp.swapaxes(hidden, 0, 1))


def main():
    data = CharDataset(vocab=12, length=16, seed=3)
    net = hk.without_apply_rng(hk.transform(lm_forward))
    tx = build_optimizer(OptimConfig(peak_lr=1e-2, total_steps=120))
    learner = Learner(net, tx)
    state = learner.init(jax.random.PRNGKey(1), data.sample(2))
    for step in range(120):
        state, loss = learner.update(state, data.sample(32))
        if step % 40 == 0:
            print(step, np.round(float(loss), 4))
    print("end", np.round(float(loss), 4))


if __name__ == "__main__":
    main()
