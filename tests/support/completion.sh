#!/bin/sh
# completion.sh FOLDER LIBRARY PROGRAM...: what shells complete for the programs, of which gpurt is the first. bash is asked for many lines, by calling the
# function as bash does; zsh and fish look at the syntax, fish at some lines, zsh at names of the library. A shell that is not there is said to be skipped; without bash all is (77).
set -eu

folder=$1
library=$2
shift 2
if ! command -v bash >/dev/null; then
    echo "NOT RUN: bash is not there"
    exit 77
fi
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$folder"
mkdir -p "$folder/work/sub" "$folder/shells" "$folder/library/papers/kim/experiments" "$folder/library/experiments" \
    "$folder/library/rules" "$folder/library/devices"
for program; do
    for shell in bash zsh fish; do
        "$program" --completion=$shell >"$folder/shells/$(basename "$program").$shell"
    done
done

cd "$folder/work"
touch a.json b.json run.trace old.trc notes.txt raw.jsonl "my run.trace"
cp "$library/quickstart.json" "$folder/library/quickstart.json"
cp "$library/rules/q7-static-queues.json" "$folder/library/rules"
cp "$library/devices/gtx480.json" "$folder/library/devices"
cp "$library/papers/gpu-server/experiments/figure-9.json" "$library/papers/gpu-server/experiments/figure-8.json" \
    "$folder/library/papers/kim/experiments"
GPURT_LIBRARY=$folder/library
export GPURT_LIBRARY

for file in ../shells/*.bash; do
    bash -n "$file"
done
grep -v '^#' "$here/completion_lines.txt" | grep . >../wanted.txt
case " $*" in
*gpurt-view*) ;;
*) grep -v '^gpurt-view' ../wanted.txt >../some.txt && mv ../some.txt ../wanted.txt ;;
esac
bash -c '
    . "$1/completion_lines.bash"
    for file in ../shells/*.bash; do . "$file"; done
    while IFS="|" read -r line _; do offer "$line"; done <../wanted.txt
' bash "$here" >../got.txt
diff ../wanted.txt ../got.txt
echo "bash: $(wc -l <../got.txt) lines"

set -x # from here on commands are shown with their words, the last one being what was not so

# A program that is started by a key makes the shell wait: none is, but grep for names of experiments.
grep -nE '\$\((gpurt|"\$)' ../shells/*.bash ../shells/*.zsh && exit 1

if command -v zsh >/dev/null; then
    for file in ../shells/*.zsh; do
        zsh -n "$file"
    done
    # zsh_names WORD: names of the library, where no file begins so.
    zsh_names() {
        # shellcheck disable=SC2016 # the shell below expands them
        zsh -fc 'compdef() { : }; compadd() { print -r -- ${(P)argv[-1]} }; _files() { return 1 }
            source ../shells/gpurt.zsh; PREFIX=$1; _gpurt_library json' zsh "$1"
    }
    [ "$(zsh_names qui)" = "quickstart" ]
    [ "$(zsh_names q)" = "quickstart q7-static-queues" ]
    [ "$(zsh_names rules/)" = "rules/q7-static-queues" ]
    [ "$(zsh_names figure-9)" = "figure-9" ]
    [ "$(zsh_names gtx)" = "" ]
    echo "zsh: syntax, names of the library"
else
    echo "zsh: skipped, it is not there"
fi

if command -v fish >/dev/null; then
    for file in ../shells/*.fish; do
        fish -n "$file"
    done
    # fish_offers LINE: its words.
    fish_offers() {
        fish -N -c 'source ../shells/gpurt.fish; complete -C"$argv[1]"' "$1" | cut -f 1 | sort | tr '\n' ' '
    }
    [ "$(fish_offers 'gpurt re')" = "reference " ]
    [ "$(fish_offers 'gpurt run --policy np-e')" = "np-edf " ]
    [ "$(fish_offers 'gpurt compare a.json --policies fifo,np-e')" = "fifo,np-edf " ]
    [ "$(fish_offers 'gpurt export per')" = "perfetto " ]
    [ "$(fish_offers 'gpurt papers kim-2017-figure-8')" = "kim-2017-figure-8 " ]
    [ "$(fish_offers 'gpurt papers ki')" = "kim kim-2017-figure-8 kim-2017-figure-9 " ]
    [ "$(fish_offers 'gpurt run q')" = "q7-static-queues quickstart " ]
    [ "$(fish_offers 'gpurt run gtx')" = "" ]
    [ "$(fish_offers 'gpurt scenarios rul')" = "rules/q7-static-queues " ]
    [ "$(fish_offers 'gpurt show ')" = "my run.trace old.trc run.trace sub/ " ]
    [ "$(fish_offers 'gpurt show no')" = "notes.txt " ]
    [ "$(fish_offers 'gpurt run --json=a')" = "--json=a.json " ]
    [ "$(fish_offers 'gpurt export pdf run.trace -o no')" = "notes.txt " ]
    [ "$(fish_offers 'gpurt --')" = "--help --usage --version " ]
    [ "$(fish_offers 'gpurt papers --library ')" = "sub/ " ]
    [ "$(fish_offers 'gpurt compare a.json --policies x=np-e')" = "x=np-edf " ]
    [ "$(fish_offers 'gpurt compare a.json --policies=x=tdm,y=np-e')" = "--policies=x=tdm,y=np-edf " ]
    [ "$(fish_offers 'gpurt generate -p un')" = "uniform: " ]
    echo "fish: syntax, 17 lines"
else
    echo "fish: skipped, it is not there"
fi
