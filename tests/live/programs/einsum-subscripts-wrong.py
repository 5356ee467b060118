"""A batch dimension was added, and the equation does not know of it."""
# expect: einsum-subscripts-wrong
import sys

import numpy as np

scores, values = np.ones((4, 5, 5)), np.ones((4, 5, 8))
equation = "bij,bjk->bik" if "--fixed" in sys.argv else "ij,jk->ik"
print(np.einsum(equation, scores, values).shape)
