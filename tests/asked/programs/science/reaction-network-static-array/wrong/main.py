"""Compare an enzymatic cycle for two sets of rate constants."""
import jax
import jax.numpy as jnp

from kinetics import simulate
from network import enzyme_network


def main():
    start = jnp.array([1.0, 0.2, 0.0, 0.0])
    labels = ("substrate", "enzyme", "complex", "product")
    for name, k_cat in (("slow", 0.5), ("fast", 4.0)):
        network = enzyme_network(k_on=5.0, k_off=0.5, k_cat=k_cat)
        trajectory = simulate(network, start, dt=0.01, steps=500)
        print(name)
        for label, value in zip(labels, trajectory[-1]):
            print(f"  {label:10s} {float(value):.3f}")

    half = jnp.argmax(trajectory[:, 3] > 0.5)
    print("half converted at t =", f"{int(half) * 0.01:.1f}")


if __name__ == "__main__":
    main()
