"""What headers declare, as gcc sees it: functions with their prototypes; objects; structs, unions, constants and typedefs as they are in memory,
by the debugging information of a file that includes them. self_test.py tries it."""
import re
import subprocess
import tempfile
from pathlib import Path

FLAGS = ["-std=c17", "-D_POSIX_C_SOURCE=200809L", "-gdwarf-4", "-fno-eliminate-unused-debug-types", "-fno-eliminate-unused-debug-symbols", "-fno-lto"]
VALUE_OF = "value_of_"  # a constant of this file's own, for each macro


class Declarations:
    """What `headers`, paths from `root`, declare themselves. Each is a dictionary from names to a description in text. `macros` are those to find the values
    of, whole numbers."""

    def __init__(self, root, compiler, headers, macros=()):
        self.root = root.resolve()
        with tempfile.TemporaryDirectory() as folder:
            source, found, output = (Path(folder, name) for name in ("all.c", "found.txt", "all.o"))
            values = "".join(f"enum {{ {VALUE_OF}{name} = {name} }};\n" for name in macros)
            source.write_text("".join(f'#include "{header}"\n' for header in headers) + values)
            subprocess.run([compiler, *FLAGS, "-c", "-aux-info", found, "-I", self.root, source, "-o", output], check=True)
            self.functions = self._functions(found.read_text())
            self._entries = entries_of(readelf("info", output))
            self._files = files_of(readelf("rawline", output))
        self.objects, self.structs, self.constants, self.typedefs = {}, {}, {}, {}
        self.macros = {entry.name.removeprefix(VALUE_OF): str(entry.number("const_value")) for entry in self._entries.values()
                       if entry.tag == "enumerator" and entry.name.startswith(VALUE_OF)}
        for entry in self._entries.values():
            if entry.depth == 1 and self._is_ours(self._files.get(entry.number("decl_file"), "/")):
                self._add(entry)

    def _is_ours(self, path):
        return Path(path).resolve().is_relative_to(self.root)

    def _functions(self, text):
        declared = re.findall(r"^/\* (.*?):\d+:N\w \*/ extern (.*?\b(\w+) \((?!\*).*\));", text, re.M)
        return {name: prototype for path, prototype, name in declared if self._is_ours(path)}

    def _add(self, entry):
        name = entry.name
        if entry.tag == "enumeration_type":
            self.constants.update({child.name: child.attributes["const_value"] for child in entry.children})
        elif entry.tag == "variable" and "external" in entry.attributes:
            size = self._size(entry.type)
            self.objects[name] = f"{self._type(entry.type)}, {size} bytes"
        elif entry.tag == "typedef" and name:
            self.typedefs[name] = self._type(entry.type)
        elif entry.tag in ("structure_type", "union_type") and name and "byte_size" in entry.attributes:
            members = "".join(f"\n{line}" for line in self._members(entry, 0))
            self.structs[f"{entry.tag.split('_')[0].replace('structure', 'struct')} {name}"] = f"{entry.number('byte_size')} bytes{members}"

    def _members(self, entry, base):
        """A line for each member: its place in bytes, its type, its name. Members without a name are what is in them."""
        for child in (child for child in entry.children if child.tag == "member"):
            place = base + child.number("data_member_location", 0)
            bits = "".join(f", {key} {child.attributes[key]}" for key in ("bit_size", "bit_offset", "data_bit_offset") if key in child.attributes)
            inner = self._entries.get(child.type)
            if not child.name:
                yield from self._members(inner, place)
            else:
                yield f"{place}: {self._type(child.type)} {child.name}{bits}"

    def _size(self, place):
        """In bytes; None: not known where it is declared."""
        entry = self._entries.get(place)
        if entry is None or entry.tag == "array_type" and None in entry.bounds():
            return None
        if entry.tag == "array_type":
            size = self._size(entry.type)
            for bound in entry.bounds():
                size *= bound
            return size
        return entry.number("byte_size") if "byte_size" in entry.attributes else self._size(entry.type)

    def _type(self, place):
        entry = self._entries.get(place)
        if entry is None:
            return "void"
        if entry.tag == "pointer_type":
            target = self._entries.get(entry.type)
            if target is not None and target.tag == "subroutine_type":
                return self._subroutine(target).replace(" (", " (*)(", 1)
            return f"{self._type(entry.type)} *"
        if entry.tag in ("const_type", "volatile_type", "restrict_type"):
            return f"{self._type(entry.type)} {entry.tag[:-5]}"
        if entry.tag == "array_type":
            return self._type(entry.type) + "".join(f"[{'' if bound is None else bound}]" for bound in entry.bounds())
        if entry.tag == "subroutine_type":
            return self._subroutine(entry)
        word = {"structure_type": "struct ", "union_type": "union ", "enumeration_type": "enum "}.get(entry.tag, "")
        if word and not entry.name:
            return f"{word}{{{'; '.join(self._members(entry, 0))}}}"
        return word + entry.name

    def _subroutine(self, entry):
        arguments = [self._type(child.type) if child.tag == "formal_parameter" else "..." for child in entry.children]
        return f"{self._type(entry.type)} ({', '.join(arguments) or 'void'})"


class Entry:
    """One entry of debugging information."""

    def __init__(self, depth, tag):
        self.depth, self.tag, self.attributes, self.children = depth, tag, {}, []

    @property
    def name(self):
        return self.attributes.get("name", "")

    @property
    def type(self):
        return int(re.match("<(\\w+)>", self.attributes["type"])[1], 16) if "type" in self.attributes else None

    def number(self, key, default=None):
        return int(self.attributes[key].split()[0], 0) if key in self.attributes else default

    def bounds(self):
        """Of an array: how many elements each dimension has, None where that is not said."""
        return [child.number("upper_bound") + 1 if "upper_bound" in child.attributes else None for child in self.children]


def readelf(what, path):
    return subprocess.run(["readelf", "--wide", f"--debug-dump={what}", path], check=True, capture_output=True, text=True).stdout


def entries_of(text):
    """The entries by their places."""
    entries, above = {}, []
    for line in text.splitlines():
        head = re.match(r" <(\w+)><(\w+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)", line)
        attribute = re.match(r"    <\w+> +DW_AT_(\w+) *: *(?:\([^()]*\):? ?)*(.*?)\s*$", line)
        if head:
            entry = Entry(int(head[1], 16), head[3])
            del above[entry.depth:]
            if above:
                above[-1].children.append(entry)
            above.append(entry)
            entries[int(head[2], 16)] = entry
        elif attribute and above:
            above[-1].attributes[attribute[1]] = attribute[2]
    return entries


def files_of(text):
    """The paths of files by the numbers that entries have for them."""
    folders = dict(re.findall(r"^  (\d+)\t(\S.*)$", text.partition("The File Name Table")[0], re.M))
    files = re.findall(r"^  (\d+)\t(\d+)\t\d+\t\d+\t(.*)$", text.partition("The File Name Table")[2], re.M)
    return {int(number): str(Path(folders.get(folder, "/"), name)) for number, folder, name in files}
