"""What Keras and OpenMMLab put around a message, and what libraries raise from a lookup that failed."""

from __future__ import annotations

import pytest

from errtriage.patterns.wrapped_message import undressed
from errtriage.triage import triage

LAYER = """Exception encountered when calling layer "dense" (type Dense).

Matrix size-incompatible: In[0]: [32,16], In[1]: [12,3]

Call arguments received by layer "dense" (type Dense):
  • inputs=tf.Tensor(shape=(32, 16), dtype=float32)"""
BUILDING = """Unable to automatically build the model. Please build it yourself.
Exception encountered:
'Exception encountered when calling Project.call().

Could not automatically infer the output shape / dtype of 'project'. Error encountered:

mat1 and mat2 shapes cannot be multiplied (32x16 and 12x3)

Arguments received by Project.call():
  • args=('<KerasTensor shape=(32, 16)>',)'"""
CLASSES = "class `EpochBasedTrainLoop` in mmengine/runner/loops.py: class `Shapes` in project/data.py: 'ann_file'"


@pytest.mark.parametrize(
    ("message", "inner"),
    [
        pytest.param(LAYER, "Matrix size-incompatible: In[0]: [32,16], In[1]: [12,3]", id="keras-2"),
        pytest.param(BUILDING, "mat1 and mat2 shapes cannot be multiplied (32x16 and 12x3)", id="keras-3-building"),
        pytest.param(CLASSES, "'ann_file'", id="registry"),
        pytest.param(f'"{CLASSES}"', "'ann_file'", id="registry-in-a-key-error"),
        pytest.param("got an unexpected keyword argument 'lr'", "got an unexpected keyword argument 'lr'", id="bare"),
        pytest.param("class `Net` is not in the registry", "class `Net` is not in the registry", id="near-miss"),
    ],
)
def test_the_innermost_text_is_the_message(message: str, inner: str) -> None:
    """What the failing call itself said is left, and a message that nobody wrapped stays as it is."""
    assert undressed(message) == inner


REWORDED = """Traceback (most recent call last):
  File "/env/lib/python3.11/site-packages/detectron2/data/catalog.py", line 51, in get
    f = self[name]
KeyError: 'shapes'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "{user}", line 9, in <module>
    trainer = DefaultTrainer(cfg)
  File "/env/lib/python3.11/site-packages/detectron2/data/catalog.py", line 53, in get
    raise KeyError(
KeyError: "Dataset 'shapes' is not registered! Available datasets are: "
"""


def test_a_lookup_inside_of_a_library_stands_behind_what_the_library_makes_of_it() -> None:
    """The later exception names the fault, and the bare key that was looked up is its effect."""
    told = triage(REWORDED.format(user="/home/u/train.py").encode()).explanations
    assert [one.id for one in told][:2] == ["registry-key-missing", "key-missing"]
    assert told[1].explained_by == "registry-key-missing"


def test_a_lookup_in_the_users_own_code_stays_the_first_fault() -> None:
    """Where the inner exception has a line of the user's own, it is what has to be mended."""
    text = REWORDED.replace(
        '/env/lib/python3.11/site-packages/detectron2/data/catalog.py", line 51', '/home/u/names.py", line 51'
    )
    told = triage(text.format(user="/home/u/train.py").encode()).explanations
    assert told[0].id == "key-missing"
