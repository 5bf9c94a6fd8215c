import jax

from ranker import init_ranker, rank
from timing import LatencyReport


def main():
    model_key, small_key, large_key = jax.random.split(jax.random.key(0), 3)
    weights = init_ranker(model_key, width=256, depth=8)
    requests = {
        "500 candidates": jax.random.normal(small_key, (500, 256)),
        "4000 candidates": jax.random.normal(large_key, (4000, 256)),
    }
    for name, candidates in requests.items():
        jax.block_until_ready(rank(weights, candidates))
        report = LatencyReport(name)
        _, ids = report.measure(rank, weights, candidates)
        print(report.summary(), "best", ids[:3])


if __name__ == "__main__":
    main()
