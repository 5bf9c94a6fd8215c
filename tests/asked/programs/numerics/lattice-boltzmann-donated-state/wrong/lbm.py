import jax.numpy as jnp
import numpy as np

C = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, dtype=np.float32)


def density(f):
    return f.sum(axis=-1)


def momentum(f):
    return f @ C.astype(np.float32)


def equilibrium(rho, u):
    cu = u @ C.T.astype(np.float32)
    usq = jnp.sum(u**2, axis=-1, keepdims=True)
    return rho[..., None] * W * (1.0 + 3.0 * cu + 4.5 * cu**2 - 1.5 * usq)


def collide(f, tau):
    rho = density(f)
    u = momentum(f) / rho[..., None]
    return f - (f - equilibrium(rho, u)) / tau


def stream(f):
    moved = [jnp.roll(f[..., i], (int(cx), int(cy)), axis=(0, 1)) for i, (cx, cy) in enumerate(C)]
    return jnp.stack(moved, axis=-1)
