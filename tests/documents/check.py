#!/usr/bin/env python3
"""The documents hold: commands in README.md and docs/ run, what they show is what comes out, files that they show are good ones,
options exist, links lead somewhere, and docs/README.md names every page, policy and analysis.

usage: check.py pages                          names of the pages that have something to run
       check.py page NAME --programs F --scratch F   run the commands of a page (GRT_UPDATE=1: and write what they print;
                                               GRT_VERBOSE=1: say how long each takes); others: of all pages that `pages` leaves out
       check.py links                          links, the index of pages, and the version to cite
       check.py index --programs F             the index of policies and analyses
       check.py left-out                       what is not run as it stands, and why
       check.py --self-test                    prove on made-up pages that every check can fail
"""
import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import self_test
from adapted import FIXTURES, HIDDEN, PLACEHOLDER, adapt
from index import INDEX, check_citation, check_descriptions, check_index_of_names, check_index_of_pages, check_links
from page import FILES_OF, LANGUAGES, PRINTED, PROGRAMS, blocks, commands, has_bare_bracket, inline_commands, is_console, is_synopsis, page_paths

TIME_LIMIT = 120  # seconds for a command
# A command fails where any of it does: head reads to the end, so that who writes to it does not.
SHELL = ["bash", "-e", "-o", "pipefail", "-c"]
PRELUDE = 'head() { command head "$@" && cat >/dev/null; }\n'
SHORT = r"gpurt (policies|devices|usages|schema|reference|analyze --list|papers --list|--man=|--completion=)"
WHOLE = re.compile(r'^\s*\{\s*"gpurt(_experiment|_device|_kernels|_usage|_pretend)?":')


def page_name(root, path):
    """README, gpurt, decisions/0001-event-queue, ...; the index of docs/ is index."""
    name = str(path.relative_to(root).with_suffix(""))
    return {"README": "README", "docs/README": "index"}.get(name, name.removeprefix("docs/"))


@functools.cache
def blocks_of(path):
    return blocks(path.read_text())


def is_run(command):
    """Of the commands in the text, those that say all that they need."""
    return not PLACEHOLDER.search(command.text) and (re.search(r"scenarios/| quickstart\b", command.text) or re.match(SHORT, command.text))


def has_commands(text):
    """Something to run, and not only options to look up."""
    return (any(commands(block) or WHOLE.match("\n".join(block.lines)) for block in blocks(text))
            or any(is_run(command) for command in inline_commands(text)))


def pages(root):
    return {page_name(root, path): path for path in page_paths(root) if has_commands(path.read_text())}


def other_pages(root):
    return [page_name(root, path) for path in page_paths(root) if not has_commands(path.read_text())]


def is_part_of_json(text):
    """A value, members of an object, or objects below each other."""
    text = re.sub(r"\}\n([{\"])", r"},\n\1", text.strip().rstrip(","))
    for whole in ("%s", "{%s}", "[%s]"):
        try:
            json.loads(whole % text)
            return True
        except ValueError:
            pass
    return False


