import jax
import jax.numpy as jnp
import numpy as np

from sir import Compartments, SIRParams, daily_step


def run_epidemic(params: SIRParams, n_regions: int, n_days: int, seed: int):
    key = jax.random.key(seed)
    init_key, key = jax.random.split(key)
    infected = jax.random.poisson(init_key, 8.0, (n_regions,)).astype(jnp.float32)
    state = Compartments(S=10_000.0 - infected, I=infected, R=jnp.zeros(n_regions))

    daily_cases = []
    for _ in range(n_days):
        key, day_key = jax.random.split(key)
        state, cases, noise = daily_step(params, state, day_key)
        daily_cases.append((np.asarray(cases), np.asarray(noise)))
    cases, noise = map(np.stack, zip(*daily_cases))
    return state, cases, noise


def summarise(cases, noise):
    return {
        "peak_day": int(cases.sum(axis=1).argmax()),
        "total": int(cases.sum()),
        "noise_std_over_time": round(float(noise.std(axis=0).mean()), 3),
    }


if __name__ == "__main__":
    params = SIRParams(beta=0.3, gamma=0.1, overdispersion=0.25)
    state, cases, noise = run_epidemic(params, n_regions=12, n_days=120, seed=17)
    print(summarise(cases, noise))
    print("attack rate", np.round(np.asarray(state.R / 10_000.0), 2))
