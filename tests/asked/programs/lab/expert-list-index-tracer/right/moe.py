import equinox as eqx
import jax
import jax.numpy as jnp


class SwitchLayer(eqx.Module):
    router: eqx.nn.Linear
    experts: list

    def __init__(self, dim, n_experts, *, key):
        router_key, *expert_keys = jax.random.split(key, n_experts + 1)
        self.router = eqx.nn.Linear(dim, n_experts, key=router_key)
        self.experts = [
            eqx.nn.MLP(dim, dim, 2 * dim, 1, activation=jax.nn.silu, key=k)
            for k in expert_keys
        ]

    def __call__(self, x):
        probs = jax.nn.softmax(self.router(x))
        choice = jnp.argmax(probs)
        branches = [lambda v, expert=expert: expert(v) for expert in self.experts]
        out = jax.lax.switch(choice, branches, x)
        return x + probs[choice] * out


class Regressor(eqx.Module):
    layers: list
    head: eqx.nn.Linear

    def __init__(self, dim, depth, n_experts, *, key):
        head_key, *keys = jax.random.split(key, depth + 1)
        self.layers = [SwitchLayer(dim, n_experts, key=k) for k in keys]
        self.head = eqx.nn.Linear(dim, "scalar", key=head_key)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)
