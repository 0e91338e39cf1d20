"""Proves on made-up pages that every check of check.py can fail, and that good pages pass."""
import tempfile
from pathlib import Path

# Stands for gpurt: knows --known, prints what it is told to, refuses files with "bad" in them.
PROGRAM = """#!/bin/sh
case "$*" in
*--help) echo "  --known  --say=TEXT" ;;
say*) shift; echo "$@" ;;
check*) ! grep -q bad "$2" ;;
policies) printf 'np-fp   a policy\\nfmlp+   another one\\n' ;;
"analyze --list"*) printf 'demand\\n  what it is\\n  of np-fp and fmlp+; exact\\n' ;;
"papers --list") echo "figure-1  a paper" ;;
fail*) exit 3 ;;
esac
"""
FENCE = "```"
GOOD = f"""# Good
<!-- file: one.json -->
{FENCE}json
{{ "gpurt": 1 }}
{FENCE}

{FENCE}json
"policy": {{ "name": "np-fp" }}
"policy": {{ "name": "np-edf" }}
{FENCE}

{FENCE}json
{{ "a": 1 }}
{{ "b": 2 }}
{FENCE}

{FENCE}console
$ gpurt say "one two" | sort
one two
$ gpurt say three; gpurt say four; gpurt say five
three
...
five
$ gpurt fail    # exit code 3
{FENCE}

{FENCE}sh
test -s one.json   # the file is there
gpurt say \\
  --known
{FENCE}

As `gpurt papers figure-1` shows, `./dev test` and `--set 'a[0].b=1'`.

<!-- files of: other.md -->
With the file of [another page](other.md):
{FENCE}sh
test -s two.json
{FENCE}
"""
# What is wrong, the page, and what is said of it.
BAD_PAGES = [
    ("a command fails", f"{FENCE}sh\ngpurt fail\n{FENCE}\n", "ends with 3 instead of 0"),
    ("a command should fail", f"{FENCE}sh\ngpurt say a # exit code 3\n{FENCE}\n", "ends with 0 instead of 3"),
    ("output differs", f"{FENCE}console\n$ gpurt say one\ntwo\n{FENCE}\n", "prints something else"),
    ("output is longer", f"{FENCE}console\n$ gpurt say one; gpurt say two\none\n{FENCE}\n", "prints something else"),
    ("output differs behind dots", f"{FENCE}console\n$ gpurt say one; gpurt say two\n...\nthree\n{FENCE}\n", "prints something else"),
    ("a bad file", f'{FENCE}json\n{{ "gpurt": 1, "bad": 2 }}\n{FENCE}\n', "is not a good file"),
    ("no JSON", f'{FENCE}json\n"a": 1, "b"\n{FENCE}\n', "is no JSON"),
    ("no such option", f"{FENCE}sh\ngpurt say --unknown\n{FENCE}\n", "has no option --unknown"),
    ("no such option in the text", "As `gpurt say --unknown` does.\n", "has no option --unknown"),
    ("a command fails before a pipe", f"{FENCE}sh\ngpurt fail | sort\n{FENCE}\n", "ends with 3 instead of 0"),
    ("a command fails before another", f"{FENCE}sh\ngpurt fail; true\n{FENCE}\n", "ends with 3 instead of 0"),
    ("output is not shown", f"{FENCE}console\n$ gpurt say one\n{FENCE}\n", "prints something else"),
    ("a language that nothing looks at", f"{FENCE}bash\ngpurt say one\n{FENCE}\n", "a block of bash is none of"),
    ("no language", f"{FENCE}\none\n{FENCE}\n", "a block needs a language"),
    ("output without its command", f"{FENCE}text\ntask  ms\n{'-' * 20}\na      1\n{FENCE}\n", "what a program prints is"),
    ("a bracket without quotes", f"{FENCE}sh\ngpurt say a[0].b\n{FENCE}\n", "needs quotes around its ["),
    ("a bracket without quotes in the text", "Options such as `--set a[0].b=1`.\n", "needs quotes around its ["),
    ("no such command of dev", "As `./dev dance` does.\n", "there is no command `./dev dance`"),
    ("a file of another page", f"{FENCE}sh\ntest -s two.json\n{FENCE}\n", "ends with 1 instead of 0"),
    ("a file of another page without a link", f"<!-- files of: other.md -->\n{FENCE}sh\ntest -s two.json\n{FENCE}\n", "has no link to it"),
    ("commands without a language", f"{FENCE}\ngpurt say one\n{FENCE}\n", "a block of commands is"),
    ("a picture of another day", f"{FENCE}sh\nmkdir pictures; gpurt say one > pictures/one.svg\n{FENCE}\n", "one.svg is not what"),
    ("no such experiment", "As `gpurt papers figure-9` shows.\n", "no experiment or paper figure-9"),
    ("a command in the text fails", "`gpurt fail scenarios/x.json` does.\n", "ends with 3 instead of 0"),
]
INDEX = """# Index
[good](good.md) [other](other.md) [readme](../README.md)

## Every policy

[`np-fp`](good.md#np-fp) [`fmlp+`](good.md#fmlp)

## Every analysis

[`demand`](good.md#demand)
"""
NAMES = """
### np-fp

[none](scenario-reference.md#policy-np-fp)

### fmlp+

[some](scenario-reference.md#policy-fmlp)

### demand

Of `np-fp` and `fmlp+`.
"""
BASE = {
    "README.md": "# R\n  version = {1.2.3}\n",
    "CITATION.cff": "version: 1.2.3\n",
    "sim/version.h": "#define GRT_VERSION_MAJOR 1\n#define GRT_VERSION_MINOR 2\n#define GRT_VERSION_PATCH 3\n",
    "docs/README.md": INDEX.replace("[readme]", "[reference](scenario-reference.md) [readme]"),
    "docs/scenario-reference.md": "### Policy np-fp\n\n### Policy fmlp+\n",
    "docs/good.md": GOOD + NAMES,
    "docs/other.md": f'# Other\n<!-- file: two.json -->\n{FENCE}json\n{{ "gpurt": 1 }}\n{FENCE}\n',
    "scenarios/good.json": '{ "description": "Try --set \'a[0].b=1\'" }',
    "dev": "  test    tests\n",
}
BAD_LINKS = [
    ("no such page", {"docs/good.md": GOOD + "[x](nowhere.md)\n"}, "there is no nowhere.md"),
    ("no such heading", {"docs/good.md": GOOD + "[x](good.md#nothing)\n"}, "has no heading #nothing"),
    ("no such heading here", {"docs/good.md": GOOD + "[x](#nothing)\n"}, "has no heading #nothing"),
    ("a heading that is none", {"docs/good.md": GOOD + "## Two words\n[x](#Two words)\n"}, "has no heading #Two words"),
    ("another version", {"CITATION.cff": "version: 1.2.2\n"}, "says version 1.2.2, sim/version.h 1.2.3"),
    ("no version", {"README.md": "# R\n"}, "README.md: says version none"),
    ("a bracket without quotes in a description", {"scenarios/a.json": '{ "description": "--set a[0].b=1" }'}, "a.json:1: `--set a[0].b=1` needs quotes"),
    ("a page that the index leaves out", {"docs/more.md": "# More\n"}, "does not name docs/more.md"),
]
BAD_SECTIONS = [
    ("no parameters", NAMES.replace("policy-fmlp", "policy"), "policy fmlp+ does not have scenario-reference.md#policy-fmlp"),
    ("not of a policy", NAMES.replace("`np-fp`", "some"), "analysis demand does not have `np-fp`"),
]
BAD_NAMES = [
    ("a policy is missing", INDEX.replace("[`fmlp+`](good.md#fmlp)", ""), "policy fmlp+ has no link"),
    ("an analysis is missing", INDEX.replace("[`demand`](good.md#demand)", ""), "analysis demand has no link"),
    ("a policy without a heading", INDEX.replace("#np-fp", ""), "policy np-fp has no link"),
    ("a policy with another's heading", INDEX.replace("#np-fp", "#fmlp"), "policy np-fp has no link"),
]


