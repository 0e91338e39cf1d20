"""What the documents show: fenced blocks, commands with what they print, links, headings."""
import re
from dataclasses import dataclass, field

FENCE = re.compile(r"^( *)```(.*)$")
LANGUAGES = ("sh", "console", "json", "text", "c", "cmake", "python", "bibtex", "")
FILE_MARK = re.compile(r"^<!-- file: (\S+) -->$")
FILES_OF = re.compile(r"^<!-- files of: (\S+) -->$", re.MULTILINE)
# What only programs print: rules of tables, the axis of a chart, how a run begins.
PRINTED = re.compile(r"^([─-]{20,}|\s*┬─+.*|\S+: worst case under .*)$", re.MULTILINE)
PROGRAMS = ("gpurt", "gpurt-calib", "gpurt-view")


@dataclass
class Block:
    """Lines between two fences. `name`: that of the file that the block shows, if a line before it says so."""

    line: int
    language: str
    lines: list
    name: str = None


@dataclass
class Command:
    """A line of the shell; `shown`: the lines of output below it, None where outputs are not shown; `code`: how it has to end."""

    line: int
    text: str
    code: int = 0
    shown: list = None
    end: int = 0  # the line behind the output
    inline: bool = field(default=False)


def page_paths(root):
    return [root / "README.md"] + sorted((root / "docs").rglob("*.md"))


def blocks(text):
    found, block, name = [], None, None
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if fence and block is None:
            block = Block(number, fence[2], [], name)
        elif fence:
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
        mark = FILE_MARK.match(line)
        name = mark[1] if mark else (name if not line.strip() else None)
    if block is not None:
        raise ValueError(f"line {block.line}: a fence is not closed")
    return found


def code_of(line):
    said = re.search(r"# exit code (\d+)", line)
    return int(said[1]) if said else 0


def commands_of_shell(block):
    lines, number = iter(block.lines), block.line
    for line in lines:
        number += 1
        first, text = number, line
        while text.endswith("\\"):
            text += "\n" + next(lines)
            number += 1
        if text.strip() and not text.lstrip().startswith("#"):
            yield Command(first, text, code_of(text))


def commands_of_console(block):
    command = None
    for number, line in enumerate(block.lines, block.line + 1):
        if line.startswith("$ "):
            if command is not None:
                yield command
            command = Command(number, line[2:], code_of(line), [], number + 1)
        elif command is not None and command.text.endswith("\\"):
            command.text += "\n" + line
            command.code = command.code or code_of(line)
            command.end = number + 1
        elif command is not None:
            command.shown.append(line)
            command.end = number + 1
    if command is not None:
        yield command


def is_console(block):
    return block.language == "console" or (block.language == "" and block.lines and block.lines[0].startswith("$ "))


def is_synopsis(block):
    """A list of commands with words for their arguments."""
    return block.language == "text" or any("[OPTION" in line for line in block.lines)


def commands(block):
    if block.language == "sh":
        return list(commands_of_shell(block))
    return list(commands_of_console(block)) if is_console(block) else []


def has_bare_bracket(text):
    """Whether a shell that replaces patterns of names, such as zsh, would refuse the command: tasks[0] without quotes."""
    bare = re.sub(r"'[^']*'|\"(\\.|[^\"\\])*\"|(^|\s)#.*", "", text)
    return re.search(r"\w\[\w", bare) is not None


def inline_commands(text, programs=PROGRAMS):
    """Commands of the programs in the text itself, between single backticks, also over the end of a line."""
    outside, inside = [], False
    for line in text.split("\n"):
        inside ^= bool(FENCE.match(line))
        outside.append("" if inside or FENCE.match(line) else line)
    for found in re.finditer(r"`((?:%s) [^`]+)`" % "|".join(map(re.escape, programs)), "\n".join(outside)):
        number = "\n".join(outside)[: found.start()].count("\n") + 1
        yield Command(number, re.sub(r"\s*\n\s*", " ", found[1]).replace("\\|", "|"), inline=True)


def sections(text):
    """A page's sections by their anchors, as the usual web pages of repositories make them: from a heading to the next one of any level."""
    seen, found, anchor, inside = {}, {}, None, False
    for line in text.split("\n"):
        inside ^= bool(FENCE.match(line))
        heading = re.match(r"^#{1,6} (.*)$", line) if not inside else None
        if heading:
            words = re.sub(r"\]\([^)]*\)", "]", heading[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            anchor = f"{slug}-{count}" if count else slug
            found[anchor] = ""
        if anchor is not None:
            found[anchor] += line + "\n"
    return found


def headings(text):
    """The anchors of a page."""
    return set(sections(text))


def links(text):
    """Targets of links and pictures, with their lines."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        inside ^= bool(FENCE.match(line))
        if not inside:
            plain = re.sub(r"`[^`]*`", "", line)
            for target in re.findall(r"\]\(([^)]+)\)", plain):
                yield number, target
