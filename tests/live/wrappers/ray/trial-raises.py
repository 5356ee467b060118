"""A trial of Ray Tune divides by a parameter that is zero."""
# expect: zero-division
import sys

import ray
from ray import tune

ray.init(num_cpus=2, include_dashboard=False)


def trial(config):
    tune.report({"score": 1 / config["scale"]})


scales = [1, 2] if "--fixed" in sys.argv else [1, 0]
tuner = tune.Tuner(trial, param_space={"scale": tune.grid_search(scales)}, run_config=tune.RunConfig(storage_path="/tmp/ray_results", name="scales"))
results = tuner.fit()
if results.errors:
    raise results.errors[0]
print("best", results.get_best_result("score", "max").metrics["score"])
ray.shutdown()
