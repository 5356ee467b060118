"""A remote function uses a lock of the driver, which can not be pickled."""
# expect: spawn-unpicklable
import sys
import threading

import ray

ray.init(num_cpus=2, include_dashboard=False)
guard = threading.Lock()


@ray.remote
def count(n):
    if "--fixed" not in sys.argv:
        with guard:
            return n + 1
    return n + 1


if "--fixed" in sys.argv:

    @ray.remote
    def count(n):
        return n + 1


print(ray.get(count.remote(1)))
ray.shutdown()
