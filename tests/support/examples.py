#!/usr/bin/env python3
"""Runs the examples of --help, which are those of the manual pages, and expects that they do what they are there for: end with 0.

usage: examples.py FOLDER SOURCES PROGRAM...     the first PROGRAM is gpurt
"""
import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

# What takes long, less of it. What is changed has to be there, so that this list does not outlive it.
QUICKER = {
    "--patterns 100000": "--patterns 100",
    "--count 1000": "--count 10",
    "gpurt train wamp2s.json": "gpurt train wamp2s.json --samples 60 --test 20 --rules 8 --epochs 2",
    "--measured samples.csv": "--measured samples.csv --rules 8 --epochs 2",
    "-o h200.jsonl --only=": "-o h200.jsonl --replace --backend=sim --pretend=h200 --samples=3 --only=",
    "-o try.jsonl": "-o try.jsonl --only=clock --samples=3",
    "kim-2017-figure-9": "kim-2017-figure-9 --samples 1",
    "gpu-tdm --samples 500": "golyanik-2017-figure-2 --samples 1",
}
# Not run, and why.
SKIPPED = {
    "gpurt papers --all": "takes four to eight minutes",
    "gpurt check *.json": "not all JSON is of gpurt here",
    "mpirun": "has a test of its own",
    "./mine.so": "plug-ins have tests of their own",
    "ncu --csv": "is NVIDIA's",
    "nsys export": "is NVIDIA's",
    "run worst.json": "the set meets its deadlines",
    "run small.json": "no violation is found",
    "measure -o h200.jsonl\n": "needs a device",
    "measure -o raw.jsonl": "needs a device",
    "--kernel=mine.cu": "needs a device",
    "-o two-tasks.trace\n": "needs a device",
    "--real fma=4096": "needs a device",
    "gpurt-calib list\n": "needs a device",
}
NEEDS_GNUPLOT = ("gpurt plot", "--pictures figures")
# Exit codes that are an answer, by a part of the line.
ANSWERS = {"--fail-on-miss": 3, "--fail-if-unproven": 3, "--fail-on-refusal": 1}


def examples(text):
    """The commands behind "Examples:", with lines that go on joined, and without what is said of them."""
    block = re.search(r"^Examples?:\n(.*?)(?:\n\n|\Z)", text, re.M | re.S).group(1)
    lines = []
    for line in block.split("\n"):
        goes_on = lines and re.search(r"[\\|]$", lines[-1])
        if goes_on:
            lines[-1] = re.sub(r" ?\\$", "", lines[-1]) + " " + line.strip()
        elif not line.startswith(" " * 8):
            lines.append(re.split(r" {3,}", line.strip())[0])
    return lines


