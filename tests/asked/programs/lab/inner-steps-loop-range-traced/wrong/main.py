import jax

from maml import init_params, meta_opt, meta_step
from tasks import SineTasks

config = dict(shots=10, tasks_per_batch=8, inner_steps=3, meta_iters=60)


def main():
    tasks = SineTasks(seed=0, shots=config["shots"])
    params = init_params(jax.random.key(0))
    opt_state = meta_opt.init(params)
    for it in range(config["meta_iters"]):
        batch = tasks.sample(config["tasks_per_batch"])
        params, opt_state, loss = meta_step(
            params, opt_state, batch, num_inner_steps=config["inner_steps"]
        )
        if it % 20 == 0:
            print(f"iter {it} meta loss {loss:.4f}")


if __name__ == "__main__":
    main()
