"""A polynomial of high degree is fitted to few points that are far from 0, and draws are made of no covariance."""
# notes: numpy-result-doubtful
import sys

import numpy as np

x = np.linspace(2000, 2010, 12)
y = np.sin(x)
if "--fixed" in sys.argv:
    fit = np.polynomial.Polynomial.fit(x, y, 3)(x)
    draw = np.random.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]])
else:
    fit = np.polyval(np.polyfit(x, y, 11), x)
    draw = np.random.multivariate_normal([0, 0], [[1, 2], [2, 1]])
print("epoch 1/1 error", round(float(np.abs(fit - y).max()), 3))
