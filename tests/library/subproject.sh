#!/bin/sh
# subproject.sh CMAKE FOLDER SOURCES COMPILER: gpurt as a part of another project of CMake, in FOLDER: its targets have the names that the installed package
# gives them, programs and plug-ins find its headers, its tests are left out, and tests and packages are the other project's choice. The library itself
# is not built, which would take minutes.
set -eu
unset CMAKE_BUILD_TYPE # of the environment, which would choose one

cmake=$1
folder=$2
sources=$3
compiler=$4

fail() {
    echo "$*"
    exit 1
}

rm -rf "$folder"
mkdir -p "$folder"
cp "$sources/examples/embed/embed.c" "$sources/examples/llf/llf.c" "$folder"
cat >"$folder/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(around LANGUAGES C)
set(CMAKE_C_STANDARD 17)
add_subdirectory("$sources" gpurt EXCLUDE_FROM_ALL)
add_executable(embed embed.c)
target_link_libraries(embed PRIVATE gpurt::gpurt)
add_executable(embed-static embed.c)
target_link_libraries(embed-static PRIVATE gpurt::gpurt-static)
add_library(llf MODULE llf.c)
target_link_libraries(llf PRIVATE gpurt::plugin)
file(GENERATE OUTPUT type.txt CONTENT "type: \$<CONFIG>\\n")
END
"$cmake" -G Ninja -S "$folder" -B "$folder/build" -DCMAKE_C_COMPILER="$compiler" >"$folder/log.txt" 2>&1 ||
    fail "$(cat "$folder/log.txt")"
cd "$folder/build"
# Only these two: the build would first make the libraries below them.
ninja=$(sed -n 's/^CMAKE_MAKE_PROGRAM:[A-Z]*=//p' CMakeCache.txt)
for name in embed llf; do
    command=$("$ninja" -t commands "CMakeFiles/$name.dir/$name.c.o" | tail -n 1)
    case $command in
    *" -c "*"$name.c") sh -c "$command" >>"$folder/log.txt" 2>&1 || fail "$(cat "$folder/log.txt")" ;;
    *) fail "it does not compile $name.c: $command" ;;
    esac
done
grep -qx "type: " type.txt || fail "a build type that the project around has not chosen: $(cat type.txt)"
[ -f build.ninja ] || fail "no build.ninja"
if grep "gpurt/tests/" build.ninja; then fail "the tests of gpurt are part of the project around"; fi
if grep "^BUILD_TESTING:" CMakeCache.txt; then fail "gpurt says whether the project around has tests"; fi
[ ! -e CPackConfig.cmake ] || fail "gpurt says what the packages of the project around are"
