#!/bin/sh
# memcheck.sh BUILD: runs the programs of a build, and its shorter tests of the engine, under valgrind: no error, nothing
# definitely lost. A command may fail, as with bad input; 99 is what valgrind found.
set -eu
build=$1
scratch=$build/memcheck
rm -rf "$scratch"
mkdir -p "$scratch"

programs() {
    for scenario in scenarios/quickstart.json scenarios/rules/*.json scenarios/applications/*.json; do
        echo "gpurt run $scenario --gantt"
    done
    for scenario in tests/reject/syntax-*.json tests/reject/launch-*.json tests/reject/kernels-file-*.json; do
        echo "gpurt check $scenario"
    done
    for scenario in scenarios/quickstart.json scenarios/applications/*.json; do
        echo "gpurt analyze $scenario"
        echo "gpurt verify $scenario --patterns=3 --jobs=10 --reproduce=$scratch/violation.json"
        echo "gpurt compare $scenario --policies=np-fp,np-edf,fifo"
    done
    for format in svg png pdf perfetto chrome csv; do
        echo "gpurt export $format scenarios/quickstart.json -o $scratch/quickstart.$format"
    done
    echo "gpurt run scenarios/quickstart.json --json=$scratch/run.json --trace=$scratch/run.trace"
    echo "gpurt show scenarios/quickstart.json"
    echo "gpurt sweep scenarios/experiments/first.json --samples=2 --threads=2 --journal=$scratch/first.journal"
    echo "gpurt sweep scenarios/experiments/every-policy.json --samples=1 --threads=2 --no-journal --quiet"
    echo "gpurt reference"
    echo "gpurt-calib list --backend=sim"
    echo "gpurt-calib trace scenarios/quickstart.json --backend=sim -o $scratch/pretended.trace"
    echo "gpurt-calib measure --backend=sim --quick --samples=20 --only=clock,launch,copy -o $scratch/raw.jsonl"
}

# Each takes about 50 times as long as without valgrind, so that those named here would take minutes.
tests() {
    ctest --test-dir "$build" -N -L '^engine$' -L '^unit$' | sed -n 's,.*Test *#[0-9]*: unit/,tests/unit/test_,p' |
        grep -vE '_(memory_use|learning|collect|scenario_check|distribution|networks|audit|trace_file|analysis_locks)$'
}

# check COMMAND...: run under valgrind; its output is shown where valgrind found something.
cat >"$scratch/check" <<'END'
log=$(mktemp "$0.XXXXXX")
build=$1
shift
program=$1
shift
valgrind --quiet --suppressions=tests/support/memcheck.supp --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --log-file="$log" \
    "$build/$program" "$@" >/dev/null 2>&1 </dev/null
if [ $? = 99 ]; then
    printf '%s %s\n' "$program" "$*"
    cat "$log"
    exit 1
fi
rm "$log"
END
{
    programs
    tests
} >"$scratch/commands"
xargs -P "$(nproc)" -I '{}' sh -c "sh '$scratch/check' '$build' {}" <"$scratch/commands"
echo "valgrind found nothing in $(wc -l <"$scratch/commands") commands"
