"""Checks that the files that comments name are there: docs/gpu-model.md, policies/tdm/plan.h or, without its folder, plan.h."""
import re

NAME = re.compile(r"(?<![\w/.*-])[\w/-]+(?:\.[\w-]+)*\.(?:[ch]|md|py|sh)\b(?![\w(*])")
PLACEHOLDER = re.compile(r"[A-Z]{2,}\.\w+$")  # policies/NAME.c
# What belongs to others: CUDA's toolkit, cuda_scheduling_examiner, SchedCAT, a user.
OF_OTHERS = {"cuda_occupancy.h", "task_host.c", "tests/locking.py", "mine.c"}
FOLDERS_WITHOUT = {"build", ".git"}


def endings_of(root):
    """Every path of the tree, and what it ends with behind each slash."""
    found = set()
    for top in root.iterdir():
        if top.name not in FOLDERS_WITHOUT:
            for path in [top, *top.rglob("*")] if top.is_dir() else [top]:
                parts = path.relative_to(root).parts
                found.update("/".join(parts[i:]) for i in range(len(parts)))
    return found


def check_named(root, sources):
    there = endings_of(root) | OF_OTHERS
    for source in sources.values():
        for offset, comment in source.comments:
            for match in NAME.finditer(comment):
                if match.group() not in there and not PLACEHOLDER.search(match.group()):
                    yield f"{source.path}:{source.line(offset + match.start())}: there is no {match.group()}"
