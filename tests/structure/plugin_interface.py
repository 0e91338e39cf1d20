"""What plug-ins see of gpurt, read from the headers that models/plugin.h stands for: the layout of structs, constants, functions."""
import hashlib
import re

FIRST = "models/plugin.h"
LAYOUT = "models/plugin_layout.h"  # written from the others
WIDTH = 100


def headers_of(root):
    """All headers that the first one includes, itself too."""
    found, queue = set(), [FIRST]
    for name in queue:  # grows while it is read
        if name not in found:
            found.add(name)
            queue += [] if name == LAYOUT else re.findall(r'^#include "([^"]+)"', (root / name).read_text(), re.M)
    return sorted(found)


def unnamed(root, headers):
    """Those that the first one's head does not name to its readers."""
    head = (root / FIRST).read_text().split("*/")[0]
    named = set(re.findall(r"\w+\.h\b", head.split("those that it includes:")[1].split(".\n")[0]))
    return sorted(named ^ {header.split("/")[1] for header in headers if header not in (FIRST, LAYOUT)})


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def code_of(text):
    """Without comments, preprocessor lines and attributes."""
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", without_comments(text), flags=re.M)
    return re.sub(r"__attribute__\(\(.*?\)\)\)?", "", text, flags=re.S)


def split(text, separator):
    """The parts between separators that stand in no brackets."""
    depth, parts = 0, [""]
    for char in text:
        depth += (char in "{([") - (char in "})]")
        if char == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [" ".join(part.split()) for part in parts if part.strip()]


def declarations(text):
    """What stands at the outermost level of a header, one by one; a function's body counts as the end of one."""
    depth, out = 0, []
    for char in code_of(text):
        depth += (char == "{") - (char == "}")
        out.append(char)
        if char == "}" and depth == 0:
            out.append(";")
    return split("".join(out), ";")


def is_elsewhere(declaration):
    """Whether it declares functions or objects that somebody else defines."""
    function = r"(?!static|typedef|__extension__)(?:[\w ]*[\w*] )\**grt_\w+\("
    return "{" not in declaration and re.match(rf"{function}|extern ", declaration) is not None


def members_of(struct):
    """Their names, of a struct as declarations.py describes it."""
    return [re.search(r"(\w+)$", line.split(",")[0] if re.search(r", (data_)?bit_", line) else line).group()
            for line in struct.split("\n")[1:]]


def macros_of(root, headers):
    """Those that are whole numbers."""
    for header in headers:
        if header != LAYOUT:
            text = without_comments((root / header).read_text())
            yield from re.findall(r"^#define (GRT_\w+) +[-(]*(?:\d|U?INT|GRT_\w+_NEVER)[^.\n]*$", text, re.M)


def fingerprint_of(root, headers):
    """63 bits of everything that is compiled into plug-ins: all that the headers say but for functions that are elsewhere."""
    digest = hashlib.sha256()
    for header in headers:
        if header == LAYOUT:
            continue
        text = (root / header).read_text()
        macros = re.findall(r"^# *(?!include)(?:.*\\\n)*.*$", without_comments(text), re.M)
        kept = [part for part in declarations(text) if not is_elsewhere(part)]
        for token in re.findall(r"\w+|[^\w\s\\]", " ; ".join(macros + kept)):
            digest.update(token.encode() + b" ")
    return int.from_bytes(digest.digest()[:8], "little") >> 1


def layout_of(root, headers, declared):
    """The text of LAYOUT."""
    items = []
    for struct, text in declared.structs.items():
        name = struct.removeprefix("struct ")
        items += [f"STRUCT({name})", *(f"MEMBER({name}, {member})" for member in members_of(text))]
    items += [f"NUMBER({name})" for name in (*declared.constants, *macros_of(root, headers))]
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) + 1 > WIDTH:
            lines.append("")
        lines[-1] += " " * (lines[-1] != "") + item
    table = "".join(f" \\\n    {line}" for line in lines)
    return f"""/* All structs, members and numbers that plug-ins see (models/plugin.h). Written by tests/structure/plugin_symbols.py --write, which tests
 * run without --write: it must be equal to what the headers say. */
#ifndef GRT_MODELS_PLUGIN_LAYOUT_H
#define GRT_MODELS_PLUGIN_LAYOUT_H

/* Of all that is compiled into plug-ins, as it is written in the headers: types, order and names of members, constants, inline functions, and
 * not functions that programs have. */
#define GRT_PLUGIN_FINGERPRINT INT64_C({fingerprint_of(root, headers):#018x})

/* clang-format off */
#define GRT_PLUGIN_LAYOUT(STRUCT, MEMBER, NUMBER){table}
/* clang-format on */

#endif
"""
