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
mkdir -p "$folder/here/sub" "$folder/shells" "$folder/library/papers/kim/experiments" "$folder/library/experiments" \
    "$folder/library/rules" "$folder/library/devices" "$folder/library/papers/other"
for program; do
    for shell in bash zsh fish; do
        "$program" --completion=$shell >"$folder/shells/$(basename "$program").$shell"
    done
done

cd "$folder/here"
touch a.json b.json run.trace old.trc notes.txt raw.jsonl "my run.trace"
cp "$library/quickstart.json" "$folder/library/quickstart.json"
cp "$library/rules/q7-static-queues.json" "$folder/library/rules"
cp "$library/devices/gtx480.json" "$folder/library/devices"
cp "$library/papers/gpu-server/experiments/figure-9.json" "$library/papers/gpu-server/experiments/figure-8.json" \
    "$folder/library/papers/kim/experiments"
cp "$library/quickstart.json" "$folder/library/papers/kim/twice.json"
cp "$library/quickstart.json" "$folder/library/papers/other/twice.json"
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
    [ "$(zsh_names twi)" = "" ]
    [ "$(zsh_names papers/o)" = "papers/other/twice" ]
    echo "zsh: syntax, names of the library"
else
    echo "zsh: skipped, it is not there"
fi

if command -v fish >/dev/null; then
    for file in ../shells/*.fish; do
        fish -n "$file"
    done
    mkdir "a folder"
    touch "a folder/in.trace" sub/here.trace
    # fish_offers LINE [HEAD...]: its words, sorted; or the first ones of them, as head counts, in their order.
    fish_offers() {
        line=$1
        shift
        fish -N -c 'source ../shells/gpurt.fish; complete -C"$argv[1]"' "$line" | cut -f 1 | "${@:-sort}" | tr '\n' ' '
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
    [ "$(fish_offers 'gpurt run twi')" = "papers/kim/twice papers/other/twice " ]
    [ "$(fish_offers 'gpurt show ' head -n 3)" = "my run.trace run.trace old.trc " ]
    [ "$(fish_offers 'gpurt show no')" = "notes.txt " ]
    [ "$(fish_offers 'gpurt show my\ r')" = "my run.trace " ]
    [ "$(fish_offers 'gpurt show "my r')" = "my run.trace " ]
    [ "$(fish_offers 'gpurt show a\ folder/')" = "a folder/in.trace " ]
    [ "$(fish_offers "gpurt show \$GPURT_LIBRARY/qui")" = "\$GPURT_LIBRARY/quickstart.json " ]
    # shellcheck disable=SC2088 # so it is offered
    [ "$(HOME=$folder/here/sub fish_offers 'gpurt show ~/he')" = "~/here.trace " ]
    [ "$(fish_offers 'gpurt run --json=a' head -n 1)" = "--json=a.json " ]
    [ "$(fish_offers 'gpurt export pdf run.trace -o no')" = "notes.txt " ]
    [ "$(fish_offers 'gpurt --')" = "--help --usage --version " ]
    [ "$(fish_offers 'gpurt papers --library ')" = "a folder/ sub/ " ]
    [ "$(fish_offers 'gpurt compare a.json --policies x=np-e')" = "x=np-edf " ]
    [ "$(fish_offers 'gpurt compare a.json --policies=x=tdm,y=np-e')" = "--policies=x=tdm,y=np-edf " ]
    [ "$(fish_offers 'gpurt generate -p un')" = "uniform: " ]
    # Where there is no library, nothing is offered, nor sought in the root of the file system.
    for none in true echo; do
        [ "$(fish -N -c "source ../shells/gpurt.fish; function _gpurt_folder; $none; end; _gpurt_scenarios; _gpurt_experiments" 2>&1)" = "" ]
    done
    echo "fish: syntax, 25 lines"
else
    echo "fish: skipped, it is not there"
fi

# Programs that are not installed find the library of the sources.
unset GPURT_LIBRARY
mkdir -p "$folder/sources/build/release" "$folder/plain/build"
for place in sources/build/release plain/build; do
    printf '#!/bin/sh\n' >"$folder/$place/gpurt"
    chmod +x "$folder/$place/gpurt"
    root=$folder/${place%%/*}
    mkdir -p "$root/scenarios"
    cp "$library/quickstart.json" "$root/scenarios"
    for shell in bash zsh fish; do
        command -v $shell >/dev/null || continue
        case $shell in
        bash) found=$(PATH=$folder/$place:$PATH bash -c 'source ../shells/gpurt.bash; _gpurt_folder; echo "$folder"') ;;
        zsh) found=$(PATH=$folder/$place:$PATH zsh -fc 'compdef() { :; }; source ../shells/gpurt.zsh; _gpurt_folder; echo $REPLY') ;;
        fish) found=$(PATH=$folder/$place:$PATH fish -N -c 'source ../shells/gpurt.fish; _gpurt_folder') ;;
        esac
        [ "$found" = "$root/scenarios" ] || { echo "$shell: of $place: $found" && exit 1; }
    done
done
