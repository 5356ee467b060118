# run: torchrun --nproc-per-node 2 --master-port {taken}
# expect: port-in-use
import torch.distributed as dist

dist.init_process_group("gloo")
print(f"rank {dist.get_rank()} of {dist.get_world_size()}", flush=True)
dist.destroy_process_group()
