#!/bin/sh
# The kernels' PTX is what their source says (by clang, where it is), the source is good for nvcc, and the PTX for many devices (by the toolkit, where it is).
# usage: kernels_ptx.sh KERNELS SCRATCH; exits with 77 where there is neither
set -eu
kernels=$1 scratch=$2
PATH=$PATH:/usr/local/cuda/bin
done=0

# What counts: no comments, no empty lines.
plain() {
    sed 's,//.*,,; s/[[:space:]]*$//' "$1" | grep -v '^$'
}

entries() {
    sed -n 's/.*\.entry[[:space:]]*\([A-Za-z0-9_]*\).*/\1/p' "$1" | sort
}

# The example of the documentation is that which is compiled.
awk '/^```/ { code = $0 == "```c"; next } code' "$kernels/../../docs/device-under-test.md" >"$scratch/documented"
sed 1d "$kernels/example.cu" | cmp - "$scratch/documented"

if clang -print-targets 2>/dev/null | grep -q nvptx64; then
    done=1
    "$kernels/make_ptx.sh" "$scratch/made.ptx"
    clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_60 -O3 -S -Wall -Wextra -Werror \
        -Wno-unknown-cuda-version -o "$scratch/example.ptx" "$kernels/example.cu"
    if [ "$(head -n 1 "$scratch/made.ptx")" = "$(head -n 1 "$kernels/kernels.ptx")" ]; then
        plain "$kernels/kernels.ptx" >"$scratch/committed"
        plain "$scratch/made.ptx" >"$scratch/made"
        cmp "$scratch/committed" "$scratch/made" || {
            echo "kernels.ptx is not what kernels.cu says: run make_ptx.sh"
            exit 1
        }
    else
        echo "another clang than that of kernels.ptx: only the kernels' names are compared"
        entries "$kernels/kernels.ptx" >"$scratch/committed"
        entries "$scratch/made.ptx" >"$scratch/made"
        cmp "$scratch/committed" "$scratch/made"
    fi
fi

if command -v nvcc >/dev/null && command -v ptxas >/dev/null; then
    done=1
    nvcc -ptx -arch=compute_75 -O3 -Werror all-warnings -o "$scratch/nvcc.ptx" "$kernels/kernels.cu"
    entries "$kernels/kernels.ptx" >"$scratch/committed"
    entries "$scratch/nvcc.ptx" | cmp "$scratch/committed" -
    python3 "$(dirname "$0")/run_ptx.py" "$scratch/nvcc.ptx"
    for device in 75 80 86 89 90 100 120; do
        ptxas -v -arch=sm_$device -o "$scratch/cubin" "$kernels/kernels.ptx" 2>"$scratch/ptxas.log" || {
            cat "$scratch/ptxas.log"
            exit 1
        }
        printf 'sm_%s, registers:' "$device"
        sed -n "s/.*entry function '\([a-z_]*\)'.*/ \1/p; s/.*Used \([0-9]*\) registers.*/ \1/p" "$scratch/ptxas.log" |
            tr -d '\n'
        echo
    done
fi

[ $done = 1 ] || {
    echo "neither a clang for NVPTX nor CUDA's toolkit is here"
    exit 77
}
