"""The structure check tested on made-up trees: a sound one passes, and each small change to it is found."""
import ast
import contextlib
import io
import tempfile
from pathlib import Path


def header(guard, body=""):
    return f"/* A header. */\n#ifndef {guard}\n#define {guard}\n{body}\n#endif\n"


def function(lines):
    """A function of that many lines, with braces where a careless scan would stumble."""
    head = "\n#define OPEN {\n\nstatic int f(char c)\n{\n    const char *brace = \"}\"; /* } */\n"
    head += "    if (c == '}') { c = *brace; }\n"
    return head + "    c++;\n" * (lines - 6) + "    return c;\n}\nint x[] = {1};\n"


def rules(rows):
    """A document of five rules and a table of tests."""
    table = "\n".join(f"| {row} |" for row in rows)
    return ("- **G1** One. **G2, N1** Two.\n- **R1-R2, ranges.** Three, as G7 says.\n- **A bold remark.**\n\n"
            "## Which test holds which rule\n\n| rules | tests |\n|---|---|\n" + table + "\n\n## More\n\n| Z9 | `no.c` |\n")


ROWS = ["G1, G2*, N1, the rest | `test_fifo.c`, `fifo_goes_first`, `conformance/test_all.c` and more",
        "R1-R2 | tests/reject: `tests/reject/`; `r1-*`, `r2-ranges`"]


def with_row(row, first=ROWS[0]):
    return rules([first, row])


def drawing(call):
    """A file with functions that draw, and in its line 8 such a call."""
    return ("static int below(int *r, int n) {\n    return grt_random_below(r, n);\n}\n"
            "static int sum(int *r) {\n    return below(r, 2) + below(r, 3);\n}\n"
            "int a(int *r) {\n" + call + "\n}\n")


ANALYSIS_OPS = "struct grt_analysis_ops {\n    int (*run)(int);\n};"
SOUND = {
    "docs/gpu-model.md": rules(ROWS),
    "scenarios/rules/r1-a.json": "",
    "scenarios/rules/r2-ranges.json": "",
    "tests/conformance/test_all.c": "",
    "tests/reject/a.json": "",
    "sim/event.h": header("SIM_EVENT_H", "int grt_event(void);"),
    "sim/loop.h": header("SIM_LOOP_H", '#include "sim/event.h"'),
    "sim/time.h": header("SIM_TIME_H", "#include <stdint.h>\ntypedef int64_t grt_time;"),
    "sim/event.c": '#include "sim/event.h"\n#include <stdio.h>\nint grt_event(void) { return 0; }\n',
    "models/world.h": header("MODELS_WORLD_H", '#include "sim/loop.h"'),
    "models/policy.h": header("MODELS_POLICY_H", "struct grt_policy_ops {\n    const char *name;\n    int (*trains)(int);\n};"),
    "models/analysis.h": header("MODELS_ANALYSIS_H", ANALYSIS_OPS),
    "models/task.h": header("MODELS_TASK_H", '#include "sim/time.h"'),
    "policies/registry.c": '#include "models/policy.h"\nextern const struct grt_policy_ops grt_policy_fifo;\n'
                           'const struct grt_policy_ops *all[] = {&grt_policy_fifo};\n',
    "policies/fifo.c": '#include "models/policy.h"\n#include "sim/event.h"\n'
                       'const struct grt_policy_ops grt_policy_fifo = {"fifo"};\n',
    "policies/analyses/fifo.c": '#include "models/analysis.h"\n/* not grt_policy_fifo */\n',
    "scenarios/load.h": header("SCENARIOS_LOAD_H", '#include "models/world.h"'),
    "verify/audit/audit.c": '#include "models/task.h"\n#include "sim/time.h"\n',
    "viz/view/main.c": '#include "scenarios/load.h"\n',
    "viz/view/window.c": '#include <SDL.h>\n#include "viz/scene/scene.h"\n#include "viz/view/viewer.h"\n',
    "viz/draw.c": '#include "sim/time.h"\n// #include "models/world.h"\n' + function(100),
    "cli/main.c": '#include "scenarios/load.h"\n#include "cli/run/a.h"\n#include "viz/draw.h"\n',
    "cli/compare/a.c": '#include "cli/command.h"\n#include "cli/run/a.h"\n',
    "lib/gpurt.h": header("GPURT_H", '#include "sim/time.h"'),
    "examples/llf/llf.c": '/* As docs/gpu-model.md, sim/loop.h, loop.h and policies/NAME.c say. */\n#include "models/policy.h"\n',
    "examples/embed/embed.c": '#include <gpurt.h>\n#include <stdio.h>\n#include "lib/gpurt.h"\n#include "sim/time.h"\n',
    "tests/draws.c": drawing("f(below(r, 1), 2); if (below(r, 1), below(r, 2)) { f(1, (2, below(r, 1))); CHECK(sum(r), sum(r)); }")
                     + "int key(int n) {\n    return grt_random_below(grt_random_of_key(n), 9);\n}\n"
                       "int b(int *r) {\n    return f(key(1), key(2)) + f(fall(r), fall(r));\n}\n",
    "tests/other.c": "static int fall(int *r) {\n    return grt_random_bits(r);\n}\n",
    "tests/unit/test_open.c": "/* Opens. */\n/* labels: soak alone */\nint open(void) {\n    return 0;\n}\nint main(void) {\n    return 0;\n}\n",
    "tests/unit/test_fifo.c": '#include "policies/registry.h"\n#include "local.h"\nint *a = &grt_policy_fifo;\n'
                               "static void fifo_goes_first(void) {\n}\n",
}

