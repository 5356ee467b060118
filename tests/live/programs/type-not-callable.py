"""A name of a function was given a value."""
# expect: type-not-callable
import sys

losses = [0.5, 0.25]
if "--fixed" in sys.argv:
    total = sum(losses)
else:
    sum = 0.0
    total = sum(losses)
print(total)
