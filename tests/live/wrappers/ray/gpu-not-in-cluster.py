"""A task asks for a GPU, the cluster has none, and the driver gives up waiting."""
# expect: ray-resources-unavailable
# cause: more-asked-than-cluster-has
import sys

import ray

ray.init(num_cpus=2, include_dashboard=False)


@ray.remote(num_gpus=0 if "--fixed" in sys.argv else 1)
def train():
    return "trained"


print(ray.get(train.remote(), timeout=30))
ray.shutdown()
