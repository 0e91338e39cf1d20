#!/bin/sh
# subproject.sh CMAKE FOLDER SOURCES COMPILER: gpurt as a part of another project of CMake, in FOLDER: its targets have the names that the installed package
# gives them, programs and plug-ins find its headers, its tests are left out, and whether there are tests and packages is the other project's choice. The library itself is not built, which would take minutes.
set -eu

cmake=$1
folder=$2
sources=$3
compiler=$4

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
    { cat "$folder/log.txt" && exit 1; }
cd "$folder/build"
# The object of embed-static would wait for the whole library.
"$cmake" --build . --target CMakeFiles/embed.dir/embed.c.o CMakeFiles/llf.dir/llf.c.o >>"$folder/log.txt" 2>&1 ||
    { cat "$folder/log.txt" && exit 1; }
grep -qx "type: " type.txt # the project around has chosen none
! grep -q "gpurt/tests/" build.ninja || { echo "its tests are built" && exit 1; }
! grep -q "^BUILD_TESTING:" CMakeCache.txt || { echo "BUILD_TESTING is set for the project around" && exit 1; }
[ ! -e CPackConfig.cmake ] || { echo "packages of the project around are those of gpurt" && exit 1; }
