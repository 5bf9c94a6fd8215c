"""Filter a noisy series."""
import numpy as np

from kalman import smooth


def main():
    rng = np.random.default_rng(0)
    level = np.cumsum(0.3 * rng.normal(size=60))
    belief, means = smooth((level + 0.7 * rng.normal(size=60)).astype(np.float32))
    error = np.abs(np.asarray(means) - level).mean()
    print(means.shape, "error below 0.7:", error < 0.7, float(belief.variance) < 0.5)


if __name__ == "__main__":
    main()
