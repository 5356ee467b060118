"""Logistic regression in NumPy: exp overflows for large scores."""
# expect: exp-overflow
import sys

import numpy as np

FIXED = "--fixed" in sys.argv
rng = np.random.default_rng(0)
x = rng.normal(size=(200, 3)) * 500
y = (x[:, 0] > 0).astype(float)


def sigmoid(z):
    if FIXED:
        z = np.clip(z, -60, 60)
    return 1 / (1 + np.exp(-z))


w = np.ones(3)
for step in range(5):
    p = sigmoid(x @ w)
    w -= 0.1 * x.T @ (p - y) / len(y)
    print(f"step {step} acc {((p > 0.5) == y).mean():.3f}")
if not FIXED and not np.isfinite(np.exp(-(x @ w))).all():
    raise FloatingPointError("overflow encountered in exp")
