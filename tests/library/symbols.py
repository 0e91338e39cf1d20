#!/usr/bin/env python3
"""Holds what libgpurt exports against what its headers declare, and that against what it has promised (kept.py).

usage: symbols.py ROOT COMPILER SHARED STATIC   compare lib/gpurt.map, lib/interface-SONAME.txt, both libraries and the headers
       symbols.py ROOT COMPILER --write         write the first two, if nothing that was promised is broken

Installed headers include only installed ones, plug-in headers only such; every function and every object that one of them declares is
exported, and nothing else. Where programs find their files is none of the library's business (OF_PROGRAMS). The size of an object does not grow. COMPILER is a gcc.
"""
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "structure"))
import kept  # noqa: E402
from declarations import Declarations  # noqa: E402
from plugin_interface import macros_of, without_comments  # noqa: E402
from source import Source  # noqa: E402

HEAD = """/* What libgpurt exports: the functions and objects of the headers in lib/headers.txt. A test holds the two against each other, and
 * tests/library/symbols.py writes this file. What a released version has is not taken away before the next soname; what a later one
 * brings has a node of its own. */
"""

BROKEN = """Programs that were compiled before would go astray: undo this, or raise the version in sim/version.h to that of another soname (0.x, from
1.0 on the first number). Only as long as no gpurt of this soname has been released (no line "released" is in it): delete {path}. Then: tests/library/symbols.py . gcc --write"""
# What is there to change.
CHANGING = re.compile(r"GRT_VERSION_\w+|GRT_PLUGIN_ABI")


# By what cli/terminal/library_folder.c looks for the library of scenarios.
OF_PROGRAMS = (b"GPURT_LIBRARY", b"share/gpurt/scenarios", b"grt_library_")


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


def exported(library):
    run = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True)
    return {line.split()[2].split("@")[0] for line in run.stdout.splitlines() if " A " not in line}


def visible(archive):
    run = subprocess.run(["nm", "-g", "--defined-only", archive], check=True, capture_output=True, text=True)
    return {line.split()[2] for line in run.stdout.splitlines() if len(line.split()) == 3}


def check_texts(library):
    content = Path(library).read_bytes()
    for text in OF_PROGRAMS:
        if text in content:
            yield f"{library}: has {text.decode()}, which is the programs' own"


def differences(wanted, found, what):
    for name in sorted(wanted - found):
        yield f"{name}: declared in an installed header, but {what} has it not"
    for name in sorted(found - wanted):
        yield f"{name}: {what} has it, but no installed header declares it"


def has_layouts(compiler):
    """Layouts are compared on 64-bit systems, where they are all the same."""
    run = subprocess.run([compiler, "-dM", "-E", "-xc", "/dev/null"], check=True, capture_output=True, text=True)
    return "#define __LP64__ 1" in run.stdout and re.search(r"__(x86_64|aarch64)__", run.stdout) is not None


def check_objects(declarations):
    """A program has a copy of an object, of the size that it had when the program was linked. So lists, but texts, are seen by pointers."""
    for name, text in declarations.objects.items():
        is_list = "[" in text and re.match(r"(unsigned )?char const\[\d*\] const,", text) is None
        if " const, " not in text or text.endswith("None bytes") or is_list:
            yield f"{name}: an object that programs see is constant and of known size (a list is seen by a pointer): {text}"


def constants_of(root, headers):
    """Macros that are no whole numbers, as they are written: texts and ratios."""
    for header in headers:
        yield from re.findall(r'^#define (GRT_\w+) +("[^"\n]*"|\(?\d+\.\d[^\n]*?) *$', without_comments((root / header).read_text()), re.M)


def declarations_of(root, compiler, headers):
    numbers = [name for name in macros_of(root, headers) if not CHANGING.fullmatch(name)]
    found = Declarations(root, compiler, headers, numbers)
    found.macros.update(constants_of(root, headers))
    return found


def check_promises(root, now, layouts):
    """What is broken of what was promised, and what is not in the lists yet."""
    path, version = kept.path_of(root), kept.version_of(root)
    text = path.read_text() if path.exists() else ""
    before = {key: value for key, value in kept.read(text).items() if key in now or layouts or key.startswith("function ")}
    errors = list(kept.broken(before, now))
    if errors:
        return [*errors, BROKEN.format(path=path.relative_to(root))]
    errors = list(kept.too_old(before, now, version, kept.released(text)))
    if errors:
        return errors
    after = kept.added(before, now, version)
    new = [f"{key}: is new" for key in after if key not in before]
    if not new and layouts and (text != kept.write(after, kept.released(text)) or (root / "lib/gpurt.map").read_text() != kept.map_of(after, HEAD)):
        new = [f"{path.relative_to(root)} or lib/gpurt.map: not as symbols.py writes it"]
    return [*new, "what is new comes in, with the version in sim/version.h, by: tests/library/symbols.py . gcc --write"] if new else []


def write(root, now):
    path = kept.path_of(root)
    text = path.read_text() if path.exists() else ""
    before, last = kept.read(text), kept.released(text)
    errors = list(kept.broken(before, now))
    if errors:
        return [*errors, BROKEN.format(path=path.relative_to(root))]
    errors = list(kept.too_old(before, now, kept.version_of(root), last))
    if errors:
        return errors
    after = kept.added(before, now, kept.version_of(root))
    path.write_text(kept.write(after, last))
    (root / "lib/gpurt.map").write_text(kept.map_of(after, HEAD))
    return []


def main(arguments):
    root, compiler = Path(arguments[0]).resolve(), arguments[1]
    errors = [*check_headers(root, "headers.txt"), *check_headers(root, "plugin_headers.txt")]
    headers = lines(root / "lib/headers.txt")
    errors += [f"{name}: a header for plug-ins, but not in lib/headers.txt" for name in lines(root / "lib/plugin_headers.txt") if name not in headers]
    declarations, layouts = declarations_of(root, compiler, headers), has_layouts(compiler)
    errors += check_objects(declarations)
    wanted, now = {*declarations.functions, *declarations.objects}, kept.entries_of(declarations, layouts)
    if arguments[2] == "--write":
        errors += write(root, now) if layouts else ["layouts are written on x86-64 or aarch64"]
    else:
        errors += check_promises(root, now, layouts)
        errors += [error for library in arguments[2:4] for error in check_texts(library)]
        errors += differences(wanted, exported(arguments[2]), "the shared library")
        errors += differences(wanted, visible(arguments[3]), "the static library")
    print("\n".join(errors + [f"{len(wanted)} functions and objects, {len(now)} promises in {len(headers)} headers, {len(errors)} errors"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
