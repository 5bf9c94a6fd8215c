from functools import partial

import haiku as hk
import jax
import jax.numpy as jnp
import optax


def language_model(tokens, vocab_size: int, hidden: int):
    x = hk.Embed(vocab_size, hidden)(tokens)
    core = hk.GRU(hidden)
    h, _ = hk.dynamic_unroll(core, x, core.initial_state(tokens.shape[0]), time_major=False)
    return hk.Linear(vocab_size)(h)


class Learner:
    def __init__(self, vocab_size, hidden, peak_lr, warmup, total):
        forward = partial(language_model, vocab_size=vocab_size, hidden=hidden)
        self.net = hk.without_apply_rng(hk.transform(forward))
        schedule = optax.warmup_cosine_decay_schedule(0.0, peak_lr, warmup, total)
        self.tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule))
        self.step = jax.jit(self._step)

    def init(self, key, batch):
        params = self.net.init(key, batch[:, :-1])
        return params, self.tx.init(params)

    def loss(self, params, batch):
        logits = self.net.apply(params, batch[:, :-1])
        nll = optax.softmax_cross_entropy_with_integer_labels(logits, batch[:, 1:])
        return jnp.mean(nll)

    def _step(self, params, opt_state, batch):
        loss, grads = jax.value_and_grad(self.loss)(params, batch)
        updates, opt_state = self.tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss
