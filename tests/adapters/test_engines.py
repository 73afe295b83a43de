"""`score_batch` mapped over partitions: the bytes of one process, also where a worker is ended."""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pairs import METRICS, pairs

from sera import evaluate, score
from sera.metrics.score_table import score_batch


@pytest.fixture(scope="module")
def table():
    return pairs(600)


@pytest.fixture(scope="module")
def expected(table):
    """The scores of one process, as bytes."""
    return as_bytes(score_batch(table, METRICS))


def as_bytes(found: pd.DataFrame) -> bytes:
    return found.sort_values("id")[["id", *METRICS]].to_csv(index=False).encode()


def test_frames_of_other_libraries(table, expected):
    rows = table.to_dict("list")
    polars = score_batch(pl.DataFrame(rows), METRICS)
    assert isinstance(polars, pl.DataFrame) and as_bytes(polars.to_pandas()) == expected
    arrow = score_batch(pa.table(rows), METRICS)
    assert isinstance(arrow, pa.Table) and as_bytes(arrow.to_pandas()) == expected
    batches = [score_batch(batch, METRICS) for batch in pa.table(rows).to_batches(max_chunksize=70)]
    assert as_bytes(pa.Table.from_batches(batches).to_pandas()) == expected
    # a lazy frame, batch by batch
    schema = {**pl.DataFrame(rows).schema, **dict.fromkeys(METRICS, pl.Float64)}
    lazy = pl.DataFrame(rows).lazy().map_batches(partial(score_batch, metrics=METRICS), schema=schema)
    assert as_bytes(lazy.collect().to_pandas()) == expected


@pytest.mark.parametrize("made", [pl.DataFrame, pa.table])
def test_summaries_and_judgements_may_be_frames_of_other_libraries(made):
    names = {"topic": ["t", "t", "t"], "system": ["a", "b", "c"]}
    summaries = made({**names, "sentences": [["the kinase binds"], ["fish swim"], ["the kinase"]]})
    gold = made({"topic": ["t"], "reference": ["the kinase binds p53"]})
    scores = score(summaries, gold, "ROUGE-1-R")
    assert scores["score"].tolist() == [0.75, 0, 0.5]
    found = evaluate(made(scores.to_dict("list")), made({**names, "quality": [3, 1, None]}), missing="drop")
    assert found["global_level"]["systems"].tolist() == [2]


def _slowly(part: pd.DataFrame, metrics: list[str], folder: str) -> pd.DataFrame:
    """As `score_batch`, and leaves the id of its process in the folder."""
    open(f"{folder}/{os.getpid()}", "w").close()
    time.sleep(0.3)
    return score_batch(part, metrics)


def test_dask_with_a_worker_that_is_ended_in_the_middle(table, expected, tmp_path):
    import dask
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster

    # cells are lists; Dask would make strings of them
    dask.config.set({"dataframe.convert-string": False})
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, Client(cluster) as client:
        workers = set(client.run(os.getpid).values())
        frame = dd.from_pandas(table, npartitions=24, sort=False)
        meta = {**table.dtypes.to_dict(), **dict.fromkeys(METRICS, "float64")}
        found = client.compute(frame.map_partitions(_slowly, METRICS, str(tmp_path), meta=meta))
        while len(list(tmp_path.iterdir())) < 2:
            time.sleep(0.05)
        killed = min(workers)
        os.kill(killed, signal.SIGKILL)
        assert as_bytes(found.result()) == expected
        scored = {int(path.name) for path in tmp_path.iterdir()}
        assert killed in scored and len(scored) == 3  # a new worker went on


def test_pyspark_in_local_mode(table, expected, monkeypatch):
    from pyspark.sql import SparkSession
    from pyspark.sql.types import ArrayType, DoubleType, LongType, StringType, StructField, StructType

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    try:
        given = StructType(
            [
                StructField("id", LongType()),
                StructField("candidate", StringType()),
                StructField("references", ArrayType(StringType())),
            ]
        )
        wanted = StructType([*given, *(StructField(name, DoubleType()) for name in METRICS)])
        frame = spark.createDataFrame(table.to_dict("records"), given).repartition(5)
        scored = frame.mapInPandas(lambda parts: (score_batch(part, METRICS) for part in parts), wanted)
        found = pd.DataFrame([row.asDict() for row in scored.collect()])
        assert as_bytes(found) == expected
    finally:
        spark.stop()


def test_ray_with_two_workers(table, expected, tmp_path):
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        dataset = ray.data.from_pandas(table).repartition(6)
        scored = dataset.map_batches(score_batch, batch_format="pandas", fn_kwargs={"metrics": METRICS})
        assert as_bytes(scored.to_pandas()) == expected

        # a function of this one is sent as it is: the workers cannot import this file
        def slowly(part: pd.DataFrame) -> pd.DataFrame:
            open(f"{tmp_path}/{os.getpid()}", "w").close()
            time.sleep(0.5)
            return score_batch(part, METRICS)

        scored = dataset.map_batches(slowly, batch_format="pandas", batch_size=50)
        assert as_bytes(scored.to_pandas()) == expected
        assert len(list(tmp_path.iterdir())) == 2  # each by its worker
    finally:
        ray.shutdown()
