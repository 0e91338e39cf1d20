"""What of the documents is not run as it stands, and why. Everything else is."""
import re
from dataclasses import dataclass

# A device for what would need a real one, small enough that measuring it takes a second.
STAND_IN = "--backend=sim --pretend=stand-in.json"
FEW = ("-q --replace --samples=2 --worst-samples=20 --workloads=matmul,stencil "
       "--only=clock,launch,dispatch,coresidency,copy")


@dataclass
class Rule:
    """Commands of some pages (a pattern of names) that match `pattern`: `replaced` stands for the match, None: not run, its options are checked only."""

    pages: str
    pattern: str
    replaced: str
    why: str

    def fits(self, page, text):
        return re.search(self.pages, page) and re.search(self.pattern, text)


RULES = [
    Rule("", r"^(sudo |apt|dpkg |curl |git clone|\./dev|cmake|cpack|ctest|pip )", None, "installs or builds, which the build itself does"),
    Rule("", r"\$\(pkg-config --cflags gpurt-plugin\)", '-I"$SOURCE"', "the headers of the sources, as nothing is installed"),
    Rule("", r"/usr/(local/)?share/gpurt/", "", "the library of the sources, as nothing is installed"),
    Rule("", r"pkg-config --cflags --libs gpurt\b|^\./embed ", None, "needs the installed library; examples/embed is built against one by its own test"),
    Rule("", r"^build/release/", "", "the programs of this build stand in the path"),
    Rule("", r"^(nsys|LC_ALL=C ncu|ncu|sudo ncu) ", None, "needs a GPU; what comes of it is in tests/import"),
    Rule("", r"^mpirun ", None, "tests/support/sweep_ranks.sh runs sweeps on several ranks"),
    Rule("", r"^(gpurt-calib (?:list|trace)\b(?!.*--backend).*?)(\s*#.*)?$", rf"\1 {STAND_IN}", "needs a GPU: a pretended one"),
    Rule("", r"^(gpurt-calib measure\b(?!.*--backend).*?)(\s*#.*)?$", rf"\1 {STAND_IN} {FEW}", "needs a GPU: a pretended one, with few samples"),
    Rule("", r"^(gpurt-calib measure\b(?!.*--samples).*--backend=sim.*?)(\s*#.*)?$", rf"\1 {FEW}", "few samples"),
    Rule("", r"^(gpurt papers (?!.*--(?:list|samples)).*?)(\s*#.*)?$", r"\1 --samples 2", "minutes: few samples"),
    Rule("", r"^gpurt sweep (scenarios/papers/\S+).*", r"gpurt check \1", "minutes: the experiment is checked"),
    Rule("performance-models", r"^(gpurt train )", r"\1--samples 40 --test 20 --epochs 2 ", "half a minute: few samples"),
    Rule("", r"^gpurt-calib import nsys ", None, "needs SQLite; tests/golden/test_imports_document.c runs it where that is"),
    Rule("every-policy", r"^(gpurt sweep .*?)(\s*#.*)?$", r"\1 --samples 3", "a quarter of a minute: few samples"),
    Rule("", r"^((?:SDL_VIDEODRIVER=dummy )?gpurt-view (?!.*--script).*?)(\s*#.*)?$", r"SDL_VIDEODRIVER=dummy \1 --script quit.script",
         "nobody looks: the window is closed at once"),
    Rule("performance", r"^gnuplot -c tests/bench/", None, "draws what ./dev bench measures for minutes"),
    Rule("", r"^xdg-open |^man |^less |^firefox ", None, "for people"),
]

# Words that stand for something of the reader's own: such commands in the text are not run, their options are checked.
PLACEHOLDER = re.compile(r"(?<![\w/.-])([A-Z][A-Z0-9]*(\.(json|csv|jsonl|trace|md))?|NAME\S*|FILE\S*)(?![\w])|\.\.\.|…|LABEL=|\bgpurt (?:\w+) *$|\[|<|\./mine\.so")

# Options for packagers, which no --help has; commands with them are run.
HIDDEN = ("--man", "--completion")


def adapt(page, command):
    """The command as it is run here, None if it is not, and the reasons."""
    text, reasons = command.text, []
    for rule in RULES:
        if rule.fits(page, text):
            reasons.append(rule.why)
            if rule.replaced is None:
                return None, reasons
            text = re.sub(rule.pattern, rule.replaced, text)
    return text, reasons


# Files that pages take to be there, by page ("": all), once the files that pages show are: how they are made.
FIXTURES = {
    "": """
cat > stand-in.json <<'END'
{"gpurt_pretend": 1, "device": {"name": "NVIDIA H200", "compute_capability": "9.0", "sm_count": 6, "copy_latency": "2us",
 "h2d_bandwidth": "50GB/s", "d2h_bandwidth": "50GB/s", "memory_bandwidth": "900GB/s"}}
END
echo '# nothing' > quit.script
""",
    "gpurt": """
cp scenarios/quickstart.json scenario.json
gpurt run scenario.json -q --trace run.trc
cp -r "$SOURCE/tests/examiner/two-tasks" results
""",
    "exports": "gpurt run scenarios/quickstart.json -q --trace run.trc",
    "calibration-imports": 'cp "$SOURCE/tests/import/raw.csv" counters.csv',
    "performance-models": "cp scenarios/papers/wamp2s/rodinia-1.0-wamp2s.json ten.json",
    "sweeps": "cp scenarios/quickstart.json . && cp experiment.json lock-or-server.json",
    # As the page says: with another header, a static table, and a last line.
    "writing-a-policy": """
awk '/^```/ { code = $0 == "```c"; next } code' docs/writing-a-policy.md > mine.c
sed -i 's|models/policy.h|models/plugin.h|; s/^const struct grt_policy_ops/static &/' mine.c
echo 'GRT_PLUGIN(grt_policy_llf);' >> mine.c
cp scenarios/quickstart.json scenario.json
""",
    "plug-ins": """awk '/^```/ { code = $0 == "```c"; next } code' docs/plug-ins.md > patient.c""",
    "running-sweeps": "for i in 1 2 4 5 6 7 8; do gpurt sweep experiment.json -q --shard $i/8; done",
    "validation": "sed -i 's/h200.json/mine.json/; s/h200-kernels.json/kernels.json/' two-tasks.json",
}
