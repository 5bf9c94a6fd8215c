"""A layer whose noise decays with the number of calls."""
import flax.linen as nn
import jax
import jax.numpy as jnp


class DecayingNoise(nn.Module):
    start: float = 0.5

    def setup(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1  # mistake
        scale = self.start / self.calls
        return x + scale * jax.random.normal(self.make_rng("noise"), x.shape)


class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = DecayingNoise()(x)
        return nn.Dense(2)(x)


def main():
    model = Model()
    x = jnp.ones((3, 4))
    k_params, k_noise = jax.random.split(jax.random.key(0))
    variables = model.init({"params": k_params, "noise": k_noise}, x)
    for step in range(3):
        rngs = {"noise": jax.random.fold_in(k_noise, step)}
        out, changed = model.apply(variables, x, rngs=rngs, mutable=["counts"])
        variables = {**variables, **changed}
    print(out.shape)


if __name__ == "__main__":
    main()
