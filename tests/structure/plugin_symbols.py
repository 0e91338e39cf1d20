#!/usr/bin/env python3
"""Checks what plug-ins have of gpurt: the headers that models/plugin.h stands for are those of lib/plugin_headers.txt, the functions that
they declare those of lib/plugin_symbols.txt, and every program shows plug-ins all of these.

usage: plugin_symbols.py ROOT [PROGRAM...]   check
       plugin_symbols.py --write ROOT        write the two lists instead
"""
import re
import subprocess
import sys
from pathlib import Path

FIRST = "models/plugin.h"


def headers_of(root):
    """All headers that the first one includes, itself too."""
    found, queue = set(), [FIRST]
    for name in queue:  # grows while it is read
        if name not in found:
            found.add(name)
            queue += re.findall(r'^#include "([^"]+)"', (root / name).read_text(), re.M)
    return sorted(found)


def outside_of_bodies(text):
    """The declarations of a header, without comments, preprocessor lines and what is in braces."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r"__attribute__\(\(.*?\)\)\)?", "", text, flags=re.S)
    depth, out = 0, []
    for char in text:
        depth += char == "{"
        if depth == 0:
            out.append(char)
        if char == "}":
            depth -= 1
            out.append(";" if depth == 0 else "")
    return [" ".join(part.split()) for part in "".join(out).split(";")]


def symbols_of(root, headers):
    """The functions and objects that headers declare and somebody else defines."""
    symbols = set()
    for name in headers:
        for part in outside_of_bodies((root / name).read_text()):
            function = re.match(r"(?!static|typedef|__extension__)(?:[\w ]*[\w*] )\**(grt_\w+)\(", part)
            value = re.match(r"extern [\w *]*?\b(grt_\w+)(?:\[\w*\])?(?:, *(grt_\w+))*$", part)
            symbols |= {match for found in (function, value) if found for match in found.groups() if match}
    return sorted(symbols)


def shown_by(program):
    run = subprocess.run(["nm", "-D", "--defined-only", program], capture_output=True, text=True, check=True)
    return {line.split()[-1] for line in run.stdout.splitlines()}


def compare(path, listed, wanted):
    """Errors for what a list has too little and too much."""
    for name in sorted(set(wanted) - set(listed)):
        yield f"{path}: lacks {name}"
    for name in sorted(set(listed) - set(wanted)):
        yield f"{path}: has {name}, which is none"


def main(arguments):
    write = arguments[:1] == ["--write"]
    root = Path(arguments[write])
    headers = headers_of(root)
    lists = {"lib/plugin_headers.txt": headers, "lib/plugin_symbols.txt": symbols_of(root, headers)}
    errors = []
    for path, wanted in lists.items():
        if write:
            (root / path).write_text("".join(f"{name}\n" for name in wanted))
        errors += compare(path, (root / path).read_text().split(), wanted)
    for program in arguments[1 + write:]:
        missing = set(lists["lib/plugin_symbols.txt"]) - shown_by(program)
        errors += [f"{program}: does not show plug-ins {name}" for name in sorted(missing)]
    print("\n".join(errors) or f"{len(headers)} headers, {len(lists['lib/plugin_symbols.txt'])} symbols")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
