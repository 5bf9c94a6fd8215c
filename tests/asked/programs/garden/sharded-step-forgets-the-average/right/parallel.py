import jax
import optax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from probe import probe_loss


def data_mesh() -> Mesh:
    return jax.make_mesh((jax.device_count(),), ("data",))


def put_batch(mesh, batch):
    return jax.device_put(batch, NamedSharding(mesh, P("data")))


def make_train_step(mesh, tx):
    @jax.shard_map(mesh=mesh, in_specs=(P(), P("data")), out_specs=P())
    def global_loss(params, batch):
        return jax.lax.pmean(probe_loss(params, batch), "data")

    @jax.jit
    def train_step(params, opt_state, batch):
        loss, grads = jax.value_and_grad(global_loss)(params, batch)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    return train_step
