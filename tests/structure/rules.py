"""Checks docs/gpu-model.md: every numbered rule has a row in the table of tests, and what the table names exists.

A rule is written down where its name begins bold text: **G1**, **R1-R3**, **E1, E2**, **Q1, `single`.** A row of the table is
`| rules | tests |`; in its second column, names in backticks are files of tests (in tests/unit/ unless a folder is written),
folders of tests, functions of the row's files, or, with a hyphen, scenarios of scenarios/rules/ without their ending (* for any).
"""
import re

DOCUMENT = "docs/gpu-model.md"
HEADING = "## Which test holds which rule"
RULE = r"[A-Z]\d+[a-z]?"
NAMES = re.compile(rf"\b({RULE})(?:-({RULE}))?")
DEFINITION = re.compile(rf"\*\*({RULE}(?:(?:-|, )(?:{RULE}))*)\b[^*]*\*\*")


def names_in(text):
    """The rules that a text names, ranges as R1-R3 spelled out."""
    for first, last in NAMES.findall(text):
        yield first
        if last:
            for number in range(int(first[1:]) + 1, int(last[1:]) + 1):
                yield f"{first[0]}{number}"


def defined_rules(lines):
    """{name: line} of the rules that are written down."""
    rules = {}
    for number, line in enumerate(lines, 1):
        for match in DEFINITION.finditer(line):
            for name in names_in(match.group(1)):
                rules.setdefault(name, number)
    return rules


def rows_of_table(lines):
    """(line, rules, names in backticks) of every row."""
    start = next((i for i, line in enumerate(lines) if line.startswith(HEADING)), len(lines))
    for number, line in enumerate(lines[start + 1:], start + 2):
        if line.startswith("## "):
            return
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 2 and not re.fullmatch("[-: ]*", cells[0]) and cells[0] != "rules":
            yield number, list(names_in(cells[0])), re.findall("`([^`]+)`", cells[1])


def file_of(root, name):
    """The file or folder of tests that a name means; None where it means something else."""
    if name.startswith("tests/"):
        return root / name
    if name.endswith(".c"):
        return root / "tests" / (name if "/" in name else f"unit/{name}")
    return None


def check_row(root, number, names):
    files = [path for path in (file_of(root, name) for name in names) if path]
    texts = [path.read_text(encoding="utf-8") for path in files if path.is_file()]
    for name in names:
        path = file_of(root, name)
        if path:
            if not path.exists():
                yield f"{DOCUMENT}:{number}: there is no {path.relative_to(root).as_posix()}"
        elif re.fullmatch(r"\w+", name):
            if not any(re.search(rf"^\w.*\b{name}\(", text, re.M) for text in texts):
                yield f"{DOCUMENT}:{number}: no file of this row has a function {name}"
        elif not list((root / "scenarios" / "rules").glob(f"{name}.json")):
            yield f"{DOCUMENT}:{number}: there is no scenarios/rules/{name}.json"
    if not names:
        yield f"{DOCUMENT}:{number}: no test is named in this row"


def check_rules(root):
    """Every rule has a row, every row a rule that is written down, and what is named exists."""
    document = root / DOCUMENT
    lines = document.read_text(encoding="utf-8").split("\n") if document.exists() else []
    rules, rows = defined_rules(lines), list(rows_of_table(lines))
    held = {name for _, names, _ in rows for name in names}
    if not rules or not rows:
        yield f"{DOCUMENT}:1: no {'table of tests' if rules else 'rules are written down'}"
        return
    for name, line in rules.items():
        if name not in held:
            yield f"{DOCUMENT}:{line}: rule {name} has no row in the table of tests"
    for number, names, tests in rows:
        yield from (f"{DOCUMENT}:{number}: rule {name} is not written down" for name in names if name not in rules)
        yield from check_row(root, number, tests)
