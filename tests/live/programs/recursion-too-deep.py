"""__getattr__ asks for an attribute that is not set yet."""
# expect: recursion-too-deep
import sys


class Wrapper:
    def __init__(self, model):
        if "--fixed" in sys.argv:
            self.__dict__["model"] = model

    def __getattr__(self, name):
        return getattr(self.model, name)


print(Wrapper([1, 2]).append is not None)
