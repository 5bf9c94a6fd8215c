from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class WindowConfig:
    width: int
    hop: int

    def n_windows(self, n: int) -> int:
        return 1 + (n - self.width) // self.hop


def describe(window):
    centred = window - window.mean()
    energy = jnp.mean(centred**2)
    peak = jnp.max(jnp.abs(centred))
    crossings = jnp.sum(jnp.diff(jnp.sign(centred)) != 0)
    return jnp.stack([energy, peak, crossings.astype(window.dtype)])


def windowed_features(x, cfg: WindowConfig):
    taper = jnp.hanning(cfg.width)

    def body(start, _):
        window = x[start : start + cfg.width]  # mistake
        return start + cfg.hop, describe(window * taper)

    _, feats = jax.lax.scan(body, 0, None, length=cfg.n_windows(x.shape[0]))
    return feats
