import jax
import jax.numpy as jnp

from team import Team


def coverage(positions, cells=5):
    """Number of distinct grid cells that the team stands on."""
    idx = jnp.clip((positions + 1.0) * 0.5 * cells, 0, cells - 1).astype(jnp.int32)
    return jnp.unique(idx[:, 0] * cells + idx[:, 1]).size


def run_episode(team, params, key, num_steps):
    @jax.jit
    def step(positions, key):
        actions = team.explore(params, positions, key)
        return jnp.clip(positions + 0.5 * actions, -1.0, 1.0)

    positions = jnp.zeros((team.num_agents, team.action_dim))
    covered = []
    for step_key in jax.random.split(key, num_steps):
        positions = step(positions, step_key)
        covered.append(coverage(positions))
    return positions, covered


def main():
    team = Team(num_agents=6, action_dim=2)
    k_init, k_run = jax.random.split(jax.random.key(0))
    params = team.init(k_init)
    positions, covered = run_episode(team, params, k_run, 8)
    print("cells covered", covered)
    spread = positions.std(axis=0)
    print("team is spread out:", bool((spread > 0.2).all()))


if __name__ == "__main__":
    main()
