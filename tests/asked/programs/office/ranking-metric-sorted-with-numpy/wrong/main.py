import argparse

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from ranking import click_labels, mean_ndcg


class Scorer(nn.Module):
    hidden: int

    @nn.compact
    def __call__(self, features):
        h = nn.gelu(nn.Dense(self.hidden)(features))
        return nn.Dense(1)(h)[..., 0]


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--queries", type=int, default=24)
    parser.add_argument("--docs", type=int, default=50)
    return parser.parse_args()


def main():
    args = parse_args()
    labels = click_labels(args.queries, args.docs, seed=2)
    noise = np.random.default_rng(5).normal(size=(args.queries, args.docs, 7))
    features = jnp.asarray(np.concatenate([noise, labels[..., None]], axis=-1), jnp.float32)

    scorer = Scorer(args.hidden)
    variables = scorer.init(jax.random.key(0), features)
    scores = scorer.apply(variables, features)
    print("untrained ndcg@10 %.3f" % mean_ndcg(scores, labels))
    print("oracle ndcg@10    %.3f" % mean_ndcg(features[..., -1], labels))


if __name__ == "__main__":
    main()
