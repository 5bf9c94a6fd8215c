import jax
import numpy as np

from news import ArticleIndex, init_table, related


def main():
    index = ArticleIndex(ids=np.arange(100, 400, 3))
    table = init_table(jax.random.key(0), index, dim=16)
    requested = [100, 397, 398, 5000]
    rows = index.rows(requested)
    scores = np.asarray(related(table, rows, table[:len(index)]))
    for article, row_scores in zip(requested, scores):
        best = int(np.argmax(row_scores))
        print(f"article {article}: nearest {index.ids[best]} with cosine {row_scores[best]:.2f}")


if __name__ == "__main__":
    main()
