"""Training of a guided summarizer, which stops early, and which goes on where it was killed.

All that is drawn by chance in an update (the order of the examples, dropout) depends on the seed and on the
number of the pass or the update alone. So training that goes on from a checkpoint has the same losses as
training that was not interrupted, on the same machine with the same number of processes.
"""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

# matplotlib is imported here, not where it draws: if it is missing, training ends before it begins
import matplotlib
import torch
from accelerate import Accelerator, DistributedDataParallelKwargs
from accelerate.state import AcceleratorState
from matplotlib.figure import Figure

from sera import __version__
from sera.errors import InputError
from sera.io.files import writing
from sera.io.folders import writing_folder
from sera.io.records import Candidate, Source
from sera.metrics import metric
from sera.progress import Progress
from sera_guided.examples import Example, Topics, fingerprint
from sera_guided.settings import GuidedSettings
from sera_guided.systems import System, begin
from sera_guided.weights import SYSTEM_FORMAT, write_manifest

CHECKPOINT, BEST_WEIGHTS = "checkpoint.pt", "best.pt"
LOG, CURVE = "training.tsv", "training.svg"
WEIGHT_DECAY = 0.01
LARGEST_NORM = 1.0  # to which gradients are clipped


class Row(NamedTuple):
    """An update: its number, its pass, its loss, the score if it ends a pass, seconds since the start."""

    update: int
    number: int
    loss: float
    score: float | None
    seconds: float


class Trained(NamedTuple):
    """A trained system, and its log."""

    system: System
    rows: list[Row]
    best: int  # the pass of the best score, from 1


def train(
    name: str,
    settings: GuidedSettings,
    training: Topics,
    development: Topics,
    out: Path,
    *,
    work: Path,
    say: Any = print,
) -> Trained:
    """Train a system and write it to the folder ``out``, with ``training.tsv`` and ``training.svg``.

    work:  the folder of checkpoints; one of the same settings and data is gone on from, and it
           is removed at the end
    say:   prints a line

    The best pass is that of the best mean score of the development data; where lower scores are better, of
    the lowest. InputError before the first update for an unknown system or model, for a metric that has no
    score on any gold summary of the development data, and for a precision that the machine lacks; later, for
    a loss that is not a number.
    """
    run = _Run(name, settings, training, development, work, say)
    with Progress("updates", total=run.updates_in_all) as progress:
        run.all_passes(progress)
    trained = run.finish()
    if run.first_process:
        with writing_folder(out, replaces=SYSTEM_FORMAT) as folder:
            trained.system.save(folder)
            write_log(folder, trained.rows, name, settings.select)
            write_manifest(folder)
        for file in (CHECKPOINT, BEST_WEIGHTS):
            (work / file).unlink(missing_ok=True)
        if not any(work.iterdir()):
            work.rmdir()
    return trained


def learning_rate(update: int, updates: int, settings: GuidedSettings) -> float:
    """The learning rate of an update, from 1: it rises linearly in the warm-up, and then falls towards 0."""
    rising = math.ceil(settings.warmup * updates)
    share = update / rising if update <= rising else (updates - update + 1) / (updates - rising)
    return settings.learning_rate * share


