import jax
import jax.numpy as jnp
import numpy as np

from agent import Agent, Config
from gae import compute_gae


def fake_rollout(rng: np.random.Generator, horizon=128, obs_dim=6):
    obs = rng.normal(size=(horizon, obs_dim)).astype(np.float32)
    rewards = obs[:, 0] - 0.1 * np.abs(obs[:, 1])
    dones = (rng.uniform(size=horizon) < 0.05).astype(np.float32)
    actions = rng.integers(0, 3, size=horizon)
    return {
        "obs": jnp.asarray(obs),
        "rewards": jnp.asarray(rewards),
        "dones": jnp.asarray(dones),
        "actions": jnp.asarray(actions),
    }


def main():
    cfg = Config()
    agent = Agent(cfg, jax.random.key(cfg.seed))
    rng = np.random.default_rng(cfg.seed)
    for it in range(5):
        batch = fake_rollout(rng)
        values = agent.values(agent.params, batch["obs"])
        adv, targets = compute_gae(
            batch["rewards"], values, batch["dones"], cfg.gamma, cfg.gae_lambda
        )
        batch |= {"adv": (adv - adv.mean()) / (adv.std() + 1e-8), "targets": targets}
        batch["old_logp"] = agent.log_probs(agent.params, batch["obs"], batch["actions"])
        for _ in range(cfg.epochs):
            metrics = agent.update(batch)
        print(it, {k: round(float(v), 4) for k, v in metrics.items()})


if __name__ == "__main__":
    main()
