"""Signs of progress: steps, epochs and checkpoints as common trainers print them, and what only looks like them."""

import pytest

from errtriage.patterns import progress
from events_of import events_of


def _told(line: str) -> list[dict[str, str]]:
    return [dict(event.fields) for event in events_of(progress.PATTERNS, line)]


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (" 14%|█▍  | 385/2724 [14:09:34<86:01:23, 132.21s/it]", {"what": "step", "step": "385", "total": "2724"}),
        (
            "Epoch 3:  17%|█▋ | 212/1250 [01:12<05:56,  2.91it/s, v_num=12]",
            {"what": "step", "step": "212", "total": "1250", "epoch": "3"},
        ),
        ("global step 40 of 90", {"what": "step", "step": "40", "total": "90"}),
        ("Saving model checkpoint to o/step-500", {"what": "checkpoint", "step": "500", "path": "o/step-500"}),
        ("saved checkpoint at iteration 1000 to /ckpt", {"what": "checkpoint", "step": "1000", "path": "/ckpt"}),
        ("Checkpoint 2 saved !", {"what": "checkpoint", "epoch": "2"}),
        ("Saving checkpoint at 12 epochs", {"what": "checkpoint", "epoch": "12"}),
        ("Finished Training", {"what": "finished"}),
        ("`Trainer.fit` stopped: `max_epochs=5` reached.", {"what": "finished"}),
        ("OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536", {"what": "skipped_step"}),
        ("***** Running training *****", {"what": "started"}),
    ],
)  # fmt: skip
def test_sign(line, fields):
    """A sign of progress tells what it is, with its numbers where it has any."""
    assert fields in _told(line)


@pytest.mark.parametrize(
    "line",
    [
        "Loading checkpoint shards:  17%|█▋ | 1/6 [00:07<00:38,  7.71s/it]",
        "Map:  45%|████▍ | 17103/38122 [29:32<36:01, 9724.81 examples/s]",
        "RuntimeError: saving checkpoint to out failed",
        "Training not finished",
        "loading the model saved in out/best.pth",
    ],
)
def test_no_sign(line):
    """Bars of other work, failures to save and loading are no progress of a training."""
    assert _told(line) == []
