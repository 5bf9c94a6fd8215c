import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


class DataParallel:
    def __init__(self):
        self.mesh = Mesh(np.array(jax.devices()), ("data",))
        self.batch_sharding = NamedSharding(self.mesh, P("data"))
        self.replicated = NamedSharding(self.mesh, P())

    def replicate(self, tree):
        return jax.device_put(tree, self.replicated)

    def shard_batch(self, batch):
        return jax.device_put(batch, self.batch_sharding)
