#!/usr/bin/env python3
"""Checks the structure of the sources: who includes whom, headers that compile alone, include guards, sizes; and that every
rule of the GPU model has a test (rules.py), that files that comments name are there (named.py), and that no call leaves it
to the compiler which of two random numbers is drawn first (draws.py).

usage: check.py [ROOT]       check the tree (default: the one that this script is part of)
       check.py --self-test  prove on made-up trees that every check can fail
"""
import os
import re
import shutil
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import self_test
from draws import check_draws
from named import check_named
from rules import check_rules
from source import Source

# Each folder and what it may include; None: anything. tests/ is free to look inside everything.
MAY_INCLUDE = {
    "sim": {"sim"},
    "models": {"sim", "models"},
    "policies": {"sim", "models", "policies"},
    "scenarios": {"sim", "models", "policies", "scenarios"},
    "viz": {"sim", "viz"},
    "verify": {"sim", "models", "policies", "scenarios", "verify"},
    "study": {"sim", "models", "policies", "scenarios", "verify", "study"},
    "calib": {"sim", "models", "calib"},
    "cli": {"sim", "models", "policies", "scenarios", "viz", "verify", "study", "cli"},
    "lib": {"sim", "models", "policies", "scenarios", "verify", "study", "lib"},
    "examples": None,  # check_examples
    "tests": None,
}
# The folders of a layer, which others of them each may include, and whether (".") what lies in the layer itself; the tables
# are in docs/architecture.md.
INNER_MAY_INCLUDE = {
    "viz": {
        "timeline": set(),
        "answers": {"timeline"},
        "picture": set(),
        "scene": {"timeline", "picture", "answers"},
        "gantt": set(),
        "export": {"timeline"},
        "view": {"timeline", "picture", "answers", "scene"},
    },
    "cli": {
        "terminal": set(),
        "policy": {".", "terminal"},
        "analysis": {".", "terminal", "policy"},
        "run": {".", "terminal", "policy"},
        "compare": {".", "terminal", "policy", "run"},
        "verify": {".", "terminal", "policy", "analysis"},
        "generate": {".", "terminal", "policy"},
        "sweep": {".", "terminal"},
        "papers": {".", "terminal", "sweep"},
        "train": {".", "terminal"},
        "trace": {".", "terminal"},
    },
}
WINDOW = re.compile(r"viz/view/window(_\w+)?\.[ch]|tests/\w+/test_window\w*\.c")
WINDOW_PROGRAM = re.compile(r"viz/view/\w+\.[ch]")  # it simulates what it shows
CALIBRATION_PROGRAM = re.compile(r"calib/program/.*\.[ch]")  # it simulates what it measured, and draws it
PLUGIN = re.compile(r"examples/(?!embed/)")  # what is not embed/ is one
# An analysis must not reach these, not even through other headers: its bound is evidence against the simulator.
SIMULATOR = {"models/world.h", "models/gpu.h", "models/world/cpu.h", "models/policy.h"}
# What of sim/ an analysis may include all the same: these describe structs and integers, and compute no times.
PLAIN = {"sim/divisor.h", "sim/field.h", "sim/wide.h"}
# The analyses themselves (not who runs them on a scenario), and the auditor, which shares nothing with policies and does not run the simulator.
ANALYSIS = re.compile(r"policies/(analyses/(?!run\.|settings\.)\w+|tdm/(assignment|cubic|demand|exact|search))\.[ch]")
AUDITOR = re.compile(r"verify/audit(/\w+)?\.[ch]")
AUDITOR_MAY_INCLUDE = re.compile(r"sim/|verify/audit|models/(task|device|occupancy|step|promise|demand/demand|task/kernel_walk)\.h")
REGISTRY = "policies/registry.c"
# Calls of structs that have operations of the same names as policies and analyses: the event loop, rules of analyses, workers, the viewer's commands.
ALIKE = {("loop", "decide"), ("rules", "prepare"), ("work", "start"), ("work", "run"), ("command", "run")}
FILE_LIMIT, FILE_NOTE, FUNCTION_LIMIT = 1000, 400, 100
# Keep in step with CMakeLists.txt.
FLAGS = ("-std=c17 -fsyntax-only -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Wshadow -Wconversion "
         "-Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror").split()
TEST_FLAGS = ['-DGRT_SCRATCH_DIR="."']  # tests have a folder of their own to write to
PACKAGES = ("gsl", "libcjson", "cunit", "sdl2", "SDL2_ttf", "cairo")
POLICY = re.compile(r"\bstruct\s+grt_policy\w*\s+(grt_policy_\w+)\s*(=|;)")


