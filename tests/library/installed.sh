#!/bin/sh
# installed.sh CMAKE BUILD FOLDER SOURCES COMPILER [FLAG...]: installs gpurt and libgpurt from the build folder below FOLDER, somewhere else
# than where they were configured to go. gpurt finds its library of scenarios; the examples of embedding are built and run, by pkg-config and
# by CMake, with the shared and the static library; a plug-in, too. The flags are those that the library was compiled with and that
# programs need, too.
# shellcheck disable=SC2046 # what pkg-config prints is meant to be split into words
set -eu

cmake=$1
build=$2
folder=$3
sources=$4
compiler=$5
shift 5

rm -rf "$folder"
mkdir -p "$folder/cmake"
folder=$(cd "$folder" && pwd)
for component in programs library development; do
    DESTDIR="$folder" "$cmake" --install "$build" --component "$component" >"$folder/install-$component.txt"
done
pc=$(find "$folder" -name gpurt.pc)
PKG_CONFIG_LIBDIR=$(dirname "$pc") # nothing else is there: our headers need no other package's
libraries=$(dirname "$PKG_CONFIG_LIBDIR")
export PKG_CONFIG_LIBDIR
embed="$sources/examples/embed/embed.c"

fail() {
    echo "$*"
    exit 1
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
    grep -q '^embed: .*"none"' "$folder/none.txt" || fail "$1: $(cat "$folder/none.txt")"
}

echo "the programs"
gpurt=$(find "$folder" -type f -path '*/bin/gpurt')
scenarios=$(dirname "$gpurt")/../share/gpurt/scenarios
"$gpurt" run "$scenarios/quickstart.json" --quiet
(cd "$folder/cmake" && "$gpurt" run quickstart --quiet && "$gpurt" scenarios --json) >"$folder/scenarios.txt"
grep -q "\"path\":.*\"$folder/.*/scenarios/quickstart.json\"" "$folder/scenarios.txt" || fail "not its own library"
empty=$(find "$folder" -type d -empty ! -path "$folder/cmake")
[ -z "$empty" ] || fail "empty folders: $empty"
find "$scenarios" -path '*/experiments/*' ! -name figure-8.json -type f -exec rm {} +
"$gpurt" papers --list >"$folder/papers.txt" # not of the sources, which have more
[ "$(sed '1,2d;/^$/,$d' "$folder/papers.txt" | cut -d' ' -f1 | xargs)" = kim-2017-figure-8 ] || fail "$(cat "$folder/papers.txt")"

awk '/^```/ { code = $0 == "```c"; next } code' "$sources/docs/embedding.md" >"$folder/documented.c"
cmp "$folder/documented.c" "$embed" || fail "docs/embedding.md has another program than examples/embed/embed.c"

echo "the shared library, by pkg-config"
"$compiler" -std=c17 -Wall -Wextra -Wpedantic -Werror "$@" "$embed" $(pkg-config --cflags --libs gpurt) -o "$folder/shared"
LD_LIBRARY_PATH=$libraries
export LD_LIBRARY_PATH
expect "$folder/shared"

echo "many runs of one file"
"$compiler" -std=c17 -Wall -Wextra -Wpedantic -Werror "$@" "$sources/examples/embed/seeds.c" \
    $(pkg-config --cflags --libs gpurt) -o "$folder/seeds"
one=$("$folder/seeds" "$sources/scenarios/quickstart.json" 1 | sed -n 's/^detect: \([0-9]*\) ns$/\1/p')
ten=$("$folder/seeds" "$sources/scenarios/quickstart.json" 10 | sed -n 's/^detect: \([0-9]*\) ns$/\1/p')
[ "$one" -gt 0 ] || fail "a response of $one ns"
[ "$ten" -gt "$one" ] || fail "the longest response is $one ns with one seed, $ten with ten"

echo "a plug-in, by pkg-config, in a program of one's own"
"$compiler" -std=c17 -Wall -Wextra -Wpedantic -Werror -fPIC -shared $(pkg-config --cflags gpurt-plugin) \
    "$sources/examples/llf/llf.c" -o "$folder/llf.so"
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
END
"$cmake" -G Ninja -S "$folder/cmake" -B "$folder/cmake/build" -Dgpurt_DIR="$libraries/cmake/gpurt" \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$*" >"$folder/cmake/log.txt"
"$cmake" --build "$folder/cmake/build" >>"$folder/cmake/log.txt" || fail "$(cat "$folder/cmake/log.txt")"
expect "$folder/cmake/build/with-gpurt"
unset LD_LIBRARY_PATH
expect "$folder/cmake/build/with-gpurt-static"

echo "the static library, by pkg-config"
"$compiler" -std=c17 "$@" "$embed" $(pkg-config --cflags gpurt) "$libraries/libgpurt.a" \
    $(pkg-config --static --libs-only-l gpurt | sed 's/-lgpurt//') -o "$folder/static"
expect "$folder/static"

if command -v g++ >/dev/null; then
    echo "the headers, in C++"
    echo '#include <gpurt.h>' | g++ -std=c++17 -Wall -Werror -fsyntax-only -x c++ $(pkg-config --cflags gpurt) -
fi
