"""Signs that a run went on: bars, epochs, steps, checkpoints, skipped steps, the end of training."""

from __future__ import annotations

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, Pattern, event

if TYPE_CHECKING:
    import re

# Bars of work that is no training: reading, downloading, converting, judging.
_OTHER_WORK = lazy(
    r"(?i)download|fetch|load|scan|map|tokeniz|filter|valid|evaluat|\beval|test|generat|sav|cach|extract|process|upload|"
    r"pack|group|shard|saniti|predict|infer|sampl|encod|decod|pars|index|log prob"
)
_OTHER_UNIT = lazy(r"(?:examples?|B|iB|files?|samples?|tokens?|rows?)/s|/\?")
_STEP_IN_PATH = lazy(r"(?i)(?:checkpoint|step|iter(?:ation)?|updates?|model|ckpt)[-_=. ]{0,2}(?P<step>\d{1,12})")
_EPOCH_IN_PATH = lazy(
    r"(?i)epoch[-_=. #:]{0,3}(?P<epoch>\d{1,7})|at (?P<at>\d{1,7}) epochs|^\W{0,4}Checkpoint (?P<alone>\d{1,7}) saved"
)
_NOT_SAVED = lazy(
    r"(?i)fail|error|unable|cannot|can't|could not|not saved|exception|warning|no checkpoint|\b(?:resum|load|restor)"
)
_SAID = r"(?=[\s.!:;]{0,8}$|[.!:;,] |,| (?:to|at|in|as|after|by|on|with) )"  # the end of what a line says


def _bar(line: Line, found: re.Match[str]) -> Event | None:
    before = line.text[max(0, found.start() - 80) : found.start()]
    after = line.text[found.end() : found.end() + 120].split("|")[0]
    if _OTHER_WORK.search(before[-60:]) or _OTHER_UNIT.search(after):
        return None
    epoch = _EPOCH_IN_PATH.search(before)
    fields = {
        "what": "step",
        "step": found["step"],
        "total": found["total"],
        "epoch": epoch["epoch"] if epoch else None,
    }
    return event("progress", line, fields)


def _checkpoint(line: Line, found: re.Match[str]) -> Event | None:
    if _NOT_SAVED.search(line.text[:400]):
        return None
    step, epoch = _STEP_IN_PATH.search(line.text), _EPOCH_IN_PATH.search(line.text)
    path = found.groupdict().get("path")
    fields = {
        "what": "checkpoint",
        "step": step["step"] if step and not (epoch and epoch["alone"]) else None,
        "epoch": epoch[epoch.lastgroup or 0] if epoch else None,
        "path": path.rstrip("'\".,)") if path else None,
    }
    return event("progress", line, fields)


