from dataclasses import dataclass

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from losses import gaussian_nll, r2_score


@dataclass(frozen=True)
class TrainConfig:
    hidden: tuple[int, ...] = (32, 32)
    learning_rate: float = 1e-2
    batch_size: int = 64
    epochs: int = 8
    seed: int = 0


def build(config: TrainConfig):
    def network(features):
        torso = hk.nets.MLP(config.hidden, activate_final=True)(features)
        mean = hk.Linear(1, name="mean")(torso)
        log_var = hk.get_parameter("log_var", (), init=jnp.zeros)
        return mean, log_var  # mistake

    return hk.without_apply_rng(hk.transform(network))


def make_update(net, tx):
    @jax.jit
    def update(params, opt_state, features, target):
        def loss_fn(p):
            mean, log_var = net.apply(p, features)
            return gaussian_nll(mean, log_var, target)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    return update


def bike_rentals(n, seed):
    rng = np.random.default_rng(seed)
    hour, temp, wind = rng.uniform(0, 24, n), rng.normal(15, 8, n), rng.gamma(2.0, 2.0, n)
    demand = 2 * np.sin(hour / 24 * 2 * np.pi) + 0.1 * temp - 0.2 * wind + 0.2 * rng.normal(size=n)
    features = np.stack([np.sin(hour / 3.82), np.cos(hour / 3.82), temp / 8, wind / 3], axis=1)
    return features.astype(np.float32), demand.astype(np.float32)


def main():
    config = TrainConfig()
    features, target = bike_rentals(512, seed=0)
    test_features, test_target = bike_rentals(256, seed=1)
    net = build(config)
    tx = optax.adam(config.learning_rate)
    params = net.init(jax.random.key(config.seed), features[:1])
    opt_state = tx.init(params)
    update = make_update(net, tx)
    predict = jax.jit(lambda p, f: net.apply(p, f)[0].reshape(-1))
    order = np.random.default_rng(config.seed)
    for epoch in range(config.epochs):
        for idx in order.permutation(512).reshape(-1, config.batch_size):
            params, opt_state, loss = update(params, opt_state, features[idx], target[idx])
        r2 = r2_score(test_target, predict(params, test_features))
        print(f"epoch {epoch} nll {loss:.4f} test r2 {r2:.4f}")


if __name__ == "__main__":
    main()
