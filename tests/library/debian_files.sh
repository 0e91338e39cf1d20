#!/bin/sh
# debian_files.sh CMAKE SOURCES FOLDER: what packaging/debian_files.cmake makes of installed files, in FOLDER: compressed pages, changelogs and copyright
# files, which have the same bytes each time, are not younger than SOURCE_DATE_EPOCH, and are for all to read.
set -eu

cmake=$1
sources=$2
folder=$3
SOURCE_DATE_EPOCH=1000000000
export SOURCE_DATE_EPOCH

fail() {
    echo "$*"
    exit 1
}

# make NAME: a tree such as CPack has before it packs.
make() {
    for component in programs library; do
        mkdir -p "$folder/$1/$component/usr/share/doc/$component"
        cp "$sources/LICENSE" "$folder/$1/$component/usr/share/doc/$component/copyright"
    done
    mkdir -p "$folder/$1/programs/usr/share/man/man1"
    printf '.TH GPURT 1\n' >"$folder/$1/programs/usr/share/man/man1/gpurt.1"
    ln -s gpurt.1 "$folder/$1/programs/usr/share/man/man1/another.1"
    echo text >"$folder/$1/programs/usr/share/doc/programs/tutorial.md"
    "$cmake" "-DFOLDER=$folder/$1" -DVERSION=1.2.3 "-DMAINTAINER=A B <a@b>" "-DLICENSE=$sources/LICENSE" \
        -P "$sources/packaging/debian_files.cmake"
}

rm -rf "$folder"
make first
sleep 1.1 # so that a time in any of it would differ
make second
diff -r "$folder/first" "$folder/second" || fail "packages differ from time to time"
cd "$folder/first"
[ "$(gzip -dc programs/usr/share/man/man1/gpurt.1.gz)" = ".TH GPURT 1" ] || fail "the manual page"
[ "$(readlink programs/usr/share/man/man1/another.1.gz)" = gpurt.1.gz ] || fail "the manual page that is a link"
[ "$(ls programs/usr/share/man/man1)" = "another.1.gz
gpurt.1.gz" ] || fail "the manual page is there twice"
[ -e programs/usr/share/doc/programs/tutorial.md ] || fail "documents are for browsers, which read no .gz"
for component in programs library; do
    documents=$component/usr/share/doc/$component
    gzip -dc "$documents/changelog.Debian.gz" >changelog.txt
    printf 'gpurt (1.2.3-1) unstable; urgency=medium\n\n  * Version 1.2.3.\n\n -- A B <a@b>  Sun, 09 Sep 2001 01:46:40 +0000\n' |
        cmp - changelog.txt || fail "$(cat changelog.txt)"
    grep -q '^Copyright: [0-9]* The gpurt authors$' "$documents/copyright" || fail "$(cat "$documents/copyright")"
    grep -q '^ Permission is hereby granted' "$documents/copyright" || fail "$(cat "$documents/copyright")"
    if grep -n '^$' "$documents/copyright" | sed 1,2d | grep .; then fail "an empty line in a paragraph"; fi
done
rm changelog.txt
[ -z "$(find . -type f -newermt '@1000000000')" ] || fail "younger than the sources: $(find . -type f -newermt '@1000000000')"
[ "$(find . -type f ! -perm 644)" = "" ] || fail "not for all to read: $(find . -type f ! -perm 644)"
