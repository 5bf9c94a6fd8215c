"""Roll a wrapped environment out."""
import jax
import jax.numpy as jnp

from envs import PointEnv, ReturnWrapper

env = ReturnWrapper(PointEnv())


@jax.jit
def rollout(start):
    def step(state, _):
        return env.step(state, -jnp.sign(state.position)), state.position

    state, path = jax.lax.scan(step, env.reset(start), None, length=15)  # mistake
    return state.info, path


def main():
    info, path = rollout(jnp.float32(0.75))
    print({name: round(float(value), 2) for name, value in info.items()}, path.shape)


if __name__ == "__main__":
    main()
