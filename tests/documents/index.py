"""What holds the documents together: links, the index in docs/README.md, the version to cite, and commands in descriptions of files."""
import re
import subprocess

from page import headings, links, page_paths, sections

INDEX = "docs/README.md"


def check_links(root):
    texts = {path: path.read_text() for path in page_paths(root)}
    for path, text in texts.items():
        for line, target in links(text):
            file, _, anchor = target.partition("#")
            goal = (path.parent / file).resolve() if file else path
            if re.match(r"[a-z]+:", target):
                continue
            if not goal.exists():
                yield f"{path.relative_to(root)}:{line}: there is no {file}"
            elif anchor and goal.suffix == ".md" and anchor not in headings(goal.read_text()):
                yield f"{path.relative_to(root)}:{line}: {file or 'this page'} has no heading #{anchor}"


def indexed(root):
    """Where the index leads: pages, and pages with anchors."""
    path = root / INDEX
    return [(path.parent / target).resolve().relative_to(root.resolve()).as_posix() if not target.startswith("#") else target
            for _, target in links(path.read_text()) if not re.match(r"[a-z]+:", target)]


def check_index_of_pages(root):
    known = {target.split("#")[0] for target in indexed(root)}
    for path in page_paths(root):
        name = path.relative_to(root).as_posix()
        if name != INDEX and not name.startswith("docs/decisions/") and name not in known:
            yield f"{INDEX}: does not name {name}"


def check_citation(root):
    """The version that people cite is the version that there is."""
    header = (root / "sim/version.h").read_text()
    version = ".".join(re.search(rf"^#define GRT_VERSION_{part} (\d+)$", header, re.MULTILINE)[1] for part in ("MAJOR", "MINOR", "PATCH"))
    for name, pattern in (("CITATION.cff", r"^version: (\S+)$"), ("README.md", r"^  version = \{(\S+)\}")):
        said = re.findall(pattern, (root / name).read_text(), re.MULTILINE)
        if said != [version]:
            yield f"{name}: says version {', '.join(said) or 'none'}, sim/version.h {version}"


def check_descriptions(root):
    """Scenarios and experiments say how to try them, too. A shell that replaces patterns of names would refuse tasks[0] without quotes."""
    for path in sorted(root.glob("scenarios/**/*.json")):
        for number, line in enumerate(path.read_text().split("\n"), 1):
            found = re.search(r"--set[ =][^'\"\s]*\w\[\w[^\"\s]*", line)
            if found:
                yield f"{path.relative_to(root)}:{number}: `{found[0]}` needs quotes around its ["


def names_of(programs, *arguments):
    run = subprocess.run([f"{programs}/gpurt", *arguments], capture_output=True, text=True, check=True)
    return re.findall(r"^([a-z][a-z0-9+-]*)(?:  .*)?$", run.stdout, re.MULTILINE)


def check_index_of_names(root, programs, least_policies=20, least_analyses=16):
    """Every policy and every analysis has a link of its name in the index, to a heading of its own."""
    text = (root / INDEX).read_text()
    for kind, names, least in (("policy", names_of(programs, "policies"), least_policies),
                               ("analysis", names_of(programs, "analyze", "--list"), least_analyses)):
        if len(names) < least:
            yield f"gpurt names only {len(names)} of {kind}"
        for name in names:
            targets = re.findall(rf"\[`{re.escape(name)}`\]\(([^)]*#[^)]*)\)", section(text, kind))
            anchors = {target.split("#")[1] for target in targets}
            if len(targets) != 1 or not any(name.replace("+", "") in anchor for anchor in anchors):
                yield f"{INDEX}: {kind} {name} has no link to a heading of its own"
                continue
            page, anchor = targets[0].split("#")
            said = sections((root / "docs" / page).read_text()).get(anchor, "")
            for needed in needs(kind, name, programs):
                if needed not in said:
                    yield f"docs/{page}: the section of {kind} {name} does not have {needed}"


def needs(kind, name, programs):
    """A policy's section leads to its parameters; an analysis's names its policies, or says that it has none."""
    if kind == "policy":
        return [f"scenario-reference.md#policy-{name.replace('+', '')})"]
    listed = subprocess.run([f"{programs}/gpurt", "analyze", "--list", "--width", "1000"], capture_output=True, text=True, check=True).stdout
    of = re.search(rf"^{re.escape(name)}\n.*\n  of ([^;\n]*)", listed, re.MULTILINE)[1]
    return ["of no policy"] if of.startswith("no policy") else [f"`{policy}`" for policy in re.split(r", | and ", of)]


def section(text, kind):
    begin = text.find("## Every " + kind)
    end = text.find("\n## ", begin + 1)
    return text[begin : end if end >= 0 else len(text)] if begin >= 0 else ""
