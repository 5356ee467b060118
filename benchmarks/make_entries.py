"""Makes folders of made-up entries of knowledge, each of which looks for words of its own."""

from __future__ import annotations

import random
from pathlib import Path

_ENTRY = """\
id: made-up-{number}
title: The {one} does not fit the {two}
summary: A worker gave its {one} up, as the {two} was not ready.
role: cause
severity: error
tags: [data]
match:
  - event: text
    where: {{message: 'the {one} of the {two} failed with code (?P<code>\\d+)'}}
causes:
  - id: {one}-too-old
    why: The {one} was made before the {two} was.
    check: Compare the dates of both.
    fix: Make the {one} again.
examples:
  match:
    - 'worker 3: the {one} of the {two} failed with code 17'
  ignore:
    - 'the {one} of the {two} is ready'
    - 'code 17'
"""


def make_entries(count: int, folder: Path) -> Path:
    """Write so many entries into a new folder and return it; they follow from their number."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(0)
    for number in range(count):
        one, two = ("".join(rng.choices("aeioulnrstdmckp", k=9)) for _ in range(2))
        text = _ENTRY.format(number=number, one=one, two=two)
        path = folder / f"made-up-{number}.yaml"
        if not path.exists():
            path.write_text(text, encoding="utf-8")
    return folder
