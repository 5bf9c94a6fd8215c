import jax.numpy as jnp
import numpy as np


class Report:
    def __init__(self, scale: float):
        self.scale = scale
        self.rows = []

    def add(self, name, model, state, reactant, product, barrier):
        predicted = model.apply({"params": state.params}, reactant, product)
        error = self.scale * (predicted - barrier)
        self.rows.append((name, jnp.mean(jnp.abs(error)), jnp.max(jnp.abs(error))))

    def show(self, step):
        print("after", int(step), "steps")
        for name, mae, worst in self.rows:
            print(name, np.round(mae, 3), np.round(worst, 3))
