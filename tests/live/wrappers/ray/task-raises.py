"""A remote task indexes beyond its list."""
# expect: index-list-out-of-range
import sys

import ray

ray.init(num_cpus=2, include_dashboard=False)


@ray.remote
def score(rows, i):
    return rows[i] * 2


rows = [1, 2, 3]
last = len(rows) if "--fixed" in sys.argv else len(rows) + 1
print(ray.get([score.remote(rows, i) for i in range(last)]))
ray.shutdown()
