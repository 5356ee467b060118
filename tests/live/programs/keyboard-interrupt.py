"""The run is interrupted as by Ctrl-C."""

# expect: keyboard-interrupt
import os
import signal
import sys
import time

for step in range(3):
    print("step", step, flush=True)
    if step == 1 and "--fixed" not in sys.argv:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
