"""A package is imported that was never installed."""

# expect: module-not-found
import sys

if "--fixed" not in sys.argv:
    import vit_rotary_layers  # never installed

print("layers imported")
