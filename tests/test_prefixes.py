"""Prefixes: what runners, collectors and loggers put before a line becomes fields, and nothing else is taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage import lines
from errtriage.lines import prefixes
from errtriage.model import Line, Span

HERE = Span(first=7, last=7)
FRAME = '  File "train.py", line 3, in main'
NOON = 1706702400.0  # 2024-01-31T12:00:00Z


def one(text: str | bytes, window: str = "") -> Line:
    raw = text.encode() if isinstance(text, str) else text
    return lines.Cleaner("a.log", window.encode()).clean_one(raw, HERE)


PREFIXED = [
    # prefix, channel, rank, host, time, stream
    ("[rank0]: ", "rank0", 0, None, None, None),
    ("[rank12] ", "rank12", 12, None, None, None),
    ("[default4]:", "default4", 4, None, None, None),
    ("[trainer1]:", "trainer1", 1, None, None, None),
    ("[1,3]<stdout>:", "rank3", 3, None, None, "stdout"),
    ("[1,3]<stderr>: ", "rank3", 3, None, None, "stderr"),
    ("[prterun-node1-77@1,2]<stderr>: ", "rank2", 2, None, None, "stderr"),
    ("[1,mpirank:0,algo-1]<stderr>:", "algo-1 rank0", 0, "algo-1", None, "stderr"),
    ("(pid=123) ", "pid=123", None, None, None, None),
    ("(pid=123, ip=10.0.0.1) ", "pid=123, ip=10.0.0.1", None, "10.0.0.1", None, None),
    ("(RayTrainWorker pid=1, ip=10.0.0.2) ", "RayTrainWorker pid=1, ip=10.0.0.2", None, "10.0.0.2", None, None),
    ("\x1b[36m(train_fn pid=9)\x1b[0m ", "train_fn pid=9", None, None, None, None),
    ("(EngineCore_0 pid=123) ", "EngineCore_0 pid=123", None, None, None, None),
    ("(raylet) ", "raylet", None, None, None, None),
    ("(WorkerDict pid=5) [rank6]: ", "WorkerDict pid=5", 6, None, None, None),
    ("15: ", "task15", 15, None, None, None),
    ("  3: ", "task3", 3, None, None, None),
    ("15: [rank61]: ", "task15 rank61", 61, None, None, None),
    ("node01: ", "node01", None, "node01", None, None),
    ("gpu-a3.cluster: [rank5]: ", "gpu-a3.cluster rank5", 5, "gpu-a3.cluster", None, None),
    ("10.0.0.7: ", "10.0.0.7", None, "10.0.0.7", None, None),
    ("rank0: ", "rank0", 0, None, None, None),
    ("[node-1:0] ", "node-1 local0", 0, "node-1", None, None),
    ("2024-01-31T12:00:00.123456789Z ", "", None, None, NOON + 0.123456789, None),
    ("2024-01-31T12:00:00.5Z stderr F ", "", None, None, NOON + 0.5, "stderr"),
    ("2024-01-31T14:00:00.000000+02:00 stdout P ", "", None, None, NOON, "stdout"),
    ("[pod/train-0/pytorch] ", "train-0/pytorch", None, None, None, None),
    ("[pod/train-0/pytorch] 2024-01-31T12:00:00.000000000Z [rank1]: ", "train-0/pytorch rank1", 1, None, NOON, None),
    ("Jan 31 12:00:00 gpu7 train.sh[123]: ", "gpu7 train.sh[123]", None, "gpu7", 30 * 86400 + 43200.0, None),
    ("2024-01-31T12:00:00+0000 gpu7 train[123]: ", "gpu7 train[123]", None, "gpu7", NOON, None),
    ("2024-01-31 12:00:00 | ERROR | stderr | ", "", None, None, NOON, "stderr"),
    ("  | 2024-01-31T12:00:00.000Z | [rank2]:  ".rstrip() + " ", "rank2", 2, None, NOON, None),
    ("2024-01-31T12:00:00.1234567Z ##[error]", "", None, None, NOON + 0.1234567, None),
    ("2024-01-31 12:00:00,123 - name.sub - INFO - ", "", None, None, NOON + 0.123, None),
    ("2024-01-31 12:00:00,123 - INFO - ", "", None, None, NOON + 0.123, None),
    ("2024-01-31 12:00:00,123 - INFO - name - ", "", None, None, NOON + 0.123, None),
    ("2024-01-31 12:00:00,123 INFO ", "", None, None, NOON + 0.123, None),
    ("2024-01-31 12:00:00,123 [INFO] ", "", None, None, NOON + 0.123, None),
    ("2024-01-31 12:00:00.123 | INFO     | __main__:train:26 - ", "", None, None, NOON + 0.123, None),
    ("2024-01-31 12:00:00 | INFO | fairseq.trainer | ", "", None, None, NOON, None),
    ("[2024-01-31 12:00:00,123] [INFO] [engine.py:12:func] ", "", None, None, NOON + 0.123, None),
    ("[2024-01-31 12:00:00,123] torch.distributed.run: [WARNING] ", "", None, None, NOON + 0.123, None),
    ("[2024-01-31 12:00:00,123 INFO] ", "", None, None, NOON + 0.123, None),
    ("[2024-01-31 12:00:00] ", "", None, None, NOON, None),
    ("01/31/2024 12:00:00 - INFO - __main__ - ", "", None, None, NOON, None),
    ("[INFO|trainer.py:1234] 2024-01-31 12:00:00,123 >> ", "", None, None, NOON + 0.123, None),
    ("[01/31 12:00:00 d2.utils.events]: ", "", None, None, 30 * 86400 + 43200.0, None),
    ("ERROR [01/31 12:00:00 d2.engine]: ", "", None, None, 30 * 86400 + 43200.0, None),
    ("01/31 12:00:00 - mmengine - INFO - ", "", None, None, 30 * 86400 + 43200.0, None),
    ("2024-01-31 12:00:00,123 - mmdet - INFO - ", "", None, None, NOON + 0.123, None),
    ("ERROR 01-31 12:00:00 [core.py:12] ", "", None, None, 30 * 86400 + 43200.0, None),
    ("[3]<stderr>:", "rank3", 3, None, None, "stderr"),
    ("Wed Jan 31 12:00:00 2024[1]<stdout>:", "rank1", 1, None, NOON, "stdout"),
    ("[2] ", "rank2", 2, None, None, None),
    ("2024-01-31T12:00:00.500000Z 00O ", "", None, None, NOON + 0.5, None),
    ("(VllmWorker rank=1 pid=77) ", "VllmWorker rank=1 pid=77", 1, None, None, None),
    ("(pid=7) 2024-01-31 12:00:00,123 ERROR worker.py:12 -- ", "pid=7", None, None, NOON + 0.123, None),
    ("[2024-01-31 12:00:00,123][__main__][INFO] - ", "", None, None, NOON + 0.123, None),
    ("[2024-01-31 12:00:00,123] [    INFO] - ", "", None, None, NOON + 0.123, None),
    ("[01/31/24 12:00:00] INFO     ", "", None, None, NOON, None),
    ("2024-01-31 12:00:00 [info     ] ", "", None, None, NOON, None),
    ("2024-01-31 12:00:00,123: rank4[99][MainThread]: INFO: llmfoundry.train: ", "rank4", 4, None, NOON + 0.123, None),
    ("[NeMo W 2024-01-31 12:00:00 nemo_logging:349] ", "", None, None, NOON, None),
    ("submitit ERROR (2024-01-31 12:00:00,123) - ", "", None, None, NOON + 0.123, None),
    ("ERROR:root:", "", None, None, None, None),
    ("WARNING:py.warnings:", "", None, None, None, None),
    (
        "2024-01-31T12:00:00.5Z stderr F [2024-01-31 12:00:00,500] [INFO] [a.py:1:f] ",
        "",
        None,
        None,
        NOON + 0.5,
        "stderr",
    ),
]


@pytest.mark.parametrize("row", PREFIXED, ids=[row[0].strip() for row in PREFIXED])
def test_a_prefix_is_read_and_the_indentation_after_it_survives(row: tuple[object, ...]) -> None:
    """Every style says what it tells, and leaves the line of a traceback exactly as Python wrote it."""
    line = one(f"{row[0]}{FRAME}")
    assert line.text == FRAME
    assert (line.channel, line.rank, line.host, line.stream) == (row[1], row[2], row[3], row[5])
    assert line.time == (None if row[4] is None else pytest.approx(row[4], abs=1e-5))
    assert line.raw.endswith(FRAME)


UNTOUCHED = [
    "Epoch 3: train loss 0.5",
    "Traceback (most recent call last):",
    "     12 x = 1",
    "     12 d = {3: 4}",
    "---> 12 loss = f(x)",
    "test.py:12: RuntimeWarning: overflow encountered in exp",
    "C:\\work\\train.py:12: UserWarning: no",
    "[W1130 18:23:15.234758601 Module.cpp:206] symbolizing C++ stack trace",
    "W0131 12:00:00.123000 140 torch/distributed/elastic/api.py:851] Sending process 9 closing signal SIGTERM",
    "[E ProcessGroupNCCL.cpp:828] [Rank 0] Watchdog caught collective operation timeout",
    "../aten/src/ATen/native/cuda/Loss.cu:95: operator(): block: [0,0,0], thread: [3,0,0] Assertion `x` failed.",
    "[0]:",
    "[1]:",
    "[1] 4242 segmentation fault",
    "[  0]     750 || B: 6.287 | C: 2.816",
    "[1,    10] loss: 0.3",
    "  rank      : 1 (local_rank: 1)",
    "RuntimeError: CUDA error: device-side assert triggered",
    "ValueError: too many values",
    "[12345.678901] NVRM: Xid (PCI:0000:41:00): 79, pid=1, GPU has fallen off the bus.",
    "[Sat Nov 19 10:21:37 2022] oom-kill:constraint=CONSTRAINT_MEMCG",
    "box:9102:9102 [0] NCCL INFO NET/Socket : Using [0]eth0:172.17.0.2<0>",
    "(conv1): Conv2d(3, 64)",
    "(function _has_torch_function)",
    "loss: 0.3",
    "layer2: Linear",
    "3: cat",
    "model2.py: RuntimeError: no",
    "0.5 0.6 0.7",
    "  0%|          | 0/1250 [00:00<?, ?it/s]",
    "[epoch 12/12] train_loss 0.2744",
    "[5m 30s] step 3",
    "wandb: Tracking run with wandb version 0.19.8",
    "slurmstepd: error: *** STEP 1.0 ON cn1 CANCELLED AT 2024-01-31T12:00:00 ***",
    "srun: error: cn041: task 2: Exited with exit code 1",
    "INFO: Using device cuda",
    "E       RuntimeError: no",
    "12:30:00",
    "12/25 00:10:30 loss 0.5",
    "[00:00:12.000 --> 00:00:14.000] spoken",
    "00:12:30<00:14:11, 2.9it/s",
    "2024-01-31 12:00:00",
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_only_looks_like_a_prefix_stays(text: str) -> None:
    """Lines that begin with numbers, colons and brackets of their own are left whole."""
    assert one(text).text == text


@pytest.mark.parametrize(
    ("prefix", "time"),
    [
        ("2024-01-31 12:00:00,000:INFO: ", NOON),
        ("2024-01-31 12:00:00,000:INFO:", NOON),
        ("2024-01-31 12:00:00,000:INFO:root:", NOON),
        ("2024-01-31 12:00:00,000 : INFO : ", NOON),
        ("2024-01-31 12:00:00,000 root         INFO     ", NOON),
        ("2024-01-31 12:00:00,000 1234 INFO ", NOON),
        ("2024-01-31 12:00:00,000 [MainThread] ERROR ", NOON),
        ("2024-01-31 12:00:00,000 - [train.py:23] - INFO: ", NOON),
        ("2024-01-31 12:00:00,000-INFO-", NOON),
        ("[2024-01-31 12:00:00,000] {train.py:23} INFO - ", NOON),
        ("[2024-01-31 12:00:00 train:23] ", None),
        ("[INFO 2024-01-31 12:00:00,000] ", NOON),
        ("[I 2024-01-31 12:00:00,000] ", NOON),
        ("INFO:2024-01-31 12:00:00,000:", NOON),
        ("[INFO][2024-01-31 12:00:00] ", NOON),
        ("01-31 12:00 root         INFO     ", None),
        ("24-01-31 12:00:00.000 - INFO: ", None),
        ("20240131-12:00:00 ", None),
        ("Wed Jan 31 12:00:00 2024 - INFO - ", None),
        ("Jan-31 12:00:00 ", None),
        ("01-31 12:00:00 ", None),
        ("01/31 12:00:00 AM | ", None),
        ("[0131 12:00:00 @base.py:275] ", None),
        ("[12:00:00] ", None),
        ("12:00:00 ", None),
        ("12:00:00 - INFO - ", None),
    ],
)
def test_a_format_of_ones_own_is_taken_off(prefix: str, time: float | None) -> None:
    """What people configure their loggers to print before a message is no part of it, and keeps its time."""
    line = one(prefix + "Epoch 1/10")
    assert line.text == "Epoch 1/10"
    assert line.time == (None if time is None else pytest.approx(time))


def test_a_level_within_a_message_is_no_prefix() -> None:
    """NCCL's own words stay whole behind a time."""
    assert one("12:00:00 node1:52:77 [0] NCCL WARN Connect failed").text == "node1:52:77 [0] NCCL WARN Connect failed"


