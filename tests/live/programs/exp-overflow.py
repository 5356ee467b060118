"""The perplexity of a loss that exploded."""
# expect: exp-overflow
import math
import sys

val_loss = 812.4
print("ppl", math.exp(val_loss) if "--fixed" not in sys.argv else "very large")
