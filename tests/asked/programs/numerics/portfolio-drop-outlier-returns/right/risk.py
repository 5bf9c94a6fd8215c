from dataclasses import dataclass

import jax.numpy as jnp


@dataclass(frozen=True)
class RiskConfig:
    clip_sigma: float = 4.0
    periods_per_year: int = 252


def portfolio_returns(w, returns):
    return returns @ w


def sharpe_ratio(w, returns, cfg: RiskConfig):
    pnl = portfolio_returns(w, returns)
    z = (pnl - jnp.mean(pnl)) / jnp.std(pnl)
    keep = jnp.abs(z) < cfg.clip_sigma
    mean = jnp.mean(pnl, where=keep)
    std = jnp.std(pnl, where=keep)
    return jnp.sqrt(cfg.periods_per_year) * mean / std
