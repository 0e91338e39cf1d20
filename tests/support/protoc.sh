#!/bin/sh
# protoc.sh GPURT FOLDER SCENARIO...: decodes Perfetto exports with protoc, which is no code of ours, and finds no field that
# the definitions beside this file do not name. Ends with 77, which is "skipped" for ctest, where protoc is not there.
set -eu

gpurt=$1
folder=$2
shift 2
if ! command -v protoc >/dev/null; then
    echo "NOT RUN: protoc is not there; install protobuf-compiler"
    exit 77
fi
here=$(dirname "$0")
for scenario in "$@"; do
    "$gpurt" export perfetto "$scenario" -o "$folder/decoded.pftrace"
    protoc --decode=Trace -I "$here" "$here/perfetto.proto" <"$folder/decoded.pftrace" >"$folder/decoded.txt"
    if grep -nE '^ *[0-9]+(:| \{)' "$folder/decoded.txt"; then
        echo "$scenario: fields that the definitions do not name"
        exit 1
    fi
    echo "$scenario: $(grep -c '^packet {' "$folder/decoded.txt") packets"
    [ "$(grep -c TYPE_SLICE_BEGIN "$folder/decoded.txt")" -gt 3 ]
done
