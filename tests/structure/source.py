"""Reads a C file as the structure check needs it: no compiler, only comments, literals, braces and lines."""
import re

COMMENT = r"//[^\n]*|/\*.*?\*/"
LITERAL = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
TOKENS = re.compile(f"({COMMENT})|({LITERAL})", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)


def spaces(match):
    return re.sub(r"[^\n]", " ", match.group())


class Source:
    def __init__(self, root, path):
        self.path = path.relative_to(root).as_posix()
        self.folder = self.path.split("/")[0]
        text = path.read_text(encoding="utf-8")
        self.line_count = text.count("\n")
        self.plain = TOKENS.sub(lambda m: m.group() if m.group(2) else spaces(m), text)  # without comments
        self.comments = [(m.start(), m.group()) for m in TOKENS.finditer(text) if m.group(1)]
        self.code = TOKENS.sub(spaces, text)  # without comments and literals
        self.includes = [(self.line(m.start(2)), m.group(1), m.group(2)) for m in INCLUDE.finditer(self.plain)]

    def line(self, offset):
        return self.plain.count("\n", 0, offset) + 1

    def functions(self):
        """(name, first line, number of lines) of every function: a brace after a parenthesis outside all braces."""
        code = DIRECTIVE.sub(spaces, self.code)
        depth, start, body = 0, 0, None
        for match in re.finditer(r"[{};]", code):
            here = match.start()
            if match.group() == "{":
                if depth == 0 and code[start:here].rstrip().endswith(")"):
                    body = re.compile(r"\s*").match(code, start).end()
                depth += 1
            elif match.group() == "}":
                depth -= 1
                if depth == 0 and body is not None:
                    name = re.search(r"(\w+)\s*\(", code[body:here]).group(1)
                    first = self.line(body)
                    yield name, first, self.line(here) - first + 1
                    body = None
            if depth == 0:
                start = match.end()