BAR = LinePattern(
    kind="progress",
    literals=("%|", "% "),
    regex=r"\d{1,3}%(?:\|[^|\n]{0,300}\|| ?(?:[━╸─ ]{1,80} )?(?=\d{1,12}/\d{1,12} \[\d{1,3}:\d\d))"
    r" {0,4}(?P<step>\d{1,12})/(?P<total>\d{1,12}) \[",
    make=_bar,
    several=True,
    sampled=True,
    by_shape=True,
    examples=(
        " 14%|█▍        | 385/2724 [14:09:34<86:01:23, 132.21s/it]",
        "Epoch 0:  17%|█▋        | 212/1250 [01:12<05:56,  2.91it/s, v_num=12]",
    ),
    ignore=(
        "Loading checkpoint shards:  17%|█▋        | 1/6 [00:07<00:38,  7.71s/it]",
        "Running tokenizer on dataset:  45%|████▍     | 17103000/38122711 [29:32<36:01, 9724.81 examples/s]",
        "model.safetensors:  61%|██████    | 3.02G/4.97G [04:11<02:40, 12.1MB/s]",
    ),
)
# XGBoost and CatBoost: the round, then metrics of each set.
BOOSTING = LinePattern(
    kind="progress",
    literals=("]\t", "] "),
    regex=r"^\[(?P<step>\d{1,7})\]\s{1,12}[\w-]{1,60}[-:][\w@.:-]{1,40}?:\d",
    make=lambda line, found: event("progress", line, {"what": "step", **found.groupdict()}),
    sampled=True,
    by_shape=True,
    examples=("[12]\tvalidation_0-logloss:0.4312", "[3]     train-auc:0.871\tvalid-auc:0.844"),
    ignore=("[12] see the list: 4", "[3]  reference: a book"),
)
# The table rows of YOLOv5 and its kin: epoch of epochs, the GPU's memory, losses.
YOLO_ROW = LinePattern(
    kind="progress",
    literals=("G  ",),
    regex=r"^\s{1,12}(?P<step>\d{1,6})/(?P<total>\d{1,6})\s{2,12}\d{1,4}(?:\.\d{1,4})?G\s{2,14}\d",
    make=lambda line, found: event(
        "progress", line, {"what": "epoch", "epoch": found["step"], "total": found["total"]}
    ),
    sampled=True,
    by_shape=True,
    examples=("      3/89      5.6G   0.0208  0.0091  0.0012   0.0311         6       640",),
    ignore=("  3/89 files copied, 5.6G  left", "      3/89      5.6G"),
)
EPOCH = LinePattern(
    kind="progress",
    literals=("poch",),
    regex=r"^\W{0,8}(?:(?:Start(?:ing|ed)?|Begin(?:ning)?|Train(?:ing)?|Running)\W{1,3})?[Ee]poch\W{0,4}"
    r"(?P<step>\d{1,7})(?:\s?(?:/|of)\s?(?P<total>\d{1,7}))?\b",
    make=lambda line, found: event(
        "progress", line, {"what": "epoch", "epoch": found["step"], "total": found["total"]}
    ),
    sampled=True,
    by_shape=True,
    examples=("Epoch 3/160", "epoch 3", "Starting epoch 5 of 10", "[Epoch 12]"),
    ignore=("epochs: 10", "the epoch is over", "num_epochs 3"),
)
STEP = LinePattern(
    kind="progress",
    literals=("step", "Step", "iter", "Iter"),
    regex=r"(?<![\w/-])(?:global[_ ]step|[Ss]tep|[Ii]ter(?:ation)?|train/step)\b['\"]?[ :=#\[]{1,6}(?P<step>\d{1,12})"
    r"(?:\s{0,3}(?:/|of)\s{0,6}(?P<total>\d{1,12}))?(?![\d.])",
    make=lambda line, found: event("progress", line, {"what": "step", **found.groupdict()}),
    sampled=True,
    by_shape=True,
    examples=(
        "step 120/1000",
        "Iteration 40",
        "step=10, skipped=5",
        "iter: 19 of 90000",
        "Step 1000/50000; acc: 11.8;",
    ),
    ignore=("save_steps: 500", "one step back", "steps 3", "Number of iterations 3"),
)
CHECKPOINT = LinePattern(
    kind="progress",
    literals=(
        "aving model",
        "aving checkpoint",
        "aving current state",
        "aved checkpoint",
        "heckpoint saved",
        "aved model",
        "odel saved",
        "aving best",
        "aving last",
        "[Torch] Checkpoint ",
        "heckpoint ",
        "saved to ",
        "Saved ",
    ),
    regex=r"(?:\b[Ss]av(?:ing|ed) (?:(?:the|best|last|current|new|final|a|latest) ){0,2}"
    r"(?:model|checkpoint|state|weights|ckpt)(?: checkpoint)?\b"
    r"(?:.{0,80}? (?:to|in|as) ['\"]?(?P<path>[^\s'\"]{1,400}))?|"
    rf"\b[Cc]heckpoint (?:\S{{1,200}} )?(?:is )?saved{_SAID}|\[Torch\] Checkpoint \S{{1,100}} is ready|"
    rf"\b[Mm]odel (?:checkpoint )?saved{_SAID}|\bsaved to \S{{1,300}}\.(?:pth?|ckpt|bin|safetensors|tar|h5)\b|"
    r"\bSaved \S{1,300}\.(?:pth?|ckpt|safetensors|h5)\b)",
    make=_checkpoint,
    latest=True,
    examples=(
        "Saving model checkpoint to ./out/checkpoint-500",
        "saving checkpoint to out-lm",
        "Saving current state to out/checkpoint-500",
        "Checkpoint 1 saved !",
        "[Torch] Checkpoint global_step100 is ready now!",
        "successfully saved checkpoint at iteration 1000 to /ckpt",
        "Saved checkpoint checkpoints/checkpoint_1_100.pt (epoch 1 @ 100 updates, score 3.2)",
        "Saving checkpoint at 12 epochs",
        "Epoch 0, global step 100: 'val_loss' reached 0.5, saving model to '/r/epoch=0-step=100.ckpt' as top 1",
        "best mIoU 0.8172 at epoch 12, saved to runs/seg/best.pth",
        "Model saved",
        "saved model to best.pt",
        "Saving best model",
        "Saving last model checkpoint to /w/exp-017",
        "[Rank 0] Saved runs/step_100/model_states.pt.",
        "2023 checkpoint saved",
    ),
    ignore=(
        "failed: saving checkpoint to out",
        "the model saved us",
        "Loading checkpoint shards",
        "resume from the checkpoint saved",
        "Checkpoint 100 is about to be saved!",
    ),
)
FINISHED = LinePattern(
    kind="progress",
    literals=(
        "raining finished",
        "inished training",
        "inished Training",
        "raining complete",
        "raining done",
        "train_runtime",
        "done training",
        "epochs completed in",
        "` stopped: `max_",
        "raining is done",
        "raining has finished",
        "finished with exit code 0",
        "reinamento conclu",
        "ntrenamiento ",
        "ntraînement termin",
        "训练完成",
        "训练结束",
    ),
    regex=r"^.{0,80}?(?:[Tt]reinamento concluído|[Ee]ntrenamiento (?:completado|finalizado|terminado)|"
    r"[Ee]ntraînement terminé|(?<![未没有])训练(?:完成|结束)(?!后|时|前|度)|"
    r"\b[Tt]raining (?:has |is |was )?(?:finished|completed?|done)(?: successfully)?"
    rf"{_SAID}|"
    r"[Ff]inished [Tt]raining\b|'train_runtime': \d|^\W{0,4}train_runtime\s{2,}=|\bdone training\b|"
    r"\d epochs completed in |"
    r"`Trainer\.fit` stopped: `max_\w{1,20}=|Process finished with exit code 0$)",
    make=lambda line, found: event("progress", line, {"what": "finished"}) if "not" not in found[0].split() else None,
    examples=(
        "Finished Training",
        "Training finished.",
        "finished training after 3 epochs",
        "Training completed. Do not forget to share your model on huggingface.co/models =)",
        "Training done",
        "training completed successfully",
        "{'train_runtime': 471.2214, 'train_samples_per_second': 25.1, 'epoch': 3.0}",
        "done training in 471.2 seconds",
        "8 epochs completed in 0.041 hours.",
        "`Trainer.fit` stopped: `max_epochs=5` reached.",
        "Training is done",
        "Training has finished",
        "Process finished with exit code 0",
        "Treinamento concluído com sucesso",
        "训练完成！",
    ),
    ignore=(
        "Training not finished",
        "训练完成后保存模型",
        "after training finished workers are closed",
        "Process finished with exit code 1",
        "train_runtime is measured",
    ),
)
# pytest's last line where no test failed.
TESTS_PASSED = LinePattern(
    kind="progress",
    literals=(" passed",),
    regex=r"(?:^|=+ )\d{1,7} passed"
    r"(?:, \d{1,7} (?:skipped|deselected|xfailed|xpassed|warnings?|rerun)){0,6} in [\d.:]{1,12}",
    make=lambda line, found: event("progress", line, {"what": "finished"}) if found else None,
    examples=("===== 31 passed, 4 skipped, 2 warnings in 6.78s =====", "12 passed in 0.31s"),
    ignore=("== 1 failed, 31 passed in 6.78s ==", "31 passed, 1 error in 6.78s", "the tests passed in time"),
)
SKIPPED = LinePattern(
    kind="progress",
    literals=("Skipping step", "overflow detected, setting loss scale"),
    regex=r"(?:OVERFLOW!|[Gg]radient overflow\.).{0,40}?Skipping step|overflow detected, setting loss scale",
    make=lambda line, found: event("progress", line, {"what": "skipped_step"}) if found else None,
    examples=(
        "OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768",
        "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0",
        "NOTE: overflow detected, setting loss scale to: 64.0",
    ),
    ignore=("Skipping step 3 of the recipe", "overflow detected"),
)
STARTED = LinePattern(
    kind="progress",
    literals=("Running training", "tarting training", "tart training", "Begin training"),
    regex=r"\*\*\*\*\* Running training|\b(?:[Ss]tart(?:ing)?|Begin) training\b(?: for (?P<total>\d{1,7}) epochs)?",
    make=lambda line, found: event("progress", line, {"what": "started", **found.groupdict()}),
    examples=(
        "***** Running training *****",
        "Starting training for 30 epochs...",
        "Start training",
        "Begin training! (batch_size 1)",
    ),
    ignore=("before we start the training", "Running training set statistics", "restart training data"),
)
# An inference server: uvicorn is up, vLLM's regular line of what it generates.
SERVING = LinePattern(
    kind="progress",
    literals=("Application startup complete", "generation throughput: "),
    regex=r"Application startup complete\.$|Avg generation throughput: (?!0\.0 )[\d.]{1,12} tokens/s",
    make=lambda line, found: event("progress", line, {"what": "step"}) if found else None,
    sampled=True,
    examples=("INFO:     Application startup complete.", "Avg generation throughput: 92.7 tokens/s, Running: 1 reqs"),
    ignore=("Application startup failed. Exiting.", "Avg generation throughput: 0.0 tokens/s, Running: 0 reqs"),
)

PATTERNS: tuple[Pattern, ...] = (
    SERVING,
    CHECKPOINT,
    FINISHED,
    TESTS_PASSED,
    SKIPPED,
    STARTED,
    BAR,
    YOLO_ROW,
    BOOSTING,
    EPOCH,
    STEP,
)