def test_a_warning_keeps_its_place_behind_a_logger() -> None:
    """`logging.captureWarnings` puts a prefix before the place of a warning, which stays."""
    line = one("2024-01-31 12:00:00,123 - py.warnings - WARNING - /app/a.py:12: UserWarning: no")
    assert line.text == "/app/a.py:12: UserWarning: no"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("2024-01-31 12:00:00,123 ERROR RuntimeError: CUDA error", "RuntimeError: CUDA error"),
        ("2024-01-31 12:00:00,123 - ERROR - RuntimeError: no", "RuntimeError: no"),
        ("2024-01-31 12:00:00,123 - ERROR - torch.cuda.OutOfMemoryError: no", "torch.cuda.OutOfMemoryError: no"),
        ("2024-01-31 12:00:00 INFO loss: 0.3", "loss: 0.3"),
        ("2024-01-31 12:00:00 WARNING /app/a.py:12: UserWarning: no", "/app/a.py:12: UserWarning: no"),
        ("2024-01-31 12:00:00 INFO my.module: loss: 0.3", "loss: 0.3"),
        ("ERROR:root:ValueError: no", "ValueError: no"),
    ],
)
def test_an_exception_or_metric_is_no_logger_s_name(text: str, rest: str) -> None:
    """What stands before a colon is taken for the logger's name only where it looks like one."""
    assert one(text).text == rest


