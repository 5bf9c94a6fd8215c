import numpy as np


class AucReport:
    def __init__(self, model, params):
        self.model = model
        self.params = params

    def scores(self, users, items):
        return np.asarray(self.model(users, items))  # mistake

    def auc(self, users, items, liked):
        scores = self.scores(users, items)
        ranks = np.empty(len(scores))
        ranks[np.argsort(scores)] = np.arange(1, len(scores) + 1)
        positive = liked > 0.5
        n_pos, n_neg = positive.sum(), (~positive).sum()
        return (ranks[positive].sum() - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg)
