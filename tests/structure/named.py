"""Checks that the files that comments name are there: docs/gpu-model.md, policies/tdm/plan.h or, without its folder, plan.h."""
import re
import shutil
import subprocess
from pathlib import Path

NAME = re.compile(r"(?<![\w/.*-])[\w/-]+(?:\.[\w-]+)*\.(?:[ch]|md|py|sh)\b(?![\w(*])")
PLACEHOLDER = re.compile(r"[A-Z]{2,}\.\w+$")  # policies/NAME.c
# What belongs to others: CUDA's toolkit, cuda_scheduling_examiner, SchedCAT, a user.
OF_OTHERS = {"cuda_occupancy.h", "task_host.c", "tests/locking.py", "mine.c"}


def paths_of(root):
    """What git has, and has not been told to ignore; all of a tree that git does not know."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(git, cwd=root, capture_output=True, text=True).stdout if shutil.which("git") else ""
    if listed:
        return [Path(name) for name in listed.split("\0") if (root / name).is_file()]
    return [path.relative_to(root) for path in root.rglob("*") if path.relative_to(root).parts[0] != "build"]


def endings_of(root):
    """Every path of the tree, and what it ends with behind each slash."""
    found = set()
    for path in paths_of(root):
        found.update("/".join(path.parts[i:]) for i in range(len(path.parts)))
    return found


def check_named(root, sources):
    there = endings_of(root) | OF_OTHERS
    for source in sources.values():
        for offset, comment in source.comments:
            for match in NAME.finditer(comment):
                if match.group() not in there and not PLACEHOLDER.search(match.group()):
                    yield f"{source.path}:{source.line(offset + match.start())}: there is no {match.group()}"
