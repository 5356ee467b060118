"""A subclass names the method otherwise than its base class calls it."""
# expect: method-not-implemented
# cause: method-not-overridden
# place: raise NotImplementedError
import sys


class Reader:
    def batches(self):
        return [self.read(i) for i in range(2)]

    def read(self, i):
        raise NotImplementedError


class Numbers(Reader):
    def load(self, i):
        return i


if "--fixed" in sys.argv:
    Numbers.read = Numbers.load
print(Numbers().batches())
