"""A forecast in shards under Spark, without the service.

    spark-submit forecast_shards.py --folder /mnt/forecast sales.csv -- --horizon 12 --quantiles 0.1,0.9

The driver plans, each task runs `tabcast shard` for one shard, and the driver joins the parts. What follows `--` are
options of `tabcast plan`. The folder is on a disk that driver and executors mount at the same place, and all of them
have the program at the same path. No rows go through Spark, so the result is byte for byte that of one process.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from pyspark import SparkConf, SparkContext, TaskContext


def run(threads, *command):
    """Runs a command of tabcast; what it says is in the error if it fails."""
    environment = {**os.environ, "TABCAST_SLOT_THREADS": str(threads)}
    done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(done.args)}: {done.stderr.strip()}")
    return done.stdout.strip()


def forecast_shard(number, tabcast, folder, threads):
    """One task. Spark may run it twice, so each attempt writes into a folder of its own, and the first one counts."""
    part = folder / "parts" / str(number)
    if part.exists():
        return
    own = part.with_name(f"{number}.attempt-{TaskContext.get().taskAttemptId()}")
    run(threads, tabcast, "shard", "--plan", folder / "plan" / "plan.bin",
        "--shard", folder / "plan" / f"series-{number}.bin", "--out", own)
    try:
        own.rename(part)
    except OSError:
        shutil.rmtree(own)
        if not part.exists():
            raise


def main():
    parser = argparse.ArgumentParser(description="A forecast in shards under Spark.",
                                     epilog="Options of tabcast plan follow after --.")
    parser.add_argument("file", help="the table with the series")
    parser.add_argument("--folder", required=True, type=Path, help="for plan, parts and result, seen by all")
    parser.add_argument("--tabcast", default="tabcast", help="the program")
    parser.add_argument("--threads", default=1, type=int, help="of a shard; spark.task.cpus is the same number")
    words = sys.argv[1:] if "--" in sys.argv else [*sys.argv[1:], "--"]
    end = words.index("--")
    given, options = parser.parse_args(words[:end]), words[end + 1:]
    folder, tabcast, threads = given.folder.absolute(), given.tabcast, given.threads

    plan = folder / "plan"
    print(run(os.cpu_count(), tabcast, "plan", given.file, "--out", plan, *options))
    shards = len(list(plan.glob("series-*.bin")))
    # With work for one shard only, the plan has the result.
    if shards == 0:
        plan.rename(folder / "result")
        return
    (folder / "parts").mkdir(exist_ok=True)
    context = SparkContext(conf=SparkConf().setAppName("tabcast"))
    try:
        # A partition of its own for each shard.
        context.parallelize(range(shards), shards).foreach(
            lambda number: forecast_shard(number, tabcast, folder, threads)
        )
    finally:
        context.stop()
    print(run(os.cpu_count(), tabcast, "join", "--plan", plan / "plan.bin", "--parts", folder / "parts",
              "--out", folder / "result"))


if __name__ == "__main__":
    main()
