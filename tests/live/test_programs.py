"""Real failing programs: what they print is explained rightly, and they run when the fix is applied.

Lines at a program's head say what is expected: `# expect:` ids of which the first explanation or its first cause has
one (else the name of the file), `# cause:` those of which the first cause is one, `# place:` what stands in the line
that is pointed at, `# told:` further ids of the report, `# machine:` what the fault needs (`platform.machine()`),
`# build:` the build of torch, `# needs:` commands.
"""

from __future__ import annotations

import platform
from pathlib import Path

import pytest
from program_heads import header, lacking, listed
from program_runs import run

from errtriage.triage import triage

PROGRAMS = Path(__file__).parent / "programs"
pytestmark = pytest.mark.live


def line_of(program: Path) -> int:
    """The number of the one line that holds what `# place:` says, the header aside."""
    text = header(program, "place")
    lines = program.read_text(encoding="utf-8").splitlines()
    found = [number for number, line in enumerate(lines, 1) if text in line and not line.startswith("# ")]
    assert len(found) == 1, f"{program.name}: {len(found)} lines hold {text!r}"
    return found[0]


@pytest.mark.parametrize("program", [pytest.param(path, id=path.stem) for path in sorted(PROGRAMS.glob("*.py"))])
def test_the_broken_program_is_explained_and_the_mended_one_runs(program: Path) -> None:
    """The output of a program that fails is given its id first, and with --fixed the program ends well and clean."""
    torch = pytest.importorskip("torch")
    if header(program, "build") == "cpu" and torch.version.cuda:
        pytest.skip("the fault shows with a build for the CPU only")
    if missing := lacking(program):
        pytest.skip(f"no {', '.join(missing)} here")
    if platform.machine() not in (listed(program, "machine") or {platform.machine()}):
        pytest.skip(f"the fault shows on {header(program, 'machine')} only")
    broken = triage(run(program).stdout)
    assert broken.explanations, broken.headline
    first = broken.explanations[0]
    causes = [cause.id for cause in first.causes[:1]]
    assert {first.id, *causes} & (listed(program, "expect") or {program.stem})
    assert set(causes) & listed(program, "cause") or not header(program, "cause")
    assert listed(program, "told") <= {one.id for one in broken.explanations}
    if header(program, "place"):
        assert first.where is not None
        assert (Path(first.where.file).name, first.where.line) == (program.name, line_of(program))

    mended = run(program, "--fixed")
    assert mended.returncode == 0, mended.stdout.decode(errors="replace")[-2000:]
    assert not triage(mended.stdout).explanations