class Runner:
    """Runs the commands of one page in a folder of its own."""

    def __init__(self, root, name, programs, scratch, helps):
        self.root, self.name, self.scratch = root, name, Path(scratch)
        self.path = page_path(root, name)
        self.text = self.path.read_text()
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.errors, self.ran, self.left_out, self.helps = [], 0, 0, helps
        self.environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", LC_ALL="C.UTF-8", NO_COLOR="1",
                                SOURCE=str(root), TERM="dumb", SDL_VIDEODRIVER="dummy")
        self.environment.pop("COLUMNS", None)

    def error(self, line, sentence):
        self.errors.append(f"{self.path.relative_to(self.root)}:{line}: {sentence}")

    def shell(self, text):
        """Both outputs, as they come, and the exit code."""
        try:
            done = subprocess.run([*SHELL, PRELUDE + text], cwd=self.scratch, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return f"still running after {TIME_LIMIT} s", -1
        return done.stdout.decode("utf-8", "replace"), done.returncode

    def prepare(self):
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        for folder in ("scenarios", "docs", "examples"):
            if (self.root / folder).exists():
                (self.scratch / folder).symlink_to(self.root / folder)
        for path in [*self.other_pages(), self.path]:
            for block in blocks_of(path):
                if block.name:
                    self.put(block)
        output, code = self.shell(FIXTURES[""] + FIXTURES.get(self.name, ""))
        if code != 0:
            self.error(0, f"its files cannot be made: {output}")

    def other_pages(self):
        """Pages whose files this one goes on with: a comment names them, for us, and a link, for readers."""
        for name in FILES_OF.findall(self.text):
            if f"]({name}" not in self.text:
                self.error(0, f"takes the files of {name}, but has no link to it")
            yield self.path.parent / name

    def put(self, block, name=None):
        path = self.scratch / (name or block.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(block.lines) + "\n")

    def check_file(self, block):
        """A block that is a whole file of gpurt is a good one."""
        text = "\n".join(block.lines)
        name = block.name or f"shown-{block.line}.json"
        if WHOLE.match(text) and block.language == "json":
            self.put(block, name)
            check = f"gpurt-calib list --backend=sim --pretend={name}" if '"gpurt_pretend"' in text else f"gpurt check {name}"
            output, code = self.shell(check)
            self.ran += 1
            if code != 0:
                self.error(block.line, f"is not a good file: {output}")
        elif block.language == "json" and not is_part_of_json(text):
            self.error(block.line, "is no JSON, nor members or elements of it")
        elif block.name:
            self.put(block)

    def without_gnuplot(self, command):
        return re.search(r"\bgpurt (plot|papers)|--pictures|gnuplot", command) and not shutil.which("gnuplot")

    def missing_program(self, text):
        """A program of gpurt that this build has not, such as gpurt-view without SDL."""
        used = {word for word in PROGRAMS if re.search(rf"(^|[\s|;&(]){word}(\s|$)", text)}
        return any(not shutil.which(word, path=self.environment["PATH"]) for word in used)

    def run(self, command):
        text, _ = adapt(self.name, command)
        if text is None or self.missing_program(text) or self.without_gnuplot(text):
            self.left_out += 1
            return None
        self.is_adapted = text != command.text
        begin = time.monotonic()
        output, code = self.shell(text)
        self.ran += 1
        if code != command.code:
            self.error(command.line, f"`{text}` ends with {code} instead of {command.code}:\n{output[-2000:]}")
        if os.environ.get("GRT_VERBOSE"):
            print(f"{time.monotonic() - begin:7.2f} s  {text}")
        return output

    def check_shown(self, command, output):
        """What is shown is what came out; a line "..." stands for any lines."""
        lines = "\n".join(command.shown).rstrip("\n").split("\n")
        pattern = "".join(r"(?:[^\n]*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines)
        if not re.fullmatch(pattern, output.rstrip("\n") + "\n"):
            self.error(command.line, f"`{command.text}` prints something else (GRT_UPDATE=1 writes it):\n{output}")

    def check_block(self, block):
        """It is of a language that is known here, and what a program printed stands below its command."""
        first = block.lines[0] if block.lines else ""
        if block.language not in LANGUAGES:
            self.error(block.line, f"a block of {block.language} is none of {', '.join(filter(None, LANGUAGES))}")
        if block.language == "" and not is_synopsis(block) and re.match(rf"({'|'.join(PROGRAMS)}) ", first):
            self.error(block.line, "a block of commands is ```sh, or ```console with what they print")
        elif block.language == "" and not is_synopsis(block) and not is_console(block):
            self.error(block.line, "a block needs a language: text, if it is nothing else")
        if block.language == "text" and PRINTED.search("\n".join(block.lines)):
            self.error(block.line, "what a program prints is ```console, below its command")

    def check_options(self, command):
        """Every option of a command is in the help of its program."""
        if has_bare_bracket(command.text):
            self.error(command.line, f"`{command.text}` needs quotes around its [")
        for part in re.split(r"\s[|;&]+\s|\s#\s", command.text):
            words = part.split()
            words = words[1:] if words and words[0].startswith("SDL_") else words
            if words[:1] == ["./dev"] and words[1:] and not re.search(rf"^  {re.escape(words[1])}\b", (self.root / "dev").read_text(), re.MULTILINE):
                self.error(command.line, f"there is no command `{' '.join(words[:2])}`")
            if not words or words[0] not in PROGRAMS or words[1:2] == ["..."] or self.missing_program(words[0] + " "):
                continue
            known = self.help(words)
            if known is None:
                self.error(command.line, f"there is no command `{' '.join(words[:2])}`")
                continue
            for option in re.findall(r"(?<=\s)--[a-z][a-z0-9-]*", part):
                if option not in HIDDEN and not re.search(rf"{option}\b(?!-)", known):
                    self.error(command.line, f"`{words[0]} {words[1]}` has no option {option}")

    def help(self, words):
        has_command = words[0] != "gpurt-view" and len(words) > 1 and re.fullmatch(r"[a-z]+", words[1])
        call = " ".join(words[:2]) if has_command else words[0]
        call = words[0] if call.endswith(" help") else call
        if call not in self.helps:
            output, code = self.shell(f"{call} --help")
            self.helps[call] = output if code == 0 else None
        return self.helps[call]

    def run_blocks(self):
        for block in blocks_of(self.path):
            self.check_block(block)
            self.check_file(block)
            for command in commands(block):
                self.check_options(command)
                output = self.run(command)
                if output is not None and command.shown is not None and not self.is_adapted:
                    self.update(command, output) if os.environ.get("GRT_UPDATE") else self.check_shown(command, output)

    def update(self, command, output):
        if "..." not in command.shown:
            command.made = output.rstrip("\n").split("\n") if output else []
            self.updates.append(command)

    def run_inline(self):
        for command in inline_commands(self.text):
            self.check_options(command)
            self.check_names(command)
            if is_run(command):
                self.run(command)
        for command in inline_commands(self.text, ("--set", "./dev")):
            self.check_options(command)

    def check_pictures(self):
        """What a page's commands write to pictures/ is in docs/pictures, as it is."""
        for path in sorted(self.scratch.glob("pictures/*")):
            known = self.root / "docs" / "pictures" / path.name
            if known.exists() and known.read_bytes() == path.read_bytes():
                continue
            if os.environ.get("GRT_UPDATE"):
                shutil.copyfile(path, known)
            else:
                self.error(0, f"docs/pictures/{path.name} is not what its command draws (GRT_UPDATE=1 writes it)")

    def check_names(self, command):
        """Experiments of papers take minutes: that there is one of the name is enough."""
        words = command.text.split()
        if words[:2] == ["gpurt", "papers"] and not self.missing_program("gpurt "):
            known = self.shell("gpurt papers --list")[0].split()
            for name in words[2:]:
                if re.fullmatch(r"[a-z][a-z0-9-]*[a-z0-9]", name) and name not in known:
                    self.error(command.line, f"there is no experiment or paper {name}")

    def write_updates(self):
        lines = self.text.split("\n")
        for command in sorted(self.updates, key=lambda each: -each.line):
            count = command.text.count("\n") + 1
            lines[command.line - 1 + count : command.end - 1] = command.made
        if "\n".join(lines) != self.text:
            self.path.write_text("\n".join(lines))

    def run_page(self):
        self.updates = []
        if has_commands(self.text):
            self.prepare()
        self.run_blocks()
        self.run_inline()
        self.check_pictures()
        self.write_updates()
        return self.errors


def page_path(root, name):
    return {"README": root / "README.md", "index": root / INDEX}.get(name, root / "docs" / f"{name}.md")


def report(errors, what):
    print("\n".join(list(errors) + [what]))
    return 1 if errors else 0


def show_left_out(root):
    for name, path in pages(root).items():
        found = [each for block in blocks(path.read_text()) for each in commands(block)]
        for command in found + [each for each in inline_commands(path.read_text()) if is_run(each)]:
            text, reasons = adapt(name, command)
            if text != command.text:
                print(f"{name}:{command.line}: {command.text}\n    {text if text else 'not run'}: {'; '.join(reasons)}")
    return 0


def run_pages(root, names, programs, scratch):
    helps = {}  # of each command
    runners = [Runner(root, name, programs, scratch, helps) for name in names]
    errors = [error for runner in runners for error in runner.run_page()]
    return errors, sum(runner.ran for runner in runners), sum(runner.left_out for runner in runners)


def check_links_and_more(root):
    return [*check_links(root), *check_index_of_pages(root), *check_citation(root), *check_descriptions(root)]


def run_self_test():
    return self_test.run(lambda name, root, programs, scratch: run_pages(root, [name], programs, scratch)[0],
                         lambda root, programs, scratch: check_links_and_more(root),
                         lambda root, programs, scratch: check_index_of_names(root, programs, 2, 1))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("pages", "page", "links", "index", "left-out"), default="pages")
    parser.add_argument("name", nargs="?")
    parser.add_argument("--programs")
    parser.add_argument("--scratch")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args(arguments)
    root, given.programs = given.root.resolve(), given.programs and os.path.abspath(given.programs)
    if given.self_test:
        return run_self_test()
    if given.what == "pages":
        print("\n".join(pages(root)))
        return 0
    if given.what == "links":
        errors = check_links_and_more(root)
        return report(errors, f"{len(page_paths(root))} pages, {len(errors)} errors")
    if given.what == "index":
        errors = list(check_index_of_names(root, given.programs))
        return report(errors, f"{len(errors)} errors")
    if given.what == "left-out":
        return show_left_out(root)
    names = other_pages(root) if given.name == "others" else [given.name]
    errors, ran, left_out = run_pages(root, names, given.programs, given.scratch)
    return report(errors, f"{given.name}: {ran} run, {left_out} left out, {len(errors)} errors")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
