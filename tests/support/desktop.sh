#!/bin/sh
# desktop.sh FOLDER DESKTOP GPURT SCENARIO: the viewer's desktop file, icon and MIME type, DESKTOP, are well-formed and agree with each other and with a
# trace that gpurt writes; those programs judge them that are there. Without xmllint it is skipped (77).
set -eu

folder=$1
desktop=$2
gpurt=$3
scenario=$4
if ! command -v xmllint >/dev/null; then
    echo "NOT RUN: xmllint is not there; install libxml2-utils"
    exit 77
fi
rm -rf "$folder"
mkdir -p "$folder/mime/packages"

# text XPATH FILE: of an element or attribute, whatever its namespace.
text() {
    xmllint --xpath "string($1)" "$2"
}

xmllint --noout "$desktop/gpurt-view.svg" "$desktop/gpurt.xml"
type=$(text '//*[local-name()="mime-type"]/@type' "$desktop/gpurt.xml")
[ -n "$type" ]
grep -qx "MimeType=$type;" "$desktop/gpurt-view.desktop"
grep -qx "Icon=$(text '//*[local-name()="icon"]/@name' "$desktop/gpurt.xml")" "$desktop/gpurt-view.desktop"
[ "$(text '/*/@width' "$desktop/gpurt-view.svg")" = "$(text '/*/@height' "$desktop/gpurt-view.svg")" ]

"$gpurt" run "$scenario" --until 20ms --quiet --trace "$folder/a trace"
magic=$(text '//*[local-name()="match"]/@value' "$desktop/gpurt.xml")
[ "$(head -c ${#magic} "$folder/a trace")" = "$magic" ]

if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$desktop/gpurt-view.desktop"
    echo "desktop-file-validate: ok"
fi
if command -v update-mime-database >/dev/null; then
    cp "$desktop/gpurt.xml" "$folder/mime/packages"
    XDG_DATA_DIRS="$folder" update-mime-database "$folder/mime"
    [ -f "$folder/mime/$type.xml" ]
    echo "update-mime-database: ok"
fi
if command -v rsvg-convert >/dev/null; then
    rsvg-convert -w 16 -h 16 "$desktop/gpurt-view.svg" -o "$folder/icon.png"
    echo "rsvg-convert: ok"
fi
