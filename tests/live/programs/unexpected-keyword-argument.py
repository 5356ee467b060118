"""A method of a trainer with an older signature."""
# expect: unexpected-keyword-argument
import sys


class Trainer:
    def step(self):
        return self.compute_loss(model=None, inputs=None, num_items_in_batch=4)


class FocalTrainer(Trainer):
    if "--fixed" in sys.argv:

        def compute_loss(self, model, inputs, **kwargs):
            return 1.0
    else:

        def compute_loss(self, model, inputs, return_outputs=False):
            return 1.0


print(FocalTrainer().step())
