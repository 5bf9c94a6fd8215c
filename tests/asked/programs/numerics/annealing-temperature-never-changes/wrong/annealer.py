import jax
import jax.numpy as jnp
import numpy as np

from tsp import swap_delta_tour, tour_length


class Annealer:
    def __init__(self, dist, t_start, t_end, n_epochs, moves_per_epoch):
        self.dist = dist
        self.schedule = np.geomspace(t_start, t_end, n_epochs)
        self.moves_per_epoch = moves_per_epoch
        self.temperature = float(self.schedule[0])
        self._epoch = jax.jit(self._run_epoch)

    def _move(self, tour, key):
        k_seg, k_acc = jax.random.split(key)
        proposal = swap_delta_tour(k_seg, tour)
        delta = tour_length(self.dist, proposal) - tour_length(self.dist, tour)
        accept = jnp.log(jax.random.uniform(k_acc)) < -delta / self.temperature  # mistake
        return jnp.where(accept, proposal, tour), accept

    def _run_epoch(self, tour, keys):
        tour, accepts = jax.lax.scan(self._move, tour, keys)
        return tour, accepts.mean()

    def run(self, key, tour):
        trace = []
        for temperature, k in zip(self.schedule, jax.random.split(key, len(self.schedule))):
            self.temperature = float(temperature)  # mistake
            tour, rate = self._epoch(tour, jax.random.split(k, self.moves_per_epoch))
            trace.append(round(float(rate), 3))
        return tour, trace
