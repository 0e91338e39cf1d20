"""Finds calls of which two arguments draw random numbers: C leaves open which of them is drawn first, so that one compiler
would make other cases of a seed than the next: gcc draws the last one first, clang the first. Operands of + and *, and elements of a braced
list, whose order is open, too, are not looked at: gcc and clang agree on them."""
import re

DRAWS = {"grt_random_bits", "grt_random_below", "grt_random_uniform"}
STARTS = {"grt_random_stream", "grt_random_of_key"}  # who has a generator of its own takes nothing out of another's
NO_CALLS = {"if", "for", "while", "switch", "return", "sizeof"}
CALLED = re.compile(r"\b(\w+)\(")


def bodies(source):
    """(name, whether only this file can call it, the names that it calls) of every function."""
    lines = source.code.split("\n")
    for name, first, length in source.functions():
        head, _, body = "\n".join(lines[first - 1:first - 1 + length]).partition("{")
        yield name, source.path.endswith(".c") and "static" in head.split(), set(CALLED.findall(body))


def drawing(sources):
    """The functions that draw, themselves or through others: those of all files, and those of each file alone."""
    functions = [(path, *body) for path, source in sources.items() for body in bodies(source)]
    everywhere, inside = set(DRAWS), {path: set() for path in sources}
    found = True
    while found:
        found = False
        for path, name, own, called in functions:
            known = inside[path] if own else everywhere
            if name not in known | STARTS and not called & STARTS and not called.isdisjoint(everywhere | inside[path]):
                known.add(name)
                found = True
    return everywhere, inside


def calls(code):
    """(where its parenthesis is, name, arguments) of every call by a function's name."""
    open_calls = []
    for match in re.finditer(r"(\w+)?\s*(\()|[,;{})]", code):
        here = match.end()
        if match.group(2):
            open_calls.append((match.group(1), [here]))
        elif match.group() == ")" and open_calls:
            name, starts = open_calls.pop()
            if name and name not in NO_CALLS and not name.isupper():
                ends = starts[1:] + [here]
                yield starts[0], name, [code[start:end - 1] for start, end in zip(starts, ends)]
        elif match.group() == "," and open_calls:
            open_calls[-1][1].append(here)
        elif match.group() in "{}":
            open_calls.clear()


def check_draws(sources):
    """No two arguments of a call draw random numbers."""
    everywhere, inside = drawing(sources)
    for path, source in sources.items():
        known = everywhere | inside[path]
        if sum(name in known for name in CALLED.findall(source.code)) < 2:
            continue
        for place, name, arguments in calls(source.code):
            if sum(not known.isdisjoint(CALLED.findall(argument)) for argument in arguments) > 1:
                yield f"{path}:{source.line(place)}: two arguments of {name} draw: draw before the call, in an order that is seen"
