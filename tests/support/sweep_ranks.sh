#!/bin/sh
# sweep_ranks.sh GPURT FOLDER MODULE PLUGINS SAMPLES: sweeps under mpirun come out as those of one process, also after a rank was killed. 77: skipped.
set -eu
gpurt=$1
folder=$2
module=$3
plugins=$4 # the folder of llf.so and unruly.so
samples=$5 # of a sweep that lasts long enough to be killed; of one that ends by itself a twentieth

if [ -z "$module" ] || ! command -v mpirun >/dev/null; then
    echo "skipped: no mpirun, or gpurt was built without MPI (openmpi-bin libopenmpi-dev)"
    exit 77
fi
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# As root in a container, without a network, with more ranks than cores. What MPI itself leaves behind is not ours to count.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0:handle_sigill=1
ranks() {
    count=$1
    shift
    mpirun -n "$count" --oversubscribe --mca btl self,vader "$gpurt" sweep "$@"
}

fail() {
    echo "failed: $*"
    exit 1
}

cat >experiment.json <<END
{
  "gpurt_experiment": 1, "name": "ranks", "seed": 3, "samples": $((samples / 20)),
  "generator": {"name": "cores", "cores": 2},
  "platform": {"cpus": 2, "gpus": [{"device": "exclusive"}]},
  "axes": [{"name": "share", "path": "generator.gpu_tasks", "values": [0.2, 0.6, 1]}],
  "evaluations": [
    {"name": "mpcp", "kind": "analysis", "policy": {"name": "mpcp"}},
    {"name": "server", "kind": "analysis", "policy": {"name": "gpu-server"}}
  ]
}
END

"$gpurt" sweep experiment.json --threads 1 --quiet --csv alone.csv
ranks 2 experiment.json --quiet --csv two.csv || fail "2 ranks"
cmp alone.csv two.csv || fail "2 ranks: other results"
ranks 3 experiment.json --threads 2 --csv - >three.csv || fail "3 ranks with 2 threads each"
cmp alone.csv three.csv || fail "3 ranks with 2 threads each: other results"

# Of all ranks only the first prints.
ranks 2 experiment.json --quiet --csv once.csv --journal kept.journal
[ -s kept.journal ] || fail "no journal"
[ "$(ranks 2 experiment.json | grep -c '^ranks')" = 1 ] || fail "the table is there more than once"

# A rank is killed in the middle of its work: mpirun ends the others. Then other ranks go on, and their journal is good for one process, too.
for which in first second; do
    mpirun -n 2 --oversubscribe --mca btl self,vader "$gpurt" sweep experiment.json --samples "$samples" \
        --journal killed.journal --checkpoint 1ms --quiet >killed.txt 2>&1 &
    launcher=$!
    tries=0
    lines=0
    before=$(cat killed.journal 2>/dev/null | wc -l)
    until [ "$lines" -gt "$((before + 20))" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 2000 ] || fail "nothing comes into the journal"
        sleep 0.01
        lines=$(cat killed.journal 2>/dev/null | wc -l)
    done
    if [ "$which" = first ]; then
        rank=$(pgrep -P "$launcher" gpurt | head -n 1)
    else
        rank=$(pgrep -P "$launcher" gpurt | tail -n 1)
    fi
    kill -9 "$rank"
    if wait "$launcher"; then
        fail "a rank was killed, and mpirun says all is well"
    fi
done
ranks 3 experiment.json --samples "$samples" --journal killed.journal --quiet --csv whole.csv || fail "after a kill"
"$gpurt" sweep experiment.json --samples "$samples" --journal killed.journal --quiet --csv again.csv
"$gpurt" sweep experiment.json --samples "$samples" --no-journal --quiet --csv fresh.csv
cmp whole.csv again.csv && cmp whole.csv fresh.csv || fail "other results after a kill"

# Bad input is told once, and ends all.
if ranks 2 experiment.json --set generator.cores=-1 --quiet >bad.txt 2>&1; then
    fail "bad input was taken"
fi
[ "$(grep -c '^gpurt: ' bad.txt)" = 1 ] || fail "bad input: $(cat bad.txt)"
if ranks 2 - --quiet >input.txt 2>&1 <experiment.json; then
    fail "standard input was taken"
fi
grep -q '^gpurt: only one rank can read standard input' input.txt || fail "standard input: $(cat input.txt)"

# A plug-in is loaded by every rank; one that crashes is told, and ends all.
cp "$plugins/llf.so" "$plugins/unruly.so" .
cat >plugin.json <<'END'
{
  "gpurt_experiment": 1, "name": "plug-ins", "seed": 3, "samples": 200,
  "generator": {"name": "independent", "tasks": 3, "utilisation": 0.5},
  "platform": {"gpus": [{"device": "exclusive"}]},
  "axes": [{"name": "utilisation", "path": "generator.utilisation", "values": [0.3, 0.6, 0.9]}],
  "evaluations": [
    {"name": "proof", "kind": "analysis", "policy": {"plugin": "./llf.so"}, "analysis": "llf-latest-start"},
    {"name": "run", "kind": "simulation", "policy": {"plugin": "./llf.so"}}
  ]
}
END
"$gpurt" sweep plugin.json --quiet --csv alone.csv
ranks 2 plugin.json --quiet --csv two.csv || fail "2 ranks with a plug-in"
cmp alone.csv two.csv || fail "2 ranks with a plug-in: other results"
ulimit -c 0
export ASAN_OPTIONS=handle_segv=0:use_sigaltstack=0:detect_leaks=0
sed 's/llf.so"}}/unruly.so", "does": "crash"}}/' plugin.json >crash.json
if ranks 2 crash.json --quiet --csv never.csv >crash.txt 2>&1; then
    fail "a plug-in crashed, and mpirun says all is well"
fi
grep -q '^gpurt: policy unruly (./unruly.so) crashed at ' crash.txt || fail "a plug-in crashed: $(cat crash.txt)"
[ ! -e never.csv ] || fail "a plug-in crashed, and there are results"
echo "ok"