def check_includes(sources):
    """Every include points to the same layer or a lower one and is written from the root."""
    for source in sources.values():
        allowed = MAY_INCLUDE[source.folder]
        if allowed is None:
            continue
        if WINDOW_PROGRAM.fullmatch(source.path):
            allowed = allowed | {"scenarios", "cli"}
        if CALIBRATION_PROGRAM.fullmatch(source.path):
            allowed = allowed | {"policies", "scenarios", "viz", "study", "cli"}
        for line, quote, name in source.includes:
            folder = name.split("/")[0]
            if folder in MAY_INCLUDE and "/" in name and (quote == '"' or name in sources):
                if folder not in allowed or (folder == "cli" != source.folder and not name.startswith("cli/terminal/")):
                    yield f"{source.path}:{line}: {source.folder}/ may not include {name}"
            elif quote == '"':
                yield f'{source.path}:{line}: write "{name}" from the root, as "sim/event.h"'


def check_inner(sources):
    """The folders of viz/, and those of cli/, build on each other in one direction."""
    for source in sources.values():
        inner = INNER_MAY_INCLUDE.get(source.folder)
        place = re.match(r"\w+/(\w+)/", source.path)
        for line, _, name in source.includes if inner and place else ():
            other = re.match(rf"{source.folder}/(?:(\w+)/)?", name)
            allowed = inner.get(place.group(1), set()) | {place.group(1)}
            if other and (other.group(1) or ".") not in allowed:
                yield f"{source.path}:{line}: {source.folder}/{place.group(1)}/ may not include {name}"


def check_examples(sources):
    """Plug-ins include models/ only; programs that embed gpurt include lib/ and what gpurt.h names."""
    library = sources.get("lib/gpurt.h")
    named = {name for _, _, name in library.includes} if library else set()
    for source in sources.values():
        for line, quote, name in source.includes if source.folder == "examples" else ():
            folder = name.split("/")[0]
            if PLUGIN.match(source.path):
                good = folder == "models"
            else:
                good = folder == "lib" or name in named
            if not good and (quote == '"' or name in sources):
                yield f"{source.path}:{line}: an example of this kind may not include {name}"


def check_window(sources):
    """SDL stays in the window's own files, so that all else can be tested without one."""
    for source in sources.values():
        for line, _, name in source.includes:
            if not WINDOW.fullmatch(source.path) and re.match(r"(SDL2/)?SDL", name):
                yield f"{source.path}:{line}: only viz/view/window*.[ch] may include {name}"


def check_analyses(sources):
    """No analysis includes anything of sim/ but plain descriptions, directly or through another header; the auditor knows no policy."""
    for source in sources.values():
        if AUDITOR.fullmatch(source.path):
            for line, _, name in source.includes:
                if name.split("/")[0] in MAY_INCLUDE and not AUDITOR_MAY_INCLUDE.match(name):
                    yield f"{source.path}:{line}: the auditor may not include {name}"
        if not ANALYSIS.fullmatch(source.path):
            continue
        reached = set()
        queue = [(name, line, name) for line, _, name in source.includes]
        for name, line, chain in queue:  # grows while it is read
            if name in reached:
                continue
            reached.add(name)
            if (name.startswith("sim/") and name not in PLAIN) or name in SIMULATOR:
                yield f"{source.path}:{line}: an analysis may not include the simulator ({chain})"
            elif name in sources:
                queue += [(inner, line, f"{chain} -> {inner}") for _, _, inner in sources[name].includes]


def check_policy_names(sources):
    """Only the registry, and a policy's own .c and .h, name the policy's object."""
    product = [source for source in sources.values() if source.folder != "tests"]
    homes = {}
    for source in product:
        for match in POLICY.finditer(source.code):
            homes.setdefault(match.group(1), set())
            if match.group(2) == "=":
                homes[match.group(1)].add(source.path.rsplit(".", 1)[0])
    for source in product:
        for match in re.finditer(r"\bgrt_policy_\w+", source.code):
            name = match.group()
            if name in homes and source.path != REGISTRY and source.path.rsplit(".", 1)[0] not in homes[name]:
                yield f"{source.path}:{source.line(match.start())}: only {REGISTRY} may name {name}"


def operations_of(sources, path, struct):
    """The functions that a struct has, by their names."""
    code = sources[path].code if path in sources else ""
    body = re.search(rf"^struct {struct} \{{(.*?)\}};", code, re.M | re.S)
    return set(re.findall(r"\(\*(\w+)\)\(", body.group(1))) if body else set()


def check_operations(sources):
    """What may come from outside gpurt is called where it is said that it runs: a policy's operations in models/, an analysis by one file."""
    homes = {}
    for path, struct, home in (("models/policy.h", "grt_policy_ops", "models/"),
                               ("models/analysis.h", "grt_analysis_ops", "models/analysis/covers.c")):
        names = operations_of(sources, path, struct)
        if not names:
            yield f"{path}:1: no operations are found in struct {struct}"
        homes |= {name: home for name in names}
    for source in sources.values():
        if source.folder in ("tests", "examples"):
            continue
        for match in re.finditer(r"(\w+|[\])])(?:->|\.)(\w+)\)?\(", source.code):
            whose, name = match.groups()
            if not source.path.startswith(homes.get(name, "")) and (whose, name) not in ALIKE:
                yield f"{source.path}:{source.line(match.start())}: only {homes[name]} may call {whose}->{name}"


