"""Far more threads than OpenBLAS was built for multiply at once; it says so, and the run goes on."""
# expect: nothing
# notes: openblas-threads-exceeded
import sys
import threading

import numpy as np

count = 8 if "--fixed" in sys.argv else 180
together = threading.Barrier(count)
x = np.ones((1200, 1200))


def multiply():
    together.wait()
    x @ x


threads = [threading.Thread(target=multiply) for _ in range(count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("epoch 1/1 loss 0.5")
