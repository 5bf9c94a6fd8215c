import jax
import numpy as np

from data import BracketTask
from learner import Learner


def main():
    task = BracketTask(seq_len=24, seed=0)
    learner = Learner(vocab_size=task.vocab_size, hidden=32, peak_lr=1e-2, warmup=10, total=80)
    params, opt_state = learner.init(jax.random.PRNGKey(0), task.batch(1))
    losses = []
    for step in range(80):
        params, opt_state, loss = learner.step(params, opt_state, task.batch(32))
        losses.append(loss)
    losses = np.asarray(jax.device_get(losses))
    for i in range(0, 80, 20):
        print(f"steps {i:2d}-{i + 19:2d} loss {losses[i : i + 20].mean():.3f}")


if __name__ == "__main__":
    main()
