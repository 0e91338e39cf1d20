#!/usr/bin/env python3
"""Holds what libgpurt exports against what its headers declare.

usage: symbols.py ROOT COMPILER SHARED STATIC   compare lib/gpurt.map, both libraries and the headers
       symbols.py ROOT COMPILER --write         write lib/gpurt.map anew

Installed headers include only installed ones, plug-in headers only such; every function and every object that one of them declares is
exported, and nothing else. Needs gcc, which lists what a file declares.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "structure"))
from source import Source  # noqa: E402

HEAD = """/* What libgpurt exports: the functions and objects of the headers in lib/headers.txt. A test holds the two against each other, and
 * tests/library/symbols.py writes this file. What a released version has is not taken away before the next soname. */
"""


def lines(path):
    return path.read_text(encoding="utf-8").split()


def check_headers(root, name):
    """The list is sorted, and closed under inclusion."""
    names = lines(root / "lib" / name)
    if names != sorted(set(names)):
        yield f"lib/{name}: not sorted"
    for header in names:
        for line, quote, included in Source(root, root / header).includes:
            if quote == '"' and included not in names:
                yield f"{header}:{line}: is in lib/{name}, and includes {included}, which is not"


def functions(root, compiler, headers):
    """What gcc says that the headers declare."""
    with tempfile.TemporaryDirectory() as folder:
        source, found = Path(folder, "all.c"), Path(folder, "found.txt")
        source.write_text("".join(f'#include "{header}"\n' for header in headers))
        subprocess.run([compiler, "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-fsyntax-only", "-aux-info", found, "-I", root, source], check=True)
        text = found.read_text()
    declared = re.findall(r"^/\* (.*?):\d+:N\w \*/ extern .*?(\w+) \(", text, re.M)
    return {name for path, name in declared if Path(path).resolve().is_relative_to(root)}


def objects(root, headers):
    code = " ".join(Source(root, root / header).code for header in headers)
    return set(re.findall(r"\bextern\s+const\b[^;()]*?(\w+)(?:\[\w*\])?;", code))


def exported(library):
    run = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True)
    return {line.split()[2].split("@")[0] for line in run.stdout.splitlines() if " A " not in line}


def visible(archive):
    run = subprocess.run(["nm", "-g", "--defined-only", archive], check=True, capture_output=True, text=True)
    return {line.split()[2] for line in run.stdout.splitlines() if len(line.split()) == 3}


def differences(wanted, found, what):
    for name in sorted(wanted - found):
        yield f"{name}: declared in an installed header, but {what} has it not"
    for name in sorted(found - wanted):
        yield f"{name}: {what} has it, but no installed header declares it"


def node(root):
    text = (root / "sim/version.h").read_text()
    major, minor = (int(re.search(rf"VERSION_{part} (\d+)", text).group(1)) for part in ("MAJOR", "MINOR"))
    return f"GPURT_{major}" if major > 0 else f"GPURT_0.{minor}"


def map_text(root, names):
    return HEAD + node(root) + " {\nglobal:\n" + "".join(f"    {name};\n" for name in sorted(names)) + "local:\n    *;\n};\n"


def main(arguments):
    root, compiler = Path(arguments[0]).resolve(), arguments[1]
    errors = [*check_headers(root, "headers.txt"), *check_headers(root, "plugin_headers.txt")]
    headers = lines(root / "lib/headers.txt")
    errors += [f"{name}: a header for plug-ins, but not in lib/headers.txt" for name in lines(root / "lib/plugin_headers.txt") if name not in headers]
    wanted = functions(root, compiler, headers) | objects(root, headers)
    if arguments[2] == "--write":
        (root / "lib/gpurt.map").write_text(map_text(root, wanted))
    else:
        text = (root / "lib/gpurt.map").read_text()
        errors += differences(wanted, set(re.findall(r"^    (\w+);$", text, re.M)), "lib/gpurt.map")
        if not errors and text != map_text(root, wanted):
            errors.append(f"lib/gpurt.map: not as symbols.py writes it: sorted, in the node {node(root)}")
        errors += differences(wanted, exported(arguments[2]), "the shared library")
        errors += differences(wanted, visible(arguments[3]), "the static library")
    if any("lib/gpurt.map" in error for error in errors):
        errors.append("what is new comes in by: tests/library/symbols.py . gcc --write")
    print("\n".join(errors + [f"{len(wanted)} functions and objects in {len(headers)} headers, {len(errors)} errors"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
