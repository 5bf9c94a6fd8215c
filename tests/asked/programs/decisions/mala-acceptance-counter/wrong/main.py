"""Metropolis-adjusted Langevin sampling of a logistic regression posterior."""
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class MalaConfig:
    step_size: float = 0.05
    num_steps: int = 300
    prior_scale: float = 2.0


class ChainState(NamedTuple):
    theta: jax.Array
    logp: jax.Array
    grad: jax.Array
    iteration: jax.Array
    accepted: jax.Array


def make_data(seed=0, n=40):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2)).astype(np.float32)
    y = (x @ np.array([1.0, -1.0]) + 0.3 * rng.normal(size=n) > 0).astype(np.float32)
    return jnp.asarray(x), jnp.asarray(y)


def build_kernel(x, y, config):
    def log_posterior(theta):
        logits = x @ theta
        loglik = jnp.sum(y * logits - jax.nn.softplus(logits))
        return loglik - 0.5 * jnp.sum((theta / config.prior_scale) ** 2)

    value_and_grad = jax.value_and_grad(log_posterior)

    def init(theta):
        logp, grad = value_and_grad(theta)
        zero = jnp.zeros((), jnp.int32)
        return ChainState(theta, logp, grad, iteration=zero, accepted=zero)  # mistake

    def forward_logp(to, frm, grad):
        diff = to - frm - config.step_size * grad
        return -jnp.sum(diff**2) / (4 * config.step_size)

    def kernel(state, key):
        k_prop, k_acc = jax.random.split(key)
        noise = jax.random.normal(k_prop, state.theta.shape)
        theta = state.theta + config.step_size * state.grad
        theta = theta + jnp.sqrt(2 * config.step_size) * noise
        logp, grad = value_and_grad(theta)
        ratio = logp - state.logp + forward_logp(state.theta, theta, grad)
        ratio = ratio - forward_logp(theta, state.theta, state.grad)
        prob = jnp.exp(jnp.minimum(ratio, 0.0))
        moved = ChainState(theta, logp, grad, state.iteration, state.accepted)
        accept = jax.random.uniform(k_acc) < prob
        new = jax.tree.map(lambda a, b: jnp.where(accept, a, b), moved, state)
        new = new._replace(iteration=state.iteration + 1, accepted=state.accepted + prob)  # mistake
        return new, new.theta

    return init, kernel


def main():
    config = MalaConfig()
    init, kernel = build_kernel(*make_data(), config)
    keys = jax.random.split(jax.random.key(0), config.num_steps)
    state, thetas = jax.lax.scan(kernel, init(jnp.zeros(2)), keys)  # mistake
    print(f"mean acceptance {state.accepted / state.iteration:.2f}")
    print("posterior mean", np.round(np.asarray(thetas[100:].mean(0)), 1).tolist())


if __name__ == "__main__":
    main()
