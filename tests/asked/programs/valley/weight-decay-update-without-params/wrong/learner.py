from typing import NamedTuple

import jax
import optax


class LearnerState(NamedTuple):
    params: dict
    opt_state: optax.OptState


class Learner:
    def __init__(self, net, tx):
        self.net = net
        self.tx = tx
        self.update = jax.jit(self._update)

    def init(self, key, tokens):
        params = self.net.init(key, tokens[:, :-1])
        return LearnerState(params, self.tx.init(params))

    def loss(self, params, tokens):
        logits = self.net.apply(params, tokens[:, :-1])
        nll = optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:])
        return nll.mean()

    def _update(self, state, tokens):
        loss, grads = jax.value_and_grad(self.loss)(state.params, tokens)
        updates, opt_state = self.tx.update(grads, state.opt_state)  # mistake
        params = optax.apply_updates(state.params, updates)
        return LearnerState(params, opt_state), loss