NO_GUARD = "{path}:1: no include guard"
# (file, its new content, the start of the one message that it causes)
CASES = [
    ("sim/event.c", '\n#include "models/world.h"\n', "{path}:2: sim/ may not include models/world.h"),
    ("sim/event.c", "#include <models/world.h>\n", "{path}:1: sim/ may not include models/world.h"),
    ("sim/event.c", '#include "event.h"\n', '{path}:1: write "event.h" from the root'),
    ("sim/event.c", '#include "tests/support/a.h"\n', "{path}:1: sim/ may not include tests/support/a.h"),
    ("models/gpu.c", '#include "policies/registry.h"\n', "{path}:1: models/ may not include policies/registry.h"),
    ("policies/edf.c", '#include "scenarios/load.h"\n', "{path}:1: policies/ may not include scenarios/load.h"),
    ("scenarios/load.c", '#include "viz/draw.h"\n', "{path}:1: scenarios/ may not include viz/draw.h"),
    ("scenarios/embed/e.c", '#include "cli/a.h"\n', "{path}:1: scenarios/ may not include cli/a.h"),
    ("viz/draw.c", '#include "models/world.h"\n', "{path}:1: viz/ may not include models/world.h"),
    ("viz/draw.c", '#include "scenarios/load.h"\n', "{path}:1: viz/ may not include scenarios/load.h"),
    ("viz/picture/a.c", '#include "viz/scene/scene.h"\n', "{path}:1: viz/picture/ may not include viz/scene/scene.h"),
    ("viz/view/main.c", '#include "viz/export/export.h"\n', "{path}:1: viz/view/ may not include viz/export/export.h"),
    ("cli/terminal/a.c", '#include "cli/command.h"\n', "{path}:1: cli/terminal/ may not include cli/command.h"),
    ("cli/run/a.c", '#include "cli/compare/a.h"\n', "{path}:1: cli/run/ may not include cli/compare/a.h"),
    ("viz/view/main.c", "#include <SDL.h>\n", "{path}:1: only viz/view/window*.[ch] may include SDL.h"),
    ("viz/view/main.c", '#include "cli/a.h"\n', "{path}:1: viz/ may not include cli/a.h"),
    ("calib/fit/fit.c", '#include "scenarios/load.h"\n', "{path}:1: calib/ may not include scenarios/load.h"),
    ("calib/program/a.c", '#include "cli/command.h"\n', "{path}:1: calib/ may not include cli/command.h"),
    ("examples/llf/llf.c", '#include "sim/time.h"\n', "{path}:1: an example of this kind may not include sim/time.h"),
    ("examples/llf/llf.c", '#include "lib/gpurt.h"\n', "{path}:1: an example of this kind may not include lib/gpurt.h"),
    ("examples/embed/embed.c", '#include "models/policy.h"\n', "{path}:1: an example of this kind may not include models"),
    ("examples/embed/embed.c", "#include <sim/loop.h>\n", "{path}:1: an example of this kind may not include sim/loop.h"),
    ("sim/event.c", "int a; /* b\n * gone.h */\n", "{path}:2: there is no gone.h"),
    ("sim/event.c", "// docs/model.md\n", "{path}:1: there is no docs/model.md"),
    ("sim/event.c", "/* (sim/policy.h) */\n", "{path}:1: there is no sim/policy.h"),
    ("verify/audit/audit.c", '#include "policies/registry.h"\n', "{path}:1: the auditor may not include policies/registry.h"),
    ("verify/audit/gpu.h", header("AUDIT_GPU_H", '#include "models/world.h"'),
     "{path}:4: the auditor may not include models/world.h"),
    ("models/a.c", '#include "verify/audit.h"\n', "{path}:1: models/ may not include verify/audit.h"),
    ("policies/analyses/fifo.c", '#include "sim/loop.h"\n', "{path}:1: an analysis may not include the simulator"),
    ("policies/tdm/assignment.c", '#include "sim/time.h"\n', "{path}:1: an analysis may not include the simulator"),
    ("policies/tdm/cubic.c", '#include "sim/time.h"\n', "{path}:1: an analysis may not include the simulator"),
    ("policies/analyses/rta.h", header("RTA_H", '#include "models/world.h"'),
     "{path}:4: an analysis may not include the simulator (models/world.h)"),
    ("models/analysis.h", header("MODELS_ANALYSIS_H", '#include "sim/event.h"\n' + ANALYSIS_OPS),
     "policies/analyses/fifo.c:1: an analysis may not include the simulator (models/analysis.h -> sim/event.h)"),
    ("policies/edf.c", "\nextern const struct grt_policy_ops grt_policy_fifo;\n",
     "{path}:2: only policies/registry.c may name grt_policy_fifo"),
    ("cli/main.c", "void *a = &grt_policy_fifo;\n", "{path}:1: only policies/registry.c may name grt_policy_fifo"),
    ("cli/main.c", "bool a = policy->trains(0);\n", "{path}:1: only models/ may call policy->trains"),
    ("cli/main.c", "bool a = world->ops->trains(0);\n", "{path}:1: only models/ may call ops->trains"),
    ("study/a.c", "bool a = (all[0]->trains)(0);\n", "{path}:1: only models/ may call ]->trains"),
    ("models/world/world.c", "bool a = ops->run(0);\n", "{path}:1: only models/analysis/covers.c may call ops->run"),
    ("models/policy.h", header("MODELS_POLICY_H", "struct grt_policy_ops {\n    int trains;\n};"),
     "{path}:1: no operations are found in struct grt_policy_ops"),
    ("models/analysis.h", header("MODELS_ANALYSIS_H"), "{path}:1: no operations are found in struct grt_analysis_ops"),
    ("tests/a.c", drawing("f(below(r, 1), g(below(r, 2)));"), "{path}:8: two arguments of f draw"),
    ("tests/a.c", drawing("h(f(0, sum(r)),\n below(r, 2));"), "{path}:8: two arguments of h draw"),
    ("sim/time.h", "typedef long grt_time;\n", NO_GUARD),
    ("sim/time.h", "#pragma once\n", NO_GUARD),
    ("sim/time.h", "#ifndef SIM_TIME_H\n#define SIM_TIME_HH\n#endif\n", NO_GUARD),
    ("sim/time.h", "int x;\n#ifndef SIM_TIME_H\n#define SIM_TIME_H\n#endif\n", NO_GUARD),
    ("sim/time.h", header("SIM_TIME_H") + "int x;\n", NO_GUARD),
    ("sim/time.h", header("SIM_EVENT_H"), "{path}:1: sim/event.h has the same include guard SIM_EVENT_H"),
    ("sim/heap.h", header("SIM_HEAP_H", "size_t grt_heap(void);"), "{path}:1: does not compile alone"),
    ("sim/heap.h", header("SIM_HEAP_H", "void grt_heap();"), "{path}:1: does not compile alone"),
    ("tests/support/a.h", header("A_H", "static int grt_a(void) { }"), "{path}:1: does not compile alone"),
    ("tests/unit/test_a.c", "\n" * 1001, "{path}:1000: file of 1001 lines, at most 1000"),
    ("sim/heap.c", function(101), "{path}:4: f has 101 lines, at most 100"),
    ("docs/gpu-model.md", with_row("R1 | `r1-*`"), "{path}:2: rule R2 has no row in the table of tests"),
    ("docs/gpu-model.md", rules(ROWS[1:] + ["G1, N1 | `test_fifo.c`"]), "{path}:1: rule G2 has no row"),
    ("docs/gpu-model.md", rules(ROWS).replace("## Which", "## what"), "{path}:1: no table of tests"),
    ("docs/gpu-model.md", rules(ROWS).replace("**", ""), "{path}:1: no rules are written down"),
    ("docs/gpu-model.md", with_row("R1-R3 | `r1-*`"), "{path}:10: rule R3 is not written down"),
    ("docs/gpu-model.md", with_row("R1-R2 | `test_lifo.c`"), "{path}:10: there is no tests/unit/test_lifo.c"),
    ("docs/gpu-model.md", with_row("R1-R2 | `paper/test_a.c`"), "{path}:10: there is no tests/paper/test_a.c"),
    ("docs/gpu-model.md", with_row("R1-R2 | `tests/reject/b.json`"), "{path}:10: there is no tests/reject/b.json"),
    ("docs/gpu-model.md", with_row("R1-R2 | `r3-*`"), "{path}:10: there is no scenarios/rules/r3-*.json"),
    ("docs/gpu-model.md", with_row("R1-R2 | `fifo_goes_first`"), "{path}:10: no file of this row has a function fifo"),
    ("docs/gpu-model.md", with_row("R1-R2 | `test_fifo.c`, `fifo`"), "{path}:10: no file of this row has a function fifo"),
    ("tests/unit/test_fifo.c", SOUND["tests/unit/test_fifo.c"] + "int open(void) {\n}\n", "{path}:6: open is not static"),
    ("tests/unit/test_fifo.c", "/* labels: soak */\n" + SOUND["tests/unit/test_fifo.c"] + "int open(void) {\n}\n",
     "{path}:7: open is not static"),
    ("tests/unit/test_fifo.c", SOUND["tests/unit/test_fifo.c"] + "/* labels: alone */\nint open(void) {\n}\n", "{path}:7: open is not static"),
    ("docs/gpu-model.md", with_row("R1-R2 | by hand"), "{path}:10: no test is named in this row"),
]