def check_guards(sources):
    """Every header is inside an include guard, and no two share one."""
    owners = {}
    for source in sources.values():
        if not source.path.endswith(".h"):
            continue
        match = re.match(r"\s*#\s*ifndef\s+(\w+)\s+#\s*define\s+(\w+)\s*\n", source.plain)
        if not match or match.group(1) != match.group(2) or not re.search(r"\n\s*#\s*endif\s*$", source.plain):
            yield f"{source.path}:1: no include guard (#ifndef X, #define X before everything else, #endif behind it)"
        elif owners.setdefault(match.group(1), source.path) != source.path:
            yield f"{source.path}:1: {owners[match.group(1)]} has the same include guard {match.group(1)}"


def check_shared(root, sources):
    """Tests that share a program define nothing that the others would call instead of the system's."""
    build = root / "tests" / "CMakeLists.txt"
    alone = re.search(r"^set\(alone ([^)]*)\)", build.read_text(encoding="utf-8") if build.exists() else "", re.M)
    words = set(alone.group(1).split()) if alone else {"alone"}
    for source in sources.values():
        heads = [text for start, text in source.comments if source.line(start) <= 5]
        labels = re.search(r"/\* labels:([^*]*)\*", "".join(heads))
        if not re.fullmatch(r"tests/\w+/test_\w+\.c", source.path) or words & set(labels.group(1).split() if labels else ()):
            continue
        lines = source.code.split("\n")
        for name, line, _ in source.functions():
            if name != "main" and not name.isupper() and not lines[line - 1].startswith("static "):
                yield f"{source.path}:{line}: {name} is not static, and the test is not labelled alone (tests/CMakeLists.txt)"


def check_sizes(sources):
    """Limits for files and functions; prints what is long and how long functions are."""
    lengths = {"product": [], "tests": []}
    for source in sources.values():
        if source.line_count > FILE_LIMIT:
            yield f"{source.path}:{FILE_LIMIT}: file of {source.line_count} lines, at most {FILE_LIMIT}"
        elif source.line_count > FILE_NOTE:
            print(f"note: {source.path} has {source.line_count} lines")
        for name, line, length in source.functions():
            lengths["tests" if source.folder == "tests" else "product"].append(length)
            if length > FUNCTION_LIMIT:
                yield f"{source.path}:{line}: {name} has {length} lines, at most {FUNCTION_LIMIT}"
    for part, values in lengths.items():
        if values:
            p95 = sorted(values)[(95 * len(values) + 99) // 100 - 1]
            print(f"{part}: {len(values)} functions, lines: median {statistics.median(values):g}, "
                  f"95th percentile {p95}, longest {max(values)}")


def package_flags():
    if not shutil.which("pkg-config"):
        return []
    runs = [subprocess.run(["pkg-config", "--cflags", name], capture_output=True, text=True) for name in PACKAGES]
    # As -isystem: the warnings are for this tree.
    return [re.sub("^-I", "-isystem", flag) for run in runs if run.returncode == 0 for flag in run.stdout.split()]


def check_headers_alone(sources, root):
    """Every header compiles alone, and twice. One that a source includes before everything else, macros too, compiles with that source. With one
    compiler: what it lacks, it lacks with each, and all of them compile it as a part of sources."""
    compiler = next((name for name in ("gcc", "clang") if shutil.which(name)), None)
    if compiler is None:
        yield "check.py:1: neither gcc nor clang is here to compile the headers with"
        return
    flags = FLAGS + package_flags()

    def compile_alone(path):
        text = f'#include "{path}"\n#include "{path}"\nextern int nothing_else;\n'
        tests = TEST_FLAGS if path.startswith("tests/") else []
        return path, subprocess.run([compiler, *flags, *tests, "-I", str(root), "-x", "c", "-"], input=text,
                                    capture_output=True, text=True, cwd=root)

    first = {source.includes[0][2] for path, source in sources.items()
             if path.endswith(".c") and source.includes and "#define" not in source.plain.split("#include")[0]}
    headers = [path for path in sources if path.endswith(".h") and path not in first]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, run in pool.map(compile_alone, headers):
            if run.returncode != 0:
                yield f"{path}:1: does not compile alone:\n{run.stderr.rstrip()}"


def check(root, compiles_headers=True):
    paths = [path for folder in MAY_INCLUDE for path in sorted((root / folder).rglob("*.[ch]"))]
    sources = {source.path: source for source in (Source(root, path) for path in paths)}
    checks = (check_includes, check_inner, check_examples, check_window, check_analyses, check_policy_names, check_operations, check_guards,
              check_draws, check_sizes)
    errors = [error for each in checks for error in each(sources)]
    errors += check_shared(root, sources)
    errors += check_named(root, sources)
    errors += check_rules(root)
    if compiles_headers:
        errors += check_headers_alone(sources, root)
    return errors, len(sources)


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test.run(check)
    root = Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve()
    errors, count = check(root)
    print("\n".join(errors + [f"{count} files checked, {len(errors)} errors"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
