#!/usr/bin/env python3
"""Checks what plug-ins have of gpurt: the headers that models/plugin.h stands for are those of lib/plugin_headers.txt, the functions that
they declare those of lib/plugin_symbols.txt, declared as when the interface got its number, and what else they say that of
models/plugin_layout.h; models/plugin.h names the headers; and every program shows plug-ins all of these functions.

usage: plugin_symbols.py ROOT COMPILER [PROGRAM...]   check
       plugin_symbols.py --write ROOT COMPILER        write the lists, and the layout, instead

COMPILER is a gcc. A list of functions of an interface that has its number is only added to.
"""
import re
import subprocess
import sys
from pathlib import Path

import plugin_interface as interface

sys.path.insert(0, str(Path(__file__).parents[1] / "library"))
from declarations import Declarations  # noqa: E402


def shown_by(program):
    run = subprocess.run(["nm", "-D", "--defined-only", program], capture_output=True, text=True, check=True)
    return {line.split()[-1] for line in run.stdout.splitlines()}


def compare(path, listed, wanted):
    """Errors for what a list has too little and too much."""
    for name in sorted(set(wanted) - set(listed)):
        yield f"{path}: lacks {name}"
    for name in sorted(set(listed) - set(wanted)):
        yield f"{path}: has {name}, which is none"


def broken(path, listed, wanted):
    """Errors where an interface that has its number would not be as it was: functions may come in, and none goes or changes."""
    for line in sorted(set(listed) - set(wanted)):
        yield f"{path}: not written: gone or changed: {line}"


def text_of(path):
    return path.read_text() if path.exists() else ""


def main(arguments):
    write = arguments[:1] == ["--write"]
    root, compiler = Path(arguments[write]), arguments[1 + write]
    headers = interface.headers_of(root)
    declared = Declarations(root, compiler, headers)
    number = re.search(r"#define GRT_PLUGIN_ABI (\d+)", (root / interface.FIRST).read_text()).group(1)
    numbered = f"tests/golden/plugin-functions-{number}.txt"
    functions = {**declared.functions, **{name: f"{name}: {text}" for name, text in declared.objects.items()}}
    lists = {"lib/plugin_headers.txt": headers, "lib/plugin_symbols.txt": sorted(functions),
             numbered: sorted(functions.values())}
    layout = interface.layout_of(root, headers, declared)
    errors = list(broken(numbered, text_of(root / numbered).splitlines(), lists[numbered])) if write else []
    writes = write and not errors
    for path, wanted in lists.items():
        if writes:
            (root / path).write_text("".join(f"{name}\n" for name in wanted))
        errors += compare(path, text_of(root / path).splitlines(), wanted)
    if writes:
        (root / interface.LAYOUT).write_text(layout)
    if text_of(root / interface.LAYOUT) != layout:
        errors.append(f"{interface.LAYOUT}: is not what the headers say")
    errors += [f"{interface.FIRST}: its head does not name {header}" for header in interface.unnamed(root, headers)]
    for program in arguments[2 + write:]:
        missing = set(lists["lib/plugin_symbols.txt"]) - shown_by(program)
        errors += [f"{program}: does not show plug-ins {name}" for name in sorted(missing)]
    if errors:
        errors.append("once GRT_PLUGIN_ABI is one more, or only functions came in: tests/structure/plugin_symbols.py --write . gcc; only as long as no gpurt "
                      f"with this number has been released: rm {numbered} first")
    print("\n".join(errors) or f"{len(headers)} headers, {len(lists['lib/plugin_symbols.txt'])} symbols")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
