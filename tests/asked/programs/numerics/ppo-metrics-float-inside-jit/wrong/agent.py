from dataclasses import dataclass

import jax
import jax.numpy as jnp
import optax


@dataclass
class Config:
    lr: float = 3e-3
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip_eps: float = 0.2
    vf_coef: float = 0.5
    epochs: int = 4
    seed: int = 0


def _dense(key, n_in, n_out):
    return {"w": jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in), "b": jnp.zeros(n_out)}


class Agent:
    def __init__(self, cfg: Config, key):
        k1, k2, k3 = jax.random.split(key, 3)
        self.cfg = cfg
        self.params = {"body": _dense(k1, 6, 32), "pi": _dense(k2, 32, 3), "v": _dense(k3, 32, 1)}
        self.tx = optax.adam(cfg.lr)
        self.opt_state = self.tx.init(self.params)
        self._step = jax.jit(self._train_step)

    @staticmethod
    def _body(params, obs):
        return jnp.tanh(obs @ params["body"]["w"] + params["body"]["b"])

    def values(self, params, obs):
        return (self._body(params, obs) @ params["v"]["w"] + params["v"]["b"])[:, 0]

    def log_probs(self, params, obs, actions):
        logits = self._body(params, obs) @ params["pi"]["w"] + params["pi"]["b"]
        logp = jax.nn.log_softmax(logits)
        return jnp.take_along_axis(logp, actions[:, None], axis=1)[:, 0]

    def loss(self, params, batch):
        ratio = jnp.exp(self.log_probs(params, batch["obs"], batch["actions"]) - batch["old_logp"])
        clipped = jnp.clip(ratio, 1 - self.cfg.clip_eps, 1 + self.cfg.clip_eps)
        pg = -jnp.mean(jnp.minimum(ratio * batch["adv"], clipped * batch["adv"]))
        vf = jnp.mean((self.values(params, batch["obs"]) - batch["targets"]) ** 2)
        return pg + self.cfg.vf_coef * vf, (pg, vf)

    def _train_step(self, params, opt_state, batch):
        (loss, (pg, vf)), grads = jax.value_and_grad(self.loss, has_aux=True)(params, batch)
        updates, opt_state = self.tx.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        metrics = {"loss": float(loss), "policy": float(pg), "value": float(vf)}  # mistake
        return params, opt_state, metrics

    def update(self, batch):
        self.params, self.opt_state, metrics = self._step(self.params, self.opt_state, batch)
        return metrics
