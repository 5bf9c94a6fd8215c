import jax
from jax.sharding import NamedSharding, PartitionSpec as P

AXIS = "data"


def make_data_mesh():
    return jax.make_mesh((jax.device_count(),), (AXIS,))


def shard_batch(mesh, batch):
    return jax.device_put(batch, NamedSharding(mesh, P(AXIS)))