def help_of(program, command=None):
    return subprocess.run([program, *([command] if command else []), "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(program):
    block = re.search(r"^Commands:\n(.*?)\n\n", help_of(program), re.M | re.S)
    return [None] + [name for name in re.findall(r"^  ([a-z]+) ", block.group(1), re.M) if name != "help"] if block else [None]


def write_files(folder, sources):
    """What examples read and people have."""
    library = sources / "scenarios"
    scenario = json.loads((library / "quickstart.json").read_text()) | {"horizon": "100ms"}
    scenario.pop("expect", None)
    scenario["platform"]["cpus"] = len(scenario["tasks"])
    for core, task in enumerate(scenario["tasks"]):
        task["cpu"] = core
    for name in ("scenario.json", "two-tasks.json", "mine.json", "scenarios/one.json"):
        (folder / name).write_text(json.dumps(scenario))
    experiment = json.loads((library / "experiments/first.json").read_text()) | {"samples": 20, "name": "experiment"}
    experiment["evaluations"][0]["name"], experiment["evaluations"][1]["name"] = "mpcp", "server"
    experiment["axes"].append({"name": "cores", "path": "generator.tasks", "values": [4, 5]})
    experiment["plot"]["panel"] = "cores"
    (folder / "experiment.json").write_text(json.dumps(experiment))
    shutil.copy(library / "papers/wamp2s/rodinia-1.0-wamp2s.json", folder / "wamp2s.json")
    for number, path in enumerate(sorted((sources / "tests/examiner/two-tasks").glob("*.json")), 1):
        result = json.dumps(json.loads(path.read_text()) | {"scenario_name": "Two streams"})
        for name in (f"results/{number}.json", f"task_{number}.json"):
            (folder / name).write_text(result)
    chance = random.Random(1)
    times = [50048 + 32 * int(chance.expovariate(1 / 60)) for _ in range(3000)]
    (folder / "times.txt").write_text("".join(f"{time}\n" for time in times))
    (folder / "runs.csv").write_text("run,us\n" + "".join(f"{i},{time / 1000}\n" for i, time in enumerate(times)))
    shutil.copy(sources / "tests/import/raw.csv", folder / "counters.csv")
    for name in ("timeline.sqlite", "run.sqlite"):
        with contextlib.closing(sqlite3.connect(folder / name)) as base:
            base.executescript((sources / "tests/import/two-streams.sql").read_text())


# What examples read and programs make.
MAKES = """
gpurt run scenario.json --trace run.trace --quiet
cp run.trace simulated.trace
cp run.trace measured.trace
gpurt sweep experiment.json --csv results.csv --quiet
for i in 1 2 3 4 5 6 7 8; do gpurt sweep experiment.json --shard $i/8 --quiet; done
gpurt train wamp2s.json --samples 60 --test 20 --rules 8 --epochs 2 --samples-out samples.csv -o old.json --quiet
gpurt-calib measure -o h200.jsonl --backend=sim --pretend=h200 --quick --only=clock,coresidency,worst --samples=3 --worst-samples=1000 \
    --workloads=matmul --quiet
gpurt-calib fit h200.jsonl --device-file=h200.json --kernel-file=h200-kernels.json >fitted.txt
cp h200.jsonl raw.jsonl
gpurt-calib trace mine.json -o run1.trace --backend=sim --quiet
cp run1.trace run2.trace
cp run1.trace two-tasks.trace
"""


def prepare(folder, sources, environment):
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("scenarios", "results"):
        (folder / name).mkdir(parents=True)
    write_files(folder, sources)
    subprocess.run(["bash", "-e", "-c", MAKES], cwd=folder, env=environment, check=True)


def line_to_run(line, quicker):
    for slow, quick in QUICKER.items():
        if slow in line:
            quicker.add(slow)
            line = line.replace(slow, quick)
    return line


def run_examples(program, command, folder, environment, found):
    """Prints each that fails; adds to what was found."""
    for line in examples(help_of(program, command)):
        why = [part for part in SKIPPED if part in line + "\n"]
        found["skipped"].update(why)
        to_run = line_to_run(line, found["quicker"])
        if why or (not shutil.which("gnuplot") and any(part in line for part in NEEDS_GNUPLOT)):
            continue
        run = subprocess.run(["bash", "-o", "pipefail", "-c", to_run], cwd=folder, env=environment, capture_output=True,
                             text=True)
        allowed = {0} | {code for part, code in ANSWERS.items() if part in line}
        found["count"] += 1
        if run.returncode not in allowed:
            found["failed"] += 1
            print(f"{line}\n    exit code {run.returncode}: {run.stderr[:300]}")


def main():
    folder, sources, programs = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute(), sys.argv[3:]
    path = os.pathsep.join([os.path.dirname(os.path.abspath(programs[0])), os.environ["PATH"]])
    environment = dict(os.environ, PATH=path)
    prepare(folder / "files", sources, environment)
    found = {"count": 0, "failed": 0, "skipped": set(), "quicker": set()}
    for program in programs:
        for command in commands_of(program):
            shutil.rmtree(folder / "work", ignore_errors=True)
            shutil.copytree(folder / "files", folder / "work")
            run_examples(program, command, folder / "work", environment, found)
    for part in sorted((set(SKIPPED) - found["skipped"]) | (set(QUICKER) - found["quicker"])):
        print(f"no example has {part!r} any more")
        found["failed"] += 1
    print(f"{found['count']} examples run, {found['failed']} failures")
    return found["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
