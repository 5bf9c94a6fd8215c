"""Checkpoints with Orbax."""

import orbax.checkpoint as ocp


def open_manager(folder):
    return ocp.CheckpointManager(folder, options=ocp.CheckpointManagerOptions(max_to_keep=2))


def store(manager, step, tree):
    manager.save(step, args=ocp.args.StandardSave(tree))


def latest(manager, like):
    return manager.restore(manager.latest_step(), args=ocp.args.StandardRestore(like))
