from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class KalmanFilter:
    transition: jax.Array
    observation: jax.Array
    process_noise: jax.Array
    measurement_noise: jax.Array

    @jax.jit
    def step(self, mean, covariance, measured):
        mean = self.transition @ mean
        covariance = self.transition @ covariance @ self.transition.T + self.process_noise
        spread = self.observation @ covariance @ self.observation.T + self.measurement_noise
        gain = jnp.linalg.solve(spread, self.observation @ covariance).T
        mean = mean + gain @ (measured - self.observation @ mean)
        covariance = covariance - gain @ self.observation @ covariance
        return mean, covariance


def constant_velocity(dt):
    return KalmanFilter(
        transition=jnp.array([[1.0, dt], [0.0, 1.0]]),
        observation=jnp.array([[1.0, 0.0]]),
        process_noise=0.01 * jnp.array([[dt**3 / 3.0, dt**2 / 2.0], [dt**2 / 2.0, dt]]),
        measurement_noise=jnp.array([[0.25]]),
    )


def main():
    dt = 0.5
    times = dt * jnp.arange(60)
    track = 1.5 * times
    noise = 0.5 * jax.random.normal(jax.random.key(2), times.shape)
    tracker = constant_velocity(dt)
    mean, covariance = jnp.zeros(2), 10.0 * jnp.eye(2)
    for measured in track + noise:
        mean, covariance = tracker.step(mean, covariance, measured[None])
    print("position", round(float(mean[0]), 1), "of", round(float(track[-1]), 1))
    print("velocity", round(float(mean[1]), 1))
    print("standard deviation", round(float(jnp.sqrt(covariance[0, 0])), 3))


if __name__ == "__main__":
    main()
