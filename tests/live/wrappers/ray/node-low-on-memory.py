"""Ray's memory monitor kills a task, here since its limit is set far below what the machine uses."""
# expect: host-oom-killed
import os
import sys

if "--fixed" not in sys.argv:
    os.environ["RAY_memory_usage_threshold"] = "0.01"
os.environ["RAY_memory_monitor_refresh_ms"] = "100"
import ray

ray.init(num_cpus=1, include_dashboard=False)


@ray.remote(max_retries=0)
def fill():
    import time

    kept = [bytearray(2**20) for _ in range(64)]
    time.sleep(20 if "--fixed" not in sys.argv else 0)
    return len(kept)


print(ray.get(fill.remote()))
ray.shutdown()
