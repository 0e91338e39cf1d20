#!/bin/sh
# memcheck.sh BUILD: runs the programs of a build, and its shorter tests of the engine, under valgrind: no error, nothing
# definitely lost, and each command ends with the exit code that it should have. 99 is what valgrind found.
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
if ! command -v valgrind >/dev/null; then
    echo "memcheck.sh: valgrind is not installed" >&2
    exit 1
fi
scratch=$build/memcheck
rm -rf "$scratch"
mkdir -p "$scratch"

# Lines of an exit code and a command, as the shell reads it: $scratch may have blanks.
# shellcheck disable=SC2016 # the shell of each command expands it
programs() {
    for scenario in scenarios/quickstart.json scenarios/rules/*.json scenarios/applications/*.json; do
        echo "0 gpurt run $scenario --gantt"
    done
    for scenario in tests/reject/syntax-*.json tests/reject/launch-*.json tests/reject/kernels-file-*.json; do
        case $scenario in
        */kernels-file-as-scenario.json) echo "0 gpurt check $scenario" ;; # by itself it is sound
        *) echo "2 gpurt check $scenario" ;;
        esac
    done
    for scenario in scenarios/quickstart.json scenarios/applications/*.json; do
        echo "0 gpurt analyze $scenario"
        echo "0 gpurt verify $scenario --patterns=3 --jobs=10 --reproduce="'"$scratch/violation.json"'
        echo "0 gpurt compare $scenario --policies=np-fp,np-edf,fifo"
    done
    for format in svg png pdf perfetto chrome csv; do
        echo "0 gpurt export $format scenarios/quickstart.json -o "'"$scratch/quickstart.'"$format\""
    done
    cat <<'END'
0 gpurt run scenarios/quickstart.json --json="$scratch/run.json" --trace="$scratch/run.trace"
0 gpurt show "$scratch/shown.trace"
0 gpurt sweep scenarios/experiments/first.json --samples=2 --threads=2 --journal="$scratch/first.journal"
0 gpurt sweep scenarios/experiments/every-policy.json --samples=1 --threads=2 --no-journal --quiet
0 gpurt reference
0 gpurt-calib list --backend=sim
0 gpurt-calib trace scenarios/quickstart.json --backend=sim -o "$scratch/pretended.trace"
0 gpurt merge scenarios/experiments/first.json --samples=2 "$scratch/shard.1-of-2.journal" "$scratch/shard.2-of-2.journal" --csv="$scratch/merged.csv"
0 gpurt plot "$scratch/first.csv" --experiment=scenarios/experiments/first.json -o "$scratch/first.svg"
0 gpurt papers --list
0 gpurt papers kim-2017-figure-9 --samples=2 --markdown="$scratch/papers.md"
0 gpurt train "$scratch/two.json" --samples 20 --test 5 --epochs 1 -o "$scratch/networks.json"
0 gpurt generate -n 5 -u 0.7 --count 3 -o "$scratch/sets/"
0 gpurt generate --shape=kim
0 gpurt import tests/examiner/two-tasks --trace="$scratch/examiner.trace"
0 gpurt scenarios
0 gpurt scenarios quickstart
0 gpurt devices
0 gpurt devices jetson-tx2 --json
0 gpurt usages lavamd
0 gpurt policies
0 gpurt policies np-edf --json
0 gpurt schema
0 gpurt help run
0 gpurt-calib measure --backend=sim --quick --samples=20 --only=clock,launch,copy -o "$scratch/raw.jsonl"
0 gpurt-calib fit "$scratch/measured.jsonl" --device-file="$scratch/device.json" --kernel-file="$scratch/kernels.json"
0 gpurt-calib report "$scratch/measured.jsonl" -o "$scratch/page.md" --pictures="$scratch"
0 gpurt-calib worst "$scratch/times.txt"
0 gpurt-calib import ncu tests/import/raw.csv --device=h200 --out="$scratch/usages"
0 gpurt-calib validate scenarios/quickstart.json "$scratch/shown.trace"
2 gpurt run scenarios/quickstart.json --policy=none
2 gpurt run scenarios/quickstart.json --set horizon=never
2 gpurt sweep scenarios/quickstart.json
2 gpurt-calib fit scenarios/quickstart.json
END
}

# Each takes about 50 times as long as without valgrind, so that those named here would take minutes; but for the crash, which writes where
# nothing is.
tests() {
    ctest --test-dir "$build" -N -L '^engine$' -L '^unit$' | sed -n 's,.*Test *#[0-9]*: unit/,0 tests/unit/test_,p' |
        grep -vE '/test_(crash|scenario_check|distribution|networks|trace_file|analysis_locks)$'
}

# check LINE: run under valgrind; what was said is shown where it ends otherwise.
cat >"$scratch/check" <<'END'
log=$(mktemp "$scratch/check.XXXXXX")
eval "set -- $1"
expected=$1
program=$2
shift 2
code=0
valgrind --quiet --suppressions=tests/support/memcheck.supp --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --log-file="$log" \
    "$build/$program" "$@" >"$log.said" 2>&1 </dev/null || code=$?
if [ $code != "$expected" ]; then
    printf '%s %s: exit code %s instead of %s\n' "$program" "$*" "$code" "$expected"
    tail -n 20 "$log.said"
    cat "$log"
    exit 1
fi
rm "$log" "$log.said"
END

# What some of the commands read.
"$build/gpurt" run scenarios/quickstart.json --quiet --trace="$scratch/shown.trace"
for shard in 1 2; do
    "$build/gpurt" sweep scenarios/experiments/first.json --samples=2 --shard=$shard/2 --journal="$scratch/shard.$shard-of-2.journal" --quiet
done
"$build/gpurt" sweep scenarios/experiments/first.json --samples=2 --no-journal --quiet --csv="$scratch/first.csv"
"$build/gpurt-calib" measure --backend=sim --pretend=jetson-tx2 --quick -q -o "$scratch/measured.jsonl"
awk 'BEGIN { for (i = 0; i < 2000; i++) print 1000 + int(rand() * 100) }' >"$scratch/times.txt"
cat >"$scratch/two.json" <<'END'
{ "gpurt": 1, "horizon": "1s", "policy": { "name": "hardware" },
  "platform": { "gpus": [ { "device": "gtx1060_6gb", "granularity": "shares", "contention": "saturation" } ] },
  "tasks": [
    { "name": "a", "period": "1s", "segments": [ { "gpu": [ { "kernel": "lud", "time": "10ms", "usage": "lud" } ] } ] },
    { "name": "b", "period": "1s", "segments": [ { "gpu": [ { "kernel": "kmeans", "time": "20ms", "usage": "kmeans" } ] } ] } ] }
END
programs >"$scratch/commands"
if ! tests >"$scratch/tests"; then
    echo "memcheck.sh: no tests of the engine in $build" >&2
    exit 1
fi
cat "$scratch/tests" >>"$scratch/commands"
export build scratch
xargs -d '\n' -n 1 -P "$(nproc)" sh "$scratch/check" <"$scratch/commands"
echo "valgrind found nothing in $(wc -l <"$scratch/commands") commands"
