#!/bin/sh
# installed.sh CMAKE BUILD FOLDER SOURCES COMPILER [FLAG...]: installs gpurt and libgpurt from the build folder below FOLDER, somewhere else
# than where they were configured to go, in a folder with a space. gpurt finds its library of scenarios; the examples of embedding are built and
# run, by pkg-config and by CMake, with the shared and the static library; a plug-in, too. The flags are those that the library was compiled
# with and that programs need, too. With GRT_SOAK=1 in the environment it also tries runs that need 1.6 GB.
set -eu

cmake=$1
build=$2
folder=$3
sources=$4
compiler=$5
shift 5
flags=$*

rm -rf "$folder"
mkdir -p "$folder/else where/cmake"
folder=$(cd "$folder/else where" && pwd)
for component in view mpi library development; do
    DESTDIR="$folder" "$cmake" --install "$build" --component "$component" >"$folder/install-$component.txt"
done
(cd "$folder/.." && DESTDIR="else where" "$cmake" --install "$build" --component programs >"$folder/install-programs.txt")
pc=$(find "$folder" -name gpurt.pc)
PKG_CONFIG_LIBDIR=$(dirname "$pc") # nothing else is there: our headers need no other package's
libraries=$(dirname "$PKG_CONFIG_LIBDIR")
export PKG_CONFIG_LIBDIR
embed="$sources/examples/embed/embed.c"

fail() {
    echo "$*"
    exit 1
}

# compile PACKAGE ARGUMENT...: with what pkg-config says of the package, quoted as it does.
compile() {
    package=$1
    shift
    eval "set -- \"\$@\" $(pkg-config --cflags --libs "$package")"
    # shellcheck disable=SC2086 # they are words
    "$compiler" -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$@"
}

# expect PROGRAM: what the README says of the quickstart, and that errors are told.
expect() {
    "$1" "$sources/scenarios/quickstart.json" >"$folder/out.txt"
    grep -q '^control: 200 jobs, longest response [0-9.]* ms, 30 missed$' "$folder/out.txt" ||
        fail "$1: $(cat "$folder/out.txt")"
    "$1" "$sources/scenarios/quickstart.json" fifo >"$folder/fifo.txt"
    cmp -s "$folder/out.txt" "$folder/fifo.txt" && fail "$1: the policy makes no difference"
    if "$1" "$sources/scenarios/quickstart.json" none >"$folder/none.txt" 2>&1; then
        fail "$1: takes a policy that there is not"
    fi
    grep -q '^  .*"none"' "$folder/none.txt" || fail "$1: $(cat "$folder/none.txt")"
}

# not_whole PROGRAM FILE ARGUMENT...: says of a run that ended before its horizon that and why it did, and of which file.
not_whole() {
    if "$@" >"$folder/cut.txt" 2>&1; then
        fail "$1: takes a run that was not whole: $(cat "$folder/cut.txt")"
    fi
    grep -q "^[a-z]*: $2:\$" "$folder/cut.txt" || fail "$1: $(cat "$folder/cut.txt")"
    grep -q '^  horizon: the run ended at ' "$folder/cut.txt" || fail "$1: $(cat "$folder/cut.txt")"
}

echo "the programs"
gpurt=$(find "$folder" -type f -path '*/bin/gpurt')
scenarios=$(dirname "$gpurt")/../share/gpurt/scenarios
"$gpurt" run "$scenarios/quickstart.json" --quiet
(cd "$folder/cmake" && "$gpurt" run quickstart --quiet && "$gpurt" scenarios --json) >"$folder/scenarios.txt"
grep -q "\"path\":.*\"$folder/.*/scenarios/quickstart.json\"" "$folder/scenarios.txt" || fail "not its own library"
for program in "$gpurt" "$gpurt-calib"; do
    name=$(basename "$program")
    "$program" --help >"$folder/help.txt"
    commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]\{1,\}\)  .*/\1/p' "$folder/help.txt" | grep -v '^help$')
    [ -n "$commands" ] || fail "$name has no commands"
    for page in "$name" $(echo "$commands" | sed "s/^/$name-/"); do
        find "$folder" -name "$page.1" -size +0 | grep -q . || fail "no manual page $page.1"
    done
