import equinox as eqx
import jax
import numpy as np

from forecaster import GRUForecaster
from refit import Refitter

COMPILE_TIMES: list[float] = []


def count_compilations(event: str, duration: float, **kwargs):
    if event.endswith("backend_compile_duration"):
        COMPILE_TIMES.append(duration)


def demand_series(n: int = 400) -> np.ndarray:
    rng = np.random.default_rng(8)
    t = np.arange(n)
    weekly = np.sin(2 * np.pi * t / 7)
    trend = 0.002 * t
    return (weekly + trend + 0.1 * rng.normal(size=n)).astype(np.float32)


def backtest(series, model, window=84, horizon=7, refits=6):
    refitter = Refitter(learning_rate=1e-2, epochs=10)
    predict = eqx.filter_jit(lambda m, history: m.forecast(history, horizon))
    errors = []
    for k in range(refits):
        start = k * horizon
        history = series[start : start + window]
        future = series[start + window : start + window + horizon]
        model = refitter.fit(model, history)
        errors.append(np.abs(predict(model, history) - future).mean())
    return np.array(errors)


if __name__ == "__main__":
    model = GRUForecaster(hidden=12, key=jax.random.key(0))
    jax.monitoring.register_event_duration_secs_listener(count_compilations)
    errors = backtest(demand_series(), model)
    print("mean absolute error", np.round(errors[[0, 2, 5]], 2))
    print("compilations during the backtest:", len(COMPILE_TIMES))
