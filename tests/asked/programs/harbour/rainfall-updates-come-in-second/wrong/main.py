from typing import NamedTuple

import jax
import optax

from nowcast import build, log_cosh
from radar import moving_cells


class TrainingState(NamedTuple):
    params: dict
    opt_state: optax.OptState


class Trainer:
    def __init__(self, config):
        self.network = build(config["channels"])
        self.optimizer = optax.chain(
            optax.clip_by_global_norm(1.0),
            optax.adam(config["learning_rate"]),
        )
        self.update = jax.jit(self._update)

    def start(self, key, example):
        params = jax.jit(self.network.init)(key, example)
        return TrainingState(params, self.optimizer.init(params))

    def loss(self, params, radar, target):
        return log_cosh(self.network.apply(params, radar), target)

    def _update(self, state, radar, target):
        loss, grads = jax.value_and_grad(self.loss)(state.params, radar, target)
        opt_state, updates = self.optimizer.update(grads, state.opt_state, state.params)  # mistake
        params = optax.apply_updates(state.params, updates)  # mistake
        return TrainingState(params, opt_state), loss


def main():
    radar, target = moving_cells(32)
    trainer = Trainer({"channels": 4, "learning_rate": 3e-3})
    state = trainer.start(jax.random.key(0), radar[:1])
    for step in range(40):
        state, loss = trainer.update(state, radar, target)
        if step % 10 == 0:
            print(step, loss)
    print("final loss", loss)


if __name__ == "__main__":
    main()
