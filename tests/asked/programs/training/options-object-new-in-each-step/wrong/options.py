"""Options of a loss."""


class LossOptions:
    def __init__(self, smoothing, reduction="mean"):
        self.smoothing = smoothing
        self.reduction = reduction
