"""What a text of c10d, gloo or NCCL says of a collective: operation, sequence, sizes, ranks, times, lost peer."""

from __future__ import annotations

from errtriage.patterns.base import compiled

_TEXT = 8192  # characters of a message that are read
# WorkNCCL(SeqNum=12, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000): torch 1.9 to 2.13, with TensorShape
# in place of the numbers of elements up to 2.1; other back ends put their own name behind Work.
_WORK = r"\bWork[A-Z]{2,8}\((?P<work>[^()]{0,400}(?:\(ms\)=\d{1,12})?)"
_WORK_KEYS = (
    ("seq", r"SeqNum=(\d{1,12})"),
    ("op", r"OpType=(\w{1,40})"),
    ("numel_in", r"NumelIn=(\d{1,18})"),
    ("numel_out", r"NumelOut=(\d{1,18})"),
    ("shape", r"TensorShape=\[([\d, ]{0,200})\]"),
    ("timeout_ms", r"Timeout\(ms\)=(\d{1,12})"),
)
_TEXTS = (
    # the prefix of a line: [Rank 0], [PG 0 (default_pg) Rank 0], [PG ID 0 PG GUID 0(default_pg) Rank 0]
    r"\[PG ID \d{1,6} PG GUID (?P<group>[^\s()]{1,60})(?:\((?P<group_name>[^)]{0,80})\))? Rank (?P<rank>\d{1,7})\]",
    r"\[PG (?P<group>[^\s()]{1,60})(?: \((?P<group_name>[^)]{0,80})\))? Rank (?P<rank>\d{1,7})\]",
    r"\[Rank (?P<rank>\d{1,7})\]",
    r" ran for (?P<ran_ms>\d{1,12}) milliseconds before timing out",
    r"(?:Timeout at NCCL work: |detected by watchdog at work: |at work sequence id: )(?P<seq>\d{1,12})",
    r"[Ll]ast enqueued (?:NCCL )?work: (?P<enqueued>-?\d{1,12}), last completed (?:NCCL )?"
    r"work: (?P<completed>-?\d{1,12})",
    r"Ranks? (?P<missing>\d[\d, ]{0,400}?) failed to pass (?P<op>monitoredBarrier) in (?P<timeout_ms>\d{1,12}) ms",
    r"(?P<op>monitoredBarrier).{0,80}?(?:errors while waiting for send/recv from|from) rank (?P<other_rank>\d{1,7})",
    r"Timed out waiting (?P<timeout_ms>\d{1,12})ms for (?P<op>recv|send) operation to complete",
    r"wait timeout after (?P<timeout_ms>\d{1,12})ms, keys: (?P<keys>[^\n]{1,200})",
    r"\[(?P<rank>\d{1,7})\] is setting up NCCL communicator and retrieving ncclUniqueId from "
    r"\[(?P<other_rank>\d{1,7})\]",
    r"(?:timeout|dump signal due to a collective timeout) from rank (?P<other_rank>\d{1,7})",
    r"(?:Connection closed by(?: remote)? peer|Read error|Connection reset by peer|remote=)[ :]?"
    r"\[?(?P<peer>[\w.:-]{1,120}?)[\]<]",
    r"\b(?P<nccl_error>nccl(?:UnhandledCuda|System|Internal|InvalidArgument|InvalidUsage|Remote)Error|ncclTimeout):",
    r"Last error:\s{1,8}(?P<last_error>[^\n]{1,400})",
    r"(?:\(errno: |\bcode: -)(?P<errno>\d{1,4})\b",
    r"failed to listen on any local network address\. port: (?P<port>\d{1,5})",
)
# One of these stands in every text that one of the regexes above or `_PRINT` fits.
_WORDS = (
    "Work", "[PG ", "[Rank ", " ran for ", "Timeout at NCCL work", "at work: ", "work sequence id", "ast enqueued ",
    "failed to pass", "monitoredBarrier", "Timed out waiting", "wait timeout after", "is setting up NCCL", "from rank ",
    "Connection closed by", "Read error", "Connection reset by peer", "remote=", "nccl", "Last error:", "errno: ",
    "code: -", "failed to listen on any local", "CollectiveFingerPrint(",
)  # fmt: skip
# TORCH_DISTRIBUTED_DEBUG=DETAIL; one message names two ranks, each with its collective.
_PRINT = r"CollectiveFingerPrint\((?P<print>[^()]{0,600})"
_PRINT_KEYS = (
    ("seq", r"SequenceNumber=(\d{1,12})"),
    ("op", r"OpType=(\w{1,40})"),
    ("shape", r"TensorShape=\[([\d, ]{0,200})\]"),
)
_MISMATCH = r"(?s)Rank (?P<rank>\d{1,7}) is running collective: .{0,1200}?, but Rank (?P<other_rank>\d{1,7}) is running"
_DIFFERS = r"differ in the following aspects:\s*(?P<differs>[^\n]{1,400})"


def collective_fields(message: str) -> dict[str, str]:
    """Return the fields of a `collective` event that a text holds; empty where it speaks of no collective.

    Args:
        message: A log line, or the message of an exception (DistBackendError, RuntimeError, DistStoreError).

    Returns:
        Any of group, group_name, rank, seq, op, numel_in, numel_out, shape, timeout_ms, ran_ms, enqueued, completed,
        missing (ranks, as printed), other_rank, other_op, other_seq, other_shape, differs, keys, peer, nccl_error,
        last_error, errno and port.

    """
    text = message[:_TEXT]
    if not any([word in text for word in _WORDS]):  # noqa: C419 - a list is faster here
        return {}  # none of the regexes need be compiled
    fields: dict[str, str] = {}
    work = compiled(_WORK).search(text)
    if work:
        fields.update(_keys(_WORK_KEYS, work["work"]))
    for regex in _TEXTS:
        found = compiled(regex).search(text)
        if found:
            told = {k: v.strip() for k, v in found.groupdict().items() if v is not None}
            fields = {**told, **fields}
    if "CollectiveFingerPrint(" in text:
        fields.update(_mismatch(text))
    if fields.keys() == {"rank"}:
        return {}
    if "op" in fields:
        fields["op"] = fields["op"].upper()
    return fields


def _keys(keys: tuple[tuple[str, str], ...], text: str) -> dict[str, str]:
    return {name: found[1].replace(" ", "") for name, regex in keys if (found := compiled(regex).search(text))}


def _mismatch(text: str) -> dict[str, str]:
    prints = [_keys(_PRINT_KEYS, found["print"]) for found in compiled(_PRINT).finditer(text)]
    ranks = compiled(_MISMATCH).search(text)
    differs = compiled(_DIFFERS).search(text)
    fields = dict(prints[0]) if prints else {}
    if ranks:
        fields.update(rank=ranks["rank"], other_rank=ranks["other_rank"])
    if len(prints) > 1:
        fields.update({f"other_{key}": value for key, value in prints[1].items()})
    if differs:
        fields["differs"] = " ".join(differs["differs"].split())
    return fields
