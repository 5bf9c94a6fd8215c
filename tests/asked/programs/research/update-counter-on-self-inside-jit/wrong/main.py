import numpy as np

from agent import OnlineRegressor


def drifting_stream(rng, steps, dim, batch_size=16):
    w = rng.normal(size=dim)
    for _ in range(steps):
        w = w + 0.01 * rng.normal(size=dim)
        x = rng.normal(size=(batch_size, dim)).astype(np.float32)
        noise = rng.standard_t(df=2, size=batch_size)
        yield x, (x @ w + 0.2 * noise).astype(np.float32), w


def main():
    rng = np.random.default_rng(0)
    model = OnlineRegressor(dim=6)
    running = None
    for step, (x, y, w) in enumerate(drifting_stream(rng, 160, 6), start=1):
        loss = float(model.observe(x, y))
        running = loss if running is None else 0.95 * running + 0.05 * loss
        if step % 40 == 0:
            error = np.linalg.norm(np.asarray(model.params["w"]) - w)
            print(
                f"seen {step} updates {model.num_updates} lr {model.learning_rate:.4f} "
                f"loss {running:.4f} weight error {error:.3f}"
            )


if __name__ == "__main__":
    main()
