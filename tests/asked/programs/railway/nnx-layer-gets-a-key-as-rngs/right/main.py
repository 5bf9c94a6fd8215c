import jax
from flax import nnx

from data import collect_transitions
from dynamics import DynamicsModel
from train import fit


def main(seed=0):
    key_data, key_model = jax.random.split(jax.random.key(seed))
    states, actions, next_states = collect_transitions(key_data, 256)
    model = DynamicsModel(4, 1, hidden=32, rngs=nnx.Rngs(key_model))
    losses = fit(model, states, actions, next_states, epochs=20)
    print("first loss", round(losses[0], 5), "last loss", round(losses[-1], 5))


if __name__ == "__main__":
    main()
