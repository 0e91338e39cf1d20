#!/bin/sh
# run.sh BUILD SECONDS [TARGET[:EXECUTIONS]...]: runs the fuzz targets of a build of the preset `fuzz` in turn, each for its share of SECONDS, or with
# EXECUTIONS until it has executed so many inputs; on what tests/fuzz/corpus, other tests and earlier runs have as inputs. Prints how many inputs each
# executed. Ends with 1 where one was a finding, and says where it lies; with 2 where there is no such target, or what should be a number is none.
set -eu

# is_number TEXT: whether it is a whole number above 0.
is_number() {
    case $1 in
    *[!0-9]* | "" | 0*) return 1 ;;
    esac
}

build=$1
seconds=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
programs=$build/tests/fuzz
findings=$build/findings
is_number "$seconds" || {
    printf 'run.sh: %s: SECONDS is a whole number above 0\n' "$seconds" >&2
    exit 2
}
if [ $# -eq 0 ]; then
    for program in "$programs"/fuzz-*; do
        [ "$program" = "$programs/fuzz-dictionary" ] || set -- "$@" "${program##*/fuzz-}"
    done
fi
timed=0 # targets that share SECONDS
for target; do
    case $target in
    *:*) is_number "${target#*:}" || {
        printf 'run.sh: %s: EXECUTIONS is a whole number above 0\n' "$target" >&2
        exit 2
    } ;;
    *) timed=$((timed + 1)) ;;
    esac
    if [ ! -x "$programs/fuzz-${target%%:*}" ]; then
        printf 'run.sh: there is no target %s in %s\n' "${target%%:*}" "$programs" >&2
        exit 2
    fi
done
mkdir -p "$findings"
"$programs/fuzz-dictionary" >"$build/words.dict"
share=$seconds
[ "$timed" -eq 0 ] || share=$((seconds / timed))
[ "$share" -gt 0 ] || share=1

# What targets make, in memory where that is possible; gone with this run also where one has crashed.
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
TMPDIR=$(mktemp -d "$memory/gpurt-fuzz.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM

# One target, and how long; its log's last lines go to the table.
fuzz() {
    name=$1 long=$2
    corpus=$build/corpus/$name
    mkdir -p "$corpus"
    line=$(sed -n "s/^$name //p" "$root/tests/fuzz/targets.txt")
    set -- "$corpus"
    [ ! -d "$root/tests/fuzz/corpus/$name" ] || set -- "$@" "$root/tests/fuzz/corpus/$name"
    case $line in
    *" "*)
        for folder in ${line#* }; do # no name of these has a blank
            set -- "$@" "$root/$folder"
        done
        ;;
    esac
    case $line in
    bytes*) set -- -entropic=0 "$@" ;;
    *) set -- "-dict=$build/words.dict" "$@" ;;
    esac
    "$programs/fuzz-$name" "$long" -timeout=60 -rss_limit_mb=2048 -max_len=16384 \
        -artifact_prefix="$findings/$name-" -print_final_stats=1 "$@" >"$build/fuzz-$name.log" 2>&1
}

total=0
failed=0
printf '%-12s %12s %10s\n' target executions "a second"
for target; do
    end=passed long=-max_total_time=$share
    case $target in
    *:*) long=-runs=${target#*:} ;;
    esac
    target=${target%%:*}
    fuzz "$target" "$long" || end=finding
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