def make(folder, files):
    for name, text in {**BASE, **files}.items():
        path = folder / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    program = folder / "programs" / "gpurt"
    program.parent.mkdir(exist_ok=True)
    program.write_text(PROGRAM)
    program.chmod(0o755)
    return folder / "root", folder / "programs"


def errors_of(check, files):
    """What `check` says of a tree with these files; it is given the tree and the programs' folder."""
    with tempfile.TemporaryDirectory() as folder:
        return list(check(*make(Path(folder), files), Path(folder) / "scratch"))


def run(run_page, check_links, check_names):
    """Each of the three takes a tree, the folder of programs and a scratch folder, and returns errors; run_page also a page's name."""
    page = lambda *where: run_page("good", *where)
    cases = [("a good page", page, {}, None), ("good links", check_links, {}, None), ("good names", check_names, {}, None)]
    cases += [(name, page, {"docs/good.md": text}, error) for name, text, error in BAD_PAGES]
    cases += [(name, check_links, {"docs/good.md": GOOD + NAMES, **files}, error) for name, files, error in BAD_LINKS]
    cases += [(name, check_names, {"docs/README.md": text}, error) for name, text, error in BAD_NAMES]
    cases += [(name, check_names, {"docs/good.md": GOOD + text}, error) for name, text, error in BAD_SECTIONS]
    failures = 0
    for name, check, files, expected in cases:
        errors = errors_of(check, files)
        good = not errors if expected is None else any(expected in error for error in errors)
        if not good:
            failures += 1
            print(f"{name}: {errors or 'nothing is said'}")
    print(f"{len(cases)} cases, {failures} failures")
    return 1 if failures else 0
