import argparse

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from state import create_train_state, iou, train_step


class OccupancyNet(nn.Module):
    width: int = 32
    num_frequencies: int = 3

    @nn.compact
    def __call__(self, points):
        freqs = 2.0 ** jnp.arange(self.num_frequencies)
        angles = (points[..., None] * freqs).reshape(points.shape[0], -1)
        x = jnp.concatenate([points, jnp.sin(angles), jnp.cos(angles)], axis=-1)
        for _ in range(2):
            x = nn.relu(nn.Dense(self.width)(x))
        return nn.Dense(1)(x)[:, 0]


def sample_sphere(rng, n):
    points = rng.uniform(-1, 1, (n, 3)).astype(np.float32)
    return points, (np.linalg.norm(points, axis=1) < 0.8).astype(np.float32)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=90)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)

    rng = np.random.default_rng(args.seed)
    sample, _ = sample_sphere(rng, 2)
    state = create_train_state(jax.random.key(args.seed), OccupancyNet(), sample, args.lr)
    for step in range(args.steps):
        state, loss = train_step(state, *sample_sphere(rng, 256))
        if (step + 1) % 30 == 0:
            print(f"step {step + 1} bce {loss:.4f}")
    print("iou", round(float(iou(state, *sample_sphere(rng, 512))), 3))


if __name__ == "__main__":
    main()
