"""Threads are started until the system refuses."""

# expect: thread-or-process-limit
import resource
import sys
import threading

threading.stack_size(64 * 1024 * 1024)
resource.setrlimit(resource.RLIMIT_AS, (2 * 1024**3, 2 * 1024**3))
stop = threading.Event()
threads = []
try:
    for i in range(4 if "--fixed" in sys.argv else 200):
        thread = threading.Thread(target=stop.wait)
        thread.start()
        threads.append(thread)
finally:
    stop.set()
print(len(threads), "readers")
