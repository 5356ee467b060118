"""A name that is set only in a branch."""
# expect: name-not-defined
import sys


def train(batches):
    for batch in batches:
        loss = batch * 0.5
    return loss


print(train([1.0] if "--fixed" in sys.argv else []))
