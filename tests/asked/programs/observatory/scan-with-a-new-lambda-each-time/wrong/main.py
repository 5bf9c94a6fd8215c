import time

import jax
import numpy as np

from neuron import spike_count


def bisect_threshold(low, high, iterations=20):
    """Smallest current at which the neuron fires repeatedly."""
    for _ in range(iterations):
        middle = 0.5 * (low + high)
        if spike_count(middle) > 1:
            high = middle
        else:
            low = middle
    return high


def tuning_curve(currents):
    counts = jax.device_get([spike_count(float(c)) for c in currents])
    return np.asarray(counts)


def main():
    start = time.perf_counter()
    threshold = bisect_threshold(0.0, 1.0)
    currents = np.linspace(0.2, 1.0, 15)
    counts = tuning_curve(currents)
    seconds = time.perf_counter() - start
    print(f"threshold {threshold:.4f}")
    print("spikes", counts.tolist())
    print(f"seconds {seconds:.2f}")


if __name__ == "__main__":
    main()
