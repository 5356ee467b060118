"""The driver's module is found by its sys.path, the workers do not have it."""
# expect: module-not-found
import pathlib
import sys
import tempfile

import ray

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "losses.py").write_text("def focal(x):\n    return x * 2\n")
sys.path.insert(0, str(folder))
import losses

if "--fixed" in sys.argv:
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": str(folder)}})
else:
    ray.init(num_cpus=2, include_dashboard=False)


@ray.remote
def loss(x):
    return losses.focal(x)


print(ray.get(loss.remote(2)))
ray.shutdown()
