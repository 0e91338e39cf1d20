#!/bin/sh
# run.sh BUILD SECONDS [TARGET...]: runs the fuzz targets of a build of the preset `fuzz` in turn, SECONDS in total, on what tests/fuzz/corpus, other tests and
# earlier runs have as inputs. Prints how many inputs each executed. Ends with 1 where one was a finding, and says where it lies.
set -eu

build=$1
seconds=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
programs=$build/tests/fuzz
findings=$build/findings
mkdir -p "$findings"
if [ $# -eq 0 ]; then
    for program in "$programs"/fuzz-*; do
        [ "$program" = "$programs/fuzz-dictionary" ] || set -- "$@" "${program##*/fuzz-}"
    done
fi
"$programs/fuzz-dictionary" >"$build/words.dict"
share=$((seconds / $#))
[ "$share" -gt 0 ] || share=1

# One target; its log's last lines go to the table.
fuzz() {
    corpus=$build/corpus/$1
    mkdir -p "$corpus"
    line=$(sed -n "s/^$1 //p" "$root/tests/fuzz/targets.txt")
    dictionary=
    [ "${line%% *}" != json ] || dictionary=-dict=$build/words.dict
    folders=
    for folder in "tests/fuzz/corpus/$1" ${line#* }; do
        [ ! -d "$root/$folder" ] || folders="$folders $root/$folder"
    done
    # shellcheck disable=SC2086 # lists of folders are meant to be split
    "$programs/fuzz-$1" -max_total_time="$share" -timeout=60 -rss_limit_mb=2048 -max_len=16384 $dictionary \
        -artifact_prefix="$findings/$1-" -print_final_stats=1 "$corpus" $folders >"$build/fuzz-$1.log" 2>&1
}

total=0
failed=0
printf '%-12s %12s %10s\n' target executions "a second"
for target; do
    end=passed
    fuzz "$target" || end=finding
    log=$build/fuzz-$target.log
    count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log" | tail -1)
    printf '%-12s %12s %10s\n' "$target" "${count:-?}" "${rate:-?}"
    total=$((total + ${count:-0}))
    if [ "$end" = finding ]; then
        failed=1
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
        printf '  a finding: see %s; the input is %s\n' "$log" "${input:-not known}"
    fi
done
printf '%-12s %12s\n' all "$total"
exit $failed
