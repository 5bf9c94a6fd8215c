import jax
import jax.numpy as jnp
import numpy as np

from kalman import Gaussian, KalmanFilter
from systems import constant_velocity


def simulate(system, n, seed=2):
    rng = np.random.default_rng(seed)
    x = np.array([0.0, 1.0])
    F, H = np.asarray(system.F), np.asarray(system.H)
    chol = np.linalg.cholesky(np.asarray(system.Q))
    truth, obs = [], []
    for _ in range(n):
        x = F @ x + chol @ rng.normal(size=2)
        truth.append(x.copy())
        obs.append(H @ x + rng.normal(size=1) * float(np.sqrt(system.R[0, 0])))
    return np.array(truth), jnp.asarray(np.array(obs), dtype=jnp.float32)


def main():
    system = constant_velocity(dt=0.1, q=0.5, r=0.2)
    truth, obs = simulate(system, n=100)
    kf = KalmanFilter(system)
    update = jax.jit(kf.update)
    belief = Gaussian(jnp.zeros(2), jnp.eye(2))
    means, nis = [], []
    for z in obs:
        belief = update(belief, z)
        innovation, S = kf.last_innovation, kf.last_S
        nis.append(float(innovation @ jnp.linalg.solve(S, innovation)))
        means.append(np.asarray(belief.mean))
    rmse = np.sqrt(np.mean((np.array(means)[:, 0] - truth[:, 0]) ** 2))
    print(f"position rmse {rmse:.3f}")
    print(f"mean NIS {np.mean(nis):.3f}")


if __name__ == "__main__":
    main()
