"""A built-in function gets its values one by one, and takes one."""
# expect: argument-count-wrong
import sys

history = []
if "--fixed" in sys.argv:
    history.append((1, 0.5))
else:
    history.append(1, 0.5)
print(history)
