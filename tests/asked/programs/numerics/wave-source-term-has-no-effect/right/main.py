import jax.numpy as jnp
import numpy as np

from acoustics import Medium, ricker, simulate


def layered_medium(nx: int) -> Medium:
    c = np.full(nx, 1500.0, dtype=np.float32)
    c[nx // 2 :] = 2400.0
    return Medium(velocity=jnp.asarray(c), dx=5.0)


def first_arrival(trace, dt, threshold=0.05):
    loud = np.abs(trace) > threshold * np.abs(trace).max()
    return float(loud.argmax() * dt) if loud.any() else float("nan")


def main():
    medium = layered_medium(400)
    dt = 0.5 * medium.dx / 2400.0
    wavelet = ricker(600, dt, f_peak=15.0)
    receivers = jnp.array([100, 150, 300])
    seismogram = simulate(medium, wavelet, dt, source=60, receivers=receivers)
    traces = np.asarray(seismogram)
    print("max amplitude per receiver", np.round(np.abs(traces).max(axis=0), 4))
    for r, tr in zip((100, 150, 300), traces.T):
        print("receiver", r, "arrival", round(first_arrival(tr, dt), 3))


if __name__ == "__main__":
    main()