def test_kernel_lines_of_the_journal_stay_recognisable() -> None:
    """A kernel message keeps the word that says so, and has a channel of its own."""
    line = one("Jun 03 09:41:33 lab4090 kernel: NVRM: Xid (PCI:0000:41:00): 79")
    assert (line.text, line.channel, line.host) == (
        "kernel: NVRM: Xid (PCI:0000:41:00): 79", "lab4090 kernel", "lab4090",
    )  # fmt: skip


def test_dates_without_a_year_take_that_of_the_log() -> None:
    """A journal's line next to a full date counts in the same year."""
    line = one("Jan 31 12:00:00 gpu7 train[1]: x", window="2024-01-30 10:00:00 start\n")
    assert line.time == NOON


def test_labels_are_believed_where_most_lines_carry_them() -> None:
    """`3: ` is a task of srun only in a log whose lines are labelled."""
    window = "0: step 1\n1: step 1\n2: step 1\n0: step 2\n1: step 2\n2: step 2\nslurmstepd: error: x\n"
    assert (one("2: cat", window).text, one("2: cat", window).rank) == ("cat", 2)
    assert one("slurmstepd: error: x", window).text == "slurmstepd: error: x"


def test_hosts_are_believed_by_their_kind() -> None:
    """Where pdsh labels lines with nodes, an exception's name is not a node."""
    window = "".join(f"node0{number % 4}: step {number}\n" for number in range(40))
    assert one("node17: hello", window).host == "node17"
    assert one("RuntimeError2: no", window).text == "RuntimeError2: no"
    assert one("ValueError: no", window).text == "ValueError: no"


