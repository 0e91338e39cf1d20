#!/bin/sh
# Compiles the kernels to PTX, with the compiler's name in the first line. Any clang that knows NVPTX will do; no toolkit is needed.
# usage: make_ptx.sh OUTPUT [CLANG]
set -eu
output=$1
clang=${2:-clang}
folder=$(dirname "$0")
made_by=$("$clang" --version | sed -n '1s/.*\(clang version [0-9.]*\).*/\1/p')
"$clang" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_60 -O3 -S -Wall -Wextra -Werror \
    -Wno-unknown-cuda-version -o - "$folder/kernels.cu" >"$output.new"
{
    printf '// Made from kernels.cu by make_ptx.sh: %s, sm_60\n' "$made_by"
    cat "$output.new"
} >"$output"
rm "$output.new"