done
if [ -n "$(find "$folder" -path '*/bin/gpurt-view')" ]; then
    for file in gpurt-view.1 gpurt-view.desktop gpurt-view.svg gpurt.xml; do
        find "$folder" -name "$file" -size +0 | grep -q . || fail "no $file"
    done
fi
for shell in bash-completion zsh fish; do
    [ "$(find "$folder" -path "*/$shell/*" -type f -size +0 | wc -l)" -ge 2 ] || fail "completion of $shell is missing"
done
documents=$(dirname "$(find "$folder" -name tutorial.md)")
(cd "$sources/docs" && find . -name '*.md' | sort) >"$folder/pages.txt"
(cd "$documents" && find . -name '*.md' | sort) | cmp - "$folder/pages.txt" || fail "not the pages of docs/"
while read -r page; do
    # shellcheck disable=SC2013 # no link has a blank
    for link in $(grep -oE '\]\([^)#: ]+' "$documents/$page" | cut -c3- | grep -vE '^https?$'); do
        [ -e "$(dirname "$documents/$page")/$link" ] || fail "$page: a link leads nowhere: $link"
    done
done <"$folder/pages.txt"
empty=$(find "$folder" -type d -empty ! -path "$folder/cmake")
[ -z "$empty" ] || fail "empty folders: $empty"
find "$scenarios" -path '*/experiments/*' ! -name figure-8.json -type f -exec rm {} +
"$gpurt" papers --list >"$folder/papers.txt" # not of the sources, which have more
[ "$(sed '1,2d;/^$/,$d' "$folder/papers.txt" | cut -d' ' -f1 | xargs)" = kim-2017-figure-8 ] || fail "$(cat "$folder/papers.txt")"

awk '/^```/ { code = $0 == "```c"; next } code' "$sources/docs/embedding.md" >"$folder/documented.c"
cmp "$folder/documented.c" "$embed" || fail "docs/embedding.md has another program than examples/embed/embed.c"
[ "$(wc -l <"$embed")" -le 30 ] || fail "the example of embedding is no longer short"
[ "$(wc -l <"$sources/examples/llf/llf.c")" -lt 100 ] || fail "the example of a plug-in is no longer short"
grep -q "program is $(wc -l <"$embed") lines " "$sources/README.md" || fail "README.md has another length of the example of embedding"
grep -q " in $(wc -l <"$sources/examples/llf/llf.c") lines " "$sources/docs/plug-ins.md" || fail "docs/plug-ins.md has another length of llf.c"

echo "the shared library, by pkg-config"
compile gpurt "$embed" -o "$folder/shared"
LD_LIBRARY_PATH=$libraries
export LD_LIBRARY_PATH
expect "$folder/shared"
cat >"$folder/over.json" <<END # 16777216 jobs wait in the end
{"gpurt": 1, "horizon": "20ms", "platform": {"gpus": [{"device": "exclusive"}]}, "policy": {"name": "fifo"},
 "tasks": [{"name": "a", "period": "1ns", "deadline": "10s", "segments": [{"cpu": "1ms"}]}]}
END
[ "${GRT_SOAK:-}" != 1 ] || not_whole "$folder/shared" "$folder/over.json"

echo "many runs of one file"
compile gpurt "$sources/examples/embed/seeds.c" -o "$folder/seeds"
one=$("$folder/seeds" "$sources/scenarios/quickstart.json" 1 | sed -n 's/^detect: \([0-9]*\) ns$/\1/p')
ten=$("$folder/seeds" "$sources/scenarios/quickstart.json" 10 | sed -n 's/^detect: \([0-9]*\) ns$/\1/p')
[ "$one" -gt 0 ] || fail "a response of $one ns"
[ "$ten" -gt "$one" ] || fail "the longest response is $one ns with one seed, $ten with ten"
[ "${GRT_SOAK:-}" != 1 ] || not_whole "$folder/seeds" "$folder/over.json" 1

for count in 0 x 2x -1 +1 '' 99999999999999999999; do
    if "$folder/seeds" "$sources/scenarios/quickstart.json" "$count" >"$folder/out.txt" 2>&1; then
        fail "seeds: takes '$count' for a number of runs"
    fi
    grep -q '^usage: seeds' "$folder/out.txt" || fail "seeds '$count': $(cat "$folder/out.txt")"
done

echo "a program that has headers of the same names"
mkdir -p "$folder/own/models" "$folder/own/sim"
echo 'enum { OWN_TASK = 7 };' | tee "$folder/own/models/task.h" >"$folder/own/sim/time.h"
cat >"$folder/main.c" <<END
#include <gpurt.h>

#include "models/task.h"

int main(void) {
    struct grt_task task = {.deadline = OWN_TASK};
    return task.deadline == OWN_TASK ? 0 : 1;
}
END
compile gpurt "-I$folder/own" "$folder/main.c" -o "$folder/main"
"$folder/main"
# The installed folder as one of several that are searched alike.
compile gpurt "-I$folder/own" "-I$(dirname "$(find "$folder" -name gpurt.h)")" "$folder/main.c" -o "$folder/main"

echo "a plug-in, by pkg-config, in a program of one's own"
compile gpurt-plugin -fPIC -shared "$sources/examples/llf/llf.c" -o "$folder/llf.so"
"$folder/shared" "$sources/scenarios/quickstart.json" "$folder/llf.so" | grep -q '^control: 200 jobs'

echo "both, by CMake"
cat >"$folder/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(embed LANGUAGES C)
find_package(gpurt $(pkg-config --modversion gpurt) REQUIRED)
foreach(kind IN ITEMS gpurt gpurt-static)
  add_executable(with-\${kind} "$embed")
  target_link_libraries(with-\${kind} PRIVATE gpurt::\${kind})
endforeach()
add_library(llf MODULE "$sources/examples/llf/llf.c")
target_link_libraries(llf PRIVATE gpurt::plugin)
END
"$cmake" -G Ninja -S "$folder/cmake" -B "$folder/cmake/build" -Dgpurt_DIR="$libraries/cmake/gpurt" \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" >"$folder/cmake/log.txt"
"$cmake" --build "$folder/cmake/build" >>"$folder/cmake/log.txt" || fail "$(cat "$folder/cmake/log.txt")"
expect "$folder/cmake/build/with-gpurt"
"$folder/shared" "$sources/scenarios/quickstart.json" "$folder/cmake/build/libllf.so" | grep -q '^control: 200 jobs'
unset LD_LIBRARY_PATH
expect "$folder/cmake/build/with-gpurt-static"

echo "the static library, by pkg-config"
eval "set -- $(pkg-config --cflags gpurt) \"\$libraries/libgpurt.a\" $(pkg-config --static --libs-only-l gpurt | sed 's/-lgpurt//')"
# shellcheck disable=SC2086 # they are words
"$compiler" -std=c17 $flags "$embed" "$@" -o "$folder/static"
expect "$folder/static"

# check_headers COMPILER LANGUAGE STANDARD...: all of them, and a plug-in's, without warnings in each standard.
headers=$(dirname "$(find "$folder" -name gpurt.h)")
check_headers() {
    with=$1
    language=$2
    shift 2
    printf '#include <gpurt.h>\nextern const struct grt_policy_ops own;\nGRT_PLUGIN(own);\n' >"$folder/headers.$language"
    for standard; do
        "$with" "-std=$standard" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror -fsyntax-only \
            "-I$headers" -x "$language" "$folder/headers.$language" || fail "the headers, $with -std=$standard"
    done
}

echo "the headers, without warnings"
for with in "$compiler" gcc clang; do
    if command -v "$with" >/dev/null; then check_headers "$with" c c11 c17 gnu17; fi
done
for with in g++ clang++; do
    if command -v "$with" >/dev/null; then check_headers "$with" c++ c++11 c++14 c++17 c++20; fi
done
if command -v g++ >/dev/null; then
    echo "a plug-in in C++"
    printf '#include <models/plugin.h>\nvoid f(grt_world *w, grt_job j) { grt_policy_submit(w, j, grt_stream()); }\n' |
        sed 's/grt_world/struct &/' >"$folder/plugin.cpp"
    g++ -std=c++11 "-I$headers" -c "$folder/plugin.cpp" -o "$folder/plugin.o"
    nm "$folder/plugin.o" | grep -q ' U grt_policy_submit$' || fail "a plug-in in C++ calls functions of other names"
fi
