"""Tell three kinds of flowers apart."""

import jax
from classifier import accuracy, train
from data import flowers, train_and_test


def main():
    k_data, k_split = jax.random.split(jax.random.key(2))
    x, kinds = flowers(k_data)
    (x_train, y_train), (x_test, y_test) = train_and_test(x, kinds, k_split)
    model = train(x_train, y_train)
    print("kinds in training:", len(set(y_train.tolist())))
    print("good on the test:", bool(accuracy(model, x_test, y_test) > 0.9))


if __name__ == "__main__":
    main()
