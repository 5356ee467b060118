"""Old entries of a cache are deleted in the loop over it."""

# cause: changed-in-the-loop
# place: for step in list
import sys

cache = {step: step * 0.5 for step in range(5)}
for step in list(cache) if "--fixed" in sys.argv else cache:
    if step < 3:
        del cache[step]
print(f"kept {len(cache)} entries")
