"""What libgpurt has promised: lib/interface-SONAME.txt, a list of all that its headers declare, each with the version in which it came.

What is in the list stays as it is until the next soname. What is new comes in with the version that it came with, and its functions and objects get
a node of that version in lib/gpurt.map, so that a program that needs them is refused by an older library when it is loaded.
"""
import re

HEAD = """# What programs see of libgpurt, and since when: tests/library/symbols.py writes this and holds the headers against it. Until the next soname
# nothing of it changes or goes, and functions, objects, types and constants may be added. Once a version has been released a line "released 0.1.0" says so
# here, and what comes in needs a newer one.
"""


def version_of(root):
    text = (root / "sim/version.h").read_text()
    return ".".join(re.search(rf"VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def soname_of(version):
    major, minor, _ = version.split(".")
    return major if major != "0" else f"0.{minor}"


def path_of(root):
    return root / f"lib/interface-{soname_of(version_of(root))}.txt"


def entries_of(declarations, layouts):
    """The descriptions by kind and name. Without layouts what depends on the machine is left out."""
    entries = {f"function {name}": text for name, text in declarations.functions.items()}
    entries |= {f"object {name}": text for name, text in declarations.objects.items()}
    entries |= {f"typedef {name}": text for name, text in declarations.typedefs.items()}
    entries |= {f"constant {name}": text for name, text in {**declarations.constants, **declarations.macros}.items()}
    entries |= declarations.structs
    return entries if layouts else {key: text for key, text in entries.items() if key.startswith("function ")}


def read(text):
    """The entries of a list: by kind and name the version and the description."""
    found = re.findall(r"^(\w+ \w+) (\d+\.\d+\.\d+)\n((?:    .*\n)+)", text, re.M)
    return {key: (since, re.sub(r"^    ", "", body, flags=re.M).rstrip("\n")) for key, since, body in found}


def released(text):
    """The newest version that a list says has been released, as numbers; none: less than all."""
    return max((tuple(map(int, version.split("."))) for version in re.findall(r"^released (\d+\.\d+\.\d+)$", text, re.M)), default=())


def write(entries, last=()):
    lines = (f"{key} {since}\n" + "".join(f"    {line}\n" for line in body.split("\n")) for key, (since, body) in sorted(entries.items()))
    return HEAD + (f"released {'.'.join(map(str, last))}\n" if last else "") + "".join(lines)


def broken(kept, now):
    """A sentence for everything in the list that is not so any more."""
    for key, (since, body) in kept.items():
        if key not in now:
            yield f"{key}: has been there since {since}, and is gone"
        elif now[key] != body:
            old, new = body.split("\n"), now[key].split("\n")
            changes = [f"- {line}" for line in old if line not in new] + [f"+ {line}" for line in new if line not in old]
            yield f"{key}: is not as it was in {since}: {'; '.join(changes) or 'the order is another one'}"


def too_old(kept, now, version, last):
    """A sentence where something is new and the version has been released without it."""
    new = [key for key in now if key not in kept]
    if new and last >= tuple(map(int, version.split("."))):
        yield f"{new[0]}: is new, but {version} has been released without it: raise the version in sim/version.h"


def added(kept, now, version):
    return {**kept, **{key: (version, body) for key, body in now.items() if key not in kept}}


def map_of(entries, head):
    """The version script: a node for each version that brought something, on top of the one before."""
    versions = {}
    for key, (since, _) in entries.items():
        kind, name = key.split()
        if kind in ("function", "object"):
            versions.setdefault(tuple(map(int, since.split("."))), []).append(name)
    text, before = head, ""
    for version, names in sorted(versions.items()):
        node = "GPURT_" + re.sub(r"(\.0)+$", "", ".".join(map(str, version)))
        rest = f"}} {before};\n" if before else "local:\n    *;\n};\n"
        text += f"{node} {{\nglobal:\n" + "".join(f"    {name};\n" for name in sorted(names)) + rest
        before = node
    return text
