import jax
import numpy as np

import sac


def transitions(n, seed):
    rng = np.random.default_rng(seed)
    obs = rng.normal(size=(n, sac.OBS)).astype(np.float32)
    action = rng.integers(0, sac.ACTIONS, n)
    next_obs = obs + 0.1 * (action[:, None] - 1)
    return {"obs": obs, "action": action, "reward": -np.abs(next_obs).sum(1) / 4, "next_obs": next_obs}


if __name__ == "__main__":
    online, target, opt_state = sac.init(jax.random.key(0))
    losses = []
    for i in range(120):
        online, target, opt_state, loss = sac.update(online, target, opt_state, transitions(64, i))
        losses.append(loss)
    losses = np.asarray(jax.device_get(losses))
    print("loss %.3f -> %.3f" % (losses[:10].mean(), losses[-10:].mean()))
    print("alpha %.3f" % np.exp(online["log_alpha"]))
