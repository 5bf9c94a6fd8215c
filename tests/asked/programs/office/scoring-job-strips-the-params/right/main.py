import jax
import numpy as np

from lead_model import LeadScorer, init_params, make_scorer
from training import train


def crm_export(n, seed):
    rng = np.random.default_rng(seed)
    numeric = rng.normal(size=(n, 6)).astype(np.float32)
    industry = rng.integers(0, 5, n)
    won = (numeric[:, 0] + 0.4 * industry + rng.normal(size=n) > 1.0).astype(np.float32)
    return {"numeric": numeric, "industry": industry, "won": won}


def main():
    model = LeadScorer(n_industries=5)
    params = init_params(model, jax.random.key(0), n_numeric=6)
    params, loss = train(model, params, crm_export(400, seed=0))
    print(f"train loss {loss:.3f}")

    leads = crm_export(200, seed=1)
    scorer = make_scorer(model, params)
    scores = np.asarray(scorer(leads["numeric"], leads["industry"]))
    decile = np.argsort(-scores)[:20]
    print(f"win rate of the top decile {leads['won'][decile].mean():.2f}, overall {leads['won'].mean():.2f}")


if __name__ == "__main__":
    main()
