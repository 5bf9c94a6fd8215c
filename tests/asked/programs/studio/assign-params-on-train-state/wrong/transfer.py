import flax.linen as nn
import flax.traverse_util as traverse
import jax.numpy as jnp


class Backbone(nn.Module):
    @nn.compact
    def __call__(self, x):
        for i, width in enumerate((24, 24)):
            x = nn.relu(nn.Dense(width, name=f"block{i}")(x))
        return x


class Classifier(nn.Module):
    classes: int

    def setup(self):
        self.backbone = Backbone()
        self.head = nn.Dense(self.classes)

    def __call__(self, x):
        return self.head(self.backbone(x))


def merge_backbone(params, pretrained):
    flat = traverse.flatten_dict(params)
    for path, value in traverse.flatten_dict(pretrained).items():
        if path[0] == "backbone":
            flat[path] = jnp.asarray(value)
    return traverse.unflatten_dict(flat)