class _Run:
    """One training, with all that a checkpoint keeps."""

    def __init__(
        self, name: str, settings: GuidedSettings, training: Topics, development: Topics, work: Path, say: Any
    ) -> None:
        self.settings, self.work, self.say = settings, work, say
        self.examples, self.development = training.examples(), development
        self.selector = metric(settings.select)
        self._try_selector()
        torch.use_deterministic_algorithms(not torch.cuda.is_available())
        self.accelerator = _accelerator(settings.precision)
        self.first_process = self.accelerator.is_main_process
        self.system = begin(name, settings, self.examples)
        optimizer = torch.optim.AdamW(
            self.system.model.parameters(), lr=settings.learning_rate, weight_decay=WEIGHT_DECAY
        )
        self.model, self.optimizer = self.accelerator.prepare(self.system.model, optimizer)
        self.together = settings.batch * settings.accumulation * self.accelerator.num_processes
        self.updates_in_pass = math.ceil(len(self.examples) / self.together)
        self.updates_in_all = self.updates_in_pass * settings.epochs
        self.update = self.best = 0
        self.best_score = -math.inf
        self.rows: list[Row] = []
        self.before = 0.0  # seconds of the runs before this one
        self.began = time.monotonic()
        self.mark = fingerprint(
            *(name, asdict(settings), self.examples, development.examples()),
            *(__version__, torch.__version__, self.accelerator.num_processes),
        )
        self._go_on()

    def all_passes(self, progress: Progress) -> None:
        """Train until the score has not risen for `patience` passes, or all passes are done."""
        progress.advance(self.update)
        while not self._over():
            at = self.update // self.updates_in_pass
            batches = self._batches(at)
            for number in range(self.update % self.updates_in_pass, self.updates_in_pass):
                loss = self._one_update(batches[number])
                self.rows.append(Row(self.update, at + 1, loss, None, self._seconds()))
                progress.advance(1)
                if self.update % self.settings.checkpoint == 0 and number + 1 < self.updates_in_pass:
                    self._keep()
            self._judge(at + 1)
            self._keep()

    def finish(self) -> Trained:
        """The system with the weights of the best pass."""
        self.accelerator.wait_for_everyone()
        self.system.model.load_state_dict(self._load(BEST_WEIGHTS)["model"])
        return Trained(self.system, self.rows, self.best)

    def _over(self) -> bool:
        passes = self.update // self.updates_in_pass
        stale = passes - self.best >= self.settings.patience and self.best > 0
        return self.update % self.updates_in_pass == 0 and (passes >= self.settings.epochs or stale)

    def _batches(self, number: int) -> list[list[list[Example]]]:
        """The examples of a pass in their order, as the batches of each update of this process."""
        order = list(range(len(self.examples)))
        random.Random(f"{self.settings.seed} {number}").shuffle(order)
        size = self.settings.batch
        own, others = self.accelerator.process_index, self.accelerator.num_processes
        found = []
        for start in range(0, len(order), self.together):
            chosen = [self.examples[at] for at in order[start : start + self.together]]
            batches = [chosen[at : at + size] for at in range(0, len(chosen), size)]
            # every process needs as many batches as the others, which wait for it
            batches += [batches[at % len(batches)] for at in range(-len(batches) % others)]
            found.append(batches[own::others])
        return found

    def _one_update(self, batches: Sequence[Sequence[Example]]) -> float:
        self.system.model.train()
        self.update += 1
        drawn_by = f"{self.settings.seed} {self.update} {self.accelerator.process_index}"
        torch.manual_seed(random.Random(drawn_by).getrandbits(63))
        rate = learning_rate(self.update, self.updates_in_all, self.settings)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        losses = []
        for number, batch in enumerate(batches, 1):
            last = number == len(batches)
            waiting = contextlib.nullcontext() if last else self.accelerator.no_sync(self.model)
            with waiting, self.accelerator.autocast():
                loss = self.system.loss(self.model, batch)
                losses.append(float(loss.detach()))
                self.accelerator.backward(loss / len(batches))
        if not all(map(math.isfinite, losses)):
            raise InputError(
                f"update {self.update}: the loss is not a number",
                remedy="Lower learning_rate, or set precision to no.",
            )
        self.accelerator.clip_grad_norm_(self.model.parameters(), LARGEST_NORM)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return fmean(losses)

    def _judge(self, number: int) -> None:
        """Score the development data, and keep the weights if they are the best."""
        score = _mean(self._scores()) if self.first_process else 0.0
        if self.accelerator.num_processes > 1:
            shared = torch.tensor([score], device=self.accelerator.device)
            score = float(self.accelerator.reduce(shared, "sum")[0])
        last = self.rows[-1]
        self.rows[-1] = last._replace(score=score, seconds=self._seconds())
        worth = -score if self.selector.falling else score
        if worth > self.best_score or not self.best:  # a first pass without a score is the best so far
            self.best, self.best_score = number, -math.inf if math.isnan(worth) else worth
            if self.first_process:
                self._save(self.work / BEST_WEIGHTS, {"model": self.system.model.state_dict()})
        self.say(f"pass {number}: loss {last.loss:.4f}, {self.settings.select} {score:.4f}")

    def _scores(self) -> Iterator[float]:
        """The score of the summary of each article of the development data; NaN where it has none."""
        articles = self.development.articles()
        sources = {source.topic: source for source in self.development.sources}
        size = self.settings.batch
        for start in range(0, len(articles), size):
            batch = articles[start : start + size]
            for one, written in zip(batch, self.system.summaries(batch), strict=True):
                yield self._score(tuple(written), sources[one.topic])

    def _score(self, sentences: tuple[str, ...], source: Source) -> float:
        candidate = Candidate(source.topic, "guided", sentences)
        return self.selector.score(candidate, list(self.development.references[source.topic]), source)

    def _try_selector(self) -> None:
        """Score gold summaries, so that a metric without scores is refused before hours of training."""
        references, sources = self.development.references, self.development.sources
        if math.isnan(_mean(self._score(references[one.topic][0].sentences, one) for one in sources)):
            reason = f": {self.selector.undefined}" if self.selector.undefined else ""
            raise InputError(
                f"select is {self.settings.select}, which has no score on the development data{reason}",
                remedy="Choose another metric, such as ROUGE-1-F.",
            )

    def _seconds(self) -> float:
        return round(self.before + time.monotonic() - self.began, 1)

    def _keep(self) -> None:
        """Write a checkpoint: whole or not at all."""
        if not self.first_process:
            return
        scaler = self.accelerator.scaler
        self._save(
            self.work / CHECKPOINT,
            {
                "mark": self.mark,
                "model": self.system.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "scaler": scaler.state_dict() if scaler else {},
                "update": self.update,
                "best": [self.best, self.best_score],
                "rows": [list(row) for row in self.rows],
                "seconds": self._seconds(),
            },
        )

    def _go_on(self) -> None:
        """Go on from the checkpoint, if there is one of the same training."""
        if not (self.work / CHECKPOINT).exists():
            return
        held = self._load(CHECKPOINT)
        if held["mark"] != self.mark:
            self.say("The checkpoint is of other settings or data. Training begins from the start.")
            return
        self.system.model.load_state_dict(held["model"])
        self.optimizer.load_state_dict(held["optimizer"])
        if held["scaler"] and self.accelerator.scaler:
            self.accelerator.scaler.load_state_dict(held["scaler"])
        self.update, self.before = held["update"], held["seconds"]
        self.best, self.best_score = held["best"]
        self.rows = [Row(*row) for row in held["rows"]]
        self.say(f"Training goes on after update {self.update} of {self.updates_in_all}.")

    def _save(self, path: Path, held: dict[str, Any]) -> None:
        with writing(path, binary=True) as stream:
            torch.save(held, stream)

    def _load(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = torch.load(self.work / name, map_location="cpu", weights_only=True)
        return found


def _accelerator(precision: str) -> Accelerator:
    """InputError for fp16 on a processor, where accelerate would pass it over."""
    unused = DistributedDataParallelKwargs(find_unused_parameters=True)
    AcceleratorState._reset_state()  # it is one of the process, and keeps the precision of a training before
    found = Accelerator(mixed_precision=precision, kwargs_handlers=[unused])
    if precision == "fp16" and found.device.type == "cpu":
        raise InputError("precision is fp16, which needs a GPU", remedy="Set precision to bf16 or no.")
    return found


def _mean(scores: Iterable[float]) -> float:
    """The mean of the scores that are not NaN, as ROUGE-K of topics with keywords; NaN without any."""
    found = [score for score in scores if not math.isnan(score)]
    return fmean(found) if found else math.nan


def write_log(folder: Path, rows: list[Row], system: str, selector: str) -> None:
    """Write ``training.tsv`` and ``training.svg`` into a folder."""
    with writing(folder / LOG) as file:
        file.write(f"update\tpass\tloss\t{selector}\tseconds\n")
        for row in rows:
            score = "" if row.score is None else f"{row.score:.5f}"
            file.write(f"{row.update}\t{row.number}\t{row.loss:.6f}\t{score}\t{row.seconds}\n")
    _draw(folder / CURVE, rows, system, selector)


def _draw(path: Path, rows: list[Row], system: str, selector: str) -> None:
    with matplotlib.rc_context({"svg.hashsalt": "sera"}):
        figure = Figure(figsize=(6, 3), layout="constrained")
        axes = figure.subplots()
        axes.plot([row.update for row in rows], [row.loss for row in rows], color="#1b6ca8")
        axes.set(xlabel="update", ylabel="loss", title=f"Training of {system}")
        judged = [(row.update, row.score) for row in rows if row.score is not None]
        other = axes.twinx()
        other.plot([at for at, _ in judged], [score for _, score in judged], "o--", color="#b3541e")
        other.set_ylabel(f"{selector} on the development data")
        figure.savefig(path, format="svg", metadata={"Date": None})
