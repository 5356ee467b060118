"""The logarithm of a probability that is 0."""
# expect: log-of-nonpositive
import math
import sys

p = 0.0
if "--fixed" in sys.argv:
    p = max(p, 1e-12)
print(math.log(p))
