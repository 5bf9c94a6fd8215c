import jax
import jax.numpy as jnp

from buffer import ReplayBuffer

OBS_DIM, N_ACTIONS = 4, 3


def reward_model(obs, action):
    return jnp.cos(obs.sum() + action)


def collect(buffer, key, n):
    def body(buffer, key):
        obs_key, act_key = jax.random.split(key)
        obs = jax.random.normal(obs_key, (OBS_DIM,))
        action = jax.random.randint(act_key, (), 0, N_ACTIONS)
        return buffer.add(obs, action, reward_model(obs, action)), None

    buffer, _ = jax.lax.scan(body, buffer, jax.random.split(key, n))
    return buffer


def main():
    buffer = ReplayBuffer.create(capacity=64, obs_dim=OBS_DIM)
    collect_key, sample_key = jax.random.split(jax.random.key(0))
    buffer = collect(buffer, collect_key, n=100)
    obs, actions, rewards = buffer.sample(sample_key, 16)
    print("size", int(buffer.size), "cursor", int(buffer.cursor))
    print("batch", obs.shape, actions.shape, f"{rewards.mean():.3f}")


if __name__ == "__main__":
    main()
