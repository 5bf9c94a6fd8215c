from dataclasses import dataclass

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


@dataclass(frozen=True)
class TrainConfig:
    hidden: int = 32
    lr: float = 1e-2
    epochs: int = 5
    batch_size: int = 50
    seed: int = 0


def survival_net(x):
    return hk.nets.MLP([32, 32, 1], activation=jnp.tanh)(x)[:, 0]


net = hk.without_apply_rng(hk.transform(survival_net))


def weibull_nll(params, x, time, event, shape=1.5):
    log_scale = net.apply(params, x)
    z = jnp.log(time) - log_scale
    log_hazard = jnp.log(shape) + (shape - 1.0) * z - log_scale
    cum_hazard = jnp.exp(shape * z)
    return -(event * log_hazard - cum_hazard).mean()


class SurvivalTrainer:
    def __init__(self, config: TrainConfig):
        self.config = config
        self.tx = optax.adam(config.lr)
        self.run_epoch = jax.jit(self._run_epoch)

    def _run_epoch(self, params, opt_state, epoch, batches):
        def body(carry, batch):
            params, opt_state = carry
            loss, grads = jax.value_and_grad(weibull_nll)(params, *batch)
            updates, opt_state = self.tx.update(grads, opt_state)
            return (optax.apply_updates(params, updates), opt_state), loss

        (params, opt_state), losses = jax.lax.scan(body, (params, opt_state), batches)
        mean_loss = losses.mean()
        jax.debug.print("epoch {} mean loss {:.4f}", epoch, mean_loss)
        return params, opt_state, mean_loss

    def fit(self, data):
        cfg = self.config
        rng = np.random.default_rng(cfg.seed)
        params = net.init(jax.random.key(cfg.seed), data[0][:1])
        opt_state = self.tx.init(params)
        for epoch in range(cfg.epochs):
            order = rng.permutation(len(data[0])).reshape(-1, cfg.batch_size)
            batches = tuple(d[order] for d in data)
            params, opt_state, loss = self.run_epoch(params, opt_state, epoch, batches)
        return params, loss


def synthetic_cohort(rng, n):
    x = rng.normal(size=(n, 6)).astype(np.float32)
    scale = np.exp(0.8 * x[:, 0] - 0.4 * x[:, 1])
    time = scale * rng.weibull(1.5, size=n) + 1e-3
    censor = rng.exponential(3.0, size=n)
    event = (time <= censor).astype(np.float32)
    return x, np.minimum(time, censor).astype(np.float32), event


def main():
    data = synthetic_cohort(np.random.default_rng(1), 500)
    _, loss = SurvivalTrainer(TrainConfig()).fit(data)
    print("final loss", round(float(loss), 4))


if __name__ == "__main__":
    main()
