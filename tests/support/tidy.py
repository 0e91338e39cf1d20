#!/usr/bin/env python3
"""Reads C files with clang-tidy, several at a time. A file in which nothing was found is not read again until what the
preprocessor makes of it, its compiler's options, the checks or clang-tidy change, so that a run that was ended goes on
where it was. A file that no build compiles is always read.

usage: tidy.py BUILD_FOLDER <LIST_OF_FILES"""

import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys

OPTIONS = ["--quiet", f"--extra-arg=-I{os.getcwd()}/lib"]  # examples include gpurt.h as it is installed


def output_of(command, folder=None):
    return subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout


def words_of(command):
    words = shlex.split(command)
    return words[1:] if os.path.basename(words[0]) == "ccache" else words


def preprocessed(command, folder):
    """What the compiler sees of the file, with its macros and its comments, which may have a NOLINT."""
    words = words_of(command)
    for option in ("-o", "-MF", "-MT"):
        if option in words:
            del words[words.index(option) : words.index(option) + 2]
    return output_of([word for word in words if word not in ("-c", "-MD")] + ["-E", "-CC", "-dD"], folder)


class Reader:
    def __init__(self, build, files):
        self.build, self.files = build, files
        with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as stream:
            self.commands = {os.path.relpath(entry["file"]): entry for entry in json.load(stream)}
        self.done_file = os.path.join(build, "tidy.done")
        self.done = set()
        if os.path.exists(self.done_file):
            with open(self.done_file, encoding="utf-8") as stream:
                self.done = {line.split()[0] for line in stream if line.endswith("\n")}
        self.rules = output_of(["clang-tidy", "--version"]) + " ".join(OPTIONS).replace(os.getcwd(), "").encode()
        for name in output_of(["git", "ls-files", "*.clang-tidy"]).decode().split():
            with open(name, "rb") as stream:
                self.rules += stream.read()

    def key(self, file):
        """None of a file without a command: clang-tidy takes a neighbour's then, and nobody knows which."""
        entry = self.commands.get(file)
        if entry is None:
            return None
        text = "\n".join(words_of(entry["command"])).encode() + preprocessed(entry["command"], entry["directory"])
        return hashlib.sha256(self.rules + file.encode() + text.replace(os.getcwd().encode(), b"")).hexdigest()

    def read(self, file):
        """Whether the file is in order, and whether that was known."""
        try:
            key = self.key(file)
        except subprocess.CalledProcessError as error:
            print(f"{file}:\n{error.stderr.decode(errors='replace').strip() or error}", flush=True)
            return False, False
        if key in self.done:
            return True, True
        found = subprocess.run(["clang-tidy", "-p", self.build, *OPTIONS, file], capture_output=True, text=True)
        if found.returncode == 0 and not found.stdout.strip():
            if key:
                with open(self.done_file, "a", encoding="utf-8") as stream:
                    stream.write(f"{key} {file}\n")
            return True, False
        print(f"{file}:\n{found.stdout.strip() or found.stderr.strip()}", flush=True)
        return False, False


def main():
    reader = Reader(sys.argv[1], sys.stdin.read().split())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(reader.read, reader.files))
    bad = sum(not good for good, _ in results)
    known = sum(known for _, known in results)
    print(f"clang-tidy: {len(results)} files, {known} of them as they were when read before, {bad} with findings")
    sys.exit(1 if bad else 0)


main()