def test_compose_services_are_channels() -> None:
    """Docker compose's columns are labels where most lines have them."""
    window = "".join(f"worker-{number % 2}  | step {number}\n" for number in range(40))
    assert (one("worker-1  |   File", window).text, one("worker-1  |   File", window).channel) == ("  File", "worker-1")


def test_a_numbered_list_is_not_labelled() -> None:
    """Lines that count are no tasks."""
    window = "".join(f"{number}: loss {1 / number:.3f}\n" for number in range(1, 60))
    assert one("3: loss 0.3", window).text == "3: loss 0.3"


def test_a_labelled_traceback_teaches_its_label() -> None:
    """After a line that only a labelled traceback has, the label is known for the lines after it."""
    cleaner = lines.Cleaner("a.log")
    texts = ["2: Traceback (most recent call last):", f"2: {FRAME}", "2:     main()", "2: KeyError: 3"]
    assert [cleaner.clean_one(text.encode(), HERE).text for text in texts] == [text[3:] for text in texts]


def test_a_traceback_behind_a_glog_prefix_is_bared() -> None:
    """The logger of torch writes its prefix before every line of a traceback; other lines of it keep theirs."""
    cleaner = lines.Cleaner("a.log")
    glog = "E1130 18:23:05.416000 24601 torch/_subclasses/fake_tensor.py:3090] [0/0] "
    texts = ["Traceback (most recent call last):", FRAME, "ValueError: no"]
    before = cleaner.clean_one((glog + "failed while attempting").encode(), HERE).text
    assert before == glog + "failed while attempting"
    assert [cleaner.clean_one((glog + text).encode(), HERE).text for text in texts] == texts


