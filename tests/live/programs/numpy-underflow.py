"""A product of many small likelihoods under np.errstate(all="raise")."""
# expect: numpy-underflow
# cause: products-of-small-probabilities
import sys

import numpy as np

likelihoods = np.random.default_rng(0).uniform(1e-4, 1e-2, size=400)
with np.errstate(all="raise"):
    if "--fixed" in sys.argv:
        print("log likelihood", np.log(likelihoods).sum())
    else:
        print("likelihood", np.prod(likelihoods))
