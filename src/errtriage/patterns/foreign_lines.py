"""Which lines can not belong to a Python message, because something else begins with them."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Line

_LEVEL = r"(?:DEBUG|INFO|NOTICE|WARNING|WARN|ERROR|CRITICAL|FATAL)"
_STARTS = lazy(
    r"\s{0,80}(?:"
    r"\[?\d{2,4}[-/]\d\d(?:[-/]\d{2,4})?[ T,]\[?\d\d:\d\d"  # dates with times
    r"|\[?\d\d:\d\d:\d\d"
    r"|\[?" + _LEVEL + r"\b[\]:\s|-]"
    r"|\[?[IWEF]\d{3,4} \d\d:|\[[IWEF] \S{1,200}:\d{1,6}\]"  # glog and c10
    r"|\[(?:default|rank)\s?\d"
    r"|(?:srun|slurmstepd|mpirun|mpiexec|nohup|bash|sh|ninja|wandb|make(?:\[\d+\])?): "
    r"|(?:Killed|Aborted|Terminated|Segmentation fault|Bus error)\b(?! at\b)|terminate called|  what\(\):"
    r"|[=*_#~-]{5,}|[╭╰│┌└]"
    r"|\$ \S|>>> |In \[\d{1,6}\]: ?|Out\[\d{1,6}\]: ?|PS [A-Za-z]:|[A-Za-z]:\\[^<>|\"?*]{0,200}>"
    r"|\([\w.+-]{1,60}\) \S{0,200}[$#>%]|[\w.-]{1,60}@[\w.-]{1,60}:\S{0,200}[$#] ?"
    r"|[Ee]xception in thread|Exception ignored |Fatal Python error|Task exception was never|--- Logging error"
    r"|ray::\w{1,100}[.(]"  # Ray's header of a remote traceback
    r"|Process \w{1,40}Process-\d|Process Process-\d|Traceback \(most"
    r"|(?:Epoch|epoch|Step|step|Iter|iter|Iteration|iteration|Batch|batch|Train|train|Val|val)\w{0,10}[\s:=#\[(]{1,6}\d"
    r"|\{'\w{0,30}loss'|(?:Elapsed|Finished|Saving|Saved|Loading|Loaded|Retrying|Resuming|Restarting|Starting) "
    r"|\S{1,60}:\d{1,9}:\d{1,9} \[\d{1,3}\] "  # NCCL
    r"|\{\"\w{1,30}\": ?|\+ \w|FAILED |\[end of output\]|\[W\d|\[E\d"
    r")"
)
_HOLDS = lazy(
    r"\d%\||\d(?:it|batch|step|ex(?:amples)?|img)/s[\],]|s/it[\],]|\d/\d{1,9} \[\d\d:\d\d|: block: \[|"
    r":(?:\d{1,9}|x{1,6}): \w{0,80}Warning: |\bloss[:=] ?-?(?:\d|nan|inf)|THCudaCheck FAIL"
)


def is_foreign(text: str) -> bool:
    """Return whether a line begins something of its own: a log record, a bar, a prompt, a launcher's word."""
    return _STARTS.match(text) is not None or _HOLDS.search(text) is not None


def is_later_record(first: Line, line: Line) -> bool:
    """Return whether a line was logged with a time while the block it would belong to was printed without one."""
    return line.time is not None and first.time is None
