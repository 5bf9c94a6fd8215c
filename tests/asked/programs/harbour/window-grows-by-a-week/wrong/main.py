import time

import numpy as np

from factors import weekly_factors
from regression import fit, forecast

FIRST_WEEK = 104
LAST_WEEK = 114


def backtest(features, returns):
    profit, seconds = [], []
    for week in range(FIRST_WEEK, LAST_WEEK):
        began = time.perf_counter()
        params, _ = fit(features[:week], returns[:week], np.ones(week, np.float32))  # mistake
        signal = np.sign(forecast(params, features[week]))
        seconds.append(time.perf_counter() - began)
        profit.append(signal * returns[week])
    return np.array(profit), np.array(seconds)


def main():
    features, returns = weekly_factors(LAST_WEEK)
    profit, seconds = backtest(features, returns)
    print("hit rate", (profit > 0).mean(), "profit", profit.sum().round(3))
    print("median seconds per week", np.median(seconds[1:]).round(4))
    print("compiled versions of fit", fit._cache_size())


if __name__ == "__main__":
    main()
