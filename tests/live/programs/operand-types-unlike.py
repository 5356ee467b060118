"""1e-4 in YAML is text."""
# expect: operand-types-unlike
import sys

lr = "1e-4"
if "--fixed" in sys.argv:
    lr = float(lr)
print(lr * 0.1 if "--fixed" in sys.argv else lr <= 0.0)