def test_the_rank_of_a_process_holds_for_its_other_lines() -> None:
    """Where one line of a process names its rank, later lines of that process have it."""
    cleaner = lines.Cleaner("a.log")
    cleaner.clean_one(b"(Worker pid=5) [rank6]: x", HERE)
    assert cleaner.clean_one(b"(Worker pid=5) terminate called", HERE).rank == 6


def test_a_rank_s_logger_line_opens_no_stream() -> None:
    """The rank stands before the first line of a message of c10's logger only, so that it names no channel."""
    line = one("[rank3]:[E1130 18:23:15.234758601 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught")
    assert (line.rank, line.channel, line.text[:6]) == (3, "", "[E1130")


def test_a_rank_in_the_text_is_known() -> None:
    """`[Rank 3]` in a line of c10d says the rank, and stays in the text."""
    line = one("[E ProcessGroupNCCL.cpp:828] [PG ID 0 PG GUID 0(default_pg) Rank 3] Watchdog caught")
    assert (line.rank, line.text[:3]) == (3, "[E ")


SIGNS = st.text("[]rank(0123456789): ,|-TZ<>pid=stdouter\x1bm\b\r\x00INFO/.#", max_size=60)


@given(SIGNS)
def test_the_text_is_the_end_of_the_line(text: str) -> None:
    """Stripping only takes from the left."""
    plain = lines.plain_text(text.encode())
    assert plain.endswith(one(text).text)


@pytest.mark.parametrize("sign", ["[", "(", " ", "1", "a", "[rank", "2024-01-31 12:00:00 ", "node01", "\x1b["])
def test_hostile_lines_are_quick(sign: str) -> None:
    """A long line of signs that prefixes begin with takes no time that grows out of hand."""
    from time import perf_counter

    began = perf_counter()
    lines.clean((sign * (65536 // len(sign))).encode(), HERE)
    assert perf_counter() - began < 0.5


def test_every_prefix_is_compiled_and_named_once() -> None:
    """The table's names are unique, and each regex can begin with its own start signs only."""
    names = [prefix.name for prefix in prefixes.PREFIXES]
    assert len(names) == len(set(names))
    assert {prefix.teaches for prefix in prefixes.PREFIXES} - {""} <= set(names)
