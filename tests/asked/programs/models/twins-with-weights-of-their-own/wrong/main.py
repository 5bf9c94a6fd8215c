"""Compare images with themselves."""
import jax

from siamese import Likeness


def main():
    images = jax.random.normal(jax.random.key(0), (5, 16))
    model = Likeness()
    variables = model.init(jax.random.key(1), images, images)
    likeness = model.apply(variables, images, images)
    print("like themselves", [round(x, 3) == 1.0 for x in likeness.tolist()])
    print("encoders", len(variables["params"]))


if __name__ == "__main__":
    main()
