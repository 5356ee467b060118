"""The process of an actor ends in the midst of a call."""
# expect: ray-actor-died
import os
import sys

import ray

ray.init(num_cpus=2, include_dashboard=False)


@ray.remote
class Learner:
    def step(self, i):
        if i == 2 and "--fixed" not in sys.argv:
            os._exit(7)
        return i


learner = Learner.remote()
if "--fixed" in sys.argv:
    print(ray.get([learner.step.remote(0), learner.step.remote(1)]))
else:
    print(ray.get([learner.step.remote(i) for i in range(4)]))
ray.shutdown()
