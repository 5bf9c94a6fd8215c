import haiku as hk
import jax
import numpy as np

from lr_control import PlateauController, build_tx, current_lr
from policy_net import make_update, network


def chess_positions(n=256, seed=0):
    rng = np.random.default_rng(seed)
    boards = rng.choice([-1.0, 0.0, 1.0], size=(n, 36), p=[0.2, 0.6, 0.2])
    return boards.astype(np.float32), np.tanh(boards.sum(axis=1) / 6).astype(np.float32)


def main(n_epochs=12):
    boards, values = chess_positions()
    key_seq = hk.PRNGSequence(42)
    params = network.init(next(key_seq), boards[:1])
    tx = build_tx(learning_rate=3e-2)
    opt_state = tx.init(params)
    update = make_update(tx)
    controller = PlateauController(factor=0.5, patience=1)
    for epoch in range(n_epochs):
        params, opt_state, loss = update(params, opt_state, boards, values)
        opt_state = controller.adjust(opt_state, float(loss))
        print(f"epoch {epoch:2d} loss {float(loss):.4f} lr {current_lr(opt_state):.4f}")


if __name__ == "__main__":
    main()
