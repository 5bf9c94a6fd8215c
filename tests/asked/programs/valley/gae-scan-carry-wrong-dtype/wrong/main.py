import jax
import jax.numpy as jnp
import numpy as np

from advantages import compute_gae
from rollout import Trajectory, fake_trajectory


@jax.jit
def normalised_targets(traj: Trajectory, last_value):
    adv = compute_gae(traj, last_value, gamma=0.99, lam=0.95)
    returns = adv + traj.values
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    return adv, returns


def main():
    rng = np.random.default_rng(11)
    traj, last_value = fake_trajectory(rng, horizon=64, num_envs=4)
    adv, returns = normalised_targets(traj, last_value)
    print("advantages", adv.shape, jnp.round(adv[:3, 0], 3))
    print("mean return", jnp.round(returns.mean(), 3))


if __name__ == "__main__":
    main()
