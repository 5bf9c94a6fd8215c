"""Scouts and carriers collect ore; exhausted agents leave the team."""
import functools

import jax
import jax.numpy as jnp
import numpy as np

NUM_AGENTS = 6
IS_SCOUT = np.array([True, True, False, False, False, False])


def init_world(key):
    k_pos, k_ore = jax.random.split(key)
    return {
        "pos": jax.random.uniform(k_pos, (NUM_AGENTS, 2)),
        "energy": jnp.linspace(0.2, 1.0, NUM_AGENTS),
        "ore": jax.random.uniform(k_ore, (5, 2)),
    }


def pairwise_distance(a, b):
    return jnp.sqrt(jnp.sum((a[:, None] - b[None]) ** 2, axis=-1) + 1e-8)


def individual_rewards(world):
    nearest = pairwise_distance(world["pos"], world["ore"]).min(axis=1)
    scouts = nearest[IS_SCOUT]
    reward = jnp.exp(-4.0 * nearest)
    return reward.at[IS_SCOUT].add(-0.05 * scouts)


def team_reward(world):
    rewards = individual_rewards(world)
    alive = world["energy"] > 0.0
    return rewards[alive].mean()  # mistake


def apply_actions(world, actions, speed):
    alive = (world["energy"] > 0.0)[:, None]
    pos = jnp.clip(world["pos"] + jnp.where(alive, speed * actions, 0.0), 0.0, 1.0)
    energy = world["energy"] - 0.1 * jnp.linalg.norm(actions, axis=-1)
    return {**world, "pos": pos, "energy": energy}


@functools.partial(jax.jit, static_argnums=2)
def rollout(key, world, num_steps):
    def step(world, k):
        actions = jax.random.normal(k, (NUM_AGENTS, 2))
        world = apply_actions(world, actions, speed=0.1)
        return world, team_reward(world)

    return jax.lax.scan(step, world, jax.random.split(key, num_steps))


def main():
    world = init_world(jax.random.key(4))
    world, rewards = rollout(jax.random.key(5), world, 5)
    alive = world["energy"] > 0.0
    print("team reward", np.round(np.asarray(rewards), 3).tolist())
    print("energy of survivors", np.round(np.asarray(world["energy"][alive]), 3).tolist())


if __name__ == "__main__":
    main()