def errors_of(check, files, compiles_headers=True):
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        root = Path(folder).resolve()
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return check(root, compiles_headers)[0]


def agrees(errors, expected):
    """Whether the errors are the expected one; a header that no compiler accepts counts once."""
    return errors and len({error.split("\n")[0].split(" with ")[0] for error in errors}) == 1 \
        and errors[0].startswith(expected)


def repeated_keys(path):
    """The keys that a dictionary written in a Python file has twice: the first one's value would be lost."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        keys = [key.value for key in node.keys if isinstance(key, ast.Constant)] if isinstance(node, ast.Dict) else []
        yield from (f"{path.name}:{node.lineno}: the key {key!r} is there twice" for key in set(keys) if keys.count(key) > 1)


def repetitions():
    """What is repeated in the checks of tests/ and the tools of tests/support; first, that it would be found."""
    with tempfile.TemporaryDirectory() as folder:
        twice = Path(folder) / "twice.py"
        twice.write_text('a = {"b": 1, "c": 2,\n     "b": None}\n', encoding="utf-8")
        if list(repeated_keys(twice)) != ["twice.py:1: the key 'b' is there twice"]:
            yield "a key that is there twice was not found"
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        yield from repeated_keys(path)


def run(check):
    failures = list(repetitions())
    failures += [f"a sound tree: {error}" for error in errors_of(check, SOUND)]
    for path, text, message in CASES:
        expected = message.format(path=path)
        errors = errors_of(check, {**SOUND, path: text}, path.endswith(".h"))  # else they are those of the sound tree
        if "guard" in expected:  # included twice, it may rightly fail to compile too
            errors = [error for error in errors if "does not compile alone" not in error]
        if not agrees(errors, expected):
            failures.append(f"expected {expected}\n     got {errors or 'nothing'}")
    print("\n".join(failures + [f"{1 + len(CASES)} trees, {len(failures)} failures"]))
    return 1 if failures else 0
