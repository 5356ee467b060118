"""A function forgets to return."""
# expect: none-has-no-attribute
import sys


def load(path):
    data = {"path": path, "size": 3}
    if "--fixed" in sys.argv:
        return data


print(load("train.csv")["size"])
